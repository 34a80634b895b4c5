// Steps of a runbook against the syntax as it is written down, and texts that are long.

import { expect, test } from "vitest";
import { type RunbookStep, readRunbook } from "../../src/todo/runbook.ts";
import fc from "../fakes/properties.ts";

function read(step: string): RunbookStep | undefined {
  return readRunbook({ steps: [step] })[0];
}

/** What the syntax says, in expressions that are only for short texts. */
function plainly(text: string): unknown {
  const [, asked, list] = /^(.*?)\s*\[([^[\]]*\|[^[\]]*)\]\s*$/s.exec(text) ?? [];
  if (asked !== undefined && list !== undefined) {
    const options = list.split("|").map((option) => option.trim());
    return { question: asked, options: options.filter((option) => option !== "") };
  }
  const [, before, regex] = /^(.*?)\s+\/(.+)\/\s*$/s.exec(text) ?? [];
  return before !== undefined && regex !== undefined
    ? { question: before, regex }
    : { question: text.trim() };
}

test("a question's options and pattern are read as the syntax says", () => {
  const text = fc.string({ unit: fc.constantFrom(..." /[]|ab\n\\"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, (rest) => {
      expect(read(`? name: q${rest}`)).toEqual({
        kind: "question",
        name: "name",
        ...(plainly(`q${rest}`) as object),
      });
    }),
    { numRuns: 2_000 },
  );
});

test.each([" ", " /", "/ ", "|", "[|", "[|]", "\n"])("a long text of %j takes no time", (unit) => {
  const started = performance.now();
  for (const end of ["x", "/", "]"]) read(`? name: x${unit.repeat(50_000)}${end}`);
  expect(performance.now() - started).toBeLessThan(1_000);
});
