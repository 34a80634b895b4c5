// The lines of the three stores. Events are what is decided, the conversation is what was said, audit is what was done.
import type { z } from "zod";
import type { conversationPayloads, eventPayloads } from "./line-shapes.ts";

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

/** A line as it stands on disk (without `store`, which is its folder). Audit lines add `prev` and `hash`. */
export type StoredLine = {
  v: 1;
  seq: number;
  at: string;
  type: string;
  payload: unknown;
  prev?: string;
  hash?: string;
};
