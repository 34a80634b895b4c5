// A clone brings state: its questions, answers and standing approvals are nobody's.
import { cpSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

const RUNBOOK = makeTodo([makeTask("T1", { steps: ["$ touch ran"] })]);

test("an approval that was given elsewhere runs nothing here, and the state is moved aside with a sentence", async () => {
  const files = { "looplia.yml": "provider: offline\nmode: tasks\nsandbox: off\n", "to-do.json": RUNBOOK };
  const theirs = await makeCliWorld(files);
  const asked = await theirs.run(["run", "--json"]);
  expect(asked.code, asked.stderr).toBe(3);
  const [{ interactionId }] = JSON.parse(asked.stdout).interactions;
  const mine = await makeCliWorld(files);
  cpSync(join(theirs.folder, ".looplia"), join(mine.folder, ".looplia"), { recursive: true });
  const environment = { HOME: mkdtempSync(join(tmpdir(), "home-")) };
  const answered = await mine.run(["answer", interactionId, "approve"], environment);
  expect(answered.code).not.toBe(0);
  expect(existsSync(join(mine.folder, "ran"))).toBe(false);
  const run = await mine.run(["run", "--json"], environment);
  expect(`${answered.stderr}${run.stderr}`).toMatch(/was not made here by you: it came with the repository/);
  expect(run.code, run.stderr).toBe(3);
  expect(readdirSync(join(mine.folder, ".looplia")).some((name) => name.startsWith("state-set-aside-"))).toBe(
    true,
  );
  // Where it was made, the same approval counts.
  const approved = await theirs.run(["answer", interactionId, "approve"]);
  expect(approved.code, approved.stderr).toBe(0);
  expect(existsSync(join(theirs.folder, "ran"))).toBe(true);
});
