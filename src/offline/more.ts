// Rehearsals of the smaller pipelines: extracts from a list of changes or a page without a language model.
// Pure.

import { groupBy } from "../core/json.ts";
import { type Article, cannotRehearse, cutWords, type Draft, ranked } from "./article.ts";

const KINDS: [heading: string, types: RegExp][] = [
  ["Breaking", /!$/],
  ["Added", /^feat/],
  ["Fixed", /^fix/],
  ["Security", /^security/],
  ["Removed", /^(?:remove|revert)/],
  ["Changed", /^(?:perf|change|docs)/],
];
const CHANGE =
  /^[-*\s]*(?:([0-9a-f]{7,40})\s+)?([a-z]+)(?:\([^)]*\))?(!?): (.{10,280}?)\s*(?:\(?(#\d+|https?:\/\/[^\s)]+)\)?)?(?:\s+(?:by\s+)?@[\w-]+)?$/;
/** `[#12](https://…)`: the address says more than the number. */
const LINK = /\(?\[#\d+\]\((https?:\/\/[^\s)]+)\)\)?/;

/** Artifacts that are made from a list of changes, or from a brief: neither is an article. */
export const LISTS: ReadonlySet<string> = new Set(["release-notes.json", "newsletter.json"]);

/** A list of changes has no sentences, so it is read line by line. */
export function listArticle(text: string): Article {
  const title = /^(?:title: *|# +)(.+)$/m.exec(text)?.[1] ?? "";
  const none = { plain: "", units: [], sections: [], phrases: [], voices: [], category: undefined };
  return { ...none, file: text, raw: text, title: title.trim(), isTranscript: false };
}

/** By artifact file, like `BUILDERS`. */
export const MORE_BUILDERS: ReadonlyMap<string, (draft: Draft) => object> = new Map([
  ["docs-summary.json", ({ article }: Draft): object => buildDocsSummary(article)],
  ["newsletter.json", buildNewsletter],
  ["release-notes.json", ({ article }: Draft): object => buildReleaseNotes(article)],
]);

/** The brief's own paragraphs around the most telling sentences of each item. */
function buildNewsletter({ article: { file, title }, items }: Draft): object {
  const body = file.replace(/^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*\r?\n/, "");
  const paragraphs = body.split(/\n[ \t]*\r?\n/).map((part) => part.replace(/\s+/g, " ").trim());
  const said = paragraphs.filter((part) => part !== "" && !part.startsWith("#"));
  const titles = items.map(({ article }) => article.title);
  const last = said.length > 1 ? said.at(-1) : undefined;
  return {
    subject: cutWords(title.length >= 5 ? title : `${titles[0]} and ${items.length - 1} more`, 80),
    intro: cutWords(
      (said[0]?.length ?? 0) >= 40 ? (said[0] ?? "") : `In this issue: ${titles.join("; ")}.`,
      800,
    ),
    entries: items.map(({ path, text, article }) => {
      const url = /^(?:source_)?url:[ \t]*["']?(https?:\/\/[^\s"']+)/m.exec(text)?.[1];
      const telling = ranked(article.units)
        .filter(({ kind }) => kind === "sentence")
        .slice(0, 3);
      const lines = article.units.filter((unit) => telling.includes(unit)).map((unit) => unit.text);
      return {
        ...{ source: path, heading: cutWords(article.title.length >= 3 ? article.title : path, 100) },
        text: cutWords(lines.join(" "), 1500),
        ...(url === undefined ? {} : { url }),
      };
    }),
    closing:
      last !== undefined && last.length >= 10 ? cutWords(last, 400) : `${items.length} items in this issue.`,
  };
}

/** Conventional commits by kind; each keeps its number, address or hash. */
function buildReleaseNotes({ file, raw, title }: Article): object {
  const lines = file.split(/\r?\n/).filter((line) => line.trim() !== "");
  const changes = lines.flatMap((line) => {
    const [, hash, type = "", mark = "", text = "", link] =
      CHANGE.exec(line.trim().replace(LINK, "($1)")) ?? [];
    const heading = KINDS.find(([, types]) => types.test(type + mark))?.[0];
    const source = link ?? hash;
    return heading && source && raw.includes(source) ? [{ heading, text, sources: [source] }] : [];
  });
  const [first] = KINDS.flatMap(([name]) => changes.filter(({ heading }) => heading === name));
  if (!first) throw cannotRehearse("no line is a conventional commit with a number, an address or a hash.");
  const sections = [...groupBy(changes, ({ heading }) => heading)];
  return {
    title: cutWords(title || "Release notes", 100),
    summary: cutWords(`${countOf(changes.length)} that users notice. The first: ${first.text}`, 500),
    sections: KINDS.flatMap(([name]) => sections.filter(([heading]) => heading === name)).map(
      ([heading, of]) => ({
        heading,
        changes: of.slice(0, 40).map(({ text, sources }) => ({ text, sources })),
      }),
    ),
  };
}

/** As many whole sentences as fit, at least the first. */
function wholeUpTo([first = "", ...more]: readonly string[], most: number): string {
  return more.reduce((text, next) => (text.length + next.length < most ? `${text} ${next}` : text), first);
}

function countOf(changes: number): string {
  return changes === 1 ? "One change" : `${changes} changes`;
}

/** Title, first sentences and headings of a page. */
function buildDocsSummary({ title, units, phrases }: Article): object {
  const sentences = units.filter(({ kind }) => kind === "sentence").map(({ text }) => text);
  const [first = ""] = sentences;
  const headings = units.flatMap(({ kind, text }) => (kind === "heading" && text !== title ? [text] : []));
  const summary = cutWords(sentences.slice(0, 6).join(" "), 1200);
  if (summary.length < 80) throw cannotRehearse("too short for summary: the page has hardly a sentence.");
  return {
    title: cutWords(title.length >= 10 ? title : `${title}: ${phrases[0] ?? first}`, 60),
    description: cutWords(wholeUpTo(sentences, 160), 160, "…"),
    summary,
    answers: (headings.length > 0 ? headings : phrases)
      .slice(0, 8)
      .map((one) => (one.endsWith("?") ? one : `What does the page say about “${cutWords(one, 110)}”?`)),
    keywords: phrases.filter((phrase) => phrase.length <= 40).slice(0, 12),
  };
}
