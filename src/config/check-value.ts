// A value held against a schema of zod: everything that is wrong with it, in words made from the schema.
import { z } from "zod";
import { valueAt } from "../session/json.ts";
import { describeSchema, type JsonSchema, schemaAt } from "./describe-schema.ts";
import { describeReceived, fieldName, type Problem } from "./problem.ts";

/** Where a problem is, beside what it says. */
export type PlacedProblem = Problem & { path: readonly PropertyKey[] };
/** `value` is what the schema made of it. `schema` is what a hint can be made from; empty where nothing is wrong. */
export type ValueCheck = { value: unknown; problems: PlacedProblem[]; schema: JsonSchema };

/** Nobody reads more at once, and a hostile value must not cost more. */
export const MAX_PROBLEMS = 200;

/** Holds a value against a schema of zod. At most one problem per field and 200. */
export function checkValue(zodSchema: z.ZodType, value: unknown): ValueCheck {
  const parsed = zodSchema.safeParse(value);
  if (parsed.success) return { value: parsed.data, problems: [], schema: {} };
  const schema: JsonSchema = z.toJSONSchema(zodSchema);
  const problems = parsed.error.issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => ({ path, ...problemAt(schema, value, path, message) }));
  return { value, problems: onePerField(problems), schema };
}

/** What the schema wants at `path`, in words, and what is there. */
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

/** Branches of a choice fail one by one and the choice itself last: what came last says most. */
export function onePerField<P extends Problem>(problems: readonly P[]): P[] {
  return [...new Map(problems.map((problem) => [problem.field, problem])).values()];
}
