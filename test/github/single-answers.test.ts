// What the client does with single answers of GitHub: limits, servers that fail, and answers that break off.
import nock from "nock";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createGithubHost } from "../../src/github/pulls.ts";

const API = "https://api.github.test";
const BRANCH = "looplia/writing-kit-abc123";
const REPOSITORY = { repo: { full_name: "owner/repo" } };
const PULL = {
  ...{ number: 1, state: "open", title: "T", body: "B", html_url: `${API}/1` },
  head: { ref: BRANCH, sha: "a", ...REPOSITORY },
  base: { ref: "main", sha: "b", ...REPOSITORY },
};

beforeAll(() => {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
});
afterEach(() => nock.cleanAll());
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

/** What the client says of a branch's pull requests; the answers come in this order. */
async function ask(...answers: ((interceptor: nock.Interceptor) => nock.Scope)[]) {
  const scopes = answers.map((answer) => answer(nock(API).get("/repos/owner/repo/pulls").query(true)));
  const place = { apiUrl: API, repository: "owner/repo", token: "ghs_canary", secondMs: 1 };
  const told = await createGithubHost(place)
    .pullRequestsOf(BRANCH)
    .catch((error: Error) => error);
  return { told, isEachUsed: scopes.every((scope) => scope.isDone()) };
}

const good = (interceptor: nock.Interceptor) => interceptor.reply(200, [PULL]);
const json = { "content-type": "application/json" };

test.each<[string, (interceptor: nock.Interceptor) => nock.Scope]>([
  [
    "a secondary rate limit",
    (one) => one.reply(403, { message: "You have exceeded a secondary rate limit" }, { "retry-after": "2" }),
  ],
  [
    "a rate limit of a few seconds",
    (one) => one.reply(429, { message: "rate limit" }, { "retry-after": "3" }),
  ],
  [
    "an error of the server",
    (one) => one.reply(502, "<html>bad gateway</html>", { "content-type": "text/html" }),
  ],
  ["a body that breaks off", (one) => one.reply(200, '[{"number": 1, "sta', json)],
  [
    "a connection that breaks off",
    (one) => one.replyWithError(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" })),
  ],
])("%s is waited out, and the next answer counts", async (_, bad) => {
  const { told, isEachUsed } = await ask(bad, good);
  expect([told, isEachUsed]).toEqual([[expect.objectContaining({ number: 1 })], true]);
});

test("the hour's limit is told at once: nobody waits an hour", async () => {
  const reset = String(Math.floor(Date.now() / 1000) + 3_000);
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
  const { told } = await ask((one) => one.reply(403, { message: "API rate limit exceeded" }, headers));
  expect(told).toMatchObject({ code: "host-failed", hint: expect.stringContaining("run again later") });
});

test("a refusal is told in GitHub's words, without the token", async () => {
  const { told } = await ask((one) => one.reply(404, { message: "Not Found" }));
  expect(told).toMatchObject({ code: "host-failed", message: expect.stringMatching(/\(404\): Not Found/) });
  expect(String(told)).not.toContain("ghs_canary");
});
