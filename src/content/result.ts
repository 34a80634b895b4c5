// The result of an item as a run reports it.
import type { Outcome } from "../agent/session.ts";
import { noUsage, type SessionView } from "../core/conversation.ts";
import type { Usage } from "../core/events.ts";
import type { InteractionRequest } from "../core/interaction.ts";
import { openInteractions } from "../core/state.ts";
import type { ContentPlan } from "../publish/report.ts";
import { sessionFolder } from "./folder.ts";
import type { SessionManifest, StepStatus } from "./manifest.ts";
import { type ContentPorts, type ContentSettings, readArtifacts, usableOutputs } from "./ports.ts";
import { type SessionPlan, type SessionUpToDate, tellEdits } from "./session.ts";

// What a run says of one item: the shape behind `--json`, the summary and the outputs.

type RunStatus = "completed" | "ignored" | "stopped" | "waiting" | "failed";

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
  /** Of a run that only tells the work to do. */
  plan?: ContentPlan;
};

/** The gravest first. What a person canceled says nothing of the rest. */
const ORDER = ["failed", "waiting", "stopped", "completed", "canceled", "ignored"];

function rankOf({ status, reasonCode }: ItemResult): number {
  return ORDER.indexOf(status === "stopped" && reasonCode === "closed" ? "canceled" : status);
}

/** The status of several is that of the most serious; the reason is `done` if one of those is, else the first one's. */
export function summarizeItems(items: readonly ItemResult[]): RunResult {
  const rank = Math.min(...items.map(rankOf));
  const [first, ...others] = items.filter((item) => rankOf(item) === rank);
  if (!first) return { status: "ignored", reasonCode: "no-items", items: [] };
  const isDone = others.some((item) => item.reasonCode === "done");
  return { status: first.status, reasonCode: isDone ? "done" : first.reasonCode, items: [...items] };
}

/** Of what could not be read: `name` says which it is. */
export function bareItem(
  name: string,
  settings: Pick<ContentSettings, "pipeline" | "output">,
  ended: Pick<ItemResult, "status" | "reasonCode" | "message">,
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

/** Of an item in which nothing is due, one of so many that nobody reads what each says. */
export function briefResult(
  source: string,
  { manifest, pipeline, desiredOutput }: SessionUpToDate,
): ItemResult {
  const folder = sessionFolder(manifest.contentId);
  const wanted = pipeline.outputs.find((output) => output.name === desiredOutput);
  const notice = manifest.extra.get("notice");
  return {
    ...bareItem(source, { pipeline: pipeline.name, output: desiredOutput }, UP_TO_DATE),
    sessionId: manifest.contentId,
    folder,
    finalOutput: pipeline.final,
    ...(wanted ? { artifactPath: `${folder}/${wanted.artifact}` } : {}),
    ...(typeof notice === "string" ? { notice } : {}),
  };
}

const UP_TO_DATE = { status: "completed", reasonCode: "up-to-date" } as const;

/** The result without what its artifacts say: they are in its folder. */
export function withoutArtifacts({ artifact: _, ...result }: ItemResult): ItemResult {
  return { ...result, artifacts: new Map() };
}

/** The result of a session that ended so; `view`: what is stored of it. */
export async function describeSession(
  ports: ContentPorts,
  planned: SessionPlan,
  manifest: SessionManifest,
  view: Pick<SessionView, "state" | "totals"> | undefined,
  outcome: Outcome,
): Promise<ItemResult> {
  const { sessionId, folder, item, pipeline, desiredOutput } = planned;
  const standing = { ...planned, manifest, session: { workspace: ports.workspace } };
  const usable = usableOutputs(standing);
  const byFile = await readArtifacts(standing, usable);
  const artifacts = new Map<string, unknown>();
  for (const { name, artifact } of pipeline.outputs)
    if (byFile.has(artifact)) artifacts.set(name, byFile.get(artifact));
  const wanted = pipeline.outputs.find((output) => output.name === desiredOutput);
  const notice = manifest.extra.get("notice");
  const edits = tellEdits(pipeline.outputs, manifest, view?.state);
  return {
    source: item.source,
    sessionId,
    title: item.title,
    ...statusOf(outcome),
    folder,
    pipeline: pipeline.name,
    output: desiredOutput,
    finalOutput: pipeline.final,
    ...(wanted && artifacts.has(desiredOutput)
      ? { artifactPath: `${folder}/${wanted.artifact}`, artifact: artifacts.get(desiredOutput) }
      : {}),
    artifacts,
    steps: planned.plans.map(({ output, reason }) => {
      const step = manifest.steps.get(output);
      const message = step?.errorMessage === undefined ? {} : { message: step.errorMessage };
      return { output, status: step?.status ?? "pending", reason, ...message };
    }),
    ...(typeof notice === "string" ? { notice } : {}),
    ...(edits.length > 0 ? { edits } : {}),
    interactions: view ? openInteractions(view.state) : [],
    usage: view?.totals.usage ?? noUsage(),
    costUsd: view === undefined ? 0 : view.totals.unpriced ? null : view.totals.costUsd,
  };
}

function statusOf(outcome: Outcome): Pick<ItemResult, "status" | "reasonCode" | "message"> {
  switch (outcome.kind) {
    case "completed":
      return { status: "completed", reasonCode: "done" };
    case "waiting":
      return { status: "waiting", reasonCode: "open-questions" };
    default:
      return { status: outcome.kind, reasonCode: outcome.reasonCode, message: outcome.message };
  }
}
