// Which steps of a session are due, and why. Pure.
import canonicalize from "canonicalize";
import {
  type AgentDefinition,
  type Configuration,
  type Pipeline,
  type PipelineOutput,
  skillsOf,
} from "../config/definitions.ts";
import { LoopliaError } from "../core/errors.ts";
import { hashContent } from "../core/json.ts";
import type { TaskState } from "../core/state.ts";
import { partsChange } from "./item.ts";
import { SCHEMA_VERSION, type SessionManifest, type StepState } from "./manifest.ts";

// Adjacent due outputs of one agent form one task: its agent makes all of them or none, in one conversation.

/** `taskId`: the outputs joined by `+`. */
export type TaskGroup = { taskId: string; agent: string; outputs: string[] };

/**
 * Groups the due steps into tasks, in an order in which each can run. Within a task each output requires the
 * one before. `open`: begun tasks that have not ended; no output joins them, because they must continue in
 * their conversations.
 */
export function groupTasks(
  pipeline: Pipeline,
  plans: readonly { output: string; due: boolean }[],
  open: readonly { outputs: readonly string[] }[] = [],
): TaskGroup[] {
  const taskOf = ({ name }: PipelineOutput) => open.find(({ outputs }) => outputs.includes(name));
  const due = new Set(plans.filter((plan) => plan.due).map((plan) => plan.output));
  const groups: PipelineOutput[][] = [];
  for (const output of pipeline.outputs) {
    if (!due.has(output.name)) continue;
    const group = groups.find(
      (candidate) =>
        candidate.every((member) => taskOf(member) === taskOf(output)) && canJoin(output, candidate, groups),
    );
    if (group) group.push(output);
    else groups.push([output]);
  }
  // In pipeline order, which is topological: a task only waits for earlier tasks.
  return groups.map((group) => {
    const outputs = group.map((output) => output.name);
    return { taskId: outputs.join("+"), agent: group[0]?.agent ?? "", outputs };
  });
}

/** A joined output must not make the task wait longer: independent outputs still run at the same time. */
function canJoin(output: PipelineOutput, group: PipelineOutput[], groups: PipelineOutput[][]): boolean {
  const last = group.at(-1);
  if (last?.agent !== output.agent || !output.requires.includes(last.name)) return false;
  return groupsBefore([output], groups).every(
    (before) => before === group || waitsFor(group, before, groups),
  );
}

function waitsFor(group: PipelineOutput[], target: PipelineOutput[], groups: PipelineOutput[][]): boolean {
  return groupsBefore(group, groups).some((before) => before === target || waitsFor(before, target, groups));
}

function groupsBefore(outputs: PipelineOutput[], groups: PipelineOutput[][]): PipelineOutput[][] {
  const required = new Set(outputs.flatMap((output) => output.requires));
  return groups.filter((group) => group !== outputs && group.some((member) => required.has(member.name)));
}

/** The file at the place of an output's artifact. */
export type StepObservation = { missing: true } | { contentHash: string; problems: string[] };

/** `reason`: a sentence fragment for people; `isBlocked`: a person's invalid edit blocks the step. */
export type StepPlan = { output: string; due: boolean; reason: string; isBlocked?: true };

type PlanInput = {
  pipeline: Pipeline;
  manifest: SessionManifest;
  sourceHash: string;
  /** The items that the item is made from now, as the manifest records them. */
  parts?: ReadonlyMap<string, string>;
  observed: ReadonlyMap<string, StepObservation>;
  /** Called only for outputs with all required artifacts. */
  inputsHashOf: (output: string) => string;
  desiredOutput: string;
  force?: readonly string[];
  /** Outputs with a person's edit to keep; the manifest already records it. */
  adopted?: ReadonlySet<string>;
  /** Outputs with a person's edit to discard: they are made again. */
  redone?: ReadonlySet<string>;
};

/**
 * The steps that the desired output needs, in order. Skips a step only if it is completed, its file exists,
 * is valid and matches the record, its inputs are unchanged, and no required step runs again. Throws
 * `config-invalid` for an output that the pipeline lacks, or a forced one that is not needed.
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
/** The reason to run a step whose agent, profile or pipeline changed. */
export const INPUTS_CHANGED = "its inputs changed";

/** Whether a step was made with another schema version. */
export function isOtherSchema(step: StepState | undefined): boolean {
  return step?.schemaVersion !== undefined && step.schemaVersion !== SCHEMA_VERSION;
}

