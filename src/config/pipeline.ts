// Parses pipeline files, checks them as a whole and sorts their outputs.
import { LoopliaError } from "../core/errors.ts";
import {
  type AgentDefinition,
  type DefinitionSource,
  type LoadResult,
  loadSources,
  lowerToWarning,
  type Pipeline,
  type PipelineOutput,
  readTrusted,
} from "./definitions.ts";
import { createReport, type Diagnostic, type DiagnosticReport, suggestName } from "./diagnostics.ts";
import { type LocatedEntry, textOfScalar } from "./located.ts";
import { problemOfPage } from "./prompts.ts";
import { compileJsonSchema } from "./schema.ts";
import { readYaml, reportUnknownKeys } from "./yaml.ts";

// The graph formed by `requires`: cycles, order, sinks. Pure.

type GraphNode = { name: string; requires: readonly string[] };

/** The names of a cycle, the first repeated at the end; undefined without a cycle. Ignores unknown names. */
export function findCycle(nodes: readonly GraphNode[]): string[] | undefined {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (name: string): string[] | undefined => {
    const node = byName.get(name);
    if (node === undefined || finished.has(name)) return undefined;
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    path.push(name);
    for (const required of node.requires) {
      const cycle = visit(required);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    finished.add(name);
    return undefined;
  };
  for (const node of nodes) {
    const cycle = visit(node.name);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Sorts every node after the nodes that it requires; ties in the given order. The graph must be acyclic. */
export function sortByRequirement<Node extends GraphNode>(nodes: readonly Node[]): Node[] {
  const sorted: Node[] = [];
  const done = new Set<string>();
  let left = [...nodes];
  while (left.length > 0) {
    const next = left.find((node) => node.requires.every((name) => done.has(name)));
    if (next === undefined) throw new Error("sortByRequirement was given a cycle or an unknown name");
    sorted.push(next);
    done.add(next.name);
    left = left.filter((node) => node !== next);
  }
  return sorted;
}

/** The names that no other node requires. */
export function findSinks(nodes: readonly GraphNode[]): string[] {
  const required = new Set(nodes.flatMap((node) => node.requires));
  return nodes.map((node) => node.name).filter((name) => !required.has(name));
}

// One entry of a pipeline's `outputs`, checked field by field; rules across outputs follow below.

/** An output as written; an invalid field was reported and is empty. */
type OutputDraft = Omit<PipelineOutput, "schema" | "page"> & {
  isFinal: boolean;
  schema: string | undefined;
  line: number;
  /** The line of a field, else of the output. */
  lineOf(key: (typeof OUTPUT_KEYS)[number]): number;
};

const OUTPUT_KEYS = ["artifact", "agent", "requires", "final", "schema", "max-retries"] as const;
const OUTPUT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const ARTIFACT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}\.json$/;
const SCHEMA_PATH = /^(?:[A-Za-z0-9][\w.-]*\/)*[A-Za-z0-9][\w.-]*\.json$/;
const DEFAULT_RETRIES = 2;

type Fields = ReadonlyMap<string, LocatedEntry>;

/** Reports every missing, unknown or invalid field. */
function readOutput(name: string, { line, value }: LocatedEntry, report: DiagnosticReport): OutputDraft {
  if (!OUTPUT_NAME.test(name))
    report(line, `the output name "${name}" must be lower-case letters, digits and hyphens`);
  // The task loop's own output has this name.
  if (name === "to-do") report(line, 'the output name "to-do" is taken', "choose another");
  const fields: Fields = value.kind === "map" ? value.entries : new Map();
  if (value.kind !== "map") report(line, `"${name}" must be a mapping with an artifact and an agent`);
  else reportUnknownKeys(fields, OUTPUT_KEYS, report);
  const lineOf: OutputDraft["lineOf"] = (key) => fields.get(key)?.line ?? line;
  return {
    name,
    artifact: value.kind === "map" ? readArtifact(name, fields, lineOf("artifact"), report) : "",
    agent: value.kind === "map" ? readAgent(name, fields, lineOf("agent"), report) : "",
    requires: readRequires(name, fields.get("requires"), report),
    isFinal: readFinal(name, fields.get("final"), report),
    schema: readSchemaPath(name, fields.get("schema"), report),
    maxRetries: readRetries(name, fields.get("max-retries"), report),
    line,
    lineOf,
  };
}

function readArtifact(name: string, fields: Fields, line: number, report: DiagnosticReport): string {
  const artifact = textOfScalar(fields.get("artifact")?.value);
  if (artifact === undefined) {
    report(line, `"${name}" has no artifact`, `write artifact: ${name}.json`);
    return "";
  }
  if (ARTIFACT_NAME.test(artifact) && artifact !== "session.json") return artifact;
  const reason =
    artifact === "session.json"
      ? "is the program's own"
      : "must be a lower-case file name that ends in .json";
  report(line, `the artifact "${artifact}" of "${name}" ${reason}`);
  return "";
}

function readAgent(name: string, fields: Fields, line: number, report: DiagnosticReport): string {
  const agent = textOfScalar(fields.get("agent")?.value);
  if (agent === undefined) report(line, `"${name}" has no agent`, "write agent: and the name of one");
  return agent ?? "";
}

function readRequires(name: string, entry: LocatedEntry | undefined, report: DiagnosticReport): string[] {
  if (entry === undefined) return [];
  const items = entry.value.kind === "list" ? entry.value.items : [entry.value];
  const names = items.map(textOfScalar);
  const isRight = names.every((required) => required !== undefined);
  if (!isRight) report(entry.line, `requires of "${name}" must be the name of an output, or a list of names`);
  return [...new Set(names.filter((required) => required !== undefined))];
}

function readFinal(name: string, entry: LocatedEntry | undefined, report: DiagnosticReport): boolean {
  const value = entry?.value.kind === "scalar" ? entry.value.value : undefined;
  if (entry !== undefined && typeof value !== "boolean")
    report(entry.line, `final of "${name}" must be true or false`);
  return value === true;
}

function readSchemaPath(
  name: string,
  entry: LocatedEntry | undefined,
  report: DiagnosticReport,
): string | undefined {
  if (entry === undefined) return undefined;
  const path = textOfScalar(entry.value);
  if (path !== undefined && SCHEMA_PATH.test(path)) return path;
  report(entry.line, `schema of "${name}" must be the path of a .json file beside the pipeline`);
  return undefined;
}

function readRetries(name: string, entry: LocatedEntry | undefined, report: DiagnosticReport): number {
  if (entry === undefined) return DEFAULT_RETRIES;
  const value = entry.value.kind === "scalar" ? entry.value.value : undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 10) return value;
  report(entry.line, `max-retries of "${name}" must be a whole number from 0 to 10`);
  return DEFAULT_RETRIES;
}

// Checks across the outputs of a pipeline, and against agents and schema files outside its file.

type PipelineSurroundings = {
  agents: ReadonlyMap<string, AgentDefinition>;
  /** Text of a file beside the pipeline, or undefined. */
  readBeside(file: string): Promise<string | undefined>;
  /** False skips the slow checks of files beside the pipeline. */
  checkBeside: boolean;
};

/** No two outputs may have the same file. */
function checkDuplicates(drafts: readonly OutputDraft[], report: DiagnosticReport): void {
  const owners = new Map<string, string>();
  for (const { name, artifact, lineOf } of drafts) {
    const owner = owners.get(artifact);
    if (artifact === "") continue;
    if (owner === undefined) owners.set(artifact, name);
    else report(lineOf("artifact"), `"${name}" has the artifact ${artifact}, which "${owner}" has already`);
  }
}

/** Each output needs an existing agent that can write it. */
function checkAgents(
  drafts: readonly OutputDraft[],
  agents: ReadonlyMap<string, AgentDefinition>,
  report: DiagnosticReport,
): void {
  for (const { name, agent, lineOf } of drafts) {
    if (agent === "") continue;
    const definition = agents.get(agent);
    if (definition === undefined) {
      const hint =
        suggestName(agent, agents.keys()) ?? `there are ${[...agents.keys()].join(", ") || "none"}`;
      report(lineOf("agent"), `"${name}" has the unknown agent "${agent}"`, hint);
    } else if (definition.tools?.includes("writeArtifact") === false) {
      const hint = `add Write to the tools in ${definition.file}`;
      report(lineOf("agent"), `"${name}" has the agent "${agent}", whose tools lack writeArtifact`, hint);
    }
  }
}

/** Required outputs must exist, and no output may require itself. */
function checkRequirements(drafts: readonly OutputDraft[], report: DiagnosticReport): void {
  const names = new Set(drafts.map((draft) => draft.name));
  for (const { name, requires, lineOf } of drafts) {
    for (const required of requires.filter((other) => !names.has(other))) {
      const hint = suggestName(required, names);
      report(lineOf("requires"), `"${name}" requires the unknown output "${required}"`, hint);
    }
  }
  const cycle = findCycle(drafts);
  if (cycle === undefined) return;
  const first = drafts.find((draft) => draft.name === cycle[0]);
  report(first?.lineOf("requires"), `the outputs require each other in a cycle: ${cycle.join(" → ")}`);
}

/** The output marked `final`, else the only one that no other output requires. */
function chooseFinal(drafts: readonly OutputDraft[], report: DiagnosticReport): string | undefined {
  const marked = drafts.filter((draft) => draft.isFinal);
  for (const extra of marked.slice(1)) {
    report(extra.lineOf("final"), `"${extra.name}" is final, but "${marked[0]?.name}" is already`);
  }
  if (marked[0] !== undefined) return marked[0].name;
  const sinks = findSinks(drafts);
  if (sinks.length > 1) {
    const { line } = drafts.find((draft) => draft.name === sinks[1]) ?? {};
    report(line, `has several last outputs: ${sinks.join(", ")}`, "write final: true in one of them");
  }
  return sinks[0];
}

/** Texts of the schema files by output name; reports missing files and invalid schemas. */
async function readSchemas(
  drafts: readonly OutputDraft[],
  file: string,
  { readBeside, checkBeside }: PipelineSurroundings,
  report: DiagnosticReport,
): Promise<Map<string, { file: string; text: string }>> {
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  const schemas = new Map<string, { file: string; text: string }>();
  for (const { name, schema, lineOf } of drafts) {
    if (schema === undefined) continue;
    const text = await readBeside(schema);
    if (text === undefined) {
      report(lineOf("schema"), `"${name}" has the schema ${schema}, and there is no file ${folder}${schema}`);
      continue;
    }
    schemas.set(name, { file: `${folder}${schema}`, text });
    if (!checkBeside) continue;
    try {
      await compileJsonSchema(text, `${folder}${schema}`);
    } catch (error) {
      if (!(error instanceof LoopliaError)) throw error;
      report(lineOf("schema"), `"${name}" has a schema that cannot be used: ${error.message}`);
    }
  }
  return schemas;
}

/** Page templates (`<output>.md.mustache`) by output name; reports broken ones. */
async function readPages(
  drafts: readonly OutputDraft[],
  { readBeside, checkBeside }: PipelineSurroundings,
  report: DiagnosticReport,
): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const read = async ({ name, line }: OutputDraft) => {
    const file = `${name}.md.mustache`;
    const text = await readBeside(file);
    if (text === undefined) return;
    const broken = () => (checkBeside ? problemOfPage(text) : undefined);
    const problem = name === "content" ? "content.md is the copy of the item" : broken();
    if (problem !== undefined) report(line, `the template ${file} cannot be used: ${problem}`);
    pages.set(name, text);
  };
  await Promise.all(drafts.map(read));
  return pages;
}

