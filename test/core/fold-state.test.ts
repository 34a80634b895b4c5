// What events leave of a session: starts of calls, and whose a file is.
import { expect, test } from "vitest";
import type { DomainEvent } from "../../src/core/events.ts";
import {
  authorsOf,
  emptyState,
  foldEvents,
  isAskedMeanwhile,
  isUnderWay,
  keptFiles,
  unaskedFiles,
  waitsForConflict,
} from "../../src/core/state.ts";
import { question } from "../approval/judge-world.ts";

const call = (type: "ToolCallStarted" | "ToolCallWithdrawn"): DomainEvent => ({
  store: "events",
  type,
  payload: { conversationId: "t#1", toolCallId: "1", toolName: "editFile" },
});
const starts = (...types: Parameters<typeof call>[0][]) =>
  [...foldEvents(types.map(call)).calls.values()].map((known) => known.starts);

test("a start that is withdrawn does not count, and earlier ones do", () => {
  expect(starts("ToolCallStarted", "ToolCallStarted", "ToolCallWithdrawn")).toEqual([1]);
  expect(starts("ToolCallStarted", "ToolCallStarted", "ToolCallStarted", "ToolCallWithdrawn")).toEqual([2]);
  expect(starts("ToolCallStarted", "ToolCallWithdrawn")).toEqual([]);
  expect(starts("ToolCallStarted", "ToolCallWithdrawn", "ToolCallStarted")).toEqual([1]);
});

test("a call that has a result is not withdrawn", () => {
  const settled: DomainEvent = {
    store: "events",
    type: "ToolCallSettled",
    payload: {
      conversationId: "t#1",
      toolCallId: "1",
      toolName: "editFile",
      outcome: "done",
      resultHash: "",
    },
  };
  const { calls } = foldEvents([call("ToolCallStarted"), settled, call("ToolCallWithdrawn")]);
  expect([...calls.values()]).toEqual([{ starts: 1, outcome: "done" }]);
});

const begun = (taskId: string, conversationId: string): DomainEvent => ({
  store: "events",
  type: "TaskCreated",
  payload: {
    taskId,
    agent: "a",
    outputs: [],
    inputs: { source: "0", agent: "0", profile: "0" },
    conversationId,
  },
});
const wrote = (conversationId: string, after: string): DomainEvent => ({
  store: "events",
  type: "ToolCallStarted",
  payload: { conversationId, toolCallId: after, toolName: "editFile", image: { before: "", after } },
});

test.each<[string, string, string[]]>([
  ["a task inside another's conversation", "main#1/ideas", ["ideas"]],
  ["its subagent", "main#1/ideas/sub", ["ideas"]],
  ["the task around it", "main#1", ["main"]],
  ["another subagent of the task around it", "main#1/ideas-2", ["main"]],
  ["an earlier attempt", "late#1/sub", ["late"]],
  ["nobody that is known", "other#1", []],
])("a file belongs to whoever wrote it: %s", (_, conversation, owners) => {
  const tasks = [begun("main", "main#1"), begun("ideas", "main#1/ideas"), begun("late", "late#2")];
  const file = { path: "f", commit: "c", ours: "h" };
  for (const order of [tasks, tasks.toReversed()]) {
    const found = authorsOf(foldEvents([...order, wrote(conversation, "h")]), [file]);
    expect(found.tasks.map(({ taskId }) => taskId)).toEqual(owners);
    expect(found.unknown).toBe(owners.length === 0);
  }
});

test("a session without tasks and questions is not under way", () => {
  expect(isUnderWay(foldEvents([]))).toBe(false);
});

const file = { path: "f", commit: "c", ours: "h" };
const { request } = question("q1-aaaaaa", { conflict: [file] });
const asked: DomainEvent = { store: "events", type: "UserInteractionRequested", payload: request };
const answered = (selectedOptionId: string): DomainEvent => ({
  store: "events",
  type: "UserInteractionResponded",
  payload: {
    interactionId: request.interactionId,
    taskId: "summary",
    authorActorId: "github:7:ada",
    selectedOptionId,
  },
});
const ended: DomainEvent = { store: "events", type: "SessionCanceled", payload: { reason: "by grace" } };
const reopened: DomainEvent = {
  store: "events",
  type: "SessionReopened",
  payload: { at: "2026-01-01T00:00:00.000Z" },
};

