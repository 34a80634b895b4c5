// Finds quotes in their source despite typography, Markdown and cue times. Pure.
import { decodeNamedCharacterReference } from "decode-named-character-reference";
import { describeReceived, fieldName, type Problem } from "../../config/schema.ts";
import { isObject } from "../../core/json.ts";
import { REDACTED } from "../../core/redaction.ts";
import type { ContentItem } from "../item.ts";
import { type Facts, readFacts, unknownFacts } from "./checks.ts";
import { BREAK, CODE, inlinesIn, MARK, readMarkup, TEXT } from "./markup.ts";

/** A text as it is compared; `places`: where in the source each character of it stands. */
type Folded = { text: string; places: Uint32Array };

const TIME = String.raw`(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?`;
/** Lines of subtitles: a header, a number before times, times. */
const CUE = String.raw`(?:WEBVTT[^\n]*|(?:\d{1,9}[ \t]{0,20}\r?\n[ \t]{0,20}|(?<=\n\r?\n)\S{1,60}\r?\n)?${TIME}[ \t]{0,20}-->[^\n]*)`;
// In this order; what no rule takes is one character of its own. Markdown is read by its own parser before.
const RULES = new RegExp(
  [
    String.raw`(?<cue>(?<=^|\n)[ \t]{0,20}${CUE})`,
    String.raw`(?<time>[[(]${TIME}[\])]|<${TIME}>|(?<=^|\n)[ \t]*${TIME}(?=\s))`,
    // Marks of footnotes; what follows one or two letters may be a unit.
    String.raw`(?<note>(?=[[<¹²³⁰-⁹])(?:\[\^[^\]\s]{1,40}\]|<sup>\[\d{1,3}\]<\/sup>|(?<=\p{L}{3}|[.,;:!?"'”’)\]])\[\d{1,3}\](?!\()|(?<=\p{L}{3}|[.,;:!?"'”’)\]])(?:[¹²³⁰-⁹]{1,3}|<sup>\d{1,3}<\/sup>)))`,
    String.raw`(?<entity>&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});)`,
    String.raw`(?<unseen>[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u200c\u200d])`,
    // French sets its quotation marks apart; German turns them round.
    String.raw`(?<apart>(?<![^\s(])«[^\S\n]{1,3}|[^\S\n]{1,3}»(?![^\s.,;:!?)]))`,
    String.raw`(?<space>\s+)`,
    // A whole run of words at once: a book has millions of them.
    String.raw`(?<plain>[A-Za-z0-9,.;?"']+(?: [A-Za-z0-9,.;?"']+)*(?!\p{M}))`,
    String.raw`(?<letter>\P{M}\p{M}*|\p{M})`,
  ].join("|"),
  "gu",
);

/** How a text is read: as Markdown, as it stands, or as code, in which nothing has a meaning of its own. */
type Reading = "markdown" | "literal" | "code";

/** The form in which texts are compared, with the way back to where each part of it is. */
export function foldSource(source: string, reading: Reading = "markdown", front = 0): Folded {
  const plain = () => new Uint8Array(source.length).fill(reading === "code" ? CODE : TEXT);
  const kinds = reading === "markdown" ? readMarkup(source) : plain();
  kinds.fill(BREAK, 0, front);
  const parts: string[] = [];
  let places = new Uint32Array(source.length + 16);
  let length = 0;
  let last = " ";
  for (let at = 0; at < source.length; ) {
    const { folded, size, isRun } = pieceAt(source, at, kinds);
    const start = at;
    at += size;
    // `--` is a dash, as typewriters have it, and some set dashes apart.
    if (folded === "" || (folded === " " && last === "-")) continue;
    if ((folded === " " || folded === "-") && folded === last) continue;
    if (folded === "-" && parts.at(-1) === " ") {
      parts.pop();
      length -= 1;
    }
    last = folded;
    if (length + folded.length > places.length) {
      const longer = new Uint32Array(2 * (length + folded.length));
      longer.set(places);
      places = longer;
    }
    for (let index = 0; index < folded.length; index += 1) places[length++] = start + (isRun ? index : 0);
    parts.push(folded);
  }
  return { text: parts.join(""), places };
}

