// A to-do file: its text, its content, and every problem with its line.
import { z } from "zod";
import type { Diagnostic } from "../config/diagnostics.ts";
import {
  checkValue,
  describeReceived,
  fieldName,
  formatProblem,
  MAX_PROBLEMS,
  type PlacedProblem,
} from "../config/schema.ts";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { hashContent, isObject, lazily } from "../core/json.ts";
import type { Workspace } from "../core/ports.ts";
import { compareIds, findSyntaxError, locateTasks, type Span } from "./locate.ts";

// The to-do file (INTERFACE §7). Unknown fields are allowed and never changed.

const texts = () => z.array(z.string());
/** People may write a paragraph or a list of lines. */
const prose = () => z.union([z.string(), texts()]).exactOptional();

export const TASK_STATUSES = ["todo", "doing", "blocked", "done"] as const;

export const todoTaskSchema = lazily(() =>
  z.looseObject({
    id: z
      .string()
      .min(1)
      .max(64)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u)
      .describe("1–64 characters, no control characters"),
    title: z.string().min(1),
    priority: z.int().min(1).max(5).describe("1 is the highest"),
    status: z.enum(TASK_STATUSES),
    details: prose(),
    description: prose(),
    reference: prose(),
    steps: texts().exactOptional(),
    blockers: texts().exactOptional(),
    tags: texts().exactOptional(),
    files: texts().exactOptional(),
    depends_on: texts().exactOptional().describe("Ids of tasks that must be done first"),
    created_at: z.string().exactOptional(),
    updated_at: z.string().exactOptional(),
  }),
);

export const todoFileSchema = lazily(() =>
  z.looseObject({
    schema_version: z.literal(1),
    project: z
      .looseObject({ name: z.string().exactOptional(), root: z.string().exactOptional() })
      .exactOptional(),
    source_files: texts(),
    tasks: z.array(todoTaskSchema()),
  }),
);

export type TodoStatus = (typeof TASK_STATUSES)[number];
export type TodoTask = z.infer<ReturnType<typeof todoTaskSchema>>;
export type TodoFile = z.infer<ReturnType<typeof todoFileSchema>>;

// `depends_on`: unknown ids and cycles are errors that name them. Pure.

type Dependent = Pick<TodoTask, "id" | "depends_on">;
/** `id`: the task with the wrong field. */
type DependencyProblem = { id: string; message: string };

/** All unknown ids, then each cycle once; empty if there is no problem. */
function findDependencyProblems(tasks: readonly Dependent[]): DependencyProblem[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const unknown = tasks.flatMap(({ id, depends_on = [] }) =>
    depends_on
      .filter((needed) => !byId.has(needed))
      .map((needed) => ({ id, message: `depends on ${show(needed)}, and there is no such task` })),
  );
  return [...unknown, ...findCycles(tasks, byId)];
}

/** Depth first without recursion: a chain may be as long as the file. */
function findCycles(tasks: readonly Dependent[], byId: ReadonlyMap<string, Dependent>): DependencyProblem[] {
  const problems: DependencyProblem[] = [];
  const done = new Set<string>();
  for (const { id } of tasks) {
    const way: { id: string; left: string[] }[] = [];
    const onWay = new Set<string>();
    const enter = (next: string): void => {
      way.push({ id: next, left: [...(byId.get(next)?.depends_on ?? [])] });
      onWay.add(next);
    };
    if (!done.has(id)) enter(id);
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      const next = here.left.shift();
      if (next === undefined) {
        done.add(here.id);
        onWay.delete(here.id);
        way.pop();
      } else if (onWay.has(next)) {
        const cycle = way.map((step) => step.id).slice(way.findIndex((step) => step.id === next));
        problems.push({ id: next, message: `is in a cycle: ${[...cycle, next].map(show).join(" → ")}` });
      } else if (byId.has(next) && !done.has(next)) enter(next);
    }
  }
  return problems;
}

function show(id: string): string {
  return JSON.stringify(id);
}

/** Valid by the schema, with unique ids. `text` has no byte order mark; `spans` locates each task in it. */
export type TodoDocument = {
  path: string;
  text: string;
  hasMark: boolean;
  file: TodoFile;
  spans: readonly Span[];
};

/** A JSON object that violates the schema; `value` is its content. */
export type BrokenTodo = Pick<TodoDocument, "path" | "text" | "hasMark"> & {
  value: Record<string, unknown>;
  diagnostics: Diagnostic[];
};

