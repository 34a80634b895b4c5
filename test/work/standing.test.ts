// A standing approval on a pull request: who gave it is known, and everybody with permission may end it.
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseSlashCommand } from "../../src/approval/comment.ts";
import { judgeComment } from "../../src/approval/judge.ts";
import { createConfirm } from "../../src/approval/request.ts";
import { standingApprovals } from "../../src/core/work-state.ts";
import { recordAnswers, revokeApproval } from "../../src/work/people.ts";
import { type HeldWork, holdWork } from "../fakes/work-in-hand.ts";

const ISOLATED = { kind: "bubblewrap", network: false } as const;
const AT = "2026-01-01T00:00:00.000Z";

let held: HeldWork;

beforeEach(async () => {
  held = await holdWork();
});
afterEach(() => held.close());

function confirm(ordinal: number, command: string, dangers: string[] = []) {
  const origin = {
    ...{ workId: "writing-kit-abc123", sessionId: "s-1", taskId: "t", conversationId: "c", agent: "a" },
    ...{ ordinal, workingDirectory: "packages/a", expiresAt: "2099-01-01T00:00:00.000Z" },
  };
  const call = { toolCallId: `call-${ordinal}`, toolName: "runCommand", input: { command }, binding: {} };
  const shown = { ...call, title: "Run", content: command, contentKind: "PlainText" as const, dangers };
  return createConfirm(origin, [shown], ISOLATED);
}

async function ask(request: ReturnType<typeof confirm>) {
  await held.happen("s-1", [{ store: "events", type: "UserInteractionRequested", payload: request }]);
  return request;
}

function approve(interactionId: string, login: string, always: boolean, minApprovals = 1) {
  const answer = { selectedOptionId: "approve", ...(always ? { always: true as const } : {}) };
  const given = { actorId: `github:${login.length}:${login}`, permission: "write", answeredAt: AT };
  return recordAnswers(held.work, [{ interactionId, answer }], given, {
    minApprovals,
    mayDecide: async () => true,
  });
}

test("is recorded with its giver, its moment and its command line, and ends with /revoke", async () => {
  const { interactionId } = await ask(confirm(1, "npm test"));
  expect(await approve(interactionId, "ada", true)).toBeUndefined();
  const [approval] = standingApprovals(held.work.state);
  expect(approval).toEqual({
    ...{ number: 1, interactionId, actorIds: ["github:3:ada"], at: AT },
    ...{ folder: "packages/a", commands: ["npm test"], isolation: "bubblewrap" },
  });
  expect(await revokeApproval(held.work, 2, "github:5:grace")).toMatchObject({
    whatToDo: "Standing approvals: 1.",
  });
  expect(await revokeApproval(held.work, 1, "github:5:grace")).toBeUndefined();
  expect(await revokeApproval(held.work, 1, "github:5:grace")).toBeUndefined();
  expect(standingApprovals(held.work.state)).toEqual([]);
});

test.each<[string, boolean, boolean, string[][]]>([
  ["each of them says always", true, true, [["github:3:ada", "github:5:grace"]]],
  ["one of them approves once", true, false, []],
  ["the last one alone says always", false, true, []],
])("of two people who must approve, %s", async (_, first, second, expected) => {
  const { interactionId } = await ask(confirm(1, "npm test"));
  await approve(interactionId, "ada", first, 2);
  expect(standingApprovals(held.work.state)).toEqual([]);
  await approve(interactionId, "grace", second, 2);
  expect(standingApprovals(held.work.state).map(({ actorIds }) => actorIds)).toEqual(expected);
});

test("a dangerous command is approved once or not at all: the question stays open", async () => {
  const request = await ask(confirm(1, "rm a", ["deletes: rm a"]));
  expect((await approve(request.interactionId, "ada", true))?.reason).toMatch(/without `always`/);
  expect(await held.work.openQuestions()).toHaveLength(1);
  const comment = {
    ...{ id: 9, author: { id: 3, login: "ada", isBot: false }, body: `/approve ${request.shortId} always` },
    ...{ createdAt: "2026-01-02T00:00:00Z", updatedAt: "2026-01-02T00:00:00Z", url: "" },
  };
  const published = { commentId: 1, createdAt: "2026-01-01T00:00:00Z" };
  const verdict = await judgeComment(comment, undefined, {
    settings: { approvers: [], minApprovals: 1, selfApproval: true, allowedBots: [] },
    questions: [{ request, published, approvals: [] }],
    asks: { permissionOf: async () => ({ role: "write", userId: 3 }), isTeamMember: async () => false },
  });
  expect(verdict).toMatchObject({
    verdict: "refused",
    refusal: { code: "no-standing", copy: [`/approve ${request.shortId}`] },
  });
});

test.each<[string, object]>([
  ["/approve q1-0a1b2c always", { name: "approve", ids: ["q1-0a1b2c"], always: true, comment: "" }],
  ["/approve q1-0a1b2c Always go on\nmore", { always: true, comment: "go on\nmore" }],
  ["/approve always", { ids: [], always: true }],
  ["/approve q1-0a1b2c not always", { comment: "not always" }],
  ["/reject q1-0a1b2c always wrong", { name: "reject", comment: "always wrong" }],
  ["/revoke 12", { name: "revoke", number: 12 }],
  ["/revoke all", { name: "unclear", usage: "/revoke <number>" }],
])("%j is read", async (body, expected) => {
  const command = await parseSlashCommand(body);
  expect(command).toMatchObject(expected);
  expect(command && "always" in command).toBe("always" in expected);
});
