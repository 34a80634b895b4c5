// What a step is made from. A step whose inputs changed is stale.

import type { AgentDefinition, Configuration, Pipeline } from "../config/definitions.ts";
import { hashContent } from "../session/hash.ts";
import type { TaskState } from "../session/state.ts";
import { hashInputs } from "./plan.ts";

/** Digests of what every step of this agent is made from now. */
export function currentInputs(
  configuration: Configuration,
  agent: string,
  sourceHash: string,
): TaskState["inputs"] {
  return {
    source: sourceHash,
    agent: hashContent(instructionsOf(configuration.agents.get(agent), configuration.instructions)),
    profile: hashContent(configuration.profileText),
  };
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

function instructionsOf(agent: AgentDefinition | undefined, common: string): string {
  return JSON.stringify([agent?.instructions ?? "", agent?.tools ?? null, agent?.model ?? null, common]);
}
