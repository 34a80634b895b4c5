// How attempts at to-do tasks end, now or when a run finds them later.
import { cancelAttempt, type Ending, recordEnd } from "../agent/attempt.ts";
import type { Journal, Outcome } from "../agent/session.ts";
import { messageOf } from "../core/errors.ts";
import { type DomainEvent, messageText, type TaskSummary } from "../core/events.ts";
import type { TodoEnd } from "../core/ports.ts";
import { isOpen, TASK_CHANGED, type TaskState } from "../core/state.ts";
import { findTask, type TodoDocument, type TodoStatus, type TodoTask, taskDigest } from "./document.ts";
import { changeFor } from "./edit.ts";
import {
  changeTask,
  notify,
  notifyRemoval,
  observeIteration,
  refresh,
  TASK_GONE,
  type TaskAgent,
  type TodoRun,
} from "./run-state.ts";

// The status of a task after an attempt: from the summary, or from the agent's failure. Pure.

export type TaskEnd = {
  /** The new status in the file. */
  status: TodoStatus;
  files: readonly string[];
  blockers: readonly string[];
  /** The program's own blocker from an earlier attempt: the new one replaces it. */
  outdated?: string;
  /** For people and hooks. */
  label: TodoEnd["label"];
  message: string;
  /** The agent itself failed. */
  isAgentError: boolean;
  /** The task keeps its earlier status: it was skipped, or the last attempt ended with the same words. */
  isRepeated?: true;
  event: DomainEvent;
};

/** How often in a row an agent may report another task's id. */
const MAX_WRONG = 2;
const WRONG_TASK = "wrong-task";

type Ended = Extract<Outcome, { kind: "completed" | "failed" }>;

/** The end of a finished attempt. A provider's failure message is redacted because it goes into the list. */
export function judgeEnd(
  journal: Pick<Journal, "redact">,
  state: TaskState,
  outcome: Ended = { kind: "completed", text: "" },
): TaskEnd {
  const end = judge(
    state,
    outcome.kind === "failed" ? { ...outcome, message: journal.redact(outcome.message) } : outcome,
  );
  const { event, status } = end;
  const why =
    event.type === "TaskFailed"
      ? event.payload.message
      : event.type === "TaskCanceled"
        ? event.payload.reason
        : undefined;
  const isSaidAgain = why !== undefined && why === state.whyBefore && status === state.from;
  const isDoneAgain = status === "done" && JSON.stringify(state.summary) === JSON.stringify(state.doneBefore);
  return isSaidAgain || isDoneAgain ? { ...end, isRepeated: true } : end;
}

function judge(state: TaskState, outcome: Ended): TaskEnd {
  const { summary, taskId } = state;
  if (summary) return summary.task_id === taskId ? judgeSummary(state, summary) : judgeWrong(state, summary);
  const message = outcome.kind === "failed" ? outcome.message : "its agent said nothing";
  const reasonCode = outcome.kind === "failed" ? outcome.reasonCode : "model-failed";
  const isAgentError = reasonCode === "model-failed" || reasonCode === "invalid-artifact";
  return blocked(state, { reasonCode, message, isAgentError, files: [], blocker: message });
}

function judgeSummary(state: TaskState, summary: TaskSummary): TaskEnd {
  const { taskId, from } = state;
  const { files = [], blockers = [] } = summary;
  const message = summary.summary?.trim() ?? "";
  const common = { files, blockers, message, isAgentError: false };
  switch (summary.status) {
    case "done": {
      const event = { store: "events", type: "TaskCompleted", payload: { taskId } } as const;
      return { ...common, status: "done", label: "done", event };
    }
    case "skipped": {
      const payload = { taskId, reason: `skipped: ${message || "no reason was given"}` };
      const status = from === "blocked" ? "blocked" : "todo";
      // A skipped task stays as it was: its summary does not go into the list.
      return {
        ...{ ...common, files: [], blockers: [], status, label: "skipped", isRepeated: true },
        event: { store: "events", type: "TaskCanceled", payload },
      };
    }
    case "blocked": {
      const reason = blockers.join("; ") || message || "its agent gave no reason";
      const own = blockers.length > 0 ? {} : { blocker: reason };
      return blocked(state, { ...common, reasonCode: "blocked", message: reason, ...own });
    }
  }
}

