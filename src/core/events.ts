// The lines of the three stores: events record decisions, the conversation records messages, and the audit
// log records actions.
import { z } from "zod";
import { lazily } from "./json.ts";
import {
  conflictFile,
  type conversationPayloads,
  type eventPayloads,
  type messageShape,
} from "./line-shapes.ts";

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

/** A line that counts a response which died with its run. */
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

// Schemas of the lines in a work's log. The types of its events are derived from them.

const text = z.string().min(1);
const id = z.int().min(0);
const may = z.exactOptional;

/** Payloads of a work's log by type: claims, comments, messages. */
export const workPayloads = {
  /**
   * A run takes the work; `actorId` started it, `rerunBy` ran it again. `run`: `<run
   * id>.<attempt>.<claimant>`.
   */
  WorkClaimed: lazily(() => z.object({ run: text, actorId: text, rerunBy: may(text) })),
  /** `isBehind`: the pull request does not show how the run ended. */
  WorkReleased: lazily(() => z.object({ run: text, isBehind: may(z.literal(true)) })),
  /**
   * The pull request was merged or closed, or its branch deleted: the work ends. `isShown`: the pull request
   * says so.
   */
  WorkClosed: lazily(() => z.object({ reason: text, isShown: may(z.literal(true)) })),
  /** The pull request was closed without merging and is open again. */
  WorkReopened: lazily(() => z.object({ at: text })),
  PullRequestOpened: lazily(() => z.object({ number: id, url: text })),
  /** Labels, reviewers and assignees were set, which happens once. */
  ReviewRequested: lazily(() => z.object({ number: id })),
  CommentPosted: lazily(() =>
    z.object({
      role: z.enum(["status", "request", "refusal"]),
      commentId: id,
      /** The program's account on this pull request. */
      authorId: id,
      /** ISO 8601, by the server's clock. */
      createdAt: text,
      interactionId: may(text),
      /** The request was too long for the comment and could not be attached: it may only be declined. */
      isCut: may(z.literal(true)),
      /** Refusal: the comment that was refused. */
      answers: may(id),
    }),
  ),
  /**
   * A person pushed changes to files that this run changed too; theirs win. Part of the checkpoint that
   * merges them.
   */
  ConflictMet: lazily(() => z.object({ files: z.array(conflictFile()) })),
  /** An open request's comment was deleted or rewritten: people can no longer read the request. */
  RequestLost: lazily(() => z.object({ interactionId: text, changedComment: may(id) })),
  /** A comment was processed and is never read again. The newest one is the cursor. */
  CommentHandled: lazily(() =>
    z.object({
      commentId: id,
      createdAt: text,
      verdict: z.enum(["accepted", "refused", "ignored"]),
      /** `no-command`, `not-permitted`, or the reason for the refusal in words. */
      reason: z.string(),
      actorId: may(z.string()),
      permission: may(z.string()),
      /** The command's line. */
      command: may(z.string()),
      interactionIds: may(z.array(text)),
      /** Refused: what to do instead, and commands to copy. */
      whatToDo: may(z.string()),
      copy: may(z.array(z.string())),
      /** `/retry`: the output to make again, and how often it was attempted before. */
      retry: may(z.object({ sessionId: text, output: text, attempts: id })),
      /** `/looplia run` */
      runsAll: may(z.literal(true)),
      /** `/looplia restart`: where the damaged state is kept, if there was one. */
      restart: may(z.object({ ref: may(text), commit: may(text) })),
    }),
  ),
  /**
   * The program edited an open request's comment, at this server time. `shows`: the progress that it displays
   * now.
   */
  RequestEdited: lazily(() => z.object({ interactionId: text, editedAt: text, shows: z.string() })),
  /** Half of the time for an answer was over, and people were reminded. */
  PeopleReminded: lazily(() => z.object({ interactionId: text })),
  /** A request's comment shows how the request ended. `inVain`: no call ran under its approval. */
  RequestSettled: lazily(() => z.object({ interactionId: text, inVain: may(text) })),
  /** The reactions and replies due for a handled comment were made. */
  CommentAcknowledged: lazily(() => z.object({ commentId: id })),
  /** `/looplia <text>`: delivered only to the next task's agent. */
  MessageLeft: lazily(() => z.object({ commentId: id, actorId: text, text: z.string() })),
  MessageDelivered: lazily(() => z.object({ commentId: id, taskId: text })),
  /**
   * All required approvers said `always` for these command lines: this work does not ask about them again.
   */
  ApprovalStands: lazily(() =>
    z.object({
      /** The number for `/revoke`. */
      number: z.int().min(1),
      interactionId: text,
      /** The actors who gave it, and when (ISO 8601). */
      actorIds: z.array(text).min(1),
      at: text,
      folder: z.string(),
      commands: z.array(text).min(1),
      /** How the commands were isolated; always without network. */
      isolation: text,
    }),
  ),
  ApprovalRevoked: lazily(() => z.object({ number: z.int().min(1), actorId: text })),
  /** A dispatched answer was applied; it is never applied again, even if its letter can't be removed. */
  LetterHandled: lazily(() => z.object({ id: z.string() })),
  /** Requests are about to be sent as one batch, named by its first request. */
  BatchIntended: lazily(() => z.object({ name: text, at: text, customIds: z.array(text).min(1) })),
  /** The service accepted the batch under this id. */
  BatchSent: lazily(() => z.object({ name: text, batchId: text })),
  /** Nothing more is expected of the batch: its results are stored, or it was never accepted. */
  BatchClosed: lazily(() => z.object({ name: text })),
  /** The decision about steps that a rewrite of the branch removed was carried out. */
  StepsSettled: lazily(() => z.object({ interactionId: text })),
  /** `shows`: the digest of what the check says, apart from times and runs. */
  CheckSaved: lazily(() => z.object({ checkId: id, headSha: text, shows: may(text) })),
  /**
   * The base's to-do file when the work began, as the hash of its bytes (empty: no file), and the base's
   * commit, which is missing in works of earlier versions.
   */
  BaseListSeen: lazily(() => z.object({ hash: z.string(), commit: may(text) })),
  /** A person decided whether to take that version of the base's list. */
  BaseListSettled: lazily(() => z.object({ hash: z.string(), commit: may(text) })),
};
