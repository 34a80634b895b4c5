// Loads agents: Markdown files with front matter; the body contains the instructions.
import { type Effort, isServerTool } from "../core/events.ts";
import {
  type AgentDefinition,
  type DefinitionSource,
  LANGUAGE,
  type LoadResult,
  loadSources,
  readDefinitionName,
  readDescription,
  readTrusted,
} from "./definitions.ts";
import { type Diagnostic, suggestName } from "./diagnostics.ts";
import { TOOL_NAMES } from "./policy.ts";
import { createReport, type LocatedEntry, readFrontMatter, textOfScalar } from "./yaml.ts";

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

/** Loads all `*.md` of the sources, in order; a broken file has diagnostics and no definition. */
export function loadAgents(sources: readonly DefinitionSource[]): Promise<LoadResult<AgentDefinition>[]> {
  return loadSources(sources, async (source, entry) =>
    entry.endsWith(".md") ? loadAgent(source, entry) : undefined,
  );
}

/** Loads one file of a source. */
export async function loadAgent(
  source: DefinitionSource,
  fileName: string,
): Promise<LoadResult<AgentDefinition>> {
  const path = `${source.folder}/${fileName}`;
  const file = `${source.files.label}${path}`;
  const diagnostics: Diagnostic[] = [];
  const fallback = fileName.replace(/\.md$/, "");
  const text = await readTrusted(source.files, path, diagnostics);
  const frontMatter = readFrontMatter(text ?? "", file, diagnostics);
  const name = readDefinitionName(frontMatter, fallback, file, diagnostics);
  const description = readDescription(frontMatter, file, diagnostics);
  const tools = readTools(frontMatter.entries.get("tools"), file, diagnostics);
  const model = textOfScalar(frontMatter.entries.get("model")?.value);
  const language = readLanguage(frontMatter.entries.get("language"), file, diagnostics);
  const effort = readEffort(frontMatter.entries.get("effort"), file, diagnostics);
  const skills = readNames(frontMatter.entries.get("skills"), "skills", file, diagnostics);
  const batch = readBatch(frontMatter.entries.get("batch"), file, diagnostics);
  const instructions = frontMatter.body.trim();
  const isSound = !diagnostics.some((diagnostic) => diagnostic.severity === "error");
  if (isSound && instructions === "") createReport(file, diagnostics)(undefined, "has no instructions");
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

function readLanguage(
  entry: LocatedEntry | undefined,
  file: string,
  diagnostics: Diagnostic[],
): string | undefined {
  const language = textOfScalar(entry?.value);
  if (language === undefined || LANGUAGE.test(language)) return language;
  const hint = "write its tag, for example `language: de`";
  createReport(file, diagnostics)(entry?.line, `has the language "${language.slice(0, 40)}"`, hint);
  return undefined;
}

function readBatch(entry: LocatedEntry | undefined, file: string, diagnostics: Diagnostic[]): boolean {
  const given = entry?.value.kind === "scalar" ? entry.value.value : entry?.value.kind;
  if (given === undefined || given === null || typeof given === "boolean") return given === true;
  createReport(file, diagnostics)(entry?.line, "has a batch that is no boolean", "write `batch: true`");
  return false;
}

const EFFORTS: readonly Effort[] = ["low", "medium", "high", "max"];

function readEffort(
  entry: LocatedEntry | undefined,
  file: string,
  diagnostics: Diagnostic[],
): Effort | undefined {
  const given = textOfScalar(entry?.value);
  const effort = EFFORTS.find((one) => one === given);
  if (given === undefined || effort !== undefined) return effort;
  createReport(file, diagnostics)(entry?.line, `has the effort "${given}"`, `write ${EFFORTS.join(", ")}`);
  return undefined;
}

/** A list of names, or one text with names separated by commas. */
function readNames(
  entry: LocatedEntry | undefined,
  field: "tools" | "skills",
  file: string,
  diagnostics: Diagnostic[],
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
  const message = `${field} must be names of ${field}, in a list or with commas between them`;
  createReport(file, diagnostics)(line, message);
  return undefined;
}

function readTools(
  entry: LocatedEntry | undefined,
  file: string,
  diagnostics: Diagnostic[],
): string[] | undefined {
  const names = readNames(entry, "tools", file, diagnostics);
  if (names === undefined) return undefined;
  const { tools, unknown } = resolveToolNames(names);
  if (unknown.length > 0) {
    const message = `has tools that are not known here and are left out: ${unknown.join(", ")}`;
    createReport(file, diagnostics, "warning")(
      entry?.line,
      message,
      suggestName(unknown[0] ?? "", WRITTEN_TOOL_NAMES),
    );
  }
  return tools;
}
