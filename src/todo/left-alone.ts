// Lists that a run looks at and does not go on with: a person must answer first, or a person ended it.
import { isWaiting } from "../session/session-view.ts";
import { isOpen, type State } from "../session/state.ts";
import { putBackCanceled } from "./after-cancel.ts";
import { findTask, type TodoDocument } from "./document.ts";
import { whyAnew } from "./end-iteration.ts";
import { isProjectDone, selectTask } from "./select.ts";
import { describeTasks, type Standing, type TasksEnd, type TasksResult, whatIsLeft } from "./tasks-result.ts";
import type { Editing } from "./todo-run.ts";

/** True where what is under way waits for a person, so that a run would only find that out. */
export function onlyWaits(state: State, document: TodoDocument): boolean {
  const open = [...state.tasks.values()].filter(isOpen);
  if (open.length === 0 || !open.every((task) => isWaiting(state, task))) return false;
  return open.every(
    (task) => task.outputs.length > 0 || whyAnew(findTask(document, task.taskId), task) === undefined,
  );
}

/** Tells how the list stands; of a session that was canceled meanwhile nothing stays under way. */
export async function leaveAlone(run: Editing, standing: Standing): Promise<TasksResult> {
  const { view, sessionId, file } = standing;
  if (!view || !file || run.settings.dryRun) return tellTasks(standing);
  await putBackCanceled(run, { sessionId, state: view.state });
  return tellTasks({ ...standing, file: run.stored?.document.file ?? file });
}

/** How the list stands; nothing is run. */
export function tellTasks(standing: Standing): TasksResult {
  const told = describeTasks(endOf(standing), standing);
  const { canceled } = standing.view?.state ?? {};
  if (canceled) return { ...told, status: "ignored", reasonCode: "closed", message: canceled.reason };
  return told.interactions.length > 0 ? { ...told, status: "waiting", reasonCode: "open-questions" } : told;
}

function endOf({ file, path }: Standing): TasksEnd {
  if (!file) return { status: "stopped", reasonCode: "interrupted", message: `${path} is not there yet` };
  const { tasks } = file;
  if (isProjectDone(tasks) || tasks.every(({ status }) => status === "done")) {
    return { status: "completed", reasonCode: "up-to-date" };
  }
  const blocked = new Set(tasks.filter(({ status }) => status === "blocked").map(({ id }) => id));
  const isStuck = selectTask(tasks, { blocked, skipped: new Set() }).kind === "stuck";
  const message = whatIsLeft(tasks);
  return { status: "stopped", reasonCode: isStuck ? "blocked-tasks" : "interrupted", message };
}
