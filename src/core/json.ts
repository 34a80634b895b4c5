// Reads and hashes JSON values from models, people and GitHub. Pure.
import { createHash } from "node:crypto";
import { quietly } from "./errors.ts";

// Actors: `github:<numeric id>:<login>`, `terminal:<user>`, `agent:<name>`, `looplia` (INTERFACE, 1). Pure.

/** The program itself, for example when it runs on its own schedule. */
export const PROGRAM = "looplia";
/** A person acted, but GitHub did not say who. */
export const UNKNOWN = "unknown";

/**
 * The GitHub account of an actor; undefined for all others. The id stays when its owner changes the login.
 */
export function githubAccountOf(actorId: string): { id: string; login: string } | undefined {
  const [, id, login] = /^github:(\d+):(.+)$/.exec(actorId) ?? [];
  return id === undefined || login === undefined ? undefined : { id, login };
}

/** The actor's GitHub login, or the actor unchanged if it has none. */
export function loginOf(actorId: string): string {
  return githubAccountOf(actorId)?.login ?? actorId;
}

/**
 * A function that calls `make` at its first call and then returns that value. All schemas of modules that each start
 * loads are made in this way, because a run uses few of them and making all takes a fifth of its start.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

// Names as the most permissive file system compares them. Pure.

/** HFS+ ignores these in names; the list is git's (utf8.c, next_hfs_char). */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Folds one name of a path: case, composition, NTFS streams, trailing dots and spaces are ignored. */
export function foldName(name: string): string {
  const folded = name.normalize("NFKC").replace(IGNORED, "").toLowerCase();
  return folded.replace(/:.*$/s, "").replace(/[. ]+$/, "");
}

// The program's only hash function.

/** SHA-256 over the bytes (text as UTF-8), in hex. */
export function sha256Of(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The first 16 digits of the SHA-256; identifies artifacts, sources and lists. */
export function hashContent(content: string | Uint8Array): string {
  return sha256Of(content).slice(0, 16);
}

// Runs work one at a time per owner, in the order of the calls.

const last = new WeakMap<object, Promise<unknown>>();

/** Runs `work` once all earlier work of the same owner has settled. */
export function inTurn<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const before = last.get(owner) ?? Promise.resolve();
  const next = before.then(work, work);
  last.set(
    owner,
    next.catch(() => undefined),
  );
  return next;
}

/** False when a text or key contains a lone surrogate: such a value has no UTF-8 and no RFC 8785 form. */
export function isWellFormedJson(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") {
      if (!next.isWellFormed()) return false;
    } else if (next !== null && typeof next === "object") {
      for (const [key, inner] of Object.entries(next)) open.push(key, inner);
    }
  }
  return true;
}

/** JSON writers overflow the stack on deeper values. */
const MAX_DEPTH = 500;

/** True when no list or object in the value is nested more than 500 levels deep. Never recurses. */
export function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return true;
}

/** The value as an object for the audit log; anything else is wrapped. Lone surrogates become U+FFFD. */
export function auditable(value: unknown): Record<string, unknown> {
  const safe: unknown = isWellFormedJson(value) ? value : JSON.parse(wellFormedText(value));
  return isObject(safe) ? safe : { value: safe ?? null };
}

/** The value of a JSON text; undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  return quietly(() => JSON.parse(text));
}

/** The index after the closing brace of the object at `start`; undefined if its braces never balance. */
export function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    } else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** The text that gives exactly these bytes in UTF-8; undefined if there is none, or if it has a NUL. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  return quietly(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
}

/** True for a JSON object, false for an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of own properties; undefined if a property is missing. */
export function valueAt(root: unknown, ...path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function wellFormedText(value: unknown): string {
  const replace = (_key: string, inner: unknown): unknown => {
    if (typeof inner === "string") return inner.toWellFormed();
    if (!isObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key.toWellFormed(), item]));
  };
  return JSON.stringify(value, replace) ?? "null";
}

// Makes text from models and content safe for a terminal or a log. Pure.

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
/** ECMA-48: control sequences, strings terminated by BEL or ST, and two-character escapes. */
const SEQUENCES = new RegExp(
  [
    `(?:${ESCAPE}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\u009c]*(?:${BELL}|${ESCAPE}\\\\|\u009c)?`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
/** All control characters except tab and newline. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;
/**
 * Characters that reorder text or are invisible: format and bidi marks, zero-width characters, lone
 * surrogates.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes terminal sequences and control characters; keeps newlines, and turns a tab into two spaces. */
export function toPlainText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(SEQUENCES, "")
    .replace(CONTROLS, "")
    .replace(/\p{Bidi_Control}/gu, "")
    .replaceAll("\t", "  ");
}

/** `toPlainText` on one line, with white space collapsed. */
export function toPlainLine(text: string): string {
  return toPlainText(text).replace(/\s+/g, " ").trim();
}

/**
 * Writes every unseen character as `<U+XXXX>`, so that people approve exactly what they read. Newlines and
 * tabs stay. Nothing is left out.
 */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** JSON with an indent of two spaces and a final newline; no invisible character can change the terminal. */
export function printedJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(UNSEEN_UNIT, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${text}\n`;
}

/** C1 controls, bidi and zero-width characters, each one UTF-16 unit. JSON escapes C0 and lone surrogates. */
const UNSEEN_UNIT =
  /[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

// Reads fields of an event's payload, which may have any shape. Pure.

/** The value if it is a non-empty string. */
export function payloadText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value if it is a positive whole number. */
export function payloadCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Removed lines (`- `), then added lines (`+ `). An empty text has no lines. */
export function changedLines(before: string, after: string): string {
  const signed = (text: string, sign: string) => (text === "" ? [] : [text.replace(/^/gm, sign)]);
  return [...signed(before, "- "), ...signed(after, "+ ")].join("\n");
}

/** The values by their key, keys in order of appearance. `Map.groupBy` is missing in Node 20. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
