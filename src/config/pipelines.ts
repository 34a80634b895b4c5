// All pipeline files: the user's own, then the built-in; the asked one must be sound.
import type { TrustedFiles } from "../ports.ts";
import { type Loaded, lowerToWarning, readTrusted } from "./definition-source.ts";
import type { AgentDefinition, Pipeline } from "./definitions.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { parsePipeline } from "./pipeline.ts";
import { suggestName } from "./suggest.ts";

/** `agents`: the names of the agents that the file names, also when it is broken. */
export type LoadedPipeline = Loaded<Pipeline> & { agents: string[] };

/** Only the schema files of the pipeline that is asked for are compiled, or all when none is. */
export async function loadPipelines(
  trusted: TrustedFiles,
  builtin: TrustedFiles,
  agents: ReadonlyMap<string, AgentDefinition>,
  asked: string | undefined,
): Promise<LoadedPipeline[]> {
  const load = async (files: TrustedFiles, folder: string) => {
    const names = (await files.list(folder)).filter((name) => /\.ya?ml$/.test(name));
    return Promise.all(names.map((name) => loadPipeline(files, folder, name, agents, asked)));
  };
  const [own, shipped] = await Promise.all([load(trusted, ".looplia/pipelines"), load(builtin, "pipelines")]);
  return [...own, ...shipped];
}

async function loadPipeline(
  files: TrustedFiles,
  folder: string,
  fileName: string,
  agents: ReadonlyMap<string, AgentDefinition>,
  asked: string | undefined,
): Promise<LoadedPipeline> {
  const path = `${folder}/${fileName}`;
  const file = `${files.label}${path}`;
  const loaded = {
    name: fileName.replace(/\.yaml$/, ""),
    isShared: false,
    definition: undefined,
    agents: [],
  };
  if (fileName.endsWith(".yml")) {
    const notRead: Diagnostic = {
      severity: "warning",
      file,
      message: "is not read",
      hint: "let its name end in .yaml",
    };
    return { ...loaded, diagnostics: [notRead] };
  }
  const diagnostics: Diagnostic[] = [];
  const text = await readTrusted(files, path, diagnostics);
  if (text === undefined) return { ...loaded, diagnostics };
  const parsed = await parsePipeline(text, file, {
    agents,
    readBeside: (beside) => readTrusted(files, `${folder}/${beside}`, diagnostics),
    checkSchemas: asked === undefined || asked === loaded.name,
  });
  diagnostics.push(...parsed.diagnostics);
  return { ...loaded, definition: parsed.pipeline, agents: parsed.agents, diagnostics };
}

/** What is wrong with the asked pipeline (all of them when none is); the others' errors are warnings. */
export function diagnosePipelines(
  pipelines: ReadonlyMap<string, LoadedPipeline>,
  asked: string | undefined,
): Diagnostic[] {
  const found = [...pipelines.values()].flatMap(({ name, diagnostics }) =>
    asked === undefined || asked === name ? diagnostics : diagnostics.map(lowerToWarning),
  );
  const names = [...pipelines.keys()].filter((name) => !name.endsWith(".yml"));
  if (asked === undefined || names.includes(asked)) return found;
  const near = suggestName(asked, names);
  const hint = `${near === undefined ? "" : `${near} `}there are ${names.join(", ")}`;
  return [
    ...found,
    { severity: "error", file: "pipeline", message: `there is no pipeline "${asked}"`, hint },
  ];
}
