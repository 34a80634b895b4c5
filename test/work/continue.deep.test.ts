// With `continue: true` a run that had to stop starts its workflow again, and the new run goes on.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, createAskingWorld } from "../fakes/asking-world.ts";
import { runHere } from "../fakes/run-here.ts";

const environment = {
  GITHUB_WORKFLOW_REF: "o/r/.github/workflows/kits.yml@refs/heads/main",
  GITHUB_REF: "refs/heads/main",
};
const SETTINGS = "continue: true\ntimeout-minutes: 0.02\n";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld({ "looplia.yml": SETTINGS });
  world.modelTurn = () => ({ content: "late", delayMs: 60_000 });
});
afterEach(() => world.close());

const started = () => world.github.requests.filter(({ path }) => path.endsWith("/dispatches"));
const run = (counter: string) =>
  runHere(world, {
    environment,
    event: { name: "workflow_dispatch", payload: { inputs: { "looplia-continuation": counter } } },
  });

test("at its deadline a run starts its workflow on its branch and counts; after twenty the chain ends", async () => {
  const first = await run("4");
  expect(first.ended, first.said).toBe("stopped deadline");
  expect(started()).toMatchObject([
    {
      path: expect.stringMatching(/\/actions\/workflows\/kits\.yml\/dispatches$/),
      body: { ref: "main", inputs: { "looplia-continuation": "5" } },
    },
  ]);
  const last = await run("20");
  expect(last.ended, last.said).toBe("stopped deadline");
  expect(last.said).toContain("20 runs continued one another");
  expect(started()).toHaveLength(1);
});

test("where GitHub refuses, the run ends as it would have, and says what the workflow lacks", async () => {
  const path = /\/dispatches$/;
  const body = { message: "Resource not accessible by integration" };
  world.github.answers.push({ method: "POST", path, status: 403, body });
  const ran = await run("");
  expect(ran.ended, ran.said).toBe("stopped deadline");
  expect(ran.said).toContain("The job needs `actions: write`");
});