/** Within a line, no rule above `plain` begins with these, nor one above `space` and `letter` with what `EASY` has. */
const PLAIN = /[A-Za-z0-9,.;?"']+(?: [A-Za-z0-9,.;?"']+)*(?!\p{M})/uy;
const EASY = /[-):/%=@$|{}^#+*_`~!](?=[\x20-\x7e])| (?=[\x21-\x7e])/y;

/** The piece at a place, in the form to compare, and how long it is in the source. Most pieces need none of the rules. */
function pieceAt(
  source: string,
  at: number,
  kinds: Uint8Array,
): { folded: string; size: number; isRun: boolean } {
  const kind = kinds[at];
  if (kind === MARK || kind === BREAK) {
    let end = at + 1;
    while (end < source.length && kinds[end] === kind) end += 1;
    return { folded: kind === BREAK ? " " : "", size: end - at, isRun: false };
  }
  if (kind === CODE) return pieceOfCode(source, at);
  if (at > 0 && source[at - 1] !== "\n") {
    PLAIN.lastIndex = at;
    const run = PLAIN.exec(source)?.[0];
    if (run !== undefined) return runUpTo(run, at, kinds);
    EASY.lastIndex = at;
    if (EASY.test(source)) return { folded: source.charAt(at), size: 1, isRun: false };
  }
  RULES.lastIndex = at;
  const match = RULES.exec(source);
  const groups = match?.groups ?? {};
  if (groups.plain !== undefined) return runUpTo(groups.plain, at, kinds);
  const size = match?.[0].length || 1;
  // A rule never reads beyond a mark: its text would be another one.
  const mayCross = groups.cue !== undefined || groups.space !== undefined || groups.note !== undefined;
  const isCut = !mayCross && spans(kinds, at, at + size);
  return isCut
    ? { folded: foldLetter(source.charAt(at)), size: 1, isRun: false }
    : { folded: foldedOf(groups), size, isRun: false };
}

function spans(kinds: Uint8Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at += 1) if (kinds[at] !== kinds[from]) return true;
  return false;
}

/** The part of a run that has no marks or code. */
function runUpTo(run: string, at: number, kinds: Uint8Array) {
  let size = 1;
  while (size < run.length && kinds[at + size] === kinds[at]) size += 1;
  return { folded: run.slice(0, size), size, isRun: true };
}

const SPACES = /\s+/y;

