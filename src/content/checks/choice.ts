// The angle and the hook that an outline is written for. Pure.
import { describeReceived, type Problem } from "../../config/schema.ts";
import { isObject, valueAt } from "../../core/json.ts";

/** What an outline says that it chose, and is not among the ideas; without ideas nothing is wrong. */
export function choiceProblems(
  artifact: string,
  value: unknown,
  artifacts: ReadonlyMap<string, unknown>,
): Problem[] {
  const ideas = artifacts.get("ideas.json");
  if (artifact !== "outline.json" || !Array.isArray(value) || !isObject(ideas)) return [];
  const [first, ...rest] = value;
  const offered = { angle: textsOf(ideas, "angles", "title"), hook: textsOf(ideas, "hooks", "text") };
  return (["angle", "hook"] as const).flatMap((name) => {
    const chosen = valueAt(first, name);
    const known = offered[name].map((text) => JSON.stringify(text)).join(", ");
    const isUnknown = typeof chosen === "string" && !offered[name].includes(chosen);
    const wrong = isUnknown
      ? [{ field: `[0].${name}`, expected: `one of ${known}`, received: describeReceived(chosen) }]
      : [];
    const late = rest.flatMap((section, at) => {
      const received = valueAt(section, name);
      const field = `[${at + 1}].${name}`;
      const expected = "no such field: only the first section has it";
      return received === undefined ? [] : [{ field, expected, received: describeReceived(received) }];
    });
    return [...wrong, ...late];
  });
}

/** The texts under `name` in the objects of a list. */
function textsOf(value: unknown, list: string, name: string): string[] {
  const found = valueAt(value, list);
  if (!Array.isArray(found)) return [];
  return found.map((one) => valueAt(one, name)).filter((text) => typeof text === "string");
}
