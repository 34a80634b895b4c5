// One entry of a pipeline's `outputs`, its fields checked one by one; what spans several outputs is pipeline.ts's.
import { type LocatedEntry, textOfScalar } from "./located-yaml.ts";
import { type Report, reportUnknownKeys } from "./report.ts";

/** An output as written; a field that was wrong is empty, and was reported. */
export type OutputDraft = {
  name: string;
  artifact: string;
  agent: string;
  requires: string[];
  isFinal: boolean;
  schema: string | undefined;
  maxRetries: number;
  lines: Record<"name" | "artifact" | "agent" | "requires" | "final" | "schema", number>;
};

const KEYS = ["artifact", "agent", "requires", "final", "schema", "max-retries"];
const OUTPUT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const ARTIFACT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}\.json$/;
const SCHEMA_PATH = /^(?:[A-Za-z0-9][\w.-]*\/)*[A-Za-z0-9][\w.-]*\.json$/;
const DEFAULT_RETRIES = 2;

type Fields = ReadonlyMap<string, LocatedEntry>;

/** Reports every field that is missing, unknown or wrong. */
export function readOutput(name: string, { line, value }: LocatedEntry, report: Report): OutputDraft {
  if (!OUTPUT_NAME.test(name))
    report(line, `the output name "${name}" must be small letters, digits and dashes`);
  // The task loop's own output has this name.
  if (name === "to-do") report(line, 'the output name "to-do" is taken', "choose another");
  const fields: Fields = value.kind === "map" ? value.entries : new Map();
  if (value.kind !== "map") report(line, `"${name}" must be a mapping with an artifact and an agent`);
  else reportUnknownKeys(fields, KEYS, report);
  const lineOf = (key: string) => fields.get(key)?.line ?? line;
  return {
    name,
    artifact: value.kind === "map" ? readArtifact(name, fields, lineOf("artifact"), report) : "",
    agent: value.kind === "map" ? readAgent(name, fields, lineOf("agent"), report) : "",
    requires: readRequires(name, fields.get("requires"), report),
    isFinal: readFinal(name, fields.get("final"), report),
    schema: readSchemaPath(name, fields.get("schema"), report),
    maxRetries: readRetries(name, fields.get("max-retries"), report),
    lines: {
      name: line,
      artifact: lineOf("artifact"),
      agent: lineOf("agent"),
      requires: lineOf("requires"),
      final: lineOf("final"),
      schema: lineOf("schema"),
    },
  };
}

function readArtifact(name: string, fields: Fields, line: number, report: Report): string {
  const artifact = textOfScalar(fields.get("artifact")?.value);
  if (artifact === undefined) {
    report(line, `"${name}" has no artifact`, `write artifact: ${name}.json`);
    return "";
  }
  if (ARTIFACT_NAME.test(artifact) && artifact !== "session.json") return artifact;
  const reason =
    artifact === "session.json"
      ? "is the program's own"
      : "must be a file name of small letters that ends in .json";
  report(line, `the artifact "${artifact}" of "${name}" ${reason}`);
  return "";
}

function readAgent(name: string, fields: Fields, line: number, report: Report): string {
  const agent = textOfScalar(fields.get("agent")?.value);
  if (agent === undefined) report(line, `"${name}" has no agent`, "write agent: and the name of one");
  return agent ?? "";
}

function readRequires(name: string, entry: LocatedEntry | undefined, report: Report): string[] {
  if (entry === undefined) return [];
  const items = entry.value.kind === "list" ? entry.value.items : [entry.value];
  const names = items.map(textOfScalar);
  const isRight = names.every((required) => required !== undefined);
  if (!isRight) report(entry.line, `requires of "${name}" must be the name of an output, or a list of names`);
  return [...new Set(names.filter((required) => required !== undefined))];
}

function readFinal(name: string, entry: LocatedEntry | undefined, report: Report): boolean {
  const value = entry?.value.kind === "scalar" ? entry.value.value : undefined;
  if (entry !== undefined && typeof value !== "boolean")
    report(entry.line, `final of "${name}" must be true or false`);
  return value === true;
}

function readSchemaPath(name: string, entry: LocatedEntry | undefined, report: Report): string | undefined {
  if (entry === undefined) return undefined;
  const path = textOfScalar(entry.value);
  if (path !== undefined && SCHEMA_PATH.test(path)) return path;
  report(entry.line, `schema of "${name}" must be the path of a .json file beside the pipeline`);
  return undefined;
}

function readRetries(name: string, entry: LocatedEntry | undefined, report: Report): number {
  if (entry === undefined) return DEFAULT_RETRIES;
  const value = entry.value.kind === "scalar" ? entry.value.value : undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 10) return value;
  report(entry.line, `max-retries of "${name}" must be a whole number from 0 to 10`);
  return DEFAULT_RETRIES;
}
