import { expect, test } from "vitest";
import { suggestName } from "../../src/config/diagnostics.ts";

const NAMES = ["model", "mode", "max-turns", "max-cost-usd", "approvers", "approval", "done"];

test.each([
  ["mdoel", "model"],
  ["maxTurns", "max-turns"],
  ["MAX_TURN", "max-turns"],
  ["max-cost", "max-cost-usd"],
  ["don", "done"],
])("%s is near %s", (name, near) => {
  expect(suggestName(name, NAMES)).toBe(`did you mean "${near}"?`);
});

test.each(["nope", "max", "timeout", ""])("%j is near none", (name) => {
  expect(suggestName(name, NAMES)).toBeUndefined();
});
