// Small lines of each store, for tests of whatever keeps them.
import type { AuditLine, ConversationLine, DomainEvent, StoreLine } from "../../src/core/events.ts";

export function eventLine(taskId: string): DomainEvent {
  return { store: "events", type: "TaskStarted", payload: { taskId } };
}

/** A question about a risky call. */
export function requestLine(interactionId: string, shortId: string): DomainEvent {
  return {
    store: "events",
    type: "UserInteractionRequested",
    payload: {
      interactionId,
      shortId,
      taskId: "summary",
      conversationId: "c1",
      toolCallIds: ["t1"],
      authorActorId: "agent:a",
      kind: "Confirm",
      purpose: "confirm_risky_action",
      display: { title: "May I?" },
      fingerprint: "f",
    },
  };
}

export function messageLine(text: string): ConversationLine {
  const message = { role: "user" as const, content: [{ type: "text" as const, text }] };
  return { store: "conversation", type: "Message", payload: { conversationId: "c1", message } };
}

export function auditLine(text: string): AuditLine {
  const payload = {
    toolCallId: "t1",
    toolName: "readFile",
    authorActorId: "agent:a",
    taskId: "summary",
    conversationId: "c1",
    input: { text },
    decision: "allow" as const,
    timestamp: 1,
  };
  return { store: "audit", type: "ToolCallRequested", payload };
}

export function lineOf(store: StoreLine["store"], text: string): StoreLine {
  if (store === "events") return eventLine(`t${text}`);
  return store === "conversation" ? messageLine(text) : auditLine(text);
}

/** The lines of a session that ended; `words` make them its own. */
export function endedSession(words: string): StoreLine[] {
  const inputs = { source: "s", agent: "a", profile: "p" };
  const task = { taskId: "summary", agent: "a", outputs: ["summary"], inputs, conversationId: "c1" };
  const common = "What every session has in common, such as the prompt of its step. ".repeat(20);
  return [
    { store: "events", type: "TaskCreated", payload: task },
    eventLine("summary"),
    messageLine(common),
    auditLine(`${words}: what the model asked for`),
    messageLine(`${words}: what the model said`),
    auditLine(`${words}: what came of it`),
    { store: "events", type: "TaskCompleted", payload: { taskId: "summary" } },
  ];
}
