// The state of a work can't be read: its pull request says so, and `/looplia restart` begins a new one.
import { execFileSync } from "node:child_process";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere, sweepHere } from "../fakes/run-here.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld({
    "looplia.yml": "upload-audit: false\napprovers: [maintainer, writer]\n",
  });
  onTestFinished(() => world.close());
});

/** Puts a state of these files in the place of the one that is there. */
async function damage(files: Record<string, string>): Promise<{ ref: string; commit: string }> {
  const ref = await world.repository.git(
    "for-each-ref",
    "--count=1",
    "--format=%(refname)",
    "refs/looplia-state",
  );
  const git = (args: string[], input = "") =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
      cwd: world.repository.bare,
      input,
    })
      .toString()
      .trim();
  const rows = Object.entries(files).map(
    ([path, text]) => `100644 blob ${git(["hash-object", "-w", "--stdin"], text)}\t${path}\n`,
  );
  const message = git(["log", "-1", "--format=%B", ref]);
  const commit = git(["commit-tree", git(["mktree"], rows.join("")), "-p", ref, "-m", message]);
  git(["update-ref", ref, commit]);
  return { ref, commit };
}

async function header(): Promise<Record<string, unknown>> {
  const ref = await world.repository.git(
    "for-each-ref",
    "--count=1",
    "--format=%(refname)",
    "refs/looplia-state",
  );
  return JSON.parse(await world.repository.git("show", `${ref}:header.json`));
}

const CASES: [string, (header: Record<string, unknown>) => Record<string, string>, string][] = [
  [
    "damaged",
    (whole) => ({ "header.json": JSON.stringify(whole), "stray.txt": "x" }),
    "does not hold the state of a work",
  ],
  ["of no header", () => ({ "stray.txt": "x" }), "does not hold the state of a work"],
  [
    "of a newer version",
    (whole) => ({ "header.json": JSON.stringify({ ...whole, schemaVersion: 99 }) }),
    "newer version",
  ],
];

test.each(CASES)("a state that is %s is told, set aside, and started over", async (_, filesOf, why) => {
  await runHere(world);
  const [old] = world.ours("looplia:request");
  const early = world.say("writer", `/approve ${questionOf(world)}`);
  const { ref, commit } = await damage(filesOf(await header()));
  const failed = await deliverHere(world, early);
  expect(failed.ended, failed.said).toBe("failed store-corrupt");
  const [status, ...more] = world.ours("looplia:status");
  expect(more).toEqual([]);
  for (const text of [why, ref, commit, "@maintainer and @writer", "/looplia restart"]) {
    expect(status?.body).toContain(text);
  }
  expect(status?.body).not.toContain("runner-");
  expect(failed.report.message).not.toContain("runner-");
  const [check] = world.github.checks.all;
  expect(check).toMatchObject({ conclusion: "failure" });

  const stranger = await deliverHere(world, world.say("reader", "/looplia restart"));
  expect(stranger.ended).toBe("failed store-corrupt");
  const restart = world.say("writer", "/looplia restart");
  const begun = await deliverHere(world, restart);
  expect(begun.ended, begun.said).toBe("waiting open-questions");
  const kept = `${ref}.damaged-${commit.slice(0, 12)}`;
  expect(await world.repository.git("rev-parse", kept)).toBe(commit);
  expect(
    world
      .ours(`looplia:reply`)
      .map(({ body }) => body)
      .join(),
  ).toContain(kept);
  expect(old?.body).toContain("### Closed: the work was restarted");
  expect(await world.effects()).toBe(0);

  await deliverHere(world, early);
  await sweepHere(world);
  expect(await world.effects()).toBe(0);
  const ran = await deliverHere(world, world.say("writer", `/approve ${questionOf(world)}`));
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
  world.github.assertValid();
});

test("a whole state is not set aside, and a restart counts once", async () => {
  await runHere(world);
  const refused = await deliverHere(world, world.say("writer", "/looplia restart"));
  expect(refused.ended, refused.said).toBe("waiting open-questions");
  expect(world.ours("looplia:reply")[0]?.body).toContain("The state of this work is intact");
  await damage({ "stray.txt": "x" });
  await deliverHere(world, world.say("writer", "/looplia restart"));
  await damage({ "stray.txt": "y" });
  expect((await sweepHere(world)).ended).toBe("failed store-corrupt");
});
