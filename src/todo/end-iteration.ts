// Ends an iteration: the file, then whoever keeps it (the Action commits), then the event. Only here does a task get its
// state. Who only watches comes after that: a hook may take its time.
import { asOne } from "../agent/as-one.ts";
import { messageOf } from "../errors.ts";
import { textOf } from "../session/message.ts";
import { isOpen, type TaskState } from "../session/state.ts";
import { findTask } from "./document.ts";
import { editTask } from "./edit.ts";
import { judgeEnd, type TaskEnd } from "./judge-end.ts";
import { observeIteration } from "./observe-iteration.ts";
import type { Iteration } from "./run-iteration.ts";
import type { TodoTask } from "./schema.ts";
import { changeFor } from "./summary.ts";
import { taskDigest } from "./task-digest.ts";
import { change, notify, refresh, type TodoRun } from "./todo-run.ts";

/** Applies how an iteration ended. The same end applied again, after a crash, changes nothing. */
export async function endIteration(run: TodoRun, task: TodoTask, iteration: Iteration): Promise<TaskEnd> {
  const { state, agent, number } = iteration;
  if (iteration.outcome.kind === "waiting" || iteration.outcome.kind === "stopped") {
    throw new Error(`the iteration of ${task.id} has not ended`);
  }
  const end = judgeEnd(run.journal.state.tasks.get(task.id) ?? state, redacted(run, iteration.outcome));
  await recordEnd(run, task, end);
  if (end.label === "skipped") run.tried.skipped.add(task.id);
  if (end.status === "blocked") run.tried.blocked.add(task.id);
  run.failures = end.isAgentError ? run.failures + 1 : 0;
  const isDone = end.label === "done" || end.label === "skipped";
  const { summary } = state;
  const [said = ""] = end.message.split("\n");
  const message = end.label === "skipped" ? `skipped${said && `: ${said}`}` : said;
  observeIteration(run, task, iteration, {
    status: isDone ? "completed" : "failed",
    ...(message ? { message } : {}),
    ...(summary ? { summary } : { errorCode: errorOf(iteration.outcome) }),
  });
  const last = await keepLast(run, number, {
    iteration: number,
    taskId: task.id,
    agent: agent.name,
    status: end.label,
    message: lastText(run, iteration),
    summary: summary ?? null,
  });
  const failed = await run.ports.log.runHook([task.id, end.label, last, `iteration-${number}`]);
  if (failed !== undefined) notify(run, "warning", `The hook failed, which changes nothing: ${failed}`);
  return end;
}

/** The path of what was kept; empty where that can't be written, which ends no run: it is for who watches. */
async function keepLast(run: TodoRun, number: number, message: unknown): Promise<string> {
  try {
    return await run.ports.log.keepLast(number, message);
  } catch (error) {
    const what = `The last message of iteration ${number} was not kept, which changes nothing`;
    notify(run, "warning", `${what}: ${messageOf(error)}`);
    return "";
  }
}

/** Why there is no summary. */
function errorOf(outcome: Iteration["outcome"]): string {
  return outcome.kind === "failed" ? outcome.reasonCode : "model-failed";
}

/**
 * The file, the commit, the event. On a runner one checkpoint holds all three or none; on a disk that stays, the next run
 * does what is missing. The commit before the event: where it fails, nothing says that the task ended.
 */
async function recordEnd(run: TodoRun, task: TodoTask, end: TaskEnd): Promise<void> {
  await asOne(run.ports.host, async () => {
    await applyEnd(run, task.id, end);
    await tellHost(run, task, end);
    await run.journal.append(end.event);
  });
  if (end.label === "todo" || end.label === "blocked") {
    notify(run, "warning", `${task.id} is ${end.status}: ${end.message}`);
  }
}

async function applyEnd(run: TodoRun, taskId: string, end: TaskEnd): Promise<void> {
  const { status, isRepeated } = end;
  const bare = { status, ...(isRepeated ? { isRepeated } : {}) };
  const fields = run.settings.applySummary || end.isAgentError ? end : bare;
  const now = run.ports.clock.now().toISOString();
  await change(run, (document) => {
    const task = findTask(document, taskId);
    return task ? editTask(document, taskId, changeFor(task, fields, now)) : document;
  });
}

/**
 * Attempts that an earlier run left open. What was reported is applied; what no longer is what it was begun from is
 * canceled. All else goes on when its task is chosen.
 */
export async function settleOpenTasks(run: TodoRun): Promise<void> {
  const { document } = await refresh(run);
  for (const state of [...run.journal.state.tasks.values()]) {
    if (!isOpen(state) || state.outputs.length > 0) continue;
    const { taskId } = state;
    const task = findTask(document, taskId);
    if (state.summary) {
      const end = judgeEnd(state, { kind: "completed", text: "" });
      if (task) await recordEnd(run, task, end);
      else await run.journal.append(end.event);
      continue;
    }
    const reason = whyAnew(task, state);
    if (reason === undefined) continue;
    await run.journal.append({ store: "events", type: "TaskCanceled", payload: { taskId, reason } });
  }
}

/** Why an attempt that is open can't go on: it was begun from something else. */
export function whyAnew(
  task: TodoTask | undefined,
  { from, inputs }: Pick<TaskState, "from" | "inputs">,
): string | undefined {
  if (!task) return "the task is gone";
  if (taskDigest(task) !== inputs.source) return "the task was changed";
  return task.status === "doing" || task.status === from ? undefined : `the task is ${task.status} now`;
}

/** What a provider says of its failure gets into the list, and is compared with what was stored of it. */
function redacted<T extends Iteration["outcome"]>({ journal }: TodoRun, outcome: T): T {
  return outcome.kind === "failed" ? { ...outcome, message: journal.redact(outcome.message) } : outcome;
}

function lastText(run: TodoRun, { state }: Iteration): string {
  const { messages } = run.journal.conversation(state.conversationId);
  const last = messages.findLast((message) => message.role === "assistant");
  return last ? textOf(last) : "";
}

function tellHost(run: TodoRun, task: TodoTask, end: TaskEnd): Promise<void> {
  const { label, message: said } = end;
  const status = label === "done" ? "completed" : "failed";
  const { sessionId } = run.journal;
  const repeated = end.isRepeated ? { repeatedIn: run.settings.todo } : {};
  const todo = { label, tags: task.tags ?? [], said, ...repeated };
  return run.ports.host.taskEnded({
    ...{ sessionId, folder: "", title: task.title, outputs: [task.id], status, todo },
  });
}
