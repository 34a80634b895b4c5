// Runs what is due in a session: independent tasks at the same time (bounded), dependent ones in order.
import { stoppedBySignal } from "../agent/limits.ts";
import { modelFailure, type Outcome } from "../agent/outcome.ts";
import type { TaskGroup } from "./group-tasks.ts";
import { settleOpenTasks } from "./open-tasks.ts";
import { orchestrate } from "./orchestrate.ts";
import type { ContentSettings } from "./ports.ts";
import { runTask } from "./run-task.ts";
import { isReady, type SessionRun } from "./session-run.ts";

/** Tasks of one session at once. */
const TASKS_AT_ONCE = 4;

/** Runs the groups and returns one outcome for the session: failed > waiting > stopped > completed. */
export async function runSession(
  run: SessionRun,
  groups: readonly TaskGroup[],
  settings: Pick<ContentSettings, "orchestration" | "force">,
): Promise<Outcome> {
  await settleOpenTasks(run, groups, settings);
  const outcomes = new Map<TaskGroup, Outcome>();
  if (settings.orchestration === "agent") {
    const led = await orchestrate(run, groups, outcomes).catch(modelFailure);
    if (led.kind !== "completed") return led;
  }
  // Whoever led, the program runs what is still due.
  await runGroups(run, groups, outcomes);
  const { signal } = run.session;
  if (signal.aborted && outcomes.size < groups.length) return stoppedBySignal(signal);
  return worstOf([...outcomes.values()]);
}

/** The outcome that counts for several. */
function worstOf(outcomes: readonly Outcome[]): Outcome {
  for (const kind of ["failed", "waiting", "stopped"] as const) {
    const found = outcomes.find((outcome) => outcome.kind === kind);
    if (found) return found;
  }
  return { kind: "completed", text: "" };
}

async function runGroups(
  run: SessionRun,
  groups: readonly TaskGroup[],
  outcomes: Map<TaskGroup, Outcome>,
): Promise<void> {
  const running = new Map<TaskGroup, Promise<void>>();
  const errors: unknown[] = [];
  const isStopped = () => run.session.signal.aborted || errors.length > 0;
  const start = async (group: TaskGroup): Promise<void> => {
    try {
      outcomes.set(group, await runTask(run, group));
    } catch (error) {
      errors.push(error);
    } finally {
      running.delete(group);
    }
  };
  for (;;) {
    for (const group of groups) {
      if (running.size >= TASKS_AT_ONCE || isStopped()) break;
      if (outcomes.has(group) || running.has(group) || !isReady(run, group)) continue;
      running.set(group, start(group));
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (errors.length > 0) throw errors[0];
}
