// The task list as it stands on disk, for commands that only look.
import { type Diagnostic, formatDiagnostic } from "../../config/diagnostics.ts";
import { LoopliaError } from "../../errors.ts";
import type { TrustedFiles } from "../../ports.ts";
import type { TodoTask } from "../../todo/schema.ts";

export const STATUSES = ["todo", "doing", "blocked", "done"] as const satisfies readonly TodoTask["status"][];

/** Undefined: there is no such file. `diagnostics`: everything that is wrong; then `tasks` is empty or not to be run. */
export type TaskList = { tasks: TodoTask[]; diagnostics: Diagnostic[] };

/** Throws LoopliaError `config-invalid` for what is no JSON object. */
export async function readTasks(files: TrustedFiles, path: string): Promise<TaskList | undefined> {
  const text = await files.read(path);
  if (text === undefined) return undefined;
  const { dependencyDiagnostics, readTodo } = await import("../../todo/document.ts");
  const reading = await readTodo(new TextEncoder().encode(text), path);
  if (reading.kind === "broken") return { tasks: [], diagnostics: reading.broken.diagnostics };
  const { document } = reading;
  return { tasks: document.file.tasks, diagnostics: dependencyDiagnostics(document) };
}

/** True for a list that ends with the end marker. One that can't be read is not done. */
export async function isListDone(files: TrustedFiles, path: string): Promise<boolean> {
  const list = await readTasks(files, path).catch(() => undefined);
  if (!list) return false;
  const { isProjectDone } = await import("../../todo/select.ts");
  return isProjectDone(list.tasks);
}

/** As `readTasks`, but the list must be there and valid by its schema. */
export async function requireTasks(files: TrustedFiles, path: string): Promise<TodoTask[]> {
  const list = await readTasks(files, path);
  if (!list) {
    throw new LoopliaError("config-invalid", `There is no task list ${path}.`, {
      hint: "name another with --todo",
    });
  }
  if (list.tasks.length > 0 || list.diagnostics.length === 0) return list.tasks;
  throw new LoopliaError("config-invalid", list.diagnostics.map(formatDiagnostic).join("\n"));
}

/** `3 todo, 1 doing, 0 blocked, 8 done` */
export function countTasks(tasks: readonly Pick<TodoTask, "status">[]): string {
  const count = (status: string) => `${tasks.filter((task) => task.status === status).length} ${status}`;
  return STATUSES.map(count).join(", ");
}
