// One thing wrong with an artifact: which field, what was expected, what came.

export type Problem = { field: string; expected: string; received: string };

const SHOWN = 80;
const MAX_FIELD = 120;

/** `importantQuotes[2].text`; the whole artifact has a name as well. */
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

/** What came, cut at 80 characters, with its length where that may be the point. */
export function describeReceived(value: unknown): string {
  if (value === undefined) return "nothing";
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
