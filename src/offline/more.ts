// Rehearsals of the smaller pipelines: extracts from a list of changes or a page without a language model.
// Pure.
import { type Article, cannotRehearse, cutWords } from "./article.ts";

const KINDS: [heading: string, types: RegExp][] = [
  ["Breaking", /!$/],
  ["Added", /^feat/],
  ["Fixed", /^fix/],
  ["Security", /^security/],
  ["Removed", /^(?:remove|revert)/],
  ["Changed", /^(?:perf|change|docs)/],
];
const CHANGE =
  /^[-*\s]*(?:([0-9a-f]{7,40})\s+)?([a-z]+)(?:\([^)]*\))?(!?): (.{10,280}?)\s*(?:\(?(#\d+|https?:\/\/\S+?)\)?)?$/;

/** A list of changes has no sentences, so it is read line by line. */
export function listArticle(text: string): Article {
  const title = /^(?:title: *|# +)(.+)$/m.exec(text)?.[1] ?? "";
  const none = { plain: "", units: [], sections: [], phrases: [], voices: [], category: undefined };
  return { ...none, file: text, raw: text, title: title.trim(), isTranscript: false };
}

/** By artifact file, like `BUILDERS`. */
export const MORE_BUILDERS: ReadonlyMap<string, (draft: { article: Article }) => object> = new Map([
  ["docs-summary.json", ({ article }: { article: Article }) => buildDocsSummary(article)],
  ["release-notes.json", ({ article }: { article: Article }) => buildReleaseNotes(article)],
]);

/** Conventional commits by kind; each keeps its number, address or hash. */
function buildReleaseNotes({ file, raw, title }: Article): object {
  const lines = file.split(/\r?\n/).filter((line) => line.trim() !== "");
  const changes = lines.flatMap((line) => {
    const [, hash, type = "", mark = "", text = "", link] = CHANGE.exec(line.trim()) ?? [];
    const heading = KINDS.find(([, types]) => types.test(type + mark))?.[0];
    const source = link ?? hash;
    return heading && source && raw.includes(source) ? [{ heading, text, sources: [source] }] : [];
  });
  const [first] = changes;
  if (!first) throw cannotRehearse("no line is a conventional commit with a number, an address or a hash.");
  const sections = [...Map.groupBy(changes, ({ heading }) => heading)];
  return {
    title: cutWords(title || "Release notes", 100),
    summary: cutWords(`${changes.length} changes that users notice. The first: ${first.text}`, 500),
    sections: KINDS.flatMap(([name]) => sections.filter(([heading]) => heading === name)).map(
      ([heading, of]) => ({
        heading,
        changes: of.slice(0, 40).map(({ text, sources }) => ({ text, sources })),
      }),
    ),
  };
}

/** Title, first sentences and headings of a page. */
function buildDocsSummary({ title, units, sections, phrases }: Article): object {
  const sentences = units.filter(({ kind }) => kind === "sentence").map(({ text }) => text);
  const [first = ""] = sentences;
  const headings = sections.flatMap(({ heading }) => (heading && heading !== title ? [heading] : []));
  const summary = cutWords(sentences.slice(0, 6).join(" "), 1200);
  if (summary.length < 80) throw cannotRehearse("too short for summary: the page has hardly a sentence.");
  return {
    title: cutWords(title.length >= 10 ? title : `${title}: ${phrases[0] ?? first}`, 60),
    description: cutWords(summary, 160),
    summary,
    answers: (headings.length > 0 ? headings : phrases)
      .slice(0, 8)
      .map((one) => `What does the page say on ${one}?`.slice(0, 150)),
    keywords: phrases.filter((phrase) => phrase.length <= 40).slice(0, 12),
  };
}
