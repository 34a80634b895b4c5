// GitHub told of a comment before it listed it.
import { expect, test } from "vitest";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

test("an answer that GitHub lists a moment after it told of it is carried out by the run that it woke", async () => {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  try {
    await runHere(world);
    const { github } = world;
    const answer = world.say("writer", `/approve ${questionOf(world)}`);
    github.comments.all.splice(github.comments.all.indexOf(answer), 1);
    github.requests.length = 0;
    const isListed = () =>
      github.requests.some(({ method, path }) => method === "GET" && path.endsWith("/issues/1/comments"));
    const listing = setInterval(() => {
      if (!isListed()) return;
      clearInterval(listing);
      github.comments.all.push(answer);
    }, 10);
    const ran = await deliverHere(world, answer).finally(() => clearInterval(listing));
    expect(ran.ended, ran.said).toBe("completed done");
    expect(await world.effects()).toBe(1);
  } finally {
    await world.close();
  }
});
