// A to-do file as text with what it says, or everything that is wrong with it, with lines.
import { checkValue, MAX_PROBLEMS, type PlacedProblem } from "../config/check-value.ts";
import type { Diagnostic } from "../config/diagnostics.ts";
import { describeReceived, fieldName, formatProblem } from "../config/problem.ts";
import { LoopliaError, messageOf } from "../errors.ts";
import { isObject } from "../session/json.ts";
import { findDependencyProblems } from "./dependencies.ts";
import { locateTasks, type Span } from "./locate.ts";
import { type TodoFile, type TodoTask, todoFileSchema } from "./schema.ts";
import { findSyntaxError } from "./syntax-error.ts";

/** Valid by the schema, every id once. `text` has no byte order mark; `spans` says where each task stands in it. */
export type TodoDocument = {
  path: string;
  text: string;
  hasMark: boolean;
  file: TodoFile;
  spans: readonly Span[];
};

/** A JSON object that breaks the schema; `value` is what it says nevertheless. */
export type BrokenTodo = {
  path: string;
  text: string;
  hasMark: boolean;
  value: Record<string, unknown>;
  diagnostics: Diagnostic[];
};

export type TodoReading = { kind: "valid"; document: TodoDocument } | { kind: "broken"; broken: BrokenTodo };

/** Deeper files are nobody's work, and the stack of what edits them is finite. */
const MAX_DEPTH = 200;

/**
 * Reads the bytes of a to-do file. Throws `config-invalid`, naming the line, for what is no JSON object in UTF-8. All
 * other problems are listed at once, each with line, path and what is allowed.
 */
export async function readTodo(bytes: Uint8Array, path: string): Promise<TodoReading> {
  const whole = decode(bytes, path);
  const hasMark = whole.startsWith("\uFEFF");
  const text = hasMark ? whole.slice(1) : whole;
  const value = await parseObject(text, path);
  const located = locateTasks(text);
  if (located.depth > MAX_DEPTH) throw notTodo(`${path} is nested more than ${MAX_DEPTH} levels deep.`);
  const parsed = todoFileSchema.safeParse(value);
  const twice = findRepeatedIds(value.tasks);
  if (parsed.success && twice.length === 0 && located.repeated.length === 0) {
    return {
      kind: "valid",
      document: { path, text, hasMark, file: parsed.data, spans: located.tasks },
    };
  }
  const checked = parsed.success ? [] : checkValue(todoFileSchema, value).problems;
  const fields = located.repeated.map(({ path: place }) => ({
    path: place,
    field: fieldName(place),
    expected: "to stand there once",
    received: "two of it",
  }));
  const problems = [...checked, ...twice, ...fields].slice(0, MAX_PROBLEMS);
  const diagnostics = await placeProblems(text, path, problems);
  const found = (parsed.error?.issues.length ?? 0) + twice.length + fields.length;
  if (found > MAX_PROBLEMS) {
    const message = `there is more: only the first ${MAX_PROBLEMS} problems are looked at`;
    diagnostics.push({ severity: "error", file: path, message });
  }
  return { kind: "broken", broken: { path, text, hasMark, value, diagnostics } };
}

/** What is wrong with `depends_on`, with the lines of the tasks. */
export function dependencyDiagnostics({ path, text, file, spans }: TodoDocument): Diagnostic[] {
  const lineOf = lineCounter(text);
  const indexes = new Map(file.tasks.map((task, index) => [task.id, index]));
  return findDependencyProblems(file.tasks).map(({ id, message }) => {
    const index = indexes.get(id) ?? 0;
    const line = lineOf(spans[index]?.start ?? 0);
    const place = `tasks[${index}].depends_on: ${JSON.stringify(id)} ${message}`;
    return { severity: "error", file: path, line, message: place };
  });
}

/** The whole file again, as it is to be written. */
export function todoBytes({ text, hasMark }: Pick<TodoDocument, "text" | "hasMark">): Uint8Array {
  return new TextEncoder().encode(hasMark ? `\uFEFF${text}` : text);
}

/** By its whole id. */
export function findTask(document: TodoDocument, id: string): TodoTask | undefined {
  return document.file.tasks.find((task) => task.id === id);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw notTodo(`${path} is not UTF-8 text.`, cause);
  }
}

async function parseObject(text: string, path: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { offset, message } = await findSyntaxError(messageOf(cause), text);
    throw notTodo(`${path}:${lineCounter(text)(offset)}: is not JSON: ${message}.`, cause);
  }
  if (isObject(value)) return value;
  throw notTodo(`${path} is no JSON object: ${describeReceived(value)}.`);
}

function notTodo(message: string, cause?: unknown): LoopliaError {
  const hint = "It was left as it is. Mend it by hand, or move it away to begin anew.";
  return new LoopliaError("config-invalid", message, { hint, ...(cause === undefined ? {} : { cause }) });
}

function findRepeatedIds(tasks: unknown): PlacedProblem[] {
  const first = new Map<string, number>();
  return (Array.isArray(tasks) ? tasks : []).flatMap((task, index) => {
    const id: unknown = isObject(task) ? task.id : undefined;
    if (typeof id !== "string") return [];
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    const path = ["tasks", index, "id"];
    const received = `${JSON.stringify(id)}, which tasks[${earlier}] has`;
    return earlier === undefined
      ? []
      : [{ path, field: fieldName(path), expected: "an id of its own", received }];
  });
}

async function placeProblems(
  text: string,
  path: string,
  problems: readonly PlacedProblem[],
): Promise<Diagnostic[]> {
  const { parseTree, findNodeAtLocation } = await import("jsonc-parser");
  const root = parseTree(text);
  const lineOf = lineCounter(text);
  const placed = problems.map((problem): Diagnostic & { line: number } => {
    let node = root;
    // What is missing is missing in the nearest thing around it.
    for (let length = problem.path.length; root && length > 0; length -= 1) {
      const keys = problem.path.slice(0, length).map((key) => (typeof key === "number" ? key : String(key)));
      const found = findNodeAtLocation(root, keys);
      if (!found) continue;
      node = found;
      break;
    }
    const message = formatProblem({ ...problem, field: problem.field.replace(/^\(.*\)$/, "the file") });
    return { severity: "error", file: path, line: lineOf(node?.offset ?? 0), message };
  });
  return placed.sort((one, other) => one.line - other.line);
}

/** Lines from 1; a lone carriage return ends none. */
function lineCounter(text: string): (offset: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