/** Not applied, because the summary is about another task. */
function judgeWrong(state: TaskState, { task_id: said }: TaskSummary): TaskEnd {
  const { taskId, agent, failures } = state;
  const earlier = failures.length - 1 - failures.findLastIndex((reason) => reason !== WRONG_TASK);
  const message = `${agent} reported ${said === null ? "no task" : JSON.stringify(said)} instead of ${JSON.stringify(taskId)}`;
  const common = { reasonCode: WRONG_TASK, message, isAgentError: false, files: [] };
  if (earlier + 1 >= MAX_WRONG) return blocked(state, { ...common, blocker: message });
  return { ...blocked(state, common), status: "todo", label: "todo" };
}

/** `blocker`: the program's words, because the agent gave none; they may differ between attempts. */
function blocked(
  { taskId, blocker: outdated }: TaskState,
  why: Pick<TaskEnd, "message" | "isAgentError" | "files"> & {
    reasonCode: string;
    blockers?: readonly string[];
    blocker?: string;
  },
): TaskEnd {
  const { reasonCode, blocker, blockers = [], ...rest } = why;
  const own = blocker === undefined ? {} : { blocker };
  return {
    ...rest,
    blockers: blocker === undefined ? blockers : [blocker],
    ...(blocker === undefined || outdated === undefined ? {} : { outdated }),
    status: "blocked",
    label: "blocked",
    event: {
      store: "events",
      type: "TaskFailed",
      payload: { taskId, reasonCode, message: rest.message, ...own },
    },
  };
}

// Ends an iteration: first the file, then the host (the Action commits), then the event. Only this sets a
// task's status. Observers come last because a hook may take long.

/**
 * File, commit, event: on a runner one checkpoint holds all three or none; on a lasting disk the next run
 * adds the missing ones. Applying the same end again changes nothing. The commit precedes the event, so that
 * no event claims an end whose commit failed.
 */
export function endingOf(run: TodoRun, task: TodoTask, end: TaskEnd): Pick<Ending, "event" | "before"> {
  const before = async () => {
    await applyEnd(run, task.id, end);
    await tellHost(run, task, end);
  };
  return { event: end.event, before };
}

/** One attempt of this run: the outcome of its conversation, and its recorded state. */
type Iteration = { number: number; agent: TaskAgent; state: TaskState; outcome: Outcome };

