// `session.json`: which steps of a session are done. Written by the program, never by a model.
// Immutable values; reading a manifest from a file is in parse-manifest.ts.
import type { Pipeline } from "../config/definitions.ts";

export type StepStatus = "pending" | "in_progress" | "completed" | "failed";

/** Hashes are 16 hex digits; what an older manifest never recorded is absent. */
export type StepState = {
  status: StepStatus;
  contentHash?: string;
  inputsHash?: string;
  completedAt?: string;
  errorMessage?: string;
  schemaVersion?: string;
  /** The artifact is as this person left it; how the person is called, as far as that is known. */
  editedBy?: string;
};

export type SessionManifest = {
  version: 1;
  /** The session id, which is the folder's name as well. */
  contentId: string;
  source: string;
  pipeline: string;
  desiredOutput: string;
  createdAt: string;
  updatedAt: string;
  sourceHash?: string;
  /** By output name. */
  steps: ReadonlyMap<string, StepState>;
  /** Fields that this program does not know: kept at every rewrite. */
  extra: ReadonlyMap<string, unknown>;
};

/** A session in which nothing is done yet. `now` is ISO 8601. */
export function createManifest(
  start: { sessionId: string; source: string; sourceHash: string; pipeline: Pipeline; desiredOutput: string },
  now: string,
): SessionManifest {
  const { sessionId, source, sourceHash, pipeline, desiredOutput } = start;
  return {
    version: 1,
    contentId: sessionId,
    source,
    pipeline: pipeline.name,
    desiredOutput,
    createdAt: now,
    updatedAt: now,
    sourceHash,
    steps: new Map(pipeline.outputs.map((output) => [output.name, { status: "pending" }])),
    extra: new Map(),
  };
}

/** The manifest with one step's state replaced. `now` is ISO 8601. */
export function updateStep(
  manifest: SessionManifest,
  output: string,
  step: StepState,
  now: string,
): SessionManifest {
  return { ...manifest, updatedAt: now, steps: new Map([...manifest.steps, [output, step]]) };
}

export type AppliedPlan = {
  pipeline: Pipeline;
  steps: readonly { output: string; due: boolean }[];
  sourceHash: string;
  desiredOutput: string;
};

/**
 * The manifest as it must be on disk before the first due step begins: what is due, and what depends on it even where
 * this run does not need it, counts as done no more; with another source nothing does. Comes back itself when nothing
 * changes. `now` is ISO 8601.
 */
export function applyPlan(manifest: SessionManifest, plan: AppliedPlan, now: string): SessionManifest {
  const { sourceHash, desiredOutput, pipeline } = plan;
  const isNewSource = manifest.sourceHash !== undefined && manifest.sourceHash !== sourceHash;
  const due = plan.steps.filter((step) => step.due).map((step) => step.output);
  const stale = withDependents(pipeline, due);
  const undone = [...manifest.steps]
    .filter(([name, step]) => (isNewSource ? step.status !== "pending" : stale.has(name) && isDone(step)))
    .map(([name]) => name);
  const added = pipeline.outputs.map((output) => output.name).filter((name) => !manifest.steps.has(name));
  const isSame = manifest.sourceHash === sourceHash && manifest.desiredOutput === desiredOutput;
  if (isSame && undone.length + added.length === 0) return manifest;
  const pending = [...undone, ...added].map((name): [string, StepState] => [name, { status: "pending" }]);
  const steps = new Map([...manifest.steps, ...pending]);
  return { ...manifest, sourceHash, desiredOutput, updatedAt: now, steps };
}

function isDone(step: StepState): boolean {
  return step.status === "completed";
}

/** The outputs with all that are made from them. */
export function withDependents(pipeline: Pipeline, outputs: readonly string[]): Set<string> {
  const stale = new Set(outputs);
  for (const { name, requires } of pipeline.outputs) {
    if (requires.some((required) => stale.has(required))) stale.add(name);
  }
  return stale;
}

/** Two-space JSON with a newline at the end. */
export function serializeManifest(manifest: SessionManifest): string {
  const { steps, extra, ...known } = manifest;
  const whole = { ...known, steps: Object.fromEntries(steps), ...Object.fromEntries(extra) };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
