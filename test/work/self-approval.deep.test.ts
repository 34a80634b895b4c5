// `self-approval: false` from the event to the comment: nobody approves what they led to, with or without each other.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, commandCall, createAskingWorld } from "../fakes/asking-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld({ "looplia.yml": "self-approval: false\nupload-audit: false\n" });
});
afterEach(() => world.close());

/** The short id that is open. */
function open(): string {
  const id = /\/approve (q\d+-[0-9a-f]{6})/.exec(world.ours("looplia:request").at(-1)?.body ?? "")?.[1];
  if (id === undefined) throw new Error("nothing is open");
  return id;
}

async function says(login: string, body: string): Promise<string> {
  const comment = world.say(login, body);
  await deliverHere(world, comment);
  return world.github.comments.reactionsOf(comment.id).join(" ");
}

const startedBy = (login: string) => ({
  environment: { GITHUB_ACTOR: login, GITHUB_ACTOR_ID: String(world.github.accounts.need(login).id) },
});

test("two people cannot approve each other's follow-ups: the starter of the work and the one whose approval led on are out", async () => {
  world.modelTurn = (body) => {
    const asked = (body.messages.length - 1) / 2;
    return dueOutputs(body)[0] === "ideas" && asked < 2
      ? { content: [commandCall(undefined, `run${asked}`)] }
      : writeDue(body);
  };
  await runHere(world, startedBy("maintainer"));
  expect(await says("maintainer", `/approve ${open()}`)).toBe("confused");
  expect(await says("writer", `/approve ${open()}`)).toBe("eyes rocket");
  expect(world.ours("looplia:request")).toHaveLength(2);
  const [, followUp] = world.ours("looplia:request");
  expect(followUp?.body).toMatch(/Not `writer` or `maintainer`/);
  expect(await says("maintainer", `/approve ${open()}`)).toBe("confused");
  expect(await says("writer", `/approve ${open()}`)).toBe("confused");
  // The first command ran in the session's own worktree; the branch gets its files when the step ends.
  expect(await world.effects()).toBe(0);
  expect(await says("second", `/approve ${open()}`)).toBe("eyes rocket");
  expect(await world.effects()).toBe(2);
});

test("without an actor's id nobody approves, and the comment says so", async () => {
  await runHere(world, { environment: { GITHUB_ACTOR: "maintainer" } });
  expect(world.ours("looplia:request")[0]?.body).toContain("**Nobody may answer it**");
  expect(await says("writer", `/approve ${open()}`)).toBe("confused");
  expect(world.ours("looplia:reply").at(-1)?.body).toContain("GitHub did not say who caused");
  expect(await world.effects()).toBe(0);
});

/** The same run once more, by somebody else's word. */
const rerunBy = (login: string, of: string) => ({
  environment: {
    ...startedBy(of).environment,
    GITHUB_RUN_ATTEMPT: "2",
    GITHUB_TRIGGERING_ACTOR: login,
  },
});

test("whoever had the run done again led to its question as well; another's comment stays another's", async () => {
  await runHere(world, rerunBy("writer", "maintainer"));
  expect(world.ours("looplia:request")[0]?.body).toContain("Not `maintainer` or `writer`");
  expect(await says("maintainer", `/approve ${open()}`)).toBe("confused");
  expect(await says("writer", `/approve ${open()}`)).toBe("confused");
  // Neither of them lends a comment's author what that one may not do.
  const reader = world.say("reader", `/approve ${open()}`);
  const ran = await deliverHere(world, reader, rerunBy("maintainer", "second"));
  expect(ran.ended, ran.said).toBe("ignored not-permitted");
  expect(await world.effects()).toBe(0);
  expect(await says("second", `/approve ${open()}`)).toBe("eyes rocket");
  expect(await world.effects()).toBe(1);
});
