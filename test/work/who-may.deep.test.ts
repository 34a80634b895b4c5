// Who may not decide decides nothing, whatever moment they choose and whatever they leave behind.
import { afterEach, expect, test } from "vitest";
import { type AskingWorld, COMMAND, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;

afterEach(async () => {
  await world.close();
});

test("an approval counts for nothing once its author's access was revoked: the question stays open for another", async () => {
  world = await createAskingWorld({ "looplia.yml": "min-approvals: 2\nupload-audit: false\n" });
  await runHere(world);
  const question = questionOf(world);
  const first = await deliverHere(world, world.say("maintainer", `/approve ${question}`));
  expect(first.ended, first.said).toBe("waiting open-questions");
  world.github.accounts.setRole("maintainer", "none");
  const second = await deliverHere(world, world.say("writer", `/approve ${question}`));
  expect(second.ended, second.said).toBe("waiting open-questions");
  expect(await world.effects()).toBe(0);
  const ran = await deliverHere(world, world.say("second", `/approve ${question}`));
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
});

test("an approver loses access after the last vote and before the effect: the vote counts no more, the question stays open", async () => {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  await runHere(world);
  const question = questionOf(world);
  let looks = 0;
  world.github.onRequest = async ({ path }) => {
    if (!path.includes("/collaborators/maintainer/permission")) return;
    looks += 1;
    if (looks > 1) world.github.accounts.setRole("maintainer", "none");
  };
  const first = await deliverHere(world, world.say("maintainer", `/approve ${question}`));
  expect(first.ended, first.said).toBe("waiting open-questions");
  expect(looks).toBeGreaterThan(1);
  expect(await world.effects()).toBe(0);
  expect(questionOf(world)).toBe(question);
  const ran = await deliverHere(world, world.say("writer", `/approve ${question}`));
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
  expect(world.ours("looplia:request")).toHaveLength(1);
});

test("a stranger's comment starts nothing, though a stopped session could go on", async () => {
  world = await createAskingWorld({ "looplia.yml": "max-turns: 1\nupload-audit: false\n" });
  world.modelTurn = (body) =>
    dueOutputs(body)[0] === "ideas" && body.messages.length === 1
      ? { content: [{ type: "tool_use", id: "r", name: "listFiles", input: { path: "." } }] }
      : writeDue(body);
  const stopped = await runHere(world);
  expect(stopped.ended, stopped.said).toBe("stopped max-turns");
  await commitFiles(
    world.repository.bare,
    "main",
    { "looplia.yml": "max-turns: 9\nupload-audit: false\n" },
    "a person",
  );
  const asked = world.model.requests.length;
  for (const body of ["/approve q1-aaaaaa", "/looplia run", "/what"]) {
    const comment = world.say("reader", body);
    expect((await deliverHere(world, comment)).ended).toMatch(/^ignored no/);
    expect(world.github.comments.reactionsOf(comment.id)).toEqual([]);
  }
  expect(world.model.requests.length).toBe(asked);
  const ran = await deliverHere(world, world.say("writer", "/looplia run"));
  expect(ran.ended, ran.said).toBe("completed done");
});

test("/retry of a step that waits closes its question: a late approval runs nothing", async () => {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  await runHere(world);
  const question = questionOf(world);
  const [first] = world.ours("looplia:request");
  const again = await deliverHere(world, world.say("writer", "/retry ideas"));
  expect(again.ended, again.said).toBe("waiting open-questions");
  expect(world.ours("looplia:request")).toHaveLength(2);
  expect(first && world.github.comments.need(first.id).body).toMatch(/^### Canceled/m);
  const late = world.say("maintainer", `/approve ${question}`);
  await deliverHere(world, late);
  expect(world.github.comments.reactionsOf(late.id)).toEqual(["confused"]);
  expect(await world.effects()).toBe(0);
});

test.each(["changed", "deleted"])(
  "a request whose comment was %s by somebody is decided by nobody: it is asked again",
  async (how) => {
    world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
    world.github.comments.aheadSeconds = -120;
    await runHere(world);
    const question = questionOf(world);
    const [asked] = world.ours("looplia:request");
    if (!asked) throw new Error("nothing was asked");
    if (how === "deleted") world.github.comments.delete(asked.id);
    else world.github.comments.edit(asked.id, asked.body.replaceAll(COMMAND, "echo harmless"));
    const early = world.say("maintainer", `/approve ${question}`);
    const ran = await deliverHere(world, early);
    expect(ran.ended, ran.said).toBe("waiting open-questions");
    expect(world.github.comments.reactionsOf(early.id)).toEqual(["confused"]);
    expect(await world.effects()).toBe(0);
    const shown = world.ours("looplia:request").filter(({ body }) => body.includes(`/approve ${question}`));
    expect(shown.map(({ id }) => id === asked.id)).toEqual([false]);
    expect(shown[0]?.body).toContain(COMMAND);
    expect(world.github.comments.all.some(({ body }) => body.includes("echo harmless"))).toBe(false);
    const approved = await deliverHere(world, world.say("maintainer", `/approve ${question}`));
    expect(approved.ended, approved.said).toBe("completed done");
    expect(await world.effects()).toBe(1);
  },
);
