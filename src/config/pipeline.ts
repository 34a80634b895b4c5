// One pipeline file: read, checked as a whole, put in order. Everything wrong is reported at once with its line.
import type { Pipeline, PipelineOutput } from "./definitions.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { type LocatedEntry, readYaml, textOfScalar } from "./located-yaml.ts";
import {
  checkAgents,
  checkDuplicates,
  checkRequirements,
  chooseFinal,
  type PipelineSurroundings,
  readSchemas,
} from "./pipeline-checks.ts";
import { sortByRequirement } from "./pipeline-graph.ts";
import { type OutputDraft, readOutput } from "./pipeline-output.ts";
import { createReport, type Report, reportUnknownKeys } from "./report.ts";

const KEYS = ["name", "description", "outputs"];
const PIPELINE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** `pipeline` is there only when nothing is wrong; `agents` are the names that the file mentions in any case. */
export type ParsedPipeline = { pipeline: Pipeline | undefined; agents: string[]; diagnostics: Diagnostic[] };

/** `file` is the path shown in diagnostics; its last part without `.yaml` must be the pipeline's name. */
export async function parsePipeline(
  text: string,
  file: string,
  surroundings: PipelineSurroundings,
): Promise<ParsedPipeline> {
  const { root, diagnostics } = readYaml(text.replace(/^\uFEFF/, ""), file);
  if (root === undefined) return { pipeline: undefined, agents: [], diagnostics };
  const report = createReport(file, diagnostics);
  if (root.kind !== "map") {
    report(root.line, "is not a pipeline: it must be a mapping with name, description and outputs");
    return { pipeline: undefined, agents: [], diagnostics };
  }
  reportUnknownKeys(root.entries, KEYS, report);
  const name = readName(root.entries.get("name"), file, report);
  const description = readDescription(root.entries.get("description"), report);
  const drafts = readOutputs(root.entries.get("outputs"), report);
  checkDuplicates(drafts, report);
  checkAgents(drafts, surroundings.agents, report);
  checkRequirements(drafts, report);
  const final = chooseFinal(drafts, report);
  const schemas = await readSchemas(drafts, file, surroundings, report);
  const agents = drafts.map((draft) => draft.agent).filter((agent) => agent !== "");
  if (diagnostics.length > 0 || final === undefined) return { pipeline: undefined, agents, diagnostics };
  const outputs = sortByRequirement(drafts).map((draft): PipelineOutput => {
    const schema = schemas.get(draft.name);
    const { name: output, artifact, agent, requires, maxRetries } = draft;
    return {
      name: output,
      artifact,
      agent,
      requires,
      maxRetries,
      ...(schema === undefined ? {} : { schema }),
    };
  });
  return { pipeline: { name, description, file, outputs, final }, agents, diagnostics };
}

function readName(entry: LocatedEntry | undefined, file: string, report: Report): string {
  const wanted = (file.split("/").at(-1) ?? file).replace(/\.yaml$/, "");
  const name = textOfScalar(entry?.value);
  if (name === undefined) report(entry?.line, "has no name", `write name: ${wanted}`);
  else if (!PIPELINE_NAME.test(name))
    report(entry?.line, `the name "${name}" must be small letters, digits and dashes`);
  else if (name !== wanted) {
    report(
      entry?.line,
      `the name "${name}" differs from the file's`,
      `call the file ${name}.yaml or write name: ${wanted}`,
    );
  }
  return name ?? wanted;
}

function readDescription(entry: LocatedEntry | undefined, report: Report): string {
  if (entry === undefined) return "";
  const text = textOfScalar(entry.value);
  if (text === undefined) report(entry.line, "the description must be a text");
  return text ?? "";
}

function readOutputs(entry: LocatedEntry | undefined, report: Report): OutputDraft[] {
  if (entry?.value.kind !== "map" || entry.value.entries.size === 0) {
    report(
      entry?.line,
      "has no outputs",
      "write outputs: with one entry for each, its artifact and its agent",
    );
    return [];
  }
  return [...entry.value.entries].map(([name, output]) => readOutput(name, output, report));
}
