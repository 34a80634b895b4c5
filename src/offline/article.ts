// Extracts quotable and countable facts from an article. Pure.
import type nlp from "compromise/two";
import { decodeNamedCharacterReference } from "decode-named-character-reference";
import { LoopliaError } from "../core/errors.ts";
import { readCues, whyNotEnglish } from "./source.ts";

/** `isRaw`: the file contains the text literally, without markup. `score`: its density of key phrases. */
type Unit = { text: string; kind: "sentence" | "heading" | "line"; isRaw: boolean; score: number };
type Section = { heading?: string; units: Unit[] };
/** `raw`: the file; `plain`: its text without markup (the units, joined by spaces); white space collapsed. */
export type Article = {
  file: string;
  raw: string;
  plain: string;
  units: Unit[];
  sections: readonly Section[];
  title: string;
} & {
  category: string | undefined;
  /** Most informative first, without duplicates, at least three. */
  phrases: string[];
  voices: { text: string; context?: string; timestamp?: string }[];
  /** True if the text has speakers and times. */
  isTranscript: boolean;
};

/** An expected refusal; `reason` completes "Cannot rehearse: ". */
export function cannotRehearse(reason: string): LoopliaError {
  return new LoopliaError("invalid-artifact", reason);
}

/** `readArticle` with a cache for the last file, because a step reads it in each turn. */
export function createArticleReader(): (file: string) => Promise<Article> {
  let last: { file: string; article: Promise<Article> } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, article: readArticle(file) };
    return last.article;
  };
}

/** A content item without front matter and markup. Fails with `invalid-artifact` for what is certainly not English. */
export async function readText(file: string) {
  const [front = ""] = /^\uFEFF?(---[ \t]*\r?\n([\s\S]*?\n)??---[ \t]*(\r?\n|$))?/.exec(file) ?? [];
  const cues = readCues(file.slice(front.length));
  const blocks =
    cues.length > 0
      ? cues.map(({ text }) => ({ text, isHeading: false }))
      : await readBlocks(file.slice(front.length));
  if (blocks.some(({ text }) => TOO_LONG.test(text))) throw cannotRehearse("a paragraph of it is too long.");
  const plain = blocks.map((block) => block.text).join(" ");
  const reason = await whyNotEnglish(plain);
  if (reason !== undefined) throw cannotRehearse(reason);
  return { front, cues, blocks, plain };
}

/** Reads a content item. Fails with `invalid-artifact` when a rehearsal can't use any of it. */
async function readArticle(file: string): Promise<Article> {
  const { default: nlp } = await import("compromise/two");
  const { front, cues, blocks, plain } = await readText(file);
  const [isTranscript, raw] = [cues.length > 0, collapse(file)];
  const phrases = findPhrases(nlp(blocks.map((block) => block.text).join("\n\n")), raw, plain);
  const units = blocks.flatMap(({ text, isHeading }) => {
    const sentences: string[] = isHeading ? [] : nlp.tokenize(text).out("array");
    // If the sentences do not reproduce the block exactly, the block stays in one piece.
    return (sentences.join(" ") === text ? joinQuoted(sentences) : [text]).map((piece): Unit => {
      const kind = isHeading ? "heading" : SENTENCE.test(piece) ? "sentence" : "line";
      const named = phrases.slice(0, 20).filter((phrase) => piece.includes(phrase)).length;
      return { text: piece, kind, isRaw: raw.includes(piece), score: named / (200 + piece.length) };
    });
  });
  if (!units.some((unit) => unit.kind === "sentence")) throw cannotRehearse("the source has no sentence.");
  if (phrases.length < 3) throw cannotRehearse(`too short for keyThemes: ${phrases.length} of 3 nouns.`);
  const sections: Section[] = [{ units: [] }];
  for (const unit of units) {
    if (unit.kind === "heading") sections.push({ heading: unit.text, units: [] });
    else sections.at(-1)?.units.push(unit);
  }
  const told = (name: string) => new RegExp(`^${name}: *(["']?)(\\p{L}.*?)\\1\\s*$`, "mu").exec(front)?.[2];
  return {
    ...{
      file: file.slice(front.length),
      raw,
      plain,
      units,
      phrases,
      sections: splitWhole(sections.filter((section) => section.units.length > 0)),
    },
    title: collapse(told("title") ?? units.find((unit) => unit.kind === "heading")?.text ?? ""),
    category: told("category"),
    voices: isTranscript ? voicesOf(cues, raw) : blocks.flatMap((block) => findVoices(block.text, raw)),
    isTranscript,
  };
}

