// How a session stands, as a run tells it.
import type { Outcome } from "../agent/outcome.ts";
import { noUsage } from "../session/conversation.ts";
import type { SessionView } from "../session/session-view.ts";
import { openInteractions } from "../session/state.ts";
import { tellEdits } from "./edited-artifacts.ts";
import type { ItemResult } from "./item-result.ts";
import type { SessionManifest } from "./manifest.ts";
import type { PlannedSession } from "./open-session.ts";
import type { ContentPorts } from "./ports.ts";
import { readArtifacts, usableOutputs } from "./read-artifacts.ts";

/** The result of a session that ended so; `view`: what is stored of it. */
export async function describeSession(
  ports: ContentPorts,
  planned: PlannedSession,
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