/** Nothing in code is a mark, an entity or a time. */
function pieceOfCode(source: string, at: number) {
  SPACES.lastIndex = at;
  const space = SPACES.exec(source)?.[0];
  if (space !== undefined) return { folded: " ", size: space.length, isRun: false };
  const size = (source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return { folded: foldLetter(source.slice(at, at + size)), size, isRun: false };
}

/** What a piece of a text is compared by. */
function foldedOf({ letter, apart, entity, unseen, note }: Record<string, string>): string {
  if (letter !== undefined) return foldLetter(letter);
  if (apart !== undefined) return '"';
  if (entity !== undefined) return foldEntity(entity);
  return unseen === undefined && note === undefined ? " " : "";
}

function foldEntity(entity: string): string {
  const decoded = decodeEntity(entity.slice(1, -1));
  if (decoded === undefined) return entity;
  if (/^\s+$/.test(decoded)) return " ";
  return UNSEEN.test(decoded) ? "" : foldLetter(decoded);
}

const UNSEEN = /^[\u00ad\u200b-\u200f\u2060\ufeff]+$/;

function decodeEntity(name: string): string | undefined {
  if (!name.startsWith("#")) return decodeNamedCharacterReference(name) || undefined;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const TYPOGRAPHY: readonly [RegExp, string][] = [
  [/[\ufe0e\ufe0f]/gu, ""],
  [/[‘’‚‛′‹›ʼ´׳]/gu, "'"],
  [/[“”„‟″«»״]/gu, '"'],
  [/[‐‑‒–—―−]/gu, "-"],
  [/…/gu, "..."],
];

function foldLetter(letter: string): string {
  const typed = TYPOGRAPHY.reduce((text, [from, to]) => text.replace(from, to), letter.normalize("NFC"));
  // Ligatures and full-width letters are letters.
  return typed.normalize("NFKC");
}

/** The slice of the source that a quote is, and the line in which it begins; undefined where the source has no such words. */
export function findQuote(
  source: string,
  folded: Folded,
  quote: string,
): { text: string; line: number } | undefined {
  const there = wordingsOf(quote).find((text) => folded.text.includes(text));
  if (there === undefined) return undefined;
  const start = folded.text.indexOf(there);
  const first = folded.places[start] ?? 0;
  const last = folded.places[start + there.length - 1] ?? first;
  const end = endOfPiece(source, last);
  const [note = ""] = /^(?:\[\^?[^\]\s]{1,40}\]|[¹²³⁰-⁹]{1,3})/.exec(source.slice(end, end + 50)) ?? [];
  const isQuoted = note !== "" && quote.trimEnd().endsWith(note);
  const slice = widen(source, first, isQuoted ? end + note.length : end);
  return {
    text: joinLines(source, slice.start, slice.end),
    line: source.slice(0, slice.start).split("\n").length,
  };
}

/** A quote as it is compared: as it stands, as Markdown, and without the quotation marks and dots of the quoter. */
function wordingsOf(quote: string): string[] {
  const read = (["literal", "code", "markdown"] as const).map((reading) =>
    foldSource(quote, reading).text.trim(),
  );
  const all = read.flatMap((text) => [text, text.replace(/^(?:"|\.\.\.| ){1,4}|(?:"|\.\.\.| ){1,4}$/g, "")]);
  return [...new Set(all)].filter((text) => text !== "");
}

/** The end of the letter, entity or mark at a place. */
function endOfPiece(source: string, at: number): number {
  RULES.lastIndex = at;
  const match = RULES.exec(source);
  return at + (match?.index === at && match.groups?.plain === undefined ? match[0].length : 1);
}

/** Until no emphasis, code or link is cut: all of one whose words are all quoted, or one of whose marks is. */
function widen(source: string, start: number, end: number): { start: number; end: number } {
  let slice = { start, end };
  for (const inline of inlinesIn(source, start, end).reverse()) {
    const hasWords = slice.start <= inline.inner && slice.end >= inline.innerEnd;
    const hasMark =
      (slice.start < inline.inner && slice.end > inline.start) ||
      (slice.start < inline.end && slice.end > inline.innerEnd);
    if (!hasWords && !hasMark) continue;
    slice = { start: Math.min(slice.start, inline.start), end: Math.max(slice.end, inline.end) };
  }
  return slice.start === start && slice.end === end ? slice : widen(source, slice.start, slice.end);
}

const BEFORE_LINE = new RegExp(
  String.raw`^[ \t]*(?:(?:[[(]${TIME}[\])]|<${TIME}>|${TIME}(?=\s|$)|<v[ .][^>]*>)[ \t]*)*`,
);

const CUES = new RegExp(`(?<=\\n)[ \\t]{0,20}${CUE}`, "g");

/** The lines of a slice, joined by a space, without cue lines, the times before lines, and the marks of block quotes. */
function joinLines(source: string, start: number, end: number): string {
  const slice = source.slice(start, end);
  const cues = [...slice.matchAll(CUES)].map(({ 0: cue, index }) => [index, index + cue.length] as const);
  let kinds: Uint8Array | undefined;
  let at = 0;
  const lines = slice.split("\n").map((line, number) => {
    const from = at;
    at += line.length + 1;
    if (number === 0) return line;
    if (cues.some(([first, last]) => from >= first && from < last)) return "";
    const prefix = /^[ \t]*(?:>[ \t]?)+/.exec(line)?.[0] ?? "";
    // Only the parser knows whether `>` begins a quote or is code.
    if (prefix !== "") kinds ??= readMarkup(source);
    const isQuoted = kinds?.[start + from + prefix.indexOf(">")] === MARK;
    return line.slice(isQuoted ? prefix.length : 0).replace(BEFORE_LINE, "");
  });
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** The passage with as many words as the quote that shares the most of them; undefined where it shares hardly any. */
export function nearestPassage({ text }: Folded, quote: string): string | undefined {
  const words = text.split(" ");
  const known = new Map<string, string>();
  const keyOf = (word: string) => {
    const key = known.get(word) ?? word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
    known.set(word, key);
    return key;
  };
  const quoted = foldSource(quote).text.trim().split(" ").map(keyOf);
  const wanted = new Set(quoted.filter((word) => word !== ""));
  const size = quoted.length;
  let shared = 0;
  let best = { shared: 0, end: 0 };
  for (const [index, word] of words.entries()) {
    if (wanted.has(keyOf(word))) shared += 1;
    if (index >= size && wanted.has(keyOf(words[index - size] ?? ""))) shared -= 1;
    if (shared >= best.shared) best = { shared, end: index + 1 };
  }
  if (wanted.size === 0 || best.shared * 2 < wanted.size) return undefined;
  return words
    .slice(Math.max(0, best.end - size), best.end)
    .join(" ")
    .slice(0, 500)
    .toWellFormed();
}

/** The times of a text in seconds, whether `05:10` or `00:05:10`. */
function timesOf(text: string): Set<number> {
  return new Set(
    [...text.matchAll(/(?<![\d:])(?:\d{1,2}:)?\d{1,3}:\d{2}(?![\d:])/g)].map(([time]) => secondsOf(time)),
  );
}

/** `MM:SS` or `HH:MM:SS` in seconds. */
function secondsOf(time: string): number {
  return time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

// One quote of a summary, held against its item.

/** `quote`: what may be stored of it; undefined where its words are not in the item. */
type SettledQuote = { quote?: unknown; problem?: Problem };

type SourceIndex = { folded: Folded; times: ReadonlySet<number>; facts: Facts };

/** What is known of an item once: to fold a whole book takes seconds, and every quote of every try asks for it. */
const indexes = new WeakMap<ContentItem, SourceIndex>();

export function indexOf(item: ContentItem): SourceIndex {
  const { text } = item;
  const index = indexes.get(item) ?? {
    folded: foldSource(text, "markdown", frontMatterOf(item)),
    times: timesOf(text),
    facts: readFacts(text),
  };
  indexes.set(item, index);
  return index;
}

/** How many characters at the beginning are front matter. */
function frontMatterOf({ text, body }: ContentItem): number {
  return Math.max(0, text.indexOf(body));
}

const LEAST_WORDS = 3;
const LEAST_LETTERS = 6;
/** Scripts that set no spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}]/gu;

/** A word or two are in any text, so they are no quote of it. */
function isLongEnough(quote: string): boolean {
  const words = quote.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.length >= LEAST_WORDS || (quote.match(UNSPACED) ?? []).length >= LEAST_LETTERS;
}

/** Judges quotes of an item, which is read once. A quote has its words and line from the item. */
export function settleQuote(item: ContentItem): (quote: unknown, path: PropertyKey[]) => SettledQuote {
  const { folded, times, facts } = indexOf(item);
  return (quote, path) => {
    if (!isObject(quote) || typeof quote.text !== "string") return { quote };
    const { text, timestamp } = quote;
    const found = isLongEnough(text) ? find(text) : undefined;
    if (!found) {
      const least = isLongEnough(text)
        ? ""
        : ", at least three of them (or six characters of a script without spaces)";
      const near = nearestPassage(folded, text);
      const passage = near === undefined ? "" : `; the nearest passage is ${JSON.stringify(near)}`;
      const expected = `words copied exactly from ${item.source}${least}${passage}; or leave the quote out`;
      return { problem: { field: fieldName([...path, "text"]), expected, received: describeReceived(text) } };
    }
    const { line: _, timestamp: __, ...rest } = quote;
    const settled: Record<string, unknown> = { ...rest, ...found };
    const { speaker } = quote;
    if (typeof speaker === "string" && !isNamed(speaker)) {
      const expected = `somebody who is named in ${item.source}`;
      const received = describeReceived(speaker);
      const { speaker: _, ...nameless } = settled;
      return { quote: nameless, problem: { field: fieldName([...path, "speaker"]), expected, received } };
    }
    const stranger = unknownFacts(quote.context, [facts]).names[0];
    if (stranger !== undefined) {
      const expected = `names of ${item.source} only`;
      const received = describeReceived(stranger);
      const { context: _, ...bare } = settled;
      return { quote: bare, problem: { field: fieldName([...path, "context"]), expected, received } };
    }
    if (typeof timestamp !== "string" || times.has(secondsOf(timestamp))) {
      return { quote: timestamp === undefined ? settled : { ...settled, timestamp } };
    }
    const expected = `a time from ${item.source}, or no timestamp`;
    const received = describeReceived(timestamp);
    return { quote: settled, problem: { field: fieldName([...path, "timestamp"]), expected, received } };
  };

  function isNamed(speaker: string): boolean {
    const words =
      foldSource(speaker)
        .text.toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [];
    return words.length > 0 && words.every((word) => facts.words.has(word));
  }

  /** If a secret was removed from the text that the model read, the rest of the quote must be in the source. */
  function find(text: string): { text: string; line?: number } | undefined {
    if (!text.includes(REDACTED)) return findQuote(item.text, folded, text);
    const parts = text.split(REDACTED).filter((part) => foldSource(part).text.trim() !== "");
    const isThere = parts.length > 0 && parts.every((part) => findQuote(item.text, folded, part));
    return isThere ? { text } : undefined;
  }
}

/** What may be stored of an artifact, and what is wrong with its quotes. */
type SettledArtifact = { value: unknown; problems: Problem[] };

/** A summary with the quotes that the item has, in the item's own words. */
export function settleSummary(value: unknown, item: ContentItem): SettledArtifact {
  if (!isObject(value) || !Array.isArray(value.importantQuotes)) return { value, problems: [] };
  const settle = settleQuote(item);
  const settled = value.importantQuotes.map((quote: unknown, at) => settle(quote, ["importantQuotes", at]));
  const importantQuotes = settled.flatMap(({ quote }) => (quote === undefined ? [] : [quote]));
  return { value: { ...value, importantQuotes }, problems: settled.flatMap(({ problem }) => problem ?? []) };
}

/**
 * As `settleSummary` for an artifact of any shape: whatever is called a quote is one. An entry of a list that is not in
 * the item is left out; no field is added.
 */
export function settleAll(value: unknown, item: ContentItem): SettledArtifact {
  const settle = settleQuote(item);
  const problems: Problem[] = [];
  const visit = (one: unknown, path: PropertyKey[], isQuote: boolean): unknown => {
    if (Array.isArray(one)) {
      const kept = one.map((entry, at) => visit(entry, [...path, at], isQuote));
      return kept.filter((entry) => entry !== undefined);
    }
    if (isQuote && typeof one === "string") return readQuote({ text: one }, path)?.text;
    if (!isObject(one)) return one;
    if (isQuote && typeof one.text === "string") {
      const found = readQuote(one, path);
      return found && { ...one, text: found.text };
    }
    const entries = Object.entries(one).map(([key, inner]): [string, unknown] => {
      return [key, visit(inner, [...path, key], /quotes?$/i.test(key))];
    });
    return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
  };
  const readQuote = (quote: Record<string, unknown>, path: PropertyKey[]) => {
    const { quote: found, problem } = settle(quote, path);
    if (problem) problems.push(problem);
    return isObject(found) ? found : undefined;
  };
  return { value: visit(value, [], false), problems };
}
