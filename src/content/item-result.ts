// What a run says of one item: the shape behind `--json`, the summary and the outputs.
import { noUsage } from "../session/conversation.ts";
import type { InteractionRequest } from "../session/interaction.ts";
import type { Usage } from "../session/message.ts";
import type { StepStatus } from "./manifest.ts";
import type { ContentSettings } from "./ports.ts";

export type RunStatus = "completed" | "ignored" | "stopped" | "waiting" | "failed";

export type ItemResult = {
  source: string;
  /** Empty when no session could begin. */
  sessionId: string;
  title: string;
  pipeline: string;
  status: RunStatus;
  reasonCode: string;
  /** What went wrong or is left, for a person. */
  message?: string;
  /** Relative to the workspace root. */
  folder: string;
  /** The output that was asked for, and the pipeline's last one. */
  output: string;
  finalOutput: string;
  /** Relative path and value of the artifact of `output`, when it stands. */
  artifactPath?: string;
  artifact?: unknown;
  /** Every artifact that stands, by output. */
  artifacts: Map<string, unknown>;
  steps: { output: string; status: StepStatus; reason: string; message?: string }[];
  /** Of a to-do file: its tasks, with what was said of each and what all attempts at it cost. */
  tasks?: { id: string; title: string; status: string; message?: string; costUsd: number | null }[];
  /** How artifacts were made, when not by a language model: the manifest says so. */
  notice?: string;
  /** A sentence for each artifact that a person edited: it stays, or there is a copy. */
  edits?: string[];
  /** Open questions. */
  interactions: InteractionRequest[];
  usage: Usage;
  /** US dollars of the session so far; null when a model without a price was used. */
  costUsd: number | null;
};

export type RunResult = {
  status: RunStatus;
  reasonCode: string;
  message?: string;
  items: ItemResult[];
};

/** `status` of several: failed > waiting > stopped > completed > ignored; the reason is that of the first such item. */
export function summarizeItems(items: readonly ItemResult[]): RunResult {
  for (const status of ["failed", "waiting", "stopped", "completed", "ignored"] as const) {
    const found = items.filter((item) => item.status === status);
    const [first] = found;
    if (!first) continue;
    const isDone = found.some((item) => item.reasonCode === "done");
    return { status, reasonCode: isDone ? "done" : first.reasonCode, items: [...items] };
  }
  return { status: "ignored", reasonCode: "no-items", items: [] };
}

/** Of what could not be read: `name` says which it is. */
export function bareItem(
  name: string,
  settings: Pick<ContentSettings, "pipeline" | "output">,
  ended: Pick<ItemResult, "status" | "reasonCode"> & { message: string },
): ItemResult {
  return {
    source: name,
    sessionId: "",
    title: name,
    ...ended,
    folder: "",
    pipeline: settings.pipeline,
    output: settings.output ?? "",
    finalOutput: "",
    artifacts: new Map(),
    steps: [],
    interactions: [],
    usage: noUsage(),
    costUsd: 0,
  };
}