/** Reports a recorded end to observers and the hook, and counts it in this run. */
export async function tellEnd(
  run: TodoRun,
  task: TodoTask,
  iteration: Iteration,
  end: TaskEnd,
): Promise<void> {
  const { agent, number } = iteration;
  warnOfEnd(run, task, end);
  if (end.label === "skipped") run.tried.skipped.add(task.id);
  run.failures = end.isAgentError ? run.failures + 1 : 0;
  const isDone = end.label === "done" || end.label === "skipped";
  const { outcome, state } = iteration;
  const { summary } = state;
  const errorCode = outcome.kind === "failed" ? outcome.reasonCode : "model-failed";
  const [said = ""] = end.message.split("\n");
  const message = end.label === "skipped" ? `skipped${said && `: ${said}`}` : said;
  observeIteration(run, task, iteration, {
    status: isDone ? "completed" : "failed",
    ...(message ? { message } : {}),
    ...(summary ? { summary } : { errorCode }),
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
  if (failed !== undefined) notify(run, "warning", `The hook failed, which changes nothing else: ${failed}`);
}

function warnOfEnd(run: TodoRun, { id }: TodoTask, { label, status, message }: TaskEnd): void {
  if (label === "removed") notify(run, "warning", `${id}: ${message}`);
  if (label === "todo" || label === "blocked") notify(run, "warning", `${id} is ${status}: ${message}`);
}

/** The path of the kept message; empty if it can't be written, because it only serves observers. */
async function keepLast(run: TodoRun, number: number, message: unknown): Promise<string> {
  try {
    return await run.ports.log.keepLast(number, message);
  } catch (error) {
    const what = `The last message of iteration ${number} was not saved, which changes nothing else`;
    notify(run, "warning", `${what}: ${messageOf(error)}`);
    return "";
  }
}

async function applyEnd(run: TodoRun, taskId: string, end: TaskEnd): Promise<void> {
  const { status, isRepeated } = end;
  const bare = { status, ...(isRepeated ? { isRepeated } : {}) };
  const fields = run.settings.applySummary || end.isAgentError ? end : bare;
  const now = run.ports.clock.now().toISOString();
  await changeTask(run, taskId, (task) => changeFor(task, fields, now));
}

/**
 * Settles attempts that an earlier run left open: applies reported ends and cancels attempts whose task has
 * changed. All others continue when their task is chosen.
 */
export async function settleOpenIterations(run: TodoRun): Promise<void> {
  const { document } = await refresh(run);
  for (const state of [...run.journal.state.tasks.values()]) {
    if (!isOpen(state) || state.outputs.length > 0) continue;
    const { taskId } = state;
    const task = findTask(document, taskId);
    if (state.summary) {
      const end = judgeEnd(run.journal, state);
      const { journal, ports } = run;
      await recordEnd({ host: ports.host, journal }, task ? endingOf(run, task, end) : { event: end.event });
      if (task) warnOfEnd(run, task, end);
      continue;
    }
    const reason = whyIterationRestarts(task, state);
    if (reason === TASK_GONE) notifyRemoval(run, state);
    if (reason !== undefined) await cancelAttempt(run.journal, taskId, reason);
  }
}

/** Why an open attempt can't continue: its task has changed since it began. */
export function whyIterationRestarts(
  task: TodoTask | undefined,
  { from, inputs }: Pick<TaskState, "from" | "inputs">,
): string | undefined {
  if (!task) return TASK_GONE;
  if (taskDigest(task) !== inputs.source) return TASK_CHANGED;
  return task.status === "doing" || task.status === from ? undefined : `the task is ${task.status} now`;
}

function lastText(run: TodoRun, { state }: Iteration): string {
  const { messages } = run.journal.conversation(state.conversationId);
  const last = messages.findLast((message) => message.role === "assistant");
  return last ? messageText(last) : "";
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

// A person's push may overwrite the program's changes of the list (in a conflict the person's version wins).
// The recorded ends are applied again, once per such push, so that no task runs twice.

/** Ends tasks again that the pushed list shows as not ended, with the words of their agents. */
export async function reapplyEnds(run: TodoRun): Promise<void> {
  const { ports, settings, journal } = run;
  const known = journal.state.reapplied;
  const commits = (ports.host.overruled?.(settings.todo) ?? []).filter((commit) => !known?.has(commit));
  if (commits.length === 0) return;
  const { document } = await refresh(run);
  const lost = [...journal.state.tasks.values()].filter((state) => isLost(document, state));
  const now = ports.clock.now().toISOString();
  for (const state of lost) {
    const end = judgeEnd(journal, state);
    const fields = settings.applySummary ? end : { status: end.status };
    await changeTask(run, state.taskId, (task) => changeFor(task, fields, now));
  }
  await journal.append({ store: "events", type: "EndsReapplied", payload: { commits } });
  if (lost.length === 0) return;
  const ids = lost.map(({ taskId }) => taskId).join(", ");
  notify(run, "info", `${settings.todo} is as it was pushed, and records again how these ended: ${ids}.`);
}

function isLost(document: TodoDocument, state: TaskState): boolean {
  const task = findTask(document, state.taskId);
  if (!task || isOpen(state) || state.summary?.task_id !== task.id) return false;
  if (taskDigest(task) !== state.inputs.source) return false;
  return task.status === "doing" || task.status === state.from;
}
