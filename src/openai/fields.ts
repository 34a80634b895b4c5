import { isObject } from "../core/json.ts";

/** A JSON object from a server: any field may be missing. */
export type Fields = Record<string, unknown>;

/** The fields of a value; empty if it is no object. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
