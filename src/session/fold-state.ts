// State is a fold over events: each changes it in place, in their order.
import type { DomainEvent, TaskFailure } from "./events.ts";
import { callKey, type InteractionState, isOpen, isPending, type State, type TaskStatus } from "./state.ts";

/** Before the first event. */
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
    case "SessionReopened":
      reopenSession(state);
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
      state.written = (state.written ?? new Set()).add(event.payload.contentHash);
      return;
    case "ArtifactAdopted":
      for (const task of state.tasks.values()) {
        if (isOpen(task)) task.editedSince = (task.editedSince ?? new Set()).add(event.payload.output);
      }
      return;
    case "ArtifactKept":
      state.copies = (state.copies ?? new Map()).set(event.payload.path, event.payload.output);
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

/** The state after all events of a session, in their order. */
export function foldEvents(events: Iterable<DomainEvent>): State {
  const state = emptyState();
  for (const event of events) applyEvent(state, event);
  return state;
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
