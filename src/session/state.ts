// State is a fold over events: never stored, always folded.

import type { CallOutcome, DomainEvent, FileImage, TaskFailure, TaskSummary } from "./events.ts";
import type { Approval, ConflictFile, InteractionRequest, InteractionResponse } from "./interaction.ts";

export type TaskStatus = "created" | "started" | "completed" | "failed" | "canceled";

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
};

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
export type CallState = { starts: number; image?: FileImage; outcome?: CallOutcome; notRun?: string };

export type State = {
  tasks: Map<string, TaskState>;
  interactions: Map<string, InteractionState>;
  /** By `callKey`; a call without `outcome` was started and has no result. */
  calls: Map<string, CallState>;
  /** What a person changed as well is to be done again; gone when a task begins. */
  redo?: ConflictFile[];
  /** Pushes over the to-do file after which the ends of tasks were written again. */
  reapplied?: Set<string>;
  /** A person ended the session: nothing of it goes on. */
  canceled?: { reason: string; actorId?: string };
};

/** A model may repeat its call ids in another conversation: the pair is unique. */
export function callKey(conversationId: string, toolCallId: string): string {
  return `${conversationId}\n${toolCallId}`;
}

export function emptyState(): State {
  return { tasks: new Map(), interactions: new Map(), calls: new Map() };
}

/** Applies one event in place. An event about something unknown changes nothing. */
export function applyEvent(state: State, event: DomainEvent): void {
  switch (event.type) {
    case "TaskCreated":
      delete state.redo;
      state.tasks.set(event.payload.taskId, {
        ...event.payload,
        status: "created",
        attempt: (state.tasks.get(event.payload.taskId)?.attempt ?? 0) + 1,
        accepted: new Map(),
        refusals: new Map(),
        failures: state.tasks.get(event.payload.taskId)?.failures ?? [],
        blocker: state.tasks.get(event.payload.taskId)?.blocker,
        whyBefore: state.tasks.get(event.payload.taskId)?.why,
      });
      return;
    case "SummaryReported": {
      const task = state.tasks.get(event.payload.taskId);
      if (task) task.summary ??= event.payload.summary;
      return;
    }
    case "EndsReapplied":
      state.reapplied = new Set([...(state.reapplied ?? []), ...event.payload.commits]);
      return;
    case "ActAhead": {
      const { taskId, tree, list } = event.payload;
      const task = state.tasks.get(taskId);
      if (task) task.before = { tree: task.before?.tree ?? tree, list };
      return;
    }
    case "TaskStarted":
      setStatus(state, event.payload.taskId, "started");
      return;
    case "TaskCompleted":
      endTask(state, event.payload.taskId, "completed", closedAs("task-ended", event.payload));
      noteFailure(state, event.payload.taskId, undefined);
      return;
    case "TaskFailed":
      endTask(state, event.payload.taskId, "failed", closedAs("task-ended", event.payload));
      noteFailure(state, event.payload.taskId, event.payload);
      return;
    case "TaskCanceled":
      endTask(state, event.payload.taskId, "canceled", closedAs("canceled", event.payload));
      Object.assign(state.tasks.get(event.payload.taskId) ?? {}, { why: event.payload.reason });
      return;
    case "SessionCanceled":
      cancelSession(state, event.payload);
      return;
    case "UserInteractionRequested":
      state.interactions.set(event.payload.interactionId, { request: event.payload, approvals: [] });
      return;
    case "UserInteractionResponded": {
      const interaction = state.interactions.get(event.payload.interactionId);
      if (!interaction || !isPending(interaction)) return;
      interaction.response = event.payload;
      const { conflict } = interaction.request;
      if (conflict && event.payload.selectedOptionId === "redo") state.redo = conflict;
      return;
    }
    case "ApprovalGiven": {
      const interaction = state.interactions.get(event.payload.interactionId);
      if (interaction && isPending(interaction)) interaction.approvals.push(event.payload);
      return;
    }
    case "InteractionExpired":
      closeInteraction(state.interactions.get(event.payload.interactionId), {
        why: "expired",
        at: event.payload.at,
      });
      return;
    case "ToolCallStarted": {
      const { conversationId, toolCallId, image } = event.payload;
      const key = callKey(conversationId, toolCallId);
      const starts = (state.calls.get(key)?.starts ?? 0) + 1;
      state.calls.set(key, { starts, ...(image === undefined ? {} : { image }) });
      return;
    }
    case "ToolCallWithdrawn":
      withdrawCall(state, callKey(event.payload.conversationId, event.payload.toolCallId));
      return;
    case "ToolCallSettled": {
      const { conversationId, toolCallId, outcome, notRun } = event.payload;
      const key = callKey(conversationId, toolCallId);
      const why = notRun === undefined ? {} : { notRun };
      state.calls.set(key, { starts: 0, ...state.calls.get(key), outcome, ...why });
      return;
    }
    case "ArtifactAccepted":
      state.tasks.get(event.payload.taskId)?.accepted.set(event.payload.output, event.payload.contentHash);
      return;
    case "ArtifactRefused": {
      const { output, errors, callId } = event.payload;
      const refusals = state.tasks.get(event.payload.taskId)?.refusals;
      const last = refusals?.get(output);
      // A call that was killed before its result is made again: no other try.
      if (last && callId !== undefined && last.callId === callId) return;
      const count = (last?.count ?? 0) + 1;
      refusals?.set(output, { count, errors, ...(callId === undefined ? {} : { callId }) });
    }
  }
}

export function foldEvents(events: Iterable<DomainEvent>): State {
  const state = emptyState();
  for (const event of events) applyEvent(state, event);
  return state;
}

/** True while an answer would still count. */
export function isPending(interaction: Pick<InteractionState, "response" | "closed">): boolean {
  return !interaction.response && !interaction.closed;
}

/** Requests that still wait for an answer, oldest first. */
export function openInteractions(state: State): InteractionRequest[] {
  return [...state.interactions.values()].filter(isPending).map((interaction) => interaction.request);
}

export type OpenTask = TaskState & { status: "created" | "started" };

/** True while a task's conversation may still go on. */
export function isOpen(task: TaskState | undefined): task is OpenTask {
  return task?.status === "created" || task?.status === "started";
}

/** How a task stands, as people are told: one that its agent skipped was canceled for that reason. */
export function endOf({ status, summary }: TaskState): TaskStatus | "skipped" {
  return status === "canceled" && summary?.status === "skipped" ? "skipped" : status;
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
    if (task.status === "created" || task.status === "started") task.status = "canceled";
  }
  for (const interaction of state.interactions.values()) {
    closeInteraction(interaction, closedAs("canceled", canceled));
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
