// Edits the source text of a to-do file; everything else stays byte for byte. Pure.
import { findNodeAtLocation, type JSONPath, type Node, parseTree } from "jsonc-parser";
import { readTodo, type TodoDocument, type TodoStatus, type TodoTask, todoBytes } from "./document.ts";
import { locateTasks, type Span } from "./locate.ts";

// Puts values into JSON text. Changes only the given value; new text is formatted like its neighbors.

/** The text with an object's field set; a new field comes last. `path` leads to the object. */
export function setField(text: string, path: JSONPath, field: string, value: unknown): string {
  const object = nodeAt(text, path);
  const known = object.children?.find((property) => property.children?.[0]?.value === field)?.children?.[1];
  if (known) return splice(text, known.offset, known.length, format(value, gapBefore(text, object)));
  const gap = gapBefore(text, object);
  const colon = gap === "" ? ":" : ": ";
  return insertLast(text, object, gap, `${JSON.stringify(field)}${colon}${format(value, gap)}`);
}

/** The text with values appended to a list. `path` leads to the list. */
export function appendItems(text: string, path: JSONPath, values: readonly unknown[]): string {
  if (values.length === 0) return text;
  const list = nodeAt(text, path);
  const gap = gapBefore(text, list);
  return insertLast(text, list, gap, values.map((value) => format(value, gap)).join(`,${gap}`));
}

/**
 * The text with each item of a list replaced by `edit`'s result; undefined removes the item and its comma.
 * `show` formats a value for this place. Reads the list once, however long it is.
 */
export function editItems(
  text: string,
  path: JSONPath,
  edit: (item: string, index: number, show: (value: unknown) => string) => string | undefined,
): string {
  const list = nodeAt(text, path);
  const items = list.children ?? [];
  let end = list.offset + 1;
  let start = end;
  let made = "";
  for (const [index, { offset, length }] of items.entries()) {
    const between = text.slice(end, offset);
    const gap = /\s*$/.exec(between)?.[0] ?? "";
    const edited = edit(text.slice(offset, offset + length), index, (value) => format(value, gap));
    if (index === 0) start = offset;
    if (edited !== undefined) made += (made === "" ? "" : between) + edited;
    end = offset + length;
  }
  return splice(text, start, end - start, made);
}

/** The text without a field of an object and its comma. */
export function removeField(text: string, path: JSONPath, field: string): string {
  const fields = nodeAt(text, path).children ?? [];
  const index = fields.findIndex((property) => property.children?.[0]?.value === field);
  return removeChild(text, fields, index);
}

/** The text without an item of a list and its comma. */
function removeItem(text: string, path: JSONPath, index: number): string {
  return removeChild(text, nodeAt(text, path).children ?? [], index);
}

function removeChild(text: string, children: readonly Node[], index: number): string {
  const [child, before, after] = [children[index], children[index - 1], children[index + 1]];
  if (!child) return text;
  const end = child.offset + child.length;
  if (before) {
    const start = before.offset + before.length;
    return splice(text, start, end - start, "");
  }
  return splice(text, child.offset, (after?.offset ?? end) - child.offset, "");
}

function nodeAt(text: string, path: JSONPath): Node {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, path);
  if (!node) throw new Error(`there is nothing at ${path.join(".")}`);
  return node;
}

function insertLast(text: string, around: Node, gap: string, content: string): string {
  const last = around.children?.at(-1);
  if (last) return splice(text, last.offset + last.length, 0, `,${gap}${content}`);
  // Empty: the bracket returns to the indentation of its line.
  const outer = gap.includes("\n") ? `${lineEnd(gap)}${lineIndent(text, around.offset)}` : gap;
  return splice(text, around.offset + 1, around.length - 2, `${gap}${content}${outer}`);
}

/**
 * The white space before the last element of a list or object; if it is empty, its own indentation plus two
 * spaces.
 */
