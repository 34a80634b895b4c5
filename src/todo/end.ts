// After a person ended the session: what was under way is not done, and the list must not say forever that somebody is
// at it.
import { cancelAttempt, type Ending, recordEnd } from "../agent/attempt.ts";
import type { Journal } from "../agent/journal.ts";
import { asOne, type Outcome } from "../agent/session.ts";
import type { SessionView } from "../core/conversation.ts";
import { messageOf } from "../core/errors.ts";
import { type DomainEvent, messageText, type TaskSummary } from "../core/events.ts";
import type { TodoEnd } from "../core/ports.ts";
import { isOpen, TASK_CHANGED, type TaskState } from "../core/state.ts";
import { findTask, type TodoDocument, type TodoStatus, type TodoTask, taskDigest } from "./document.ts";
import { changeFor, editTask } from "./edit.ts";
import {
  change,
  type Editing,
  notify,
  notifyRemoval,
  observeIteration,
  refresh,
  TASK_GONE,
  type TaskAgent,
  type TodoRun,
} from "./run-state.ts";

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

function statusBefore({ tasks }: SessionView["state"], { id }: TodoTask): TodoStatus {
  return tasks.get(id)?.from === "blocked" ? "blocked" : "todo";
}

// What the end of an attempt means for its task: from the summary, or from how its agent failed. Pure.

export type TaskEnd = {
  /** What the file shall say. */
  status: TodoStatus;
  files: readonly string[];
  blockers: readonly string[];
  /** What the program wrote into `blockers` when it ended an earlier attempt: its words of today take the place. */
  outdated?: string;
  /** What people and hooks are told. */
  label: TodoEnd["label"];
  message: string;
  /** The agent itself failed. */
  isAgentError: boolean;
  /** The task is again what it was: it was skipped, or the attempt before ended in the same words. */
  isRepeated?: true;
  event: DomainEvent;
};

/** As often as an agent may report another task's id in a row. */
const MAX_WRONG = 2;
const WRONG_TASK = "wrong-task";

type Ended = Extract<Outcome, { kind: "completed" | "failed" }>;

/** The end of an attempt that did end. What a provider says of its failure gets into the list, so it is redacted. */
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

/** The end of an attempt whose task somebody removed from the list: nothing is left to be marked. */
export function judgeRemoval({ settings }: TodoRun, { taskId, agent }: TaskState): TaskEnd {
  const message = `it was removed from ${settings.todo} while ${agent} worked on it; what was changed for it stays`;
  const payload = { taskId, reason: TASK_GONE };
  return {
    ...{ status: "todo", label: "removed", files: [], blockers: [], message, isAgentError: false },
    event: { store: "events", type: "TaskCanceled", payload },
  };
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
      // What was left for later is as it was: nothing of the summary gets into the list.
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

/** Not applied: what is said of another task says nothing of this one. */
function judgeWrong(state: TaskState, { task_id: said }: TaskSummary): TaskEnd {
  const { taskId, agent, failures } = state;
  const earlier = failures.length - 1 - failures.findLastIndex((reason) => reason !== WRONG_TASK);
  const message = `${agent} reported ${said === null ? "no task" : JSON.stringify(said)} instead of ${JSON.stringify(taskId)}`;
  const common = { reasonCode: WRONG_TASK, message, isAgentError: false, files: [] };
  if (earlier + 1 >= MAX_WRONG) return blocked(state, { ...common, blocker: message });
  return { ...blocked(state, common), status: "todo", label: "todo" };
}

/** `blocker`: in the program's words, as the agent has none; its texts may differ from try to try. */
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

// Ends an iteration: the file, then whoever keeps it (the Action commits), then the event. Only here does a task get its
// state. Observers come after that: a hook may take its time.

/**
 * The file, the commit, the event: on a runner one checkpoint holds all three or none; on a disk that stays, the next run
 * does what is missing. The same end applied again changes nothing. The commit comes before the event: where the commit
 * fails, nothing says that the task ended.
 */
export function endingOf(run: TodoRun, task: TodoTask, end: TaskEnd): Pick<Ending, "event" | "before"> {
  const before = async () => {
    await applyEnd(run, task.id, end);
    await tellHost(run, task, end);
  };
  return { event: end.event, before };
}

/** An attempt of this run: how its conversation ended, with what is recorded of it. */
type Iteration = { number: number; agent: TaskAgent; state: TaskState; outcome: Outcome };

/** Tells observers and the hook of an end that is recorded, and counts it in this run. */
export async function tellEnd(
  run: TodoRun,
  task: TodoTask,
  iteration: Iteration,
  end: TaskEnd,
): Promise<void> {
  const { agent, number } = iteration;
  warnOfEnd(run, task, end);
  if (end.label === "skipped") run.tried.skipped.add(task.id);
  if (end.status === "blocked") run.tried.blocked.add(task.id);
  run.failures = end.isAgentError ? run.failures + 1 : 0;
  const isDone = end.label === "done" || end.label === "skipped";
  const { summary } = iteration.state;
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
}

function warnOfEnd(run: TodoRun, { id }: TodoTask, { label, status, message }: TaskEnd): void {
  if (label === "removed") notify(run, "warning", `${id}: ${message}`);
  if (label === "todo" || label === "blocked") notify(run, "warning", `${id} is ${status}: ${message}`);
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
 * canceled. All else continues when its task is chosen.
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

/** Why an attempt that is open can't continue: it was begun from something else. */
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

// A person's push may take the place of what the program wrote of the list (in a conflict theirs stands). How tasks ended
// is on record: it is written again, once for each such push, so that nothing is done twice.

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
    const end = judgeEnd(journal, state);
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

// `/retry <task>`: a person has a task tried again.

/** Has a task tried again, done or not; its open attempt and its questions end. It is the first to be chosen. */
export async function setBack(run: TodoRun, taskId: string): Promise<void> {
  if (!findTask((await refresh(run)).document, taskId)) {
    const message = `There is no task ${JSON.stringify(taskId)} in ${run.settings.todo} any more.`;
    return notify(run, "warning", message);
  }
  if (isOpen(run.journal.state.tasks.get(taskId))) {
    await cancelAttempt(run.journal, taskId, "it is tried again", run.ports.clock.now().toISOString());
  }
  // Only what is done can't be chosen as it is: any other change would be one to commit.
  await change(run, (document) =>
    findTask(document, taskId)?.status === "done"
      ? editTask(document, taskId, { set: { status: "todo" } })
      : document,
  );
  run.first = taskId;
}
