// What GitHub, people and damage do to a wake: nothing is lost, nothing happens twice, nothing stays stale.
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
});
afterEach(async () => {
  await world.close();
});

function statusText(): string {
  return world.ours("looplia:status")[0]?.body ?? "";
}

test("GitHub fails at a reaction after the claim: what was approved runs all the same, and is told at the end", async () => {
  await runHere(world);
  const approve = world.say("maintainer", `/approve ${questionOf(world)}`);
  for (let tries = 0; tries < 4; tries += 1) {
    world.github.answers.push({ method: "POST", path: /\/reactions$/, status: 503, body: { message: "no" } });
  }
  const ran = await deliverHere(world, approve);
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
  expect(world.github.comments.reactionsOf(approve.id)).toContain("rocket");
  expect(statusText()).toContain("completed");
});

/** Replaces the state by one whose files are what `change` makes of them, on top of what it was. */
async function tamper(tip: string, change: (files: Map<string, string>) => void): Promise<void> {
  const git = (args: string[], input = "") =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
      cwd: world.repository.bare,
      input,
      env: { PATH: process.env.PATH, GIT_INDEX_FILE: `${world.root}/tampered-index` },
    }).toString();
  const paths = git(["ls-tree", "-r", "--name-only", tip]).trim().split("\n");
  const files = new Map(paths.map((path) => [path, git(["show", `${tip}:${path}`])]));
  change(files);
  git(["read-tree", "--empty"]);
  for (const [path, text] of files) {
    const oid = git(["hash-object", "-w", "--stdin"], text).trim();
    git(["update-index", "--add", "--cacheinfo", `100644,${oid},${path}`]);
  }
  const message = git(["log", "-1", "--format=%B", tip]);
  const commit = git(["commit-tree", git(["write-tree"]).trim(), "-p", tip, "-m", message]).trim();
  git(["update-ref", await stateRef(), commit]);
}

function stateRef(): Promise<string> {
  return world.repository.git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
}

function changeKey(files: Map<string, string>, change: (key: string) => string): void {
  const header = JSON.parse(files.get("header.json") ?? "");
  files.set("header.json", JSON.stringify({ ...header, key: change(header.key) }));
}

const TAMPERED: [string, (files: Map<string, string>) => void][] = [
  ["no header", (files) => void files.delete("header.json")],
  ["a key that is no JSON", (files) => changeKey(files, () => "{broken")],
  [
    "a folder outside the repository",
    (files) =>
      changeKey(files, (key) => JSON.stringify({ ...JSON.parse(key), workingDirectory: "../../up" })),
  ],
  [
    "a base that is an option",
    (files) => changeKey(files, (key) => JSON.stringify({ ...JSON.parse(key), base: "--upload-pack=x" })),
  ],
  [
    "a missing segment",
    (files) => {
      for (const path of files.keys()) if (path.includes("/events/")) files.delete(path);
    },
  ],
  [
    "a torn segment",
    (files) => {
      for (const [path, text] of files) if (path.includes("/events/")) files.set(path, text.slice(0, -40));
    },
  ],
];

test("a state that somebody tampered with is refused and left as it is; put back, the answer still counts", async () => {
  await runHere(world);
  const tip = await world.repository.git("rev-parse", await stateRef());
  const approve = world.say("maintainer", `/approve ${questionOf(world)}`);
  for (const [what, change] of TAMPERED) {
    await tamper(tip, change);
    const tampered = await world.repository.git("rev-parse", await stateRef());
    const ran = await deliverHere(world, approve);
    expect(ran.ended, `${what}: ${ran.said}`).toBe("failed store-corrupt");
    expect(await world.repository.git("rev-parse", await stateRef()), what).toBe(tampered);
  }
  await world.repository.git("update-ref", await stateRef(), tip);
  const ran = await deliverHere(world, approve);
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
});

test("the branch is deleted and the pull request closed: question and status comment say so, and nothing waits", async () => {
  await runHere(world);
  const question = questionOf(world);
  const branch = (await world.branch()).replace(/^heads\//, "");
  await world.repository.git("update-ref", "-d", `refs/heads/${branch}`);
  await world.github.endPullRequest(1, "closed");
  const ran = await deliverHere(world, world.say("maintainer", `/approve ${question}`));
  expect(ran.ended, ran.said).toBe("ignored closed");
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
  expect(statusText()).not.toContain("waiting");
  const replies = () => world.ours("looplia:reply").length;
  expect(replies()).toBe(1);
  const late = world.say("writer", `/approve ${question}`);
  expect((await deliverHere(world, late)).ended).toBe("ignored closed");
  expect(replies()).toBe(2);
  const tip = await world.repository.git("rev-parse", await stateRef());
  expect((await deliverHere(world, late)).ended).toBe("ignored closed");
  expect(replies()).toBe(2);
  expect(await world.repository.git("rev-parse", await stateRef())).toBe(tip);
});
