// The program's own definitions, read and checked when it is built (`prompts/prepared.json`): a start reads one file.
import type { TrustedFiles } from "../ports.ts";
import { loadAgent, loadAgents } from "./agents.ts";
import type { DefinitionSource, Loaded } from "./definition-source.ts";
import type { AgentDefinition, Pipeline, SkillDefinition } from "./definitions.ts";
import { throwIfErrors } from "./diagnostics.ts";
import { loadPipelines } from "./pipelines.ts";
import { bundledReader, loadSkills } from "./skills.ts";

/** What `prompts/prepared.json` holds. */
export type Prepared = {
  mainAgent: AgentDefinition;
  agents: AgentDefinition[];
  skills: Omit<SkillDefinition, "read">[];
  pipelines: Pipeline[];
};

/** The program's own definitions; without `pipelines` these are yet to be read from their files. */
export type Builtin = {
  mainAgent: AgentDefinition;
  agents: Loaded<AgentDefinition>[];
  skills: Loaded<SkillDefinition>[];
  pipelines?: Pipeline[];
};

/** What is prepared in an installation, or else what its files say. */
export async function loadBuiltin(builtin: TrustedFiles): Promise<Builtin> {
  const text = await builtin.read("prompts/prepared.json");
  if (text === undefined) return loadFromFiles(builtin);
  const { mainAgent, agents, skills, pipelines } = JSON.parse(text) as Prepared;
  return {
    mainAgent,
    agents: agents.map(asLoaded),
    skills: skills.map((skill) => {
      const folder = skill.file.slice(0, skill.file.lastIndexOf("/"));
      return asLoaded({ ...skill, read: bundledReader(builtin, folder, skill.files) });
    }),
    pipelines,
  };
}

/** The program's own pipelines, checked against `agents`; as prepared where that holds for these agents too. */
export async function loadBuiltinPipelines(
  builtin: TrustedFiles,
  { agents: own, pipelines }: Builtin,
  agents: ReadonlyMap<string, AgentDefinition>,
  asked: string | undefined,
): Promise<Loaded<Pipeline>[]> {
  const known = new Set(own.map(({ definition }) => definition));
  const isUnchanged = (name: string) => agents.has(name) && known.has(agents.get(name));
  if (!pipelines?.every(({ outputs }) => outputs.every(({ agent }) => isUnchanged(agent)))) {
    return loadPipelines([sourceOf(builtin, "pipelines")], agents, asked);
  }
  return pipelines.map((pipeline) => ({
    ...asLoaded(pipeline),
    agents: pipeline.outputs.map(({ agent }) => agent),
  }));
}

/** What `prompts/prepared.json` has to hold. Throws `config-invalid` for anything wrong in the files. */
export async function prepareBuiltin(builtin: TrustedFiles): Promise<Prepared> {
  const read = await loadFromFiles(builtin);
  const agents = soundOnes(read.agents);
  const known = new Map(agents.map((agent) => [agent.name, agent]));
  return {
    mainAgent: read.mainAgent,
    agents,
    skills: soundOnes(read.skills).map(({ read: _, ...skill }) => skill),
    pipelines: soundOnes(await loadBuiltinPipelines(builtin, read, known, undefined)),
  };
}

async function loadFromFiles(builtin: TrustedFiles): Promise<Builtin> {
  const [main, agents, skills] = await Promise.all([
    loadAgent(sourceOf(builtin, "prompts"), "system.md"),
    loadAgents([sourceOf(builtin, "prompts/agents")]),
    loadSkills([sourceOf(builtin, "prompts/skills")]),
  ]);
  if (!main.definition) throw new Error("the installation's prompts/system.md is broken");
  return { mainAgent: main.definition, agents, skills };
}

function sourceOf(files: TrustedFiles, folder: string): DefinitionSource {
  return { files, folder, isShared: false };
}

function asLoaded<Definition extends { name: string }>(definition: Definition): Loaded<Definition> {
  return { name: definition.name, isShared: false, definition, diagnostics: [] };
}

function soundOnes<Definition>(loaded: readonly Loaded<Definition>[]): Definition[] {
  throwIfErrors(loaded.flatMap(({ diagnostics }) => diagnostics));
  return loaded.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));
}
