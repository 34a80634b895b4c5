// A content item: the bytes as they came, and what the program reads from them.

import { parseFrontMatter } from "../config/front-matter.ts";
import { LoopliaError } from "../errors.ts";
import { hashContent } from "../session/hash.ts";

import { type Redact, redactValue } from "../session/redaction.ts";

import { readTitle } from "./item-title.ts";

export type ContentItem = {
  /** Path in the repository, as people know the item. */
  source: string;
  bytes: Uint8Array;
  /** All of it, front matter included, without a byte order mark. */
  text: string;
  title: string;
  /** What follows the front matter. */
  body: string;
  /** Front matter `url` or `source_url`, else empty. */
  url: string;
  /** Front matter `id`: no more than a wish for the session id's slug. */
  slugHint: string | undefined;
  frontMatter: ReadonlyMap<string, unknown>;
  /** First 16 hex digits of SHA-256 over the bytes. */
  sourceHash: string;
};

const MAX_BYTES = 10 * 1024 * 1024;

/** Throws `config-invalid`, naming the file, for what is empty, binary, over 10 MiB, not UTF-8 or broken. */
export async function parseContentItem(source: string, bytes: Uint8Array): Promise<ContentItem> {
  const text = decodeItem(source, bytes);
  const { data, body } = parseFrontMatter(text, source);
  if (body.trim() === "") throw refusal(source, "has no text", "write something below its front matter");
  return {
    source,
    bytes,
    text,
    title: readTitle(data.get("title"), body, source),
    body,
    url: [data.get("url"), data.get("source_url")].find(isText) ?? "",
    slugHint: wordOf(data.get("id")),
    frontMatter: data,
    sourceHash: hashContent(bytes),
  };
}

/** The item as models and people may see it. Path, bytes and hash stay: the item is found and compared by them. */
export function redactItem(item: ContentItem, redact: Redact): ContentItem {
  const { source, bytes, sourceHash, ...said } = item;
  return { source, bytes, sourceHash, ...redactValue(said, redact) };
}

/** Words as Unicode segments them (UAX 29), so that scripts without spaces count as well. Its first call is slow. */
export function countWords(text: string): number {
  let words = 0;
  for (const segment of new Intl.Segmenter("en", { granularity: "word" }).segment(text)) {
    if (segment.isWordLike) words += 1;
  }
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
