// Everything that a run needs from the trusted ref, with all that is wrong in it.
import type { TrustedFiles } from "../ports.ts";
import { loadAgents } from "./agents.ts";
import { readArtifactSchemas } from "./artifact-schemas.ts";
import {
  chooseFirst,
  type DefinitionSource,
  definitionsOf,
  diagnosticsOf,
  readTrusted,
} from "./definition-source.ts";
import type { Configuration, Prompts, UserProfile } from "./definitions.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { diagnosePipelines, loadPipelines } from "./pipelines.ts";
import { loadBuiltin, loadBuiltinPipelines } from "./prepared.ts";
import { loadSkills } from "./skills.ts";
import { parseSoundProfile } from "./sound-profile.ts";
import { readToolDefinitions } from "./tool-definitions.ts";

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
  const [shipped, toolDefinitions, artifactSchemas] = await Promise.all([
    loadBuiltin(builtin),
    readToolDefinitions(builtin),
    readArtifactSchemas(builtin),
  ]);
  const [ownAgents, ownSkills, instructions, profileText] = await Promise.all([
    loadAgents(sourcesOf("agents", trusted)),
    loadSkills(sourcesOf("skills", trusted)),
    readTrusted(trusted, ".looplia/CLAUDE.md", diagnostics),
    readTrusted(trusted, PROFILE, diagnostics),
  ]);
  const chosenAgents = chooseFirst([...ownAgents, ...shipped.agents]);
  const agents = definitionsOf(chosenAgents);
  const ownPipelines = { files: trusted, folder: ".looplia/pipelines", isShared: false };
  const pipelines = chooseFirst([
    ...(await loadPipelines([ownPipelines], agents, asked)),
    ...(await loadBuiltinPipelines(builtin, shipped, agents, asked)),
  ]);
  const wanted = [...pipelines.values()].filter(({ name }) => asked === undefined || asked === name);
  const needed = new Set(wanted.flatMap((loaded) => loaded.agents ?? []));
  const chosenSkills = chooseFirst([...ownSkills, ...shipped.skills]);
  const profile = await readProfile(profileText, `${trusted.label}${PROFILE}`, diagnostics);
  diagnostics.push(
    ...diagnosePipelines(pipelines, asked),
    ...diagnosticsOf(chosenAgents, needed),
    ...diagnosticsOf(chosenSkills, new Set()),
  );
  const configuration: Configuration = {
    pipelines: definitionsOf(pipelines),
    agents,
    mainAgent: shipped.mainAgent,
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

// Not above: what words every fault of a profile takes long to load, and most profiles have none.
async function readProfile(
  text: string | undefined,
  file: string,
  diagnostics: Diagnostic[],
): Promise<UserProfile | undefined> {
  if (text === undefined) return undefined;
  const sound = parseSoundProfile(text);
  if (sound !== undefined) return sound;
  const { parseUserProfile } = await import("./user-profile.ts");
  return parseUserProfile(text, file, diagnostics);
}

function sourcesOf(kind: "agents" | "skills", trusted: TrustedFiles): DefinitionSource[] {
  return [
    { files: trusted, folder: `.looplia/.claude/${kind}`, isShared: false },
    { files: trusted, folder: `.claude/${kind}`, isShared: true },
  ];
}
