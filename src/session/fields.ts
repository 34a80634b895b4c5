// The answer to a Composite: `field: value` lines, or the JSON object itself. Pure.
import type { InteractionField } from "../session/interaction.ts";

/**
 * JSON text of an object by field ids. A line that begins with white space goes on with the value above it; any other
 * must begin with a known field and a colon, once each. `wrongLine` counts from 1.
 */
export function readFields(
  text: string,
  fields: readonly InteractionField[],
): { value: string } | { wrongLine: number } {
  if (isObject(text)) return { value: text };
  const known = new Set(fields.map(({ id }) => id));
  const values = new Map<string, string>();
  let last: string | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    if (/^\s/.test(line) && last !== undefined) {
      values.set(last, `${values.get(last) ?? ""}\n${line.trim()}`.trim());
      continue;
    }
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    const id = line.slice(0, colon).trim();
    if (colon < 0 || !known.has(id) || values.has(id)) return { wrongLine: at + 1 };
    values.set(id, line.slice(colon + 1).trim());
    last = id;
  }
  return { value: JSON.stringify(Object.fromEntries(values)) };
}

function isObject(text: string): boolean {
  if (!text.startsWith("{")) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    // Then it is read as lines.
    return false;
  }
}
