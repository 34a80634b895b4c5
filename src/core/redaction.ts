// Replaces known secrets, in all forms that a command or a model may give them, before text is stored or
// sent. Pure.
import type { StoreLine } from "./events.ts";

/** The same text without a secret in it; texts without one come back as they are. */
export type Redact = (text: string) => string;

/** Stands where a secret stood. */
export const REDACTED = "[redacted]";
/** Shorter values are words that a text may well have. */
const LEAST_LENGTH = 8;
/** A line of a secret of many lines counts by itself from here on. */
const LEAST_LINE = 16;
/** Characters on each side of a cut that must be looked at before it is made, or half a secret escapes. */
export const REDACTION_MARGIN = 64 * 1024;

/** Where nothing is secret. */
export const redactNothing: Redact = (text) => text;

/**
 * Finds the secrets exactly, in base64 (each alignment, both alphabets), hex, percent-encoded, as in JSON, and reversed,
 * also where white space was put between the characters. Values under 8 characters are not looked for. The time is
 * linear in the text.
 */
export function createRedactor(secrets: readonly (string | undefined)[]): Redact {
  const forms = new Map<string, Edges>();
  for (const secret of secrets.flatMap(partsOf)) {
    for (const form of plainForms(secret)) addForm(forms, form, { before: 0, after: 0 });
    for (const [form, edges] of base64Forms(secret)) addForm(forms, form, edges);
  }
  if (forms.size === 0) return redactNothing;
  return (text) => {
    if (text.length < LEAST_LENGTH) return text;
    const found = findForms(text, forms, (index) => index);
    const closed = text.replace(/\s+/g, "");
    if (closed !== text && findForms(closed, forms, (index) => index).length > 0) {
      const indexes = indexesWithoutSpace(text);
      found.push(...findForms(closed, forms, (index) => indexes[index] ?? 0));
    }
    return found.length === 0 ? text : cutOut(text, found);
  };
}

/** A copy of a JSON value, or of maps and lists of such, in which every text and every name is redacted. */
export function redactValue<T>(value: T, redact: Redact): T;
export function redactValue(value: unknown, redact: Redact): unknown {
  if (redact === redactNothing) return value;
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue<unknown>(item, redact));
  if (value instanceof Map) {
    return new Map([...value].map(([key, item]) => [redactValue(key, redact), redactValue(item, redact)]));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactValue<unknown>(item, redact)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The whole secret, and those of its lines that nobody would write by chance. */
function partsOf(secret: string | undefined): string[] {
  const whole = secret?.trim() ?? "";
  if (whole.length < LEAST_LENGTH) return [];
  const lines = whole.split(/\r?\n/).map((line) => line.trim());
  if (lines.length === 1) return [whole];
  const telling = lines.filter((line) => line.length >= LEAST_LINE && !line.startsWith("-----"));
  return [whole, lines.join("\n"), lines.join("\r\n"), ...telling];
}

/** Characters beside a form that hold some bits of the secret as well. */
type Edges = { before: 0 | 1; after: 0 | 1 };

function addForm(forms: Map<string, Edges>, form: string, edges: Edges): void {
  for (const one of [form, form.replace(/\s+/g, "")]) {
    if (one.length >= LEAST_LENGTH && !forms.has(one)) forms.set(one, edges);
  }
}

function plainForms(secret: string): string[] {
  const hex = hexOf(bytesOf(secret));
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = percentOf(secret, /[A-Za-z0-9_.~-]/);
  const loose = percentOf(secret, /[A-Za-z0-9_.!~*'()-]/);
  const address = percentOf(secret, /[A-Za-z0-9_.!~*'();/?:@&=+$,#-]/);
  const query = new URLSearchParams([["", secret]]).toString().slice(1);
  const coded = [percent, loose, address, query];
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll("/", "\\/"),
    hex,
    hex.toUpperCase(),
    ...coded,
    ...coded.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    [...secret].reverse().join(""),
  ];
}

/** What of the encoded secret does not depend on what stands before and after it, for each of the three alignments. */
function base64Forms(secret: string): [string, Edges][] {
  const bytes = bytesOf(secret);
  return [0, 1, 2].flatMap((offset): [string, Edges][] => {
    const padded = String.fromCharCode(...new Array<number>(offset).fill(0), ...bytes);
    const whole = btoa(padded).replace(/=+$/, "");
    const isCut = (offset + bytes.length) % 3 !== 0;
    const core = whole.slice(offset === 0 ? 0 : offset + 1, isCut ? -1 : undefined);
    const edges: Edges = { before: offset === 0 ? 0 : 1, after: isCut ? 1 : 0 };
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")].map((form) => [form, edges]);
  });
}

type Range = { from: number; to: number };

/** `original`: the index in the original text of a character of `text`. */
function findForms(
  text: string,
  forms: ReadonlyMap<string, Edges>,
  original: (index: number) => number,
): Range[] {
  const found: Range[] = [];
  for (const [form, { before, after }] of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      let end = Math.min(at + form.length + after, text.length);
      if (after > 0) while (text.charAt(end) === "=" && end < at + form.length + 3) end += 1;
      found.push({ from: original(Math.max(at - before, 0)), to: original(end - 1) + 1 });
    }
  }
  return found;
}

/** Where the characters that are no white space stand. */
function indexesWithoutSpace(text: string): Uint32Array {
  const indexes = new Uint32Array(text.length);
  let count = 0;
  for (const match of text.matchAll(/\S+/g)) {
    for (let at = 0; at < match[0].length; at += 1) indexes[count++] = match.index + at;
  }
  return indexes;
}

function cutOut(text: string, ranges: Range[]): string {
  ranges.sort((a, b) => a.from - b.from);
  let result = "";
  let at = 0;
  for (const { from, to } of ranges) {
    if (from >= at) result += `${text.slice(at, from)}${REDACTED}`;
    at = Math.max(at, to);
  }
  return result + text.slice(at);
}

function percentOf(text: string, kept: RegExp): string {
  return [...text].map((character) => (kept.test(character) ? character : percentEach(character))).join("");
}

function percentEach(character: string): string {
  return [...bytesOf(character)].map((byte) => `%${hexOf([byte]).toUpperCase()}`).join("");
}

function hexOf(bytes: Iterable<number>): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

// What of a line may hold a secret before it is stored. What the program finds things by stays as it is. Pure.

/** Made by the program or by the API; another value would be looked up in vain. */
const KEYS = new Set(
  [
    "interactionId shortId taskId conversationId toolCallId toolCallIds callId commentId authorActorId actorId",
    "agent outputs inputs frozen provider model response kind purpose fingerprint bindings isolation conflict",
    "selectedOptionId permission answeredAt expiresAt startedBy at decision outcome resultHash contentHash",
  ]
    .join(" ")
    .split(" "),
);

/**
 * The line as it may be stored. A model's own message is kept to the byte: its thinking is bound to what stands there
 * (PLATFORM, "thinking blocks"), and the model was told no secret, for all that it reads went through here.
 */
export function redactLine(line: StoreLine, redact: Redact): StoreLine {
  if (redact === redactNothing) return line;
  if (line.type === "Message" && line.payload.message.role === "assistant") return line;
  const payload = Object.entries(line.payload).map(([key, value]: [string, unknown]) => [
    key,
    KEYS.has(key) ? value : redactValue(value, redact),
  ]);
  return { ...line, payload: Object.fromEntries(payload) } as StoreLine;
}
