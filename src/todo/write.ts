// Writes new and repaired task lists without losing a task.
import { formatDiagnostic } from "../config/diagnostics.ts";
import { findUnsoundJson, formatProblem } from "../config/schema.ts";
import { hashContent, isObject } from "../core/json.ts";
import {
  type BrokenTodo,
  dependencyDiagnostics,
  readTodo,
  type StoredTodo,
  TASK_STATUSES,
  type TodoDocument,
  type TodoFile,
  type TodoTask,
  todoBytes,
  todoFileSchema,
  todoTaskSchema,
  writeWhole,
} from "./document.ts";
import { appendItems, appendTasks, editItems, removeField, setField } from "./edit.ts";
import { notify, refresh, type TodoRun } from "./run-state.ts";

/** A task that the repair removes, and why. */
type RemovedTask = { id: string; reason: string };

type Entry = Record<string, unknown>;

/** The names of tasks in the broken file that are neither in the repaired one nor listed as removed. */
function findLost(broken: BrokenTodo, repaired: TodoFile, removed: readonly RemovedTask[]): string[] {
  const matched = matchTasks(entriesOf(broken), repaired.tasks);
  // Each entry covers one task, because two tasks may have one id.
  const said = removed.map((task) => task.id);
  return entriesOf(broken).flatMap((entry, index) => {
    if (matched.has(index)) return [];
    const names = [idOf(entry), titleOf(entry), `tasks[${index}]`];
    const at = said.findIndex((name) => names.includes(name));
    if (at >= 0) said.splice(at, 1);
    return at >= 0 ? [] : [nameOf(entry, index)];
  });
}

/**
 * The text of the repaired file, made by edits of the broken one, so that its own fields, numbers and order
 * stay. A valid status stays unchanged.
 */
export function mergeRepair(broken: BrokenTodo, repaired: TodoFile): string {
  const entries = entriesOf(broken);
  let { text } = broken;
  for (const field of Object.keys(todoFileSchema().shape)) {
    if (field !== "tasks") text = mendField(text, field, broken.value[field], repaired[field]);
  }
  if (!Array.isArray(broken.value.tasks)) return setField(text, [], "tasks", repaired.tasks);
  const matched = matchTasks(entries, repaired.tasks);
  const fixed = new Set<TodoTask>();
  text = editItems(text, ["tasks"], (item, index, show) => {
    const [entry, task] = [entries[index], matched.get(index)];
    if (!isObject(entry) || !task) return undefined;
    fixed.add(task);
    return Object.keys(entry).length === 0 ? show(task) : mendTask(item, entry, task);
  });
  return appendItems(
    text,
    ["tasks"],
    repaired.tasks.filter((task) => !fixed.has(task)),
  );
}

/**
 * Maps each entry of the broken list, by index, to its repaired task: by id; if the id is invalid or not
 * unique, by title; an entry without either becomes a task that no other entry matches.
 */
function matchTasks(entries: readonly unknown[], tasks: readonly TodoTask[]): Map<number, TodoTask> {
  const matched = new Map<number, TodoTask>();
  const free = new Set(tasks);
  const take = (index: number, task: TodoTask | undefined): void => {
    if (!task || matched.has(index) || !free.delete(task)) return;
    matched.set(index, task);
  };
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const [index, entry] of entries.entries()) take(index, byId.get(idOf(entry) ?? ""));
  const ids = new Set([...matched.keys()].map((index) => idOf(entries[index])));
  const isNamed = (entry: unknown) => isUsable(idOf(entry)) && !ids.has(idOf(entry));
  const byTitle = new Map([...free].map(({ title }): [string, TodoTask[]] => [title, []]));
  for (const task of free) byTitle.get(task.title)?.push(task);
  for (const [index, entry] of entries.entries()) {
    if (!matched.has(index) && !isNamed(entry)) take(index, byTitle.get(titleOf(entry) ?? "")?.shift());
  }
  for (const [index, entry] of entries.entries()) {
    const [next] = free;
    if (!isUsable(idOf(entry)) && titleOf(entry) === undefined) take(index, next);
  }
  return matched;
}

