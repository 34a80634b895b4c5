// A conversation is a fold over its lines: the messages exactly as the model received and sent them. Pure.
import {
  type ConversationLine,
  type DomainEvent,
  type Effort,
  type Message,
  type ModelResponse,
  type StopReason,
  type ToolResultBlock,
  type ToolUseBlock,
  toolCallsOf,
  type Usage,
} from "./events.ts";
import {
  foldEvents,
  isOpen,
  openInteractions,
  type State,
  type TaskState,
  waitsForConflict,
} from "./state.ts";

export type Conversation = {
  conversationId: string;
  taskId: string;
  agent: string;
  /** SHA-256 of the frozen system and tools bytes. */
  frozen: string;
  provider: string;
  /** The model in use now. */
  model: string;
  effort?: Effort;
  depth: number;
  messages: Message[];
  /** Results of the last turn so far, while some are missing. */
  results: Map<string, ToolResultBlock>;
  /** Model responses so far. */
  turns: number;
  /** Requests so far; an agent program may make several for a response. */
  requests: number;
  /** Their cost in US dollars; null once one had no known price. */
  costUsd: number | null;
  /** Why the last response ended: its calls may run only after `tool_use`. */
  lastStop?: StopReason;
  /** Messages before this index were exchanged with another model. */
  switchedAt: number;
  /** SHA-256 of the memory that an agent program left when it was last released. */
  memory?: string;
};

export type Totals = { usage: Usage; costUsd: number; unpriced: boolean };

/** The usage of no response. */
export function noUsage(): Usage {
  return { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
}

/** Returns a new sum; both arguments stay unchanged. */
export function addUsage(sum: Usage, more: Usage): Usage {
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    cacheReadTokens: sum.cacheReadTokens + more.cacheReadTokens,
    cacheWriteTokens: sum.cacheWriteTokens + more.cacheWriteTokens,
  };
}

/** Applies one line in place; adds the cost of a response to `totals`. */
export function applyConversationLine(
  conversations: Map<string, Conversation>,
  totals: Totals,
  line: ConversationLine,
): void {
  if (line.type === "ConversationStarted") {
    conversations.set(line.payload.conversationId, {
      ...line.payload,
      messages: [],
      results: new Map(),
      turns: 0,
      requests: 0,
      costUsd: 0,
      switchedAt: 0,
    });
    return;
  }
  const conversation = conversations.get(line.payload.conversationId);
  if (line.type === "SpendingLost") addCost(totals, conversation, line.payload);
  if (!conversation) return;
  if (line.type === "SpendingLost") conversation.requests += line.payload.requests ?? 0;
  switch (line.type) {
    case "Message":
      conversation.messages.push(line.payload.message);
      if (line.payload.response) {
        conversation.turns += 1;
        conversation.requests += line.payload.response.requests ?? 1;
        conversation.lastStop = line.payload.response.stopReason;
        addCost(totals, conversation, line.payload.response);
      }
      return;
    case "ToolResult":
      addResult(conversation, line.payload.block);
      return;
    case "ModelSwitched":
      conversation.model = line.payload.to;
      conversation.switchedAt = conversation.messages.length;
      return;
    case "MemoryKept":
      conversation.memory = line.payload.memory;
  }
}

function addCost(
  totals: Totals,
  conversation: Conversation | undefined,
  { usage, costUsd }: Pick<ModelResponse, "usage" | "costUsd">,
): void {
  if (conversation) {
    const known = conversation.costUsd;
    conversation.costUsd = costUsd === null || known === null ? null : known + costUsd;
  }
  totals.usage = addUsage(totals.usage, usage);
  totals.costUsd += costUsd ?? 0;
  totals.unpriced ||= costUsd === null;
}

/** The calls of the last turn that have no result yet, in order. */
export function unansweredCalls(conversation: Conversation): ToolUseBlock[] {
  const last = conversation.messages.at(-1);
  if (last?.role !== "assistant") return [];
  return toolCallsOf(last).filter((call) => !conversation.results.has(call.id));
}

/**
 * The messages of the next request. Thinking from before a switch of model is left out: it is bound to the
 * model that wrote it (Messages API, thinking blocks).
 */
export function messagesToSend(conversation: Conversation): readonly Message[] {
  if (conversation.switchedAt === 0) return conversation.messages;
  return conversation.messages
    .map((message, index) => (index < conversation.switchedAt ? withoutThinking(message) : message))
    .filter((message) => message.content.length > 0);
}

function withoutThinking(message: Message): Message {
  if (message.role === "user") return message;
  return { ...message, content: message.content.filter((block) => !isThinking(block.type)) };
}

function isThinking(type: string): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Adds a result; once all results of a turn are there, they form one user message in call order. */
function addResult(conversation: Conversation, block: ToolResultBlock): void {
  const last = conversation.messages.at(-1);
  if (last?.role !== "assistant") return;
  conversation.results.set(block.tool_use_id, block);
  const results = toolCallsOf(last).map((call) => conversation.results.get(call.id));
  if (results.some((result) => result === undefined)) return;
  conversation.results = new Map();
  conversation.messages.push({ role: "user", content: results as ToolResultBlock[] });
}

// The folded state of a session, for read-only use.

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

/** True while a question of the task, or of a subagent below it, is unanswered: the task can't continue. */
export function isWaiting(state: State, task: TaskState): boolean {
  const below = `${task.conversationId}/`;
  return openInteractions(state).some(
    (request) => request.taskId === task.taskId || request.conversationId.startsWith(below),
  );
}

/** True if a task is open and waits for no answer: a run can continue it. */
export function canGoOn(state: State): boolean {
  if (waitsForConflict(state)) return false;
  return [...state.tasks.values()].some((task) => isOpen(task) && !isWaiting(state, task));
}
