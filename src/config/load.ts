// Loads everything that a run needs from the trusted ref.
import { z } from "zod";
import { messageOf } from "../core/errors.ts";
import { type Effort, isServerTool, type ToolDefinition } from "../core/events.ts";
import { lazily } from "../core/json.ts";
import type { TrustedFiles } from "../core/ports.ts";
import {
  type AgentDefinition,
  type Configuration,
  type DefinitionSource,
  type LoadResult,
  loadSkill,
  loadSources,
  lowerToWarning,
  type Prompts,
  readDefinitionName,
  readDescription,
  readTrusted,
  type UserProfile,
} from "./definitions.ts";
import { createReport, type Diagnostic, type DiagnosticReport, suggestName } from "./diagnostics.ts";
import { type LocatedEntry, lineAtPath, textOfScalar } from "./located.ts";
import { diagnosePipelines, loadPipelines } from "./pipeline.ts";
import { TOOL_NAMES } from "./policy.ts";
import { readFrontMatter, readYaml } from "./yaml.ts";

// Schemas of the built-in artifacts and definitions of tools for models. They are generated ahead, because making them
// at run time is slow.

async function readGenerated(builtin: TrustedFiles, file: string): Promise<unknown> {
  const text = await builtin.read(file);
  if (text === undefined) throw new Error(`the installation's ${file} is missing`);
  return JSON.parse(text);
}

/** Compact JSON Schemas by artifact file, from the installation's `prompts/artifacts.json`. */
export async function readArtifactSchemas(builtin: TrustedFiles): Promise<ReadonlyMap<string, string>> {
  const schemas = (await readGenerated(builtin, "prompts/artifacts.json")) as Record<string, unknown>;
  return new Map(Object.entries(schemas).map(([artifact, schema]) => [artifact, JSON.stringify(schema)]));
}

/** Definitions by tool, in the registry's order, from the installation's `prompts/tools.json`. */
async function readToolDefinitions(builtin: TrustedFiles): Promise<ReadonlyMap<string, ToolDefinition>> {
  const definitions = (await readGenerated(builtin, "prompts/tools.json")) as ToolDefinition[];
  return new Map(definitions.map((definition) => [definition.name, definition]));
}

// `.looplia/user-profile.json` describes the person that the program writes for. It is read and checked here,
// never written.

const topic = lazily(() =>
  z.strictObject({
    topic: z.string().trim().min(1).describe("Matched as whole words"),
    interestLevel: z.number().min(1).max(5).describe("From 1 (hardly) to 5 (very much)"),
  }),
);

const style = lazily(() =>
  z.strictObject({
    tone: z.enum(["beginner", "intermediate", "expert", "mixed"]),
    targetWordCount: z.number().min(100).max(10_000),
    voice: z.enum(["first-person", "third-person", "instructional"]),
  }),
);

export const userProfileSchema = lazily(() =>
  z.strictObject({
    $schema: z.string().optional(),
    userId: z.string().min(1),
    topics: z.array(topic()),
    style: style(),
    writingSamples: z.array(z.string()).exactOptional(),
    language: z
      .string()
      .regex(LANGUAGE)
      .exactOptional()
      .describe("Language of the text, for example `de`; default: the item's"),
  }),
);

/** The profile, or undefined; then each problem is in `diagnostics` with its line. */
async function parseUserProfile(
  text: string,
  file: string,
  diagnostics: Diagnostic[],
): Promise<UserProfile | undefined> {
  const report = createReport(file, diagnostics);
  const source = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    report(lineOfFault(source, messageOf(error)), `is not valid JSON: ${messageOf(error)}`);
    return undefined;
  }
  const parsed = userProfileSchema().safeParse(value);
  if (parsed.success) {
    const { $schema: _, ...profile } = parsed.data;
    return profile;
  }
  const { root } = await readYaml(source, file);
  for (const issue of parsed.error.issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    const path = [...issue.path, ...keys.slice(0, 1)];
    const place = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    report(root === undefined ? undefined : lineAtPath(root, path), `${place}${issue.message}`);
  }
  return undefined;
}

// Engines word the error differently; without a position in the message there is no line.
function lineOfFault(source: string, message: string): number | undefined {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return source.slice(0, Number(position)).split("\n").length;
  return /end of JSON/i.test(message) ? source.split("\n").length : undefined;
}

