// Replaces known secrets, in all forms that a command or a model may give them, before text is stored or sent. Pure.
import type { StoreLine } from "./events.ts";

/** The same text without secrets; a text without secrets is returned unchanged. */
export type Redact = (text: string) => string;

/** Replaces a secret. */
export const REDACTED = "[redacted]";
/** Shorter values are words that may occur in any text. */
const LEAST_LENGTH = 8;
/** A line of a multi-line secret is also searched by itself from this length. */
const LEAST_LINE = 16;
/** Characters on each side of a cut that must be redacted before cutting: half a secret could remain. */
export const REDACTION_MARGIN = 64 * 1024;

/** Used when nothing is secret. */
export const redactNothing: Redact = (text) => text;

/**
 * Finds the secrets as they are and in forms that a command or a model may give them: other letter case,
 * characters in between (separators, white space, terminal codes), base64 and base32 at each offset, hex,
 * decimal, octal, percent, entity and backslash escapes, mirrored, ROT13, and some combinations of two.
 * Values under 8 characters are ignored. Linear time in the text's length.
 */
export function createRedactor(secrets: readonly (string | undefined)[]): Redact {
  const forms = new Map<string, Edges>();
  for (const secret of secrets.flatMap(partsOf)) {
    for (const form of plainForms(secret)) addForm(forms, form, NO_EDGES);
    const texts = [secret, mirrored(secret), hexOf(bytesOf(secret)), encode64(secret)];
    for (const bytes of [...texts.map(bytesOf), utf16Of(secret)]) {
      for (const [form, edges] of base64Forms(bytes)) addForm(forms, form, edges);
    }
  }
  if (forms.size === 0) return redactNothing;
  let search: ((text: string) => Range[]) | undefined;
  return (text) => {
    if (text.length < LEAST_LENGTH) return text;
    search ??= searchFor(forms);
    const found = search(text);
    let view = decoded({ text, at: (index, isEnd) => (isEnd ? index + 1 : index) });
    for (let depth = 0; view && depth < 3; depth += 1) {
      for (const { from, to } of search(view.text)) {
        found.push({ from: view.at(from), to: view.at(to - 1, true) });
      }
      view = decoded(view);
    }
    return found.length === 0 ? text : cutOut(text, found);
  };
}

/** A copy of a JSON value, or of nested maps and lists, with every text and key redacted. */
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

/** As PowerShell encodes. */
function utf16Of(text: string): Uint8Array {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return Uint8Array.from(units.flatMap((unit) => [unit & 0xff, unit >> 8]));
}

/** The whole secret, and its lines that are too long to occur by chance. */
function partsOf(secret: string | undefined): string[] {
  const whole = secret?.trim() ?? "";
  if (whole.length < LEAST_LENGTH) return [];
  const lines = whole.split(/\r?\n/).map((line) => line.trim());
  if (lines.length === 1) return [whole];
  const telling = lines.filter((line) => line.length >= LEAST_LINE && !line.startsWith("-----"));
  return [whole, lines.join("\n"), lines.join("\r\n"), ...telling];
}

/** Characters beside a form that also encode bits of the secret. */
type Edges = { before: 0 | 1; after: 0 | 1 };
const NO_EDGES: Edges = { before: 0, after: 0 };

function addForm(forms: Map<string, Edges>, form: string, edges: Edges): void {
  const closed = form.replace(/\s+/g, "");
  for (const one of foldText(form).length < LEAST_LENGTH ? [form, closed] : [closed]) {
    if (one.length >= LEAST_LENGTH && !forms.has(one)) forms.set(one, edges);
  }
}

