// Schemas of the lines in a session's stores. The types of events, requests and messages are derived from
// them.
import { z } from "zod";

const id = z.string().min(1);
const text = z.string();
const texts = z.array(text);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Absent or of this type: never there without a value. */
const may = z.exactOptional;

/** A line of any store but audit, without its `v`. */
export const lineFrame = z.object({ seq: z.int().min(1), at: id, type: id, payload: z.unknown() });
/** An audit line is chained to the one before it. */
export const auditFrame = lineFrame.extend({ prev: hash, hash });

const textBlock = z.object({ type: z.literal("text"), text });
const toolUseBlock = z.object({ type: z.literal("tool_use"), id: text, name: text, input: z.unknown() });
const toolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: id,
  content: text,
  is_error: may(z.literal(true)),
});
const TYPED = ["text", "tool_use", "tool_result"];
/** Thinking blocks and whatever else a provider adds, on which nothing here depends. */
const opaqueBlock = z.looseObject({
  type: z.custom<"thinking" | "redacted_thinking">(
    (type) => typeof type === "string" && !TYPED.includes(type),
  ),
});
export const messageShape = z.object({
  role: z.enum(["user", "assistant"]),
  content: z.array(z.union([textBlock, toolUseBlock, toolResultBlock, opaqueBlock])),
});
const stopReason = z.enum([
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
]);
const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
});
const response = z.object({ model: id, stopReason, usage, costUsd: z.number().nullable() });

const option = z.object({
  id: text,
  label: text,
  style: may(z.enum(["primary", "danger", "default"])),
  isDefault: may(z.boolean()),
});
/** `regex` runs in linear time; `required` refuses an empty input. */
const validation = z.object({ regex: may(text), required: may(z.boolean()) });
const field = z.object({
  id: text,
  label: text,
  kind: z.enum(["Select", "Confirm", "Input"]),
  options: may(z.array(option)),
  validation: may(validation),
});

export const conflictFile = z.object({
  /** Relative to the repository. */
  path: id,
  commit: id,
  /** Hex, of their version; absent where they removed the file. */
  sha256: may(id),
  /** Hex, of the run's version; absent where it removed the file. */
  ours: may(id),
  /** The session whose change it was, where another session of the work made the version that stands, and no person. */
  session: may(id),
  /** The steps of the session that ended so. */
  steps: may(z.array(id)),
});

const budgetLimit = z.object({
  of: z.enum(["session", "run", "month"]),
  unit: z.enum(["usd", "tokens"]),
  limit: z.number(),
  raiseTo: z.number(),
  /** The run whose limit it is, or the month (`2026-11`). */
  name: may(text),
});

const interactionRequest = z.object({
  interactionId: id,
  /** `q<ordinal>-<first six hex digits of the fingerprint>` */
  shortId: id,
  taskId: id,
  /** The conversation and the calls of its last turn that wait for the answer, in order. */
  conversationId: id,
  toolCallIds: texts,
  authorActorId: id,
  kind: z.enum(["Select", "Confirm", "Input", "Composite"]),
  purpose: z.enum(["choose_strategy", "request_info", "confirm_risky_action", "assign_subtask", "generic"]),
  display: z.object({
    title: text,
    description: may(text),
    content: may(z.unknown()),
    contentKind: may(z.enum(["PlainText", "Json", "Diff", "Table"])),
  }),
  options: may(z.array(option)),
  validation: may(validation),
  /** Composite only. */
  fields: may(z.array(field)),
  /** ISO 8601; an answer that comes later is refused. */
  expiresAt: may(text),
  /**
   * Who led to it, as actors, the starter of the run that asked first: `self-approval: false` keeps all of them from
   * answering. `unknown`: somebody did, and nobody knows who; a run of the program's own schedule is nobody's.
   */
  startedBy: may(texts.readonly()),
  /** Why a person must name this request to approve it: what policy calls dangerous. */
  dangers: may(texts),
  /** Confirm: how its commands would run. */
  isolation: may(
    z.object({
      kind: z.enum(["bubblewrap", "none"]),
      network: z.union([z.boolean(), texts.min(1).readonly()]),
    }),
  ),
  /** Confirm: the command lines that `always` would cover, byte for byte, in this folder; absent where it may not be said. */
  standing: may(z.object({ folder: text, commands: texts })),
  /** Confirm: what the agent said before the call. Its words alone, bound to nothing. */
  said: may(text),
  /** SHA-256 (hex) over everything the answer is bound to. */
  fingerprint: id,
  /** Of the program's own question: the files that a person changed as well. */
  conflict: may(z.array(conflictFile)),
  /** Of the program's own question: the limit that is reached, in dollars or tokens, and what an approval makes of it. */
  budget: may(budgetLimit),
  /** Of the program's own question: the version of the base's to-do file that it is about. */
  baseList: may(z.object({ hash: z.string(), commit: id })),
  /** Of `conflict`: they were taken from the branch by rewriting it. */
  isRewritten: may(z.literal(true)),
  /** Confirm: what a command made of files that decide what runs, each as an edit of the program under an id of its own. */
  kept: may(z.array(z.object({ toolCallId: id, path: id, before: may(text), after: text }))),
  /** Confirm: by tool call id, what each call is bound to beside its input; compared again just before it runs. */
  bindings: may(z.record(text, z.record(text, text))),
});

/** What a person said; one of `selectedOptionId` and `inputValue` is set. */
export const interactionAnswer = z.object({
  selectedOptionId: may(text),
  inputValue: may(text),
  comment: may(text),
  /** Approved for the rest of the work. */
  always: may(z.literal(true)),
});

