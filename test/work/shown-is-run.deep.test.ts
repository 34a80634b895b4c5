// What runs is what was shown: a stored call that was changed while its question was open lets nothing run.
import { execFileSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

type World = Awaited<ReturnType<typeof createAskingWorld>>;

/** Changes the stored files whose path matches, in place, as somebody who may push the state's ref could. */
async function rewrite({ repository }: World, of: RegExp, change: (text: string) => string): Promise<number> {
  const ref = await repository.git("for-each-ref", "--count=1", "--format=%(refname)", "refs/looplia-state");
  const index = join(await mkdtemp(join(tmpdir(), "index-")), "index");
  const git = (args: string[], input = "") =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
      cwd: repository.bare,
      input,
      env: { ...process.env, GIT_INDEX_FILE: index },
      encoding: "utf8",
    });
  git(["read-tree", ref]);
  let changed = 0;
  for (const path of git(["ls-files", "-z"]).split("\0")) {
    if (!of.test(path)) continue;
    const text = git(["show", `${ref}:${path}`]);
    if (change(text) === text) continue;
    changed += 1;
    const blob = git(["hash-object", "-w", "--stdin"], change(text)).trim();
    git(["update-index", "--cacheinfo", `100644,${blob},${path}`]);
  }
  const message = git(["log", "-1", "--format=%B", ref]);
  const commit = git(["commit-tree", git(["write-tree"]).trim(), "-p", ref, "-m", message]).trim();
  git(["update-ref", ref, commit]);
  return changed;
}

test.each([
  ["the call in the conversation", /\/conversation\//],
  ["the question that is shown", /\/events\//],
])("%s was changed: nothing runs, the pull request says so, and a restart asks again", async (_, of) => {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  onTestFinished(() => world.close());
  await runHere(world);
  const answer = world.say("maintainer", `/approve ${questionOf(world)}`);
  expect(await rewrite(world, of, (text) => text.replaceAll("mktemp ran-", "mktemp bad-"))).toBeGreaterThan(
    0,
  );
  const failed = await deliverHere(world, answer);
  expect(failed.ended, failed.said).toBe("failed store-corrupt");
  expect(world.ours("looplia:status")[0]?.body).toMatch(/is not what was shown[\s\S]*\/looplia restart/);
  expect(await world.effects()).toBe(0);
  const begun = await deliverHere(world, world.say("maintainer", "/looplia restart"));
  expect(begun.ended, begun.said).toBe("waiting open-questions");
  const ran = await deliverHere(world, world.say("maintainer", `/approve ${questionOf(world)}`));
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
  world.github.assertValid();
});
