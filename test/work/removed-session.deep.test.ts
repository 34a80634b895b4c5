// Somebody takes a session's folder from the branch, or puts the branch back to where it began, while a question waits.
import { expect, onTestFinished, test } from "vitest";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere, sweepHere } from "../fakes/run-here.ts";

async function begin() {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  onTestFinished(() => world.close());
  await runHere(world);
  const question = questionOf(world);
  const [branch = ""] = (
    await world.repository.git("for-each-ref", "--format=%(refname)", "refs/heads/looplia")
  ).split("\n");
  const before = (await world.repository.git("rev-parse", branch)).trim();
  await world.repository.git("update-ref", branch, "main");
  return { world, question, putBack: () => world.repository.git("update-ref", branch, before) };
}

test("an answer says what is missing, and once the branch is as it was, the work goes on", async () => {
  const { world, question, putBack } = await begin();
  const refused = await deliverHere(world, world.say("writer", `/approve ${question}`));
  expect(refused.ended, refused.said).toBe("failed config-invalid");
  expect(await world.effects()).toBe(0);
  const [status] = world.ours("looplia:status");
  expect(status?.body).toMatch(/not on the branch any more \(put it back .*or end the session: \/cancel /);
  await putBack();
  const ran = await sweepHere(world);
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
});

test("who ends the session hears of no failure any more, and what is begun anew is asked anew", async () => {
  const { world } = await begin();
  const canceled = await deliverHere(world, world.say("writer", "/cancel"));
  expect(canceled.ended, canceled.said).toBe("stopped closed");
  expect(world.ours("looplia:status")[0]?.body).toContain("canceled by writer");
  const again = await runHere(world);
  expect(again.ended, again.said).toBe("waiting open-questions");
  const ran = await deliverHere(world, world.say("writer", `/approve ${questionOf(world)}`));
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
});
