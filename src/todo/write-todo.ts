// What `writeArtifact("to-do")` does in bootstrap, repair and review: the file changes only if all of it is valid.

import { formatDiagnostic } from "../config/diagnostics.ts";
import { findUnsoundJson } from "../config/json-limits.ts";
import { formatProblem } from "../config/problem.ts";
import { hashContent } from "../session/hash.ts";
import { isObject } from "../session/json.ts";
import {
  type BrokenTodo,
  dependencyDiagnostics,
  readTodo,
  type TodoDocument,
  todoBytes,
} from "./document.ts";
import { appendTasks } from "./edit.ts";
import { findLost, mergeRepair, type RemovedTask } from "./repair.ts";
import type { TodoTask } from "./schema.ts";
import { type StoredTodo, writeWhole } from "./todo-file.ts";
import { notify, refresh, type TodoRun } from "./todo-run.ts";

/** `hint`: what to do about the problems. */
export type Written = { ok: true; stored: StoredTodo; said: string } | { ok: false; problems: string[] };

const CHANGED = "the file was changed by somebody else meanwhile: read it and send your value again";

/** A first list. Refused when there is a file by now. */
export async function writeFirst(run: TodoRun, sent: unknown): Promise<Written> {
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

/** New tasks at the end. What stands there stays as it is, whatever was sent of it. */
export async function writeNewTasks(run: TodoRun, sent: unknown): Promise<Written> {
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

/** A repaired list. Tasks may go only where `removed_tasks` says so; the broken file is kept beside it. */
export async function writeRepaired(
  run: TodoRun,
  broken: BrokenTodo & { bytes: Uint8Array },
  sent: unknown,
): Promise<Written> {
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
  // Two of one field, for instance, can't be mended where they stand.
  const { document } = "document" in merged ? merged : read;
  const current = await workspace.read(broken.path);
  if (!current || Buffer.compare(current, broken.bytes) !== 0) return { ok: false, problems: [CHANGED] };
  const aside = asideOf(broken);
  await writeWhole(workspace, aside, broken.bytes);
  for (const { id, reason } of removed) notify(run, "warning", `The repair removed ${id}: ${reason}`);
  notify(run, "info", `${broken.path} was repaired; as it was before, it is in ${aside}.`);
  return write(run, document, "The list is repaired.");
}

/** Named after what is in it, so that a repair that is made again keeps it once. */
function asideOf({ path, bytes }: { path: string; bytes: Uint8Array }): string {
  return `${path.replace(/\.json$/, "")}.broken-${hashContent(bytes).slice(0, 8)}.json`;
}

async function write(run: TodoRun, document: TodoDocument, said: string): Promise<Written> {
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
