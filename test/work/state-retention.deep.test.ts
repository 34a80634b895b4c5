// Scheduled runs delete the states of works that ended long ago, and never one with an open question.
import { expect, test } from "vitest";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { runHere, sweepHere } from "../fakes/run-here.ts";

const DAY_MS = 24 * 3_600_000;

test("a state is deleted 30 days after its pull request was closed, not while its question is open", async () => {
  const settings = "state-retention-days: 30\nanswer-ttl-hours: 8760\nupload-audit: false\n";
  const world = await createAskingWorld({ "looplia.yml": settings });
  const states = () => world.repository.git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
  const sweepAfter = (days: number) => {
    const now = () => new Date(Date.now() + days * DAY_MS);
    return sweepHere(world, { clock: { now, elapsed: () => performance.now() } });
  };
  try {
    await runHere(world);
    questionOf(world);
    const before = await states();
    await sweepAfter(40);
    expect(await states()).toBe(before);
    await world.github.endPullRequest(1, "closed");
    await sweepAfter(0);
    await sweepAfter(29);
    expect(await states()).toBe(before);
    await world.github.reopenPullRequest(1);
    await sweepAfter(31);
    expect(await states(), "reopened, and nobody has said anything since").toBe(before);
    await world.github.endPullRequest(1, "closed");
    const swept = await sweepAfter(31);
    expect(swept.said).toContain("deleted the states of 1 works");
    expect(await states()).toBe("");
  } finally {
    await world.close();
  }
});
