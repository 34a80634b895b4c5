// Which steps of a session run, and why. Pure: what is on disk comes in as observations.

import type { Pipeline, PipelineOutput } from "../config/definitions.ts";
import { LoopliaError } from "../errors.ts";
import { hashContent } from "../session/hash.ts";
import type { SessionManifest, StepState } from "./manifest.ts";
import { SCHEMA_VERSION } from "./schema-version.ts";

/** What stands where an output's artifact should be. */
export type Observed = { missing: true } | { contentHash: string; problems: string[] };

/** `reason` is a piece of a sentence for a person; `isBlocked`: a person's edit that is not valid stands in the way. */
export type StepPlan = { output: string; due: boolean; reason: string; isBlocked?: true };

export type PlanInput = {
  pipeline: Pipeline;
  manifest: SessionManifest;
  sourceHash: string;
  observed: ReadonlyMap<string, Observed>;
  /** Asked only for outputs whose required artifacts all stand. */
  inputsHashOf: (output: string) => string;
  desiredOutput: string;
  force?: readonly string[];
  /** Outputs that a person edited and that stay so; the manifest records them already. */
  adopted?: ReadonlySet<string>;
  /** Outputs that a person edited and wants made again. */
  redone?: ReadonlySet<string>;
};

/**
 * The steps that the desired output needs, in order. A step is skipped only if it is completed, its file is there,
 * valid and as recorded, its inputs are unchanged, and nothing that it needs runs again.
 * Throws `config-invalid` for an output that the pipeline does not have, or a forced one that is not needed.
 */
export function planSteps(input: PlanInput): StepPlan[] {
  const needed = neededOutputs(input.pipeline, input.desiredOutput);
  for (const forced of input.force ?? []) {
    if (needed.some((output) => output.name === forced)) continue;
    neededOutputs(input.pipeline, forced);
    throw new LoopliaError("config-invalid", `${forced} is not needed for ${input.desiredOutput}`, {
      hint: "force one of its steps, or ask for a later output",
    });
  }
  const due = new Set<string>();
  return needed.map((output) => {
    const reason = reasonToRun(input, output, due);
    if (reason !== undefined) due.add(output.name);
    const blocked =
      reason?.startsWith(NOT_VALID) && isEdited(input, output.name) ? { isBlocked: true as const } : {};
    return { output: output.name, due: reason !== undefined, reason: reason ?? "up to date", ...blocked };
  });
}

const NOT_VALID = "its file is not valid";

/** Whether the file of a completed step is another than the one that the program recorded. */
function isEdited({ manifest, observed, redone }: PlanInput, name: string): boolean {
  const recorded = manifest.steps.get(name)?.contentHash;
  const file = observed.get(name);
  const isOther = recorded !== undefined && file && "contentHash" in file && file.contentHash !== recorded;
  return isOther === true && !redone?.has(name);
}

function neededOutputs(pipeline: Pipeline, desired: string): PipelineOutput[] {
  const names = pipeline.outputs.map((output) => output.name);
  if (!names.includes(desired)) {
    throw new LoopliaError(
      "config-invalid",
      `pipeline ${pipeline.name} has no output ${JSON.stringify(desired)}`,
      {
        hint: `it has ${names.join(", ")}`,
      },
    );
  }
  const needed = new Set([desired]);
  for (const output of pipeline.outputs.toReversed()) {
    if (needed.has(output.name)) for (const name of output.requires) needed.add(name);
  }
  return pipeline.outputs.filter((output) => needed.has(output.name));
}

function reasonToRun(input: PlanInput, output: PipelineOutput, due: ReadonlySet<string>): string | undefined {
  const { manifest, sourceHash, observed, force } = input;
  const recorded = manifest.sourceHash;
  if (recorded !== undefined && recorded !== sourceHash) return "the source changed";
  if (force?.includes(output.name)) return "forced";
  const step = manifest.steps.get(output.name);
  if (step?.status !== "completed") return reasonOfStatus(step);
  const file = observed.get(output.name) ?? { missing: true };
  if ("missing" in file) return "its file is missing";
  if (file.problems.length > 0) return `${NOT_VALID}: ${summarize(file.problems)}`;
  if (step.contentHash !== undefined && step.contentHash !== file.contentHash) {
    return "its file was changed since";
  }
  const again = output.requires.filter((name) => due.has(name));
  if (again.length > 0)
    return `needs ${again.join(" and ")}, which ${again.length > 1 ? "run" : "runs"} again`;
  const edited = output.requires.filter((name) => input.adopted?.has(name));
  if (edited.length > 0 && !input.adopted?.has(output.name))
    return `needs ${edited.join(" and ")}, edited since`;
  if (step.inputsHash === undefined) return undefined;
  if (step.schemaVersion !== undefined && step.schemaVersion !== SCHEMA_VERSION) {
    return `it was made for schema version ${step.schemaVersion}, now it is ${SCHEMA_VERSION}`;
  }
  return step.inputsHash === input.inputsHashOf(output.name) ? undefined : "its inputs changed";
}

function reasonOfStatus(step: StepState | undefined): string {
  switch (step?.status) {
    case "failed":
      return step.errorMessage ? `it failed before: ${step.errorMessage}` : "it failed before";
    case "in_progress":
      return "it was begun and not finished";
    default:
      return "not done yet";
  }
}

function summarize(problems: readonly string[]): string {
  const more = problems.length - 1;
  return `${problems[0] ?? ""}${more > 0 ? ` (and ${more} more)` : ""}`;
}

/** What a step is made from; texts of any length, or their digests. */
export type StepInputs = {
  sourceHash: string;
  /** Hash of each required artifact by output name. */
  requiredHashes: ReadonlyMap<string, string>;
  agentInstructions: string;
  /** The pipeline's own schema, or empty for a built-in one. */
  schemaText: string;
  profileText: string;
};

/** 16 hex digits over all inputs and the version of the built-in schemas; the order of `requiredHashes` is no matter. */
export function hashInputs(inputs: StepInputs): string {
  const required = [...inputs.requiredHashes].sort(([one], [other]) => (one < other ? -1 : 1));
  const { sourceHash, agentInstructions, schemaText, profileText } = inputs;
  return hashContent(
    JSON.stringify([SCHEMA_VERSION, sourceHash, required, agentInstructions, schemaText, profileText]),
  );
}
