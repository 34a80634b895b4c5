// The sessions of to-do files as their stores tell them: no lock, no change.
import { LoopliaError } from "../../errors.ts";
import type { LoadedSession } from "../../ports.ts";
import { viewSession } from "../../session/session-view.ts";
import { endOf, isOpen, openInteractions, type TaskState } from "../../session/state.ts";
import type { DamagedSession, SessionReport } from "./read-sessions.ts";

/** Sessions and their to-do files: where one isn't known it is `todo`. What can't be read is told as damaged. */
export async function readTaskSessions(
  listed: readonly { sessionId: string; source: string | undefined }[],
  readStores: (sessionId: string) => Promise<LoadedSession | undefined>,
  { todo, isDone }: { todo: string; isDone(source: string): Promise<boolean> },
): Promise<{ sessions: SessionReport[]; damaged: DamagedSession[] }> {
  const sessions: SessionReport[] = [];
  const damaged: DamagedSession[] = [];
  for (const { sessionId, source = todo } of listed) {
    try {
      const stored = await readStores(sessionId);
      if (stored) sessions.push(reportOf({ sessionId, source, isDone: await isDone(source) }, stored));
    } catch (thrown) {
      if (!(thrown instanceof LoopliaError)) throw thrown;
      const { message, hint } = thrown;
      damaged.push({ sessionId, status: "damaged", message, ...(hint === undefined ? {} : { hint }) });
    }
  }
  return { sessions, damaged };
}

function reportOf(
  { sessionId, source, isDone }: { sessionId: string; source: string; isDone: boolean },
  stored: LoadedSession,
): SessionReport {
  const { state, totals } = viewSession(sessionId, stored);
  const tasks = [...state.tasks.values()];
  const interactions = openInteractions(state);
  const day = /\d{4}-\d\d-\d\d/.exec(sessionId)?.[0] ?? "";
  return {
    sessionId,
    source,
    pipeline: "tasks",
    // A blocked task is tried again: it ends no list.
    status: interactions.length > 0 ? "waiting" : isDone ? "completed" : "unfinished",
    createdAt: day,
    updatedAt: day,
    steps: tasks.map((task) => ({ output: task.taskId, status: statusOf(task) })),
    interactions,
    totals,
  };
}

function statusOf(task: TaskState): string {
  return isOpen(task) ? "in_progress" : endOf(task);
}
