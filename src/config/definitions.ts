// Types of configured definitions, and the loaders of agents and skills.
import { LoopliaError, messageOf } from "../core/errors.ts";
import type { Effort, ToolDefinition } from "../core/events.ts";
import { hashContent } from "../core/json.ts";
import type { TrustedFiles } from "../core/ports.ts";
import type { ToolServers } from "../core/ports-host.ts";
import { createReport, type Diagnostic, type DiagnosticReport } from "./diagnostics.ts";
import { type LocatedEntry, textOfScalar } from "./located.ts";
import { readFrontMatter } from "./yaml.ts";

// Agents, skills and pipelines are searched in a few folders; the first folder that has a name wins.

export type DefinitionSource = {
  files: TrustedFiles;
  folder: string;
  /** Other programs keep files here too: a broken file that is not needed causes only a warning. */
  isShared: boolean;
};

/** The result of reading one file: its definition, or the reasons why there is none. */
export type LoadResult<Definition> = {
  name: string;
  isShared: boolean;
  definition: Definition | undefined;
  diagnostics: Diagnostic[];
  /** The agents that the file names, even when it is broken. */
  agents?: string[];
};

/** Text of a trusted file; undefined when it is missing or refused, the latter with a diagnostic. */
export function readTrusted(
  files: TrustedFiles,
  path: string,
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  return orDiagnostic(() => files.read(path), `${files.label}${path}`, diagnostics);
}

/** Entries of a trusted folder; empty when it is missing or refused, the latter with a diagnostic. */
async function listTrusted(
  files: TrustedFiles,
  folder: string,
  diagnostics: Diagnostic[],
): Promise<string[]> {
  return (await orDiagnostic(() => files.list(folder), `${files.label}${folder}`, diagnostics)) ?? [];
}

async function orDiagnostic<Result>(
  action: () => Promise<Result>,
  file: string,
  diagnostics: Diagnostic[],
): Promise<Result | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof LoopliaError)) throw error;
    const message = error.message.startsWith(file) ? error.message.slice(file.length).trim() : error.message;
    createReport(file, diagnostics)(undefined, message, error.hint);
    return undefined;
  }
}

/**
 * Loads every entry of every source, in the order of the sources; a refused folder gets its own diagnostic.
 */
export async function loadSources<Definition>(
  sources: readonly DefinitionSource[],
  load: (source: DefinitionSource, entry: string) => Promise<LoadResult<Definition> | undefined>,
): Promise<LoadResult<Definition>[]> {
  const perSource = await Promise.all(
    sources.map(async (source) => {
      const diagnostics: Diagnostic[] = [];
      const entries = await listTrusted(source.files, source.folder, diagnostics);
      const { isShared, folder } = source;
      const refused =
        diagnostics.length > 0 ? [{ name: folder, isShared, definition: undefined, diagnostics }] : [];
      return [...refused, ...(await Promise.all(entries.map((entry) => load(source, entry))))];
    }),
  );
  return perSource.flat().filter((loaded) => loaded !== undefined);
}

/** The same diagnostic as a warning, which does not stop a run. */
export function lowerToWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "warning" };
}

/** A pipeline with a valid graph: acyclic, all names known, exactly one final output. */
export type Pipeline = {
  name: string;
  description: string;
  file: string;
  /** In topological order; ties in the order of the file. */
  outputs: PipelineOutput[];
  final: string;
};

export type PipelineOutput = {
  name: string;
  artifact: string;
  agent: string;
  requires: string[];
  /** `requires: items`: the output is also made from the items that the front matter of its item names. */
  readsItems?: true;
  /** Text of the JSON Schema file beside the pipeline; absent for the built-in artifacts. */
  schema?: { file: string; text: string };
  /** Text of the template beside the pipeline from which the program makes `<output>.md`. */
  page?: string;
  maxRetries: number;
};

