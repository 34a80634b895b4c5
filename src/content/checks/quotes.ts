// Finds quotes in their source despite typography, Markdown and cue times. Pure.
import { decodeNamedCharacterReference } from "decode-named-character-reference";
import { describeReceived, fieldName, type Problem } from "../../config/schema.ts";
import { isObject } from "../../core/json.ts";
import { REDACTED } from "../../core/redaction.ts";
import type { ContentItem } from "../item.ts";
import { type Facts, readFacts, unknownFacts } from "./checks.ts";

/** A text as it is compared; `places`: where in the source each character of it stands. */
type Folded = { text: string; places: Uint32Array };

const TIME = String.raw`(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?`;
// In this order; what no rule takes is one character of its own.
const RULES = new RegExp(
  [
    // Lines of subtitles: a header, a number before times, times.
    String.raw`(?<cue>(?<=^|\n)[ \t]{0,20}(?:WEBVTT[^\n]*|(?:\d{1,9}[ \t]{0,20}\r?\n[ \t]{0,20}|(?<=\n\r?\n)\S{1,60}\r?\n)?${TIME}[ \t]{0,20}-->[^\n]*))`,
    String.raw`(?<time>[[(]${TIME}[\])]|<${TIME}>|(?<=^|\n)[ \t]*${TIME}(?=\s))`,
    String.raw`(?<mark>(?<=^|\n)[ \t]*(?:>[ \t]?)+|(?<=^|\n)[ \t]*(?:#{1,6}|[-*+])[ \t]+)`,
    // Marks of footnotes; what follows one or two letters may be a unit.
    String.raw`(?<note>(?=[[<¹²³⁰-⁹])(?:\[\^[^\]\s]{1,40}\]|<sup>\[\d{1,3}\]<\/sup>|(?<=[\p{L}.,;:!?"'”’)\]])\[\d{1,3}\](?!\()|(?<=\p{L}{3}|[.,;:!?"'”’)\]])(?:[¹²³⁰-⁹]{1,3}|<sup>\d{1,3}<\/sup>)))`,
    String.raw`(?<tag><\/?(?!br\b|p\b|div\b|li\b|td\b)[a-zA-Z!][^<>\n]{0,300}>|<!--[^]{0,300}?-->)`,
    String.raw`(?<block><\/?[a-z][^<>\n]{0,300}>)`,
    String.raw`(?<link>\]\((?:[^()\n]|\([^()\n]{0,500}\)){0,2000}\)|\]\[[^\][\n]{0,200}\])`,
    String.raw`(?<entity>&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});)`,
    String.raw`(?<unseen>[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[*${"`"}~[\]\\]|!(?=\[)|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}]))`,
    // French sets its quotation marks apart; German turns them round.
    String.raw`(?<apart>(?<![^\s(])«[^\S\n]{1,3}|[^\S\n]{1,3}»(?![^\s.,;:!?)]))`,
    String.raw`(?<space>\s+)`,
    String.raw`(?<joiner>[\u200c\u200d])`,
    // A whole run of words at once: a book has millions of them.
    String.raw`(?<plain>[A-Za-z0-9,.;?"']+(?: [A-Za-z0-9,.;?"']+)*(?!\p{M}))`,
    String.raw`(?<letter>\P{M}\p{M}*|\p{M})`,
  ].join("|"),
  "gu",
);

/** What a piece of a text is compared by, and what is shown for it; undefined for white space. */
type Piece = { folded: string; shown: string } | undefined;

