// What an approval that ran nothing says of itself.
import { expect, test } from "vitest";
import { voidApprovalOf } from "../../src/core/answer-fate.ts";
import type { DomainEvent } from "../../src/core/events.ts";
import { foldEvents } from "../../src/core/state.ts";
import { question } from "../approval/judge-world.ts";

const Q = "q1-aaaaaa";
const { request } = question(Q, {
  conversationId: "ideas#1/sub",
  taskId: "ideas",
  toolCallIds: ["t1", "t2"],
});
const begun = (attempt: number): DomainEvent => ({
  store: "events",
  type: "TaskCreated",
  payload: {
    taskId: "ideas",
    agent: "main",
    outputs: ["ideas"],
    inputs: { source: "0", agent: "0", profile: "0" },
    conversationId: `ideas#${attempt}`,
  },
});
const approved: DomainEvent[] = [
  begun(1),
  { store: "events", type: "UserInteractionRequested", payload: request },
  {
    store: "events",
    type: "UserInteractionResponded",
    payload: {
      interactionId: request.interactionId,
      taskId: "ideas",
      authorActorId: "github:7:ada",
      selectedOptionId: "approve",
    },
  },
];
const canceled: DomainEvent = { store: "events", type: "SessionCanceled", payload: { reason: "by grace" } };
const ran = (toolCallId: string): DomainEvent => ({
  store: "events",
  type: "ToolCallStarted",
  payload: { conversationId: "ideas#1/sub", toolCallId, toolName: "runCommand" },
});
const over = { reason: "its task was canceled before it could run", of: 2, isOver: true };

test.each<[string, DomainEvent[], object | undefined]>([
  ["it may still run", [], undefined],
  ["canceled before anything ran", [canceled], { ...over, calls: 2 }],
  ["canceled when one call ran", [ran("t1"), canceled], { ...over, calls: 1 }],
  ["canceled when all ran", [ran("t1"), ran("t2"), canceled], undefined],
  ["its task was begun again", [begun(2)], { ...over, calls: 2 }],
  [
    "its task ended by itself",
    [{ store: "events", type: "TaskFailed", payload: { taskId: "ideas", reasonCode: "x", message: "y" } }],
    undefined,
  ],
])("%s", (_, events, expected) => {
  const state = foldEvents([...approved, ...events]);
  const interaction = state.interactions.get(request.interactionId);
  expect(interaction && voidApprovalOf(state, interaction)).toEqual(expected);
});

test("names the question that asks again: the same agent's, or any of a changed task's next attempt", () => {
  const asked = (interactionId: string, conversationId: string): DomainEvent => ({
    store: "events",
    type: "UserInteractionRequested",
    payload: { ...request, interactionId, conversationId },
  });
  const stale: DomainEvent = {
    store: "events",
    type: "ToolCallSettled",
    payload: {
      ...{ conversationId: "ideas#1/sub", toolCallId: "t1", toolName: "runCommand", resultHash: "0" },
      ...{ outcome: "denied", notRun: "a file has changed" },
    },
  };
  const changed: DomainEvent = {
    store: "events",
    type: "TaskCanceled",
    payload: { taskId: "ideas", reason: "the task was changed" },
  };
  const again = (...events: DomainEvent[]) => {
    const state = foldEvents([...approved, ...events]);
    const interaction = state.interactions.get(request.interactionId);
    return interaction && voidApprovalOf(state, interaction)?.again;
  };
  expect(again(stale, asked("other", "ideas#1/other"), asked("same", "ideas#1/sub"))).toBe("same");
  expect(again(stale, asked("other", "ideas#1/other"))).toBeUndefined();
  expect(again(changed, begun(2), asked("next", "ideas#2/sub"))).toBe("next");
});
