// The answer to a Composite: `field: value` lines, or the JSON object itself. Pure.
import type { InteractionField } from "./interaction.ts";
import { isObject, parseJson } from "./json.ts";

/**
 * JSON text of an object by field ids. A line that begins with white space goes on with the value above it; any other
 * must begin with a known field and a colon, once each; phones begin a line with a capital, so case counts only where two
 * fields differ in nothing else. `wrongLine` counts from 1.
 */
export function readFields(
  text: string,
  fields: readonly InteractionField[],
): { value: string } | { wrongLine: number } {
  if (isJson(text)) return { value: text };
  const ids = fields.map(({ id }) => id);
  const values = new Map<string, string>();
  let last: string | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    if (/^\s/.test(line) && last !== undefined) {
      values.set(last, `${values.get(last) ?? ""}\n${line.trim()}`.trim());
      continue;
    }
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    const id = colon < 0 ? undefined : findId(ids, line.slice(0, colon).trim());
    if (id === undefined || values.has(id)) return { wrongLine: at + 1 };
    values.set(id, line.slice(colon + 1).trim());
    last = id;
  }
  return { value: JSON.stringify(Object.fromEntries(values)) };
}

function findId(ids: readonly string[], given: string): string | undefined {
  if (ids.includes(given)) return given;
  const alike = ids.filter((id) => id.toLowerCase() === given.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

/** What is no JSON is read as lines. */
function isJson(text: string): boolean {
  return text.trimStart().startsWith("{") && isObject(parseJson(text));
}
