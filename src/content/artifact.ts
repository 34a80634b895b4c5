// Checks whether a value may become an artifact, and describes its problems for the model.
import type { ErrorObject } from "ajv";
import { z } from "zod";
import type { PipelineOutput, UserProfile } from "../config/definitions.ts";
import {
  checkValue,
  compileJsonSchema,
  describeReceived,
  fieldName,
  findUnsoundJson,
  formatProblem,
  type JsonSchema,
  MAX_PROBLEMS,
  MAX_SENT_BYTES,
  onePerField,
  type Problem,
  problemAt,
  schemaAt,
  shapeOf,
} from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { hashContent, isObject, lazily, valueAt } from "../core/json.ts";
import { contentProblems } from "./checks/checks.ts";
import { type ContentItem, computeRelevance, countWords, readingMinutes } from "./item.ts";
import { isMadeByProgram } from "./ports.ts";

// The content formats. Text lengths count Unicode code points, here and in the JSON Schemas generated from
// this file. The model reads the descriptions. Unknown keys are removed. A change here may need a new
// `SCHEMA_VERSION`.

const contentId = lazily(() => z.string().min(1).describe("Set by the program: the session id"));
const share = () => z.number().min(0).max(1);
const list = <T extends z.ZodType>(item: T, min: number, max: number) => z.array(item).min(min).max(max);

export const quoteSchema = lazily(() =>
  z.object({
    text: z.string().describe("Word for word as in the source"),
    timestamp: z
      .string()
      .regex(/^\d{2}(?::[0-5]\d){1,2}$/)
      .exactOptional()
      .describe("MM:SS or HH:MM:SS, only where the source has one"),
    line: z.int().positive().exactOptional().describe("Set by the program: its line in the source"),
    context: z.string().exactOptional().describe("Who says this, and about what"),
  }),
);

const coreIdea = lazily(() =>
  z.object({
    concept: z.string(),
    explanation: z.string().min(10),
    examples: z.array(z.string()).exactOptional(),
  }),
);

export const contentSummarySchema = lazily(() =>
  z.object({
    contentId: contentId(),
    headline: z.string().min(10).max(200).describe("The main point in one line"),
    tldr: z.string().min(20).max(500).describe("The whole item in two or three sentences"),
    bullets: list(z.string(), 1, 10).describe("Key points, most important first"),
    tags: list(z.string(), 1, 20).describe("Short topic labels"),
    sentiment: z.enum(["positive", "neutral", "negative"]),
    category: z.string().describe("The one field of knowledge that it belongs to"),
    score: z.object({ relevanceToUser: share() }).describe("Set by the program"),
    overview: z.string().min(50).describe("What the item is about, and why it was made"),
    keyThemes: list(z.string(), 3, 7),
    detailedAnalysis: z.string().min(100).describe("Arguments and evidence, in order"),
    narrativeFlow: z.string().min(50).describe("How the item develops from beginning to end"),
    coreIdeas: list(coreIdea(), 1, 10),
    importantQuotes: list(quoteSchema(), 0, 20).describe("The program looks each one up in the source"),
    context: z.string().min(20).describe("What a reader needs to know beforehand"),
    relatedConcepts: list(z.string(), 0, 15),
    detectedSource: z
      .enum(["podcast", "transcript", "article", "youtube", "twitter", "text", "other"])
      .exactOptional(),
  }),
);

const hook = lazily(() =>
  z.object({
    text: z.string().min(5),
    type: z.enum(["emotional", "curiosity", "controversy", "statistic", "story"]),
  }),
);

const angle = lazily(() =>
  z.object({
    title: z.string().min(3).max(100),
    description: z.string().min(10),
    relevanceScore: share(),
  }),
);

const question = lazily(() =>
  z.object({
    question: z.string().min(10),
    type: z.enum(["analytical", "practical", "philosophical", "comparative"]),
  }),
);

export const writingIdeasSchema = lazily(() =>
  z.object({
    contentId: contentId(),
    hooks: list(hook(), 1, 5).describe("First sentences that make people read on"),
    angles: list(angle(), 1, 5).describe("Claims or points of view that a whole text can carry"),
    questions: list(question(), 1, 5).describe("Questions that the new text could answer"),
  }),
);