export type AgentDefinition = {
  name: string;
  description: string;
  /** Project tool names (aliases resolved); undefined: all. */
  tools?: string[];
  model?: string;
  /** BCP 47 tag of the agent's output; absent: the profile's language, else the item's. */
  language?: string;
  /** How much the agent's model should think. */
  effort?: Effort;
  /** Names of the skills that the agent may load; absent: all. */
  skills?: string[];
  /** The agent can give its artifacts in one answer without tools, so its requests may go in batches. */
  batch?: true;
  /** The Markdown below the front matter. */
  instructions: string;
  file: string;
};

type SkillDefinition = {
  name: string;
  description: string;
  body: string;
  /** Bundled files, relative to the skill's folder. */
  files: string[];
  /** Hash of the bundled files; absent without any. */
  filesHash?: string;
  file: string;
  read(file: string): Promise<string | undefined>;
};

export type UserProfile = {
  userId: string;
  topics: { topic: string; interestLevel: number }[];
  style: {
    tone: "beginner" | "intermediate" | "expert" | "mixed";
    targetWordCount: number;
    voice: "first-person" | "third-person" | "instructional";
  };
  writingSamples?: string[];
  /** BCP 47 tag of the output; absent: the item's language. */
  language?: string;
};

/** The skills that an agent's prompt lists: the ones it names, else all; none without the tool. */
export function skillsOf(
  { skills }: Pick<Configuration, "skills">,
  { tools, skills: named }: Pick<AgentDefinition, "tools" | "skills">,
): SkillDefinition[] {
  if (tools?.includes("Skill") === false) return [];
  return [...skills.values()].filter(({ name }) => named === undefined || named.includes(name));
}

/** Everything a run needs from the trusted ref. */
export type Configuration = {
  pipelines: ReadonlyMap<string, Pipeline>;
  agents: ReadonlyMap<string, AgentDefinition>;
  /** The lead agent under `orchestration: agent`; the program's own (`prompts/system.md`). */
  mainAgent: AgentDefinition;
  skills: ReadonlyMap<string, SkillDefinition>;
  /** `.looplia/CLAUDE.md`, or empty. */
  instructions: string;
  profile?: UserProfile;
  /** Text of user-profile.json, unchanged, or empty: part of every step's inputs. */
  profileText: string;
  /** Tool definitions for models, by tool: `prompts/tools.json`, generated from the registry. */
  toolDefinitions: ReadonlyMap<string, ToolDefinition>;
  /** Absent when the settings name no MCP server. */
  servers?: ToolServers;
  /** Schemas of the program's artifacts for models, by file: compact JSON Schemas (`readArtifactSchemas`). */
  artifactSchemas: ReadonlyMap<string, string>;
  prompts: Prompts;
};

/**
 * The program's own prompts (`prompts/*.md`), rendered strictly: an undefined variable is an error that names
 * file and variable.
 */
export interface Prompts {
  render(file: string, variables: Record<string, unknown>): Promise<string>;
}

// Shared by agents and skills.

/** Names of agents and skills. */
const DEFINITION_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The front matter's `name`, else the name of the file or folder. */
export function readDefinitionName(
  entries: ReadonlyMap<string, LocatedEntry>,
  fallback: string,
  report: DiagnosticReport,
): string {
  const entry = entries.get("name");
  const name = textOfScalar(entry?.value) ?? fallback;
  if (DEFINITION_NAME.test(name)) return name;
  const hint = "use letters, digits, dashes and underscores";
  report(entry?.line, `has the name "${name.slice(0, 80)}"`, hint);
  return fallback;
}

/** The front matter's `description` on one line; a missing one is a warning. */
export function readDescription(
  entries: ReadonlyMap<string, LocatedEntry>,
  file: string,
  diagnostics: Diagnostic[],
): string {
  const entry = entries.get("description");
  const text = textOfScalar(entry?.value)?.replace(/\s+/g, " ");
  const isSound = diagnostics.every((diagnostic) => diagnostic.severity === "warning");
  if (text === undefined && isSound)
    createReport(file, diagnostics, "warning")(entry?.line, "has no description");
  return text ?? "";
}

