// Types, limits and outcomes that the agent loop works with.
import type { GateRules } from "../approval/gate.ts";
import type { Configuration } from "../config/definitions.ts";
import { explain, LoopliaError } from "../core/errors.ts";
import type { ToolCallReference, ToolUseBlock } from "../core/events.ts";
import { letsCallsRun } from "../core/interaction.ts";
import type { Clock, Host, Model, Observer, WorkLog, WorkStore, Workspace } from "../core/ports.ts";
import { redactValue } from "../core/redaction.ts";
import { callKey, isOpen, type State } from "../core/state.ts";
import type { Tool, ToolReply } from "../tools/tool.ts";
import type { Budget } from "./budget.ts";
import type { Journal } from "./journal.ts";

// What belongs together on a runner.

/** What `work` records and tells becomes durable at one moment, where it could be lost in parts. Never within another. */
export function asOne(host: Host, work: () => Promise<void>): Promise<void> {
  return host.together ? host.together(work) : work();
}

// The questions of a work that wait for an answer, over all its sessions.

/** So many may be open in one work; then no new item starts (DURABILITY, "A turn"). */
export const MAX_OPEN_QUESTIONS = 10;

/** Kept up by whoever raises and settles; one for all sessions of a work in this process. */
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

/** `expired` and `rejected`: what people did, or did not do, ended the task. */
export type FailureCode = "invalid-artifact" | "model-failed" | "expired" | "rejected";

export type Outcome =
  | { kind: "completed"; text: string }
  /** A person must answer first; the open interactions are in the state. */
  | { kind: "waiting" }
  /** Saved; the next run continues. */
  | { kind: "stopped"; reasonCode: StopReasonCode; message: string }
  /** The task is over; a later run begins it again. */
  | { kind: "failed"; reasonCode: FailureCode; message: string };

/** A model that can't be reached is an outcome; the conversation stays open for a later run. */
export function modelFailure(error: unknown): Extract<Outcome, { kind: "failed" }> {
  if (!(error instanceof LoopliaError) || error.code !== "model-failed") throw error;
  return {
    kind: "failed",
    reasonCode: "model-failed",
    message: explain(error),
  };
}

/** True when a person ended the task, or nobody answered: then no agent above it may continue as if it had only failed. */
export function isEndedByPeople(outcome: Outcome): boolean {
  return outcome.kind === "failed" && (outcome.reasonCode === "expired" || outcome.reasonCode === "rejected");
}

/** Read at each run, counted over the whole session with its pauses. */
export type Limits = {
  /** Model responses in one task, those of its subagents too. */
  maxTurns: number;
  maxTokens?: number;
  maxCostUsd?: number;
  /** The setting of a limit in dollars that sessions share, where there is one (`AgentSession.budget`). */
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
  /** What this run, and the month, may cost; absent without such a limit. */
  budget?: Budget;
  clock: Clock;
  observe: Observer;
  signal: AbortSignal;
  asking: Asking;
  /** Read at each run: what is forbidden, asked and allowed. */
  gate: GateRules;
};

