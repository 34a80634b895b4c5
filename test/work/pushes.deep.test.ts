// "At most 6 pushes a minute a repository" (DURABILITY): whatever a run has in hand, its pushes are counted together.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { answerEvent } from "../fakes/github-server-events.ts";
import { runHere } from "../fakes/run-here.ts";

let world: AskingWorld;

beforeEach(async () => {
  // The local server counts accounts from 1001, four people come first.
  world = await createAskingWorld({
    "looplia.yml": "allowed-bots: [helper:1006]\nsandbox: 'off'\nupload-audit: false\n",
  });
  await runHere(world);
});
afterEach(() => world.close());

/** Counts what one run asks of its rate, and what comes to the server. */
function counting() {
  const counts = { turns: 0, counted: 0, pushes: 0 };
  world.repository.beforePush = async () => {
    counts.pushes += 1;
    return undefined;
  };
  const rate = {
    turn: async () => {
      counts.turns += 1;
    },
    count: () => {
      counts.counted += 1;
    },
    untilSoft: () => 0,
    share: () => undefined,
  };
  return { rate, counts };
}

test("a letter, and a second round for a comment that came meanwhile, are of one count, each in its turn", async () => {
  const { rate, counts } = counting();
  const bot = world.github.accounts.addBot("helper");
  const command = `/approve ${questionOf(world)}`;
  const sent = { pullRequest: 1, command, sender: "writer" };
  let isSaid = false;
  world.github.onRequest = async ({ method, path }) => {
    if (isSaid || method !== "PATCH" || !path.includes("/issues/comments/")) return;
    isSaid = true;
    world.say("maintainer", "/status");
  };
  const ran = await runHere(world, { event: answerEvent(world.github, bot, sent), rate });
  expect(ran.ended, ran.said).toBe("completed done");
  expect(world.github.comments.reactionsOf(world.github.comments.all.at(-1)?.id ?? 0)).toContain("rocket");
  expect(counts.pushes).toBeGreaterThan(6);
  expect(counts.counted).toBe(counts.pushes);
  expect(counts.turns).toBeGreaterThanOrEqual(counts.pushes);
  // "When: opening, claim, before a turn's first X effect, pause, end of a step, release."
  const ref = await world.repository.git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
  const subjects = (await world.repository.git("log", "--reverse", "--format=%s", ref)).split("\n");
  for (const subject of [
    "chore: take the work",
    "chore: save before running a command",
    "chore: save a finished task",
    "chore: save a pause",
    "chore: give the work back",
  ]) {
    expect(
      subjects.some((one) => one.includes(subject.replace(/^chore: /, ""))),
      subjects.join("\n"),
    ).toBe(true);
  }
  expect(subjects[0]).toBe("chore: take the work");
  expect(subjects.at(-1)).toBe("chore: give the work back");
});

test("works that a schedule wakes one after the other are of one count", async () => {
  const { rate, counts } = counting();
  await world.github.endPullRequest(1, "closed");
  const ran = await runHere(world, {
    rate,
    inputs: { content: "content/*.md" },
    event: { name: "schedule" },
  });
  expect(ran.ended, ran.said).toBe("waiting open-questions");
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
  expect(counts.pushes).toBeGreaterThan(3);
  expect(counts.counted).toBe(counts.pushes);
});
