// A run ends before its token does: GitHub says when a person's token expires, and an app's lives for an hour.
import { expect, test } from "vitest";
import { createGithubHost } from "../../src/github/pulls.ts";
import { minutesOf } from "../../src/work/in-hand.ts";
import type { WakeRun } from "../../src/work/run.ts";
import { startGithubServer } from "../fakes/github-server.ts";

const ACTIONS = 41_898_282;
const NOW = Date.parse("2026-05-04T10:00:00Z");

function minutes(
  life: { endsAt?: Date; isApp: boolean },
  authorId?: number,
  serverUrl = "https://github.com",
) {
  const run = {
    found: { settings: { timeoutMinutes: 300 } },
    host: { tokenLife: async () => life },
    // The process has run for two minutes.
    clock: { now: () => new Date(NOW), elapsed: () => 120_000 },
    facts: { serverUrl },
  } as unknown as WakeRun;
  return minutesOf(run, authorId);
}

test.each<[string, Parameters<typeof minutes>, number]>([
  ["the job's own token lives as long as the job", [{ isApp: true }, ACTIONS], 300],
  ["nobody knows yet whose token it is", [{ isApp: true }], 300],
  ["an app's token lives for an hour", [{ isApp: true }, 1006], 55],
  ["elsewhere the job's own account has another number", [{ isApp: true }, 1006, "https://git.example"], 300],
  ["a person's token without an end", [{ isApp: false }, 7], 300],
  ["a token that ends in half an hour", [{ isApp: false, endsAt: new Date(NOW + 1_800_000) }, 7], 27],
  ["a token that ends next month", [{ isApp: false, endsAt: new Date(NOW + 2_600_000_000) }, 7], 300],
])("%s", async (_, given, expected) => {
  expect(await minutes(...given)).toBe(expected);
});

test("the end of a token is read from any answer of GitHub's", async () => {
  const token = "github_pat_ofSomebody";
  const server = await startGithubServer({ repository: "owner/repo", token, git: async () => "" });
  try {
    const host = createGithubHost({ apiUrl: server.apiUrl, repository: "owner/repo", token });
    expect(await host.tokenLife()).toEqual({ isApp: false });
    const headers = { "github-authentication-token-expiration": "2026-05-04 10:30:00 UTC" };
    server.answers.push({ method: "GET", path: /\/pulls$/, status: 200, body: [], headers });
    await host.pullRequestsOf("looplia/x");
    expect(await host.tokenLife()).toEqual({ isApp: false, endsAt: new Date("2026-05-04T10:30:00Z") });
  } finally {
    await server.close();
  }
});
