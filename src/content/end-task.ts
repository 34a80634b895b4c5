// Ends a task: the manifest first, then the event, then whoever watches. Only here is a step marked. On a runner one
// checkpoint holds all of it, the commit as well.
import { asOne } from "../agent/as-one.ts";
import type { TaskState } from "../session/state.ts";
import { inputsHashOf } from "./inputs.ts";
import type { StepState } from "./manifest.ts";
import { SCHEMA_VERSION } from "./schema-version.ts";
import { type SessionRun, saveSteps } from "./session-run.ts";

/** Marks all outputs of a task completed in one write. */
export async function completeTask(run: SessionRun, task: TaskState): Promise<void> {
  const completedAt = run.session.clock.now().toISOString();
  const hashes = new Map<string, string>();
  for (const [name, step] of run.manifest.steps) if (step.contentHash) hashes.set(name, step.contentHash);
  for (const [name, contentHash] of task.accepted) hashes.set(name, contentHash);
  const changes = new Map<string, StepState>();
  for (const name of task.outputs) {
    const inputsHash = inputsHashOf(run.pipeline, name, task.inputs, hashes);
    const contentHash = hashes.get(name) ?? "";
    changes.set(name, {
      status: "completed",
      contentHash,
      inputsHash,
      completedAt,
      schemaVersion: SCHEMA_VERSION,
    });
  }
  await asOne(run.session.host, async () => {
    await saveSteps(run, changes);
    await noteCompletion(run, task);
  });
}

/** The event for a task whose run was killed when the manifest was written. */
export function recordCompletion(run: SessionRun, task: TaskState): Promise<void> {
  return asOne(run.session.host, () => noteCompletion(run, task));
}

async function noteCompletion(run: SessionRun, task: TaskState): Promise<void> {
  await run.session.journal.append({
    store: "events",
    type: "TaskCompleted",
    payload: { taskId: task.taskId },
  });
  observeSteps(run, task, "completed");
  await tellHost(run, task, "completed");
}

/** Ends the attempt: a later run begins the task anew. */
export async function failTask(
  run: SessionRun,
  task: TaskState,
  reasonCode: string,
  message: string,
): Promise<void> {
  const { taskId } = task;
  const payload = { taskId, reasonCode, message };
  await asOne(run.session.host, async () => {
    await run.session.journal.append({ store: "events", type: "TaskFailed", payload });
    await noteFailure(run, task, message);
  });
}

/** Marks the steps failed; the attempt itself may still go on in a later run. */
export function markFailed(run: SessionRun, task: TaskState, message: string): Promise<void> {
  return asOne(run.session.host, () => noteFailure(run, task, message));
}

async function noteFailure(run: SessionRun, task: TaskState, message: string): Promise<void> {
  const errorMessage = run.session.journal.redact(message);
  await saveSteps(run, new Map(task.outputs.map((output) => [output, { status: "failed", errorMessage }])));
  observeSteps(run, task, "failed", message);
  await tellHost(run, task, "failed");
}

/** Tells the observer about each step of a task. */
export function observeSteps(
  run: SessionRun,
  task: TaskState,
  status: "started" | "completed" | "failed" | "waiting",
  message?: string,
): void {
  for (const output of task.outputs) {
    const { sessionId } = run;
    const said = message === undefined ? {} : { message };
    run.session.observe({ type: "step", sessionId, output, agent: task.agent, status, ...said });
  }
}

function tellHost(run: SessionRun, task: TaskState, status: "completed" | "failed"): Promise<void> {
  const { sessionId, folder, item } = run;
  return run.session.host.taskEnded({ sessionId, folder, title: item.title, outputs: task.outputs, status });
}