const outlineSection = lazily(() =>
  z.object({
    heading: z.string().min(1),
    notes: z.string().min(1).describe("What the section must achieve, and how"),
    keyPoints: list(z.string(), 1, 7),
    estimatedWords: z.number().positive().exactOptional(),
    angle: z
      .string()
      .exactOptional()
      .describe("Only in the first section: the title of the chosen angle, as in the ideas"),
    hook: z
      .string()
      .exactOptional()
      .describe("Only in the first section: the text of the chosen hook, as in the ideas"),
  }),
);

export const outlineSchema = lazily(() => z.array(outlineSection()).min(1));

export const writingKitSchema = lazily(() =>
  z.object({
    contentId: contentId(),
    source: z
      .object({ id: z.string(), label: z.string(), url: z.string() })
      .describe("Set by the program: session id, title and address of the item"),
    summary: contentSummarySchema().describe("Set by the program: summary.json"),
    ideas: writingIdeasSchema().describe("Set by the program: ideas.json"),
    suggestedOutline: outlineSchema().describe("Set by the program: outline.json"),
    meta: z
      .object({ relevanceToUser: share(), estimatedReadingTimeMinutes: z.number().positive() })
      .describe("Set by the program"),
  }),
);

export type ContentSummary = z.infer<ReturnType<typeof contentSummarySchema>>;
export type WritingIdeas = z.infer<ReturnType<typeof writingIdeasSchema>>;
export type OutlineSection = z.infer<ReturnType<typeof outlineSection>>;
export type WritingKit = z.infer<ReturnType<typeof writingKitSchema>>;

/** The built-in schemas by file name. A pipeline's own `schema` for a file overrides them. */
export const artifactSchemas: ReadonlyMap<string, () => z.ZodType> = new Map<string, () => z.ZodType>([
  ["summary.json", contentSummarySchema],
  ["ideas.json", writingIdeasSchema],
  ["outline.json", outlineSchema],
  ["writing-kit.json", writingKitSchema],
]);

// Checks an artifact against its schema: built-in ones with zod, a pipeline's own file as JSON Schema.

/** `value` lacks unknown keys if the schema is built in. `schema`: the basis of hints. */
type SchemaVerdict = Omit<ReturnType<typeof checkValue>, "problems"> & { problems: Problem[] };

/** The built-in schema of an output; undefined if the pipeline has its own or there is none. */
function builtInSchema({ artifact, schema }: PipelineOutput): z.ZodType | undefined {
  return schema ? undefined : artifactSchemas.get(artifact)?.();
}

/** Checks a value against a built-in schema. */
function checkBuiltIn(builtIn: z.ZodType, value: unknown): SchemaVerdict {
  const checked = checkValue(builtIn, value);
  return { ...checked, problems: checked.problems.map(({ path: _, ...problem }) => problem) };
}

/** Checks a value against a pipeline's schema file. Throws `config-invalid` if that file is no schema. */
async function checkBySchemaFile(
  own: NonNullable<PipelineOutput["schema"]>,
  value: unknown,
): Promise<SchemaVerdict> {
  const check = (await compileJsonSchema(own.text, own.file))(value);
  const schema: JsonSchema = JSON.parse(own.text.replace(/^\uFEFF/, ""));
  if (check.fits) return { value, problems: [], schema };
  const problems = check.errors.slice(0, MAX_PROBLEMS).map((error) => problemOf(schema, value, error));
  return { value, problems: onePerField(problems), schema };
}

function problemOf(schema: JsonSchema, value: unknown, error: ErrorObject): Problem {
  const path = readPointer(error.instancePath, value);
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params;
  const surplus: unknown = additionalProperty ?? unevaluatedProperty;
  if (typeof surplus === "string") {
    const here = [...path, surplus];
    return {
      field: fieldName(here),
      expected: "no such field",
      received: describeReceived(valueAt(value, ...here)),
    };
  }
  const missing = typeof missingProperty === "string" ? [missingProperty] : [];
  return problemAt(schema, value, [...path, ...missing], error.message ?? "a value that fits");
}

