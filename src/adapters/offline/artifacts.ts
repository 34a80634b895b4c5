// The four artifacts by extraction: each text is a verbatim piece, a counted fact, or one in a fixed frame.
import { type Article, cannotRehearse, type Unit } from "./article.ts";

/** `firstHook`: index of the hook that comes first. */
export type Draft = { article: Article; contentId: string; firstHook: number };

/** By artifact file. Each fails with `invalid-artifact` where the article is too poor for the schema. */
export const BUILDERS: ReadonlyMap<string, (draft: Draft) => object> = new Map([
  ["summary.json", buildSummary],
  ["ideas.json", buildIdeas],
  ["outline.json", buildOutline],
  // The program puts the kit together from the artifacts before it.
  ["writing-kit.json", ({ contentId }: Draft): object => ({ contentId })],
]);

const GOOD = /\b(better|best|good|great|gain\w*|improv\w+|succe(ss|ed)\w*|won|lov\w+|happy|hope\w*|joy)\b/g;
const BAD = /\b(bad|worse|worst|fail\w*|los[st]|trouble|problem\w*|fear\w*|angry|harm\w*|hurt|sad|awful)\b/g;
const HOOKS: [type: string, cue: RegExp][] = [
  ["statistic", /\d/],
  ["story", /["“][^"“”]{10,}["”]/u],
  ["curiosity", /\?["”)]*$/u],
  ["controversy", /\b(but|however|yet|although|despite|instead|whereas|unlike|rather|nobody)\b/i],
  ["emotional", new RegExp(`${GOOD.source}|${BAD.source}`)],
];

function buildSummary({ article, contentId }: Draft): object {
  const { units, voices, phrases, sections, plain, title } = article;
  const [opening = [], closing = []] = [sections.at(0)?.units, sections.at(-1)?.units];
  const tldr = cut(passage(article, "tldr", units, 20, 60), 500);
  const [good = 0, bad = 0] = [GOOD, BAD].map((cues) => plain.match(cues)?.length);
  const sentences = units.filter((unit) => unit.kind === "sentence").length;
  const shape = `sections: ${sections.length}, sentences: ${sentences}, words: ${wordsIn(units)}`;
  const coreIdeas = phrases.slice(0, 5).map((concept) => {
    const about = units.filter((unit) => unit.text.includes(concept));
    return { concept, explanation: passage(article, "coreIdeas", about, 10, 10) };
  });
  return {
    contentId,
    headline: cut(lengthOf(title) >= 10 ? title : tldr, 200),
    tldr,
    bullets: pointsOf(units, 5),
    tags: phrases.slice(0, 8),
    sentiment: good > bad ? "positive" : good < bad ? "negative" : "neutral",
    category: article.category ?? phrases[0],
    score: { relevanceToUser: 0.5 },
    overview: passage(article, "overview", opening, 50, 160),
    keyThemes: phrases.slice(0, 6),
    detailedAnalysis: passage(article, "detailedAnalysis", units, 100, 400),
    narrativeFlow: `Counted here: ${shape}, quoted voices: ${voices.length}`,
    coreIdeas,
    importantQuotes: voices.slice(0, 8),
    context: passage(article, "context", closing, 20, 60),
    relatedConcepts: phrases.slice(6, 14),
  };
}

/** At most one of each type, by a cue that stands in it. */
export function findHooks({ units }: Article): { text: string; type: string }[] {
  const lines = ranked(units).map((unit) => cut(unit.text, 200));
  const unused = new Set(lines.filter((text) => lengthOf(text) >= 10));
  const hooks = HOOKS.flatMap(([type, cue]) => {
    const text = [...unused].find((line) => cue.test(line));
    return text !== undefined && unused.delete(text) ? [{ text, type }] : [];
  });
  if (hooks.length > 0) return hooks;
  throw cannotRehearse("no hooks: the source has no number, voice, question, contrast or feeling word.");
}

function buildIdeas({ article, contentId, firstHook }: Draft): object {
  const { units, phrases, sections } = article;
  const hooks = findHooks(article);
  const asked = ranked(units).filter(({ text }) => text.endsWith("?") && lengthOf(text) >= 10);
  return {
    contentId,
    hooks: [...hooks.splice(firstHook, 1), ...hooks],
    angles: sections.slice(0, 5).map(({ heading = "", units: part }) => ({
      title: lengthOf(heading) > 2 ? cut(heading, 100) : phrases[0],
      description: passage(article, "angles", part, 10, 10),
      relevanceScore: Math.round((100 * wordsIn(part)) / wordsIn(units)) / 100,
    })),
    questions: [
      ...asked.slice(0, 2).map(({ text }) => ({ question: text, type: "analytical" })),
      { question: `What explains the role of ${phrases[0]}?`, type: "analytical" },
      { question: `What makes ${phrases[1]} work in practice?`, type: "practical" },
      { question: `What would be lost without ${phrases[2]}?`, type: "philosophical" },
    ],
  };
}

function buildOutline({ article: { sections, title } }: Draft): object {
  const opening = sections.some((section) => section.heading === title) ? "" : title;
  return sections.map(({ heading = opening || "Part 1", units }) => {
    const [notes] = ranked(units);
    const keyPoints = pointsOf(units.length > 1 ? units.filter((unit) => unit !== notes) : units, 4);
    return { heading, notes: notes?.text, keyPoints, estimatedWords: wordsIn(units) };
  });
}

/** What stands in the file just so first, then whole sentences, then what says most. */
function ranked(units: readonly Unit[]): Unit[] {
  const weight = (unit: Unit) => unit.score + (unit.isRaw ? 1000 : 0) + (unit.kind === "sentence" ? 100 : 0);
  return units.toSorted((a, b) => weight(b) - weight(a));
}

/** The best few in the order of the article. */
function pointsOf(units: Unit[], few: number): string[] {
  const best = ranked(units.filter((unit) => unit.kind !== "heading")).slice(0, few);
  return units.filter((unit) => best.includes(unit)).map((unit) => unit.text);
}

/** Neighbouring units as one piece: of `part` if it has `aim` characters, else of the whole, at least `min`. */
function passage(article: Article, field: string, part: Unit[], min: number, aim: number): string {
  const [found] = [windowsOf(article, part, aim), windowsOf(article, article.units, min)].flatMap(ranked);
  if (found) return found.text;
  const has = `${lengthOf(article.plain)} of the ${min} characters that it needs`;
  throw cannotRehearse(`too short for ${field}: the source has ${has}.`);
}

/** From each unit on the shortest run that has `length` characters, as one unit. */
function windowsOf({ raw }: Article, units: Unit[], length: number): Unit[] {
  return units.flatMap((first, start) => {
    let { text, kind, score } = first;
    for (const next of units.slice(start + 1)) {
      if (lengthOf(text) >= length) break;
      text += ` ${next.text}`;
      if (next.kind !== "sentence") kind = "line";
      score = (score + next.score) / 2;
    }
    return lengthOf(text) < length ? [] : [{ text, kind, isRaw: raw.includes(text), score }];
  });
}

/** At most `max` UTF-16 units, ending at a word where one ends. */
export function cut(text: string, max: number, mark = ""): string {
  if (text.length <= max) return text;
  const end = text.lastIndexOf(" ", max - mark.length);
  return text.slice(0, end > max / 2 ? end : max - mark.length).replace(/[\uD800-\uDBFF]$/, "") + mark;
}

/** In code points, as JSON Schema counts. */
const lengthOf = (text: string): number => [...text].length;

function wordsIn(units: Unit[]): number {
  const text = units.map((unit) => unit.text).join(" ");
  const segments = [...new Intl.Segmenter("en", { granularity: "word" }).segment(text)];
  return segments.filter((segment) => segment.isWordLike).length;
}
