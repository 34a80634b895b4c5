// What stands in a workflow's `with:`: the runner only warns of a name that it does not know; the Action refuses it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ActionWorld, createActionWorld } from "../fakes/action-world.ts";
import { runHere } from "../fakes/run-here.ts";

let world: ActionWorld;
beforeAll(async () => {
  world = await createActionWorld({
    "content/kettles.md": "# Kettles\n\nA kettle boils sooner with its lid on.\n",
  });
});
afterAll(() => world.close());

test.each([
  ["a setting that is no input", { "max-tokens": "3" }, "put max-tokens into looplia.yml"],
  ["a slip, though empty", { "anthropic-api-ky": "" }, 'did you mean "anthropic-api-key"?'],
  ["another spelling", { max_turns: "3" }, 'did you mean "max-turns"?'],
])("%s is refused before anything is spent", async (_, inputs, hint) => {
  const { report, ended } = await runHere(world, { inputs: inputs as Record<string, string> });
  expect(ended).toBe("failed config-invalid");
  expect(report.message).toContain(`input ${Object.keys(inputs)[0]}: is no input`);
  expect(report.message).toContain(hint);
  expect(world.model.requests.length).toBe(0);
  expect(
    await world.repository.git("for-each-ref", "refs/heads/looplia", "refs/looplia", "refs/looplia-state"),
  ).toBe("");
});

test.each([
  ["policy", "allw runCommand npm test"],
  ["min-approvals", "none"],
  ["self-approval", "perhaps"],
  ["max-turns", "0"],
  ["answer-ttl-hours", "0"],
])("the input %s is read, and checked like the setting", async (name, value) => {
  const { report, ended } = await runHere(world, { inputs: { [name]: value } });
  expect(ended).toBe("failed config-invalid");
  expect(report.message).toContain(`input ${name}: `);
  expect(report.message).not.toContain("is no input");
  expect(world.model.requests.length).toBe(0);
});
