// A person's push may take the place of what the program wrote of the list (in a conflict theirs stands). How tasks ended
// is on record: it is written again, once for each such push, so that nothing is done twice.
import { isOpen, type TaskState } from "../session/state.ts";
import { findTask, type TodoDocument } from "./document.ts";
import { editTask } from "./edit.ts";
import { judgeEnd } from "./judge-end.ts";
import { changeFor } from "./summary.ts";
import { taskDigest } from "./task-digest.ts";
import { change, notify, refresh, type TodoRun } from "./todo-run.ts";

/** Tasks that their version knows as not ended, in the words that their agent had, are ended again. */
export async function reapplyEnds(run: TodoRun): Promise<void> {
  const { ports, settings, journal } = run;
  const known = journal.state.reapplied;
  const commits = (ports.host.overruled?.(settings.todo) ?? []).filter((commit) => !known?.has(commit));
  if (commits.length === 0) return;
  const { document } = await refresh(run);
  const lost = [...journal.state.tasks.values()].filter((state) => isLost(document, state));
  const now = ports.clock.now().toISOString();
  for (const state of lost) {
    const end = judgeEnd(state, { kind: "completed", text: "" });
    const fields = settings.applySummary ? end : { status: end.status };
    await change(run, (current) => {
      const task = findTask(current, state.taskId);
      return task ? editTask(current, task.id, changeFor(task, fields, now)) : current;
    });
  }
  await journal.append({ store: "events", type: "EndsReapplied", payload: { commits } });
  if (lost.length === 0) return;
  const ids = lost.map(({ taskId }) => taskId).join(", ");
  notify(run, "info", `${settings.todo} is as it was pushed, and says again how these ended: ${ids}.`);
}

function isLost(document: TodoDocument, state: TaskState): boolean {
  const task = findTask(document, state.taskId);
  if (!task || isOpen(state) || state.summary?.task_id !== task.id) return false;
  if (taskDigest(task) !== state.inputs.source) return false;
  return task.status === "doing" || task.status === state.from;
}