test.each<[string, DomainEvent[], boolean]>([
  ["is asked", [asked], true],
  ["is answered", [asked, answered("keep")], false],
  ["is canceled with its session", [asked, ended], false],
  ["was canceled and is open again", [asked, ended, reopened], true],
  ["was never there", [], false],
])("a session waits for a conflict that %s", (_, events, waits) => {
  expect(waitsForConflict(foldEvents(events))).toBe(waits);
});

test("only files that no conflict asks about are asked about", () => {
  const other = { ...file, path: "g" };
  expect(unaskedFiles([foldEvents([asked])], [file, other])).toEqual([other]);
});

test("a second answer to a question changes nothing", () => {
  const { interactions, redo } = foldEvents([asked, answered("keep"), answered("redo")]);
  expect(interactions.get(request.interactionId)?.response?.selectedOptionId).toBe("keep");
  expect(redo).toBeUndefined();
});

test("reopening a session starts the tasks that its cancellation ended, and no others", () => {
  const failed: DomainEvent = {
    store: "events",
    type: "TaskFailed",
    payload: { taskId: "b", reasonCode: "x", message: "y" },
  };
  const events = [begun("a", "a#1"), begun("b", "b#1"), failed, ended, reopened];
  expect([...foldEvents(events).tasks.values()].map(({ status }) => status)).toEqual(["started", "failed"]);
});

test.each<[string, DomainEvent[], boolean]>([
  ["nobody has answered", [asked], false],
  ["keeps the person's version", [asked, answered("keep")], true],
  ["restores the run's version", [asked, answered("restore")], false],
  ["redoes the step", [asked, answered("redo")], false],
  ["closed without an answer", [asked, ended], true],
])("a conflict keeps the person's files or not: %s", (_, events, isKept) => {
  expect(keptFiles(foldEvents(events))).toEqual(isKept ? [file] : []);
});

test.each<[string, Parameters<typeof question>[1], boolean]>([
  ["a rewritten list", { baseList: { hash: "h", commit: "c" }, toolCallIds: [] }, true],
  ["keys in texts that no call brought", { keyHashes: ["h"], toolCallIds: [] }, true],
  ["keys in a call, which waits", { keyHashes: ["h"] }, false],
  ["a conflict, which stops the session", { conflict: [file], toolCallIds: [] }, false],
  ["a risky call, which waits", {}, false],
])("a session continues, or not, while a person is asked about %s", (_, changes, continues) => {
  const { request } = question("q2-bbbbbb", changes);
  const state = foldEvents([{ store: "events", type: "UserInteractionRequested", payload: request }]);
  expect(isAskedMeanwhile(state)).toBe(continues);
});

test("attempts at a task are counted from one", () => {
  const { tasks } = foldEvents([begun("a", "a#1"), begun("b", "b#1"), begun("a", "a#2")]);
  expect([...tasks.values()].map(({ taskId, attempt }) => [taskId, attempt])).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});

test("each refusal of an output counts once, even if its call is run again after a crash", () => {
  const refused = (callId?: string): DomainEvent => ({
    store: "events",
    type: "ArtifactRefused",
    payload: {
      taskId: "a",
      output: "ideas",
      errors: ["too long"],
      ...(callId === undefined ? {} : { callId }),
    },
  });
  const count = (...events: DomainEvent[]) =>
    foldEvents([begun("a", "a#1"), ...events])
      .tasks.get("a")
      ?.refusals.get("ideas")?.count;
  expect(count(refused("1"), refused("1"))).toBe(1);
  expect(count(refused("1"), refused("2"), refused("2"))).toBe(2);
  expect(count(refused(), refused())).toBe(2);
});

test("an event about a task or a question that is unknown changes nothing", () => {
  const of = { interactionId: "session.q9-ffffff", taskId: "z", actorId: "github:7:ada" };
  const events: DomainEvent[] = [
    answered("keep"),
    { store: "events", type: "ApprovalGiven", payload: of },
    { store: "events", type: "ApprovalWithdrawn", payload: of },
    { store: "events", type: "ApprovalReopened", payload: { ...of, actorIds: [] } },
    { store: "events", type: "InteractionExpired", payload: { ...of, at: "2026-01-01T00:00:00.000Z" } },
    { store: "events", type: "TaskStarted", payload: of },
    { store: "events", type: "ArtifactRefused", payload: { ...of, output: "ideas", errors: [] } },
  ];
  expect(foldEvents(events)).toEqual(emptyState());
});
