// Edits in the source text of a to-do file: what is not meant stays byte for byte.
import type { TodoDocument } from "./document.ts";
import { appendItems, removeItem, setField } from "./edit-text.ts";
import { locateTasks, type Span } from "./locate.ts";
import type { TodoTask } from "./schema.ts";

/** `add`: texts that a list shall have; those that it has are left alone. `remove`: texts that it shall not have any more. */
export type TaskChange = {
  set?: Partial<Pick<TodoTask, "status" | "updated_at">>;
  add?: Partial<Record<"files" | "blockers", readonly string[]>>;
  remove?: Partial<Record<"blockers", readonly string[]>>;
};

/** The document with one task changed. Only the task's own text is looked at, so a long file costs no more. */
export function editTask(document: TodoDocument, id: string, change: TaskChange): TodoDocument {
  const index = document.file.tasks.findIndex((task) => task.id === id);
  const [task, span] = [document.file.tasks[index], document.spans[index]];
  if (!task || !span) throw new Error(`there is no task ${id} in ${document.path}`);
  let text = document.text.slice(span.start, span.end);
  for (const [field, value] of Object.entries(change.set ?? {})) {
    if (value !== undefined && task[field] !== value) text = setField(text, [], field, value);
  }
  // From the end, so that what is left keeps its place.
  for (const [at, value] of [...(task.blockers ?? []).entries()].reverse()) {
    if (change.remove?.blockers?.includes(value)) text = removeItem(text, ["blockers"], at);
  }
  for (const field of ["files", "blockers"] as const) {
    const gone = field === "blockers" ? (change.remove?.blockers ?? []) : [];
    const known = (task[field] ?? []).filter((value) => !gone.includes(value));
    const missing = [...new Set(change.add?.[field])].filter((value) => !known.includes(value));
    if (missing.length === 0) continue;
    text = task[field] ? appendItems(text, [field], missing) : setField(text, [], field, missing);
  }
  return replaceTask(document, index, span, text);
}

/** The document with tasks put at the end of its list. */
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
