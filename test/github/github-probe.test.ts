// `doctor` asks GitHub what a token may do, and leaves nothing behind.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { probeGithub } from "../../src/github/pulls.ts";
import { type GitServer, startGitServer } from "../fakes/git-http.ts";
import { type GithubServer, startGithubServer } from "../fakes/github-server.ts";

const TOKEN = "ghs_canary";
let root: string;
let git: GitServer;
let server: GithubServer;

// One server for all: nothing that is asked here changes it.
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "looplia-github-probe-"));
  git = await startGitServer({ root, repository: "owner/repo", token: TOKEN, files: { a: "1" } });
  server = await startGithubServer({ repository: "owner/repo", token: TOKEN, git: git.git });
});
afterEach(() => {
  server.accounts.isPrivate = false;
  server.mayCreatePullRequests = true;
  Object.assign(server.checks, { mayWrite: true, mayReadRuns: true });
});
afterAll(async () => {
  await server.close();
  await git.close();
  await rm(root, { recursive: true, force: true });
});

const probe = (token = TOKEN, more: { repository?: string; apiUrl?: string } = {}) =>
  probeGithub(
    { apiUrl: server.apiUrl, repository: "owner/repo", token, timeoutMs: 20_000, secondMs: 5, ...more },
    { id: "7", attempt: "1" },
  );

test("a job's token with all that the workflows to copy give it", async () => {
  server.checks.runs.set("7.1", "in_progress");
  expect(await probe()).toEqual({
    repository: "owner/repo",
    isPublic: true,
    isArchived: false,
    has: ["pull-requests: write", "checks: write", "actions: read"],
    lacks: [],
    mayActionsOpen: true,
    secrets: undefined,
  });
  expect(await server.pullRequests()).toEqual([]);
  expect(server.checks.all).toEqual([]);
  server.assertValid();
});

test("what a job's token lacks is named, and a private repository is one", async () => {
  server.accounts.isPrivate = true;
  server.checks.mayWrite = false;
  server.checks.mayReadRuns = false;
  const body = { message: "Resource not accessible by integration" };
  server.answers.push({ method: "POST", path: /\/pulls$/, status: 403, body });
  expect(await probe()).toMatchObject({
    isPublic: false,
    has: [],
    lacks: ["pull-requests: write", "checks: write", "actions: read"],
    mayActionsOpen: undefined,
  });
});

test("the setting that forbids Actions to open pull requests is no lack of the token", async () => {
  server.mayCreatePullRequests = false;
  expect(await probe()).toMatchObject({
    has: expect.arrayContaining(["pull-requests: write"]),
    lacks: [],
    mayActionsOpen: false,
  });
});

test("a person's token is told the names of secrets, and the organisation's where there is one", async () => {
  server.accounts.addPerson("cleo", "write").token = "ghp_cleo";
  server.profile.secrets = ["ANTHROPIC_API_KEY"];
  const { secrets } = await probe("ghp_cleo");
  expect(secrets).toEqual({ names: ["ANTHROPIC_API_KEY"], isWhole: false });
  server.profile.organizationSecrets = ["OPENAI_API_KEY"];
  expect((await probe("ghp_cleo")).secrets).toEqual({
    names: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"],
    isWhole: true,
  });
});

test("an administrator's token is told the setting, anybody else's is not", async () => {
  server.accounts.addPerson("ada", "admin").token = "ghp_admin";
  server.accounts.addPerson("bob", "write").token = "ghp_writer";
  const [admin, writer] = [await probe("ghp_admin"), await probe("ghp_writer")];
  expect(admin).toMatchObject({ has: ["pull-requests: write"], lacks: [], mayActionsOpen: true });
  expect(writer.mayActionsOpen).toBeUndefined();
  server.assertValid();
});

test.each<[string, string, { repository?: string; apiUrl?: string }, RegExp, RegExp]>([
  ["a wrong token", "ghs_wrong", {}, /\(401\)/, /github-token/],
  ["another repository", TOKEN, { repository: "owner/other" }, /\(404\)/, /can read this repository/],
  ["a closed port", TOKEN, { apiUrl: "http://127.0.0.1:1" }, /GitHub did not show/, /check the network/],
])("%s is one error with what to do, at once", async (_what, token, more, message, hint) => {
  const started = performance.now();
  const failure = await probe(token, more).catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({
    code: "host-failed",
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
  expect(String(failure)).not.toContain(token);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("a server that fails in between is an error, not a permission that is missing", async () => {
  server.answers.push({ method: "POST", path: /\/pulls$/, status: 502, body: { message: "Bad gateway" } });
  await expect(probe()).rejects.toMatchObject({ hint: expect.stringContaining("run again later") });
});
