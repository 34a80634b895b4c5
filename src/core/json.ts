// Reading and hashing JSON values that models, people and GitHub send. Pure.
import { createHash } from "node:crypto";

// Who did something: `github:<numeric id>:<login>`, `terminal:<user>`, `agent:<name>`, `looplia` (INTERFACE, 1). Pure.

/** The program itself: what it did on a schedule of its own was nobody's doing. */
export const PROGRAM = "looplia";
/** Somebody did it, and GitHub did not say who. */
export const UNKNOWN = "unknown";

/** GitHub's account of an actor; undefined for all others. The id stays when its owner changes the login. */
export function githubAccountOf(actorId: string): { id: string; login: string } | undefined {
  const [, id, login] = /^github:(\d+):(.+)$/.exec(actorId) ?? [];
  return id === undefined || login === undefined ? undefined : { id, login };
}

/** The login of GitHub's account, else the actor as it is. */
export function loginOf(actorId: string): string {
  return githubAccountOf(actorId)?.login ?? actorId;
}

// Names as the laxest file system sees them. Pure.

/** HFS+ ignores these in names; the list is git's (utf8.c, next_hfs_char). */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** One name of a path: case, composition, NTFS streams, trailing dots and blanks do not matter. */
export function foldName(name: string): string {
  const folded = name.normalize("NFKC").replace(IGNORED, "").toLowerCase();
  return folded.replace(/:.*$/s, "").replace(/[. ]+$/, "");
}

// The one hash of the program.

/** SHA-256 over the bytes (a text's UTF-8 form), in hex. */
export function sha256Of(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Its first 16 digits: what artifacts, sources and lists are known by. */
export function hashContent(content: string | Uint8Array): string {
  return sha256Of(content).slice(0, 16);
}

// One at a time for each owner, in the order of the calls.

const last = new WeakMap<object, Promise<unknown>>();

/** Runs `work` when all that was given for the same owner before has ended, however it ended. */
export function inTurn<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const before = last.get(owner) ?? Promise.resolve();
  const next = before.then(work, work);
  last.set(
    owner,
    next.catch(() => undefined),
  );
  return next;
}

/** False when a text or key in the value holds a lone surrogate: such a value has no UTF-8 and no RFC 8785 form. */
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

/** Deeper values overflow the stack of what writes JSON. */
const MAX_DEPTH = 500;

/** True when no list or object in the value has more than 500 others around it. Never recurses. */
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

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where the object that begins at `start` ends, its last brace included; undefined where its braces never balance. */
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

/** A JSON object, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands at a path of own properties; undefined where there is nothing. */
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

// Text from models and content, made safe for a terminal or a log. Pure.

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
/** ECMA-48: control sequences, strings ended by BEL or ST, and two-character escapes. */
const SEQUENCES = new RegExp(
  [
    `(?:${ESCAPE}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\u009c]*(?:${BELL}|${ESCAPE}\\\\|\u009c)?`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
/** Every control but tab and newline. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;
/** What changes the order of text or cannot be seen: format and bidi marks, zero-width characters, lone surrogates. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text without terminal sequences and controls; newlines stay, tabs become two spaces. */
export function toPlainText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(SEQUENCES, "")
    .replace(CONTROLS, "")
    .replace(/\p{Bidi_Control}/gu, "")
    .replaceAll("\t", "  ");
}

/** The text on one line, white space collapsed, without terminal sequences and controls. */
export function toPlainLine(text: string): string {
  return toPlainText(text).replace(/\s+/g, " ").trim();
}

/**
 * The text with every unseen character written as `<U+XXXX>`, so that what is approved is what is read. Newlines and
 * tabs stay. Nothing is left out.
 */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

/** JSON of two spaces with a line feed, in which nothing unseen changes the terminal that it is printed to. */
export function printedJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(UNSEEN_UNIT, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${text}\n`;
}

/** C1 controls, bidi and zero-width characters: each is one UTF-16 unit. JSON itself escapes C0 and lone surrogates. */
const UNSEEN_UNIT =
  /[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

// Reading what an event brings: payloads may have any shape. Pure.

/** The value where it is a text that is not empty. */
export function payloadText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value where it is a whole number above zero. */
export function payloadCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
