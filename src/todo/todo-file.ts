// The to-do file on disk: read as it stands, written as a whole, never over somebody else's change.
import { LoopliaError, messageOf } from "../errors.ts";
import type { Workspace } from "../ports.ts";
import { readTodo, type TodoDocument, type TodoReading, todoBytes } from "./document.ts";

type Files = Pick<Workspace, "read" | "writeAtomic">;

/** A document together with the bytes that it was read from. */
export type StoredTodo = { document: TodoDocument; bytes: Uint8Array };

/** What stands at `path`, or undefined. Throws `config-invalid` for what is no JSON object. */
export async function loadTodo(
  files: Files,
  path: string,
): Promise<(TodoReading & { bytes: Uint8Array }) | undefined> {
  const bytes = await files.read(path);
  return bytes && { ...(await readTodo(bytes, path)), bytes };
}

/**
 * Writes an edited document durably, or answers "changed" and writes nothing when the file is no longer what was read.
 * Throws `config-invalid` for a document that has lost a task.
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

/** Writes the file durably. Throws `host-failed` where the disk refuses. */
export async function writeWhole(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  await files.writeAtomic(path, bytes).catch((cause: unknown) => {
    const hint = "Make room there or make its place writable, and run again.";
    throw new LoopliaError("host-failed", `${path} was not written: ${messageOf(cause)}`, { hint, cause });
  });
}

/** The text itself is asked: what an edit believes does not count. */
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
