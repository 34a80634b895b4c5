// A content item: its bytes, title, body, and the ids derived from it.
import canonicalize from "canonicalize";
import type { UserProfile } from "../config/definitions.ts";
import { parseFrontMatter } from "../config/yaml.ts";
import { LoopliaError } from "../core/errors.ts";
import { hashContent, lazily } from "../core/json.ts";
import { type Redact, redactValue } from "../core/redaction.ts";

// Titles and names of content items.

/** The front matter's title, else the first Markdown heading of the body, else the file's name. One line, never empty. */
function readTitle(given: unknown, body: string, source: string): string {
  const named = typeof given === "string" || typeof given === "number" ? oneLine(String(given)) : "";
  return named || firstHeading(body) || fileName(source) || "item";
}

/** The last part of a path without its extension. */
function fileName(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  return oneLine(name.replace(/(?<=.)\.[^.]*$/, ""));
}

/** CommonMark headings (`#` or underlined), outside of fenced code. */
function firstHeading(body: string): string {
  let fence: string | undefined;
  let above = "";
  for (const line of body.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    fence = mark;
    const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1]?.replace(/(?:^|[ \t])#+[ \t]*$/, "");
    if (heading && oneLine(heading)) return oneLine(heading);
    if (above && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line)) return above;
    above = /^ {0,3}[^\s>*+`~|<-]/.test(line) ? oneLine(line) : "";
  }
  return "";
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

export type ContentItem = {
  /** Path in the repository, as people know the item. */
  source: string;
  bytes: Uint8Array;
  /** The whole text with front matter and without a byte order mark, then each part below its path. */
  text: string;
  /** Hashes of the parts, by path (`withParts`). */
  parts: ReadonlyMap<string, string>;
  title: string;
  /** The text after the front matter. */
  body: string;
  /** Front matter `url` or `source_url` if it is an address of the web, else empty. */
  url: string;
  /** Front matter `id`: only a suggestion for the session id's slug. */
  slugHint: string | undefined;
  frontMatter: ReadonlyMap<string, unknown>;
  /** First 16 hex digits of SHA-256 over the bytes. */
  sourceHash: string;
};

const MAX_BYTES = 10 * 1024 * 1024;

/** Throws `config-invalid` with the path if the file is empty, binary, over 10 MiB, not UTF-8 or broken. */
export async function parseContentItem(source: string, bytes: Uint8Array): Promise<ContentItem> {
  const text = decodeItem(source, bytes);
  const { data, body } = await parseFrontMatter(text, source);
  if (body.trim() === "") throw refusal(source, "has no text", "write something below its front matter");
  return {
    source,
    bytes,
    text,
    parts: new Map(),
    title: readTitle(data.get("title"), body, source),
    body,
    url: webAddress([data.get("url"), data.get("source_url")].find(isText)),
    slugHint: wordOf(data.get("id")),
    frontMatter: data,
    sourceHash: hashContent(bytes),
  };
}

/** It becomes a link in pages: any other scheme could run code there. */
function webAddress(text = ""): string {
  return /^https?:\/\/[^\s()<>]+$/i.test(text) ? text : "";
}

/** The item without secrets, for models and people. Path, bytes and hash are unchanged because they identify the item. */
export function redactItem(item: ContentItem, redact: Redact): ContentItem {
  const { source, bytes, parts, sourceHash, ...said } = item;
  return { source, bytes, parts, sourceHash, ...redactValue(said, redact) };
}

/** Looks for content items: at the tip of the base in the Action, on the command line below the root. */
export type ItemFiles = {
  /** The bytes of an item's source; undefined if it is gone. */
  readSource(path: string): Promise<Uint8Array | undefined>;
  /** Sorted paths of the files that match any of the globs. */
  matchSources(globs: readonly string[]): Promise<readonly string[]>;
};

const MAX_PARTS = 50;

/**
 * Adds the parts that the front matter field `items` names as paths, folders or globs. Throws `config-invalid` if a name
 * matches no file.
 */
export async function withParts(item: ContentItem, files: ItemFiles): Promise<ContentItem> {
  const { source, frontMatter } = item;
  const named = [frontMatter.get("items")].flat();
  if (!named.every(isText)) {
    throw refusal(source, "has no list of items in its front matter", "write items: [content/one.md, …]");
  }
  const parts = new Map<string, string>();
  const texts = [item.text];
  for (const name of named) {
    const found = await files.matchSources([name, `${name.replace(/\/$/, "")}/**/*.md`]);
    const paths = found.filter((path) => path !== source && !parts.has(path));
    if (found.length === 0)
      throw refusal(
        source,
        `has ${JSON.stringify(name)} among its items, which matches no file`,
        "correct it",
      );
    for (const path of paths) {
      const part = await parseContentItem(path, (await files.readSource(path)) ?? new Uint8Array());
      parts.set(path, part.sourceHash);
      texts.push(`# ${path}\n\n${part.text}`);
    }
  }
  const text = texts.join("\n\n");
  if (parts.size <= MAX_PARTS && text.length <= MAX_BYTES) return { ...item, parts, text };
  const most = `${MAX_PARTS} items with 10 MiB are the most`;
  throw refusal(
    source,
    `is made from ${parts.size} items with ${text.length} characters; ${most}`,
    "name fewer",
  );
}

