// A scheduled run of any workflow settles what others of the repository left, whatever items it is for itself.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { runHere } from "../fakes/run-here.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld({ "other/tea.md": ARTICLE, "looplia.yml": "upload-audit: false\n" });
});
afterEach(() => world.close());

/** The schedule of a workflow for other items. */
const scheduled = () => runHere(world, { inputs: { content: "other/*.md" }, event: { name: "schedule" } });

test("a pull request that was closed while its question waits is settled by another workflow's schedule, once", async () => {
  await runHere(world);
  questionOf(world);
  await world.github.endPullRequest(1, "closed");
  world.modelTurn = writeDue;
  const swept = await scheduled();
  expect(swept.ended, swept.said).toBe("completed done");
  expect(swept.report.items.map(({ source }) => source)).toEqual(["other/tea.md"]);
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
  expect(world.ours("looplia:status")[0]?.body).toContain("closed");
  world.github.requests.length = 0;
  const again = await scheduled();
  expect(again.ended, again.said).toBe("completed up-to-date");
  expect(world.github.requests.filter(({ path }) => /\/issues\/1\//.test(path))).toEqual([]);
});

test("a run that was killed before it had a pull request is gone on with by another workflow's schedule", async () => {
  let kill: (() => void) | undefined;
  world.modelTurn = () => {
    kill?.();
    return { content: "never", delayMs: 60_000 };
  };
  const killed = await world.run({
    during: async (process) => {
      kill = () => process.kill("SIGKILL");
    },
  });
  expect(killed.exitCode).toBe(null);
  expect(await world.github.pullRequests()).toEqual([]);
  world.modelTurn = writeDue;
  const swept = await scheduled();
  expect(swept.ended, swept.said).toBe("completed done");
  const sources = swept.report.items.map(({ source }) => source);
  expect(sources.toSorted()).toEqual(["content/kettles.md", "other/tea.md"]);
  expect(await world.github.pullRequests()).toHaveLength(2);
});
