// The state of a session: tasks, interactions and calls, folded from its events and never stored. Pure.
import type { CallOutcome, DomainEvent, FileImage, TaskFailure, TaskSummary } from "./events.ts";
import type { Approval, ConflictFile, InteractionRequest, InteractionResponse } from "./interaction.ts";
import { showUnseen } from "./json.ts";

type TaskStatus = "created" | "started" | "completed" | "failed" | "canceled";

/** The newest attempt at a task. */
export type TaskState = {
  taskId: string;
  agent: string;
  outputs: string[];
  inputs: { source: string; agent: string; profile: string };
  conversationId: string;
  status: TaskStatus;
  /** Counts the `TaskCreated` of this task, from 1. */
  attempt: number;
  /** Hash of each output that was accepted in this attempt. */
  accepted: Map<string, string>;
  /** Outputs that a person edited after this attempt began. */
  editedSince?: Set<string>;
  /** How often each output was refused in this attempt, and the last errors. */
  refusals: Map<string, { count: number; errors: string[]; callId?: string }>;
  /** To-do tasks: the status before this attempt, and how the agent says that it ended. */
  from?: string;
  summary?: TaskSummary;
  /** The worktree before the first act of this attempt, and the list before the last. */
  before?: { tree: string; list: string };
  /** Reasons of the failed attempts since the task was last completed, oldest first. */
  failures: string[];
  /** To-do tasks: the blocker that the program wrote last, in whichever attempt. */
  blocker?: string | undefined;
  /** Why this attempt failed or was canceled, and why the one before it was. */
  why?: string;
  whyBefore?: string | undefined;
  /** To-do tasks: the summary of the attempt before, where that one was completed. */
  doneBefore?: TaskSummary;
  /** Conversations of the attempts just before this one that ended because a person changed the task's text. */
  superseded?: string[];
};

/** Why an attempt ended whose task a person changed: the next one gets the answers that people gave to it. */
export const TASK_CHANGED = "the task was changed";

export type InteractionState = {
  request: InteractionRequest;
  response?: InteractionResponse;
  /** Of those who approved so far, where one person is not enough. */
  approvals: Approval[];
  /** It ended without an answer; `at` in ISO 8601 where it is known. */
  closed?: { why: "task-ended" | "expired" | "canceled"; at?: string };
};

/**
 * `starts`: how often it was started; `image`: of the file that the last start would change; `notRun`: why, though it was
 * approved.
 */
type CallState = { starts: number; image?: FileImage; outcome?: CallOutcome; notRun?: string };

export type State = {
  tasks: Map<string, TaskState>;
  interactions: Map<string, InteractionState>;
  /** By `callKey`; a call without `outcome` was started and has no result. */
  calls: Map<string, CallState>;
  /** What the session's own worktree was after the last settled call that may have changed it, by conversation. */
  trees?: Map<string, string>;
  /** What a person changed as well is to be done again; gone when a task begins. */
  redo?: ConflictFile[];
  /** Pushes over the to-do file after which the ends of tasks were written again. */
  reapplied?: Set<string>;
  /** Hashes of all artifacts that tasks wrote. */
  written?: Set<string>;
  /** Copies of artifacts that a person had edited, by their names; the artifact's file name. */
  copies?: Map<string, string>;
  /** A person ended the session: nothing of it continues. */
  canceled?: { reason: string; actorId?: string; at?: string };
};

/** A model may repeat its call ids in another conversation: the pair is unique. */
export function callKey(conversationId: string, toolCallId: string): string {
  return `${conversationId}\n${toolCallId}`;
}

/** True while an answer would still count. */
export function isPending(interaction: Pick<InteractionState, "response" | "closed">): boolean {
  return !interaction.response && !interaction.closed;
}

/** Requests that still wait for an answer, oldest first. */
export function openInteractions(state: State): InteractionRequest[] {
  return [...state.interactions.values()].filter(isPending).map((interaction) => interaction.request);
}

type OpenTask = TaskState & { status: "created" | "started" };

/** True while a task's conversation may still continue. */
export function isOpen(task: TaskState | undefined): task is OpenTask {
  return task?.status === "created" || task?.status === "started";
}

/** True while something of a session may still go on; one that is through may wait for a word about what was pushed over it. */
export function isUnderWay(state: State): boolean {
  return [...state.tasks.values()].some(isOpen) || openInteractions(state).length > 0;
}

