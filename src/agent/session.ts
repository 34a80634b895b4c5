// An open session: its stores, how it asks people, its limits and outcomes.
import type { GateRules } from "../approval/gate.ts";
import type { Configuration } from "../config/definitions.ts";
import {
  addUsage,
  applyConversationLine,
  type Conversation,
  noUsage,
  type Totals,
} from "../core/conversation.ts";
import { explain, LoopliaError, type ModelFailure } from "../core/errors.ts";
import type { FrozenPrefix, StoreLine, ToolCallReference, ToolUseBlock, Usage } from "../core/events.ts";
import { letsCallsRun } from "../core/interaction.ts";
import type {
  Clock,
  Host,
  LoadedSession,
  Model,
  Observer,
  SessionStore,
  WorkLog,
  Workspace,
} from "../core/ports.ts";
import { type Redact, redactLine, redactNothing, redactValue } from "../core/redaction.ts";
import { applyEvent, callKey, emptyState, isOpen, type State } from "../core/state.ts";
import type { Tool, ToolReply } from "../tools/tool.ts";
import type { Wave } from "./batch.ts";
import type { Budget } from "./budget.ts";

// Records that must become durable together on a runner.

/**
 * Makes everything that `work` records and reports durable at one moment, if parts of it could be lost. Calls
 * don't nest.
 */
export function asOne(host: Host, work: () => Promise<void>): Promise<void> {
  return host.together ? host.together(work) : work();
}

// The unanswered questions of a work, over all its sessions.

/** Maximum number of open questions in one work; at the cap no new item starts (DURABILITY, "A turn"). */
export const MAX_OPEN_QUESTIONS = 10;

/** Updated when a question is raised or settled; shared by all sessions of a work in this process. */
export class OpenQuestions {
  readonly #ids: Set<string>;

  /** `ids`: the interactions that were open when the work was opened. */
  constructor(ids: Iterable<string> = []) {
    this.#ids = new Set(ids);
  }

  get isFull(): boolean {
    return this.#ids.size >= MAX_OPEN_QUESTIONS;
  }

  raise(interactionId: string): void {
    this.#ids.add(interactionId);
  }

  settle(interactionId: string): void {
    this.#ids.delete(interactionId);
  }
}

// How a conversation ends. Waiting and limits are outcomes, never exceptions.

type StopReasonCode = "max-turns" | "cost-limit" | "interrupted" | "deadline" | "closed";

/** `expired` and `rejected`: people ended the task, by a rejection or by not answering in time. */
export type FailureCode = "invalid-artifact" | "model-failed" | "expired" | "rejected";

export type Outcome =
  | { kind: "completed"; text: string }
  /** A person must answer first (the state has the open interactions), or a batch must end. */
  | { kind: "waiting"; isInBatch?: true }
  /** Everything is saved; the next run continues. */
  | { kind: "stopped"; reasonCode: StopReasonCode; message: string }
  /**
   * The task is over; a later run starts it again. `isAccount`: the account, the server or the network failed, which says
   * nothing about the task, and any other task would fail as well.
   */
  | { kind: "failed"; reasonCode: FailureCode; message: string; isAccount?: true };

/** The conversation continues in a later run, once its batch has ended. */
export const IN_BATCH = { kind: "waiting", isInBatch: true } as const satisfies Outcome;

/** An unreachable model is an outcome; the conversation stays open for a later run. */
export function modelFailure(error: unknown): Extract<Outcome, { kind: "failed" }> {
  if (!(error instanceof LoopliaError) || error.code !== "model-failed") throw error;
  const isAccount = error.modelFailure !== undefined && !OF_THE_TASK.has(error.modelFailure);
  return {
    kind: "failed",
    reasonCode: "model-failed",
    message: explain(error),
    ...(isAccount ? { isAccount } : {}),
  };
}

/** Failures that another task need not have: its request is another one. */
const OF_THE_TASK: ReadonlySet<ModelFailure> = new Set(["bad-request", "context-too-long"]);

/**
 * True when a person ended the task or the question expired: then no parent agent may treat it as an ordinary
 * failure.
 */
export function isEndedByPeople(outcome: Outcome): boolean {
  return outcome.kind === "failed" && (outcome.reasonCode === "expired" || outcome.reasonCode === "rejected");
}

