// What the task loop needs from outside, and the settings that matter to it.
import type { PeopleSettings } from "../agent/asking.ts";
import type { Cancellations } from "../agent/cancellations.ts";
import type { Limits } from "../agent/session.ts";
import type { GateRules } from "../approval/gate.ts";
import type { Configuration } from "../config/definitions.ts";
import type { Clock, Host, Ids, Model, Observer, Stores, Workspace } from "../ports.ts";
import type { Redact } from "../session/redaction.ts";
import type { Tool } from "../tools/tool.ts";
import type { Schedule } from "./schedule.ts";

/** An agent of the settings with what it works with. */
export type TaskAgent = {
  name: string;
  provider: string;
  model: Model;
  modelName: string;
  fallbackModel?: string;
  limits: Limits;
  /** For one task. */
  timeoutMs?: number;
};

/** What is kept of iterations beside the stores, for people and hooks. */
export interface TaskLog {
  /** Keeps the last message of an iteration and gives its absolute path. */
  keepLast(iteration: number, message: unknown): Promise<string>;
  /** Keeps a text for the session and gives its absolute path. */
  keepText(sessionId: string, name: string, text: string): Promise<string>;
  /** A text that was kept for the session, or undefined. */
  readText(sessionId: string, name: string): Promise<string | undefined>;
  /** Calls the hook of the settings, if there is one. Never fails: what went wrong, in words. */
  runHook(words: readonly string[]): Promise<string | undefined>;
}

export type TodoPorts = {
  clock: Clock;
  workspace: Workspace;
  host: Host;
  observe: Observer;
  signal: AbortSignal;
  configuration: Configuration;
  tools: ReadonlyMap<string, Tool>;
  /** Who led to what this run asks, its starter first (`startersOf`). */
  startedBy?: readonly string[];
  /** Sessions that are canceled while they run. */
  cancellations?: Cancellations;
  ids: Ids;
  stores: Stores;
  /** Cuts secrets out of texts before a model, a store or a person gets them. */
  redact: Redact;
  /** The agent of that name. Throws `config-invalid` when it can't work here, e.g. without a key. */
  agent(name: string): Promise<TaskAgent>;
  log: TaskLog;
};

export type TodoSettings = {
  /** Relative to the workspace root. */
  todo: string;
  /** Only this task. */
  task?: string;
  sourceFiles: readonly string[];
  schedule: Schedule;
  reviewAgent?: string;
  repairAgent?: string;
  /** Whether files and blockers of a summary are written; its status always is. */
  applySummary: boolean;
  /** Tasks in a run. */
  maxIterations: number;
  dryRun: boolean;
  people: PeopleSettings;
  gate: GateRules;
};
