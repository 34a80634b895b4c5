// Tasks that an earlier run left open: which may go on in their conversation, and which begin anew.
import { isOpen, type TaskState } from "../session/state.ts";
import { recordCompletion } from "./end-task.ts";
import type { TaskGroup } from "./group-tasks.ts";
import { withDependents } from "./manifest.ts";
import type { ContentSettings } from "./ports.ts";
import { findChangedArtifact } from "./read-artifacts.ts";
import type { SessionRun } from "./session-run.ts";

type Lead = Pick<ContentSettings, "orchestration" | "force">;

/** Completes what was marked but for its event, and cancels what can't go on: its questions are closed. */
export async function settleOpenTasks(
  run: SessionRun,
  groups: readonly TaskGroup[],
  settings: Lead,
): Promise<void> {
  const { journal } = run.session;
  for (const task of [...journal.state.tasks.values()]) {
    if (!isOpen(task)) continue;
    const isStanding = task.outputs.every((name) => run.manifest.steps.get(name)?.status === "completed");
    if (task.outputs.length > 0 && isStanding) {
      await recordCompletion(run, task);
      continue;
    }
    const reason = await whyAnew(run, groups, settings, task);
    if (reason === undefined) continue;
    const { taskId } = task;
    await journal.append({ store: "events", type: "TaskCanceled", payload: { taskId, reason } });
  }
}

/**
 * Why an open task can't go on as it was begun, as a piece of a sentence; undefined when it can. A task without outputs
 * is the main agent's.
 */
export async function whyAnew(
  run: SessionRun,
  groups: readonly TaskGroup[],
  settings: Lead,
  task: TaskState,
): Promise<string | undefined> {
  if (task.inputs.source !== run.item.sourceHash) return "the source changed";
  if (task.outputs.length === 0) {
    return settings.orchestration === "agent" ? undefined : "the program leads the session now";
  }
  const own = new Set(task.outputs);
  const outputs = run.pipeline.outputs.filter((output) => own.has(output.name));
  if (outputs.length < own.size) return "the pipeline has no such step any more";
  if (outputs.some((output) => output.agent !== task.agent)) return "its step has another agent now";
  if (settings.force?.some((name) => own.has(name))) return "its step is forced to run again";
  const apart = groups.find(
    (group) => group.taskId !== task.taskId && group.outputs.some((name) => own.has(name)),
  );
  if (apart) return "its steps are no longer due together";
  const again = withDependents(
    run.pipeline,
    groups.flatMap((group) => group.outputs),
  );
  const required = outputs
    .flatMap((output) => output.requires)
    .find((name) => again.has(name) && !own.has(name));
  if (required !== undefined) return `it was begun from ${required}, which runs again`;
  const edited = outputs.flatMap((output) => output.requires).find((name) => task.editedSince?.has(name));
  if (edited !== undefined && !own.has(edited))
    return `it was begun from ${edited}, which a person edited since`;
  const changed = await findChangedArtifact(run, task);
  return changed && `${changed} was changed after it was accepted`;
}
