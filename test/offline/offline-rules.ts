// The rule of the rehearsal, field by field: a text is a verbatim piece, a counted fact, or one in a fixed frame.
// Everything here is worked out anew from the source; a field without a rule is a breach.
import type { MadeArticle } from "./offline-articles.ts";

type Check = (text: string, article: Source) => boolean;
type Source = { raw: string; body: string; headings: string[]; words: number };

export const FRAMES = [
  /^Why does “(.+)” matter here\?$/,
  /^What can a reader do with “(.+)”\?$/,
  /^Where else does “(.+)” matter\?$/,
];
/** Words of ours beside the figures. */
const COUNTED = /^Counted here: sections: (\d+), sentences: (\d+), words: (\d+), quoted voices: (\d+)$/;

const verbatim: Check = (text, { raw, body }) => text !== "" && (raw.includes(text) || body.includes(text));
const inFile: Check = (text, { raw }) => raw.includes(text);
const inQuotes: Check = (text, { raw }) =>
  [`"${text}`, `“${text}`].some((start) => [...'"”,;'].some((end) => raw.includes(start + end)));
const oneOf =
  (...values: string[]): Check =>
  (text) =>
    values.includes(text);
const counted: Check = (text, { words }) => {
  const [, sections, sentences, found, voices] = COUNTED.exec(text)?.map(Number) ?? [];
  return found === words && Number(sections) >= 1 && Number(sentences) >= 1 && Number(voices) >= 0;
};
const question: Check = (text, source) => {
  const piece = FRAMES.map((frame) => frame.exec(text)?.[1]).find((found) => found !== undefined);
  return piece === undefined ? text.endsWith("?") && verbatim(text, source) : inFile(piece, source);
};
const figure: Check = (text) => Number.isFinite(Number(text));

const RULES: [field: RegExp, rule: Check][] = [
  [/^(headline|tldr|category|overview|detailedAnalysis|context)$/, verbatim],
  [/^(bullets|tags|keyThemes|relatedConcepts)\[\d+\]$/, verbatim],
  [/^coreIdeas\[\d+\]\.(concept|explanation|examples\[\d+\])$/, verbatim],
  [/^importantQuotes\[\d+\]\.text$/, inQuotes],
  [/^importantQuotes\[\d+\]\.context$/, inFile],
  [/^sentiment$/, oneOf("positive", "neutral", "negative")],
  [/^narrativeFlow$/, counted],
  [/^hooks\[\d+\]\.text$/, verbatim],
  [/^hooks\[\d+\]\.type$/, oneOf("statistic", "story", "curiosity", "controversy", "emotional")],
  [/^angles\[\d+\]\.(title|description)$/, verbatim],
  [/^questions\[\d+\]\.question$/, question],
  [/^questions\[\d+\]\.type$/, oneOf("analytical", "practical", "philosophical", "comparative")],
  [/^\[\d+\]\.(notes|keyPoints\[\d+\])$/, verbatim],
  [/^\[\d+\]\.heading$/, (text, source) => text === "Part 1" || verbatim(text, source)],
  [/^(score\.relevanceToUser|angles\[\d+\]\.relevanceScore|\[\d+\]\.estimatedWords)$/, figure],
  [/^contentId$/, oneOf("session")],
];

/** What breaks the rule, one sentence each. The session folder is taken to end in `session`. */
export function findBreaches(artifact: unknown, article: MadeArticle): string[] {
  const source = {
    raw: collapse(article.markdown),
    body: collapse(article.body),
    headings: article.headings,
    words: countWords(article.body),
  };
  return leavesOf(artifact).flatMap(([field, text]) => {
    const rule = RULES.find(([pattern]) => pattern.test(field))?.[1];
    if (!rule) return [`${field} has no rule`];
    return rule(text, source) ? [] : [`${field} breaks its rule: ${JSON.stringify(text)}`];
  });
}

const CUES: Record<string, RegExp> = {
  statistic: /\d/,
  story: /["“].+["”]/u,
  curiosity: /\?["”)]*$/u,
  controversy: /however|\b(but|yet|although|despite|instead|whereas|unlike|rather|nobody)\b/i,
  emotional:
    /\b(hope|fear|lov|fail|lost|loss|angry|happy|good|bad|better|worse|best|worst|gain|won|hurt|sad)/,
};

/** Hooks whose type has no cue that stands in their text. */
export function findUncuedHooks(ideas: { hooks: { text: string; type: string }[] }): string[] {
  return ideas.hooks.filter(({ text, type }) => !CUES[type]?.test(text)).map(({ text }) => text);
}

export function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export function countWords(text: string): number {
  const segments = new Intl.Segmenter("en", { granularity: "word" }).segment(text);
  return Array.from(segments).filter((segment) => segment.isWordLike).length;
}

function leavesOf(value: unknown, field = ""): [field: string, text: string][] {
  if (typeof value !== "object" || value === null) return [[field, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => {
    const dot = field === "" ? "" : ".";
    return leavesOf(inner, Array.isArray(value) ? `${field}[${key}]` : `${field}${dot}${key}`);
  });
}
