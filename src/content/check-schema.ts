// An artifact held against its schema: the built-in ones by zod, a pipeline's own file by its JSON Schema.
import type { ErrorObject } from "ajv";
import type { z } from "zod";
import type { PipelineOutput } from "../config/definitions.ts";
import { compileJsonSchema } from "../config/json-schema.ts";
import { describeSchema, type JsonSchema, schemaAt } from "./describe-schema.ts";
import { describeReceived, fieldName, type Problem } from "./problem.ts";

/** `value` has unknown keys stripped where the schema is built in. `schema` is what a hint can be made from. */
export type Verdict = { value: unknown; problems: Problem[]; schema: JsonSchema };

/** Nobody reads more at once, and a hostile value must not cost more. */
const MAX_PROBLEMS = 200;

/** The program's schema of an output, or undefined where the pipeline brings its own or the file has none. */
export async function builtInSchema({ artifact, schema }: PipelineOutput): Promise<z.ZodType | undefined> {
  if (schema) return undefined;
  const { artifactSchemas } = await import("./schemas.ts");
  return artifactSchemas.get(artifact);
}

/** Holds a value against a built-in schema. */
export async function checkBuiltIn(builtIn: z.ZodType, value: unknown): Promise<Verdict> {
  const parsed = builtIn.safeParse(value);
  if (parsed.success) return { value: parsed.data, problems: [], schema: {} };
  const { toJSONSchema } = await import("zod");
  const schema: JsonSchema = toJSONSchema(builtIn);
  const problems = parsed.error.issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => problemAt(schema, value, path, message));
  return { value, problems: onePerField(problems), schema };
}

/** Holds a value against a pipeline's own schema file. Throws `config-invalid` when that file is not a schema. */
export async function checkBySchemaFile(
  own: NonNullable<PipelineOutput["schema"]>,
  value: unknown,
): Promise<Verdict> {
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
      received: describeReceived(valueAt(value, here)),
    };
  }
  const missing = typeof missingProperty === "string" ? [missingProperty] : [];
  return problemAt(schema, value, [...path, ...missing], error.message ?? "a value that fits");
}

function problemAt(schema: JsonSchema, value: unknown, path: PropertyKey[], message: string): Problem {
  const here = schemaAt(schema, path);
  const received = describeReceived(valueAt(value, path));
  const expected = here && describeSchema(here, schema);
  return { field: fieldName(path), expected: expected ?? `a value that ${message}`, received };
}

/** RFC 6901; a part is an index only where the value has a list. */
function readPointer(pointer: string, root: unknown): PropertyKey[] {
  let value = root;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const found = Array.isArray(value) ? Number(key) : key;
      value = valueAt(value, [found]);
      return found;
    });
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

// Branches of a choice fail one by one and the choice itself last: what came last says most.
function onePerField(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [problem.field, problem])).values()];
}
