// Whether a decision of an earlier time still counts.
import { expect, test } from "vitest";
import { mayStillDecide } from "../../src/approval/judge.ts";

const people = { approvers: [], minApprovals: 1, selfApproval: true };
const nobody = {
  permissionOf: async () => {
    throw new Error("GitHub is not asked about a bot");
  },
  isTeamMember: async () => false,
};

test.each<[string, string[], boolean]>([
  ["that is still allowed", ["other:1", "helper:500"], true],
  ["that is allowed no more", [], false],
  ["whose name begins another's", ["helper-two:500"], false],
  ["whose name another's begins", ["help:500"], false],
])("of a bot %s", async (_, allowedBots, expected) => {
  expect(await mayStillDecide("github:500:helper[bot]", { ...people, allowedBots }, nobody)).toBe(expected);
});

test.each(["terminal:ann", "agent:writer", "looplia"])("%s is nobody on GitHub", async (actor) => {
  expect(await mayStillDecide(actor, { ...people, allowedBots: ["helper:500"] }, nobody)).toBe(false);
});