/** Read at each run and counted over the whole session, including earlier runs. */
export type Limits = {
  /** Model responses in one task, including its subagents'. */
  maxTurns: number;
  maxTokens?: number;
  maxCostUsd?: number;
  /**
   * The name of the setting that limits the shared costs in dollars, if one is set (`AgentSession.budget`).
   */
  sharedUsd?: "max-run-cost-usd" | "max-month-cost-usd";
};

export type AgentSession = {
  journal: Journal;
  configuration: Configuration;
  workspace: Workspace;
  host: Host;
  model: Model;
  modelName: string;
  fallbackModel?: string;
  tools: ReadonlyMap<string, Tool>;
  limits: Limits;
  /** The cost limits of this run and of the month; absent without such a limit. */
  budget?: Budget;
  /** The work's batches of requests; absent where nothing goes through one. */
  wave?: Wave;
  clock: Clock;
  observe: Observer;
  signal: AbortSignal;
  asking: Asking;
  /** What is forbidden, asked or allowed; read at each run. */
  gate: GateRules;
};

/** How people are asked. */
export type Asking = {
  /** The number of the work's next question, from 1. */
  nextOrdinal(): Promise<number>;
  open: OpenQuestions;
  /** Hours until a question expires. */
  ttlHours: number;
  /** How many different people must approve a Confirm. */
  minApprovals: number;
  /** The actors behind the work, the run's starter first. */
  startedBy?: readonly string[];
  /** The path from the settings: the same in every run, wherever the worktree is. */
  workingDirectory: string;
  /** The work's log, which has the standing approvals. */
  log?: Pick<WorkLog, "workEvents" | "appendWorkEvents">;
};

/** True while a call waits for an approval, or was approved and has no result. */
export function hasOpenApproval(state: State): boolean {
  return [...state.interactions.values()].some(({ request, closed }) => {
    if (closed || !letsCallsRun(request) || !isOpen(state.tasks.get(request.taskId))) return false;
    return request.toolCallIds.some(
      (id) => state.calls.get(callKey(request.conversationId, id))?.outcome === undefined,
    );
  });
}

/** One conversation of one agent: how it starts and how it ends. */
export type AgentRun = {
  conversationId: string;
  taskId: string;
  agent: string;
  depth: number;
  /** Accepts a delivery of the agent, or replies why not. */
  accept(delivery: Delivery): Promise<ToolReply>;
  /** Runs a subagent for a `Task` call. */
  runSubagent(call: SubagentCall): Promise<SubagentOutcome>;
  subagents: string[];
  /** Called after each turn: the reason to stop, or undefined to continue. */
  isDone(): Outcome | undefined;
  /** Called before each request: a message for the agent, or an end. */
  news?: () => Promise<NextStep | undefined>;
  /** Called when the agent ends its turn. */
  whenEnded(text: string): Promise<NextStep>;
};

/**
 * What follows the end of the agent's turn: a message that makes it continue, or the conversation's outcome.
 */
export type NextStep = { tell: string } | { outcome: Outcome };

/** `callId` is unique in the session: after a crash the same call may be delivered again. */
export type Delivery = { output: string; content: unknown; callId: string };

/** The conversation of a subagent is named after the call. */
export type SubagentCall = { agent: string; prompt: string; conversationId: string };

export type SubagentOutcome = { reply: ToolReply } | { outcome: Outcome };

// How people are asked in a session of an open work.

/** What people may decide, and how long they have. */
export type QuestionSettings = {
  answerTtlHours: number;
  minApprovals: number;
  /** As set by the user, because approvals are bound to it. */
  workingDirectory: string;
};

// A person cancels sessions during a run: their activity is aborted, and no later run continues them.

/** The abort reason of a canceled session's signal. */
export class Cancellation {
  readonly reason: string;
  readonly actorId: string | undefined;

  constructor(reason: string, actorId?: string) {
    this.reason = reason;
    this.actorId = actorId;
  }
}

/**
 * The cancelable sessions of a run, shared by the code that runs them and the code that receives
 * cancellations.
 */
export class Cancellations {
  readonly #controllers = new Map<string, AbortController>();
  #ofAll: Cancellation | undefined;

