// The people's side of a pull request, against a local server that holds both sides to GitHub's contract.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CheckRun, Discussion } from "../../src/core/ports-host.ts";
import { createGithubDiscussion } from "../../src/github/discussion.ts";
import { createGithubHost } from "../../src/github/pulls.ts";
import { respondTo } from "../../src/work/trigger.ts";
import { commitFiles, type GitServer, startGitServer } from "../fakes/git-http.ts";
import { type GithubServer, startGithubServer } from "../fakes/github-server.ts";
import { ACTIONS } from "../fakes/github-server-accounts.ts";
import { answerEvent, commentEvent, type DeliveredEvent } from "../fakes/github-server-events.ts";

const TOKEN = "ghs_canary";
let root: string;
let repository: GitServer;
let server: GithubServer;
let discussion: Discussion;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "looplia-discussion-"));
  repository = await startGitServer({ root, repository: "owner/repo", token: TOKEN, files: { a: "1" } });
  server = await startGithubServer({ repository: "owner/repo", token: TOKEN, git: repository.git });
  server.profile.numbers.add(1).add(2);
  server.accounts.addPerson("ada", "write");
  discussion = createGithubDiscussion({
    apiUrl: server.apiUrl,
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

const COMMENTS = /issues\/1\/comments$/;

describe("comments", () => {
  test("of the whole repository are listed with their pull requests", async () => {
    server.comments.say("ada", "long ago", { pullRequest: 1, createdAt: "2026-01-01T00:00:00Z" });
    server.comments.say("ada", "now", { pullRequest: 2, createdAt: "2026-02-01T00:00:00Z" });
    const recent = await discussion.recentComments("2026-01-15T00:00:00Z");
    expect(recent).toMatchObject([{ body: "now", number: 2 }]);
    expect(recent).toHaveLength(1);
  });
  test("are posted, listed and edited, and say who the program is there", async () => {
    const posted = await discussion.postComment(1, "A question");
    expect(posted).toMatchObject({
      author: { id: ACTIONS.id, login: "github-actions[bot]", isBot: true },
      app: { id: 15368, slug: "github-actions" },
      body: "A question",
      url: expect.stringMatching(/issues\/1#issuecomment-\d+$/),
    });
    const said = server.comments.say("ada", "/approve");
    const edited = await discussion.editComment(posted.id, "Answered");
    expect(edited).toMatchObject({ id: posted.id, body: "Answered" });
    expect(edited?.updatedAt).not.toBe(edited?.createdAt);
    const listed = await discussion.comments(1);
    expect(listed.map(({ id }) => id)).toEqual([posted.id, said.id]);
    expect(listed[1]).toEqual({
      id: said.id,
      url: expect.any(String),
      author: { id: said.author.id, login: "ada", isBot: false },
      body: "/approve",
      createdAt: said.createdAt,
      updatedAt: said.createdAt,
    });
    expect(await discussion.comments(2)).toEqual([]);
    server.assertValid();
  });

  test("of several pages are read whole", async () => {
    for (let count = 0; count < 205; count++) server.comments.say("ada", `comment ${count}`);
    expect((await discussion.comments(1)).map(({ body }) => body)).toEqual(
      Array.from({ length: 205 }, (_, count) => `comment ${count}`),
    );
    expect(server.requests.length).toBe(3);
    server.assertValid();
  });

  test("are read again where the list breaks off: they are not gone", async () => {
    const said = server.comments.say("ada", "/approve");
    server.cutAnswers.push({ method: "GET", path: COMMENTS });
    expect((await discussion.comments(1)).map(({ id }) => id)).toEqual([said.id]);
    server.cutAnswers.push({ method: "POST", path: COMMENTS });
    const posted = await discussion.postComment(1, "A question");
    expect((await discussion.comments(1)).map(({ id }) => id)).toEqual([said.id, posted.id]);
  });

  test("since a moment are those that were written then; an old one that was edited is not", async () => {
    const old = server.comments.say("ada", "old", { createdAt: "2026-01-01T00:00:00Z" });
    const written = server.comments.say("ada", "new", { createdAt: "2026-01-02T00:00:00Z" });
    server.comments.edit(old.id, "/approve");
    const found = await discussion.comments(1, "2026-01-02T00:00:00Z");
    expect(found.map(({ id }) => id)).toEqual([written.id]);
    expect(server.requests[0]?.query.since).toBe("2026-01-02T00:00:00Z");
  });

  test("of accounts that are gone have no author; apps are told", async () => {
    server.comments.say("ada", "by hand");
    server.comments.say("ada", "by an app", { app: { id: 9, slug: "chat" } });
    server.accounts.addPerson("gone");
    server.comments.say("gone", "/approve");
    server.accounts.delete("gone");
    const [byHand, byApp, gone] = await discussion.comments(1);
    expect(byHand?.app).toBeUndefined();
    expect(byApp?.app).toEqual({ id: 9, slug: "chat" });
    expect(gone?.author).toBeNull();
    server.assertValid();
  });

  test("that somebody deleted can't be edited and need no reaction", async () => {
    const posted = await discussion.postComment(1, "A question");
    server.comments.delete(posted.id);
    expect(await discussion.editComment(posted.id, "x")).toBeUndefined();
    await discussion.react(posted.id, "eyes");
    server.assertValid();
  });

  test("whose acknowledgement was lost are found, not posted again", async () => {
    server.lostAnswers.push({ method: "POST", path: COMMENTS });
    const posted = await discussion.postComment(1, "A question\r\nof two lines");
    expect(server.comments.all.map(({ id }) => id)).toEqual([posted.id]);
  });

  test("that a failing server did not take are not found in a person's copy", async () => {
    server.comments.say("ada", "A question");
    server.answers.push({ method: "POST", path: COMMENTS, status: 502, body: { message: "Bad gateway" } });
    const posted = await discussion.postComment(1, "A question");
    expect(posted.author?.id).toBe(ACTIONS.id);
    expect(server.comments.all).toHaveLength(2);
  });

  test("that a failing server did not take are posted again, once", async () => {
    server.answers.push({ method: "POST", path: COMMENTS, status: 502, body: { message: "Bad gateway" } });
    const posted = await discussion.postComment(1, "A question");
    expect(server.comments.all.map(({ id }) => id)).toEqual([posted.id]);
    for (let count = 0; count < 2; count++) {
      server.answers.push({ method: "POST", path: COMMENTS, status: 502, body: { message: "Bad gateway" } });
    }
    await expect(discussion.postComment(1, "Another")).rejects.toMatchObject({ code: "host-failed" });
    expect(server.comments.all.length).toBe(1);
  });

  test("over GitHub's limit are never sent", async () => {
    await expect(discussion.postComment(1, "x".repeat(65_537))).rejects.toThrow(/65536/);
    await expect(discussion.editComment(1, "x".repeat(65_537))).rejects.toThrow(/65536/);
    expect(server.requests).toEqual([]);
  });

  test("in a locked conversation say so", async () => {
    const message = "Unable to create comment because issue is locked.";
    server.answers.push({ method: "POST", path: COMMENTS, status: 403, body: { message } });
    await expect(discussion.postComment(1, "x")).rejects.toMatchObject({
      code: "host-failed",
      hint: expect.stringContaining("unlock"),
    });
  });

  test("wait out a rate limit of a minute, and no longer one", async () => {
    const limit = (seconds: string) => ({
      method: "POST",
      path: COMMENTS,
      status: 403,
      body: { message: "You have exceeded a secondary rate limit. Please wait." },
      headers: { "retry-after": seconds },
    });
    server.answers.push(limit("60"));
    expect((await discussion.postComment(1, "first")).body).toBe("first");
    server.answers.push(limit("61"));
    await expect(discussion.postComment(1, "second")).rejects.toMatchObject({
      code: "host-failed",
      hint: expect.stringContaining("later"),
    });
    expect(server.comments.all.length).toBe(1);
  });

  test("are at most eighty a minute", async () => {
    const minuteMs = 60 * 20;
    const place = { apiUrl: server.apiUrl, repository: "owner/repo", token: TOKEN, secondMs: 20 };
    const paced = createGithubDiscussion(place);
    const started = performance.now();
    const posts = Array.from({ length: 81 }, (_, count) => paced.postComment(1, `comment ${count}`));
    await Promise.all(posts);
    expect(performance.now() - started).toBeGreaterThan(minuteMs * 0.9);
    expect(server.comments.all.length).toBe(81);
  });
});

test("a server that says nothing is asked again, and given up", async () => {
  const place = {
    apiUrl: server.apiUrl,
    repository: "owner/repo",
    token: TOKEN,
    secondMs: 1,
    timeoutMs: 300,
  };
  const hurried = createGithubDiscussion(place);
  let silent = 1;
  server.onRequest = async () => {
    if (silent-- > 0) await new Promise((resolve) => setTimeout(resolve, 900));
  };
  expect(await hurried.comments(1)).toEqual([]);
  silent = 100;
  await expect(hurried.comments(1)).rejects.toMatchObject({
    code: "host-failed",
    hint: expect.stringContaining("network"),
  });
});

test("the same reaction twice is one", async () => {
  const said = server.comments.say("ada", "/approve");
  await discussion.react(said.id, "eyes");
  await discussion.react(said.id, "eyes");
  await discussion.react(said.id, "rocket");
  await discussion.react(said.id, "confused");
  expect(server.comments.reactionsOf(said.id)).toEqual(["eyes", "rocket", "confused"]);
  server.assertValid();
});

describe("permission", () => {
  test.each(["read", "triage", "write", "maintain", "admin"] as const)(
    "%s is told as it is",
    async (role) => {
      const { id } = server.accounts.addPerson("grace", role);
      expect(await discussion.permissionOf("grace")).toEqual({ role, userId: id });
      server.assertValid();
    },
  );
  test("is asked again each time: revoked is revoked", async () => {
    expect((await discussion.permissionOf("ada")).role).toBe("write");
    server.accounts.setRole("ada", "read");
    expect((await discussion.permissionOf("ada")).role).toBe("read");
  });
  test("of a stranger is read in a public repository, none in a private one", async () => {
    server.accounts.addPerson("stranger");
    expect((await discussion.permissionOf("stranger")).role).toBe("read");
    server.accounts.isPrivate = true;
    expect((await discussion.permissionOf("stranger")).role).toBe("none");
  });
  test("of an account that is gone is none", async () => {
    expect(await discussion.permissionOf("nobody")).toEqual({ role: "none", userId: undefined });
    expect(await discussion.permissionOf("../../admin")).toEqual({ role: "none", userId: undefined });
    server.assertValid();
  });
  test("tells by its id that a login has passed to another account", async () => {
    const before = await discussion.permissionOf("ada");
    server.accounts.delete("ada");
    server.accounts.addPerson("ada", "admin");
    expect((await discussion.permissionOf("ada")).userId).not.toBe(before.userId);
  });
  test("by a role of the organisation's own is the level beneath it", async () => {
    const { body } = server.accounts.permission("ada");
    const path = /ada\/permission$/;
    const custom = { ...(body as object), role_name: "releaser" };
    server.answers.push({ method: "GET", path, status: 200, body: custom });
    expect((await discussion.permissionOf("ada")).role).toBe("write");
  });
  test("that can't be read is a failure, never a permission", async () => {
    const path = /ada\/permission$/;
    server.answers.push({ method: "GET", path, status: 403, body: { message: "Must have push access" } });
    await expect(discussion.permissionOf("ada")).rejects.toMatchObject({ code: "host-failed" });
  });
});

describe("teams", () => {
  const team = { org: "acme", slug: "reviewers" };
  test("tell their members", async () => {
    server.accounts.teams.set("acme/reviewers", new Set(["ada"]));
    expect(await discussion.isTeamMember(team, "ada")).toBe(true);
    expect(await discussion.isTeamMember(team, "grace")).toBe(false);
    server.assertValid();
  });
  test("that the token can't read are an error of the configuration", async () => {
    const wrong = { code: "config-invalid", hint: expect.stringContaining("name logins") };
    await expect(discussion.isTeamMember(team, "ada")).rejects.toMatchObject(wrong);
    server.accounts.mayReadTeams = false;
    await expect(discussion.isTeamMember(team, "ada")).rejects.toMatchObject(wrong);
  });
  test("that a rate limit keeps from being read are none", async () => {
    server.accounts.teams.set("acme/reviewers", new Set(["ada"]));
    const body = { message: "You have exceeded a secondary rate limit." };
    const headers = { "retry-after": "61" };
    server.answers.push({ method: "GET", path: /memberships\/ada$/, status: 403, body, headers });
    const limited = { code: "host-failed", hint: expect.stringContaining("run again later") };
    await expect(discussion.isTeamMember(team, "ada")).rejects.toMatchObject(limited);
  });
});

describe("a workflow run", () => {
  test("is live until that attempt is completed", async () => {
    for (const status of ["queued", "in_progress", "waiting"]) {
      server.checks.runs.set("100.1", status);
      expect(await discussion.isRunLive("100", "1"), status).toBe(true);
    }
    server.checks.runs.set("100.1", "completed");
    server.checks.runs.set("100.2", "in_progress");
    expect(await discussion.isRunLive("100", "1")).toBe(false);
    expect(await discussion.isRunLive("100", "2")).toBe(true);
    server.assertValid();
  });
  test("that can't be read is neither", async () => {
    expect(await discussion.isRunLive("7", "1")).toBeUndefined();
    server.checks.mayReadRuns = false;
    expect(await discussion.isRunLive("100", "1")).toBeUndefined();
    const before = server.requests.length;
    expect(await discussion.isRunLive("local", "1")).toBeUndefined();
    expect(server.requests.length).toBe(before);
  });
});

describe("the check", () => {
  const check = async (changes: Partial<CheckRun> = {}): Promise<CheckRun> => ({
    headSha: await repository.git("rev-parse", "main"),
    name: "looplia kit-abc123",
    conclusion: "neutral",
    title: "1 question is open",
    summary: "[q1-0a1b2c](https://example.com)",
    detailsUrl: "https://example.com/1",
    ...changes,
  });
  test("is made once and changed then", async () => {
    const id = await discussion.saveCheck(await check());
    expect(server.checks.all).toMatchObject([
      { id, status: "completed", conclusion: "neutral", title: "1 question is open" },
    ]);
    const done = await check({ ...(id === undefined ? {} : { id }), conclusion: "success", title: "Done" });
    expect(await discussion.saveCheck(done)).toBe(id);
    expect(server.checks.all).toMatchObject([{ id, conclusion: "success", title: "Done" }]);
    server.assertValid();
  });
  test("is not looked up where there can be none", async () => {
    await discussion.saveCheck(await check({ isFirst: true }));
    expect(server.requests.map(({ method }) => method)).toEqual(["POST"]);
  });
  test("is found where its id was lost, and where its acknowledgement was", async () => {
    server.lostAnswers.push({ method: "POST", path: /check-runs$/ });
    const id = await discussion.saveCheck(await check());
    expect(await discussion.saveCheck(await check({ title: "Again" }))).toBe(id);
    expect(server.checks.all).toMatchObject([{ id, title: "Again" }]);
  });
  test("never changes a job of the same name", async () => {
    const { app } = ACTIONS;
    const id = await discussion.saveCheck(await check());
    const [ours] = server.checks.all;
    if (!ours || !app) throw new Error("there is no check");
    server.checks.all.unshift({ ...ours, id: 1, externalId: "job" });
    expect(await discussion.saveCheck(await check({ title: "Again" }))).toBe(id);
    expect(server.checks.all[0]).toMatchObject({ id: 1, title: "1 question is open" });
  });
  test("of another app is left alone: a new one is made", async () => {
    const first = await discussion.saveCheck(await check());
    const [ours] = server.checks.all;
    if (!ours || first === undefined) throw new Error("there is no check");
    ours.app = { id: 9, slug: "other" };
    expect(await discussion.saveCheck(await check({ id: first }))).not.toBe(first);
  });
  test("is left out without a failure where the token may not write checks", async () => {
    server.checks.mayWrite = false;
    expect(await discussion.saveCheck(await check())).toBeUndefined();
    expect(await discussion.saveCheck(await check({ id: 7 }))).toBeUndefined();
    server.assertValid();
  });
  test("whose texts GitHub would refuse is never sent", async () => {
    await expect(discussion.saveCheck(await check({ summary: "x".repeat(65_536) }))).rejects.toThrow(/65535/);
    await expect(discussion.saveCheck(await check({ title: "x".repeat(256) }))).rejects.toThrow(/255/);
    expect(server.requests).toEqual([]);
  });
});

describe("a pull request", () => {
  test("tells its head, its base and whether it is a draft, merged or a fork's", async () => {
    const host = createGithubHost({
      apiUrl: server.apiUrl,
      repository: "owner/repo",
      token: TOKEN,
      secondMs: 5,
    });
    await repository.git("branch", "looplia/kit-1", "main");
    await commitFiles(repository.bare, "looplia/kit-1", { b: "2" }, "change");
    const request = { branch: "looplia/kit-1", base: "main", title: "A title", body: "" };
    await host.openPullRequest(request);
    expect(await host.pullRequest(1)).toMatchObject({ isDraft: false });
    await server.makeDraft(1);
    expect(await host.pullRequest(1)).toMatchObject({
      number: 1,
      state: "open",
      branch: "looplia/kit-1",
      headSha: await repository.git("rev-parse", "looplia/kit-1"),
      headRepository: "owner/repo",
      base: "main",
      isMerged: false,
      isDraft: true,
      author: { id: ACTIONS.id, login: "github-actions[bot]" },
    });
    server.makeFork(1, "stranger/repo");
    expect(await host.pullRequest(1)).toMatchObject({ headRepository: "stranger/repo" });
    await server.endPullRequest(1, "merged");
    expect(await host.pullRequest(1)).toMatchObject({ state: "closed", isMerged: true });
    expect(await host.pullRequest(99)).toBeUndefined();
    server.assertValid();
  });
});

describe("events as GitHub delivers them", () => {
  const facts = (delivered: DeliveredEvent) => ({
    ...delivered,
    ref: "refs/heads/main",
    sha: "a".repeat(40),
  });
  test("wake by a new comment, by no edit and no deletion", () => {
    const said = server.comments.say("ada", "/approve", { pullRequest: 7 });
    const none = { allowedBots: [] };
    expect(respondTo(facts(commentEvent(server, said)), none)).toEqual({ pullRequest: 7 });
    expect(respondTo(facts(commentEvent(server, said, "edited")), none)).toMatchObject({
      reasonCode: "no-command",
    });
    expect(respondTo(facts(commentEvent(server, said, "deleted")), none)).toMatchObject({
      reasonCode: "no-command",
    });
  });
  test("wake by an allowed bot's dispatch, and not by a person's", () => {
    const bot = server.accounts.addBot("helper");
    const said = { pullRequest: 7, command: "/approve q1-0a1b2c", sender: "ada" };
    const settings = { allowedBots: [`helper:${bot.id}`] };
    expect(respondTo(facts(answerEvent(server, bot, said)), settings)).toEqual({
      pullRequest: 7,
      dispatched: { command: said.command, sender: "ada", bot: { id: bot.id, login: "helper[bot]" } },
    });
    const person = server.accounts.need("ada");
    expect(respondTo(facts(answerEvent(server, person, said)), settings)).toMatchObject({
      reasonCode: "not-permitted",
    });
  });
});

test("the server counts requests by kind, and an unknown token is nobody", async () => {
  await discussion.comments(1);
  await discussion.postComment(1, "x");
  await discussion.permissionOf("ada");
  expect(server.countByKind()).toEqual({
    "GET /repos/{owner}/{repo}/issues/{issue_number}/comments": 1,
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": 1,
    "GET /repos/{owner}/{repo}/collaborators/{username}/permission": 1,
  });
  const stranger = createGithubDiscussion({
    apiUrl: server.apiUrl,
    repository: "owner/repo",
    token: "wrong",
  });
  await expect(stranger.postComment(1, "x")).rejects.toMatchObject({
    hint: expect.stringContaining("github-token"),
  });
  expect(server.comments.all.length).toBe(1);
});

test("the program can't approve or merge: GitHub's description, as its requests are held against it, has no such operation", async () => {
  const slice = JSON.parse(
    await readFile(join(import.meta.dirname, "../data/github-api/openapi-slice.json"), "utf8"),
  );
  const paths = Object.keys(slice.paths);
  expect(paths).toContain("/repos/{owner}/{repo}/pulls/{pull_number}");
  expect(paths.filter((path) => /reviews|merge|approve/i.test(path))).toEqual([]);
});