/** RFC 6901; a part is an index only if the value has a list there. */
function readPointer(pointer: string, root: unknown): PropertyKey[] {
  let value = root;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const found = Array.isArray(value) ? Number(key) : key;
      value = valueAt(value, found);
      return found;
    });
}

// The fields that the program sets in artifacts, overriding the model (INTERFACE §7).

type ArtifactFacts = {
  item: ContentItem;
  sessionId: string;
  profile?: UserProfile;
  /** Values of the session's valid artifacts by file name. */
  artifacts: ReadonlyMap<string, unknown>;
  /** Title of the angle chosen by a person. */
  angle?: string | undefined;
};

type Fields = Record<string, unknown>;

/** A copy of a built-in artifact with the program's fields set; a value that is no object stays unchanged. */
function setProgramFields(artifact: string, value: unknown, facts: ArtifactFacts): unknown {
  if (artifact === "outline.json" && Array.isArray(value)) return outlineFields(value, facts);
  if (!isObject(value)) return value;
  const named = { ...value, contentId: facts.sessionId };
  if (artifact === "summary.json") return summaryFields(named, facts);
  return artifact === "writing-kit.json" ? kitFields(named, facts) : named;
}

function outlineFields([first, ...rest]: unknown[], { angle }: ArtifactFacts): unknown[] {
  return angle !== undefined && isObject(first) ? [{ ...first, angle }, ...rest] : [first, ...rest];
}

function summaryFields(value: Fields, { profile, item }: ArtifactFacts): Fields {
  const texts = [value.headline, value.tags, value.keyThemes]
    .flat()
    .filter((text) => typeof text === "string");
  return { ...value, score: { relevanceToUser: computeRelevance(profile, [...texts, item.text]) } };
}

function kitFields(value: Fields, facts: ArtifactFacts): Fields {
  const { item, sessionId, artifacts } = facts;
  const copy = (file: string, sent: unknown) => (artifacts.has(file) ? artifacts.get(file) : sent);
  const summary = copy("summary.json", value.summary);
  return {
    ...value,
    source: { id: sessionId, label: item.title, url: item.url },
    summary,
    ideas: copy("ideas.json", value.ideas),
    suggestedOutline: copy("outline.json", value.suggestedOutline),
    meta: {
      relevanceToUser: relevanceOf(summary, facts),
      estimatedReadingTimeMinutes: readingMinutes(countWords(item)),
    },
  };
}

function relevanceOf(summary: unknown, { profile, item }: ArtifactFacts): unknown {
  const score = isObject(summary) && isObject(summary.score) ? summary.score : {};
  return score.relevanceToUser ?? computeRelevance(profile, [item.text]);
}

/** `language`: BCP 47, if the agent or profile sets one. */
type Tries = { isFirstTry?: boolean; isLastTry?: boolean; language?: string };

type ArtifactCheck =
  | { ok: true; value: unknown; text: string; contentHash: string; dropped: string[] }
  | { ok: false; problems: Problem[]; errors: string[]; hint: string };

const MAX_SHOWN = 50;
const MAX_HINT = 4000;
/** A kit contains copies of three artifacts. */
const MAX_STORED_BYTES = 4 * MAX_SENT_BYTES;

/**
 * Checks a model's value for an output. `text` is the file to write (two-space JSON with the program's
 * fields), `contentHash` its hash. Lists all problems; the hint shows the schema of the failed fields. On the
 * last try, quotes that are not in the item are `dropped` and the rest is kept.
 */
