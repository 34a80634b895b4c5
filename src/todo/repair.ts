// A broken to-do file and what an agent made of it become one text: nothing gets lost unsaid, and what was sound stays as
// it stood.
import { isObject } from "../session/json.ts";
import type { BrokenTodo } from "./document.ts";
import { appendItems, removeField, removeItem, setField } from "./edit-text.ts";
import { TASK_STATUSES, type TodoFile, type TodoTask, todoFileSchema, todoTaskSchema } from "./schema.ts";

/** A task that the repair leaves out, and why. */
export type RemovedTask = { id: string; reason: string };

type Entry = Record<string, unknown>;

/** How each task is called that is in the broken file, but neither in the repaired one nor said to be removed. */
export function findLost(broken: BrokenTodo, repaired: TodoFile, removed: readonly RemovedTask[]): string[] {
  const entries = entriesOf(broken);
  const ids = new Set(repaired.tasks.map((task) => task.id));
  const titles = new Set(repaired.tasks.map((task) => task.title));
  const said = new Set(removed.map((task) => task.id));
  const lost = entries.flatMap((entry, index) => {
    const { id, title } = isObject(entry) ? entry : {};
    const isKept = (typeof id === "string" && ids.has(id)) || (!isUsable(id) && isKnown(titles, title));
    const isSaid = isKnown(said, id) || isKnown(said, title);
    return isKept || isSaid ? [] : [nameOf(entry, index)];
  });
  const missing = entries.length - repaired.tasks.length - removed.length;
  return lost.length > 0 || missing <= 0 ? lost : [`${missing} of those whose id stands there twice`];
}

/**
 * The repaired file as text: made by edits in the broken one, so that its own fields, numbers and order stay. A state
 * that was valid stays as it was.
 */
export function mergeRepair(broken: BrokenTodo, repaired: TodoFile): string {
  const entries = entriesOf(broken);
  let { text } = broken;
  for (const field of Object.keys(todoFileSchema.shape)) {
    if (field !== "tasks") text = mendField(text, [], field, broken.value[field], repaired[field]);
  }
  const byId = new Map(repaired.tasks.map((task) => [task.id, task]));
  const isPlain =
    new Set(entries.map((entry) => (isObject(entry) ? entry.id : entry))).size === entries.length;
  if (!Array.isArray(broken.value.tasks) || !isPlain) return setField(text, [], "tasks", repaired.tasks);
  for (const [index, entry] of [...entries.entries()].reverse()) {
    const task = isObject(entry) && typeof entry.id === "string" ? byId.get(entry.id) : undefined;
    if (isObject(entry) && task) text = mendTask(text, index, entry, task);
    else text = removeItem(text, ["tasks"], index);
  }
  const known = new Set(entries.map((entry) => (isObject(entry) ? entry.id : undefined)));
  return appendItems(
    text,
    ["tasks"],
    repaired.tasks.filter((task) => !known.has(task.id)),
  );
}

function mendTask(text: string, index: number, entry: Entry, task: TodoTask): string {
  let mended = text;
  for (const field of Object.keys(todoTaskSchema.shape)) {
    const isKept = field === "status" && TASK_STATUSES.some((status) => status === entry.status);
    if (!isKept) mended = mendField(mended, ["tasks", index], field, entry[field], task[field]);
  }
  return mended;
}

function mendField(
  text: string,
  path: (string | number)[],
  field: string,
  is: unknown,
  shall: unknown,
): string {
  if (JSON.stringify(is) === JSON.stringify(shall)) return text;
  return shall === undefined ? removeField(text, path, field) : setField(text, path, field, shall);
}

function entriesOf({ value }: BrokenTodo): unknown[] {
  return Array.isArray(value.tasks) ? value.tasks : [];
}

function isUsable(id: unknown): boolean {
  return todoTaskSchema.shape.id.safeParse(id).success;
}

function isKnown(names: ReadonlySet<string>, name: unknown): boolean {
  return typeof name === "string" && names.has(name);
}

function nameOf(entry: unknown, index: number): string {
  const { id, title } = isObject(entry) ? entry : {};
  const name = [id, title].find((text) => typeof text === "string" && text !== "");
  return `tasks[${index}]${name === undefined ? "" : ` (${String(name).slice(0, 80).toWellFormed()})`}`;
}
