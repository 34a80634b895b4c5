// `/retry <task>`: a person has a task tried again.
import { isOpen } from "../session/state.ts";
import { findTask } from "./document.ts";
import { editTask } from "./edit.ts";
import { change, notify, refresh, type TodoRun } from "./todo-run.ts";

/** Sets a task back, done or not; its open attempt and its questions end. It is the first to be chosen. */
export async function setBack(run: TodoRun, taskId: string): Promise<void> {
  if (!findTask((await refresh(run)).document, taskId)) {
    const message = `There is no task ${JSON.stringify(taskId)} in ${run.settings.todo} any more.`;
    return notify(run, "warning", message);
  }
  if (isOpen(run.journal.state.tasks.get(taskId))) {
    const payload = { taskId, reason: "it is tried again", at: run.ports.clock.now().toISOString() };
    await run.journal.append({ store: "events", type: "TaskCanceled", payload });
  }
  await change(run, (document) => editTask(document, taskId, { set: { status: "todo" } }));
  run.first = taskId;
}