function plainForms(secret: string): string[] {
  const bytes = bytesOf(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const coded = [
    percentOf(secret, /[A-Za-z0-9_.~-]/),
    percentOf(secret, /[A-Za-z0-9_.!~*'()-]/),
    percentOf(secret, /[A-Za-z0-9_.!~*'();/?:@&=+$,#-]/),
    new URLSearchParams([["", secret]]).toString().slice(1),
  ];
  const numbers = (radix: number, width: number, before = "") =>
    [...bytes].map((byte) => before + byte.toString(radix).padStart(width, "0")).join("");
  const units = (before: string) =>
    Array.from(secret, (_, at) => before + secret.charCodeAt(at).toString(16).padStart(4, "0")).join("");
  const hex = hexOf(bytes);
  return [
    ...[secret, json, JSON.stringify(json).slice(1, -1), json.replaceAll("/", "\\/"), ...coded],
    ...[mirrored(secret), rot13(secret), base32Of(bytes)],
    // As `\x61`, `0x61`, `\u0061`, `97`, `\141` and `01100001`; separators are ignored.
    ...[hex, mirrored(hex), hexOf(bytesOf(mirrored(secret))), numbers(16, 2, "x"), numbers(16, 2, "0x")],
    ...[units("u"), units(""), numbers(10, 1), numbers(10, 3), numbers(8, 3), numbers(8, 1), numbers(2, 8)],
    ...[0, 1, 2].map((offset) => hexOf(bytesOf(alignedBase64(bytes, offset)[0]))),
  ];
}

function mirrored(text: string): string {
  return [...text].reverse().join("");
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCharCode(code + ((code & 31) < 14 ? 13 : -13));
  });
}

function encode64(text: string): string {
  return btoa(String.fromCharCode(...bytesOf(text)));
}

function base32Of(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{5}/g) ?? [];
  return groups.map((group) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(group, 2)]).join("");
}

/** For each alignment, the encoded characters that do not depend on the neighbouring bytes; also mirrored. */
function base64Forms(bytes: Uint8Array): [string, Edges][] {
  return [0, 1, 2].flatMap((offset): [string, Edges][] => {
    const [core, edges] = alignedBase64(bytes, offset);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")].flatMap((form): [string, Edges][] => [
      [form, edges],
      [mirrored(form), { before: edges.after, after: edges.before }],
    ]);
  });
}

function alignedBase64(bytes: Uint8Array, offset: number): [core: string, edges: Edges] {
  const padded = String.fromCharCode(...new Array<number>(offset).fill(0), ...bytes);
  const whole = btoa(padded).replace(/=+$/, "");
  const isCut = (offset + bytes.length) % 3 !== 0;
  const core = whole.slice(offset === 0 ? 0 : offset + 1, isCut ? -1 : undefined);
  return [core, { before: offset === 0 ? 0 : 1, after: isCut ? 1 : 0 }];
}

type Range = { from: number; to: number };

// Compares only letters and digits, for all forms in one pass: an Aho-Corasick automaton.

/** 1 to 36 for a letter (either case, also full-width) or a digit, 0 for an ignored character. */
const CLASSES = new Uint8Array(0x10000);
for (let code = 0; code < 36; code += 1) {
  const character = code.toString(36);
  for (const one of [character, character.toUpperCase()]) {
    CLASSES[one.charCodeAt(0)] = code + 1;
    CLASSES[one.charCodeAt(0) + 0xfee0] = code + 1;
  }
}
const WIDTH = 37;
/** A longer form is searched by its beginning; a match is then compared with the rest. */
const LONGEST_NEEDLE = 20;
/** The automaton pays off from this many characters on: a start has fewer, and is not to wait for it. */
const FEW = 64 * 1024;
/** Number of remembered positions: a power of two above the longest needle. */
const RING = 32;

type Form = Edges & { text: string; folded: string; lead: string; tail: string };