type LoadOptions = {
  prompts: Prompts;
  /** The pipeline that must be valid; other broken pipelines cause warnings. Undefined: all must be valid. */
  pipeline?: string;
};

/**
 * Reads pipelines, agents, skills, instructions and profile. `builtin` is the root of the installation (with
 * `prompts/` and `pipelines/`). Never throws because of a file's content; the configuration contains only
 * valid definitions.
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
      loadFirst(sourcesOf("agents", trusted, builtin), loadAgent),
      loadFirst(sourcesOf("skills", trusted, builtin), loadSkill),
      readTrusted(trusted, ".looplia/CLAUDE.md", diagnostics),
      readTrusted(trusted, PROFILE, diagnostics),
    ]);
  if (main?.definition === undefined) throw new Error("the installation's prompts/system.md is broken");
  const agents = definitionsOf(chosenAgents);
  const pipelineSources = [sourceOf(trusted, ".looplia/pipelines"), sourceOf(builtin, "pipelines")];
  const pipelines = chooseFirst(await loadPipelines(pipelineSources, agents, asked));
  const wanted = [...pipelines.values()].filter(({ name }) => asked === undefined || asked === name);
  const needed = new Set(wanted.flatMap((loaded) => loaded.agents ?? []));
  const profileFile = `${trusted.label}${PROFILE}`;
  const profile =
    profileText === undefined ? undefined : await parseUserProfile(profileText, profileFile, diagnostics);
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

// The names of tools in an agent's front matter: the project's own, and Claude Code's as aliases.

const aliases = new Map<string, string>([
  ["Read", "readFile"],
  ["Write", "writeArtifact"],
  ["Edit", "editFile"],
  ["Glob", "listFiles"],
  ["Grep", "grep"],
  ["Bash", "runCommand"],
]);

/** Every tool name that front matter may use. */
const WRITTEN_TOOL_NAMES: readonly string[] = [...TOOL_NAMES, ...aliases.keys()];

/** Splits names into the project's own tools, deduplicated in the given order, and unknown names. */
function resolveToolNames(names: readonly string[]): { tools: string[]; unknown: string[] } {
  const own = new Set<string>(TOOL_NAMES);
  const isKnown = (name: string) => own.has(name) || isServerTool(name);
  const resolved = names.map((name) => aliases.get(name) ?? name);
  return {
    tools: [...new Set(resolved.filter(isKnown))],
    unknown: resolved.filter((name) => !isKnown(name)),
  };
}

// Agents are Markdown files with front matter `name`, `description`, `tools`, `model`, `language`; the body
// contains the instructions.

/** Loads one `*.md` file of a source; a broken file has diagnostics and no definition. */
async function loadAgent(
  source: DefinitionSource,
  fileName: string,
): Promise<LoadResult<AgentDefinition> | undefined> {
  if (!fileName.endsWith(".md")) return undefined;
  const path = `${source.folder}/${fileName}`;
  const file = `${source.files.label}${path}`;
  const diagnostics: Diagnostic[] = [];
  const fallback = fileName.replace(/\.md$/, "");
  const text = await readTrusted(source.files, path, diagnostics);
  const frontMatter = await readFrontMatter(text ?? "", file, diagnostics);
  const { entries } = frontMatter;
  const report = createReport(file, diagnostics);
  const name = readDefinitionName(entries, fallback, report);
  const description = readDescription(entries, file, diagnostics);
  const tools = readTools(entries.get("tools"), report, createReport(file, diagnostics, "warning"));
  const model = textOfScalar(entries.get("model")?.value);
  const language = readLanguage(entries.get("language"), report);
  const effort = readEffort(entries.get("effort"), report);
  const skills = readNames(entries.get("skills"), "skills", report);
  const batch = readBatch(entries.get("batch"), report);
  const instructions = frontMatter.body.trim();
  const isSound = !diagnostics.some((diagnostic) => diagnostic.severity === "error");
  if (isSound && instructions === "") report(undefined, "has no instructions");
  const definition: AgentDefinition = {
    name,
    description,
    instructions,
    file,
    ...(tools === undefined ? {} : { tools }),
    ...(model === undefined ? {} : { model }),
    ...(language === undefined ? {} : { language }),
    ...(effort === undefined ? {} : { effort }),
    ...(skills === undefined ? {} : { skills }),
    ...(batch ? { batch } : {}),
  };
  const isUsable = isSound && instructions !== "";
  return { name, isShared: source.isShared, definition: isUsable ? definition : undefined, diagnostics };
}