/** The form in which texts are compared, with the way back to where each part of it stands. */
export function foldSource(source: string): Folded {
  const parts: string[] = [];
  let places = new Uint32Array(source.length + 16);
  let length = 0;
  let last = " ";
  for (let at = 0; at < source.length; ) {
    const { folded, size, isRun } = pieceAt(source, at);
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
const EASY = /[-):/%=@$|{}^#+](?=[\x20-\x7e])| (?=[\x21-\x7e])/y;

/** The piece at a place, in the form to compare, and how long it is in the source. Most pieces need none of the rules. */
function pieceAt(source: string, at: number): { folded: string; size: number; isRun: boolean } {
  if (at > 0 && source[at - 1] !== "\n") {
    PLAIN.lastIndex = at;
    const run = PLAIN.exec(source)?.[0];
    if (run !== undefined) return { folded: run, size: run.length, isRun: true };
    EASY.lastIndex = at;
    if (EASY.test(source)) return { folded: source.charAt(at), size: 1, isRun: false };
  }
  RULES.lastIndex = at;
  const match = RULES.exec(source);
  const folded = pieceOf(match?.groups ?? {})?.folded ?? " ";
  return { folded, size: match?.[0].length || 1, isRun: match?.groups?.plain !== undefined };
}

function pieceOf(groups: Record<string, string>): Piece {
  const { plain, letter, apart, entity, joiner, unseen, note, tag, link } = groups;
  if (plain !== undefined) return { folded: plain, shown: plain };
  if (letter !== undefined) return { folded: foldLetter(letter), shown: letter };
  if (apart !== undefined) return { folded: '"', shown: apart };
  if (joiner !== undefined) return { folded: "", shown: joiner };
  if (entity !== undefined) return pieceOfEntity(entity);
  return [unseen, note, tag, link].some((one) => one !== undefined) ? { folded: "", shown: "" } : undefined;
}

function pieceOfEntity(entity: string): Piece {
  const decoded = decodeEntity(entity.slice(1, -1));
  if (decoded === undefined) return { folded: entity, shown: entity };
  if (/^\s+$/.test(decoded)) return undefined;
  if (UNSEEN.test(decoded)) return { folded: "", shown: "" };
  // What would be markup stays as the source has it.
  return { folded: foldLetter(decoded), shown: /[<>*_[\]`~\\]/.test(decoded) ? entity : decoded };
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

/** The quote in the source's own characters and the line it begins in; undefined where the source has no such words. */
export function findQuote(
  source: string,
  folded: Folded,
  quote: string,
): { text: string; line: number } | undefined {
  const wanted = foldSource(quote).text.trim();
  // Quotation marks and dots around it may be the quoter's.
  const bare = wanted.replace(/^(?:"|\.\.\.| ){1,4}|(?:"|\.\.\.| ){1,4}$/g, "");
  const there = [wanted, bare].find((text) => text !== "" && folded.text.includes(text));
  if (there === undefined) return undefined;
  const start = folded.text.indexOf(there);
  const first = folded.places[start] ?? 0;
  const last = folded.places[start + there.length - 1] ?? first;
  return { text: showFrom(source, first, last), line: source.slice(0, first).split("\n").length };
}

/** The source from one place to another, without marks, cue lines and line breaks. */
function showFrom(source: string, first: number, last: number): string {
  const rules = new RegExp(RULES.source, "gu");
  rules.lastIndex = first;
  let shown = "";
  for (let match = rules.exec(source); match && match.index <= last; match = rules.exec(source)) {
    const { plain } = match.groups ?? {};
    const piece = pieceOf(match.groups ?? {});
    if (plain !== undefined) shown += plain.slice(0, last + 1 - match.index);
    else if (piece) shown += piece.shown;
    else if (!shown.endsWith(" ")) shown += " ";
  }
  return shown.trim();
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
    folded: foldSource(text),
    times: timesOf(text),
    facts: readFacts(text),
  };
  indexes.set(item, index);
  return index;
}

/** Judges quotes of an item, which is read once. A quote has its words and line from the item. */
export function settleQuote(item: ContentItem): (quote: unknown, path: PropertyKey[]) => SettledQuote {
  const { folded, times, facts } = indexOf(item);
  return (quote, path) => {
    if (!isObject(quote) || typeof quote.text !== "string") return { quote };
    const { text, timestamp } = quote;
    const found = find(text);
    if (!found) {
      const near = nearestPassage(folded, text);
      const passage = near === undefined ? "" : `; the nearest passage is ${JSON.stringify(near)}`;
      const expected = `words copied exactly from ${item.source}${passage}; or leave the quote out`;
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
