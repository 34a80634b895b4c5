// The pages of a session: made by the program from the artifacts, and a person's once that person has changed them.
import type { PipelineOutput } from "../../config/definitions.ts";
import { renderPage } from "../../config/prompts.ts";
import { hashContent } from "../../core/json.ts";
import type { Workspace } from "../../core/ports.ts";
import type { KitView } from "../../core/result.ts";
import {
  type ContentSummary,
  contentSummarySchema,
  type OutlineSection,
  outlineSchema,
  type WritingIdeas,
  writingIdeasSchema,
} from "../artifact.ts";
import { languagesOfItem } from "../checks/checks.ts";
import { pageFile } from "../folder.ts";
import { type ContentItem, countWords, readingMinutes } from "../item.ts";
import { readArtifacts, type SessionRun } from "../ports.ts";

/** Values of a session's artifacts by file name. */
type Artifacts = ReadonlyMap<string, unknown>;

/** The kit in these artifacts, or undefined where summary, ideas and outline are not all there. */
export function viewKit(
  item: Pick<ContentItem, "title" | "body">,
  artifacts: Artifacts,
  labels: Labels = ENGLISH,
): KitView | undefined {
  const summary = contentSummarySchema().safeParse(artifacts.get("summary.json")).data;
  const ideas = writingIdeasSchema().safeParse(artifacts.get("ideas.json")).data;
  const outline = outlineSchema().safeParse(artifacts.get("outline.json")).data;
  if (!summary || !ideas || !outline) return undefined;
  const { angle, hook } = chosenOf(ideas, outline);
  const { bySection, left } = placeQuotes(outline, summary.importantQuotes, item.body.split("\n"), labels);
  return {
    title: angle?.title ?? item.title,
    ...(angle ? { angle } : {}),
    ...(hook ? { hook } : {}),
    otherAngles: ideas.angles.filter((one) => one !== angle),
    otherHooks: ideas.hooks.filter((one) => one !== hook),
    sections: outline.map(({ heading, notes, keyPoints, estimatedWords }, at) => ({
      ...{ heading, notes, keyPoints, quotes: bySection.get(at) ?? [] },
      ...(estimatedWords === undefined ? {} : { words: estimatedWords }),
    })),
    quotes: left,
    questions: ideas.questions,
    minutes: readingMinutes(countWords(item)),
  };
}

/** What the outline says; where it says nothing, the angle that fits best and the first hook. */
function chosenOf({ angles, hooks }: WritingIdeas, [first]: readonly OutlineSection[]) {
  const [best] = angles.toSorted((one, other) => other.relevanceScore - one.relevanceScore);
  return {
    angle: angles.find(({ title }) => title === first?.angle) ?? best,
    hook: hooks.find(({ text }) => text === first?.hook) ?? hooks[0],
  };
}

/**
 * Each quote beside the section that has the heading above it in the item, else beside the one with which the quote and that
 * heading share most words. Rare words count more, and so does a section that is about as far on in the outline as the quote
 * is in the item. `left`: those that share none.
 */
function placeQuotes(
  outline: readonly OutlineSection[],
  quotes: ContentSummary["importantQuotes"],
  lines: readonly string[],
  labels: Labels,
) {
  const sections = outline.map(({ heading, notes, keyPoints }) =>
    wordsOf([heading, notes, ...keyPoints].join(" ")),
  );
  const bySection = new Map<number, KitView["quotes"]>();
  const left: KitView["quotes"] = [];
  const rarity = (word: string) => 1 / sections.filter((words) => words.has(word)).length;
  for (const [number, { text, context, timestamp, line }] of quotes.entries()) {
    const above = headingAbove(lines, text);
    const own = [...wordsOf(`${text} ${above}`)];
    const share =
      timestamp === undefined && line !== undefined ? line / lines.length : (number + 0.5) / quotes.length;
    const expected = Math.min(1, share) * sections.length - 0.5;
    const shared = sections.map((words, at) => {
      const sum = own.filter((word) => words.has(word)).reduce((all, word) => all + rarity(word), 0);
      return sum / (1 + AWAY * Math.abs(at - expected));
    });
    const place = [timestamp ?? (line === undefined ? undefined : `${labels.line} ${line}`), context];
    const quote = { text, place: place.filter((part) => part).join(", ") || labels.nowhere };
    const most = Math.max(0, ...shared);
    const named = outline.findIndex(({ heading }) => above !== "" && heading.trim() === above);
    const at = named >= 0 ? named : shared.indexOf(most);
    if (named < 0 && most === 0) left.push(quote);
    else bySection.set(at, [...(bySection.get(at) ?? []), quote]);
  }
  return { bySection, left };
}

const QUOTE_START = 30;