/** `text`: of this task only. */
function mendTask(text: string, entry: Entry, task: TodoTask): string {
  let fixed = text;
  for (const field of Object.keys(todoTaskSchema().shape)) {
    const isKept = field === "status" && TASK_STATUSES.some((status) => status === entry.status);
    if (!isKept) fixed = mendField(fixed, field, entry[field], task[field]);
  }
  return fixed;
}

function mendField(text: string, field: string, is: unknown, shall: unknown): string {
  if (JSON.stringify(is) === JSON.stringify(shall)) return text;
  return shall === undefined ? removeField(text, [], field) : setField(text, [], field, shall);
}

/** Also for an object instead of a list. */
function entriesOf({ value: { tasks } }: BrokenTodo): unknown[] {
  return Array.isArray(tasks) ? tasks : isObject(tasks) ? Object.values(tasks) : [];
}

function isUsable(id: string | undefined): boolean {
  return todoTaskSchema().shape.id.safeParse(id).success;
}

/** A number stands for its digits. */
function idOf(entry: unknown): string | undefined {
  const id = isObject(entry) ? entry.id : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

/** A text instead of a task is its title. */
function titleOf(entry: unknown): string | undefined {
  const title = isObject(entry) ? entry.title : entry;
  return typeof title === "string" && title !== "" ? title : undefined;
}

function nameOf(entry: unknown, index: number): string {
  const name = idOf(entry) || titleOf(entry);
  return `tasks[${index}]${name === undefined ? "" : ` (${name.slice(0, 80).toWellFormed()})`}`;
}

// `writeArtifact("to-do")` in bootstrap, repair and review: the file changes only if the whole input is
// valid.

/** `hint`: how to solve the problems. */
type TodoWrite = { ok: true; stored: StoredTodo; said: string } | { ok: false; problems: string[] };

const CHANGED = "somebody else changed the file in the meantime: read it and send your value again";

/** Writes the first list. Refused if the file exists by now. */
export async function writeFirst(run: TodoRun, sent: unknown): Promise<TodoWrite> {
  const { workspace } = run.ports;
  const read = await readSent(run, sent);
  if ("problems" in read) return { ok: false, problems: read.problems };
  const { document } = read;
  const problems = problemsOfNew(document.file.tasks);
  if (document.file.tasks.length === 0) problems.push("tasks: expected at least one task, got none");
  if (await workspace.read(document.path)) problems.push(`there is a ${document.path} already`);
  if (problems.length > 0) return { ok: false, problems };
  return write(run, document, "The list is written.");
}

/** Appends new tasks. Existing tasks stay as they are, even if the input contains them. */
export async function writeNewTasks(run: TodoRun, sent: unknown): Promise<TodoWrite> {
  const before = await refresh(run);
  const tasks = isObject(sent) ? sent.tasks : undefined;
  if (!Array.isArray(tasks)) return { ok: false, problems: ["tasks: expected a list, got none"] };
  const unsound = findUnsoundJson(sent).map(formatProblem);
  if (unsound.length > 0) return { ok: false, problems: unsound };
  const known = new Map(before.document.file.tasks.map((task) => [task.id, task]));
  const added = tasks.filter((task) => !isObject(task) || !known.has(String(task.id)));
  const read = await readText(run, todoBytes(appendTasks(before.document, added)));
  if ("problems" in read) return { ok: false, problems: read.problems };
  const problems = problemsOfNew(read.document.file.tasks.slice(known.size));
  if (problems.length > 0) return { ok: false, problems };
  const changed = tasks.filter((task) => isObject(task) && isOther(known.get(String(task.id)), task));
  const kept = changed.map((task) => String(task.id)).join(", ");
  if (kept !== "")
    notify(run, "warning", `The review changed ${kept}, which was undone: only new tasks count.`);
  const said = `${added.length} new tasks are in the list.${kept && ` Kept as they were: ${kept}.`}`;
  const current = await run.ports.workspace.read(read.document.path);
  if (!current || Buffer.compare(current, before.bytes) !== 0) return { ok: false, problems: [CHANGED] };
  return write(run, read.document, said);
}

/**
 * Writes a repaired list. Tasks may disappear only if `removed_tasks` lists them; keeps the broken file
 * beside it.
 */
export async function writeRepaired(
  run: TodoRun,
  broken: BrokenTodo & { bytes: Uint8Array },
  sent: unknown,
): Promise<TodoWrite> {
  const { workspace } = run.ports;
  const { removed_tasks: said, ...value } = isObject(sent) ? sent : {};
  const read = await readSent(run, isObject(sent) ? value : sent);
  if ("problems" in read) return { ok: false, problems: read.problems };
  const removed = readRemoved(said);
  const lost = findLost(broken, read.document.file, removed);
  if (lost.length > 0) {
    const how = "keep it, or name it in `removed_tasks` ({id, reason}) beside `tasks`";
    return { ok: false, problems: lost.map((name) => `${name} got lost: ${how}`) };
  }
  const text = mergeRepair(broken, read.document.file);
  const merged = await readText(run, todoBytes({ text, hasMark: broken.hasMark }));
  // Some errors, such as a repeated field, can't be fixed in place.
  const { document } = "document" in merged ? merged : read;
  const current = await workspace.read(broken.path);
  if (!current || Buffer.compare(current, broken.bytes) !== 0) return { ok: false, problems: [CHANGED] };
  const aside = asideOf(broken);
  await writeWhole(workspace, aside, broken.bytes);
  for (const { id, reason } of removed) notify(run, "warning", `The repair removed ${id}: ${reason}`);
  notify(run, "info", `${broken.path} was repaired; as it was before, it is in ${aside}.`);
  return write(run, document, "The list is repaired.");
}

/** Named after its content, so that a repeated repair keeps it once. */
function asideOf({ path, bytes }: { path: string; bytes: Uint8Array }): string {
  return `${path.replace(/\.json$/, "")}.broken-${hashContent(bytes).slice(0, 8)}.json`;
}

async function write(run: TodoRun, document: TodoDocument, said: string): Promise<TodoWrite> {
  const bytes = todoBytes(document);
  await writeWhole(run.ports.workspace, document.path, bytes);
  run.stored = { document, bytes };
  return { ok: true, stored: run.stored, said };
}

type Read = { document: TodoDocument } | { problems: string[] };

async function readSent(run: TodoRun, sent: unknown): Promise<Read> {
  const unsound = findUnsoundJson(sent);
  if (unsound.length > 0) return { problems: unsound.map(formatProblem) };
  if (!isObject(sent))
    return { problems: ["expected an object with schema_version, source_files and tasks"] };
  return readText(run, new TextEncoder().encode(`${JSON.stringify(sent, null, 2)}\n`));
}

async function readText(run: TodoRun, bytes: Uint8Array): Promise<Read> {
  const reading = await readTodo(bytes, run.settings.todo);
  if (reading.kind === "broken")
    return { problems: reading.broken.diagnostics.map(({ message }) => message) };
  const diagnostics = dependencyDiagnostics(reading.document);
  if (diagnostics.length > 0) return { problems: diagnostics.map(formatDiagnostic) };
  return { document: reading.document };
}

function problemsOfNew(tasks: readonly TodoTask[]): string[] {
  return tasks
    .filter((task) => task.status !== "todo")
    .map((task) => `${JSON.stringify(task.id)}: a new task has the status "todo", not "${task.status}"`);
}

function isOther(known: TodoTask | undefined, sent: Record<string, unknown>): boolean {
  if (!known) return false;
  return Object.entries(sent).some(
    ([field, value]) => JSON.stringify(known[field]) !== JSON.stringify(value),
  );
}

function readRemoved(said: unknown): RemovedTask[] {
  const list = Array.isArray(said) ? said : [];
  return list.flatMap((one) =>
    isObject(one) && typeof one.id === "string" && typeof one.reason === "string" && one.reason.trim() !== ""
      ? [{ id: one.id, reason: one.reason }]
      : [],
  );
}
