// Whether a value may become an artifact of a session, and what to tell the model when it may not.

import type { PipelineOutput } from "../config/definitions.ts";
import { type JsonSchema, schemaAt, shapeOf } from "../config/describe-schema.ts";
import { findUnsoundJson, MAX_SENT_BYTES } from "../config/json-limits.ts";
import { describeReceived, fieldName, formatProblem, type Problem } from "../config/problem.ts";
import { messageOf } from "../errors.ts";
import { hashContent } from "../session/hash.ts";
import { isObject } from "../session/json.ts";
import { builtInSchema, checkBuiltIn, checkBySchemaFile, type Verdict } from "./check-schema.ts";
import type { ContentItem } from "./item.ts";
import { type ArtifactFacts, setProgramFields } from "./program-fields.ts";

export type ArtifactCheck =
  | { ok: true; value: unknown; text: string; contentHash: string; dropped: string[] }
  | { ok: false; problems: Problem[]; errors: string[]; hint: string };

const MAX_SHOWN = 50;
const MAX_HINT = 4000;
/** A kit holds copies of three artifacts. */
const MAX_STORED_BYTES = 4 * MAX_SENT_BYTES;

/**
 * Judges what a model sent for an output. `text` is the file to write, two-space JSON with the program's fields set,
 * and `contentHash` its hash. Lists all problems; the hint is made from the schema and the fields that failed. On the
 * last try quotes that are not in the item are `dropped`, and the rest is kept.
 */
export async function checkArtifact(
  input: { output: PipelineOutput; value: unknown; isLastTry?: boolean } & ArtifactFacts,
): Promise<ArtifactCheck> {
  const { output } = input;
  const sent = readSent(input.value);
  const isOwn = builtInSchema(output) === undefined;
  if ("problem" in sent && !isOwn) return refuse(output, [sent.problem], {});
  const unsound = findUnsoundJson(sent.value);
  if (unsound.length > 0) return refuse(output, unsound, {});
  const value = isOwn ? sent.value : setProgramFields(output.artifact, sent.value, input);
  const checked = await checkFields(output, value);
  const quotes = isOwn ? undefined : await settleQuotes(output.artifact, checked.value, input.item);
  const isDropped = input.isLastTry === true && output.artifact === "summary.json";
  const problems = [...checked.problems, ...(isDropped ? [] : (quotes?.problems ?? []))];
  if (problems.length > 0) return refuse(output, problems, checked.schema);
  const settled = quotes?.value ?? checked.value;
  const text = `${JSON.stringify(settled, null, 2)}\n`;
  const dropped = quotes?.problems.map(({ received }) => received) ?? [];
  return { ok: true, value: settled, text, contentHash: hashContent(text), dropped };
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
  const checked = await checkFields(output, value);
  if (output.schema || !item) return checked;
  const { problems } = await settleQuotes(output.artifact, value, item);
  return { ...checked, problems: [...checked.problems, ...problems] };
}

async function checkFields(output: PipelineOutput, value: unknown): Promise<Verdict> {
  if (output.schema) return checkBySchemaFile(output.schema, value);
  const builtIn = await builtInSchema(output);
  if (!builtIn) return { value, problems: [], schema: {} };
  const checked = await checkBuiltIn(builtIn, value);
  const known = new Set(checked.problems.map(({ field }) => field));
  const blanks = findBlanks(value).filter(({ field }) => !known.has(field));
  return { ...checked, problems: [...checked.problems, ...blanks] };
}

/** Texts without a word; what may be missing may be empty. */
function findBlanks(value: unknown, path: PropertyKey[] = []): Problem[] {
  if (typeof value === "string") {
    const expected = "text that is not blank";
    return value.trim() === ""
      ? [{ field: fieldName(path), expected, received: describeReceived(value) }]
      : [];
  }
  if (Array.isArray(value)) return value.flatMap((one, index) => findBlanks(one, [...path, index]));
  if (!isObject(value)) return [];
  const isQuote = path.includes("importantQuotes");
  return Object.entries(value).flatMap(([key, one]) =>
    MAY_BE_BLANK.has(key) || (isQuote && QUOTE_TEXTS.has(key)) ? [] : findBlanks(one, [...path, key]),
  );
}

/** A quote is held against the item, its context may be missing; an item may have no address. */
const QUOTE_TEXTS: ReadonlySet<string> = new Set(["context", "text"]);
const MAY_BE_BLANK: ReadonlySet<string> = new Set(["source"]);

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

type Settled = { value: unknown; problems: Problem[] };

/** The artifact with its quotes in the item's own words, without those that the item does not have: they are problems. */
async function settleQuotes(artifact: string, value: unknown, item: ContentItem): Promise<Settled> {
  if (!isObject(value)) return { value, problems: [] };
  if (artifact === "writing-kit.json") {
    const { problems } = await settleQuotes("summary.json", value.summary, item);
    const own = problems.map((problem) => ({ ...problem, field: `summary.${problem.field}` }));
    return { value, problems: own };
  }
  const quotes = value.importantQuotes;
  if (artifact !== "summary.json" || !Array.isArray(quotes) || quotes.length === 0) {
    return { value, problems: [] };
  }
  const { settleQuote } = await import("./settle-quote.ts");
  const settle = settleQuote(item);
  const settled = quotes.map((quote: unknown, index) => settle(quote, ["importantQuotes", index]));
  const importantQuotes = settled.flatMap(({ quote }) => (quote === undefined ? [] : [quote]));
  return { value: { ...value, importantQuotes }, problems: settled.flatMap(({ problem }) => problem ?? []) };
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
