// What the agent loop needs of a session: its stores, its outside world and its limits.
import type { GateRules } from "../approval/gate.ts";
import type { Configuration } from "../config/definitions.ts";
import type { Clock, Host, Model, Observer, Workspace } from "../ports.ts";
import type { Tool, ToolReply } from "../tools/tool.ts";
import type { Journal } from "./journal.ts";
import type { OpenQuestions } from "./open-questions.ts";
import type { Outcome } from "./outcome.ts";

/** Read at each run, counted over the whole session with its pauses. */
export type Limits = {
  /** Model responses in one task, those of its subagents too. */
  maxTurns: number;
  maxTokens?: number;
  maxCostUsd?: number;
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
};

/** One conversation of one agent: what starts it and what ends it. */
export type AgentRun = {
  conversationId: string;
  taskId: string;
  agent: string;
  depth: number;
  /** `callId` is unique in the session: the same call may come again after a crash. */
  artifacts: { write(output: string, content: unknown, callId: string): Promise<ToolReply> };
  /** Runs a subagent for a `Task` call; its conversation is named by the call. */
  runSubagent(agent: string, prompt: string, conversationId: string): Promise<SubagentOutcome>;
  subagents: string[];
  /** Asked after each turn: the reason to stop, or undefined to go on. */
  isDone(): Outcome | undefined;
  /** Asked when the agent ends its turn: what to tell it so that it goes on, or the outcome. */
  whenEnded(text: string): Promise<{ tell: string } | { outcome: Outcome }>;
};

export type SubagentOutcome = { reply: ToolReply } | { outcome: Outcome };