  /** Aborted with a `Cancellation` when the session is canceled, even before it begins. */
  signalOf(sessionId: string): AbortSignal {
    const controller = this.#controllerOf(sessionId);
    if (this.#ofAll) controller.abort(this.#ofAll);
    return controller.signal;
  }

  /**
   * Cancels one session or the whole run. Running tools are killed; each session records its cancellation
   * once they have ended.
   */
  cancel(cancellation: Cancellation, sessionId?: string): void {
    if (sessionId !== undefined) {
      this.#controllerOf(sessionId).abort(cancellation);
      return;
    }
    this.#ofAll ??= cancellation;
    for (const controller of this.#controllers.values()) controller.abort(cancellation);
  }

  #controllerOf(sessionId: string): AbortController {
    const controller = this.#controllers.get(sessionId) ?? new AbortController();
    this.#controllers.set(sessionId, controller);
    return controller;
  }
}

// Which failures of a tool are replies to the model, and which end the run.

/**
 * Turns a refusal or a system error into a reply; rethrows everything else (a bug, a lost store, a failed
 * model).
 */
export function replyToFailure(error: unknown): ToolReply {
  if (error instanceof LoopliaError && error.code === "config-invalid") {
    return { text: explain(error), isError: true };
  }
  if (error instanceof Error && "syscall" in error) return { text: error.message, isError: true };
  throw error;
}

// Limits count over all runs of a session; reaching one is an outcome.

/**
 * The outcome of an aborted signal: its reason is `deadline`, a `Cancellation` or a person's interruption.
 */
export function stoppedBySignal(signal: AbortSignal): Outcome {
  if (signal.reason instanceof Cancellation) return stopped("closed", `canceled: ${signal.reason.reason}`);
  return signal.reason === "deadline"
    ? stopped("deadline", "reached timeout-minutes; the next run resumes from here")
    : stopped("interrupted", "interrupted; the next run resumes from here");
}

/** The state is saved; the next run continues. */
export function stopped(reasonCode: StopReasonCode, message: string): Outcome {
  return { kind: "stopped", reasonCode, message };
}

// Names of calls, in events and for people.

/** A call's name in events. */
export function callReference(
  { conversationId }: Pick<AgentRun, "conversationId">,
  { id, name }: ToolUseBlock,
): ToolCallReference {
  return { conversationId, toolCallId: id, toolName: name };
}

/** One line for people. Secrets are removed from the input before the summary is cut. */
export function summaryOf(
  { journal }: Pick<AgentSession, "journal">,
  { tool, input }: { tool: Tool; input: unknown },
): string {
  return tool.summarize(redactValue(input, journal.redact));
}

// The stores of one session with their folded state. This is the only writer of the three stores.

/** What the requests of a turn have used so far; `costUsd` is null once one had no known price. */
export type OpenTurn = { taskId: string; requests: number; usage: Usage; costUsd: number | null };

/** State, conversations and totals as of the last durable line. */
export class Journal {
  readonly sessionId: string;
  readonly workId: string;
  readonly state: State = emptyState();
  readonly conversations = new Map<string, Conversation>();
  readonly totals: Totals = { usage: noUsage(), costUsd: 0, unpriced: false };
  /** Redacts texts before they are cut: a secret cut in half would not be found later. */
  readonly redact: Redact;
  readonly #store: SessionStore;
  readonly #frozen = new Map<string, FrozenPrefix>();
  readonly #startedHere = new Set<string>();
  /** Open turns, that is, without a stored response. */
  readonly #underWay = new Set<OpenTurn>();

  private constructor(workId: string, store: SessionStore, redact: Redact) {
    this.workId = workId;
    this.redact = redact;
    this.sessionId = store.sessionId;
    this.#store = store;
  }

  /** Loads and folds the stored lines; `setAside` describes damaged data at the end that was moved away. */
  static async open(
    workId: string,
    store: SessionStore,
    redact: Redact = redactNothing,
  ): Promise<{ journal: Journal; setAside: string[] }> {
    const loaded: LoadedSession = await store.load();
    const journal = new Journal(workId, store, redact);
    for (const line of loaded.events) journal.#apply(line);
    for (const line of loaded.conversation) journal.#apply(line);
    return { journal, setAside: loaded.setAside };
  }

  /**
   * Makes the lines durable in the given order, then folds them. Secrets are removed first, so the model is
   * sent exactly the stored bytes.
   */
  async append(...lines: StoreLine[]): Promise<void> {
    const safe = lines.map((line) => redactLine(line, this.redact));
    await this.#store.append(safe);
    for (const line of safe) this.#applyOwn(line);
  }

