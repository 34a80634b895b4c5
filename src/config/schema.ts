// Checks values against zod and JSON schemas and describes every problem.
import type { ErrorObject } from "ajv";
import { z } from "zod";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { isObject, isShallow, valueAt } from "../core/json.ts";

// Describes a JSON Schema in words and as an example shape, for hints.

/** A JSON Schema node, as parsed from a file. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const MAX_DEPTH = 5;

/**
 * In words: `text of 10–200 characters`, `one of "a", "b"`, `a list of 3–7 items, each text`. `root` resolves
 * local `$ref`s. Undefined for a schema without a describable keyword.
 */
function describeSchema(schema: JsonSchema, root: JsonSchema = schema, depth = 0): string | undefined {
  const node = resolveSchema(schema, root);
  const within = (inner: unknown) => wordsFor(inner, root, depth + 1);
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(node.enum)) return `one of ${node.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  if (node.const !== undefined) return JSON.stringify(node.const);
  const choices = node.anyOf ?? node.oneOf;
  if (Array.isArray(choices)) return choices.map(within).join(" or ");
  if (Array.isArray(node.type)) return node.type.map((type) => within({ ...node, type })).join(" or ");
  switch (node.type) {
    case "string":
      return `text${range(node.minLength, node.maxLength, "characters")}${patternOf(node)}`;
    case "integer":
      return `a whole number${numberRange(node)}`;
    case "number":
      return `a number${numberRange(node)}`;
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "array":
      return `a list${range(node.minItems, node.maxItems, "items")}${node.items ? `, each ${within(node.items)}` : ""}`;
    case "object":
      return `an object${fieldNames(node)}`;
    default:
      return undefined;
  }
}

/**
 * An example of the right shape: texts and numbers are replaced by their descriptions; optional fields end in
 * `?`.
 */
export function shapeOf(schema: JsonSchema, root: JsonSchema = schema, depth = 0): unknown {
  const node = resolveSchema(schema, root);
  const within = (inner: unknown) => (isObject(inner) ? shapeOf(inner, root, depth + 1) : "<any value>");
  if (node.type === "array" && depth < MAX_DEPTH) return [within(node.items)];
  if (node.type !== "object" || !isObject(node.properties) || depth >= MAX_DEPTH) {
    return `<${wordsFor(node, root, 0)}>`;
  }
  const required = requiredOf(node);
  return Object.fromEntries(
    Object.entries(node.properties).map(([key, inner]) => [
      required.has(key) ? key : `${key}?`,
      within(inner),
    ]),
  );
}

/** The schema of the value at `path`; undefined if the schema does not define it. */
export function schemaAt(root: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let node: unknown = root;
  for (const key of path) {
    if (!isObject(node)) return undefined;
    const here = resolveSchema(node, root);
    node = typeof key === "number" ? here.items : propertyOf(here, String(key));
  }
  return isObject(node) ? resolveSchema(node, root) : undefined;
}

function propertyOf(node: JsonSchema, key: string): JsonSchema | undefined {
  const properties = isObject(node.properties) ? node.properties : {};
  const found = Object.hasOwn(properties, key) ? properties[key] : node.additionalProperties;
  return isObject(found) ? found : undefined;
}

function wordsFor(schema: unknown, root: JsonSchema, depth: number): string {
  return (isObject(schema) ? describeSchema(schema, root, depth) : undefined) ?? "any value";
}

function resolveSchema(node: JsonSchema, root: JsonSchema, hops = 0): JsonSchema {
  const reference = node.$ref;
  if (typeof reference !== "string" || !reference.startsWith("#") || hops > 10) return node;
  let target: unknown = root;
  for (const part of reference.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return isObject(target) ? resolveSchema(target, root, hops + 1) : node;
}

function requiredOf(node: JsonSchema): Set<unknown> {
  return new Set(Array.isArray(node.required) ? node.required : []);
}

function fieldNames(node: JsonSchema): string {
  if (!isObject(node.properties)) return "";
  const required = requiredOf(node);
  const names = Object.keys(node.properties).map((key) => (required.has(key) ? key : `${key}?`));
  return names.length > 0 ? ` with ${names.join(", ")}` : "";
}

function patternOf(node: JsonSchema): string {
  if (typeof node.description === "string" && node.pattern !== undefined) return ` (${node.description})`;
  return typeof node.pattern === "string" ? ` matching ${node.pattern}` : "";
}

function range(min: unknown, max: unknown, noun: string): string {
  if (typeof min === "number" && typeof max === "number" && min > 0) {
    return ` of ${min === max ? min : `${min}–${max}`} ${noun}`;
  }
  if (typeof min === "number" && min > 0)
    return ` of at least ${min} ${min === 1 ? noun.slice(0, -1) : noun}`;
  return typeof max === "number" && max < Number.MAX_SAFE_INTEGER ? ` of at most ${max} ${noun}` : "";
}

function numberRange(node: JsonSchema): string {
  const { minimum: min, maximum: max, exclusiveMinimum: above, exclusiveMaximum: below } = node;
  if (typeof min === "number" && typeof max === "number") return ` from ${min} to ${max}`;
  const parts = [
    typeof min === "number" && min > Number.MIN_SAFE_INTEGER ? `of at least ${min}` : "",
    typeof above === "number" ? `above ${above}` : "",
    typeof max === "number" && max < Number.MAX_SAFE_INTEGER ? `of at most ${max}` : "",
    typeof below === "number" ? `below ${below}` : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? ` ${parts.join(" and ")}` : "";
}

// One problem of an artifact: the field, the expected value and the received value.

export type Problem = { field: string; expected: string; received: string };

const SHOWN = 80;
const MAX_FIELD = 120;

/** `importantQuotes[2].text`; the whole artifact has a name too. */
export function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "(the artifact)";
  const name = path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "")
    .toWellFormed();
  return name.length > MAX_FIELD ? `${name.slice(0, MAX_FIELD).toWellFormed()}…` : name;
}

/** `headline: expected text of 10–200 characters, got "x" (1 character)` */
export function formatProblem({ field, expected, received }: Problem): string {
  return `${field}: expected ${expected}, got ${received}`;
}

/** The received value, cut at 80 characters, with its length if that may be the problem. */
export function describeReceived(value: unknown): string {
  if (value === undefined) return "nothing";
  if (!isShallow(value)) return "a value that is nested too deeply";
  if (Array.isArray(value)) return `a list of ${value.length}: ${cut(JSON.stringify(value))}`;
  if (typeof value === "string")
    return `${cut(JSON.stringify(value))} (${count([...value].length, "character")})`;
  return cut(JSON.stringify(value));
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

function cut(text: string): string {
  const characters = [...text.slice(0, 2 * SHOWN + 2)];
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : text;
}

/** A problem together with its path. */
export type PlacedProblem = Problem & { path: readonly PropertyKey[] };
/**
 * `value`: the schema's result. `schema`: the schema from which hints are made; empty if there are no
 * problems.
 */
type ValueCheck = { value: unknown; problems: PlacedProblem[]; schema: JsonSchema };

/** People never read more at once, and a hostile value must not cost more. */
export const MAX_PROBLEMS = 200;

/** Checks a value against a zod schema. Reports at most one problem per field and 200 in total. */
export function checkValue(zodSchema: z.ZodType, value: unknown): ValueCheck {
  const parsed = zodSchema.safeParse(value);
  if (parsed.success) return { value: parsed.data, problems: [], schema: {} };
  const schema: JsonSchema = z.toJSONSchema(zodSchema);
  const problems = parsed.error.issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => ({ path, ...problemAt(schema, value, path, message) }));
  return { value, problems: onePerField(problems), schema };
}

/** The schema's requirement at `path`, in words, and the received value. */
export function problemAt(
  schema: JsonSchema,
  value: unknown,
  path: readonly PropertyKey[],
  message: string,
): Problem {
  const here = schemaAt(schema, path);
  const received = describeReceived(valueAt(value, ...path));
  const expected = here && describeSchema(here, schema);
  return { field: fieldName(path), expected: expected ?? `a value that ${message}`, received };
}

/** The branches of a choice fail before the choice itself, so the last problem says the most. */
export function onePerField<P extends Problem>(problems: readonly P[]): P[] {
  return [...new Map(problems.map((problem) => [problem.field, problem])).values()];
}

// Limits for every artifact, whatever its schema: depth, size, and writable as UTF-8 JSON.

const MAX_JSON_DEPTH = 100;
const MAX_LIMIT_PROBLEMS = 50;
/** Maximum size of one delivery by a model. */
export const MAX_SENT_BYTES = 1024 * 1024;

/** Every reason why a value cannot be an artifact; an empty list for a valid one. Never recurses. */
export function findUnsoundJson(value: unknown, maxBytes = MAX_SENT_BYTES): Problem[] {
  if (value === undefined) return [limitProblemAt([], "a JSON value", "nothing")];
  const problems = walkJson(value);
  if (problems.length > 0) return problems;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  return bytes > maxBytes ? [limitProblemAt([], `at most ${maxBytes} bytes of JSON`, `${bytes} bytes`)] : [];
}

function walkJson(root: unknown): Problem[] {
  if (isSound(root, 0)) return [];
  const problems: Problem[] = [];
  const open: { value: unknown; path: PropertyKey[] }[] = [{ value: root, path: [] }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, path } = place;
    const problem = judge(value, path);
    if (problem) problems.push(problem);
    if (problems.length >= MAX_LIMIT_PROBLEMS) return problems;
    if (problem || typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value).reverse()) {
      open.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
    }
  }
  return problems;
}

/** The same verdict without paths, which most values do not need. */
function isSound(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (depth > MAX_JSON_DEPTH - 1) return false;
  if (Array.isArray(value)) return value.every((inner) => isSound(inner, depth + 1));
  for (const key of Object.keys(value)) {
    if (key === "__proto__" || !key.isWellFormed()) return false;
    if (!isSound((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function judge(value: unknown, path: PropertyKey[]): Problem | undefined {
  const key = path.at(-1);
  if (key === "__proto__")
    return limitProblemAt(path, "another name for this field", "the reserved name __proto__");
  if (typeof key === "string" && !key.isWellFormed()) {
    return limitProblemAt(path, "a name in valid Unicode", "a name with half a surrogate pair");
  }
  if (typeof value === "string" && !value.isWellFormed()) {
    return limitProblemAt(
      path,
      "text in valid Unicode",
      "text with half a surrogate pair (U+D800 to U+DFFF)",
    );
  }
  if (path.length > MAX_JSON_DEPTH)
    return limitProblemAt(path, `at most ${MAX_JSON_DEPTH} levels of nesting`, "deeper nesting");
  return undefined;
}

function limitProblemAt(path: PropertyKey[], expected: string, received: string): Problem {
  return { field: fieldName(path), expected, received };
}

// JSON Schema files (draft 2020-12) of pipelines with their own artifacts.

/** True when the value fits; else `errors` has every problem. */
type SchemaCheck = (value: unknown) => { fits: true } | { fits: false; errors: ErrorObject[] };

/**
 * Throws `config-invalid`, naming `file`, when the text is not JSON or not a JSON Schema of draft 2020-12.
 */
export async function compileJsonSchema(text: string, file: string): Promise<SchemaCheck> {
  const schema = parseSchema(text, file);
  loading ??= loadCompiler();
  const { library, options, standard } = await loading;
  try {
    standard.validateSchema(schema, true);
    // A new compiler for each schema, so that one file's ids mean nothing in another.
    const validate = new library.Ajv2020({ ...options, validateSchema: false }).compile(schema);
    return (value) => (validate(value) ? { fits: true } : { fits: false, errors: validate.errors ?? [] });
  } catch (error) {
    throw new LoopliaError(
      "config-invalid",
      `${file}: is not a JSON Schema of draft 2020-12: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

let loading: ReturnType<typeof loadCompiler> | undefined;

/** Loaded once: compiling the standard's own schema takes far longer than compiling a pipeline's. */
async function loadCompiler() {
  // Uses the default export: bundlers find no other name in a CommonJS module that is a function.
  const [{ default: library }, { RE2JS }] = await Promise.all([import("ajv/dist/2020.js"), import("re2js")]);
  // Patterns are applied to a model's text, so they must not be able to hang the program.
  const compilePattern = (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    // ajv distinguishes patterns by their text form.
    return { test: (sent: string) => compiled.matcher(sent).find(), toString: () => `/${pattern}/` };
  };
  const regExp = Object.assign(compilePattern, { code: "compilePattern" });
  // Unknown keywords and formats are annotations, as the standard says.
  const annotations = { strict: false, validateFormats: false, logger: false } as const;
  const options = { ...annotations, allErrors: true, code: { regExp } } as const;
  return { library, options, standard: new library.Ajv2020(options) };
}

function parseSchema(text: string, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new LoopliaError("config-invalid", `${file}: is not valid JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (isObject(value)) return value;
  throw new LoopliaError("config-invalid", `${file}: is not a JSON Schema: it must be a JSON object`);
}