const PIPELINE_KEYS = ["name", "description", "outputs"];
const PIPELINE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * `file` is the path shown in diagnostics; its last part without `.yaml` must be the pipeline's name. `pipeline` is present
 * only without errors; `agents` always has the names that the file mentions.
 */
export async function parsePipeline(
  text: string,
  file: string,
  surroundings: PipelineSurroundings,
): Promise<{ pipeline: Pipeline | undefined; agents: string[]; diagnostics: Diagnostic[] }> {
  const { root, diagnostics } = await readYaml(text.replace(/^\uFEFF/, ""), file);
  if (root === undefined) return { pipeline: undefined, agents: [], diagnostics };
  const report = createReport(file, diagnostics);
  if (root.kind !== "map") {
    report(root.line, "is not a pipeline: it must be a mapping with name, description and outputs");
    return { pipeline: undefined, agents: [], diagnostics };
  }
  reportUnknownKeys(root.entries, PIPELINE_KEYS, report);
  const name = readName(root.entries.get("name"), file, report);
  const description = readDescription(root.entries.get("description"), report);
  const drafts = readOutputs(root.entries.get("outputs"), report);
  checkDuplicates(drafts, report);
  checkAgents(drafts, surroundings.agents, report);
  checkRequirements(drafts, report);
  const final = chooseFinal(drafts, report);
  const schemas = await readSchemas(drafts, file, surroundings, report);
  const pages = await readPages(drafts, surroundings, report);
  const agents = drafts.map((draft) => draft.agent).filter((agent) => agent !== "");
  if (diagnostics.length > 0 || final === undefined) return { pipeline: undefined, agents, diagnostics };
  const outputs = sortByRequirement(drafts).map((draft): PipelineOutput => {
    const [schema, page] = [schemas.get(draft.name), pages.get(draft.name)];
    const { name: output, artifact, agent, requires, maxRetries, readsItems } = draft;
    return {
      ...{ name: output, artifact, agent, requires, maxRetries },
      ...(readsItems && { readsItems }),
      ...(schema === undefined ? {} : { schema }),
      ...(page === undefined ? {} : { page }),
    };
  });
  return { pipeline: { name, description, file, outputs, final }, agents, diagnostics };
}