/** The hash of an item with its parts. */
export function hashOfAll({ sourceHash, parts }: Pick<ContentItem, "sourceHash" | "parts">): string {
  return parts.size === 0 ? sourceHash : hashContent(JSON.stringify([sourceHash, ...parts]));
}

/** The parts that differ from `recorded`, as part of a sentence; undefined if none do. */
export function partsChange(
  recorded: ReadonlyMap<string, string>,
  parts: ReadonlyMap<string, string>,
): string | undefined {
  const changes = [...new Set([...recorded.keys(), ...parts.keys()])].flatMap((path) => {
    const [before, now] = [recorded.get(path), parts.get(path)];
    if (before === now) return [];
    return `${path} ${before === undefined ? "was added" : now === undefined ? "was removed" : "changed"}`;
  });
  return changes.length === 0 ? undefined : changes.join(", ");
}

const counted = new WeakMap<object, number>();

/** Words as Unicode segments them (UAX 29), so that scripts without spaces count as well. An item's first call is slow. */
export function countWords(item: Pick<ContentItem, "body">): number {
  const known = counted.get(item);
  if (known !== undefined) return known;
  // White space ends a word, and between white space most texts have ASCII, which a pattern counts much faster.
  let words = 0;
  for (const [part] of item.body.matchAll(/\S+/g)) {
    words += /^\p{ASCII}+$/u.test(part) ? (part.match(ASCII_WORD)?.length ?? 0) : segmentWords(part);
  }
  counted.set(item, words);
  return words;
}

/** UAX 29 for ASCII: letters hold together over one of `':.`, digits over one of `',.;`, and everything over `_`. */
const ASCII_WORD =
  /_*[A-Za-z0-9](?:[A-Za-z0-9_]|(?<=[A-Za-z])['.:](?=[A-Za-z])|(?<=[0-9])['.,;](?=[0-9]))*|__+/g;

const segmenter = lazily(() => new Intl.Segmenter("en", { granularity: "word" }));

function segmentWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter().segment(text)) if (isWordLike) words += 1;
  return words;
}

function decodeItem(source: string, bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) {
    throw refusal(source, "is larger than 10 MiB", "split it, or keep only the text that matters");
  }
  if (bytes.includes(0)) {
    throw refusal(source, "is not a text file: it has NUL bytes", "save it as Markdown in UTF-8");
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    throw refusal(`${source}:${firstBrokenLine(bytes)}`, "is not UTF-8", "save the file as UTF-8");
  }
  if (text.trim() === "") throw refusal(source, "is empty", "give it a text, or leave it out");
  return text;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

