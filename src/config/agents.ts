// Agents: Markdown files with front matter `name`, `description`, `tools`, `model`; the body is the instructions.

import { type DefinitionSource, type Loaded, loadSources, readTrusted } from "./definition-source.ts";
import type { AgentDefinition } from "./definitions.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";
import { type LocatedEntry, textOfScalar } from "./located-yaml.ts";
import { createReport } from "./report.ts";
import { suggestName } from "./suggest.ts";
import { resolveToolNames, WRITTEN_TOOL_NAMES } from "./tool-names.ts";

/** Names of agents and skills. */
const DEFINITION_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** All `*.md` of the sources, in their order; what is broken has diagnostics and no definition. */
export function loadAgents(sources: readonly DefinitionSource[]): Promise<Loaded<AgentDefinition>[]> {
  return loadSources(sources, async (source, entry) =>
    entry.endsWith(".md") ? loadAgent(source, entry) : undefined,
  );
}

/** One file of a source. */
export async function loadAgent(
  source: DefinitionSource,
  fileName: string,
): Promise<Loaded<AgentDefinition>> {
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
  };
  const isUsable = isSound && instructions !== "";
  return { name, isShared: source.isShared, definition: isUsable ? definition : undefined, diagnostics };
}

/** The front matter's `name`, else the file's or folder's. */
export function readDefinitionName(
  { entries }: FrontMatter,
  fallback: string,
  file: string,
  diagnostics: Diagnostic[],
): string {
  const entry = entries.get("name");
  const name = textOfScalar(entry?.value) ?? fallback;
  if (DEFINITION_NAME.test(name)) return name;
  const hint = "use letters, digits, dashes and underscores";
  createReport(file, diagnostics)(entry?.line, `has the name "${name.slice(0, 80)}"`, hint);
  return fallback;
}

/** The front matter's `description` in one line; a missing one is a warning. */
export function readDescription({ entries }: FrontMatter, file: string, diagnostics: Diagnostic[]): string {
  const entry = entries.get("description");
  const text = textOfScalar(entry?.value)?.replace(/\s+/g, " ");
  const isSound = diagnostics.every((diagnostic) => diagnostic.severity === "warning");
  if (text === undefined && isSound)
    createReport(file, diagnostics, "warning")(entry?.line, "has no description");
  return text ?? "";
}

function readTools(
  entry: LocatedEntry | undefined,
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
  if (names === undefined || value.kind === "map" || !names.every((name) => name !== undefined)) {
    createReport(file, diagnostics)(
      line,
      "tools must be names of tools, in a list or with commas between them",
    );
    return undefined;
  }
  const { tools, unknown } = resolveToolNames(names.filter((name) => name !== ""));
  if (unknown.length > 0) {
    const message = `has tools that are not known here and are left out: ${unknown.join(", ")}`;
    createReport(file, diagnostics, "warning")(
      line,
      message,
      suggestName(unknown[0] ?? "", WRITTEN_TOOL_NAMES),
    );
  }
  return tools;
}
