// Which events wake the work of a pull request.

import { describe, expect, test } from "vitest";
import type { PullRequestDetails } from "../../src/core/ports-host.ts";
import { findWork, respondTo } from "../../src/work/trigger.ts";
import fc from "../fakes/properties.ts";

const event = (name: string, payload: unknown) => ({
  name,
  payload,
  ref: "refs/heads/main",
  sha: "a".repeat(40),
});
const comment = (changes: object = {}) =>
  event("issue_comment", {
    action: "created",
    issue: { number: 7, pull_request: { url: "https://api.github.com/repos/o/r/pulls/7" } },
    comment: { body: "/approve" },
    ...changes,
  });
const none = { allowedBots: [] };

describe("a comment", () => {
  test("that is new, on a pull request and begins with a slash wakes", () => {
    expect(respondTo(comment(), none)).toEqual({ pullRequest: 7 });
  });
  test.each<[string, object]>([
    ["was edited", { action: "edited" }],
    ["was deleted", { action: "deleted" }],
    ["is on an issue", { issue: { number: 7 } }],
    ["is plain talk", { comment: { body: "Nice work! /approve" } }],
    ["is empty", { comment: { body: null } }],
    ["has no number", { issue: { number: "7", pull_request: {} } }],
  ])("that %s wakes nothing", (_, changes) => {
    expect(respondTo(comment(changes), none)).toMatchObject({ reasonCode: "no-command" });
  });
});

describe("a dispatched answer", () => {
  const bot = { id: 500, login: "helper[bot]", type: "Bot" };
  const dispatch = (sender: object, said: object = {}) =>
    event("repository_dispatch", {
      action: "looplia-answer",
      sender,
      client_payload: { pullRequest: 7, command: "/approve q1-0a1b2c", sender: "ada", ...said },
    });
  const allowed = { allowedBots: ["helper:500"] };

  test("of an allowed bot wakes, with what it says for whom", () => {
    expect(respondTo(dispatch(bot), allowed)).toEqual({
      pullRequest: 7,
      dispatched: { command: "/approve q1-0a1b2c", sender: "ada", bot: { id: 500, login: "helper[bot]" } },
    });
  });
  test.each<[string, object, string[]]>([
    ["of a person", { id: 500, login: "helper[bot]", type: "User" }, ["helper:500"]],
    ["of another bot with that id", { ...bot, login: "other[bot]" }, ["helper:500"]],
    ["of a bot with another id", { ...bot, id: 501 }, ["helper:500"]],
    ["of a bot that nobody allowed", bot, []],
    ["of a bot that a wildcard would allow", bot, ["*", "helper:*", "helper"]],
    ["of a bot that an entry only ends with", bot, ["o/helper:500", "-helper:500"]],
    ["of nobody", {}, ["helper:500"]],
  ])("%s does not count", (_, sender, allowedBots) => {
    expect(respondTo(dispatch(sender), { allowedBots })).toMatchObject({ reasonCode: "not-permitted" });
  });
  test.each([
    { pullRequest: "7" },
    { pullRequest: -1 },
    { command: "" },
    { sender: "" },
    { sender: "a/../b" },
  ])("with %j is none", (said) => {
    expect(respondTo(dispatch(bot, said), allowed)).toMatchObject({ reasonCode: "no-command" });
  });
});

test.each([
  "push",
  "schedule",
  "workflow_dispatch",
  "pull_request",
  "check_run",
  "pull_request_review_comment",
])("%s is another matter", (name) => {
  expect(respondTo(event(name, { action: "created" }), none)).toBeUndefined();
});
test("another dispatch is another matter", () => {
  expect(respondTo(event("repository_dispatch", { action: "nightly" }), none)).toBeUndefined();
});

describe("the work of a pull request", () => {
  const own = { repository: "Owner/repo", branchPrefix: "looplia/" };
  const pullRequest: PullRequestDetails = {
    number: 7,
    url: "https://github.com/owner/repo/pull/7",
    state: "open",
    title: "",
    body: "",
    branch: "looplia/writing-kit-0a1b2c",
    headSha: "a".repeat(40),
    headRepository: "owner/Repo",
    base: "main",
    isMerged: false,
    isDraft: false,
    author: null,
  };
  test("is named by its branch", () => {
    expect(findWork(pullRequest, own)).toEqual({ workId: "writing-kit-0a1b2c" });
  });
  test.each<[string, Partial<PullRequestDetails> | undefined, string]>([
    ["a fork's", { headRepository: "stranger/repo" }, "fork-or-untrusted-event"],
    ["a fork's that is gone", { headRepository: undefined }, "fork-or-untrusted-event"],
    ["of another branch", { branch: "feature" }, "no-command"],
    [
      "of another branch with an id at the same place",
      { branch: "feature/writing-kit-0a1b2c" },
      "no-command",
    ],
    ["of the prefix alone", { branch: "looplia/" }, "no-command"],
    ["of a branch that is no id", { branch: "looplia/../x" }, "no-command"],
    ["that is not there", undefined, "no-command"],
  ])("is none where it is one %s", (_, changes, reasonCode) => {
    const found = changes && { ...pullRequest, ...changes };
    expect(findWork(found, own)).toMatchObject({ reasonCode });
  });
});

test("no payload makes it fail", () => {
  fc.assert(
    fc.property(fc.constantFrom("issue_comment", "repository_dispatch"), fc.anything(), (name, payload) => {
      respondTo(event(name, payload), { allowedBots: ["helper:500"] });
    }),
  );
});
