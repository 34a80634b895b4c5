// Whether a value may become an artifact of a session, and what to tell the model when it may not.

import type { PipelineOutput } from "../config/definitions.ts";
import { type JsonSchema, schemaAt, shapeOf } from "../config/describe-schema.ts";
import { findUnsoundJson, MAX_SENT_BYTES } from "../config/json-limits.ts";
import { describeReceived, fieldName, formatProblem, type Problem } from "../config/problem.ts";
import { messageOf } from "../errors.ts";
import { hashContent } from "../session/hash.ts";
import { isObject } from "../session/json.ts";
import { REDACTED } from "../session/redaction.ts";
import { builtInSchema, checkBuiltIn, checkBySchemaFile, type Verdict } from "./check-schema.ts";
import type { ContentItem } from "./item.ts";
import { type ArtifactFacts, setProgramFields } from "./program-fields.ts";
import { foldText } from "./relevance.ts";

export type ArtifactCheck =
  | { ok: true; value: unknown; text: string; contentHash: string }
  | { ok: false; problems: Problem[]; errors: string[]; hint: string };

const MAX_SHOWN = 50;
const MAX_HINT = 4000;
/** A kit holds copies of three artifacts. */
const MAX_STORED_BYTES = 4 * MAX_SENT_BYTES;

/**
 * Judges what a model sent for an output. `text` is the file to write, two-space JSON with the program's fields set,
 * and `contentHash` its hash. Lists all problems; the hint is made from the schema and the fields that failed.
 */
export async function checkArtifact(
  input: { output: PipelineOutput; value: unknown } & ArtifactFacts,
): Promise<ArtifactCheck> {
  const { output } = input;
  const sent = readSent(input.value);
  const isOwn = builtInSchema(output) === undefined;
  if ("problem" in sent && !isOwn) return refuse(output, [sent.problem], {});
  const unsound = findUnsoundJson(sent.value);
  if (unsound.length > 0) return refuse(output, unsound, {});
  const value = isOwn ? sent.value : setProgramFields(output.artifact, sent.value, input);
  const checked = await checkValue(output, value, input.item);
  if (checked.problems.length > 0) return refuse(output, checked.problems, checked.schema);
  const text = `${JSON.stringify(checked.value, null, 2)}\n`;
  return { ok: true, value: checked.value, text, contentHash: hashContent(text) };
}

/** Judges an artifact's file as it stands; `problems` is empty for a valid one. Without an item quotes are not checked. */
export async function checkStoredArtifact(
  output: PipelineOutput,
  bytes: Uint8Array,
  item: ContentItem | undefined,
): Promise<{ contentHash: string; problems: string[] }> {
  const contentHash = hashContent(bytes);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    return { contentHash, problems: [`is not JSON: ${messageOf(error)}`] };
  }
  const unsound = findUnsoundJson(value, MAX_STORED_BYTES);
  const { problems } = unsound.length > 0 ? { problems: unsound } : await checkValue(output, value, item);
  return { contentHash, problems: problems.map(formatProblem) };
}

async function checkValue(
  output: PipelineOutput,
  value: unknown,
  item: ContentItem | undefined,
): Promise<Verdict> {
  if (output.schema) return checkBySchemaFile(output.schema, value);
  const builtIn = builtInSchema(output);
  if (!builtIn) return { value, problems: [], schema: {} };
  const checked = checkBuiltIn(builtIn, value);
  const strayQuotes = item ? findStrayQuotes(output.artifact, value, item) : [];
  return { ...checked, problems: [...checked.problems, ...strayQuotes] };
}

/** Models like to send JSON as a text: that is read. Another text stays a text. */
function readSent(value: unknown): { value: unknown; problem?: Problem } {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return { value };
  try {
    return { value: JSON.parse(value) };
  } catch (error) {
    const received = `text that is not JSON (${messageOf(error)}): ${describeReceived(value)}`;
    return { value, problem: { field: fieldName([]), expected: "a JSON value", received } };
  }
}

function findStrayQuotes(artifact: string, value: unknown, item: ContentItem): Problem[] {
  const isKit = artifact === "writing-kit.json";
  const summary = isKit && isObject(value) ? value.summary : value;
  if ((artifact !== "summary.json" && !isKit) || !isObject(summary)) return [];
  const quotes = Array.isArray(summary.importantQuotes) ? summary.importantQuotes : [];
  const source = quotes.length > 0 ? foldText(item.text) : "";
  return quotes.flatMap((quote: unknown, index): Problem[] => {
    const text = isObject(quote) ? quote.text : undefined;
    if (typeof text !== "string" || isQuoteOf(source, text)) return [];
    const path = [...(isKit ? ["summary"] : []), "importantQuotes", index, "text"];
    const expected = `words that stand exactly so in ${item.source}`;
    return [{ field: fieldName(path), expected, received: describeReceived(text) }];
  });
}

/** Where a secret was cut out of what the model read, the rest must stand in the source. */
function isQuoteOf(source: string, quote: string): boolean {
  const parts = quote.split(REDACTED).map(foldText);
  return parts.some((part) => part !== "") && parts.every((part) => source.includes(part));
}

function refuse(output: PipelineOutput, problems: Problem[], schema: JsonSchema): ArtifactCheck {
  const errors = problems.slice(0, MAX_SHOWN).map(formatProblem);
  if (problems.length > errors.length) errors.push("and more of the same");
  return { ok: false, problems, errors, hint: hintFor(output.artifact, problems, schema) };
}

function hintFor(artifact: string, problems: readonly Problem[], schema: JsonSchema): string {
  const fields = [...new Set(problems.map((problem) => problem.field.split(/[.[]/)[0] ?? ""))];
  const shapes = fields.flatMap((field): [string, unknown][] => {
    const found = schemaAt(schema, [field]);
    return found ? [[field, shapeOf(found, schema)]] : [];
  });
  const isWhole = shapes.length < fields.length && Object.keys(schema).length > 0;
  const shape = JSON.stringify(isWhole ? shapeOf(schema) : Object.fromEntries(shapes));
  const task = `Mend this and send all of ${artifact} again.`;
  if (shape === "{}") return task;
  const like = isWhole ? `${artifact} looks like this` : "These fields look like this";
  return `${task} ${like}: ${shape.length > MAX_HINT ? `${shape.slice(0, MAX_HINT).toWellFormed()}…` : shape}`;
}