export type TodoReading = { kind: "valid"; document: TodoDocument } | { kind: "broken"; broken: BrokenTodo };

/** No real list is deeper, and the editor's recursion needs a limit. */
const MAX_DEPTH = 200;
/** Checking more tasks would take seconds. */
const MAX_TASKS = 25_000;

/**
 * Reads the bytes of a to-do file. Throws `config-invalid` with the line if they are no JSON object in UTF-8.
 * Returns all other problems at once, each with line, path and the allowed values.
 */
export async function readTodo(bytes: Uint8Array, path: string): Promise<TodoReading> {
  const whole = decode(bytes, path);
  const hasMark = whole.startsWith("\uFEFF");
  const text = hasMark ? whole.slice(1) : whole;
  const value = await parseObject(text, path);
  checkLength(value.tasks, path);
  const located = locateTasks(text);
  if (located.depth > MAX_DEPTH) throw notTodo(`${path} is nested more than ${MAX_DEPTH} levels deep.`);
  const parsed = todoFileSchema().safeParse(value);
  const twice = findRepeatedIds(value.tasks);
  if (parsed.success && twice.length === 0 && located.repeated.length === 0) {
    return {
      kind: "valid",
      document: { path, text, hasMark, file: parsed.data, spans: located.tasks },
    };
  }
  const checked = parsed.success ? [] : checkValue(todoFileSchema(), value).problems;
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
    const message = `there is more: only the first ${MAX_PROBLEMS} problems are listed`;
    diagnostics.push({ severity: "error", file: path, message });
  }
  return { kind: "broken", broken: { path, text, hasMark, value, diagnostics } };
}

/** Problems of `depends_on`, with the lines of the tasks. */
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

/** The whole file as it is written to disk. */
export function todoBytes({ text, hasMark }: Pick<TodoDocument, "text" | "hasMark">): Uint8Array {
  return new TextEncoder().encode(hasMark ? `\uFEFF${text}` : text);
}

/** By the full id. */
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
  throw notTodo(`${path} is not a JSON object: ${describeReceived(value)}.`);
}

function checkLength(tasks: unknown, path: string): void {
  if (!Array.isArray(tasks) || tasks.length <= MAX_TASKS) return;
  throw new LoopliaError(
    "config-invalid",
    `${path} has ${tasks.length} tasks: at most ${MAX_TASKS} are read.`,
    {
      hint: "Split the list into several files, and name each with `todo`.",
    },
  );
}