/** How people are asked. */
export type Asking = {
  /** The number of the work's next question, from 1. */
  nextOrdinal(): Promise<number>;
  open: OpenQuestions;
  /** A question expires after so many hours. */
  ttlHours: number;
  /** How many different people must approve a Confirm. */
  minApprovals: number;
  /** Who led to what is asked, the run's starter first. */
  startedBy?: readonly string[];
  /** As the settings name it: the same in every run, wherever the worktree is. */
  workingDirectory: string;
  /** Where the standing approvals of the work are. */
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

/** Gives the session's own worktree back. A run that was told to end has seconds, and needs them for what must be saved. */
export async function leaveTree({
  workspace,
  signal,
  journal,
}: Pick<AgentSession, "workspace" | "signal" | "journal">): Promise<void> {
  if (!signal.aborted) await workspace.own?.leave(hasOpenApproval(journal.state));
}

/** One conversation of one agent: what starts it and what ends it. */
export type AgentRun = {
  conversationId: string;
  taskId: string;
  agent: string;
  depth: number;
  /** Takes what the agent delivers, or says why not. */
  accept(delivery: Delivery): Promise<ToolReply>;
  /** Runs a subagent for a `Task` call. */
  runSubagent(call: SubagentCall): Promise<SubagentOutcome>;
  subagents: string[];
  /** Asked after each turn: the reason to stop, or undefined to continue. */
  isDone(): Outcome | undefined;
  /** Asked before each request: what the agent is told first, or an end. */
  news?: () => Promise<NextStep | undefined>;
  /** Asked when the agent ends its turn. */
  whenEnded(text: string): Promise<NextStep>;
};

/** After the agent ended its turn: what it is told so that it resumes, or how its conversation ended. */
export type NextStep = { tell: string } | { outcome: Outcome };

/** `callId` is unique in the session: the same call may come again after a crash. */
export type Delivery = { output: string; content: unknown; callId: string };

/** The conversation of a subagent is named by the call. */
export type SubagentCall = { agent: string; prompt: string; conversationId: string };

export type SubagentOutcome = { reply: ToolReply } | { outcome: Outcome };

// How people are asked in a session of an open work.

/** What people may decide, and how long they have. */
export type QuestionSettings = {
  answerTtlHours: number;
  minApprovals: number;
  /** As it is set: part of what an approval is bound to. */
  workingDirectory: string;
};

/** A work that is open for this process, and its questions. */
export type WorkQuestions = { store: WorkStore; questions: OpenQuestions };

/** One for each session; the questions that it shares with the others are raised one at a time. */
export function createAsking(
  people: QuestionSettings,
  { store, questions }: WorkQuestions,
  startedBy: readonly string[] | undefined,
): Asking {
  return {
    nextOrdinal: () => store.nextOrdinal(),
    log: store,
    open: questions,
    ttlHours: people.answerTtlHours,
    minApprovals: people.minApprovals,
    workingDirectory: people.workingDirectory,
    ...(startedBy === undefined ? {} : { startedBy }),
  };
}

// A person ends sessions while they run: what they are doing is aborted, and no later run continues with them.

/** Why a session's signal was aborted. */
export class Cancellation {
  readonly reason: string;
  readonly actorId: string | undefined;

  constructor(reason: string, actorId?: string) {
    this.reason = reason;
    this.actorId = actorId;
  }
}

/** The sessions of a run that may be canceled. Shared by who runs them and who hears of the cancellation. */
export class Cancellations {
  readonly #controllers = new Map<string, AbortController>();
  #ofAll: Cancellation | undefined;

  /** Aborted with a `Cancellation` when the session is canceled, before it began too. */
  signalOf(sessionId: string): AbortSignal {
    const controller = this.#controllerOf(sessionId);
    if (this.#ofAll) controller.abort(this.#ofAll);
    return controller.signal;
  }

  /** Cancels one session, or all of the run. Its tools are killed; the session records it when they have ended. */
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

/** Stored once what was running has ended: from then on nothing of the session continues. */
export async function recordCancellation({
  signal,
  journal,
  clock,
}: Pick<AgentSession, "signal" | "journal" | "clock">): Promise<void> {
  if (!(signal.reason instanceof Cancellation)) return;
  const { reason, actorId } = signal.reason;
  const at = clock.now().toISOString();
  const payload = { reason, at, ...(actorId === undefined ? {} : { actorId }) };
  await journal.append({ store: "events", type: "SessionCanceled", payload });
}

// Which failures of a tool are answers to the model, and which end the run.

/** A refusal or a system error becomes a reply; anything else (a bug, a lost store, a failed model) is thrown on. */
export function replyToFailure(error: unknown): ToolReply {
  if (error instanceof LoopliaError && error.code === "config-invalid") {
    return { text: explain(error), isError: true };
  }
  if (error instanceof Error && "syscall" in error) return { text: error.message, isError: true };
  throw error;
}

// Limits are cumulative over a session with its pauses; reaching one is an outcome.

/** `max-turns` forbids another request, or undefined. `turns` are those of the task. */
export function reachedTurns(limits: Limits, turns: number): Outcome | undefined {
  if (turns < limits.maxTurns) return undefined;
  return stopped("max-turns", `reached max-turns (${limits.maxTurns}); raise it to go on`);
}

/** The outcome of an aborted signal: its reason is `deadline`, a `Cancellation` or a person's interruption. */
export function stoppedBySignal(signal: AbortSignal): Outcome {
  if (signal.reason instanceof Cancellation) return stopped("closed", `canceled: ${signal.reason.reason}`);
  return signal.reason === "deadline"
    ? stopped("deadline", "reached timeout-minutes; the next run goes on from here")
    : stopped("interrupted", "interrupted; the next run goes on from here");
}

/** What was running is saved; the next run continues. */
export function stopped(reasonCode: StopReasonCode, message: string): Outcome {
  return { kind: "stopped", reasonCode, message };
}

// How a call is called: by events, and for people.

/** By events. */
export function callReference(
  { conversationId }: Pick<AgentRun, "conversationId">,
  { id, name }: ToolUseBlock,
): ToolCallReference {
  return { conversationId, toolCallId: id, toolName: name };
}

/** One line for people. Summaries are cut, so secrets are cut out of the input before. */
export function summaryOf(
  { journal }: Pick<AgentSession, "journal">,
  { tool, input }: { tool: Tool; input: unknown },
): string {
  return tool.summarize(redactValue(input, journal.redact));
}
