// What a session's lines fold to, for those who only look at it.
import { waitsForConflict } from "./conflict.ts";
import { applyConversationLine, type Conversation, noUsage, type Totals } from "./conversation.ts";
import type { ConversationLine, DomainEvent } from "./events.ts";
import { foldEvents } from "./fold-state.ts";
import { isOpen, openInteractions, type State, type TaskState } from "./state.ts";

export type SessionView = {
  sessionId: string;
  state: State;
  conversations: ReadonlyMap<string, Conversation>;
  totals: Totals;
};

/** Folds the lines of a session. */
export function viewSession(
  sessionId: string,
  lines: { events: readonly DomainEvent[]; conversation: readonly ConversationLine[] },
): SessionView {
  const conversations = new Map<string, Conversation>();
  const totals: Totals = { usage: noUsage(), costUsd: 0, unpriced: false };
  for (const line of lines.conversation) applyConversationLine(conversations, totals, line);
  return { sessionId, state: foldEvents(lines.events), conversations, totals };
}

/** True while a question of the task, or of an agent below it, has no answer: nothing of it can go on. */
export function isWaiting(state: State, task: TaskState): boolean {
  const below = `${task.conversationId}/`;
  return openInteractions(state).some(
    (request) => request.taskId === task.taskId || request.conversationId.startsWith(below),
  );
}

/** True where a task was begun, has not ended and waits for nobody: a run can go on with it. */
export function canGoOn(state: State): boolean {
  if (waitsForConflict(state)) return false;
  return [...state.tasks.values()].some((task) => isOpen(task) && !isWaiting(state, task));
}
