// `doctor` as a process, against a repository behind HTTP and GitHub's API: what it says is what is there.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { startGitServer } from "../fakes/git-http.ts";
import { startGithubServer } from "../fakes/github-server.ts";

const TOKEN = "ghs_canaryOfTheJobsToken";
const KEY = "sk-ant-canaryOfTheModelsKey";
const DEAD = "http://127.0.0.1:1";

test("all is well, then nothing is: a line for each, no stack, no secret", async () => {
  const root = await mkdtemp(join(tmpdir(), "looplia-doctor-"));
  const git = await startGitServer({ root, repository: "owner/repo", token: TOKEN, files: { a: "1" } });
  const github = await startGithubServer({ repository: "owner/repo", token: TOKEN, git: git.git });
  onTestFinished(async () => {
    await Promise.all([git.close(), github.close()]);
    await rm(root, { recursive: true, force: true });
  });
  const world = await makeCliWorld();
  const environment = { GITHUB_TOKEN: TOKEN, GITHUB_REPOSITORY: "owner/repo" };
  const where = { GITHUB_SERVER_URL: git.serverUrl, GITHUB_API_URL: github.apiUrl };
  const refs = await git.git("for-each-ref");
  const well = await world.run(["doctor"], { ...environment, ...where });
  expect([well.code, well.stdout]).toEqual([0, expect.stringMatching(/^✓ repository owner\/repo, public$/m)]);
  expect(well.stdout).toMatch(/^✓ token +pull-requests: write, checks: write, actions: read$/m);
  expect(well.stdout).toMatch(/^✓ actions +may open pull requests$/m);
  expect(well.stdout).toMatch(/^✓ state-ref +refs\/looplia-state\/ of owner\/repo takes refs, two at once$/m);
  expect([await git.git("for-each-ref"), await github.pullRequests()]).toEqual([refs, []]);
  github.assertValid();
  const nobody = { GITHUB_SERVER_URL: DEAD, GITHUB_API_URL: DEAD, ANTHROPIC_BASE_URL: DEAD };
  const ill = await world.run(["doctor"], { ...environment, ...nobody, ANTHROPIC_API_KEY: KEY });
  expect(ill.code).toBe(1);
  for (const name of ["provider", "github", "state-ref"]) {
    expect(ill.stdout).toMatch(new RegExp(`^✗ ${name} .*\n +→ .*(?:network|connection)`, "mi"));
  }
  const said = well.stdout + well.stderr + ill.stdout + ill.stderr;
  for (const never of [TOKEN, KEY, /^\s+at .*:\d+/m]) expect(said).not.toMatch(never);
});