// A newline byte is never part of a longer UTF-8 sequence, so lines can be judged one by one.
function firstBrokenLine(bytes: Uint8Array): number {
  let line = 1;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || decodeUtf8(bytes.subarray(start, end)) === undefined) return line;
    line += 1;
    start = end + 1;
  }
}

function wordOf(value: unknown): string | undefined {
  return isText(value) || typeof value === "number" ? String(value) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function refusal(place: string, what: string, hint: string): LoopliaError {
  return new LoopliaError("config-invalid", `${place}: ${what}`, { hint });
}

// Figures that the program computes, whatever a model claims.

const WORDS_PER_MINUTE = 250;
const NO_TOPICS = 0.5;

/**
 * Share, 0–1, of the profile's interest that the texts cover: the interest levels of topics found over those of all
 * topics (INTERFACE §7; the fifths cancel out). A topic is found as whole words in any one text, in any case.
 */
export function computeRelevance(profile: UserProfile | undefined, texts: readonly string[]): number {
  const topics = profile?.topics ?? [];
  const all = sumOf(topics.map((topic) => topic.interestLevel));
  if (all === 0) return NO_TOPICS;
  const folded = texts.map(foldText);
  const found = topics.filter(({ topic }) => {
    const pattern = wholeWords(topic);
    return pattern !== undefined && folded.some((text) => pattern.test(text));
  });
  return sumOf(found.map((topic) => topic.interestLevel)) / all;
}

/** Minutes to read that many words, rounded up; at least 1. */
export function readingMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}

/** NFC with white space collapsed: the form in which texts are compared. */
function foldText(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

// Scripts without spaces have no visible word boundaries, so a topic in them may match anywhere.
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const INSIDE_WORD = "[\\p{L}\\p{M}\\p{N}_]";

function wholeWords(topic: string): RegExp | undefined {
  const words = foldText(topic);
  const [first] = words;
  if (first === undefined) return undefined;
  const before = UNSPACED.test(first) ? "" : `(?<!${INSIDE_WORD})`;
  const after = UNSPACED.test([...words].at(-1) ?? "") ? "" : `(?!${INSIDE_WORD})`;
  return new RegExp(before + words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") + after, "iu");
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

// Ids of sessions and works. They become parts of paths and refs, so the program makes and checks them, never a model.

const ID = /^[a-z0-9][a-z0-9-]{0,80}$/;
const MAX_SLUG = 60;

/** True for a valid id of a session or a work, which is safe in paths and refs. */
export function isSessionId(text: string): boolean {
  return ID.test(text);
}

/** Lower-case letters, digits and single hyphens, at most 60; empty when nothing is left. */
function slugify(text: string): string {
  const plain = text
    .slice(0, 1000)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss");
  const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  if (slug.length <= MAX_SLUG) return slug;
  const cut = slug.slice(0, MAX_SLUG + 1).replace(/-[^-]*$/, "");
  return (cut.length <= MAX_SLUG ? cut : slug.slice(0, MAX_SLUG)).replace(/-+$/, "");
}

/** `<slug>-<YYYY-MM-DD>-<6 hex>`; the day is UTC's, the slug from the hint, else the title, else the file name. */
export function createSessionId(
  item: Pick<ContentItem, "slugHint" | "title" | "source">,
  now: Date,
  randomHex6: string,
): string {
  const names = [item.slugHint ?? "", item.title, fileName(item.source)];
  const slug = names.map(slugify).find((name) => name !== "") ?? "item";
  return `${slug}-${now.toISOString().slice(0, 10)}-${randomHex6}`;
}

/** `<name>-<6 hex>`: equal for equal keys, regardless of the order of a key's fields. */
export function createWorkId(name: string, key: Readonly<Record<string, unknown>>): string {
  return `${slugify(name) || "work"}-${hashContent(canonicalize(key) ?? "").slice(0, 6)}`;
}