function readName(entry: LocatedEntry | undefined, file: string, report: DiagnosticReport): string {
  const wanted = (file.split("/").at(-1) ?? file).replace(/\.yaml$/, "");
  const name = textOfScalar(entry?.value);
  if (name === undefined) report(entry?.line, "has no name", `write name: ${wanted}`);
  else if (!PIPELINE_NAME.test(name))
    report(entry?.line, `the name "${name}" must be lower-case letters, digits and hyphens`);
  else if (name !== wanted) {
    const hint = `call the file ${name}.yaml or write name: ${wanted}`;
    report(entry?.line, `the name "${name}" differs from the file's`, hint);
  }
  return name ?? wanted;
}

function readDescription(entry: LocatedEntry | undefined, report: DiagnosticReport): string {
  const text = textOfScalar(entry?.value);
  if (entry && text === undefined) report(entry.line, "the description must be a text");
  return text ?? "";
}

function readOutputs(entry: LocatedEntry | undefined, report: DiagnosticReport): OutputDraft[] {
  if (entry?.value.kind !== "map" || entry.value.entries.size === 0) {
    const hint = "write outputs: with one entry for each, its artifact and its agent";
    report(entry?.line, "has no outputs", hint);
    return [];
  }
  const { entries } = entry.value;
  const drafts = [...entries].map(([name, output]) => readOutput(name, output, report));
  return entries.has("items") ? drafts : drafts.map(splitItems);
}

