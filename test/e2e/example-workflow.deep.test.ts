// The workflow to copy does what the README says: on each of its events, with its inputs alone, without a checkout.
import { mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createActionWorld } from "../fakes/action-world.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { readWorkflow } from "../fakes/workflow.ts";

const workflow = readWorkflow(resolve(import.meta.dirname, "../../examples/workflows/looplia.yml"));

test("the first event makes a pull request, the next ones find nothing to do", async () => {
  const events = Object.keys(workflow.on);
  expect(events).toContain("schedule");
  const world = await createActionWorld({ "content/deep/kettles.md": ARTICLE });
  try {
    const GITHUB_WORKSPACE = await mkdtemp(join(world.root, "empty-"));
    const reasons: (string | undefined)[] = [];
    for (const name of events) {
      const event = { name, payload: {} };
      const [start, ...others] = workflow.start(event);
      expect(others).toEqual([]);
      // The world's key stands for the secret.
      const { "anthropic-api-key": _, ...inputs } = start?.inputs ?? {};
      const ran = await world.run({ event, inputs, environment: { GITHUB_WORKSPACE } });
      expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
      reasons.push(ran.outputs.get("reason-code"));
      expect(ran.outputs.get("pull-request-number")).toBe("1");
    }
    expect(reasons).toEqual(["done", "up-to-date", "up-to-date"]);
    expect(world.model.requests).toHaveLength(3);
  } finally {
    await world.close();
  }
});
