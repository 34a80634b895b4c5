// Locates tasks and syntax errors in the text of a to-do file. Pure.
import type { ParseError } from "jsonc-parser";

/** From `start` up to `end`, in UTF-16 units. */
export type Span = { start: number; end: number };
type TaskLocation = {
  /** The elements of `tasks` that are objects or lists, in order. */
  tasks: Span[];
  /** Fields that occur twice in the file or a task: readers differ in which one counts. */
  repeated: { path: PropertyKey[]; offset: number }[];
  /** The greatest nesting depth. */
  depth: number;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Locates the tasks of a JSON object. Not recursive, so any depth is safe. */
export function locateTasks(text: string): TaskLocation {
  const found: TaskLocation = { tasks: [], repeated: [], depth: 0 };
  const fields = new Set<string>();
  const own = new Set<string>();
  let depth = 0;
  let field = "";
  let isInTasks = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const isTask = depth === 3 && isInTasks;
      const key = depth === 1 || isTask ? keyIn(text, at, end) : undefined;
      if (key !== undefined) {
        const known = isTask ? own : fields;
        const path = isTask ? ["tasks", found.tasks.length, key] : [key];
        if (known.has(key)) found.repeated.push({ path, offset: at });
        known.add(key);
        if (!isTask) field = key;
      }
      at = end - 1;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1;
      found.depth = Math.max(found.depth, depth);
      if (depth === 2) isInTasks = field === "tasks" && code === OPEN_LIST;
      if (depth === 3) start = at;
      if (depth === 3) own.clear();
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      if (depth === 3 && isInTasks) found.tasks.push({ start, end: at + 1 });
      depth -= 1;
    }
  }
  return found;
}

/** The index after the closing quote of the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** The string, if a colon follows. */
function keyIn(text: string, start: number, end: number): string | undefined {
  let next = end;
  while (/\s/.test(text.charAt(next))) next += 1;
  if (text.charAt(next) !== ":") return undefined;
  const raw = text.slice(start + 1, end - 1);
  return raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
}

// The natural order of ids: T2 before T10, A10 before B2. Pure, and equal on every machine.

/** Negative if `one` comes first. Runs of ASCII digits compare as numbers; ties compare by code units. */
export function compareIds(one: string, other: string): number {
  if (one === other) return 0;
  const parts = one.match(/[0-9]+|[^0-9]+/g) ?? [];
  const others = other.match(/[0-9]+|[^0-9]+/g) ?? [];
  for (const [at, part] of parts.entries()) {
    const against = others[at];
    if (against === undefined) return 1;
    const order = compareParts(part, against);
    if (order !== 0) return order;
  }
  return parts.length < others.length ? -1 : one < other ? -1 : 1;
}

function compareParts(one: string, other: string): number {
  if (/^[0-9]/.test(one) && /^[0-9]/.test(other)) {
    const digits = one.replace(/^0+/, "");
    const against = other.replace(/^0+/, "");
    if (digits.length !== against.length) return digits.length - against.length;
    return digits === against ? 0 : digits < against ? -1 : 1;
  }
  return one === other ? 0 : one < other ? -1 : 1;
}

// Why a text is not JSON, and where. V8 gives a position for some errors only.

/** `offset` of the first error; `message` without the surrounding text. */
export async function findSyntaxError(
  message: string,
  text: string,
): Promise<{ offset: number; message: string }> {
  const position = /\bposition (\d+)/.exec(message)?.[1];
  if (position !== undefined) return { offset: Number(position), message };
  const [, token] = /^(Unexpected token .{1,3}), [\s\S]* is not valid JSON$/su.exec(message) ?? [];
  // Otherwise the text ended too early.
  if (token === undefined) return { offset: text.length, message };
  return { offset: await findFirstError(text), message: token };
}

async function findFirstError(text: string): Promise<number> {
  const { parse } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch {
    // Nested too deeply for that parser.
  }
  return errors[0]?.offset ?? text.length;
}