/** Without an output of that name, `requires: items` means the items that the front matter of an item names. */
function splitItems(draft: OutputDraft): OutputDraft {
  const requires = draft.requires.filter((name) => name !== "items");
  return requires.length === draft.requires.length ? draft : { ...draft, requires, readsItems: true };
}

// All pipeline files of some folders; the requested one must be valid.

/** Compiles only the schema files of the requested pipeline, or all when none is requested. */
export function loadPipelines(
  sources: readonly DefinitionSource[],
  agents: ReadonlyMap<string, AgentDefinition>,
  asked: string | undefined,
): Promise<LoadResult<Pipeline>[]> {
  return loadSources(sources, async (source, entry) =>
    /\.ya?ml$/.test(entry) ? loadPipeline(source, entry, agents, asked) : undefined,
  );
}

async function loadPipeline(
  { files, folder, isShared }: DefinitionSource,
  fileName: string,
  agents: ReadonlyMap<string, AgentDefinition>,
  asked: string | undefined,
): Promise<LoadResult<Pipeline>> {
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
    checkBeside: asked === undefined || asked === loaded.name,
  });
  diagnostics.push(...parsed.diagnostics);
  return { ...loaded, definition: parsed.pipeline, agents: parsed.agents };
}

/** Errors of the requested pipeline (or of all when none is); errors of other pipelines become warnings. */
export function diagnosePipelines(
  pipelines: ReadonlyMap<string, LoadResult<Pipeline>>,
  asked: string | undefined,
): Diagnostic[] {
  // A refused folder is listed under its path: it may contain the requested pipeline.
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
