// The lines of the three stores: events record decisions, the conversation records messages, and the audit
// log records actions.
import type { z } from "zod";
import type { conversationPayloads, eventPayloads, messageShape } from "./line-shapes.ts";
import type { workPayloads } from "./work-shapes.ts";

export type StoreName = "events" | "conversation" | "audit";

type Line<S extends StoreName, T extends string, P> = { store: S; type: T; payload: P };

type EventPayloads = { [T in keyof typeof eventPayloads]: z.infer<ReturnType<(typeof eventPayloads)[T]>> };
type ConversationPayloads = {
  [T in keyof typeof conversationPayloads]: z.infer<ReturnType<(typeof conversationPayloads)[T]>>;
};

/** Task life cycle, UIP, and the ids and hashes that recovery reads. */
export type DomainEvent = {
  [T in keyof EventPayloads]: Line<"events", T, EventPayloads[T]>;
}[keyof EventPayloads];

/** What a model read and wrote, byte for byte. */
export type ConversationLine = {
  [T in keyof ConversationPayloads]: Line<"conversation", T, ConversationPayloads[T]>;
}[keyof ConversationPayloads];

export type TaskInputs = EventPayloads["TaskCreated"]["inputs"];
/** An agent's report on a to-do task at its end; the field names are the contract's. */
export type TaskSummary = EventPayloads["SummaryReported"]["summary"];
export type TaskFailure = Omit<EventPayloads["TaskFailed"], "taskId" | "at">;
export type ToolCallReference = EventPayloads["ToolCallWithdrawn"];
/** SHA-256 (hex) of a file before and after the call that changes it; `none`: the file did not exist. */
export type FileImage = NonNullable<EventPayloads["ToolCallStarted"]["image"]>;
/** `unknown`: the call was found started without a result after a crash; it is never run again. */
export type CallOutcome = EventPayloads["ToolCallSettled"]["outcome"];

/** The design's fields plus additions; a denied call completes with `isError`. */
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
        /** Commands only: how the command was isolated from the machine. */
        isolation?: "bubblewrap" | "none";
        /** Why a person is asked whatever the rules say. */
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

/** A line that counts a response which died with its run, or requests that led to none. */
export type SpendingLost = Extract<ConversationLine, { type: "SpendingLost" }>;
export type StoreLine = DomainEvent | ConversationLine | AuditLine;

/**
 * A line as stored on disk. `store` is not a field: the folder's name says it. Audit lines add `prev` and
 * `hash`.
 */
export type StoredLine = {
  v: 1;
  seq: number;
  at: string;
  type: string;
  payload: unknown;
  prev?: string;
  hash?: string;
};

// Messages to and from a model, in the shape of the Messages API; adapters of other providers translate.

export type Message = z.infer<ReturnType<typeof messageShape>>;
/** Thinking blocks and other provider-specific blocks are kept and sent back unchanged. */
export type ContentBlock = Message["content"][number];
type TextBlock = Extract<ContentBlock, { type: "text" }>;
export type ToolUseBlock = Extract<ContentBlock, { type: "tool_use" }>;
export type ToolResultBlock = Extract<ContentBlock, { type: "tool_result" }>;
export type ModelResponse = NonNullable<z.infer<ReturnType<typeof conversationPayloads.Message>>["response"]>;
export type StopReason = ModelResponse["stopReason"];
/** Tokens of one response, or of several added up. */
export type Usage = ModelResponse["usage"];

/** A tool as described to a model; `inputSchema` is JSON Schema. */
export type ToolDefinition = { name: string; description: string; inputSchema: Record<string, unknown> };

// The names of tools that MCP servers offer: `mcp__<server>__<tool>`.

/**
 * True for a tool of an MCP server and for the names of all tools of a server (`mcp__<server>`,
 * `mcp__<server>__*`).
 */
export function isServerTool(name: string): boolean {
  return /^mcp__[A-Za-z0-9](?:_?[A-Za-z0-9-])*(?:__(?:\*|[A-Za-z0-9_-]+))?$/.test(name);
}

/** Whether `named`, from a rule or front matter, covers the tool. */
export function coversTool(named: string, tool: string): boolean {
  if (named === tool) return true;
  return isServerTool(named) && tool.startsWith(`${named.replace(/__\*$/, "")}__`);
}

/**
 * The bytes that begin a conversation and never change during it (`frozen/<sha256>`). `answer`: the JSON
 * Schema of every answer, in a conversation without tools.
 */
export type FrozenPrefix = { system: string; tools: ToolDefinition[]; answer?: Record<string, unknown> };

/** The tool calls of a message, in order. */
export function toolCallsOf(message: Message): ToolUseBlock[] {
  return message.content.filter((block): block is ToolUseBlock => block.type === "tool_use");
}

/** How models without native tool calls write a call. A call whose input is a string could not be parsed. */
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

// A parsed rule of `policy`. src/config parses rules; src/approval applies them.

export type PolicyRule = {
  effect: "deny" | "ask" | "allow";
  tool: string;
  /** The rule as written in the settings. */
  text: string;
  /** editFile: tests a path; undefined matches all paths. */
  matchesPath?: (path: string) => boolean;
  /** runCommand: the words of the command; undefined matches any command. */
  words?: readonly string[];
  /** Further words may follow. */
  andMore?: true;
};

// Events of a whole work: claims, comments, messages. They are the lines of `work/<n>.jsonl`, beside the
// sessions' stores.

type Payloads = { [T in keyof typeof workPayloads]: z.infer<ReturnType<(typeof workPayloads)[T]>> };

export type WorkEvent = { [T in keyof Payloads]: { type: T; payload: Payloads[T] } }[keyof Payloads];
export type BaseList = Payloads["BaseListSeen"];
export type HandledComment = Payloads["CommentHandled"];

/** How much effort a model spends on thinking. */
export type Effort = NonNullable<
  Extract<ConversationLine, { type: "ConversationStarted" }>["payload"]["effort"]
>;