function foldText(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

function searchFor(forms: ReadonlyMap<string, Edges>): (text: string) => Range[] {
  const loose: Form[] = [];
  const exact = new Map<string, Edges>();
  for (const [text, edges] of forms) {
    const folded = foldText(text);
    if (folded.length < LEAST_LENGTH) exact.set(text, edges);
    else {
      const lead = /^[^a-z0-9]*/i.exec(text)?.[0] ?? "";
      const tail = /[^a-z0-9]*$/i.exec(text)?.[0] ?? "";
      loose.push({ ...edges, text, folded, lead, tail });
    }
  }
  const needles = [...new Set(loose.map(({ folded }) => folded.slice(0, LONGEST_NEEDLE)))];
  let automaton: Automaton | undefined;
  let searched = 0;
  return (text) => {
    searched += text.length;
    if (searched > FEW || mayHold(text, needles)) automaton ??= buildAutomaton(loose);
    return [...(automaton ? findLoose(text, loose, automaton) : []), ...findExact(text, exact)];
  };
}

/** False if no needle is in the text. Full-width characters are left to the automaton. */
function mayHold(text: string, needles: readonly string[]): boolean {
  const folded = text.replace(/[^A-Za-z0-9]+/g, "").toLowerCase();
  return /[\uff00-\uffff]/.test(text) || needles.some((needle) => folded.includes(needle));
}

type Automaton = { next: Int32Array; ending: readonly (readonly number[] | undefined)[] };

/** `ending`: by state, the forms whose needle ends there. */
function buildAutomaton(forms: readonly Form[]): Automaton {
  const most = forms.reduce((sum, { folded }) => sum + Math.min(folded.length, LONGEST_NEEDLE), 1);
  const next = new Int32Array(most * WIDTH);
  const ending: number[][] = [[]];
  for (const [index, { folded }] of forms.entries()) {
    let state = 0;
    for (const character of folded.slice(0, LONGEST_NEEDLE)) {
      const at = state * WIDTH + (CLASSES[character.charCodeAt(0)] ?? 0);
      if (!next[at]) next[at] = ending.push([]) - 1;
      state = next[at] ?? 0;
    }
    ending[state]?.push(index);
  }
  linkFailures(next, ending);
  return { next, ending: ending.map((list) => (list.length > 0 ? list : undefined)) };
}

/** Completes the transitions: a state without one falls back to the longest needle prefix that was read. */
function linkFailures(next: Int32Array, ending: number[][]): void {
  const failures = new Int32Array(ending.length);
  const queue = [0];
  for (const state of queue) {
    const fallback = failures[state] ?? 0;
    if (state !== 0) ending[state]?.push(...(ending[fallback] ?? []));
    for (let character = 1; character < WIDTH; character += 1) {
      const at = state * WIDTH + character;
      const child = next[at] ?? 0;
      const other = state === 0 ? 0 : (next[fallback * WIDTH + character] ?? 0);
      if (child === 0) next[at] = other;
      else {
        failures[child] = other;
        queue.push(child);
      }
    }
  }
}

function findLoose(text: string, forms: readonly Form[], { next, ending }: Automaton): Range[] {
  const found: Range[] = [];
  const positions = new Int32Array(RING);
  const ends = new Map<number, number>();
  let state = 0;
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = CLASSES[text.charCodeAt(index)] ?? 0;
    if (character === 0) continue;
    positions[count & (RING - 1)] = index;
    count += 1;
    state = next[state * WIDTH + character] ?? 0;
    const ended = ending[state];
    if (ended === undefined) continue;
    for (const one of ended) {
      const form = forms[one] as Form;
      const from = positions[(count - Math.min(form.folded.length, LONGEST_NEEDLE)) & (RING - 1)] ?? 0;
      if (from < (ends.get(one) ?? 0)) continue;
      const range = wholeOf(text, form, { from, to: index + 1 });
      ends.set(one, range.to);
      found.push(range);
    }
  }
  return found;
}

/** The matched part of the form, extended by its leading and trailing punctuation and its edges. */
function wholeOf(text: string, form: Form, { from, to }: Range): Range {
  let matched = Math.min(form.folded.length, LONGEST_NEEDLE);
  for (let at = to; matched < form.folded.length && at < text.length; at += 1) {
    const character = CLASSES[text.charCodeAt(at)] ?? 0;
    if (character === 0) continue;
    if (character !== CLASSES[form.folded.charCodeAt(matched)]) break;
    matched += 1;
    to = at + 1;
  }
  if (text.startsWith(form.lead, from - form.lead.length)) from -= form.lead.length;
  from = Math.max(from - form.before, 0);
  if (matched < form.folded.length) return { from, to };
  if (text.startsWith(form.tail, to)) to += form.tail.length;
  return { from, to: endOfEdge(text, to, form.after) };
}

/** The end of a base64 form, including its edge and padding. */
function endOfEdge(text: string, to: number, after: 0 | 1): number {
  let end = Math.min(to + after, text.length);
  if (after > 0) while (text.charAt(end) === "=" && end < to + 3) end += 1;
  return end;
}

/** Finds forms with too few letters and digits for the automaton; white space is ignored. */
function findExact(text: string, forms: ReadonlyMap<string, Edges>): Range[] {
  if (forms.size === 0) return [];
  const found = findForms(text, forms, (index) => index);
  const closed = text.replace(/\s+/g, "");
  if (closed !== text && findForms(closed, forms, (index) => index).length > 0) {
    const indexes = indexesWithoutSpace(text);
    found.push(...findForms(closed, forms, (index) => indexes[index] ?? 0));
  }
  return found;
}