export async function checkArtifact(
  input: { output: PipelineOutput; value: unknown } & ArtifactFacts & Tries,
): Promise<ArtifactCheck> {
  const { output } = input;
  const sent = readSent(input.value);
  const isOwn = builtInSchema(output) === undefined;
  if ("problem" in sent && !isOwn) return refuse(output, [sent.problem], {});
  const unsound = findUnsoundJson(sent.value);
  if (unsound.length > 0) return refuse(output, unsound, {});
  const value = isOwn ? sent.value : setProgramFields(output.artifact, sent.value, input);
  const checked = await checkFields(output, value);
  const quotes = await settleQuotes(output, checked.value, input.item);
  const isDropped = input.isLastTry === true && !isMadeByProgram(output);
  const meant = await contentProblems({ ...input, value: checked.value });
  const problems = [...checked.problems, ...(isDropped ? [] : quotes.problems), ...meant];
  if (problems.length > 0) return refuse(output, problems, checked.schema);
  const settled = quotes.value;
  const text = `${JSON.stringify(settled, null, 2)}\n`;
  const dropped = quotes.problems.map(({ received }) => received);
  return { ok: true, value: settled, text, contentHash: hashContent(text), dropped };
}

/**
 * Checks an artifact's present file; `problems` is empty if it is valid. Quotes are checked only with an
 * item.
 */
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
  const { problems } =
    unsound.length > 0 ? { problems: unsound } : await checkArtifactValue(output, value, item);
  return { contentHash, problems: problems.map(formatProblem) };
}

async function checkArtifactValue(
  output: PipelineOutput,
  value: unknown,
  item: ContentItem | undefined,
): Promise<SchemaVerdict> {
  const checked = await checkFields(output, value);
  if (output.schema || !item) return checked;
  const { problems } = await settleQuotes(output, value, item);
  return { ...checked, problems: [...checked.problems, ...problems] };
}

async function checkFields(output: PipelineOutput, value: unknown): Promise<SchemaVerdict> {
  const { schema } = output;
  const builtIn = builtInSchema(output);
  const checked = schema ? await checkBySchemaFile(schema, value) : builtIn && checkBuiltIn(builtIn, value);
  if (!checked) return { value, problems: [], schema: {} };
  // A user's schema decides itself whether a text may be blank.
  if (schema?.file.startsWith("pipelines/") === false) return checked;
  const known = new Set(checked.problems.map(({ field }) => field));
  const blanks = findBlanks(value).filter(({ field }) => !known.has(field));
  return { ...checked, problems: [...checked.problems, ...blanks] };
}

/** Texts without a word; an optional text may be empty. */
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

/** Quotes are compared with the item; their context is optional, and an item may lack a URL. */
const QUOTE_TEXTS: ReadonlySet<string> = new Set(["context", "text"]);
const MAY_BE_BLANK: ReadonlySet<string> = new Set(["source", "url"]);

/** Parses JSON that a model sent as text; any other text stays a text. */
function readSent(value: unknown): { value: unknown; problem?: Problem } {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return { value };
  try {
    return { value: JSON.parse(value) };
  } catch (error) {
    const received = `text that is not JSON (${messageOf(error)}): ${describeReceived(value)}`;
    return { value, problem: { field: fieldName([]), expected: "a JSON value", received } };
  }
}

/**
 * The artifact with quotes in the item's exact words; quotes that the item lacks are removed and reported.
 */
async function settleQuotes({ artifact, schema }: PipelineOutput, value: unknown, item: ContentItem) {
  if (!/quote/i.test(JSON.stringify(value) ?? "")) return { value, problems: [] };
  const { settleAll, settleSummary } = await import("./checks/quotes.ts");
  if (schema !== undefined || !artifactSchemas.has(artifact)) return settleAll(value, item);
  if (artifact === "summary.json") return settleSummary(value, item);
  if (artifact !== "writing-kit.json" || !isObject(value)) return { value, problems: [] };
  const { problems } = settleSummary(value.summary, item);
  const own = problems.map((problem) => ({ ...problem, field: `summary.${problem.field}` }));
  return { value, problems: own };
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
  const task = `Fix this and send all of ${artifact} again.`;
  if (shape === "{}") return task;
  const like = isWhole ? `${artifact} looks like this` : "These fields look like this";
  return `${task} ${like}: ${shape.length > MAX_HINT ? `${shape.slice(0, MAX_HINT).toWellFormed()}…` : shape}`;
}
