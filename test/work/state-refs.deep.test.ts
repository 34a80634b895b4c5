// Where the state of a work is: never in the way of people who fetch and push its branch, and where an earlier version
// began to keep it, until that work is done.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { answerEvent } from "../fakes/github-server-events.ts";
import { runHere, sweepHere } from "../fakes/run-here.ts";

let world: AskingWorld;

beforeEach(async () => {
  // The local server counts accounts from 1001, four people come first.
  world = await createAskingWorld({ "looplia.yml": "allowed-bots: [helper:1006]\nupload-audit: false\n" });
  onTestFinished(() => world.close());
});

const refsBelow = async (prefix: string) =>
  (await world.repository.git("for-each-ref", "--format=%(refname)", prefix)).split("\n").filter(Boolean);

test("people fetch, push and delete a work branch by its short name", async () => {
  await runHere(world);
  const branch = await world.branch();
  const clone = join(world.root, "person");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
      cwd: world.root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    })
      .toString()
      .trim();
  git("clone", "-q", world.repository.bare, clone);
  git("-C", clone, "fetch", "-q", "origin", branch);
  const tip = await world.repository.git("rev-parse", `refs/heads/${branch}`);
  expect(git("-C", clone, "rev-parse", "FETCH_HEAD")).toBe(tip);
  git("-C", clone, "checkout", "-q", "FETCH_HEAD");
  git("-C", clone, "commit", "-q", "--allow-empty", "-m", "a person's commit");
  git("-C", clone, "push", "-q", "origin", `HEAD:${branch}`);
  const pushed = git("-C", clone, "rev-parse", "HEAD");
  expect(await world.repository.git("rev-parse", `refs/heads/${branch}`)).toBe(pushed);
  git("-C", clone, "push", "-q", "origin", "--delete", branch);
  expect(await refsBelow(`refs/heads/${branch}`)).toEqual([]);
  expect(await refsBelow("refs/looplia-state")).toHaveLength(1);
});

test("a work of an earlier version is found, answered by a letter, and done where its state is", async () => {
  await runHere(world);
  const [ref = ""] = await refsBelow("refs/looplia-state");
  const former = ref.replace("refs/looplia-state/", "refs/looplia/");
  const { git } = world.repository;
  await git("update-ref", former, ref);
  await git("update-ref", "-d", ref);

  const now = () => new Date(Date.now() + 60_000);
  const swept = await sweepHere(world, { clock: { now, elapsed: () => performance.now() } });
  expect(swept.ended, swept.said).toMatch(/^(waiting open-questions|ignored no-command)$/);

  const bot = world.github.accounts.addBot("helper");
  const answer = { pullRequest: 1, command: `/approve ${questionOf(world)}`, sender: "writer" };
  const letters: string[] = [];
  world.repository.beforePush = async () => {
    letters.push(...(await refsBelow("refs")).filter((one) => one.includes(".letter-")));
    return undefined;
  };
  const ran = await runHere(world, { event: answerEvent(world.github, bot, answer) });
  expect(ran.ended, ran.said).toBe("completed done");
  expect(letters.length).toBeGreaterThan(0);
  expect(letters.every((one) => one.startsWith(`${former}.letter-`))).toBe(true);
  expect(await refsBelow("refs/looplia")).toEqual([former]);
  expect(await refsBelow("refs/looplia-state")).toEqual([]);
});

test("a prefix that gives a state the short name of its branch is refused", async () => {
  const ran = await runHere(world, { environment: { LOOPLIA_STATE_REF_PREFIX: "refs/looplia/" } });
  expect(ran.ended, ran.said).toBe("failed config-invalid");
  expect(ran.report.message).toContain("state-ref-prefix");
  expect(await refsBelow("refs/heads/looplia")).toEqual([]);
});
