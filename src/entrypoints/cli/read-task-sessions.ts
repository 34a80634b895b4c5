// The sessions of to-do files as their stores tell them: no lock, no change.
import { LoopliaError } from "../../errors.ts";
import type { LoadedSession } from "../../ports.ts";
import { viewSession } from "../../session/session-view.ts";
import { isOpen, openInteractions, type TaskState } from "../../session/state.ts";
import type { DamagedSession, SessionReport } from "./read-sessions.ts";

/** `source`: the to-do file. A session that can't be read is told as damaged. */
export async function readTaskSessions(
  ids: readonly string[],
  readStores: (sessionId: string) => Promise<LoadedSession | undefined>,
  source: string,
): Promise<{ sessions: SessionReport[]; damaged: DamagedSession[] }> {
  const sessions: SessionReport[] = [];
  const damaged: DamagedSession[] = [];
  for (const sessionId of ids) {
    try {
      const stored = await readStores(sessionId);
      if (stored) sessions.push(reportOf(sessionId, stored, source));
    } catch (thrown) {
      if (!(thrown instanceof LoopliaError)) throw thrown;
      const { message, hint } = thrown;
      damaged.push({ sessionId, status: "damaged", message, ...(hint === undefined ? {} : { hint }) });
    }
  }
  return { sessions, damaged };
}

function reportOf(sessionId: string, stored: LoadedSession, source: string): SessionReport {
  const { state, totals } = viewSession(sessionId, stored);
  const tasks = [...state.tasks.values()];
  const interactions = openInteractions(state);
  const isUnfinished = tasks.some(isOpen);
  const hasFailed = tasks.some((task) => task.status === "failed");
  const day = /\d{4}-\d\d-\d\d/.exec(sessionId)?.[0] ?? "";
  return {
    sessionId,
    source,
    pipeline: "tasks",
    status:
      interactions.length > 0 ? "waiting" : isUnfinished ? "unfinished" : hasFailed ? "failed" : "completed",
    createdAt: day,
    updatedAt: day,
    steps: tasks.map((task) => ({ output: task.taskId, status: statusOf(task) })),
    interactions,
    totals,
  };
}

function statusOf(task: TaskState): string {
  return isOpen(task) ? "in_progress" : task.status;
}
