// After a person ended the session: what was under way is not done, and the list must not say for ever that somebody is
// at it.
import { asOne } from "../agent/as-one.ts";
import type { SessionView } from "../session/session-view.ts";
import { findTask } from "./document.ts";
import { editTask } from "./edit.ts";
import type { TaskStatus, TodoTask } from "./schema.ts";
import { change, type Editing, refresh } from "./todo-run.ts";

/**
 * Puts tasks that the session had begun back to the state that they had before. What their agents changed stays. Nothing
 * happens where the session was not canceled.
 */
export async function putBackCanceled(
  run: Editing,
  { sessionId, state }: Pick<SessionView, "sessionId" | "state">,
): Promise<void> {
  const { canceled } = state;
  if (!canceled) return;
  const { tasks } = (await refresh(run)).document.file;
  for (const task of tasks.filter(({ id, status }) => status === "doing" && isCanceled(state, id))) {
    const status = statusBefore(state, task);
    await asOne(run.ports.host, async () => {
      await change(run, (now) =>
        findTask(now, task.id) ? editTask(now, task.id, { set: { status } }) : now,
      );
      await run.ports.host.taskEnded({
        ...{ sessionId, folder: "", title: task.title, outputs: [task.id], status: "failed" },
        todo: { label: "todo", tags: task.tags ?? [], said: canceled.reason },
      });
    });
    const message = `${task.id} is ${status} again: ${canceled.reason}`;
    run.ports.observe({ type: "notice", level: "info", message, sessionId });
  }
}

function isCanceled({ tasks }: SessionView["state"], id: string): boolean {
  return tasks.get(id)?.status === "canceled";
}

function statusBefore({ tasks }: SessionView["state"], { id }: TodoTask): TaskStatus {
  return tasks.get(id)?.from === "blocked" ? "blocked" : "todo";
}
