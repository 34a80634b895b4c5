// The state of a session: tasks, interactions and calls. It is computed from the session's events and never
// stored. Pure.
import type { CallOutcome, DomainEvent, FileImage, TaskFailure, TaskInputs, TaskSummary } from "./events.ts";
import type { Approval, ConflictFile, InteractionRequest, InteractionResponse } from "./interaction.ts";
import { showUnseen } from "./json.ts";

type TaskStatus = "created" | "started" | "completed" | "failed" | "canceled";

/** The latest attempt at a task. */
export type TaskState = {
  taskId: string;
  agent: string;
  outputs: string[];
  inputs: TaskInputs;
  conversationId: string;
  status: TaskStatus;
  /** Number of `TaskCreated` events of this task so far. */
  attempt: number;
  /** Hash of each output that was accepted in this attempt. */
  accepted: Map<string, string>;
  /** Outputs that a person edited after this attempt began. */
  editedSince?: Set<string>;
  /** How often each output was refused in this attempt, and the errors of the last refusal. */
  refusals: Map<string, { count: number; errors: string[]; callId?: string }>;
  /** To-do tasks: the status before this attempt, and the agent's own summary of how it ended. */
  from?: string;
  summary?: TaskSummary;
  /** Hashes of the worktree before the first act of this attempt, and of the list before the last act. */
  before?: { tree: string; list: string };
  /** Reasons of the attempts that failed since the task was last completed, oldest first. */
  failures: string[];
  /** To-do tasks: the last blocker that the program wrote, in any attempt. */
  blocker?: string | undefined;
  /** Why this attempt failed or was canceled, and why the previous attempt was. */
  why?: string;
  whyBefore?: string | undefined;
  /** To-do tasks: the summary of the previous attempt, if that attempt was completed. */
  doneBefore?: TaskSummary;
  /** Conversations of the directly preceding attempts that ended because a person changed the task's text. */
  superseded?: string[];
};

/**
 * Reason of an attempt that ended because a person changed its task. The next attempt gets the answers given
 * to it.
 */
export const TASK_CHANGED = "the task was changed";

export type InteractionState = {
  request: InteractionRequest;
  response?: InteractionResponse;
  /** Approvals given so far, when one person is not enough. */
  approvals: Approval[];
  /** Set when the interaction ended without an answer; `at` is ISO 8601, absent when unknown. */
  closed?: { why: "task-ended" | "expired" | "canceled"; at?: string };
};

/**
 * `starts`: how often the call was started. `image`: hashes of the file that the last start would change.
 * `notRun`: why an approved call was not run.
 */
type CallState = { starts: number; image?: FileImage; outcome?: CallOutcome; notRun?: string };

export type State = {
  tasks: Map<string, TaskState>;
  interactions: Map<string, InteractionState>;
  /** By `callKey`. A call without `outcome` was started and has no result. */
  calls: Map<string, CallState>;
  /**
   * By conversation: the tree of the session's own worktree after the last settled call that may have changed
   * it.
   */
  trees?: Map<string, string>;
  /** Conflicting files whose step a person asked to redo; cleared when a task begins. */
  redo?: ConflictFile[];
  /** Commits that changed the to-do file and after which the program rewrote the results of tasks into it. */
  reapplied?: Set<string>;
  /** Blocked to-do tasks by id: the circumstances under which each waits; empty: it may be tried again. */
  blocks?: Map<string, string>;
  /** Hashes of all artifacts that tasks wrote. */
  written?: Set<string>;
  /** Copies of artifacts that a person had edited: name of the copy to file name of the artifact. */
  copies?: Map<string, string>;
  /** A person ended the session: no part of it continues. */
  canceled?: { reason: string; actorId?: string; at?: string };
};

/** Joins both ids because a model may reuse a call id in another conversation. */
export function callKey(conversationId: string, toolCallId: string): string {
  return `${conversationId}\n${toolCallId}`;
}

/** True while the interaction can still be answered. */
export function isPending(interaction: Pick<InteractionState, "response" | "closed">): boolean {
  return !interaction.response && !interaction.closed;
}

/** Requests that still wait for an answer, oldest first. */
export function openInteractions(state: State): InteractionRequest[] {
  return [...state.interactions.values()].filter(isPending).map((interaction) => interaction.request);
}

type OpenTask = TaskState & { status: "created" | "started" };

/** True while the task's conversation can still continue. */
export function isOpen(task: TaskState | undefined): task is OpenTask {
  return task?.status === "created" || task?.status === "started";
}

/** The ends of the tasks that are open when a person cancels their session. */
export function cancelTasks(
  { tasks }: State,
  { reason, at }: { reason: string; at: string },
): Extract<DomainEvent, { type: "TaskCanceled" }>[] {
  const open = [...tasks].filter(([, task]) => isOpen(task));
  return open.map(([taskId]) => ({
    store: "events",
    type: "TaskCanceled",
    payload: { taskId, reason, at },
  }));
}

/**
 * True while a task of the session is open or a request waits. A session whose tasks have all ended can still
 * wait for a decision about a conflict.
 */
export function isUnderWay(state: State): boolean {
  return [...state.tasks.values()].some(isOpen) || openInteractions(state).length > 0;
}