/** How a task stands, as people are told: one that its agent skipped was canceled for that reason. */
export function taskEnd({ status, summary }: TaskState): TaskStatus | "skipped" {
  return status === "canceled" && summary?.status === "skipped" ? "skipped" : status;
}

// Files that a person pushed while a run changed them as well: theirs stand, and the session waits for a person's word.

export type ConflictAnswer = "keep" | "redo" | "restore" | "stop";

/** True while nobody has said what becomes of such files: nothing of the session continues. */
export function waitsForConflict(state: State): boolean {
  return conflictsOf(state).some(({ response, closed }) => !response && !closed);
}

/** True while nobody has said whether to take what is new in the to-do file of the base; the session goes on. */
export function isAskedOfBase({ interactions }: State): boolean {
  return [...interactions.values()].some((one) => one.request.baseList && isPending(one));
}

/** Files whose other version stays: so it was chosen, or nobody chose anything else. */
export function keptFiles(state: State): ConflictFile[] {
  return conflictsOf(state)
    .filter(({ response, closed }) => closed || (response && !isUndone(response.selectedOptionId)))
    .flatMap(({ request }) => request.conflict ?? []);
}

/** Those of `files` that no request of these sessions asks about. */
export function unaskedFiles(states: readonly State[], files: readonly ConflictFile[]): ConflictFile[] {
  const requests = states.flatMap(conflictsOf).map(({ request }) => request);
  const asked = new Set(requests.flatMap(({ conflict }) => conflict?.map(nameOf) ?? []));
  return files.filter((file) => !asked.has(nameOf(file)));
}

/**
 * Tasks whose tools left one of these files as the run had it, in the order in which they were first begun; `unknown`: a
 * file among them is nobody's that is known here, for example a command's.
 */
export function authorsOf(
  state: State,
  files: readonly ConflictFile[],
): { tasks: TaskState[]; unknown: boolean } {
  const writers = new Map<string, string>();
  for (const [key, { image }] of state.calls) {
    if (image) writers.set(image.after, key.slice(0, key.indexOf("\n")));
  }
  const conversations = new Set(files.map(({ ours = "" }) => writers.get(ours)));
  const owners = new Set([...conversations].map((one) => one && taskOf(state, one)));
  const tasks = [...state.tasks.values()].filter((task) => owners.has(task));
  return { tasks, unknown: owners.has(undefined) };
}

/** Whose conversation it is, of this attempt or an earlier one, or whose subagent's. */
function taskOf({ tasks }: State, conversation: string): TaskState | undefined {
  const owners = [...tasks.values()].filter(({ taskId, conversationId }) => {
    const attempt = conversation.startsWith(`${taskId}#`) ? conversation.slice(taskId.length + 1) : "";
    return `${conversation}/`.startsWith(`${conversationId}/`) || /^\d+(?:\/|$)/.test(attempt);
  });
  return owners.toSorted((one, other) => other.conversationId.length - one.conversationId.length)[0];
}

/**
 * The files, one per line each whatever is in their names, as many as `room` characters take when they are shown; then how
 * many more there are, and which commits have them all.
 */
