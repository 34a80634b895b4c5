// A dispatched answer stands nowhere but in its event: it is left as a letter, and whoever has the work carries it out.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import type { Account } from "../fakes/github-server-accounts.ts";
import { answerEvent } from "../fakes/github-server-events.ts";
import { deliverHere, type RanHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;
let bot: Account;

beforeEach(async () => {
  // The local server counts accounts from 1001, four people come first.
  world = await createAskingWorld({ "looplia.yml": "allowed-bots: [helper:1006]\nupload-audit: false\n" });
  bot = world.github.accounts.addBot("helper");
  await runHere(world);
});
afterEach(() => world.close());

function dispatch(command: string, sender: string): Promise<RanHere> {
  return runHere(world, { event: answerEvent(world.github, bot, { pullRequest: 1, command, sender }) });
}

async function letters(): Promise<string[]> {
  const refs = await world.repository.git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
  return refs.split("\n").filter((ref) => ref.includes(".letter-"));
}

test("an answer counts for its sender, once, however often it comes; its letter goes when its effect is stored", async () => {
  const question = questionOf(world);
  const refused = await dispatch(`/approve ${question}`, "reader");
  expect(refused.ended, refused.said).toBe("ignored not-permitted");
  expect(await letters()).toEqual([]);
  const ran = await dispatch(`/approve ${question}`, "writer");
  expect(ran.ended, ran.said).toBe("completed done");
  expect(world.ours("looplia:request")[0]?.body).toContain("`writer`");
  const again = await dispatch(`/approve ${question}`, "writer");
  expect(again.ended, again.said).toBe("ignored no-command");
  expect(await world.effects()).toBe(1);
  expect(await letters()).toEqual([]);
});

test("an answer that meets a live claim is not lost: its run ends busy, and the owner carries it out", async () => {
  const answer = `/approve ${questionOf(world)}`;
  let late: Promise<RanHere> | undefined;
  let pushes = 0;
  world.repository.beforePush = async () => {
    pushes += 1;
    // The owner's claim stands; the answer comes, and its own run finds the work taken.
    if (pushes !== 2) return undefined;
    late = dispatch(answer, "writer");
    await late;
    return undefined;
  };
  const owner = await deliverHere(world, world.say("maintainer", "/looplia keep it short"));
  const busy = await late;
  expect(busy?.ended, busy?.said).toBe("ignored busy");
  expect(owner.ended, owner.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
  expect(await letters()).toEqual([]);
});

test("an answer whose run loses the race for the claim is not lost: the winner carries it out", async () => {
  const answer = `/approve ${questionOf(world)}`;
  let winner: Promise<RanHere> | undefined;
  let pushes = 0;
  world.repository.beforePush = async () => {
    pushes += 1;
    // The letter was the first push, this is the claim.
    if (pushes !== 2) return undefined;
    winner = deliverHere(world, world.say("maintainer", "/looplia keep it short"));
    await winner;
    return undefined;
  };
  const loser = await dispatch(answer, "writer");
  const won = await winner;
  expect(loser.ended, loser.said).toBe("ignored lost-race");
  expect(won?.ended, won?.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
  expect(await letters()).toEqual([]);
});

test("a cancellation whose letter the server keeps ends what is under way, and nothing that begins later", async () => {
  const hooks = join(world.repository.bare, "hooks");
  await mkdir(hooks, { recursive: true });
  const keepLetters = '#!/bin/sh\ncase "$1$3" in *.letter-*0000000000) exit 1 ;; esac\n';
  await writeFile(join(hooks, "update"), keepLetters, { mode: 0o755 });
  const canceled = await dispatch("/cancel", "writer");
  expect(canceled.ended, canceled.said).toBe("stopped closed");
  expect(await letters()).toHaveLength(1);
  const next = await runHere(world);
  expect(next.ended, next.said).toBe("waiting open-questions");
  const asked = world.ours("looplia:request").length;
  const later = await runHere(world);
  expect(later.ended, later.said).toBe("waiting open-questions");
  expect(world.ours("looplia:request")).toHaveLength(asked);
});