/** `original`: the index in the original text of a character of `text`. */
function findForms(
  text: string,
  forms: ReadonlyMap<string, Edges>,
  original: (index: number) => number,
): Range[] {
  const found: Range[] = [];
  for (const [form, { before, after }] of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      const end = endOfEdge(text, at + form.length, after);
      found.push({ from: original(Math.max(at - before, 0)), to: original(end - 1) + 1 });
    }
  }
  return found;
}

/** The indexes of all characters that are not white space. */
function indexesWithoutSpace(text: string): Uint32Array {
  const indexes = new Uint32Array(text.length);
  let count = 0;
  for (const match of text.matchAll(/\S+/g)) {
    for (let at = 0; at < match[0].length; at += 1) indexes[count++] = match.index + at;
  }
  return indexes;
}

// Escapes may encode only some of the characters, so the decoded text is searched too.

/** `at`: the original index of a character of `text`; `isEnd`: the index after it. */
type View = { text: string; at(index: number, isEnd?: boolean): number };

const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes are what is looked for.
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x1b\x9b][[(]?[0-?]*[ -/]*[@-~]|(?:%|\\x|=)([0-9a-f]{2})|(?:\\u|%u)([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(?:amp|lt|gt|quot|apos);|\\([0-3]?[0-7]{2})|^[0-9a-f]{7,8}:?[ \t]+(?=\S)|[ \t]{2}(?:\|[^\n]{0,16}\||\S[^\n]{0,15})$|(?:=|\\)\r?\n/gim;

/** Undefined if the text contains no escape. */
function decoded(view: View): View | undefined {
  const starts: number[] = [];
  const shifts: number[] = [];
  let text = "";
  let last = 0;
  for (const match of view.text.matchAll(ESCAPES)) {
    const meant = decodeEscape(match);
    text += view.text.slice(last, match.index) + meant;
    last = match.index + match[0].length;
    // An escape that decodes to nothing belongs before the next character, not after the last one.
    starts.push(text.length + (meant === "" ? 0.5 : 0));
    shifts.push(last - text.length);
  }
  if (starts.length === 0) return undefined;
  text += view.text.slice(last);
  const at = (index: number, isEnd = false): number => {
    const place = isEnd ? index + 1 : index;
    const reach = isEnd ? place : place + 0.5;
    // The last escape that ends at or before it.
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= reach) low = middle + 1;
      else high = middle;
    }
    const original = place + (low === 0 ? 0 : (shifts[low - 1] ?? 0));
    return isEnd ? view.at(Math.max(original - 1, 0), true) : view.at(original);
  };
  return { text, at };
}

/** Terminal codes, columns of a dump and soft line breaks decode to nothing. */
function decodeEscape(match: RegExpExecArray): string {
  const [, byte, unit, point, hexEntity, entity, octal] = match;
  const hex = byte ?? unit ?? point ?? hexEntity;
  const code =
    hex !== undefined
      ? Number.parseInt(hex, 16)
      : octal !== undefined
        ? Number.parseInt(octal, 8)
        : Number(entity);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
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
  const coded = (one: string) => [...bytesOf(one)].map((byte) => `%${hexOf([byte]).toUpperCase()}`).join("");
  return [...text].map((character) => (kept.test(character) ? character : coded(character))).join("");
}

function hexOf(bytes: Iterable<number>): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

// Redacts the parts of a line that may contain a secret before it is stored; keys for lookups stay unchanged.

/** Values made by the program or by the API; changed values could not be looked up. */
const KEYS = new Set(
  [
    "interactionId shortId taskId conversationId toolCallId toolCallIds callId commentId authorActorId actorId",
    "agent outputs inputs frozen provider model response kind purpose fingerprint bindings isolation conflict budget",
    "selectedOptionId permission answeredAt expiresAt startedBy at decision outcome resultHash contentHash",
  ]
    .join(" ")
    .split(" "),
);

/**
 * The line as it may be stored. A model's own message stays unchanged to the byte, because its thinking is bound to it
 * (PLATFORM, "thinking blocks"). It can't contain a secret, because everything the model reads is redacted here.
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
