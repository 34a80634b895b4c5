// The lines of the three stores: events record decisions, the conversation what was said, audit what was
// done.
import type { z } from "zod";
import type { conversationPayloads, eventPayloads, messageShape } from "./line-shapes.ts";
import type { workPayloads } from "./work-shapes.ts";

export type StoreName = "events" | "conversation" | "audit";

type Line<S extends StoreName, T extends string, P> = { store: S; type: T; payload: P };

type EventPayloads = { [T in keyof typeof eventPayloads]: z.infer<(typeof eventPayloads)[T]> };
type ConversationPayloads = {
  [T in keyof typeof conversationPayloads]: z.infer<(typeof conversationPayloads)[T]>;
};

/** Task life cycle, UIP, and the ids and hashes that recovery reads. */
export type DomainEvent = {
  [T in keyof EventPayloads]: Line<"events", T, EventPayloads[T]>;
}[keyof EventPayloads];

/** What a model saw and said, byte for byte. */
export type ConversationLine = {
  [T in keyof ConversationPayloads]: Line<"conversation", T, ConversationPayloads[T]>;
}[keyof ConversationPayloads];

/** What an agent says of a to-do task at its end; field names are the contract's. */
export type TaskSummary = EventPayloads["SummaryReported"]["summary"];
export type TaskFailure = Omit<EventPayloads["TaskFailed"], "taskId" | "at">;
export type ToolCallReference = EventPayloads["ToolCallWithdrawn"];
/** SHA-256 (hex) of a file before and after a call that changes it; `none`: there was no file. */
export type FileImage = NonNullable<EventPayloads["ToolCallStarted"]["image"]>;
/** `unknown`: found started without a result after a crash; never run again. */
export type CallOutcome = EventPayloads["ToolCallSettled"]["outcome"];

/** The design's fields and additions; a denied call completes with `isError`. */
export type AuditLine =
  | Line<
      "audit",
      "ToolCallRequested",
      {
        toolCallId: string;
        toolName: string;
        authorActorId: string;
        taskId: string;
        conversationId: string;
        input: Record<string, unknown>;
        decision: "allow" | "ask" | "deny";
        /** Of a command: what stood between it and the machine. */
        isolation?: "bubblewrap" | "none";
        /** Why it is asked under every rule. */
        dangers?: string[];
        timestamp: number;
      }
    >
  | Line<
      "audit",
      "ToolCallCompleted",
      {
        toolCallId: string;
        authorActorId: string;
        taskId: string;
        conversationId: string;
        output: Record<string, unknown>;
        isError: boolean;
        durationMs: number;
        timestamp: number;
      }
    >;

export type StoreLine = DomainEvent | ConversationLine | AuditLine;

/** A line as it is on disk (without `store`, which is its folder). Audit lines add `prev` and `hash`. */
export type StoredLine = {
  v: 1;
  seq: number;
  at: string;
  type: string;
  payload: unknown;
  prev?: string;
  hash?: string;
};

// What a model says and hears. The shape is the Messages API's; other providers translate at their border.

export type Message = z.infer<typeof messageShape>;
/** Thinking blocks and whatever a provider adds are kept and sent back untouched. */
export type ContentBlock = Message["content"][number];
type TextBlock = Extract<ContentBlock, { type: "text" }>;
export type ToolUseBlock = Extract<ContentBlock, { type: "tool_use" }>;
export type ToolResultBlock = Extract<ContentBlock, { type: "tool_result" }>;
type ModelResponse = NonNullable<z.infer<typeof conversationPayloads.Message>["response"]>;
export type StopReason = ModelResponse["stopReason"];
/** Tokens of one response, or a sum of them. */
export type Usage = ModelResponse["usage"];

/** What a model is notified of a tool; `inputSchema` is JSON Schema. */
export type ToolDefinition = { name: string; description: string; inputSchema: Record<string, unknown> };

// The names of tools that MCP servers offer: `mcp__<server>__<tool>`.

/** True for a tool of an MCP server, and for what names all tools of one (`mcp__<server>`, `mcp__<server>__*`). */
export function isServerTool(name: string): boolean {
  return /^mcp__[A-Za-z0-9](?:_?[A-Za-z0-9-])*(?:__(?:\*|[A-Za-z0-9_-]+))?$/.test(name);
}

/** Whether `named`, in a rule or in front matter, means the tool. */
export function coversTool(named: string, tool: string): boolean {
  if (named === tool) return true;
  return isServerTool(named) && tool.startsWith(`${named.replace(/__\*$/, "")}__`);
}

/** The bytes that a conversation keeps from its start to its end (`frozen/<sha256>`). */
export type FrozenPrefix = { system: string; tools: ToolDefinition[] };

/** The tool calls of a message, in order. */
export function toolCallsOf(message: Message): ToolUseBlock[] {
  return message.content.filter((block): block is ToolUseBlock => block.type === "tool_use");
}

/** How a call is written by models that have no tools of their own; an input that is text is a call that could not be read. */
export const TEXT_CALL_FORM = `<tool_use>
{"name": "the tool's name", "input": {"parameter": "value"}}
</tool_use>`;

/** The text of a message: its text blocks, joined by a newline. */
export function messageText(message: Message): string {
  return message.content
    .filter((block): block is TextBlock => block.type === "text")
    .map((block) => block.text)
    .join("\n");
}

// A rule of `policy`, once read. Rules are made by src/config and applied by src/approval.

export type PolicyRule = {
  effect: "deny" | "ask" | "allow";
  tool: string;
  /** As it was written. */
  text: string;
  /** editFile: which paths; undefined: all. */
  matchesPath?: (path: string) => boolean;
  /** runCommand: the words of the command; undefined: any command. */
  words?: readonly string[];
  /** More words may follow. */
  andMore?: true;
};

// What happens to a work as a whole: claims, comments, messages. Lines of `work/<n>.jsonl` beside the sessions' stores.

type Payloads = { [T in keyof typeof workPayloads]: z.infer<(typeof workPayloads)[T]> };

export type WorkEvent = { [T in keyof Payloads]: { type: T; payload: Payloads[T] } }[keyof Payloads];
export type BaseList = Payloads["BaseListSeen"];
export type HandledComment = Payloads["CommentHandled"];

/** How much a model thinks. */
export type Effort = NonNullable<
  Extract<ConversationLine, { type: "ConversationStarted" }>["payload"]["effort"]
>;
