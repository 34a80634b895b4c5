// What spans several outputs of a pipeline, and what is outside its file: agents, schema files.
import { LoopliaError } from "../errors.ts";
import type { AgentDefinition } from "./definitions.ts";
import { compileJsonSchema } from "./json-schema.ts";
import { findCycle, findSinks } from "./pipeline-graph.ts";
import type { OutputDraft } from "./pipeline-output.ts";
import type { Report } from "./report.ts";
import { suggestName } from "./suggest.ts";

export type PipelineSurroundings = {
  agents: ReadonlyMap<string, AgentDefinition>;
  /** Text of a file beside the pipeline, or undefined. */
  readBeside(file: string): Promise<string | undefined>;
  /** False leaves out the costly check that schema files are JSON Schemas. */
  checkSchemas: boolean;
};

/** No two outputs have the same file. */
export function checkDuplicates(drafts: readonly OutputDraft[], report: Report): void {
  const owners = new Map<string, string>();
  for (const { name, artifact, lines } of drafts) {
    const owner = owners.get(artifact);
    if (artifact === "") continue;
    if (owner === undefined) owners.set(artifact, name);
    else report(lines.artifact, `"${name}" has the artifact ${artifact}, which "${owner}" has already`);
  }
}

/** Each output has an agent that there is, and that can write it. */
export function checkAgents(
  drafts: readonly OutputDraft[],
  agents: ReadonlyMap<string, AgentDefinition>,
  report: Report,
): void {
  for (const { name, agent, lines } of drafts) {
    if (agent === "") continue;
    const definition = agents.get(agent);
    if (definition === undefined) {
      const hint =
        suggestName(agent, agents.keys()) ?? `there are ${[...agents.keys()].join(", ") || "none"}`;
      report(lines.agent, `"${name}" has the unknown agent "${agent}"`, hint);
    } else if (definition.tools?.includes("writeArtifact") === false) {
      report(
        lines.agent,
        `"${name}" has the agent "${agent}", whose tools lack writeArtifact`,
        `add Write to the tools in ${definition.file}`,
      );
    }
  }
}

/** What an output requires is there, and nothing requires itself. */
export function checkRequirements(drafts: readonly OutputDraft[], report: Report): void {
  const names = new Set(drafts.map((draft) => draft.name));
  for (const { name, requires, lines } of drafts) {
    for (const required of requires) {
      if (names.has(required)) continue;
      report(
        lines.requires,
        `"${name}" requires the unknown output "${required}"`,
        suggestName(required, names),
      );
    }
  }
  const cycle = findCycle(drafts);
  if (cycle === undefined) return;
  const first = drafts.find((draft) => draft.name === cycle[0]);
  report(first?.lines.requires, `the outputs require each other in a cycle: ${cycle.join(" → ")}`);
}

/** The output that is marked `final`, else the only one that no other requires. */
export function chooseFinal(drafts: readonly OutputDraft[], report: Report): string | undefined {
  const marked = drafts.filter((draft) => draft.isFinal);
  for (const extra of marked.slice(1)) {
    report(extra.lines.final, `"${extra.name}" is final, but "${marked[0]?.name}" is already`);
  }
  if (marked[0] !== undefined) return marked[0].name;
  const sinks = findSinks(drafts);
  if (sinks.length > 1) {
    report(
      drafts.find((draft) => draft.name === sinks[1])?.lines.name,
      `has several last outputs: ${sinks.join(", ")}`,
      "write final: true in one of them",
    );
  }
  return sinks[0];
}

/** Texts of the schema files by the name of their output; what is missing or no schema is reported. */
export async function readSchemas(
  drafts: readonly OutputDraft[],
  file: string,
  { readBeside, checkSchemas }: PipelineSurroundings,
  report: Report,
): Promise<Map<string, { file: string; text: string }>> {
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  const schemas = new Map<string, { file: string; text: string }>();
  for (const { name, schema, lines } of drafts) {
    if (schema === undefined) continue;
    const text = await readBeside(schema);
    if (text === undefined) {
      report(lines.schema, `"${name}" has the schema ${schema}, and there is no file ${folder}${schema}`);
      continue;
    }
    schemas.set(name, { file: `${folder}${schema}`, text });
    if (!checkSchemas) continue;
    try {
      await compileJsonSchema(text, `${folder}${schema}`);
    } catch (error) {
      if (!(error instanceof LoopliaError)) throw error;
      report(lines.schema, `"${name}" has a schema that cannot be used: ${error.message}`);
    }
  }
  return schemas;
}