function notTodo(message: string, cause?: unknown): LoopliaError {
  const hint = "Nothing was changed. Fix the file by hand, or move it away to start over.";
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
    // A missing field is reported at the nearest enclosing value.
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

/** Lines count from 1; a lone carriage return does not end a line. */
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

// The to-do file on disk: read as it is, written as a whole, never over another writer's change.

type Files = Pick<Workspace, "read" | "writeAtomic">;

/** A document with the bytes that it was read from. */
export type StoredTodo = { document: TodoDocument; bytes: Uint8Array };

/** The file at `path`, or undefined. Throws `config-invalid` if it is no JSON object. */
export async function loadTodo(
  files: Files,
  path: string,
): Promise<(TodoReading & { bytes: Uint8Array }) | undefined> {
  const bytes = await files.read(path);
  return bytes && { ...(await readTodo(bytes, path)), bytes };
}

/**
 * Writes an edited document durably, or returns "changed" without writing if the file has changed since it
 * was read. Throws `config-invalid` for a document that lost a task.
 */
export async function saveTodo(
  files: Files,
  before: StoredTodo,
  edited: TodoDocument,
): Promise<StoredTodo | "changed"> {
  requireAllTasks(before.document, edited);
  const bytes = todoBytes(edited);
  const current = await files.read(edited.path);
  if (!current || !isSame(current, before.bytes)) return "changed";
  await writeWhole(files, edited.path, bytes);
  return { document: edited, bytes };
}

/** Writes the file durably. Throws `host-failed` on a disk error. */
export async function writeWhole(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  await files.writeAtomic(path, bytes).catch((cause: unknown) => {
    const hint = "Free some space or make its folder writable, and run again.";
    throw new LoopliaError("host-failed", `${path} was not written: ${messageOf(cause)}`, { hint, cause });
  });
}

/** Checks the text itself, because an edit may be wrong about its own result. */
function requireAllTasks(before: TodoDocument, edited: TodoDocument): void {
  const { tasks } = JSON.parse(edited.text) as { tasks: { id: string }[] };
  const ids = new Set(tasks.map((task) => task.id));
  const lost = before.file.tasks.filter((task) => !ids.has(task.id)).map((task) => task.id);
  if (lost.length === 0) return;
  throw new LoopliaError(
    "config-invalid",
    `${edited.path} was not written: it would lose ${lost.join(", ")}.`,
  );
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

// A task's request as a short hash: an attempt that began from another request starts over.

/** Hashes the instructions; status, files and times are left out. */
export function taskDigest({ title, details, description, reference, steps }: TodoTask): string {
  return hashContent(JSON.stringify([title, details, description, reference, steps]));
}

// Selects the next task (INTERFACE §7). Pure.

// Which agent runs an iteration. Pure.

/**
 * `shown`: the schedule's name in the settings. The agents take turns; an agent listed twice has two turns.
 */
export type Schedule = { shown: string; agents: readonly string[] };

/** The agent of iteration n of a session; n starts at 1. */
export function agentAt({ agents }: Schedule, iteration: number): string {
  const agent = agents[(iteration - 1) % agents.length];
  if (agent === undefined) throw new Error("a schedule has no agent");
  return agent;
}

type Selectable = Pick<TodoTask, "id" | "status" | "priority" | "depends_on" | "tags">;

/** Tasks that this run has tried and does not choose again. */
type EarlierTries = {
  /** Blocked tasks that had their try, and tasks that became blocked. */
  blocked: ReadonlySet<string>;
  skipped: ReadonlySet<string>;
};

export type Selection<Task extends Selectable> =
  | { kind: "task"; task: Task }
  /** All tasks are done. */
  | { kind: "none" }
  /** None of the remaining tasks can be chosen now. */
  | { kind: "stuck"; left: Task[] };

/**
 * Any `doing` (lowest id), else `todo` by priority, else `blocked` by priority; ties by natural id order.
 * Leaves out tasks whose `depends_on` are not all done. The dependencies must be valid.
 */
export function selectTask<Task extends Selectable>(
  tasks: readonly Task[],
  tried: EarlierTries,
): Selection<Task> {
  const left = tasks.filter((task) => task.status !== "done");
  if (left.length === 0) return { kind: "none" };
  const open = new Set(left.map((task) => task.id));
  const isReady = ({ id, status, depends_on = [] }: Task) =>
    !tried.skipped.has(id) &&
    !(status === "blocked" && tried.blocked.has(id)) &&
    depends_on.every((needed) => !open.has(needed));
  let best: Task | undefined;
  for (const task of left) {
    if ((best === undefined || compareTasks(task, best) < 0) && isReady(task)) best = task;
  }
  return best === undefined ? { kind: "stuck", left } : { kind: "task", task: best };
}

/** Ids of the task's dependencies that are not done. */
export function neededBy<Task extends Selectable>(
  { depends_on = [] }: Task,
  tasks: readonly Task[],
): string[] {
  const open = new Set(tasks.filter(({ status }) => status !== "done").map(({ id }) => id));
  return depends_on.filter((needed) => open.has(needed));
}

const RANKS: Record<TodoStatus, number> = { doing: 0, todo: 1, blocked: 2, done: 3 };

function compareTasks(one: Selectable, other: Selectable): number {
  if (one.status !== other.status) return RANKS[one.status] - RANKS[other.status];
  const byPriority = one.status === "doing" ? 0 : one.priority - other.priority;
  return byPriority === 0 ? compareIds(one.id, other.id) : byPriority;
}

const DONE_TAG = "project-done";

/** The end marker is an entry of the list but no task, so it is not counted. */
export function isEndMarker({ status, tags }: Pick<Selectable, "status" | "tags">): boolean {
  return status === "done" && tags?.includes(DONE_TAG) === true;
}

/** True if the end marker is last: no task was added since the review found nothing. */
export function isProjectDone(tasks: readonly Selectable[]): boolean {
  const last = tasks.at(-1);
  return last !== undefined && isEndMarker(last);
}

/** The end marker of a to-do file. */
export function projectDoneTask(tasks: readonly Pick<TodoTask, "id">[]): TodoTask {
  const taken = new Set(tasks.map((task) => task.id));
  let id = DONE_TAG;
  for (let number = 2; taken.has(id); number += 1) id = `${DONE_TAG}-${number}`;
  return { id, title: "Project done", status: "done", priority: 5, tags: [DONE_TAG] };
}
