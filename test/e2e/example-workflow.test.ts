// The workflow to copy does what the README says: on both its events, with its inputs alone, without a checkout.
import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createActionWorld } from "../fakes/action-world.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

type Workflow = {
  on: Record<string, unknown>;
  jobs: { content: { steps: { uses: string; with: Record<string, unknown> }[] } };
};

const file = resolve(import.meta.dirname, "../../examples/workflows/content.yml");
const workflow = parse(readFileSync(file, "utf8")) as Workflow;

test("the first event makes a pull request, the next finds nothing to do", async () => {
  const { steps } = workflow.jobs.content;
  const [step] = steps;
  expect(steps).toHaveLength(1);
  // The world's key stands for the secret.
  const { "anthropic-api-key": _, ...given } = step?.with ?? {};
  const inputs = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const events = Object.keys(workflow.on);
  expect(events).toContain("schedule");
  const world = await createActionWorld({ "content/deep/kettles.md": ARTICLE });
  try {
    const GITHUB_WORKSPACE = await mkdtemp(join(world.root, "empty-"));
    const reasons: (string | undefined)[] = [];
    for (const name of events) {
      const ran = await world.run({
        event: { name, payload: {} },
        inputs,
        environment: { GITHUB_WORKSPACE },
      });
      expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
      reasons.push(ran.outputs.get("reason-code"));
      expect(ran.outputs.get("pull-request-number")).toBe("1");
    }
    expect(reasons).toEqual(["done", "up-to-date"]);
    expect(world.model.requests).toHaveLength(3);
  } finally {
    await world.close();
  }
});