function gapBefore(text: string, around: Node): string {
  const last = around.children?.at(-1);
  if (!last) {
    if (!text.includes("\n")) return "";
    const indent = lineIndent(text, around.offset);
    return `${lineEnd(text)}${indent}${unitOf(indent)}`;
  }
  const start = around.children?.at(-2);
  const before = text.slice(start ? start.offset + start.length : around.offset + 1, last.offset);
  return /\s*$/.exec(before)?.[0] ?? "";
}

/** On separate lines if its neighbors are. */
function format(value: unknown, gap: string): string {
  if (!gap.includes("\n") || typeof value !== "object") return JSON.stringify(value);
  const indent = gap.slice(gap.lastIndexOf("\n") + 1);
  const lines = JSON.stringify(value, null, unitOf(indent)).split("\n");
  return lines.join(`${lineEnd(gap)}${indent}`);
}

function unitOf(indent: string): string {
  return indent.startsWith("\t") ? "\t" : "  ";
}

function lineEnd(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function splice(text: string, offset: number, length: number, content: string): string {
  return text.slice(0, offset) + content + text.slice(offset + length);
}

/** `add`: texts to add to a list unless it has them. `remove`: texts to remove from it. */
type TaskChange = {
  set?: Partial<Pick<TodoTask, "status" | "updated_at">>;
  add?: Partial<Record<"files" | "blockers", readonly string[]>>;
  remove?: Partial<Record<"blockers", readonly string[]>>;
};

/** The document with one task changed. Reads only the task's own text, so a long file costs no more. */
export function editTask(document: TodoDocument, id: string, change: TaskChange): TodoDocument {
  const index = document.file.tasks.findIndex((task) => task.id === id);
  const [task, span] = [document.file.tasks[index], document.spans[index]];
  if (!task || !span) throw new Error(`there is no task ${id} in ${document.path}`);
  let text = document.text.slice(span.start, span.end);
  for (const [field, value] of Object.entries(change.set ?? {})) {
    if (value !== undefined && task[field] !== value) text = setField(text, [], field, value);
  }
  const removed = change.remove?.blockers ?? [];
  const isEmptied = removed.length > 0 && task.blockers?.every((value) => removed.includes(value)) === true;
  if (isEmptied && !change.add?.blockers?.length) {
    return replaceTask(document, index, span, addMissing(removeField(text, [], "blockers"), task, change));
  }
  // From the end, so that the remaining indexes stay valid.
  for (const [at, value] of [...(task.blockers ?? []).entries()].reverse()) {
    if (change.remove?.blockers?.includes(value)) text = removeItem(text, ["blockers"], at);
  }
  return replaceTask(document, index, span, addMissing(text, task, change));
}

function addMissing(given: string, task: TodoTask, change: TaskChange): string {
  let text = given;
  for (const field of ["files", "blockers"] as const) {
    const gone = field === "blockers" ? (change.remove?.blockers ?? []) : [];
    const known = (task[field] ?? []).filter((value) => !gone.includes(value));
    const missing = [...new Set(change.add?.[field])].filter((value) => !known.includes(value));
    if (missing.length === 0) continue;
    text = task[field] ? appendItems(text, [field], missing) : setField(text, [], field, missing);
  }
  return text;
}

/** The document with tasks appended to its list. */
export function appendTasks(document: TodoDocument, tasks: readonly TodoTask[]): TodoDocument {
  const text = appendItems(document.text, ["tasks"], tasks);
  const file = { ...document.file, tasks: [...document.file.tasks, ...tasks] };
  return { ...document, text, file, spans: locateTasks(text).tasks };
}

function replaceTask(document: TodoDocument, index: number, span: Span, text: string): TodoDocument {
  const moved = text.length - (span.end - span.start);
  const tasks = [...document.file.tasks];
  tasks[index] = JSON.parse(text);
  const spans = document.spans.map((other, at) => {
    if (at < index || moved === 0) return other;
    return { start: other.start + (at > index ? moved : 0), end: other.end + moved };
  });
  return {
    ...document,
    text: document.text.slice(0, span.start) + text + document.text.slice(span.end),
    file: { ...document.file, tasks },
    spans,
  };
}

/** Fields that the program writes: another version of them loses against a local change. */
const OWN_FIELDS = ["status", "blockers", "files"];

/**
 * The bytes of a to-do file with the changes from `before` to `theirs`: new tasks are appended, changed
 * fields are taken over. Undefined if the file is invalid. Throws `config-invalid` if it is no JSON object.
 */
export async function takeTasks(
  own: Uint8Array,
  from: { path: string; before: readonly TodoTask[] | undefined; theirs: readonly TodoTask[] },
): Promise<Uint8Array | undefined> {
  const reading = await readTodo(own, from.path);
  if (reading.kind !== "valid") return undefined;
  const { document } = reading;
  const was = new Map((from.before ?? []).map((task) => [task.id, task]));
  const there = new Map(from.theirs.map((task) => [task.id, task]));
  const text = editItems(document.text, ["tasks"], (item, index) => {
    const task = document.file.tasks[index];
    const [before, theirs] = [was.get(task?.id ?? ""), there.get(task?.id ?? "")];
    return task && before && theirs ? takeFields(item, { task, before, theirs }) : item;
  });
  const known = new Set(document.file.tasks.map(({ id }) => id));
  const fresh = from.theirs.filter(({ id }) => !known.has(id) && !was.has(id));
  return todoBytes({ ...document, text: appendItems(text, ["tasks"], fresh) });
}

function takeFields(
  item: string,
  { task, before, theirs }: { task: TodoTask; before: TodoTask; theirs: TodoTask },
): string {
  const fields = new Set([...Object.keys(before), ...Object.keys(theirs)]);
  fields.delete("updated_at");
  let text = item;
  for (const field of fields) {
    const [own, was, now] = [task, before, theirs].map((one) => JSON.stringify(one[field]));
    if (now === was || now === own || (own !== was && OWN_FIELDS.includes(field))) continue;
    text =
      theirs[field] === undefined ? removeField(text, [], field) : setField(text, [], field, theirs[field]);
  }
  return text;
}

/**
 * The changes that a summary makes: status, union of files and blockers, `updated_at`, no other field.
 * Applying a summary again changes nothing.
 */
export function changeFor(
  task: TodoTask,
  end: {
    status: TodoStatus;
    files?: readonly string[];
    blockers?: readonly string[];
    /** A blocker that the new ones replace. */
    outdated?: string;
    /** No news: the task gets back its earlier status and time. */
    isRepeated?: true;
  },
  now: string,
): TaskChange {
  const { status, files = [], blockers = [], outdated } = end;
  const isThere = (list: readonly string[] | undefined, value: string) => list?.includes(value) === true;
  const haveFiles = files.every((file) => isThere(task.files, file));
  if (status === "done") return changeWhenDone(task, { ...end, haveFiles }, now);
  const isKnown = haveFiles && blockers.every((blocker) => isThere(task.blockers, blocker));
  if (isKnown && task.status === status) return {};
  if (isKnown && end.isRepeated) return { set: { status } };
  // The newest blocker is last, because readers take the last one for the reason.
  const isNews = status === "blocked" && !blockers.includes(task.blockers?.at(-1) ?? "");
  const again = isNews ? blockers : [];
  const old = outdated === undefined || blockers.includes(outdated) ? again : [outdated, ...again];
  const remove = old.length === 0 ? {} : { remove: { blockers: old } };
  return { set: { status, updated_at: now }, ...remove, add: { files, blockers } };
}

/** A done task has no blockers; if the settings keep summaries out of the list, old blockers stay too. */
function changeWhenDone(
  task: TodoTask,
  {
    files = [],
    blockers,
    haveFiles,
    isRepeated,
  }: Pick<Parameters<typeof changeFor>[1], "files" | "blockers" | "isRepeated"> & { haveFiles: boolean },
  now: string,
): TaskChange {
  const gone = blockers === undefined ? [] : (task.blockers ?? []);
  if (haveFiles && (task.status === "done" || (isRepeated && gone.length === 0))) {
    return task.status === "done" ? {} : { set: { status: "done" } };
  }
  const remove = gone.length === 0 ? {} : { remove: { blockers: gone } };
  return { set: { status: "done", updated_at: now }, ...remove, add: { files } };
}
