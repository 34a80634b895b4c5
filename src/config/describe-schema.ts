// JSON Schema put into words and into an example shape: what hints are made from.
import { isObject } from "../session/json.ts";

/** A JSON Schema node as it stands in a file. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const MAX_DEPTH = 5;

/**
 * In words: `text of 10–200 characters`, `one of "a", "b"`, `a list of 3–7 items, each text`. `root` resolves local
 * `$ref`s. Undefined for a schema without a keyword that can be said in words.
 */
export function describeSchema(schema: JsonSchema, root: JsonSchema = schema, depth = 0): string | undefined {
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

/** An example of the right shape: texts and numbers are replaced by what they must be; optional fields end in `?`. */
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

/** The schema of the value at `path`, or undefined where the schema does not say. */
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
