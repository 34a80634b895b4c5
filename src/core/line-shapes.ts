// Schemas of the lines in a session's stores. The types of events, requests and messages are derived from
// them.
import { z } from "zod";
import { lazily } from "./json.ts";

const id = z.string().min(1);
const text = z.string();
const texts = z.array(text);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** An optional property that is never present with the value `undefined`. */
const may = z.exactOptional;

/** A line of any store but audit, without its `v`. */
export const lineFrame = lazily(() =>
  z.object({ seq: z.int().min(1), at: id, type: id, payload: z.unknown() }),
);
/** An audit line, chained to the previous one. */
export const auditFrame = lazily(() => lineFrame().extend({ prev: hash, hash }));

const textBlock = lazily(() => z.object({ type: z.literal("text"), text }));
const toolUseBlock = lazily(() =>
  z.object({ type: z.literal("tool_use"), id: text, name: text, input: z.unknown() }),
);
const toolResultBlock = lazily(() =>
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: id,
    content: text,
    is_error: may(z.literal(true)),
  }),
);
const TYPED = ["text", "tool_use", "tool_result"];
/** Thinking blocks and other provider-specific blocks; no code here depends on their content. */
const opaqueBlock = lazily(() =>
  z.looseObject({
    type: z.custom<"thinking" | "redacted_thinking">(
      (type) => typeof type === "string" && !TYPED.includes(type),
    ),
  }),
);
export const messageShape = lazily(() =>
  z.object({
    role: z.enum(["user", "assistant"]),
    content: z.array(z.union([textBlock(), toolUseBlock(), toolResultBlock(), opaqueBlock()])),
  }),
);
const stopReason = lazily(() =>
  z.enum([
    "end_turn",
    "max_tokens",
    "stop_sequence",
    "tool_use",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
  ]),
);
const usage = lazily(() =>
  z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cacheReadTokens: z.number(),
    cacheWriteTokens: z.number(),
  }),
);
const response = lazily(() =>
  z.object({
    ...{ model: id, stopReason: stopReason(), usage: usage(), costUsd: z.number().nullable() },
    /** How many requests an agent program made for it, if not one. */
    requests: may(z.int().min(0)),
  }),
);

const option = lazily(() =>
  z.object({
    id: text,
    label: text,
    style: may(z.enum(["primary", "danger", "default"])),
    isDefault: may(z.boolean()),
  }),
);
/** `regex` is matched in linear time; `required` refuses an empty input. */
const validation = lazily(() => z.object({ regex: may(text), required: may(z.boolean()) }));
const field = lazily(() =>
  z.object({
    id: text,
    label: text,
    kind: z.enum(["Select", "Confirm", "Input"]),
    options: may(z.array(option())),
    validation: may(validation()),
  }),
);

export const conflictFile = lazily(() =>
  z.object({
    /** Relative to the repository. */
    path: id,
    commit: id,
    /** Hex hash of the other side's version; absent if they removed the file. */
    sha256: may(id),
    /** Hex hash of the run's version; absent if the run removed the file. */
    ours: may(id),
    /**
     * The session that made the change, if another session of the work, not a person, made the winning version.
     */
    session: may(id),
    /** The session's steps that ended with this conflict. */
    steps: may(z.array(id)),
  }),
);

const budgetLimit = lazily(() =>
  z.object({
    of: z.enum(["session", "run", "month"]),
    unit: z.enum(["usd", "tokens"]),
    limit: z.number(),
    raiseTo: z.number(),
    /** The run whose limit was reached, or the month (`2026-11`). */
    name: may(text),
  }),
);

/** With none of `after`, `bytes` (Base64, of what is no text) and `link`, the command removed what was there. */
const keptChange = lazily(() =>
  z.object({
    toolCallId: id,
    path: id,
    /** The text that was there. */
    before: may(text),
    after: may(text),
    bytes: may(text),
    link: may(text),
    isExecutable: may(z.boolean()),
  }),
);

