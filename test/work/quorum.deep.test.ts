// Several people must approve: who did so far is shown, and an approval counts only while its giver may decide.
import { afterEach, expect, test } from "vitest";
import {
  type AskingWorld,
  asking,
  commandCall,
  createAskingWorld,
  questionOf,
} from "../fakes/asking-world.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;
afterEach(() => world.close());

test("the first approval is shown as 1 of 2; it counts no more once its giver lost access, and the question stays open", async () => {
  world = await createAskingWorld({ "looplia.yml": "min-approvals: 2\nupload-audit: false\n" });
  world.modelTurn = asking(commandCall());
  await runHere(world);
  const question = questionOf(world);
  const first = world.say("writer", `/approve ${question}`);
  await deliverHere(world, first);
  expect(world.github.comments.reactionsOf(first.id)).toEqual(["eyes"]);
  expect(world.ours("looplia:request")[0]?.body).toContain("**1 of 2** approved so far: `writer`");
  expect(world.ours("looplia:status")[0]?.body).toContain("**1 of 2** approved");
  world.github.accounts.setRole("writer", "read");
  const second = world.say("maintainer", `/approve ${question}`);
  const ran = await deliverHere(world, second);
  expect(ran.ended, ran.said).toBe("waiting open-questions");
  expect(world.ours("looplia:request")).toHaveLength(1);
  expect(world.ours("looplia:request")[0]?.body).toContain("**1 of 2** approved so far: `maintainer`");
  expect(await world.effects()).toBe(0);
  const third = world.say("second", `/approve ${question}`);
  await deliverHere(world, third);
  expect(await world.effects()).toBe(1);
  const reactions = [second, third].map(({ id }) => world.github.comments.reactionsOf(id));
  expect(reactions).toEqual([
    ["eyes", "rocket"],
    ["eyes", "rocket"],
  ]);
}, 120_000);
