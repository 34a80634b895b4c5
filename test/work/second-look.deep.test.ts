// The look at the inbox before a run ends: nobody's answer is left for the next schedule because GitHub failed at something.
import { expect, test } from "vitest";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

test("an answer that comes while GitHub fails at the end of a run is carried out by that run", async () => {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  try {
    await runHere(world);
    const answer = `/approve ${questionOf(world)}`;
    // A refused reaction would be no failure: what fails is the status comment, which is edited last.
    const fails = { method: "PATCH", path: /\/issues\/comments\/\d+$/, status: 403, body: { message: "no" } };
    let reactions = 0;
    world.github.onRequest = async ({ method, path }) => {
      // After the eyes comes the rocket, at the end of the first round.
      if (method !== "POST" || !path.endsWith("/reactions") || ++reactions !== 2) return;
      world.say("writer", answer);
      world.github.answers.push(fails);
    };
    const ran = await deliverHere(world, world.say("maintainer", "/looplia keep it short"));
    expect(ran.said).toContain("host-failed");
    expect(ran.ended, ran.said).toBe("completed done");
    expect(await world.effects()).toBe(1);
  } finally {
    await world.close();
  }
});
