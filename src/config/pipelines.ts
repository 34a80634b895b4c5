// All pipeline files of some folders; the asked one must be sound.
import {
  type DefinitionSource,
  type Loaded,
  loadSources,
  lowerToWarning,
  readTrusted,
} from "./definition-source.ts";
import type { AgentDefinition, Pipeline } from "./definitions.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { parsePipeline } from "./pipeline.ts";
import { createReport } from "./report.ts";
import { suggestName } from "./suggest.ts";

/** Only the schema files of the pipeline that is asked for are compiled, or all when none is. */
export function loadPipelines(
  sources: readonly DefinitionSource[],
  agents: ReadonlyMap<string, AgentDefinition>,
  asked: string | undefined,
): Promise<Loaded<Pipeline>[]> {
  return loadSources(sources, async (source, entry) =>
    /\.ya?ml$/.test(entry) ? loadPipeline(source, entry, agents, asked) : undefined,
  );
}

async function loadPipeline(
  { files, folder, isShared }: DefinitionSource,
  fileName: string,
  agents: ReadonlyMap<string, AgentDefinition>,
  asked: string | undefined,
): Promise<Loaded<Pipeline>> {
  const path = `${folder}/${fileName}`;
  const file = `${files.label}${path}`;
  const diagnostics: Diagnostic[] = [];
  const loaded = { name: fileName.replace(/\.yaml$/, ""), isShared, definition: undefined, diagnostics };
  if (fileName.endsWith(".yml")) {
    createReport(file, diagnostics, "warning")(undefined, "is not read", "let its name end in .yaml");
    return loaded;
  }
  const text = await readTrusted(files, path, diagnostics);
  if (text === undefined) return loaded;
  const parsed = await parsePipeline(text, file, {
    agents,
    readBeside: (beside) => readTrusted(files, `${folder}/${beside}`, diagnostics),
    checkSchemas: asked === undefined || asked === loaded.name,
  });
  diagnostics.push(...parsed.diagnostics);
  return { ...loaded, definition: parsed.pipeline, agents: parsed.agents };
}

/** What is wrong with the asked pipeline (all of them when none is); the others' errors are warnings. */
export function diagnosePipelines(
  pipelines: ReadonlyMap<string, Loaded<Pipeline>>,
  asked: string | undefined,
): Diagnostic[] {
  // A folder that is refused is under its path: it may hide the asked one.
  const isWanted = (name: string) => asked === undefined || asked === name || name.includes("/");
  const found = [...pipelines.values()].flatMap(({ name, diagnostics }) =>
    isWanted(name) ? diagnostics : diagnostics.map(lowerToWarning),
  );
  const names = [...pipelines.keys()].filter((name) => /^[^/.]+$/.test(name));
  if (asked === undefined || names.includes(asked)) return found;
  const near = suggestName(asked, names);
  const hint = `${near === undefined ? "" : `${near} `}there are ${names.join(", ")}`;
  return [
    ...found,
    { severity: "error", file: "pipeline", message: `there is no pipeline "${asked}"`, hint },
  ];
}
