// The result of an item as a run reports it.
import type { Outcome } from "../agent/session.ts";
import { noUsage, type SessionView } from "../core/conversation.ts";
import type { End, Result } from "../core/result.ts";
import { openInteractions } from "../core/state.ts";
import { sessionFolder } from "./folder.ts";
import { describePages, viewKit } from "./kit/page.ts";
import type { SessionManifest } from "./manifest.ts";
import { type ContentPorts, type ContentSettings, readArtifacts, usableOutputs } from "./ports.ts";
import { type SessionPlan, type SessionUpToDate, tellEdits } from "./session.ts";

/** The result of an unreadable item; `name` identifies it. */
export function bareItem(
  name: string,
  settings: Pick<ContentSettings, "pipeline" | "output">,
  ended: End,
): Result {
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

/** The short result of an item without due steps, because nobody reads the details of many. */
export function briefResult(source: string, { manifest, pipeline, desiredOutput }: SessionUpToDate): Result {
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

/** The result without artifact contents, which are in its folder. */
export function withoutArtifacts({ artifact: _, kit: __, ...result }: Result): Result {
  return { ...result, artifacts: new Map() };
}

type SessionEnd = {
  manifest: SessionManifest;
  /** What is stored of the session. */
  view: Pick<SessionView, "state" | "totals"> | undefined;
  outcome: Outcome;
};

/** The result of a session with this outcome. */
export async function describeSession(
  ports: ContentPorts,
  planned: SessionPlan,
  { manifest, view, outcome }: SessionEnd,
): Promise<Result> {
  const { sessionId, folder, item, pipeline, desiredOutput } = planned;
  const standing = { ...planned, manifest, session: { workspace: ports.workspace } };
  const usable = usableOutputs(standing);
  const byFile = await readArtifacts(standing, usable);
  const artifacts = new Map<string, unknown>();
  for (const { name, artifact } of pipeline.outputs)
    if (byFile.has(artifact)) artifacts.set(name, byFile.get(artifact));
  const wanted = pipeline.outputs.find((output) => output.name === desiredOutput);
  const notice = manifest.extra.get("notice");
  const pages = await describePages(ports.workspace, folder, pipeline.outputs);
  const edits = [...tellEdits(pipeline.outputs, manifest, view?.state), ...pages.edits];
  const kit = usable.has(pipeline.final) ? viewKit(item, byFile) : undefined;
  const standingFiles = pipeline.outputs.map(({ artifact }) => artifact).filter((file) => byFile.has(file));
  const interactions = view ? openInteractions(view.state) : [];
  return {
    source: item.source,
    sessionId,
    title: item.title,
    ...statusOf(outcome, interactions),
    folder,
    pipeline: pipeline.name,
    output: desiredOutput,
    finalOutput: pipeline.final,
    ...(wanted && artifacts.has(desiredOutput)
      ? { artifactPath: `${folder}/${wanted.artifact}`, artifact: artifacts.get(desiredOutput) }
      : {}),
    artifacts,
    steps: planned.plans.map(({ output, due, reason }) => {
      const step = manifest.steps.get(output);
      const message = step?.errorMessage === undefined ? {} : { message: step.errorMessage };
      const isDue = due ? { isDue: true as const } : {};
      return { output, status: step?.status ?? "pending", reason, ...isDue, ...message };
    }),
    ...(typeof notice === "string" ? { notice } : {}),
    ...(edits.length > 0 ? { edits } : {}),
    ...(kit ? { kit } : {}),
    files: [...pages.files, ...standingFiles],
    interactions,
    usage: view?.totals.usage ?? noUsage(),
    costUsd: view === undefined ? 0 : view.totals.unpriced ? null : view.totals.costUsd,
  };
}

function statusOf(outcome: Outcome, { length: open }: Result["interactions"]): End {
  switch (outcome.kind) {
    case "completed":
      return { status: "completed", reasonCode: "done" };
    case "waiting":
      return outcome.isInBatch && open === 0
        ? {
            status: "waiting",
            reasonCode: "batch",
            message: "a batch of requests is in progress; run again later",
          }
        : { status: "waiting", reasonCode: "open-questions" };
    default:
      return { status: outcome.kind, reasonCode: outcome.reasonCode, message: outcome.message };
  }
}
