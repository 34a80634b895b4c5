// Rocket and confused are for what happened: the fold of a session says what became of each answer.
import { expect, test } from "vitest";
import { answersBefore, fateOf } from "../../src/core/answer-fate.ts";
import type { DomainEvent } from "../../src/core/events.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import { foldEvents } from "../../src/core/state.ts";
import { question } from "../approval/judge-world.ts";

const ASKED: InteractionRequest = question("q1-aaaaaa", {
  conversationId: "c",
  toolCallIds: ["one"],
}).request;
const { interactionId, taskId } = ASKED;

type Written<E = DomainEvent> = E extends DomainEvent ? Omit<E, "store"> : never;

const inputs = { source: "", agent: "", profile: "" };
const begun = (conversationId: string): Written => ({
  type: "TaskCreated",
  payload: { taskId, conversationId, agent: "a", outputs: [], inputs },
});
const given = (actorId: string, commentId: number): Written => ({
  type: "ApprovalGiven",
  payload: { interactionId, taskId, actorId, commentId },
});
const answered = (selectedOptionId: string, commentId: number): Written => ({
  type: "UserInteractionResponded",
  payload: { interactionId, taskId, authorActorId: "github:2:bob", selectedOptionId, commentId },
});
const settled = (notRun?: string): Written => ({
  type: "ToolCallSettled",
  payload: {
    ...{ conversationId: "c", toolCallId: "one", toolName: "runCommand", resultHash: "0" },
    ...(notRun === undefined ? { outcome: "done" } : { outcome: "denied", notRun }),
  },
});

const CHANGED: Written = { type: "TaskCanceled", payload: { taskId, reason: "the task was changed" } };

function fateOfRequest(request: InteractionRequest, commentId: number, events: readonly Written[]) {
  const all: Written[] = [begun("c"), { type: "UserInteractionRequested", payload: request }, ...events];
  const state = foldEvents(all.map((event) => ({ store: "events", ...event }) as DomainEvent));
  const interaction = state.interactions.get(interactionId);
  if (!interaction) throw new Error("it was not asked");
  return fateOf(state, interaction, commentId);
}

const lastFate = (commentId: number, ...events: Written[]) => fateOfRequest(ASKED, commentId, events);

function fate(commentId: number, ...events: Written[]): string {
  const became = lastFate(commentId, ...events);
  if (became.kind === "done" && became.isPassedOn) return "done, passed on";
  return became.kind === "void" ? `void: ${became.reason}` : became.kind;
}

test.each<[string, string, number, Written[]]>([
  ["one of two approvals", "open", 1, [given("github:1:ada", 1)]],
  ["both, and the call has not run yet", "open", 1, [given("github:1:ada", 1), answered("approve", 2)]],
  ["the call ran", "done", 1, [given("github:1:ada", 1), answered("approve", 2), settled()]],
  ["the agent has the rejection", "done", 2, [answered("reject", 2), settled()]],
  [
    "somebody else rejected it",
    "void: bob rejected it",
    1,
    [given("github:1:ada", 1), answered("reject", 2)],
  ],
  ["it is void", "void: a file has changed", 2, [answered("approve", 2), settled("a file has changed")]],
  [
    "nobody else approved in time",
    "void: the time to answer ended before enough people had approved",
    1,
    [
      given("github:1:ada", 1),
      { type: "InteractionExpired", payload: { interactionId, taskId, at: "2026-01-01" } },
    ],
  ],
  [
    "the task was begun again before the answer reached it",
    "void: its task was changed or ended before the answer reached the agent",
    2,
    [
      answered("reject", 2),
      { type: "TaskCanceled", payload: { taskId, reason: "it is tried again" } },
      begun("d"),
    ],
  ],
  ["its task was changed, and the new attempt has not begun", "open", 2, [answered("red", 2), CHANGED]],
  ["the new attempt has it", "done, passed on", 2, [answered("red", 2), CHANGED, begun("d")]],
  ["two changes later", "done, passed on", 2, [answered("red", 2), CHANGED, begun("d"), CHANGED, begun("e")]],
])("%s: %s", (_what, expected, commentId, events) => {
  expect(fate(commentId, ...events)).toBe(expected);
});

test("an approval that was withdrawn counts no more, and the question stays open", () => {
  const withdrawn: Written = {
    type: "ApprovalWithdrawn",
    payload: { interactionId, taskId, actorId: "github:1:ada" },
  };
  const all: Written[] = [
    { type: "UserInteractionRequested", payload: ASKED },
    given("github:1:ada", 1),
    given("github:2:bob", 2),
    withdrawn,
  ];
  const state = foldEvents(all.map((event) => ({ store: "events", ...event }) as DomainEvent));
  const interaction = state.interactions.get(interactionId);
  expect(interaction?.approvals.map(({ actorId }) => actorId)).toEqual(["github:2:bob"]);
  expect(interaction?.response).toBeUndefined();
});

test("a rejection by somebody else is the end: nobody asks again", () => {
  expect(lastFate(1, given("github:1:ada", 1), answered("reject", 2))).toMatchObject({
    kind: "void",
    isOver: true,
  });
});

test("an answer to two calls is done when both have their results, not before", () => {
  const both = { ...ASKED, toolCallIds: ["one", "two"] };
  const events = [answered("approve", 2), settled()];
  expect(fateOfRequest(both, 2, events).kind).toBe("open");
});

test("the next attempt hears decisions and reasons for a rejection: no approvals, no open questions", () => {
  const asked = (id: string, of: Partial<InteractionRequest>): Written => ({
    type: "UserInteractionRequested",
    payload: { ...ASKED, interactionId: id, shortId: id, ...of },
  });
  const said = (id: string, selectedOptionId: string, comment?: string): Written => ({
    type: "UserInteractionResponded",
    payload: {
      ...{ interactionId: id, taskId, authorActorId: "github:2:bob", selectedOptionId },
      ...(comment === undefined ? {} : { comment }),
    },
  });
  const decision = { kind: "Select", purpose: "choose_strategy" } as const;
  const events = [
    begun("c"),
    asked("chosen", decision),
    said("chosen", "red"),
    asked("approved", {}),
    said("approved", "approve", "go on"),
    asked("rejected", {}),
    said("rejected", "reject"),
    asked("explained", {}),
    said("explained", "reject", "use the cache"),
    asked("open", decision),
    CHANGED,
    begun("d"),
    asked("later", { ...decision, conversationId: "d" }),
    said("later", "blue"),
  ];
  const state = foldEvents(events.map((event) => ({ store: "events", ...event }) as DomainEvent));
  const task = state.tasks.get(taskId);
  const before = task === undefined ? [] : answersBefore(state, task);
  expect(before.map(({ request }) => request.interactionId)).toEqual(["chosen", "explained"]);
});
