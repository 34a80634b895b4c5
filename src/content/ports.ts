// What running content needs from outside, and the settings that matter to it.

import type { PeopleSettings } from "../agent/asking.ts";
import type { Cancellations } from "../agent/cancellations.ts";
import type { Limits } from "../agent/session.ts";
import type { GateRules } from "../approval/gate.ts";
import type { Configuration } from "../config/definitions.ts";
import type { Clock, Host, Ids, Model, Observer, Stores, Workspace } from "../ports.ts";
import type { Redact } from "../session/redaction.ts";
import type { Tool } from "../tools/tool.ts";

export type ContentPorts = {
  clock: Clock;
  ids: Ids;
  workspace: Workspace;
  host: Host;
  model: Model;
  stores: Stores;
  observe: Observer;
  signal: AbortSignal;
  /** Cuts secrets out of texts before a model, a store or a person gets them. */
  redact: Redact;
  configuration: Configuration;
  tools: ReadonlyMap<string, Tool>;
  /** Bytes of an item's source, or undefined when it is gone. */
  readSource(path: string): Promise<Uint8Array | undefined>;
  /** Sessions that are canceled while they run. */
  cancellations?: Cancellations;
  /** Who led to what this run asks, its starter first (`startersOf`). */
  startedBy?: readonly string[];
};

export type ContentSettings = {
  pipeline: string;
  output?: string;
  /** Outputs that are made again. */
  force?: readonly string[];
  orchestration: "program" | "agent";
  model: string;
  fallbackModel?: string;
  limits: Limits;
  /** Items at once. */
  concurrency: number;
  dryRun: boolean;
  people: PeopleSettings;
  gate: GateRules;
};
