import { describe, expect, test } from "vitest";
import {
  chooseRefs,
  defaultBranchOf,
  type EventFacts,
  isBranchName,
  refuseEvent,
} from "../../src/work/trigger.ts";
import fc from "../fakes/properties.ts";

const SHA = "a".repeat(40);
const repository = { branchPrefix: "looplia/", defaultBranch: "main" };

function event(name: string, changes: Partial<EventFacts> = {}): EventFacts {
  return { name, payload: {}, ref: "refs/heads/main", sha: "b".repeat(40), ...changes };
}

function pullRequest(head: unknown, base: unknown = { ref: "main", sha: SHA }): EventFacts {
  return event("pull_request", {
    ref: "refs/pull/1/merge",
    payload: { repository: { full_name: "o/r" }, pull_request: { head: { repo: head }, base } },
  });
}

describe("who may start a run", () => {
  test.each(["push", "schedule", "workflow_dispatch", "repository_dispatch"])("%s may", (name) => {
    expect(refuseEvent(event(name))).toBeUndefined();
  });
  test.each(["pull_request_target", "workflow_run", "issues", "fork", "watch", "discussion", ""])(
    "%s may not",
    (name) => {
      expect(refuseEvent(event(name))?.reasonCode).toBe("fork-or-untrusted-event");
    },
  );
  test.each(["issue_comment", "check_run"])("%s has no command", (name) => {
    expect(refuseEvent(event(name))?.reasonCode).toBe("no-command");
  });
  test("an answer has no question", () => {
    expect(
      refuseEvent(event("repository_dispatch", { payload: { action: "looplia-answer" } }))?.reasonCode,
    ).toBe("no-command");
  });
  test("a pull request of the repository itself may", () => {
    expect(refuseEvent(pullRequest({ full_name: "o/r" }))).toBeUndefined();
  });
  test.each([
    ["a fork", { full_name: "stranger/r" }],
    ["a deleted fork", null],
    ["nothing", undefined],
    ["a number", 1],
  ])("a pull request of %s may not", (_, head) => {
    expect(refuseEvent(pullRequest(head))?.reasonCode).toBe("fork-or-untrusted-event");
  });
  test.each([SHA.slice(1), `${SHA}a`, `${SHA} --exec`, ` ${SHA}`, SHA.toUpperCase()])(
    "a pull request whose base is at no commit, %j, may not, and a tag there is not trusted",
    (sha) => {
      expect(refuseEvent(pullRequest({ full_name: "o/r" }, { ref: "main", sha }))).toBeDefined();
      const tag = event("workflow_dispatch", { ref: "refs/tags/v1", sha });
      expect(chooseRefs(tag, repository).trusted).toEqual({ branch: "main" });
    },
  );
  test("a pull request without a repository may not, even if both are missing", () => {
    expect(refuseEvent(event("pull_request", { payload: { pull_request: null } }))).toBeDefined();
  });
});

describe("refs", () => {
  const main = { base: "main", trusted: { branch: "main" } };
  test.each<[string, EventFacts, object]>([
    ["push to main", event("push"), main],
    [
      "push to another branch",
      event("push", { ref: "refs/heads/draft" }),
      { base: "draft", trusted: { branch: "main" } },
    ],
    ["push to a work branch", event("push", { ref: "refs/heads/looplia/x" }), main],
    ["push of a tag", event("push", { ref: "refs/tags/v1" }), main],
    ["schedule", event("schedule"), main],
    ["repository_dispatch", event("repository_dispatch", { ref: "refs/heads/x" }), main],
    [
      "dispatch on a branch",
      event("workflow_dispatch", { ref: "refs/heads/draft" }),
      { base: "draft", trusted: { branch: "draft" } },
    ],
    ["dispatch on a work branch", event("workflow_dispatch", { ref: "refs/heads/looplia/kit-1" }), main],
    [
      "dispatch on a tag",
      event("workflow_dispatch", { ref: "refs/tags/v1", sha: SHA }),
      { base: "main", trusted: { branch: "main", commit: SHA } },
    ],
    ["dispatch on a hostile ref", event("workflow_dispatch", { ref: "refs/heads/a b" }), main],
    [
      "pull request",
      pullRequest({ full_name: "o/r" }, { ref: "next", sha: SHA }),
      { base: "next", trusted: { branch: "next", commit: SHA } },
    ],
    [
      "pull request onto a work branch",
      pullRequest({ full_name: "o/r" }, { ref: "looplia/x", sha: SHA }),
      main,
    ],
  ])("%s", (_, facts, refs) => {
    expect(chooseRefs(facts, repository)).toEqual(refs);
  });
});

test("the default branch is the payload's, if it is one", () => {
  expect(defaultBranchOf({ repository: { default_branch: "trunk" } })).toBe("trunk");
  for (const payload of [
    null,
    1,
    "x",
    {},
    { repository: null },
    { repository: { default_branch: "--upload-pack=x" } },
  ]) {
    expect(defaultBranchOf(payload)).toBeUndefined();
  }
});

test.each([
  "-x",
  "a..b",
  "a b",
  "a~1",
  "x.lock",
  "x.lock/y",
  "a:b",
  "/a",
  "a/",
  "a//b",
  ".a",
  "a/.b",
  "@",
  "a@{1}",
  "a\nb",
  "",
])("%j is no branch", (name) => {
  expect(isBranchName(name)).toBe(false);
});
test.each(["main", "feature/x_1", "looplia/kit-abc123", "grün", "v1.2"])("%j is a branch", (name) => {
  expect(isBranchName(name)).toBe(true);
});

test("no payload makes it crash, and no untrusted branch is ever trusted", () => {
  const names = fc.constantFrom(
    "push",
    "pull_request",
    "workflow_dispatch",
    "issue_comment",
    "schedule",
    "x",
  );
  const refs = fc.oneof(
    fc.string(),
    fc.constantFrom("refs/heads/looplia/x", "refs/heads/main", "refs/tags/v1"),
  );
  const payloads = fc.oneof(
    fc.anything(),
    fc.record({
      repository: fc.anything(),
      pull_request: fc.record({ head: fc.anything(), base: fc.anything() }),
    }),
  );
  fc.assert(
    fc.property(names, refs, payloads, (name, ref, payload) => {
      const facts = event(name, { ref, payload });
      defaultBranchOf(payload);
      if (refuseEvent(facts)) return;
      const chosen = chooseRefs(facts, repository);
      for (const branch of [chosen.base, chosen.trusted.branch]) {
        expect(isBranchName(branch) && !branch.startsWith("looplia/")).toBe(true);
      }
    }),
  );
});
