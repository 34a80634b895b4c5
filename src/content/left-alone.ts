// Sessions that a run looks at and does not go on with: a person must answer first, or a person ended them.

import { waitsForConflict } from "../session/conflict.ts";
import { isWaiting } from "../session/session-view.ts";
import { isOpen, type State } from "../session/state.ts";
import { groupTasks } from "./group-tasks.ts";
import type { PlannedSession } from "./open-session.ts";
import { isReady } from "./session-run.ts";

/** Why the task that makes this output failed, as it was recorded. */
export function failureCodeOf(state: State | undefined, output: string): string {
  const task = [...(state?.tasks.values() ?? [])].findLast(({ outputs }) => outputs.includes(output));
  // Only a model that can't be reached fails a step whose conversation may still go on.
  if (isOpen(task)) return "model-failed";
  return task?.failures.at(-1) ?? "invalid-artifact";
}

/** True where all that could run now waits for a person, so that a run would only find that out. */
export function onlyWaits(planned: PlannedSession, state: State): boolean {
  if (waitsForConflict(state)) return true;
  if (planned.isSourceChanged || planned.adopted.size > 0) return false;
  const open = [...state.tasks.values()].filter(isOpen);
  if (open.length === 0 || !open.every((task) => isWaiting(state, task))) return false;
  const begun = new Set(open.flatMap((task) => task.outputs));
  return groupTasks(planned.pipeline, planned.plans, open).every(
    (group) => !isReady(planned, group) || group.outputs.every((output) => begun.has(output)),
  );
}
