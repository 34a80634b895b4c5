// What no artifact may be, whatever its schema: too deep, too large, or not writable as UTF-8 JSON.
import { fieldName, type Problem } from "./problem.ts";

const MAX_DEPTH = 100;
const MAX_PROBLEMS = 50;
/** What a model may send at once. */
export const MAX_SENT_BYTES = 1024 * 1024;

/** Every reason why a value cannot be an artifact; an empty list for a sound one. Never recurses. */
export function findUnsoundJson(value: unknown, maxBytes = MAX_SENT_BYTES): Problem[] {
  if (value === undefined) return [problemAt([], "a JSON value", "nothing")];
  const problems = walkJson(value);
  if (problems.length > 0) return problems;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  return bytes > maxBytes ? [problemAt([], `at most ${maxBytes} bytes of JSON`, `${bytes} bytes`)] : [];
}

function walkJson(root: unknown): Problem[] {
  const problems: Problem[] = [];
  const open: { value: unknown; path: PropertyKey[] }[] = [{ value: root, path: [] }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, path } = place;
    const problem = judge(value, path);
    if (problem) problems.push(problem);
    if (problems.length >= MAX_PROBLEMS) return problems;
    if (problem || typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value).reverse()) {
      open.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
    }
  }
  return problems;
}

function judge(value: unknown, path: PropertyKey[]): Problem | undefined {
  const key = path.at(-1);
  if (key === "__proto__")
    return problemAt(path, "another name for this field", "the reserved name __proto__");
  if (typeof key === "string" && !key.isWellFormed()) {
    return problemAt(path, "a name in valid Unicode", "a name with half a surrogate pair");
  }
  if (typeof value === "string" && !value.isWellFormed()) {
    return problemAt(path, "text in valid Unicode", "text with half a surrogate pair (U+D800 to U+DFFF)");
  }
  if (path.length > MAX_DEPTH)
    return problemAt(path, `at most ${MAX_DEPTH} levels of nesting`, "deeper nesting");
  return undefined;
}

function problemAt(path: PropertyKey[], expected: string, received: string): Problem {
  return { field: fieldName(path), expected, received };
}
