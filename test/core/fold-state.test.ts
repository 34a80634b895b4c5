// What events leave of a session: starts of calls, and whose a file is.
import { expect, test } from "vitest";
import type { DomainEvent } from "../../src/core/events.ts";
import { authorsOf, foldEvents, isUnderWay, unaskedFiles, waitsForConflict } from "../../src/core/state.ts";
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
