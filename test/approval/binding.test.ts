// SECURITY, "approve A, run B": what a request is bound to. Any other call has another fingerprint, so another id.
import { describe, expect, it, test } from "vitest";
import { approvedKeys } from "../../src/agent/kept.ts";
import { requireAsShown } from "../../src/approval/fingerprint.ts";
import {
  createBaseEdits,
  createBudgetQuestion,
  createConfirm,
  type RequestOrigin,
  type ShownCall,
} from "../../src/approval/request.ts";
import { defaultOption, type InteractionRequest } from "../../src/core/interaction.ts";
import type { InteractionState } from "../../src/core/state.ts";

const origin: RequestOrigin = {
  workId: "writing-kit-abcdef",
  sessionId: "s-1",
  taskId: "t",
  conversationId: "t#1",
  agent: "writer",
  ordinal: 3,
  workingDirectory: ".",
  expiresAt: "2026-01-08T00:00:00.000Z",
};
const call: ShownCall = {
  toolCallId: "toolu_1",
  toolName: "runCommand",
  input: { command: "npm test", timeoutSeconds: 30 },
  title: "Run a command",
  content: "npm test",
  contentKind: "PlainText",
  binding: { worktree: "aaaa" },
  dangers: [],
};
const other: ShownCall = { ...call, toolCallId: "toolu_2", input: { command: "ls" }, content: "ls" };
const isolation = { kind: "bubblewrap", network: false } as const;
const shown = createConfirm(origin, [call, other], isolation);

test("an approval keeps the hashes of keys in its calls, so that a later process lets them into the branch", () => {
  const withKeys = createConfirm(
    origin,
    [
      { ...call, keyHashes: ["a", "b"] },
      { ...other, keyHashes: ["b"] },
    ],
    isolation,
  );
  expect(withKeys.keyHashes).toEqual(["a", "b"]);
  const answered = (option: string) =>
    ({ request: withKeys, response: { selectedOptionId: option } }) as InteractionState;
  expect(approvedKeys([answered("approve")])).toEqual(["a", "b"]);
  expect(approvedKeys([answered("reject"), { request: withKeys } as InteractionState])).toEqual([]);
});

test("one call that ends the rest needs no word about an order; a description of its own is shown", () => {
  const ends = { ...call, endsRest: true } as const;
  const described = (calls: ShownCall[], words = {}) =>
    createConfirm(origin, calls, isolation, words).display.description;
  expect(described([ends])).toBeUndefined();
  expect(described([ends, other])).toContain("in this order");
  expect(described([call], { description: "Why this runs." })).toBe("Why this runs.");
});

test("a call that is asked about alone is named by its headline, one of several by its title", () => {
  const named = { ...call, headline: "Run (at most 30 s): npm test" };
  expect(createConfirm(origin, [named], isolation).display.title).toBe("Run (at most 30 s): npm test");
  const { title, content } = createConfirm(origin, [named, other], isolation).display;
  expect(title).toBe("2 actions need your approval");
  expect(content).toBe("1. Run a command\n   npm test\n2. Run a command\n   ls");
});

test("a request is shown as a diff only where all of it is one", () => {
  const diff: ShownCall = { ...other, contentKind: "Diff" };
  const kindOf = (...calls: ShownCall[]) => createConfirm(origin, calls, isolation).display.contentKind;
  expect(kindOf(diff, { ...call, contentKind: "Diff" })).toBe("Diff");
  expect(kindOf(diff, call)).toBe("PlainText");
  expect(kindOf(call, diff)).toBe("PlainText");
});

describe("an approval may stand for later calls only of", () => {
  const edit: ShownCall = { ...call, toolName: "editFile" };
  test.each<[string, ShownCall[], NonNullable<InteractionRequest["isolation"]>, boolean]>([
    ["isolated commands", [call, other], isolation, true],
    ["no edit", [call, edit], isolation, false],
    ["commands without danger", [{ ...call, dangers: ["deletes: x"] }], isolation, false],
    ["commands that no network reaches", [call], { kind: "bubblewrap", network: ["a.example"] }, false],
    ["commands that something isolates", [call], { kind: "none", network: false }, false],
    ["commands without answers of people", [{ ...call, binding: { variables: "h" } }], isolation, false],
  ])("%s", (_, calls, isolated, mayStand) => {
    expect(createConfirm(origin, calls, isolated).standing !== undefined).toBe(mayStand);
  });
});

test("edits of the base are listed up to a hundred, and the others are counted", () => {
  const listed = (count: number) => {
    const edits = Array.from({ length: count }, (_, at) => `T${at} is new there`);
    const about = { list: "TODO.yml", base: "main", edits, baseList: { hash: "h", commit: "c" } };
    return String(createBaseEdits(origin, about).display.content).split("\n");
  };
  expect([listed(100).length, listed(100).at(-1)]).toEqual([100, "T99 is new there"]);
  expect([listed(102).length, listed(102).at(-1)]).toEqual([101, "… and 2 more"]);
});