  /**
   * Folds the lines at once; they are durable when the next `append` is, or the next checkpoint. For what a crash may undo
   * as long as nothing that follows from it is durable.
   */
  note(...lines: StoreLine[]): void {
    const safe = lines.map((line) => redactLine(line, this.redact));
    // After a failed write every later one fails, too.
    this.#store.append(safe).catch(() => undefined);
    for (const line of safe) this.#applyOwn(line);
  }

  /** True for a call without a result that an earlier process started: its effect is unknown. */
  isInDoubt(key: string): boolean {
    const call = this.state.calls.get(key);
    return call !== undefined && call.outcome === undefined && !this.#startedHere.has(key);
  }

  /** Stores the prefix of a new conversation and returns its hash. */
  async freeze(prefix: FrozenPrefix): Promise<string> {
    const safe = redactValue(prefix, this.redact);
    const hash = await this.#store.freeze(JSON.stringify(safe));
    this.#frozen.set(hash, safe);
    return hash;
  }

  /** The system and tools bytes that a conversation began with. */
  async prefixOf(conversation: Conversation): Promise<FrozenPrefix> {
    const known = this.#frozen.get(conversation.frozen);
    if (known) return known;
    const prefix = JSON.parse(await this.#store.readFrozen(conversation.frozen)) as FrozenPrefix;
    this.#frozen.set(conversation.frozen, prefix);
    return prefix;
  }

  /** Stores an agent program's memory; secrets are already removed. */
  async keepMemory(conversationId: string, text: string): Promise<void> {
    const memory = await this.#store.freeze(text);
    await this.append({ store: "conversation", type: "MemoryKept", payload: { conversationId, memory } });
  }

  /** The memory that the agent program left when it was last released. */
  async memoryOf({ memory }: Conversation): Promise<string | undefined> {
    return memory === undefined ? undefined : this.#store.readFrozen(memory);
  }

  /** False also if a crash left only the first line of the conversation's beginning. */
  hasBegun(conversationId: string): boolean {
    return (this.conversations.get(conversationId)?.messages.length ?? 0) > 0;
  }

  /**
   * Counts a model request as a turn of its task, and what `open` says of it, until `work` has stored the response,
   * which counts from then on.
   */
  async turn(taskId: string, work: (open: OpenTurn) => Promise<void>): Promise<void> {
    const open: OpenTurn = { taskId, requests: 0, usage: noUsage(), costUsd: 0 };
    this.#underWay.add(open);
    try {
      await work(open);
    } finally {
      this.#underWay.delete(open);
    }
  }

  /** Model requests in the latest attempt at a task, including its subagents'. */
  turnsOf(taskId: string): number {
    const root = this.state.tasks.get(taskId)?.conversationId;
    let turns = 0;
    for (const open of this.#underWay) if (open.taskId === taskId) turns += Math.max(1, open.requests);
    for (const { conversationId: id, taskId: owner, requests: own } of this.conversations.values()) {
      if (owner === taskId && (root === undefined || id === root || id.startsWith(`${root}/`))) turns += own;
    }
    return turns;
  }

  /** The totals with what open turns have used so far. */
  get spent(): Totals {
    let { usage, costUsd, unpriced } = this.totals;
    for (const open of this.#underWay) {
      usage = addUsage(usage, open.usage);
      costUsd += open.costUsd ?? 0;
      unpriced ||= open.costUsd === null;
    }
    return { usage, costUsd, unpriced };
  }

  /** A conversation that must exist. */
  conversation(conversationId: string): Conversation {
    const conversation = this.conversations.get(conversationId);
    if (!conversation)
      throw new LoopliaError("store-corrupt", `The store has no conversation ${conversationId}.`);
    return conversation;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #applyOwn(line: StoreLine): void {
    this.#apply(line);
    if (line.type === "ToolCallStarted") {
      this.#startedHere.add(callKey(line.payload.conversationId, line.payload.toolCallId));
    }
  }

  #apply(line: StoreLine): void {
    if (line.store === "events") applyEvent(this.state, line);
    else if (line.store === "conversation") applyConversationLine(this.conversations, this.totals, line);
  }
}
