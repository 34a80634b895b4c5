import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CodeHost } from "../../src/core/ports-host.ts";
import { createGithubHost } from "../../src/github/pulls.ts";
import { commitFiles, type GitServer, startGitServer } from "../fakes/git-http.ts";
import { type GithubServer, startGithubServer } from "../fakes/github-server.ts";
import { invalid } from "../fakes/github-server-contract.ts";

const TOKEN = "ghs_canary";
const BRANCH = "looplia/writing-kit-abc123";
let root: string;
let repository: GitServer;
let server: GithubServer;
let host: CodeHost;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "looplia-github-"));
  repository = await startGitServer({ root, repository: "owner/repo", token: TOKEN, files: { a: "1" } });
  await repository.git("branch", BRANCH, "main");
  server = await startGithubServer({ repository: "owner/repo", token: TOKEN, git: repository.git });
  host = createGithubHost({
    apiUrl: `${server.apiUrl}/`,
    repository: "owner/repo",
    token: TOKEN,
    secondMs: 5,
  });
});
afterEach(async () => {
  await server.close();
  await repository.close();
  await rm(root, { recursive: true, force: true });
});

/** Only the answer to the creation tells that a pull request is new. */
function asListed<T extends { isNew?: true }>(opened: T | undefined) {
  expect(opened?.isNew).toBe(true);
  const { isNew: _, ...listed } = opened as T;
  return listed;
}

const request = { branch: BRANCH, base: "main", title: "A title", body: "A body" };

test("opens, finds and updates the pull request of a branch, by GitHub's contract", async () => {
  await commitFiles(repository.bare, BRANCH, { b: "2" }, "change");
  expect(await host.pullRequestsOf(BRANCH)).toEqual([]);
  const opened = await host.openPullRequest(request);
  expect(opened).toMatchObject({ number: 1, state: "open", title: "A title", body: "A body" });
  expect(await host.pullRequestsOf(BRANCH)).toEqual([asListed(opened)]);
  expect(await host.pullRequestsOf("another")).toEqual([]);
  const updated = await host.updatePullRequest(1, { title: "Another", body: "text" });
  expect(updated).toMatchObject({ title: "Another", body: "text" });
  await server.endPullRequest(1, "merged");
  expect((await host.pullRequestsOf(BRANCH)).map((one) => one.state)).toEqual(["closed"]);
  server.assertValid();
});

test("an open pull request of the branch is adopted", async () => {
  await commitFiles(repository.bare, BRANCH, { b: "2" }, "change");
  const first = await host.openPullRequest(request);
  expect(await host.openPullRequest({ ...request, title: "Other" })).toEqual(asListed(first));
  expect((await server.pullRequests()).length).toBe(1);
  server.assertValid();
});

test("a branch that was pushed a moment ago is asked for again, until GitHub sees its commits", async () => {
  await commitFiles(repository.bare, request.branch, { b: "2" }, "change");
  const late = invalid("PullRequest", `No commits between main and ${request.branch}`);
  for (let count = 0; count < 3; count += 1)
    server.answers.push({ method: "POST", path: /\/pulls$/, ...late });
  expect(await host.openPullRequest(request)).toMatchObject({ number: 1 });
  expect(server.requests.filter(({ kind }) => kind.startsWith("POST"))).toHaveLength(4);
});

test("what was submitted too quickly is tried again, later than what is only listed late", async () => {
  await commitFiles(repository.bare, request.branch, { b: "2" }, "change");
  const quick = invalid("PullRequest", "was submitted too quickly");
  for (let count = 0; count < 3; count += 1)
    server.answers.push({ method: "POST", path: /\/pulls$/, ...quick });
  expect(await host.openPullRequest(request)).toMatchObject({ number: 1 });
  expect(server.requests.filter(({ kind }) => kind.startsWith("POST"))).toHaveLength(4);
});

test("a branch that has nothing new has no pull request", async () => {
  expect(await host.openPullRequest(request)).toBeUndefined();
});

test("where Actions may not create pull requests the setting is named", async () => {
  await commitFiles(repository.bare, BRANCH, { b: "2" }, "change");
  server.mayCreatePullRequests = false;
  await expect(host.openPullRequest(request)).rejects.toMatchObject({
    code: "host-failed",
    hint: expect.stringContaining("Allow GitHub Actions to create and approve pull requests"),
  });
});

test("a wrong token, a missing permission and a missing base say what to do, without the token", async () => {
  const wrong = createGithubHost({ apiUrl: server.apiUrl, repository: "owner/repo", token: "ghs_wrong" });
  const failure = await wrong.pullRequestsOf(BRANCH).catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ code: "host-failed", hint: expect.stringContaining("github-token") });
  expect(String(failure)).not.toContain("ghs_wrong");
  server.answers.push({
    method: "GET",
    path: /pulls$/,
    status: 403,
    body: { message: "Resource not accessible by integration" },
  });
  await expect(host.pullRequestsOf(BRANCH)).rejects.toMatchObject({
    hint: expect.stringContaining("pull-requests: write"),
  });
  await expect(host.openPullRequest({ ...request, base: "gone" })).rejects.toMatchObject({
    code: "host-failed",
  });
});