export function listFiles(
  files: readonly ConflictFile[],
  room: number,
): { shown: string[]; more?: { count: number; commits: string[] } } {
  const shown: string[] = [];
  let left = room;
  for (const { path, sha256 } of files) {
    const name = /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path;
    const line = sha256 === undefined ? `${name} (removed)` : name;
    left -= showUnseen(line).length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const count = files.length - shown.length;
  if (count === 0) return { shown };
  return { shown, more: { count, commits: [...new Set(files.map(({ commit }) => commit))].slice(-COMMITS) } };
}

/** Merges that a list names: each is a checkpoint's. */
const COMMITS = 3;

function conflictsOf(state: State): InteractionState[] {
  return [...state.interactions.values()].filter(({ request }) => request.conflict !== undefined);
}

function isUndone(answer: string | undefined): boolean {
  return answer === "redo" || answer === "restore" || answer === "stop";
}

function nameOf({ commit, path }: ConflictFile): string {
  return `${commit}:${path}`;
}

// State is a fold over events: each changes it in place, in their order.

/** Before the first event. */
export function emptyState(): State {
  return { tasks: new Map(), interactions: new Map(), calls: new Map() };
}

/** What each event changes. */
const CHANGES: {
  [T in DomainEvent["type"]]: (state: State, payload: Extract<DomainEvent, { type: T }>["payload"]) => void;
} = {
  TaskCreated(state, payload) {
    delete state.redo;
    state.tasks.set(payload.taskId, {
      ...payload,
      status: "created",
      attempt: (state.tasks.get(payload.taskId)?.attempt ?? 0) + 1,
      accepted: new Map(),
      refusals: new Map(),
      failures: state.tasks.get(payload.taskId)?.failures ?? [],
      blocker: state.tasks.get(payload.taskId)?.blocker,
      whyBefore: state.tasks.get(payload.taskId)?.why,
      ...doneBefore(state.tasks.get(payload.taskId)),
      ...supersededBy(state.tasks.get(payload.taskId)),
    });
  },
  SummaryReported(state, payload) {
    const task = state.tasks.get(payload.taskId);
    if (task) task.summary ??= payload.summary;
  },
  TaskRevised(state, { taskId, source }) {
    const task = state.tasks.get(taskId);
    if (task) task.inputs = { ...task.inputs, source };
  },
  EndsReapplied(state, payload) {
    state.reapplied = new Set([...(state.reapplied ?? []), ...payload.commits]);
  },
  ActAhead(state, payload) {
    const { taskId, tree, list } = payload;
    const task = state.tasks.get(taskId);
    if (task) task.before = { tree: task.before?.tree ?? tree, list };
  },
  TaskStarted(state, payload) {
    setStatus(state, payload.taskId, "started");
  },
  TaskCompleted(state, payload) {
    endTask(state, payload.taskId, "completed", closedAs("task-ended", payload));
    noteFailure(state, payload.taskId, undefined);
  },
  TaskFailed(state, payload) {
    endTask(state, payload.taskId, "failed", closedAs("task-ended", payload));
    noteFailure(state, payload.taskId, payload);
  },
  TaskCanceled(state, payload) {
    endTask(state, payload.taskId, "canceled", closedAs("canceled", payload));
    Object.assign(state.tasks.get(payload.taskId) ?? {}, { why: payload.reason });
  },
  SessionCanceled(state, payload) {
    cancelSession(state, payload);
  },
  SessionReopened(state) {
    reopenSession(state);
  },
  UserInteractionRequested(state, payload) {
    state.interactions.set(payload.interactionId, { request: payload, approvals: [] });
  },
  UserInteractionResponded(state, payload) {
    const interaction = state.interactions.get(payload.interactionId);
    if (!interaction || !isPending(interaction)) return;
    interaction.response = payload;
    const { conflict } = interaction.request;
    if (conflict && payload.selectedOptionId === "redo") state.redo = conflict;
  },
  ApprovalGiven(state, payload) {
    const interaction = state.interactions.get(payload.interactionId);
    if (interaction && isPending(interaction)) interaction.approvals.push(payload);
  },
  ApprovalWithdrawn(state, payload) {
    const { interactionId, actorId } = payload;
    const interaction = state.interactions.get(interactionId);
    if (!interaction || !isPending(interaction)) return;
    interaction.approvals = interaction.approvals.filter((given) => given.actorId !== actorId);
  },
  ApprovalReopened(state, payload) {
    const { interactionId, taskId, actorIds } = payload;
    const interaction = state.interactions.get(interactionId);
    if (!interaction?.response || interaction.closed) return;
    const { authorActorId: actorId, commentId, permission, answeredAt, always } = interaction.response;
    const last = {
      ...{ interactionId, taskId, actorId },
      ...(commentId === undefined ? {} : { commentId }),
      ...(permission === undefined ? {} : { permission }),
      ...(answeredAt === undefined ? {} : { answeredAt }),
      ...(always ? { always } : {}),
    };
    const given = [...interaction.approvals, last];
    interaction.approvals = given.filter((approval) => !actorIds.includes(approval.actorId));
    delete interaction.response;
  },
  InteractionExpired(state, payload) {
    closeInteraction(state.interactions.get(payload.interactionId), {
      why: "expired",
      at: payload.at,
    });
  },
  ToolCallStarted(state, payload) {
    const { conversationId, toolCallId, image } = payload;
    const key = callKey(conversationId, toolCallId);
    const starts = (state.calls.get(key)?.starts ?? 0) + 1;
    state.calls.set(key, { starts, ...(image === undefined ? {} : { image }) });
  },
  ToolCallWithdrawn(state, payload) {
    withdrawCall(state, callKey(payload.conversationId, payload.toolCallId));
  },
  ToolCallSettled(state, payload) {
    const { conversationId, toolCallId, outcome, notRun, tree } = payload;
    const key = callKey(conversationId, toolCallId);
    const why = notRun === undefined ? {} : { notRun };
    state.calls.set(key, { starts: 0, ...state.calls.get(key), outcome, ...why });
    if (tree !== undefined) state.trees = (state.trees ?? new Map()).set(conversationId, tree);
  },
  ArtifactAccepted(state, payload) {
    state.tasks.get(payload.taskId)?.accepted.set(payload.output, payload.contentHash);
    state.written = (state.written ?? new Set()).add(payload.contentHash);
  },
  ArtifactAdopted(state, payload) {
    for (const task of state.tasks.values()) {
      if (isOpen(task)) task.editedSince = (task.editedSince ?? new Set()).add(payload.output);
    }
  },
  ArtifactKept(state, payload) {
    state.copies = (state.copies ?? new Map()).set(payload.path, payload.output);
  },
  ArtifactRefused(state, payload) {
    const { output, errors, callId } = payload;
    const refusals = state.tasks.get(payload.taskId)?.refusals;
    const last = refusals?.get(output);
    // A call that was killed before its result is made again: no other try.
    if (last && callId !== undefined && last.callId === callId) return;
    const count = (last?.count ?? 0) + 1;
    refusals?.set(output, { count, errors, ...(callId === undefined ? {} : { callId }) });
  },
};

/** Applies one event in place. An event about something unknown changes nothing. */
export function applyEvent(state: State, event: DomainEvent): void {
  const apply = CHANGES[event.type] as (state: State, payload: DomainEvent["payload"]) => void;
  apply(state, event.payload);
}

/** The state after all events of a session, in their order. */
export function foldEvents(events: Iterable<DomainEvent>): State {
  const state = emptyState();
  for (const event of events) applyEvent(state, event);
  return state;
}

function doneBefore(known: TaskState | undefined): Pick<TaskState, "doneBefore"> {
  return known?.status === "completed" && known.summary ? { doneBefore: known.summary } : {};
}

function supersededBy(known: TaskState | undefined): Pick<TaskState, "superseded"> {
  if (known?.status !== "canceled" || known.why !== TASK_CHANGED) return {};
  return { superseded: [...(known.superseded ?? []), known.conversationId] };
}

function setStatus(state: State, taskId: string, status: TaskStatus): void {
  const task = state.tasks.get(taskId);
  if (task) task.status = status;
}

/** The start that did not happen does not count; earlier ones do. */
function withdrawCall(state: State, key: string): void {
  const call = state.calls.get(key);
  if (!call || call.outcome !== undefined) return;
  if (call.starts > 1) call.starts -= 1;
  else state.calls.delete(key);
}

function noteFailure(state: State, taskId: string, failed: TaskFailure | undefined): void {
  const task = state.tasks.get(taskId);
  if (!task) return;
  task.failures = failed ? [...task.failures, failed.reasonCode] : [];
  if (failed) Object.assign(task, { why: failed.message, blocker: failed.blocker ?? task.blocker });
}

function endTask(state: State, taskId: string, status: TaskStatus, closed: Closed): void {
  setStatus(state, taskId, status);
  for (const interaction of state.interactions.values()) {
    if (interaction.request.taskId === taskId) closeInteraction(interaction, closed);
  }
}

function cancelSession(state: State, canceled: { reason: string; actorId?: string; at?: string }): void {
  state.canceled ??= canceled;
  for (const task of state.tasks.values()) {
    if (isOpen(task)) setStatus(state, task.taskId, "canceled");
  }
  for (const interaction of state.interactions.values()) {
    closeInteraction(interaction, closedAs("canceled", canceled));
  }
}

/** What ended with the cancellation is as it was; what had ended before stays so. */
function reopenSession(state: State): void {
  const { canceled } = state;
  if (!canceled) return;
  delete state.canceled;
  for (const task of state.tasks.values()) {
    if (task.status === "canceled" && task.why === canceled.reason) task.status = "started";
  }
  for (const interaction of state.interactions.values()) {
    const { closed } = interaction;
    if (closed?.why === "canceled" && closed.at === canceled.at) delete interaction.closed;
  }
}

type Closed = NonNullable<InteractionState["closed"]>;

/** What is answered or closed stays as it is. */
function closeInteraction(interaction: InteractionState | undefined, closed: Closed): void {
  if (interaction && isPending(interaction)) interaction.closed = closed;
}

function closedAs(why: Closed["why"], { at }: { at?: string }): Closed {
  return { why, ...(at === undefined ? {} : { at }) };
}
