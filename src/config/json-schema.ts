// JSON Schema files (draft 2020-12) of pipelines that have artifacts of their own.

import type { ErrorObject } from "ajv";
import { LoopliaError, messageOf } from "../errors.ts";
import { isObject } from "../session/json.ts";

/** True when the value fits; else `errors` has every problem. */
export type SchemaCheck = (value: unknown) => { fits: true } | { fits: false; errors: ErrorObject[] };

/** Throws `config-invalid`, naming `file`, when the text is not JSON or not a JSON Schema of draft 2020-12. */
export async function compileJsonSchema(text: string, file: string): Promise<SchemaCheck> {
  const schema = parseSchema(text, file);
  // By its default: a bundler sees no other name in a CommonJS module that is a function.
  const [{ default: library }, { RE2JS }] = await Promise.all([import("ajv/dist/2020.js"), import("re2js")]);
  // A pattern meets what a model sends: it must not be able to hang the program.
  const compilePattern = (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    // ajv tells patterns apart by their text form.
    return { test: (sent: string) => compiled.matcher(sent).find(), toString: () => `/${pattern}/` };
  };
  const regExp = Object.assign(compilePattern, { code: "compilePattern" });
  try {
    // Unknown keywords and formats are annotations, as the standard says.
    const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
    const ajv = new library.Ajv2020({ ...options, code: { regExp } });
    const validate = ajv.compile(schema);
    return (value) => (validate(value) ? { fits: true } : { fits: false, errors: validate.errors ?? [] });
  } catch (error) {
    throw new LoopliaError(
      "config-invalid",
      `${file}: is not a JSON Schema of draft 2020-12: ${messageOf(error)}`,
      { cause: error },
    );
  }
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