/** On a pull request: the comment that said so, its author's permission at that moment, when it was written (ISO 8601). */
const said = { commentId: may(z.number()), permission: may(text), answeredAt: may(text) };

/** What an agent says of a to-do task at its end; field names are the contract's. */
const taskSummary = z.object({
  task_id: text.nullable(),
  status: z.enum(["done", "blocked", "skipped"]),
  summary: may(text),
  files: may(texts),
  blockers: may(texts),
});

const call = z.object({ conversationId: id, toolCallId: id, toolName: text });
/** When a task ended, ISO 8601: events that were read from a store have it. */
const at = may(text);

/** Payloads of the events store by type: task life cycle, UIP, and the ids and hashes that recovery reads. */
export const eventPayloads = {
  TaskCreated: z.object({
    taskId: id,
    agent: id,
    /** The outputs that the task completes together, in pipeline order. */
    outputs: texts,
    /** Digests of what the task began with: source bytes, agent's instructions, profile (16 hex digits each). */
    inputs: z.object({ source: text, agent: text, profile: text }),
    conversationId: id,
    /** To-do tasks: the status that it had before it was chosen. */
    from: may(text),
  }),
  /** A person changed a to-do task while its agent worked on it, and the agent was told; `source`: the digest as of now. */
  TaskRevised: z.object({ taskId: id, source: text }),
  /** The agent of a to-do task said how it ended; the first summary of an attempt counts. */
  SummaryReported: z.object({ taskId: id, callId: may(text), summary: taskSummary }),
  /** To-do tasks: what an act finds, as hashes of the worktree without the list, and of the list; empty: not known. */
  ActAhead: z.object({ taskId: id, tree: text, list: text }),
  /** The list that these commits brought says again how tasks ended. */
  EndsReapplied: z.object({ commits: texts }),
  TaskStarted: z.object({ taskId: id }),
  TaskCompleted: z.object({ taskId: id, at }),
  /** `blocker`: of a to-do task, which the program wrote where the agent named none. */
  TaskFailed: z.object({ taskId: id, reasonCode: id, message: text, blocker: may(text), at }),
  TaskCanceled: z.object({ taskId: id, reason: text, at }),
  /** A person ended the session: no later run continues it. */
  SessionCanceled: z.object({ reason: text, actorId: may(text), at }),
  /** The pull request was closed by mistake and opened again: the session stands as it did before that. */
  SessionReopened: z.object({ at: text }),
  UserInteractionRequested: interactionRequest,
  UserInteractionResponded: interactionAnswer.extend({
    interactionId: id,
    taskId: id,
    authorActorId: id,
    ...said,
  }),
  /** One of several approvals that the request needs; the last one comes with the response. */
  ApprovalGiven: z.object({
    interactionId: id,
    taskId: id,
    actorId: id,
    always: may(z.literal(true)),
    ...said,
  }),
  /** Everybody who had to had approved, nothing ran yet, and these may not decide any longer: the question is open again. */
  ApprovalReopened: z.object({ interactionId: id, taskId: id, actorIds: texts }),
  /** Who gave it may not decide any longer: it does not count, and the question stays open. */
  ApprovalWithdrawn: z.object({ interactionId: id, taskId: id, actorId: id }),
  /** Nobody answered in time: the request is closed, its task fails. `at` in ISO 8601. */
  InteractionExpired: z.object({ interactionId: id, taskId: id, at: id }),
  /** Also the intent of one: a call with an effect beyond the worktree is started before the turn's first of them. */
  ToolCallStarted: call.extend({ image: may(z.object({ before: id, after: id })) }),
  /** It was intended and, for certain, not begun. */
  ToolCallWithdrawn: call,
  /** `unknown`: found started without a result after a crash; never run again. */
  ToolCallSettled: call.extend({
    outcome: z.enum(["done", "failed", "denied", "unknown"]),
    resultHash: text,
    /** A person let it run, and it is no longer what was shown: why, as a piece of a sentence. */
    notRun: may(text),
    /** What the session's own worktree was then. */
    tree: may(text),
  }),
  ArtifactAccepted: z.object({ taskId: id, output: id, contentHash: id }),
  /** A person changed an artifact that stays so; `editedBy`: how the person is called, as far as that is known. */
  ArtifactAdopted: z.object({ output: id, contentHash: id, editedBy: id }),
  /** An artifact file (`output`) that a person had changed is made again; its bytes are in `path` beside it. */
  ArtifactKept: z.object({ output: id, path: id, contentHash: id }),
  ArtifactRefused: z.object({ taskId: id, output: id, callId: may(id), errors: texts }),
};

/** Payloads of the conversation store by type: what a model saw and said, byte for byte. */
export const conversationPayloads = {
  ConversationStarted: z.object({
    conversationId: id,
    taskId: id,
    agent: id,
    /** SHA-256 of the frozen system and tools bytes. */
    frozen: hash,
    provider: id,
    model: id,
    /** How much the model thinks, where its agent says so. */
    effort: may(z.enum(["low", "medium", "high", "max"])),
    /** 0 for a task's own conversation, +1 for each `Task` above it. */
    depth: z.int().min(0),
  }),
  Message: z.object({ conversationId: id, message: messageShape, response: may(response) }),
  /** The user message after a turn is its `ToolResult`s in call order. */
  ToolResult: z.object({ conversationId: id, block: toolResultBlock }),
  ModelSwitched: z.object({ conversationId: id, from: id, to: id, reason: text }),
  /** An agent program was released: the SHA-256 of what it left, which is beside the frozen bytes. */
  MemoryKept: z.object({ conversationId: id, memory: hash }),
};
