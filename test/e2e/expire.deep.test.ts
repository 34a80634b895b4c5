// `expire` as a process: it deletes the states of works that ended long ago, and no other ref.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ENDED } from "../../src/core/work-state.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { startGitServer } from "../fakes/git-http.ts";
import { startGithubServer } from "../fakes/github-server.ts";

const TOKEN = "ghs_canaryOfTheJobsToken";
const DAY_MS = 24 * 3_600_000;

test("works that ended 31 days ago go; open ones, others and one that moves stay, and a dry run deletes nothing", async () => {
  const root = await mkdtemp(join(tmpdir(), "looplia-expire-"));
  const git = await startGitServer({ root, repository: "owner/repo", token: TOKEN, files: { a: "1" } });
  const github = await startGithubServer({ repository: "owner/repo", token: TOKEN, git: git.git });
  onTestFinished(async () => {
    github.assertValid();
    await github.close();
    await git.close();
    await rm(root, { recursive: true, force: true });
  });
  const tree = await git.git("rev-parse", "HEAD^{tree}");
  const add = async (name: string, message: string, days: number) => {
    const seconds = Math.floor((Date.now() - days * DAY_MS) / 1000);
    const person = `x <x@y> ${seconds} +0000`;
    const path = join(root, "commit");
    await writeFile(path, `tree ${tree}\nauthor ${person}\ncommitter ${person}\n\n${message}\n`);
    await git.git(
      "update-ref",
      `refs/looplia-state/${name}`,
      await git.git("hash-object", "-t", "commit", "-w", path),
    );
  };
  await add("writing-kit-aaaaaa", ENDED, 31);
  await add("writing-kit-bbbbbb", ENDED, 29);
  await add("tasks-cccccc", "chore: pause with an open question", 400);
  await add("tasks-dddddd", ENDED, 400);
  await add("budget", "chore: spend", 400);
  const refs = () => git.git("for-each-ref", "--format=%(refname)");
  const before = await refs();
  const world = await makeCliWorld();
  const environment = {
    GITHUB_TOKEN: TOKEN,
    GITHUB_REPOSITORY: "owner/repo",
    GITHUB_SERVER_URL: git.serverUrl,
    GITHUB_API_URL: github.apiUrl,
  };
  const expire = (...words: string[]) => world.run(["expire", ...words, "--json"], environment);

  const dry = await expire("--state-retention-days", "30", "--dry-run");
  expect([dry.code, dry.stderr]).toEqual([0, expect.any(String)]);
  const expired = JSON.parse(dry.stdout).expired.toSorted();
  expect(expired).toEqual(["tasks-dddddd", "writing-kit-aaaaaa"]);
  expect(await refs()).toBe(before);

  expect((await expire("--state-retention-days", "30")).code).toBe(0);
  const gone = expired.map((name: string) => `refs/looplia-state/${name}`);
  expect(await refs()).toBe(
    before
      .split("\n")
      .filter((ref) => !gone.includes(ref))
      .join("\n"),
  );

  await add("writing-kit-aaaaaa", ENDED, 31);
  await add("tasks-dddddd", ENDED, 400);
  git.beforePush = async () => {
    git.beforePush = undefined;
    await add("writing-kit-aaaaaa", "chore: take the work", 0);
    return undefined;
  };
  expect((await expire("--state-retention-days", "30")).code).toBe(0);
  expect(git.beforePush, "a run wrote that state in the moment of its deletion").toBe(undefined);
  expect(await refs()).toContain("refs/looplia-state/writing-kit-aaaaaa");
  expect(await refs()).not.toContain("refs/looplia-state/tasks-dddddd");

  const without = await expire();
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("state-retention-days")]);
});
