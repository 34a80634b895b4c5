// What GitHub, people and damage do to a wake: nothing is lost, nothing happens twice, nothing stays stale.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Ran } from "../fakes/action-world.ts";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld();
});
afterEach(async () => {
  await world.close();
});

function ended(ran: Ran): string {
  return `${ran.outputs.get("status")} ${ran.outputs.get("reason-code")}`;
}

/** A wake that no comment started. */
function sweep(): Promise<Ran> {
  return world.run({ inputs: { mode: "respond" }, event: { name: "schedule" } });
}

function statusText(): string {
  return world.ours("looplia:status")[0]?.body ?? "";
}

test("GitHub fails at a reaction after the claim: what was approved runs all the same, and is told at the end", async () => {
  await world.start();
  const approve = world.say("maintainer", `/approve ${questionOf(world)}`);
  for (let tries = 0; tries < 4; tries += 1) {
    world.github.answers.push({ method: "POST", path: /\/reactions$/, status: 503, body: { message: "no" } });
  }
  const ran = await world.deliver(approve);
  expect(ended(ran), ran.stdout + ran.stderr).toBe("completed done");
  expect(await world.effects()).toBe(1);
  expect(world.github.comments.reactionsOf(approve.id)).toContain("rocket");
  expect(statusText()).toContain("completed");
}, 120_000);

test("GitHub fails at the last edit of the status comment: the next wake shows how the run ended, once", async () => {
  await world.start();
  const answer = world.modelTurn ?? writeDue;
  let isLast = false;
  world.modelTurn = (body) => {
    if (dueOutputs(body).includes("writing-kit")) isLast = true;
    return answer(body);
  };
  const status = world.ours("looplia:status")[0]?.id;
  world.github.onRequest = async ({ method, path }) => {
    if (!isLast || method !== "PATCH" || !path.endsWith(`/comments/${status}`)) return;
    world.github.answers.push({ method, path: /\/comments\/\d+$/, status: 503, body: { message: "no" } });
  };
  const ran = await world.deliver(world.say("maintainer", `/approve ${questionOf(world)}`));
  expect(ended(ran), ran.stdout + ran.stderr).toBe("failed host-failed");
  expect(statusText()).toContain("running since");
  world.github.onRequest = undefined;
  const asked = world.model.requests.length;
  await sweep();
  expect(statusText()).toContain("## looplia: completed");
  expect(world.model.requests.length).toBe(asked);
  expect(ended(await sweep())).toBe("ignored no-command");
}, 120_000);

test("a run dies with its comments posted and not on record: post adopts them by their markers, and posts none again", async () => {
  const killed = await world.start({
    during: async (process) => {
      world.github.onRequest = async ({ method, path }) => {
        // Both comments stand by then, and no checkpoint has heard of them.
        if (method === "POST" && path.endsWith("/check-runs")) process.kill("SIGKILL");
      };
    },
  });
  world.github.onRequest = undefined;
  expect(killed.exitCode).toBe(null);
  expect(world.ours("looplia:request")).toHaveLength(1);
  await world.post(killed.state);
  expect(world.ours("looplia:request")).toHaveLength(1);
  expect(world.ours("looplia:status")).toHaveLength(1);
  const ran = await world.deliver(world.say("maintainer", `/approve ${questionOf(world)}`));
  expect(ended(ran), ran.stdout + ran.stderr).toBe("completed done");
}, 120_000);