test("a server that fails, and a rate limit, are waited out", async () => {
  const path = /pulls$/;
  server.answers.push({ method: "GET", path, status: 502, body: { message: "Bad gateway" } });
  server.answers.push({
    method: "GET",
    path,
    status: 403,
    body: { message: "You have exceeded a secondary rate limit. Please wait a few minutes." },
    headers: { "retry-after": "1" },
  });
  expect(await host.pullRequestsOf(BRANCH)).toEqual([]);
  expect(server.requests.length).toBe(3);
});

test("an answer that breaks off is asked for again: it is no empty one", async () => {
  await commitFiles(repository.bare, BRANCH, { b: "2" }, "change");
  server.cutAnswers.push({ method: "POST", path: /pulls$/ });
  const opened = await host.openPullRequest(request);
  expect(opened).toMatchObject({ number: 1, state: "open" });
  // It may have been there before.
  expect(opened?.isNew).toBeUndefined();
  server.cutAnswers.push({ method: "GET", path: /pulls$/ });
  expect(await host.pullRequestsOf(BRANCH)).toEqual([opened]);
  // Ended as it should, and still not whole.
  const headers = { "content-type": "application/json" };
  server.answers.push({ method: "GET", path: /pulls$/, status: 200, body: undefined, headers });
  expect(await host.pullRequestsOf(BRANCH)).toEqual([opened]);
});

test("a list of several pages is read whole", async () => {
  await commitFiles(repository.bare, BRANCH, { b: "2" }, "change");
  const opened = await host.openPullRequest(request);
  const next = `<${server.apiUrl}/repos/owner/repo/pulls?state=all&per_page=100&page=1>; rel="next"`;
  server.answers.push({ method: "GET", path: /pulls$/, status: 200, body: [], headers: { link: next } });
  expect(await host.pullRequestsOf(BRANCH)).toEqual([asListed(opened)]);
});

test("a list of the newest says whether it is whole", async () => {
  await commitFiles(repository.bare, BRANCH, { b: "2" }, "change");
  const opened = await host.openPullRequest(request);
  await server.endPullRequest(1, "merged");
  const found = [{ ...asListed(opened), state: "closed", branch: BRANCH }];
  expect(await host.recentPullRequests("looplia/", 1)).toEqual({ found, isWhole: true });
  expect(await host.recentPullRequests("other/", 1)).toEqual({ found: [], isWhole: true });
  const next = `<${server.apiUrl}/repos/owner/repo/pulls?state=all&per_page=100&page=1>; rel="next"`;
  const first = { method: "GET", path: /pulls$/, status: 200, body: [], headers: { link: next } };
  server.answers.push(first);
  expect(await host.recentPullRequests("looplia/", 1)).toEqual({ found: [], isWhole: false });
  server.answers.push(first);
  expect(await host.recentPullRequests("looplia/", 2)).toEqual({ found, isWhole: true });
});

test("open ones are found by the beginning of their branch; a fork's is never ours", async () => {
  await commitFiles(repository.bare, BRANCH, { b: "2" }, "change");
  const opened = await host.openPullRequest(request);
  expect(await host.openPullRequests("looplia/")).toEqual([{ ...asListed(opened), branch: BRANCH }]);
  expect(await host.openPullRequests("other/")).toEqual([]);
  const [reply] = await server.pullRequests();
  for (const repo of [null, { full_name: "stranger/repo" }]) {
    const body = [{ ...reply, head: { ...reply?.head, repo } }];
    server.answers.push({ method: "GET", path: /pulls$/, status: 200, body });
    expect(await host.pullRequestsOf(BRANCH)).toEqual([]);
  }
  server.assertValid();
});

test("without a connection it says what to check", async () => {
  await server.close();
  const failure = await host.pullRequestsOf(BRANCH).catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ code: "host-failed", hint: expect.stringContaining("GITHUB_API_URL") });
  server = await startGithubServer({ repository: "owner/repo", token: TOKEN, git: repository.git });
});

test("a text over the limit is never sent", async () => {
  await expect(host.openPullRequest({ ...request, body: "x".repeat(65_537) })).rejects.toThrow(/65536/);
  expect(server.requests).toEqual([]);
});

test("the server tells a request that breaks the contract", async () => {
  await fetch(`${server.apiUrl}/repos/owner/repo/pulls`, {
    method: "POST",
    headers: { authorization: `token ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ title: 1, base: "main" }),
  });
  expect(() => server.assertValid()).toThrow(/request/);
  await expect(server.close()).rejects.toThrow(/request/);
});
