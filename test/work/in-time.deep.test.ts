// An answer that was written in time counts, though its question is due by the moment when somebody reads it.
import { expect, onTestFinished, test } from "vitest";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere, sweepHere } from "../fakes/run-here.ts";

const WEEK_MS = 168 * 3_600_000;
const HOUR_MS = 3_600_000;

/** A world whose clock stands before its question is due, until it passes that moment. */
async function begin() {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  onTestFinished(() => world.close());
  await runHere(world);
  let at = Date.now() + WEEK_MS / 2 + HOUR_MS;
  const clock = { now: () => new Date(at), elapsed: () => performance.now() };
  // The reminder goes out, so that later runs find nothing to do.
  await sweepHere(world, { clock });
  at += WEEK_MS / 2 - 2 * HOUR_MS;
  const createdAt = new Date(at).toISOString();
  const pass = () => {
    at += 2 * HOUR_MS;
  };
  return {
    world,
    clock,
    pass,
    say: (body: string) => world.github.comments.say("writer", body, { createdAt }),
  };
}

/** The next list of comments is as it is now; what `then` does comes too late for it. */
function afterList(world: AskingWorld, then: () => void): void {
  const { github } = world;
  github.onRequest = async ({ method, path }) => {
    if (method !== "GET" || !path.endsWith("/issues/1/comments")) return;
    github.onRequest = undefined;
    const body = github.comments.all.map((comment) => github.comments.reply(comment));
    github.answers.push({ method, path: /comments$/, status: 200, body });
    then();
  };
}

test("written just after a run had read the inbox, and due a moment later", async () => {
  const { world, clock, pass, say } = await begin();
  const question = questionOf(world);
  const said: ReturnType<typeof say>[] = [];
  afterList(world, () => {
    said.push(say(`/approve ${question}`));
    pass();
  });
  await sweepHere(world, { clock });
  const [comment] = said;
  if (!comment) throw new Error("nobody read the inbox");
  const ran = await deliverHere(world, comment, { clock });
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
});