/** The text of the nearest Markdown heading above a quote; empty if there is none, or the quote is not found. */
function headingAbove(lines: readonly string[], quote: string): string {
  const at = lines.findIndex((line) => line.includes(quote.slice(0, QUOTE_START)));
  const heading = lines.slice(0, at + 1).findLast((line) => /^#{1,6}\s/.test(line));
  return heading?.replace(/^#+\s+/, "").trim() ?? "";
}

/** How much less a word counts for each section that it is away. */
const AWAY = 0.5;

/** Words that say what a text is about: the short ones join others. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}|[\p{sc=Han}\p{sc=Kana}]{2}/gu) ?? []);
}

/** The fixed words of the pages. */
type Labels = Record<keyof typeof ENGLISH, string>;
const ENGLISH = {
  ...{ angle: "Angle", about: "What it is about", hook: "Hook", source: "Source", minutes: "min to read" },
  ...{ words: "words", others: "Other ways in", questions: "Questions to answer", quotes: "More quotes" },
  ...{ summary: "About the source", line: "line", nowhere: "no place", readOn: "Read on", posts: "Posts" },
};
const LABELS = new Map<string, Labels>([
  [
    "de",
    {
      ...{ angle: "Blickwinkel", about: "Worum es geht", hook: "Einstieg", source: "Quelle" },
      ...{ minutes: "Min. Lesezeit", words: "Wörter", others: "Andere Zugänge", questions: "Offene Fragen" },
      ...{ quotes: "Weitere Zitate", summary: "Über die Quelle", line: "Zeile", nowhere: "ohne Stelle" },
      ...{ readOn: "Weiterlesen", posts: "Beiträge" },
    },
  ],
  [
    "fr",
    {
      ...{ angle: "Angle", about: "De quoi il s’agit", hook: "Accroche", source: "Source" },
      ...{ minutes: "min de lecture", words: "mots", others: "Autres approches" },
      ...{ questions: "Questions à traiter", quotes: "Autres citations", summary: "À propos de la source" },
      ...{ line: "ligne", nowhere: "sans emplacement", readOn: "Lire la suite", posts: "Publications" },
    },
  ],
  [
    "es",
    {
      ...{ angle: "Enfoque", about: "De qué trata", hook: "Gancho", source: "Fuente" },
      ...{ minutes: "min de lectura", words: "palabras", others: "Otros enfoques" },
      ...{ questions: "Preguntas por responder", quotes: "Más citas", summary: "Sobre la fuente" },
      ...{ line: "línea", nowhere: "sin lugar", readOn: "Seguir leyendo", posts: "Publicaciones" },
    },
  ],
]);

/** The words in the language of the item, where that is certain and known; else English. */
async function labelsOf(item: Pick<ContentItem, "body">): Promise<Labels> {
  const [language = "en"] = await languagesOfItem(item);
  return LABELS.get(language) ?? ENGLISH;
}

function newPageFile(output: string): string {
  return `${output}.new.md`;
}

/** The text of an output's page. Its template finds `item`, `kit`, `label`, and the artifacts by the names of their outputs. */
async function renderOutput(
  { item, pipeline }: Pick<SessionRun, "item" | "pipeline">,
  template: string,
  artifacts: Artifacts,
): Promise<string> {
  const named = pipeline.outputs.map(({ name, artifact }) => [name, artifacts.get(artifact)]);
  const label = await labelsOf(item);
  const kit = viewKit(item, artifacts, label);
  const hasOthers = (kit?.otherAngles.length ?? 0) + (kit?.otherHooks.length ?? 0) > 0;
  const { title, source, url } = item;
  return renderPage(template, {
    label: { ...label, isEnglish: label === ENGLISH },
    ...Object.fromEntries(named),
    item: { title, source, url },
    kit: kit && { ...kit, hasOthers, hasQuotes: kit.quotes.length > 0 },
  });
}

/**
 * Makes the pages of these outputs from the artifacts that stand. A page that a person has changed stays: the new one is
 * `<output>.new.md`, and people are told. Returns the hashes to record, by output.
 */
export async function writePages(
  run: Pick<SessionRun, "sessionId" | "folder" | "item" | "pipeline" | "manifest" | "session">,
  outputs: readonly string[],
  standing: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const wanted = run.pipeline.outputs.filter(({ name, page }) => page && outputs.includes(name));
  const made = new Map<string, string>();
  if (wanted.length === 0) return made;
  const artifacts = await readArtifacts(run, standing);
  for (const output of wanted) {
    if (!output.page) continue;
    const text = await renderOutput(run, output.page, artifacts);
    made.set(output.name, hashContent(text));
    await writePage(run, output, text);
  }
  return made;
}

async function writePage(
  { sessionId, folder, manifest, session }: Parameters<typeof writePages>[0],
  { name }: PipelineOutput,
  text: string,
): Promise<void> {
  const { workspace, observe } = session;
  const [file, newFile] = [pageFile(name), newPageFile(name)];
  const hashes = await workspace.hashSeveral(folder, [file, newFile]);
  const recorded = manifest.pages?.get(name);
  const known = hashes.get(file);
  if (known === hashContent(text)) return;
  const isOwn = known === undefined || known === recorded;
  if (!isOwn) {
    const message = pageSentence(name);
    observe({ type: "notice", level: "info", message, sessionId });
  }
  const target = isOwn ? file : newFile;
  const replaced = isOwn ? undefined : hashes.get(newFile);
  if (replaced !== undefined && replaced !== recorded && replaced !== hashContent(text)) {
    const bytes = await workspace.read(`${folder}/${newFile}`);
    if (bytes) await workspace.writeAtomic(`${folder}/${name}.kept-${replaced}.md`, bytes);
  }
  await workspace.writeAtomic(`${folder}/${target}`, text);
}

function pageSentence(output: string): string {
  return `${pageFile(output)} was edited by a person and is kept; the new version is ${newPageFile(output)}`;
}

/** The pages in a session's folder, and a sentence for each that is a person's beside a newer one. */
export async function describePages(
  workspace: Workspace,
  folder: string,
  outputs: readonly PipelineOutput[],
): Promise<{ files: string[]; edits: string[] }> {
  const names = outputs.filter(({ page }) => page).map(({ name }) => name);
  if (names.length === 0) return { files: [], edits: [] };
  const all = names.flatMap((name) => [pageFile(name), newPageFile(name)]);
  const hashes = await workspace.hashSeveral(folder, all);
  const newer = names.filter((name) => hashes.has(pageFile(name)) && hashes.has(newPageFile(name)));
  return { files: all.filter((file) => hashes.has(file)), edits: newer.map(pageSentence) };
}