/** The task's status as shown to people: a task that its agent skipped is stored as canceled. */
export function taskEnd({ status, summary }: TaskState): TaskStatus | "skipped" {
  return status === "canceled" && summary?.status === "skipped" ? "skipped" : status;
}

// Conflicts: a person pushed files that a run had changed too. The person's version wins, and the session
// waits for a decision.

/** True while a conflict is undecided: the session does not continue until then. */
export function waitsForConflict(state: State): boolean {
  return conflictsOf(state).some(({ response, closed }) => !response && !closed);
}

/** True while a question of the program is open that no call waits for: the session continues meanwhile. */
export function isAskedMeanwhile({ interactions }: State): boolean {
  const isMeanwhile = ({ baseList, keyHashes, toolCallIds }: InteractionRequest) =>
    baseList !== undefined || (keyHashes !== undefined && toolCallIds.length === 0);
  return [...interactions.values()].some((one) => isMeanwhile(one.request) && isPending(one));
}

/**
 * Conflicting files that keep the other side's version: a person chose that, or the question closed without a
 * choice.
 */
export function keptFiles(state: State): ConflictFile[] {
  return conflictsOf(state)
    .filter(({ response, closed }) => closed || (response && !isUndone(response.selectedOptionId)))
    .flatMap(({ request }) => request.conflict ?? []);
}

/** The files that no conflict request of these sessions asks about. */
export function unaskedFiles(states: readonly State[], files: readonly ConflictFile[]): ConflictFile[] {
  const requests = states.flatMap(conflictsOf).map(({ request }) => request);
  const asked = new Set(requests.flatMap(({ conflict }) => conflict?.map(nameOf) ?? []));
  return files.filter((file) => !asked.has(nameOf(file)));
}

/**
 * Tasks whose tools left one of these files in the run's version, in the order in which they first began.
 * `unknown`: no known task wrote one of the files; for example, a command did.
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

/**
 * The task that owns a conversation: its own in this or an earlier attempt, or one of its subagents'
 * conversations.
 */
function taskOf({ tasks }: State, conversation: string): TaskState | undefined {
  const owners = [...tasks.values()].filter(({ taskId, conversationId }) => {
    const attempt = conversation.startsWith(`${taskId}#`) ? conversation.slice(taskId.length + 1) : "";
    return `${conversation}/`.startsWith(`${conversationId}/`) || /^\d+(?:\/|$)/.test(attempt);
  });
  return owners.toSorted((one, other) => other.conversationId.length - one.conversationId.length)[0];
}

/**
 * Lists the files, one per line whatever characters their names contain, up to `room` displayed characters,
 * followed by the number of omitted files and the commits that contain all of them.
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

/** Number of merge commits that a list names; each is the merge of one checkpoint. */
const COMMITS = 3;

function conflictsOf(state: State): InteractionState[] {
  return [...state.interactions.values()].filter(({ request }) => request.conflict !== undefined);
}

function isUndone(answer: string | undefined): boolean {
  return answer !== undefined && ["repair", "redo", "restore", "stop"].includes(answer);
}

function nameOf({ commit, path }: ConflictFile): string {
  return `${commit}:${path}`;
}

// Each event changes the state in place, in order.

/** The state before the first event. */
export function emptyState(): State {
  return { tasks: new Map(), interactions: new Map(), calls: new Map() };
}

/** How each event type changes the state. */
const CHANGES: {
  [T in DomainEvent["type"]]: (state: State, payload: Extract<DomainEvent, { type: T }>["payload"]) => void;
} = {
  TaskCreated(state, payload) {
    delete state.redo;
    state.blocks?.delete(payload.taskId);
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
  BlocksSeen(state, { under }) {
    state.blocks ??= new Map();
    for (const [taskId, hash] of Object.entries(under)) state.blocks.set(taskId, hash);
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
    if (conflict && /^(?:redo|repair)$/.test(payload.selectedOptionId ?? "")) state.redo = conflict;
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
    // A call that was killed before its result is run again: that is no further try.
    if (last && callId !== undefined && last.callId === callId) return;
    const count = (last?.count ?? 0) + 1;
    refusals?.set(output, { count, errors, ...(callId === undefined ? {} : { callId }) });
  },
};

/** Applies one event in place. An event about an unknown task, call or interaction changes nothing. */
export function applyEvent(state: State, event: DomainEvent): void {
  const apply = CHANGES[event.type] as (state: State, payload: DomainEvent["payload"]) => void;
  apply(state, event.payload);
}

/** The state after all events of a session, applied in order. */
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

/** Undoes the last start, which never happened; earlier starts still count. */
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
  for (const task of [...state.tasks.values()].filter(isOpen)) {
    setStatus(state, task.taskId, "canceled");
    Object.assign(task, { why: canceled.reason });
  }
  for (const interaction of state.interactions.values()) {
    closeInteraction(interaction, closedAs("canceled", canceled));
  }
}

/** Restores what the cancellation ended; tasks and questions that had ended earlier stay ended. */
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

/** Closes a pending interaction; an answered or closed one stays as it is. */
function closeInteraction(interaction: InteractionState | undefined, closed: Closed): void {
  if (interaction && isPending(interaction)) interaction.closed = closed;
}

function closedAs(why: Closed["why"], { at }: { at?: string }): Closed {
  return { why, ...(at === undefined ? {} : { at }) };
}