function readLanguage(entry: LocatedEntry | undefined, report: DiagnosticReport): string | undefined {
  const language = textOfScalar(entry?.value);
  if (language === undefined || LANGUAGE.test(language)) return language;
  const hint = "write its tag, for example `language: de`";
  report(entry?.line, `has the language "${language.slice(0, 40)}"`, hint);
  return undefined;
}

function readBatch(entry: LocatedEntry | undefined, report: DiagnosticReport): boolean {
  const given = entry?.value.kind === "scalar" ? entry.value.value : entry?.value.kind;
  if (given === undefined || given === null || typeof given === "boolean") return given === true;
  report(entry?.line, "has a `batch` that is not a boolean", "write `batch: true`");
  return false;
}

const EFFORTS: readonly Effort[] = ["low", "medium", "high", "max"];

function readEffort(entry: LocatedEntry | undefined, report: DiagnosticReport): Effort | undefined {
  const given = textOfScalar(entry?.value);
  const effort = EFFORTS.find((one) => one === given);
  if (given === undefined || effort !== undefined) return effort;
  report(entry?.line, `has the effort "${given}"`, `write ${EFFORTS.join(", ")}`);
  return undefined;
}

/** A list of names, or one text with names separated by commas. */
function readNames(
  entry: LocatedEntry | undefined,
  field: "tools" | "skills",
  report: DiagnosticReport,
): string[] | undefined {
  if (entry === undefined || (entry.value.kind === "scalar" && entry.value.value === null)) return undefined;
  const { value, line } = entry;
  const names =
    value.kind === "list"
      ? value.items.map(textOfScalar)
      : textOfScalar(value)
          ?.split(",")
          .map((name) => name.trim());
  if (names !== undefined && value.kind !== "map" && names.every((name) => name !== undefined)) {
    return names.filter((name) => name !== "");
  }
  report(line, `${field} must be names of ${field}, in a list or with commas between them`);
  return undefined;
}

function readTools(
  entry: LocatedEntry | undefined,
  report: DiagnosticReport,
  warn: DiagnosticReport,
): string[] | undefined {
  const names = readNames(entry, "tools", report);
  if (names === undefined) return undefined;
  const { tools, unknown } = resolveToolNames(names);
  if (unknown.length > 0) {
    const hint = suggestName(unknown[0] ?? "", WRITTEN_TOOL_NAMES);
    warn(entry?.line, `has tools that are unknown and ignored: ${unknown.join(", ")}`, hint);
  }
  return tools;
}

async function loadFirst<Definition>(
  sources: readonly DefinitionSource[],
  load: Parameters<typeof loadSources<Definition>>[1],
) {
  return chooseFirst(await loadSources(sources, load));
}

/** The first of each name, broken or not: a broken file must not be silently replaced by a later source's. */
function chooseFirst<One extends { name: string }>(loaded: readonly One[]): Map<string, One> {
  const chosen = new Map<string, One>();
  for (const one of loaded) if (!chosen.has(one.name)) chosen.set(one.name, one);
  return chosen;
}

/** The diagnostics of a collection; errors of shared files outside `needed` are lowered to warnings. */
function diagnosticsOf<Definition>(
  chosen: ReadonlyMap<string, LoadResult<Definition>>,
  needed: ReadonlySet<string>,
): Diagnostic[] {
  return [...chosen.values()].flatMap(({ name, isShared, diagnostics }) =>
    isShared && !needed.has(name) ? diagnostics.map(lowerToWarning) : diagnostics,
  );
}

/** The valid definitions by name. */
function definitionsOf<Definition>(
  chosen: ReadonlyMap<string, LoadResult<Definition>>,
): Map<string, Definition> {
  const sound = new Map<string, Definition>();
  for (const { name, definition } of chosen.values())
    if (definition !== undefined) sound.set(name, definition);
  return sound;
}

/** A distinguishable language tag: `de`, `pt-BR`. */
const LANGUAGE = /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/;