/** Sentences of one quotation stay together: half of it would begin or end with a stray mark. */
function joinQuoted(sentences: readonly string[]): string[] {
  const whole: string[] = [];
  let isOpen = false;
  for (const sentence of sentences) {
    const joined: string = isOpen ? `${whole.pop()} ${sentence}` : sentence;
    whole.push(joined);
    const [left = 0, right = 0] = [/[“«]/g, /[”»]/g].map((mark) => joined.match(mark)?.length);
    isOpen = joined.length < 600 && (left > right || (joined.match(/"/g)?.length ?? 0) % 2 === 1);
  }
  return whole;
}

/** What speakers say in a separate sentence, with its time. */
function voicesOf(cues: readonly ReturnType<typeof readCues>[number][], raw: string): Article["voices"] {
  return cues.flatMap(({ text, time, speaker }) => {
    const [said = ""] = /[^.!?]{40,300}[.!?]/u.exec(text) ?? [];
    const isWhole = said !== "" && raw.includes(said.trim());
    return isWhole ? [{ text: said.trim(), timestamp: time, ...(speaker ? { context: speaker } : {}) }] : [];
  });
}

const TOO_LONG = /[^.!?]{5000}|.{40000}/;
const SENTENCE = /^(?=.*\p{L})(\S+ ){3}.*[.!?…]["”’»)\]]*$/u;

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Headings, paragraphs and list items without markup; code, tables and HTML are left out. */
async function readBlocks(markdown: string): Promise<{ text: string; isHeading: boolean }[]> {
  const { lexer, walkTokens } = await import("marked");
  const blocks: { text: string; isHeading: boolean }[] = [];
  walkTokens(lexer(withoutContents(markdown)), (token) => {
    if (!/^(heading|paragraph|text)$/.test(token.type) || !("tokens" in token) || !token.tokens) return;
    let text = "";
    let code = 0;
    walkTokens(token.tokens, (leaf) => {
      if (leaf.type === "br") text += " ";
      else if (/^(text|escape)$/.test(leaf.type) && "text" in leaf) text += decodeEntities(String(leaf.text));
      else if (leaf.type === "codespan" && "text" in leaf) text += leaf.text;
      if (leaf.type === "codespan" && "text" in leaf) code += String(leaf.text).length;
    });
    const isHeading = token.type === "heading" && !VERSION.test(text.trim());
    if (code * 2 > text.length) return;
    if (/[\p{L}\p{N}]/u.test(text)) blocks.push({ text: collapse(text), isHeading });
  });
  return blocks;
}

function decodeEntities(text: string): string {
  return text.replace(/&([a-zA-Z][a-zA-Z\d]{1,31});/g, (entity, name: string) =>
    /^(?:lt|gt)$/.test(name) ? entity : decodeNamedCharacterReference(name) || entity,
  );
}

/** A heading that is a version, with or without its date. */
const VERSION = /^\[?v?\d+(?:\.\d+)+\S*(?:[\s(–-]+[\d-]+\)?)?$/i;

/** Removes a table of contents, which only repeats the headings. */
function withoutContents(markdown: string): string {
  return markdown.replace(
    /^#{1,6}[ \t]+(?:table of )?contents[ \t]*#*[ \t]*\r?\n[\s\S]*?(?=^#{1,6}[ \t]|^---[ \t]*$|(?![\s\S]))/gim,
    "",
  );
}

const VAGUE =
  /\b(?:nobody|somebody|everybody|anybody|anything|something|nothing|everything|one|ones|other|others|part|parts|thing|things|way|ways|lot|kind|sort|bit|side|case|time|times|year|years|day|days|people|welcome|thanks)$/;
const NOUN = "(#Noun && !#Pronoun && !#Date && !#Unit && !#Possessive && !#Url)";

/** Names, nouns and pairs by frequency; phrases that share a word with a better one come last. */
function findPhrases(tagged: ReturnType<typeof nlp>, raw: string, plain: string): string[] {
  const patterns = ["#ProperNoun #ProperNoun+", `(#Adjective|#Noun) ${NOUN}`, NOUN];
  const hits = patterns.flatMap((one): { normal: string; count: number }[] => tagged.match(one).out("topk"));
  const candidates = hits
    .filter(({ normal }) => /^\p{L}[\p{L}'’ -]{1,60}\p{L}$/u.test(normal) && !VAGUE.test(normal))
    .map(({ normal, count }) => {
      const keys = normal.split(" ").map((word) => word.replace(/(?<=\w{3})s$/, ""));
      return { normal, keys, weight: count * (count > 1 ? keys.length ** 2 : 1) };
    })
    .sort((a, b) => b.weight - a.weight);
  const ranked: { text: string; keys: string[] }[] = [];
  // Each look-up is slow, so only the best candidates are looked up.
  for (const { normal, keys } of candidates) {
    if (ranked.length === 200) break;
    const [text] = new RegExp(`(?<!\\p{L})${normal}(?!\\p{L})`, "iu").exec(plain) ?? [];
    if (text !== undefined && raw.includes(text)) ranked.push({ text, keys });
  }
  const isFresh = ({ keys }: { keys: string[] }, at: number) =>
    !ranked.slice(0, at).some((better) => better.keys.some((key) => keys.includes(key)));
  return [...new Set([...ranked.filter(isFresh), ...ranked].map((phrase) => phrase.text))];
}

const QUOTED = /(?<=^|[\s(—–])["“«](?=\S)([^"“”«»]{12,400})(?<=\S)["”»](?=$|[\s.,;:!?)—–])/gu;
const SPEECH = /\b(says?|said|adds?|added|asks?|asked|recall(s|ed)|writes?|wrote|explain(s|ed)|told)\b/i;

/** Literal text between quotation marks, with adjacent text that names the speaker. */
function findVoices(block: string, raw: string): Article["voices"] {
  return [...block.matchAll(QUOTED)].flatMap(({ 0: whole, 1: words = "", index: at }) => {
    const text = words.replace(/[,;]$/, "");
    if (text.split(" ").length < 4 || !raw.includes(text)) return [];
    const after = /^[\s,;:—–]*([^.!?"“”«»]*)/u.exec(block.slice(at + whole.length).slice(0, 400))?.[1];
    const before = /([^.!?"“”«»]*?)[\s,;:—–]*$/u.exec(block.slice(Math.max(0, at - 400), at))?.[1];
    const context = [after, before].find((piece) => piece && SPEECH.test(piece))?.trim();
    return [context && raw.includes(context) ? { text, context } : { text }];
  });
}

// Builds the four artifacts by extraction: each text is a verbatim piece, a counted fact, or one in a fixed
// frame.

/** `firstHook`: index of the hook that comes first. `ideas`: the ideas that an outline may choose from. */
export type Draft = {
  article: Article;
  items: readonly ReadItem[];
  contentId: string;
  firstHook: number;
  ideas?: Ideas | undefined;
};
/** An item that another one is made from; `text` is the whole file. */
type ReadItem = { path: string; text: string; article: Article };
type Ideas = { angles?: { title?: string; relevanceScore?: number }[]; hooks?: { text?: string }[] };

/**
 * By artifact file. Each fails with `invalid-artifact` when the article has too little text for the schema.
 */
export const BUILDERS: ReadonlyMap<string, (draft: Draft) => object> = new Map([
  ["summary.json", buildSummary],
  ["ideas.json", buildIdeas],
  ["outline.json", buildOutline],
  // The program assembles the kit from the earlier artifacts.
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
  const tldr = cutWords(passage(article, "tldr", units, { min: 20, aim: 60 }), 500);
  const [good = 0, bad = 0] = [GOOD, BAD].map((cues) => plain.match(cues)?.length);
  const sentences = units.filter((unit) => unit.kind === "sentence").length;
  const shape = `sections: ${sections.length}, sentences: ${sentences}, words: ${wordsIn(units)}`;
  const coreIdeas = phrases.slice(0, 5).map((concept) => {
    const about = units.filter((unit) => unit.text.includes(concept));
    return { concept, explanation: passage(article, "coreIdeas", about, { min: 10 }) };
  });
  return {
    contentId,
    headline: cutWords(lengthOf(title) >= 10 ? title : tldr, 200),
    tldr,
    bullets: pointsOf(units, 5),
    tags: phrases.slice(0, 8),
    sentiment: good > bad ? "positive" : good < bad ? "negative" : "neutral",
    category: article.category ?? phrases[0],
    score: { relevanceToUser: 0.5 },
    overview: passage(article, "overview", opening, { min: 50, aim: 160 }),
    keyThemes: phrases.slice(0, 6),
    detailedAnalysis: passage(article, "detailedAnalysis", units, { min: 100, aim: 400 }),
    narrativeFlow: `Counted here: ${shape}, quoted voices: ${voices.length}`,
    coreIdeas,
    importantQuotes: voices.slice(0, 8),
    context: passage(article, "context", closing, { min: 20, aim: 60 }),
    relatedConcepts: phrases.slice(6, 14),
    ...(article.isTranscript ? { detectedSource: "transcript" } : {}),
  };
}

/** Version numbers are not quantities. */
const VERSIONS = /\bv?\d+(?:\.\d+){2,}\S*|\bv\d+(?:\.\d+)*\b|\bversion \d[\d.]*/gi;

/** At most one hook of each type, recognized by a cue in its text. */
export function findHooks({ units }: Article): { text: string; type: string }[] {
  const lines = ranked(units).map((unit) => cutWords(unit.text, 200));
  const unused = new Set(lines.filter((text) => lengthOf(text) >= 10));
  const hooks = HOOKS.flatMap(([type, cue]) => {
    const text = [...unused].find((line) =>
      cue.test(type === "statistic" ? line.replace(VERSIONS, "") : line),
    );
    return text !== undefined && unused.delete(text) ? [{ text, type }] : [];
  });
  if (hooks.length > 0) return hooks;
  throw cannotRehearse("no hooks: the source has no number, voice, question, contrast or feeling word.");
}

function buildIdeas({ article, contentId, firstHook }: Draft): object {
  const { units, phrases, sections } = article;
  const found = findHooks(article);
  const hooks = [...found.splice(firstHook, 1), ...found];
  const asked = ranked(units).filter(({ text }) => text.endsWith("?") && lengthOf(text) >= 10);
  return {
    contentId,
    hooks,
    angles: sections.slice(0, 5).map(({ heading = "", units: part }) => {
      const claim = claimOf(
        part.filter(({ text }) => text !== hooks[0]?.text),
        100,
      );
      const rest = part.filter((unit) => unit !== claim);
      return {
        title:
          claim?.text.replace(/\.$/, "") ?? (lengthOf(heading) > 2 ? cutWords(heading, 100) : phrases[0]),
        description: passage(article, "angles", rest.length > 0 ? rest : part, { min: 10 }),
        relevanceScore: Math.round((100 * wordsIn(part)) / wordsIn(units)) / 100,
      };
    }),
    questions: [
      ...asked.slice(0, 2).map(({ text }) => ({ question: text, type: "analytical" })),
      { question: `Why does “${phrases[0]}” matter here?`, type: "analytical" },
      { question: `What can a reader do with “${phrases[1]}”?`, type: "practical" },
      {
        question: `Where else does “${phrases[2]}” matter?`,
        type: "comparative",
      },
    ],
  };
}

/** The best statement of at most `most` characters that stands by itself. */
function claimOf(units: readonly Unit[], most: number): Unit | undefined {
  const claims = ranked(units).filter(
    ({ kind, text }) =>
      kind === "sentence" && /[^?]$/.test(text) && lengthOf(text) <= most && !LEANS.test(text),
  );
  return claims.find(({ text }) => !/["“”«»]/.test(text)) ?? claims[0];
}

/** Begins with a word that needs the sentence before, or says too little. */
const LEANS =
  /^["“'(]?(?:and|but|so|or|yet|then|that|this|these|those|it|he|she|they|his|her|its|their|such|both|instead|however|also|still|thus|hence|therefore|otherwise|with me|welcome)\b|^(?:\S+\s+){0,4}\S+$/i;

function buildOutline({ article: { sections, title }, ideas }: Draft): object {
  const weight = (angle: { relevanceScore?: number }) => angle.relevanceScore ?? 0;
  const angle = ideas?.angles?.toSorted((a, b) => weight(b) - weight(a))[0]?.title;
  const hook = ideas?.hooks?.[0]?.text;
  const chosen = { ...(angle === undefined ? {} : { angle }), ...(hook === undefined ? {} : { hook }) };
  const opening = sections.some((section) => section.heading === title) ? "" : title;
  return joinSmall(sections).map(({ heading = opening || "Part 1", units }, at) => {
    const told = units.filter(({ text }) => !text.startsWith(heading) && !text.endsWith("?"));
    const [notes] = ranked(told.length > 0 ? told : units);
    const keyPoints = pointsOf(units.length > 1 ? units.filter((unit) => unit !== notes) : units, 4);
    const section = { heading, notes: notes?.text, keyPoints, estimatedWords: wordsIn(units) };
    return at === 0 ? { ...section, ...chosen } : section;
  });
}

/** Maximum number of sections in an outline. */
const MOST_SECTIONS = 9;

/** Words of a part of a text that has no headings. */
const PART_WORDS = 180;
/** A text without headings in a few parts of about the same length; each is called by a statement of its own. */
function splitWhole(all: readonly Section[]): readonly Section[] {
  const [only] = all;
  if (all.length !== 1 || !only) return all;
  const { units } = only;
  const most = Math.min(6, Math.floor(units.length / 3));
  const count = Math.min(most, Math.max(units.length < 8 ? 1 : 2, Math.round(wordsIn(units) / PART_WORDS)));
  if (count < 2) return all;
  const size = Math.ceil(units.length / count);
  return Array.from({ length: count }, (_, at) => {
    const part = units.slice(at * size, (at + 1) * size);
    const heading =
      (at === 0 ? only.heading : undefined) ?? claimOf(part, 80)?.text.replace(/[.!]["”]?$/, "");
    return heading === undefined ? { units: part } : { heading, units: part };
  }).filter(({ units: part }) => part.length > 0);
}

/** Joins the shortest neighbours until there are few enough sections. */
function joinSmall(all: readonly Section[]): Section[] {
  const sections = [...all];
  while (sections.length > MOST_SECTIONS) {
    const sizes = sections
      .slice(1)
      .map(({ units }, at) => wordsIn(units) + wordsIn(sections[at]?.units ?? []));
    const at = sizes.indexOf(Math.min(...sizes));
    const [one, other] = sections.slice(at, at + 2);
    if (one && other) sections.splice(at, 2, { ...one, units: [...one.units, ...other.units] });
  }
  return sections;
}

/** Whole sentences first, those that stand by themselves before others, then literal text, then the highest score. */
export function ranked(units: readonly Unit[]): Unit[] {
  const weight = ({ score, kind, isRaw, text }: Unit) =>
    score + (kind === "sentence" ? 100 : 0) + (LEANS.test(text) ? 0 : 20) + (isRaw ? 10 : 0);
  return units.toSorted((a, b) => weight(b) - weight(a));
}

/** The best few points in the order of the article. */
function pointsOf(units: Unit[], few: number): string[] {
  const sentences = units.filter((unit) => unit.kind === "sentence");
  // Lines without an end are bylines, labels and the like.
  const best = ranked(sentences.length > 1 ? sentences : units).slice(0, few);
  return units.filter((unit) => best.includes(unit)).map((unit) => unit.text);
}

/**
 * Neighbouring units as one piece: from `part` if it has `aim` characters, else from the whole, at least
 * `min`.
 */
function passage(
  article: Article,
  field: string,
  part: Unit[],
  { min, aim = min }: { min: number; aim?: number },
): string {
  const [found] = [windowsOf(article, part, aim), windowsOf(article, article.units, min)].flatMap(ranked);
  if (found) return found.text;
  const has = `${lengthOf(article.plain)} of the ${min} characters that it needs`;
  throw cannotRehearse(`too short for ${field}: the source has ${has}.`);
}

/** For each unit the shortest run from it with `length` characters, as one unit. */
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

/** At most `max` UTF-16 units, cut at the end of a word if possible. */
export function cutWords(text: string, max: number, mark = ""): string {
  if (text.length <= max) return text;
  const end = text.lastIndexOf(" ", max - mark.length);
  return text.slice(0, end > max / 2 ? end : max - mark.length).replace(/[\uD800-\uDBFF]$/, "") + mark;
}

/** In code points, as JSON Schema counts. */
const lengthOf = (text: string) => [...text].length;

function wordsIn(units: Unit[]): number {
  const text = units.map((unit) => unit.text).join(" ");
  const segments = [...new Intl.Segmenter("en", { granularity: "word" }).segment(text)];
  return segments.filter((segment) => segment.isWordLike).length;
}
