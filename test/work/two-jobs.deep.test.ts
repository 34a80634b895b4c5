// Two jobs of one workflow run have its id in common, and are two all the same.
import { expect, test } from "vitest";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, type RanHere, runHere } from "../fakes/run-here.ts";

test("another job of the same run attempt finds the work taken, and its answer is carried out by the first", async () => {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  try {
    await runHere(world);
    const answer = `/approve ${questionOf(world)}`;
    const environment = { GITHUB_RUN_ID: "900" };
    let other: Promise<RanHere> | undefined;
    let pushes = 0;
    world.repository.beforePush = async () => {
      pushes += 1;
      // The first job's claim stands.
      if (pushes !== 2) return undefined;
      other = deliverHere(world, world.say("writer", answer), { environment, claimant: "two" });
      await other;
      return undefined;
    };
    const message = world.say("maintainer", "/looplia keep it short");
    const first = await deliverHere(world, message, { environment, claimant: "one" });
    const second = await other;
    expect(second?.ended, second?.said).toBe("ignored busy");
    expect(first.ended, first.said).toBe("completed done");
    expect(await world.effects()).toBe(1);
  } finally {
    await world.close();
  }
});
