// A writing kit as people see it: the choices, the plan of the text, and further material. Pure.
import type { KitSection, KitView } from "../core/result.ts";
import { escapeInline, link } from "./markdown.ts";

/** Maximum number of a kit's sections that a pull request shows. */
const MANY = 12;

/** The kit as a collapsed block: Markdown lines. */
export function renderKit(kit: KitView): string[] {
  const { angle, hook, otherAngles, otherHooks, questions } = kit;
  const sections = kit.sections.slice(0, MANY);
  return [
    // Only the program's own words: a line of HTML is not Markdown, so text could not be escaped there.
    `<details><summary>The kit: ${sizeOf(kit)}</summary>`,
    "",
    ...(angle ? [`**Angle: ${escapeInline(angle.title)}** – ${escapeInline(angle.description)}`, ""] : []),
    ...(hook ? [`**Hook (${escapeInline(hook.type)}):** ${escapeInline(hook.text)}`, ""] : []),
    ...sections.flatMap(renderSection),
    ...listOf(
      "Other angles",
      otherAngles.map(({ title }) => title),
    ),
    ...listOf(
      "Other hooks",
      otherHooks.map(({ text }) => text),
    ),
    ...listOf(
      "Questions",
      questions.map(({ question }) => question),
    ),
    "</details>",
  ];
}

/** `5 sections, about 1,000 words` */
function sizeOf({ sections }: KitView): string {
  const words = sections.reduce((sum, section) => sum + (section.words ?? 0), 0);
  const length = words > 0 ? `, about ${Math.round(words).toLocaleString("en")} words` : "";
  return `${sections.length} ${sections.length === 1 ? "section" : "sections"}${length}`;
}

function renderSection({ heading, notes, keyPoints, words, quotes }: KitSection, at: number): string[] {
  const length = words === undefined ? "" : ` (about ${words} words)`;
  return [
    `**${at + 1}. ${escapeInline(heading, 200)}**${length}`,
    "",
    escapeInline(notes),
    "",
    ...keyPoints.slice(0, MANY).map((point) => `- ${escapeInline(point, 300)}`),
    ...quotes.map(({ text, place }) => `- “${escapeInline(text, 300)}” (${escapeInline(place, 100)})`),
    "",
  ];
}

function listOf(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return [`*${title}*`, "", ...texts.slice(0, MANY).map((text) => `- ${escapeInline(text, 300)}`), ""];
}

/** The folder of a session; its files are links if `filesUrl` is known. */
export function renderFiles(folder: string, files: readonly string[] = [], filesUrl?: string): string {
  const urlOf = (name: string) => `${filesUrl}/${folder}/${name}`;
  const names = files.map((name) =>
    filesUrl === undefined ? escapeInline(name) : link(escapeInline(name), urlOf(name)),
  );
  return [`Folder: ${escapeInline(folder)}`, ...(names.length > 0 ? [names.join(" · ")] : [])].join("\n\n");
}
