// An artifact held against its schema: the built-in ones by zod, a pipeline's own file by its JSON Schema.

import type { ErrorObject } from "ajv";
import type { z } from "zod";
import { checkValue, MAX_PROBLEMS, onePerField, problemAt, type ValueCheck } from "../config/check-value.ts";
import type { PipelineOutput } from "../config/definitions.ts";
import type { JsonSchema } from "../config/describe-schema.ts";
import { compileJsonSchema } from "../config/json-schema.ts";
import { describeReceived, fieldName, type Problem } from "../config/problem.ts";
import { valueAt } from "../session/json.ts";
import { artifactSchemas } from "./schemas.ts";

/** `value` has unknown keys stripped where the schema is built in. `schema` is what a hint can be made from. */
export type Verdict = Omit<ValueCheck, "problems"> & { problems: Problem[] };

/** The program's schema of an output, or undefined where the pipeline brings its own or the file has none. */
export function builtInSchema({ artifact, schema }: PipelineOutput): z.ZodType | undefined {
  return schema ? undefined : artifactSchemas.get(artifact);
}

/** Holds a value against a built-in schema. */
export function checkBuiltIn(builtIn: z.ZodType, value: unknown): Verdict {
  const checked = checkValue(builtIn, value);
  return { ...checked, problems: checked.problems.map(({ path: _, ...problem }) => problem) };
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
      received: describeReceived(valueAt(value, ...here)),
    };
  }
  const missing = typeof missingProperty === "string" ? [missingProperty] : [];
  return problemAt(schema, value, [...path, ...missing], error.message ?? "a value that fits");
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
      value = valueAt(value, found);
      return found;
    });
}