const interactionRequest = lazily(() =>
  z.object({
    interactionId: id,
    /** `q<ordinal>-<first six hex digits of the fingerprint>` */
    shortId: id,
    taskId: id,
    /** The conversation and those calls of its last turn that wait for the answer, in order. */
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
    options: may(z.array(option())),
    validation: may(validation()),
    /** Composite only. */
    fields: may(z.array(field())),
    /** ISO 8601; a later answer is refused. */
    expiresAt: may(text),
    /**
     * The actors who led to the request; `self-approval: false` forbids all of them to answer. First comes the
     * person who started the run that asked first. `unknown`: an unidentified person; a scheduled run has no
     * actor.
     */
    startedBy: may(texts.readonly()),
    /** Why a person must name this request to approve it: the dangers that the policy found. */
    dangers: may(texts),
    /** Confirm: how its commands would run. */
    isolation: may(
      z.object({
        kind: z.enum(["bubblewrap", "none"]),
        network: z.union([z.boolean(), texts.min(1).readonly()]),
      }),
    ),
    /** Confirm: the exact command lines and folder that `always` would cover; absent when it is not offered. */
    standing: may(z.object({ folder: text, commands: texts })),
    /** Confirm: the agent's text before the call. Informational: the fingerprint does not cover it. */
    said: may(text),
    /** SHA-256 (hex) over everything that the answer is bound to. */
    fingerprint: id,
    /** The program's own question: files that a person changed too. */
    conflict: may(z.array(conflictFile())),
    /** The program's own question: the limit that was reached, in dollars or tokens, and its raised value. */
    budget: may(budgetLimit()),
    /** The program's own question: the version of the base's to-do file that it is about. */
    baseList: may(z.object({ hash: z.string(), commit: id })),
    /** With `conflict`: a rewrite of the branch removed the files. */
    isRewritten: may(z.literal(true)),
    /** Confirm: a command's changes to files that decide what runs, each as a call by the program. */
    kept: may(z.array(keptChange())),
    /** Confirm: what looks like keys in files, which are left out of the branch unless it is approved. */
    keys: may(z.array(z.object({ path: id, kind: id, id }))),
    /** Confirm: hashes of what looks like keys in the calls; the approval lets them into the branch as well. */
    keyHashes: may(texts),
    /**
     * Confirm: by tool call id, what each call is bound to besides its input; checked again just before the
     * run.
     */
    bindings: may(z.record(text, z.record(text, text))),
  }),
);

/** A person's answer; either `selectedOptionId` or `inputValue` is set. */
export const interactionAnswer = lazily(() =>
  z.object({
    selectedOptionId: may(text),
    inputValue: may(text),
    comment: may(text),
    /** The approval covers the rest of the work. */
    always: may(z.literal(true)),
  }),
);

/**
 * On a pull request: the comment with the answer, its author's permission then, and when it was written (ISO
 * 8601).
 */
const said = { commentId: may(z.number()), permission: may(text), answeredAt: may(text) };

/** An agent's report on a to-do task at its end; the field names are the contract's. */
const taskSummary = lazily(() =>
  z.object({
    task_id: text.nullable(),
    status: z.enum(["done", "blocked", "skipped"]),
    summary: may(text),
    files: may(texts),
    blockers: may(texts),
  }),
);

const call = lazily(() => z.object({ conversationId: id, toolCallId: id, toolName: text }));
/** When a task ended, ISO 8601; always present in events read from a store. */
const at = lazily(() => may(text));

