// The lines of the three stores. Events are what is decided, the conversation is what was said, audit is what was done.
import type { Approval, InteractionRequest, InteractionResponse } from "./interaction.ts";
import type { Message, StopReason, ToolResultBlock, Usage } from "./message.ts";

/** What an agent says of a to-do task at its end; field names are the contract's. */
export type TaskSummary = {
  task_id: string | null;
  status: "done" | "blocked" | "skipped";
  summary?: string;
  files?: string[];
  blockers?: string[];
};

/** `blocker`: of a to-do task, which the program wrote where the agent named none. */
export type TaskFailure = { reasonCode: string; message: string; blocker?: string };

export type StoreName = "events" | "conversation" | "audit";

type Line<S extends StoreName, T extends string, P> = { store: S; type: T; payload: P };

/** Task life cycle, UIP, and the ids and hashes that recovery reads. */
export type DomainEvent =
  | Line<
      "events",
      "TaskCreated",
      {
        taskId: string;
        agent: string;
        /** The outputs that the task completes together, in pipeline order. */
        outputs: string[];
        /** Digests of what the task began with: source bytes, agent's instructions, profile (16 hex digits each). */
        inputs: { source: string; agent: string; profile: string };
        conversationId: string;
        /** To-do tasks: the status that it had before it was chosen. */
        from?: string;
      }
    >
  /** The agent of a to-do task said how it ended; the first summary of an attempt counts. */
  | Line<"events", "SummaryReported", { taskId: string; callId?: string; summary: TaskSummary }>
  /** To-do tasks: what an act finds, as hashes of the worktree without the list, and of the list; empty: not known. */
  | Line<"events", "ActAhead", { taskId: string; tree: string; list: string }>
  /** The list that these commits brought says again how tasks ended. */
  | Line<"events", "EndsReapplied", { commits: string[] }>
  | Line<"events", "TaskStarted", { taskId: string }>
  /** The ends of a task; `at` in ISO 8601: events that were read from a store have it. */
  | Line<"events", "TaskCompleted", { taskId: string; at?: string }>
  | Line<"events", "TaskFailed", { taskId: string; at?: string } & TaskFailure>
  | Line<"events", "TaskCanceled", { taskId: string; reason: string; at?: string }>
  /** A person ended the session: no later run goes on with it. */
  | Line<"events", "SessionCanceled", { reason: string; actorId?: string; at?: string }>
  | Line<"events", "UserInteractionRequested", InteractionRequest>
  | Line<"events", "UserInteractionResponded", InteractionResponse>
  /** One of several approvals that the request needs; the last one comes with the response. */
  | Line<"events", "ApprovalGiven", Approval>
  /** Nobody answered in time: the request is closed, its task fails. `at` in ISO 8601. */
  | Line<"events", "InteractionExpired", { interactionId: string; taskId: string; at: string }>
  /** Also the intent of one: a call with an effect beyond the worktree is started before the turn's first of them. */
  | Line<"events", "ToolCallStarted", ToolCallReference & { image?: FileImage }>
  /** It was intended and, for certain, not begun. */
  | Line<"events", "ToolCallWithdrawn", ToolCallReference>
  | Line<
      "events",
      "ToolCallSettled",
      ToolCallReference & {
        outcome: CallOutcome;
        resultHash: string;
        /** A person let it run, and it is no longer what was shown: why, as a piece of a sentence. */
        notRun?: string;
      }
    >
  | Line<"events", "ArtifactAccepted", { taskId: string; output: string; contentHash: string }>
  /** A person changed an artifact that stays so; `editedBy`: how the person is called, as far as that is known. */
  | Line<"events", "ArtifactAdopted", { output: string; contentHash: string; editedBy: string }>
  /** An artifact file (`output`) that a person had changed is made again; its bytes are in `path` beside it. */
  | Line<"events", "ArtifactKept", { output: string; path: string; contentHash: string }>
  | Line<"events", "ArtifactRefused", { taskId: string; output: string; callId?: string; errors: string[] }>;

export type ToolCallReference = { conversationId: string; toolCallId: string; toolName: string };
/** SHA-256 (hex) of a file before and after a call that changes it; `none`: there was no file. */
export type FileImage = { before: string; after: string };
/** `unknown`: found started without a result after a crash; never run again. */
export type CallOutcome = "done" | "failed" | "denied" | "unknown";

/** What a model saw and said, byte for byte. The user message after a turn is its `ToolResult`s in call order. */
export type ConversationLine =
  | Line<
      "conversation",
      "ConversationStarted",
      {
        conversationId: string;
        taskId: string;
        agent: string;
        /** SHA-256 of the frozen system and tools bytes. */
        frozen: string;
        provider: string;
        model: string;
        /** 0 for a task's own conversation, +1 for each `Task` above it. */
        depth: number;
      }
    >
  | Line<
      "conversation",
      "Message",
      {
        conversationId: string;
        message: Message;
        response?: { model: string; stopReason: StopReason; usage: Usage; costUsd: number | null };
      }
    >
  | Line<"conversation", "ToolResult", { conversationId: string; block: ToolResultBlock }>
  | Line<
      "conversation",
      "ModelSwitched",
      { conversationId: string; from: string; to: string; reason: string }
    >;

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