/** Whether a completed step's file differs from the recorded one. */
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
  const changed = input.parts && partsChange(manifest.items ?? new Map(), input.parts);
  if (changed !== undefined && manifest.items !== undefined) return changed;
  if (force?.includes(output.name)) return "forced";
  const step = manifest.steps.get(output.name);
  if (step?.status !== "completed") return reasonOfStatus(step);
  const file = observed.get(output.name) ?? { missing: true };
  if ("missing" in file) return "its file is missing";
  if (file.problems.length > 0) return `${NOT_VALID}: ${summarize(file.problems)}`;
  if (step.contentHash !== undefined && step.contentHash !== file.contentHash) {
    return "its file has changed since";
  }
  const again = output.requires.filter((name) => due.has(name));
  if (again.length > 0)
    return `needs ${again.join(" and ")}, which ${again.length > 1 ? "run" : "runs"} again`;
  const edited = output.requires.filter((name) => input.adopted?.has(name));
  if (edited.length > 0 && !input.adopted?.has(output.name))
    return `needs ${edited.join(" and ")}, edited since`;
  if (step.inputsHash === undefined) return undefined;
  if (isOtherSchema(step)) {
    return `it was made for schema version ${step.schemaVersion}, now it is ${SCHEMA_VERSION}`;
  }
  return step.inputsHash === input.inputsHashOf(output.name) ? undefined : INPUTS_CHANGED;
}

function reasonOfStatus(step: StepState | undefined): string {
  switch (step?.status) {
    case "failed":
      return step.errorMessage ? `it failed before: ${step.errorMessage}` : "it failed before";
    case "in_progress":
      return "it was started and not finished";
    default:
      return "not done yet";
  }
}

function summarize(problems: readonly string[]): string {
  const more = problems.length - 1;
  return `${problems[0] ?? ""}${more > 0 ? ` (and ${more} more)` : ""}`;
}

/** The inputs of a step, as texts of any length or as digests. */
type StepInputs = {
  sourceHash: string;
  /** Hash of each required artifact by output name. */
  requiredHashes: ReadonlyMap<string, string>;
  agentInstructions: string;
  /** The pipeline's own schema; empty for a built-in one. */
  schemaText: string;
  profileText: string;
};

/** 16 hex digits over all inputs and the schema version; the order of `requiredHashes` does not matter. */
export function hashInputs(inputs: StepInputs): string {
  const required = [...inputs.requiredHashes].sort(([one], [other]) => (one < other ? -1 : 1));
  const { sourceHash, agentInstructions, schemaText, profileText } = inputs;
  return hashContent(
    JSON.stringify([SCHEMA_VERSION, sourceHash, required, agentInstructions, schemaText, profileText]),
  );
}

// The inputs of a step: a step with changed inputs is stale.

/** Digests of the present inputs of all steps of this agent; `source` is the item's (`hashOfAll`), or a section's. */
export function currentInputs(
  configuration: Configuration,
  agent: string,
  source: string,
): TaskState["inputs"] {
  const known = digests.get(configuration) ?? new Map<string, Digests>();
  digests.set(configuration, known);
  const definition = configuration.agents.get(agent);
  const skills = skillTexts(configuration, definition);
  const own = known.get(agent) ?? {
    agent: hashContent(instructionsOf(configuration, definition)),
    ...(skills.length > 0 ? { skills: hashContent(JSON.stringify(skills)) } : {}),
    profile: hashContent(profileOf(configuration)),
  };
  known.set(agent, own);
  return { source, ...own };
}

type Digests = Omit<TaskState["inputs"], "source">;

/** Per configuration and agent, because many items share them. */
const digests = new WeakMap<Configuration, Map<string, Digests>>();

/** The digest of the pipeline's own schemas of these outputs; undefined if all are built in. */
export function digestSchemas(pipeline: Pipeline, outputs: readonly string[]): string | undefined {
  const texts = pipeline.outputs.flatMap(({ name, schema }) =>
    schema && outputs.includes(name) ? [schema.text] : [],
  );
  return texts.length === 0 ? undefined : hashContent(JSON.stringify(texts));
}

/** The hash of one output's inputs; `artifactHashes` by output name. */
export function inputsHashOf(
  pipeline: Pipeline,
  name: string,
  inputs: TaskState["inputs"],
  artifactHashes: ReadonlyMap<string, string>,
): string {
  const output = pipeline.outputs.find((candidate) => candidate.name === name);
  return hashInputs({
    sourceHash: inputs.source,
    requiredHashes: new Map(
      (output?.requires ?? []).map((required) => [required, artifactHashes.get(required) ?? ""]),
    ),
    agentInstructions: inputs.agent,
    schemaText: output?.schema?.text ?? "",
    profileText: inputs.profile,
  });
}

/** All instructions of the agent, including the skills that it may load. */
function instructionsOf(configuration: Configuration, agent: AgentDefinition | undefined): string {
  const { instructions = "", tools = null, model = null, language = null, effort = null } = agent ?? {};
  const skills = skillTexts(configuration, agent);
  return JSON.stringify([instructions, tools, model, configuration.instructions, skills, language, effort]);
}

function skillTexts(configuration: Configuration, agent: AgentDefinition | undefined): string[][] {
  return (agent ? skillsOf(configuration, agent) : []).map(({ name, body, filesHash }) =>
    filesHash === undefined ? [name, body] : [name, body, filesHash],
  );
}

/** The profile's content, independent of its layout. */
function profileOf({ profile, profileText }: Configuration): string {
  return profile ? (canonicalize(profile) ?? "") : profileText;
}
