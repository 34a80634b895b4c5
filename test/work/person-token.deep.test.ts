// `github-token` of a person: the program writes as that person, who can answer all the same, and it never answers itself.
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseSlashCommand } from "../../src/approval/comment.ts";
import { TOKEN } from "../fakes/action-world.ts";
import { type AskingWorld, createAskingWorld } from "../fakes/asking-world.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  const { accounts } = world.github;
  delete accounts.need("github-actions[bot]").token;
  accounts.need("maintainer").token = TOKEN;
  await runHere(world);
});
afterEach(() => world.close());

test("whose token it is answers, once; what the program wrote in their name is no command, nor is a copy of it", async () => {
  const ours = world.github.comments.all.filter(({ body }) => body.startsWith("<!-- looplia:"));
  expect(ours.map(({ author }) => author.login)).toEqual(["maintainer", "maintainer"]);
  const request = ours.find(({ body }) => body.includes("looplia:request"))?.body ?? "";
  const id = /\/approve (q\d+-[0-9a-f]{6})/.exec(request)?.[1] ?? "";

  const copied = await deliverHere(world, world.say("maintainer", request));
  expect(copied.ended, copied.said).toBe("ignored no-command");
  const wrong = world.say("maintainer", "/approve q9-000000");
  await deliverHere(world, wrong);
  expect(world.github.comments.reactionsOf(wrong.id)).toEqual(["confused"]);

  const answer = world.say("maintainer", `/approve ${id}`);
  const ran = await deliverHere(world, answer);
  expect(ran.ended, ran.said).toBe("completed done");
  expect(world.github.comments.reactionsOf(answer.id)).toEqual(["eyes", "rocket"]);
  expect(await world.effects()).toBe(1);
  const said = world.github.comments.all.filter(({ id: one }) => one !== answer.id && one !== wrong.id);
  for (const { body } of said) expect(await parseSlashCommand(body)).toBeUndefined();
  expect(said.filter(({ body }) => body.includes("looplia:status"))).toHaveLength(1);
  expect(said.filter(({ body }) => body.includes("looplia:reply"))).toHaveLength(1);
});
