// A broken to-do file and what an agent made of it become one text: nothing gets lost unsaid, and what was sound stays as
// it stood.
import { isObject } from "../session/json.ts";
import type { BrokenTodo } from "./document.ts";
import { appendItems, editItems, removeField, setField } from "./edit-text.ts";
import { TASK_STATUSES, type TodoFile, type TodoTask, todoFileSchema, todoTaskSchema } from "./schema.ts";

/** A task that the repair leaves out, and why. */
export type RemovedTask = { id: string; reason: string };

type Entry = Record<string, unknown>;

/** How each task is called that is in the broken file, but neither in the repaired one nor said to be removed. */
export function findLost(broken: BrokenTodo, repaired: TodoFile, removed: readonly RemovedTask[]): string[] {
  const matched = matchTasks(entriesOf(broken), repaired.tasks);
  // Each word covers one task: two may have one id.
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
 * The repaired file as text: made by edits in the broken one, so that its own fields, numbers and order stay. A state
 * that was valid stays as it was.
 */
export function mergeRepair(broken: BrokenTodo, repaired: TodoFile): string {
  const entries = entriesOf(broken);
  let { text } = broken;
  for (const field of Object.keys(todoFileSchema.shape)) {
    if (field !== "tasks") text = mendField(text, field, broken.value[field], repaired[field]);
  }
  if (!Array.isArray(broken.value.tasks)) return setField(text, [], "tasks", repaired.tasks);
  const matched = matchTasks(entries, repaired.tasks);
  const mended = new Set<TodoTask>();
  text = editItems(text, ["tasks"], (item, index, show) => {
    const [entry, task] = [entries[index], matched.get(index)];
    if (!isObject(entry) || !task) return undefined;
    mended.add(task);
    return Object.keys(entry).length === 0 ? show(task) : mendTask(item, entry, task);
  });
  return appendItems(
    text,
    ["tasks"],
    repaired.tasks.filter((task) => !mended.has(task)),
  );
}

/**
 * Which task each of the broken list became, by index: by its id; where that is no id, or is another's as well, by its
 * title; what has neither became one that nothing else did.
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

/** `text`: of the task alone. */
function mendTask(text: string, entry: Entry, task: TodoTask): string {
  let mended = text;
  for (const field of Object.keys(todoTaskSchema.shape)) {
    const isKept = field === "status" && TASK_STATUSES.some((status) => status === entry.status);
    if (!isKept) mended = mendField(mended, field, entry[field], task[field]);
  }
  return mended;
}

function mendField(text: string, field: string, is: unknown, shall: unknown): string {
  if (JSON.stringify(is) === JSON.stringify(shall)) return text;
  return shall === undefined ? removeField(text, [], field) : setField(text, [], field, shall);
}

/** Also of an object in the place of the list. */
function entriesOf({ value: { tasks } }: BrokenTodo): unknown[] {
  return Array.isArray(tasks) ? tasks : isObject(tasks) ? Object.values(tasks) : [];
}

function isUsable(id: string | undefined): boolean {
  return todoTaskSchema.shape.id.safeParse(id).success;
}

/** A number is meant as the text of its digits. */
function idOf(entry: unknown): string | undefined {
  const id = isObject(entry) ? entry.id : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

/** A text in the place of a task is its title. */
function titleOf(entry: unknown): string | undefined {
  const title = isObject(entry) ? entry.title : entry;
  return typeof title === "string" && title !== "" ? title : undefined;
}

function nameOf(entry: unknown, index: number): string {
  const name = idOf(entry) || titleOf(entry);
  return `tasks[${index}]${name === undefined ? "" : ` (${name.slice(0, 80).toWellFormed()})`}`;
}
