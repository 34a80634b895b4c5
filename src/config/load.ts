// Everything that a run needs from the trusted ref, with all that is wrong in it.
import type { TrustedFiles } from "../ports.ts";
import { loadAgent, loadAgents } from "./agents.ts";
import { readArtifactSchemas } from "./artifact-schemas.ts";
import {
  chooseFirst,
  type DefinitionSource,
  definitionsOf,
  diagnosticsOf,
  readTrusted,
} from "./definition-source.ts";
import type { Configuration, Prompts } from "./definitions.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { diagnosePipelines, loadPipelines } from "./pipelines.ts";
import { loadSkills } from "./skills.ts";
import { readToolDefinitions } from "./tool-definitions.ts";
import { parseUserProfile } from "./user-profile.ts";

export type LoadOptions = {
  prompts: Prompts;
  /** The pipeline that must be sound; others that are broken are warnings. Undefined: all must be. */
  pipeline?: string;
};

/**
 * Reads pipelines, agents, skills, instructions and profile. `builtin` is the root of the installation (with `prompts/`
 * and `pipelines/`). Never throws for what a file says; the configuration has only what is sound.
 */
export async function loadConfiguration(
  trusted: TrustedFiles,
  builtin: TrustedFiles,
  { prompts, pipeline: asked }: LoadOptions,
): Promise<{ configuration: Configuration; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const [toolDefinitions, artifactSchemas, main, chosenAgents, chosenSkills, instructions, profileText] =
    await Promise.all([
      readToolDefinitions(builtin),
      readArtifactSchemas(builtin),
      loadAgent(sourceOf(builtin, "prompts"), "system.md"),
      loadAgents(sourcesOf("agents", trusted, builtin)).then(chooseFirst),
      loadSkills(sourcesOf("skills", trusted, builtin)).then(chooseFirst),
      readTrusted(trusted, ".looplia/CLAUDE.md", diagnostics),
      readTrusted(trusted, PROFILE, diagnostics),
    ]);
  if (main.definition === undefined) throw new Error("the installation's prompts/system.md is broken");
  const agents = definitionsOf(chosenAgents);
  const pipelineSources = [sourceOf(trusted, ".looplia/pipelines"), sourceOf(builtin, "pipelines")];
  const pipelines = chooseFirst(await loadPipelines(pipelineSources, agents, asked));
  const wanted = [...pipelines.values()].filter(({ name }) => asked === undefined || asked === name);
  const needed = new Set(wanted.flatMap((loaded) => loaded.agents ?? []));
  const profileFile = `${trusted.label}${PROFILE}`;
  const profile =
    profileText === undefined ? undefined : parseUserProfile(profileText, profileFile, diagnostics);
  diagnostics.push(
    ...diagnosePipelines(pipelines, asked),
    ...diagnosticsOf(chosenAgents, needed),
    ...diagnosticsOf(chosenSkills, new Set()),
  );
  const configuration: Configuration = {
    pipelines: definitionsOf(pipelines),
    agents,
    mainAgent: main.definition,
    skills: definitionsOf(chosenSkills),
    instructions: (instructions ?? "").replace(/^\uFEFF/, "").trim(),
    profileText: profileText ?? "",
    toolDefinitions,
    artifactSchemas,
    prompts,
    ...(profile === undefined ? {} : { profile }),
  };
  return { configuration, diagnostics };
}

const PROFILE = ".looplia/user-profile.json";

function sourcesOf(
  kind: "agents" | "skills",
  trusted: TrustedFiles,
  builtin: TrustedFiles,
): DefinitionSource[] {
  return [
    sourceOf(trusted, `.looplia/.claude/${kind}`),
    { files: trusted, folder: `.claude/${kind}`, isShared: true },
    sourceOf(builtin, `prompts/${kind}`),
  ];
}

function sourceOf(files: TrustedFiles, folder: string): DefinitionSource {
  return { files, folder, isShared: false };
}