test("a limit of cost stays as it is unless somebody chooses to raise it", () => {
  const budget = { of: "run", unit: "usd", limit: 5, raiseTo: 10 } as const;
  expect(defaultOption(createBudgetQuestion(origin, budget, 5))?.id).toBe("reject");
});

describe("another fingerprint has a request with another", () => {
  test.each<[string, ReturnType<typeof createConfirm>]>([
    ["work", createConfirm({ ...origin, workId: "writing-kit-abcdef-2" }, [call, other], isolation)],
    ["session", createConfirm({ ...origin, sessionId: "s-2" }, [call, other], isolation)],
    ["conversation", createConfirm({ ...origin, conversationId: "t#2" }, [call, other], isolation)],
    ["number in its work", createConfirm({ ...origin, ordinal: 4 }, [call, other], isolation)],
    ["working directory", createConfirm({ ...origin, workingDirectory: "docs" }, [call, other], isolation)],
    ["call id", createConfirm(origin, [{ ...call, toolCallId: "toolu_9" }, other], isolation)],
    ["order of calls", createConfirm(origin, [other, call], isolation)],
    ["number of calls", createConfirm(origin, [call], isolation)],
    ["tool", createConfirm(origin, [{ ...call, toolName: "editFile" }, other], isolation)],
    [
      "input",
      createConfirm(
        origin,
        [{ ...call, input: { command: "npm  test", timeoutSeconds: 30 } }, other],
        isolation,
      ),
    ],
    [
      "time-out",
      createConfirm(
        origin,
        [{ ...call, input: { command: "npm test", timeoutSeconds: 31 } }, other],
        isolation,
      ),
    ],
    ["worktree", createConfirm(origin, [{ ...call, binding: { worktree: "bbbb" } }, other], isolation)],
    ["text that was shown", createConfirm(origin, [{ ...call, content: "npm test " }, other], isolation)],
    ["isolation", createConfirm(origin, [call, other], { kind: "none", network: false })],
    ["listed network", createConfirm(origin, [call, other], { kind: "bubblewrap", network: ["a.example"] })],
    ["network mode", createConfirm(origin, [call, other], { kind: "bubblewrap", network: true })],
  ])("%s", (_, changed) => {
    expect(changed.fingerprint).not.toBe(shown.fingerprint);
    expect(changed.interactionId).not.toBe(shown.interactionId);
  });
});

it("the order of keys in an input, and until when it may be answered, do not matter", () => {
  const reordered = { ...call, input: { timeoutSeconds: 30, command: "npm test" } };
  const later = { ...origin, expiresAt: "2027-01-01T00:00:00.000Z" };
  expect(createConfirm(later, [reordered, other], isolation).fingerprint).toBe(shown.fingerprint);
});

it("the short id has the number and the first six digits", () => {
  expect(shown.shortId).toBe(`q3-${shown.fingerprint.slice(0, 6)}`);
  expect(shown.shortId).toMatch(/^q[1-9]\d*-[0-9a-f]{6}$/);
});

describe("just before a call runs, the fingerprint is made again from what is about to run", () => {
  const place = { workId: origin.workId, sessionId: origin.sessionId, workingDirectory: "." };
  const calls = [call, other].map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input }));
  const [first = { id: "", name: "", input: {} }, second = first] = calls;
  const check = (changes: { request?: object; place?: object; calls?: typeof calls }) => () =>
    requireAsShown({ ...shown, ...changes.request }, { ...place, ...changes.place }, changes.calls ?? calls);

  it("passes what was shown, whatever else the turn holds", () => {
    expect(check({})).not.toThrow();
    expect(check({ calls: [...calls, { ...first, id: "toolu_3" }] })).not.toThrow();
  });

  it.each<[string, Parameters<typeof check>[0]]>([
    ["an input", { calls: [{ ...first, input: { command: "echo Z" } }, second] }],
    ["a tool", { calls: [{ ...first, name: "editFile" }, second] }],
    ["a call that is gone", { calls: [second] }],
    ["the order", { request: { toolCallIds: ["toolu_2", "toolu_1"] } }],
    ["one call less", { request: { toolCallIds: ["toolu_1"] } }],
    [
      "the worktree",
      { request: { bindings: { toolu_1: { worktree: "bbbb" }, toolu_2: { worktree: "aaaa" } } } },
    ],
    ["the text that is shown", { request: { display: { ...shown.display, content: "echo A" } } }],
    ["the network", { request: { isolation: { kind: "bubblewrap", network: true } } }],
    ["the isolation", { request: { isolation: { kind: "none", network: false } } }],
    ["the folder", { place: { workingDirectory: "docs" } }],
    ["the work", { place: { workId: "writing-kit-000000" } }],
    ["the session", { place: { sessionId: "s-2" } }],
    ["the conversation", { request: { conversationId: "t#2" } }],
    ["the number of the question", { request: { shortId: shown.shortId.replace("q3", "q4") } }],
    ["the fingerprint", { request: { fingerprint: "0".repeat(64) } }],
  ])("%s that differs lets nothing run", (_, changes) => {
    expect(check(changes)).toThrow(expect.objectContaining({ code: "store-corrupt" }));
  });
});
