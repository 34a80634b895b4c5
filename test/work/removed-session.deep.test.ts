// Somebody rewrites the branch, and finished steps are gone: a question asks what becomes of them.
import { expect, onTestFinished, test } from "vitest";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { deliverHere, runHere, sweepHere } from "../fakes/run-here.ts";

async function begin() {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  onTestFinished(() => world.close());
  await runHere(world);
  const { git, bare } = world.repository;
  const branch = await world.branch();
  expect(await world.files()).toContainEqual(expect.stringMatching(/summary\.json$/));
  const approval = questionOf(world);
  await git("update-ref", `refs/heads/${branch}`, "main");
  await commitFiles(bare, branch, { "by-hand.md": "theirs\n" }, "start over");
  const rewritten = () => {
    const found = world.ours("looplia:request").find(({ body }) => body.includes("rewrote the branch"));
    return { body: found?.body ?? "", id: /\/choose (q\d+-[0-9a-f]{6})/.exec(found?.body ?? "")?.[1] ?? "" };
  };
  return { world, branch, git, approval, rewritten };
}

test("put back: the steps are one commit on theirs, and what was approved meanwhile runs once", async () => {
  const { world, branch, git, approval, rewritten } = await begin();
  const asked = await deliverHere(world, world.say("writer", `/approve ${approval}`));
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  expect(rewritten().body).toContain("summary.json");
  expect(await world.effects()).toBe(0);
  expect((await sweepHere(world)).ended).toMatch(/^(?:ignored no-command|waiting open-questions)$/);
  const theirs = await git("rev-parse", branch);
  const ran = await deliverHere(world, world.say("writer", `/choose ${rewritten().id} restore`));
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
  expect(await world.files()).toContain("by-hand.md");
  expect(await git("log", "--reverse", "--format=%s", `${theirs}..${branch}`)).toMatch(
    /^chore: restore the steps that were removed from the branch\ncontent\(/,
  );
  expect(await git("show", "--name-only", "--format=", `${theirs}..${branch}`)).toMatch(/summary\.json/);
  expect(world.ours("looplia:request")).toHaveLength(2);
  world.github.assertValid();
});

test("kept: the session ends, nothing that was approved runs, and the next run starts over", async () => {
  const { world, approval, rewritten } = await begin();
  await sweepHere(world);
  const kept = await deliverHere(world, world.say("writer", `/choose ${rewritten().id} keep`));
  expect(kept.ended, kept.said).toBe("stopped closed");
  await deliverHere(world, world.say("writer", `/approve ${approval}`));
  expect(await world.effects()).toBe(0);
  expect(await world.files()).toContain("by-hand.md");
  const again = await runHere(world);
  expect(again.ended, again.said).toBe("waiting open-questions");
  const open = world
    .ours("looplia:request")
    .map(({ body }) => /\/approve (q\d+-[0-9a-f]{6})/.exec(body)?.[1]);
  const ran = await deliverHere(world, world.say("writer", `/approve ${open.findLast((id) => id)}`));
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
});