// Skills: a folder with a SKILL.md and bundled files. Agents always see the metadata and load the rest on
// request.

const ENTRY_FILE = "SKILL.md";
const MAX_FILES = 200;
const MAX_DEPTH = 4;

/** Loads a folder of a source if it has a SKILL.md; a broken skill has no definition. */
export async function loadSkill(
  { files, folder, isShared }: DefinitionSource,
  folderName: string,
): Promise<LoadResult<SkillDefinition> | undefined> {
  const base = `${folder}/${folderName}`;
  const diagnostics: Diagnostic[] = [];
  const entries = await listTrusted(files, base, diagnostics);
  if (diagnostics.length > 0) return { name: folderName, isShared, definition: undefined, diagnostics };
  if (!entries.includes(ENTRY_FILE)) return undefined;
  const file = `${files.label}${base}/${ENTRY_FILE}`;
  const text = await readTrusted(files, `${base}/${ENTRY_FILE}`, diagnostics);
  const frontMatter = await readFrontMatter(text ?? "", file, diagnostics);
  const report = createReport(file, diagnostics);
  const name = readDefinitionName(frontMatter.entries, folderName, report);
  const description = readDescription(frontMatter.entries, file, diagnostics);
  const body = frontMatter.body.trim();
  if (diagnostics.every(({ severity }) => severity === "warning") && body === "") {
    report(undefined, "has no instructions");
  }
  if (diagnostics.some(({ severity }) => severity === "error")) {
    return { name, isShared, definition: undefined, diagnostics };
  }
  const bundled = await listBundled(
    files,
    base,
    entries.filter((entry) => entry !== ENTRY_FILE),
    diagnostics,
  );
  const read = bundledReader(files, base, bundled);
  const filesHash = await hashBundled(bundled, read);
  const definition = { name, description, body, files: bundled, ...filesHash, file, read };
  return { name, isShared, definition, diagnostics };
}

/** Read all at once, so that one git process answers. A refused file counts by its reason. */
async function hashBundled(
  bundled: readonly string[],
  read: SkillDefinition["read"],
): Promise<Pick<SkillDefinition, "filesHash">> {
  if (bundled.length === 0) return {};
  const readOne = async (path: string) => [path, await read(path).catch(messageOf)];
  return { filesHash: hashContent(JSON.stringify(await Promise.all(bundled.map(readOne)))) };
}

/** Reads only the bundled files of a skill's folder, by name. */
function bundledReader(
  files: TrustedFiles,
  folder: string,
  bundled: readonly string[],
): SkillDefinition["read"] {
  const known = new Set(bundled);
  return async (path) => (known.has(path) ? files.read(`${folder}/${path}`) : undefined);
}

async function listBundled(
  files: TrustedFiles,
  base: string,
  entries: readonly string[],
  diagnostics: Diagnostic[],
): Promise<string[]> {
  const found: string[] = [];
  const look = async (path: string) => {
    const refused: Diagnostic[] = [];
    return { path, inside: await listTrusted(files, `${base}/${path}`, refused), refused };
  };
  const visit = async (paths: readonly string[], depth: number): Promise<void> => {
    for (let at = 0; at < paths.length && depth <= MAX_DEPTH; at += MAX_FILES) {
      // The files of a folder are read in parallel, because each read may start a git process.
      for (const { path, inside, refused } of await Promise.all(paths.slice(at, at + MAX_FILES).map(look))) {
        if (found.length >= MAX_FILES) return;
        diagnostics.push(...refused.map(lowerToWarning));
        if (inside.length === 0 && refused.length === 0) found.push(path);
        await visit(
          inside.map((entry) => `${path}/${entry}`),
          depth + 1,
        );
      }
    }
  };
  await visit(entries, 1);
  return found;
}