/** Payloads of the events store by type: task life cycle, UIP, and the ids and hashes that recovery reads. */
export const eventPayloads = {
  TaskCreated: lazily(() =>
    z.object({
      taskId: id,
      agent: id,
      /** The outputs that the task completes together, in pipeline order. */
      outputs: texts,
      /**
       * Digests of inputs (16 hex digits each): source bytes, agent with its skills, profile, skills alone, the pipeline's
       * own schemas of the outputs.
       */
      inputs: z.object({
        source: text,
        agent: text,
        profile: text,
        skills: text.optional(),
        schemas: text.optional(),
      }),
      conversationId: id,
      /** To-do tasks: the status before the task was chosen. */
      from: may(text),
    }),
  ),
  /**
   * A person changed a to-do task during its agent's work, and the agent was told. `source`: the new digest.
   */
  TaskRevised: lazily(() => z.object({ taskId: id, source: text })),
  /** The agent of a to-do task reported how the task ended; the first summary of an attempt counts. */
  SummaryReported: lazily(() => z.object({ taskId: id, callId: may(text), summary: taskSummary() })),
  /**
   * To-do tasks: hashes of the worktree without the list, and of the list, before an act; empty if unknown.
   */
  ActAhead: lazily(() => z.object({ taskId: id, tree: text, list: text })),
  /** The results of tasks were written again into the list that these commits brought. */
  EndsReapplied: lazily(() => z.object({ commits: texts })),
  /**
   * Blocked to-do tasks: the circumstances under which each waits for a person; empty: it may be tried again.
   */
  BlocksSeen: lazily(() => z.object({ under: z.record(id, text) })),
  TaskStarted: lazily(() => z.object({ taskId: id })),
  TaskCompleted: lazily(() => z.object({ taskId: id, at: at() })),
  /** `blocker`: written by the program for a to-do task when the agent named none. */
  TaskFailed: lazily(() =>
    z.object({ taskId: id, reasonCode: id, message: text, blocker: may(text), at: at() }),
  ),
  TaskCanceled: lazily(() => z.object({ taskId: id, reason: text, at: at() })),
  /** A person ended the session: no later run continues it. */
  SessionCanceled: lazily(() => z.object({ reason: text, actorId: may(text), at: at() })),
  /** The pull request was closed by mistake and opened again: the session's earlier state is restored. */
  SessionReopened: lazily(() => z.object({ at: text })),
  UserInteractionRequested: interactionRequest,
  UserInteractionResponded: lazily(() =>
    interactionAnswer().extend({
      interactionId: id,
      taskId: id,
      authorActorId: id,
      ...said,
    }),
  ),
  /** One of several approvals that the request needs; the last one comes with the response. */
  ApprovalGiven: lazily(() =>
    z.object({
      interactionId: id,
      taskId: id,
      actorId: id,
      always: may(z.literal(true)),
      ...said,
    }),
  ),
  /** A fully approved question is open again: nothing has run yet, and these actors may no longer decide. */
  ApprovalReopened: lazily(() => z.object({ interactionId: id, taskId: id, actorIds: texts })),
  /** The actor may no longer decide: the approval does not count, and the question stays open. */
  ApprovalWithdrawn: lazily(() => z.object({ interactionId: id, taskId: id, actorId: id })),
  /** The time for an answer is over: the request is closed, and its task fails. `at` is ISO 8601. */
  InteractionExpired: lazily(() => z.object({ interactionId: id, taskId: id, at: id })),
  /**
   * Also records an intent: calls with effects beyond the worktree are recorded before the turn's first one
   * runs.
   */
  ToolCallStarted: lazily(() => call().extend({ image: may(z.object({ before: id, after: id })) })),
  /** The call was intended and certainly never began. */
  ToolCallWithdrawn: call,
  /** `unknown`: the call was found started without a result after a crash; it is never run again. */
  ToolCallSettled: lazily(() =>
    call().extend({
      outcome: z.enum(["done", "failed", "denied", "unknown"]),
      resultHash: text,
      /** Why an approved call no longer matched its preview, as part of a sentence. */
      notRun: may(text),
      /** The tree of the session's own worktree after the call. */
      tree: may(text),
    }),
  ),
  ArtifactAccepted: lazily(() => z.object({ taskId: id, output: id, contentHash: id })),
  /** A person's edit of an artifact is kept. `editedBy`: the person's display name, as far as known. */
  ArtifactAdopted: lazily(() => z.object({ output: id, contentHash: id, editedBy: id })),
  /**
   * An artifact (`output`) that a person had edited is made again; the edited bytes are kept at `path` beside
   * it.
   */
  ArtifactKept: lazily(() => z.object({ output: id, path: id, contentHash: id })),
  ArtifactRefused: lazily(() => z.object({ taskId: id, output: id, callId: may(id), errors: texts })),
};

/** Payloads of the conversation store by type: what a model read and wrote, byte for byte. */
export const conversationPayloads = {
  ConversationStarted: lazily(() =>
    z.object({
      conversationId: id,
      taskId: id,
      agent: id,
      /** SHA-256 of the frozen system and tools bytes. */
      frozen: hash,
      provider: id,
      model: id,
      /** How much the model should think, if its agent sets it. */
      effort: may(z.enum(["low", "medium", "high", "max"])),
      /** 0 for a task's own conversation, +1 for each `Task` above it. */
      depth: z.int().min(0),
    }),
  ),
  Message: lazily(() => z.object({ conversationId: id, message: messageShape(), response: may(response()) })),
  /** The user message after a turn consists of its `ToolResult`s in call order. */
  ToolResult: lazily(() => z.object({ conversationId: id, block: toolResultBlock() })),
  ModelSwitched: lazily(() => z.object({ conversationId: id, from: id, to: id, reason: text })),
  /** An agent program was released. `memory`: SHA-256 of its memory, stored beside the frozen bytes. */
  MemoryKept: lazily(() => z.object({ conversationId: id, memory: hash })),
  /** The cost of responses that died with their run before they were saved, or of requests that led to none. */
  SpendingLost: lazily(() =>
    response().pick({ usage: true, costUsd: true, requests: true }).extend({ conversationId: id }),
  ),
};
