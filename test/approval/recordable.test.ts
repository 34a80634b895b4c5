import { describe, expect, it } from "vitest";
import type { DomainEvent } from "../../src/core/events.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import { foldEvents, type InteractionState, isPending } from "../../src/core/state.ts";
import { type GivenAnswer, recordable } from "../../src/core/work-state.ts";
import fc from "../fakes/properties.ts";
import { makeRequest } from "../fakes/requests.ts";

function stateAfter(events: DomainEvent[], request: InteractionRequest = makeRequest()): InteractionState {
  const requested: DomainEvent = { store: "events", type: "UserInteractionRequested", payload: request };
  const interaction = foldEvents([requested, ...events]).interactions.get(request.interactionId);
  if (!interaction) throw new Error("no interaction");
  return interaction;
}

const says = (option: string, actorId: string): GivenAnswer => ({
  answer: { selectedOptionId: option },
  actorId,
});
const typesOf = (events: DomainEvent[]) => events.map(({ type }) => type);

describe("an answer", () => {
  it("of one person closes the request, with comment and permission at that moment", () => {
    const given = {
      ...says("approve", "github:1:ann"),
      commentId: 7,
      permission: "write",
      answeredAt: "2026-01-01",
    };
    expect(recordable(stateAfter([]), given, 1)).toEqual([
      {
        store: "events",
        type: "UserInteractionResponded",
        payload: {
          interactionId: "s-1.q1-abcdef",
          taskId: "t",
          authorActorId: "github:1:ann",
          selectedOptionId: "approve",
          commentId: 7,
          permission: "write",
          answeredAt: "2026-01-01",
        },
      },
    ]);
  });

  it("approves only when enough different people said so", () => {
    const first = recordable(stateAfter([]), says("approve", "github:1:ann"), 2);
    expect(typesOf(first)).toEqual(["ApprovalGiven"]);
    expect(recordable(stateAfter(first), says("approve", "github:1:ann-renamed"), 2)).toEqual([]);
    const second = recordable(stateAfter(first), says("approve", "github:2:bob"), 2);
    expect(typesOf(second)).toEqual(["ApprovalGiven", "UserInteractionResponded"]);
    expect(isPending(stateAfter([...first, ...second]))).toBe(false);
  });

  it("lets a call that is in doubt run again only when enough different people said so", () => {
    const options = ["happened", "run", "stop"].map((id) => ({ id, label: id }));
    const doubt = makeRequest({ kind: "Select", options });
    const say = (option: string, request = doubt) =>
      typesOf(recordable(stateAfter([], request), says(option, "github:1:ann"), 2));
    expect(say("run")).toEqual(["ApprovalGiven"]);
    expect(say("happened")).toEqual(["UserInteractionResponded"]);
    // A model's own question may have such an option as well, and it lets nothing run.
    const { bindings: _, ...unbound } = doubt;
    expect(say("run", unbound)).toEqual(["UserInteractionResponded"]);
  });

  it("rejects by one person, whoever approved before", () => {
    const first = recordable(stateAfter([]), says("approve", "github:1:ann"), 3);
    expect(typesOf(recordable(stateAfter(first), says("reject", "github:2:bob"), 3))).toEqual([
      "UserInteractionResponded",
    ]);
  });

  it("to what is no Confirm needs one person", () => {
    const request = makeRequest({ kind: "Select", options: [{ id: "approve", label: "" }] });
    expect(typesOf(recordable(stateAfter([], request), says("approve", "github:1:ann"), 3))).toEqual([
      "UserInteractionResponded",
    ]);
  });

  it.each<[string, DomainEvent]>([
    [
      "answered",
      {
        store: "events",
        type: "UserInteractionResponded",
        payload: { interactionId: "s-1.q1-abcdef", taskId: "t", authorActorId: "github:9:x" },
      },
    ],
    [
      "expired",
      {
        store: "events",
        type: "InteractionExpired",
        payload: { interactionId: "s-1.q1-abcdef", taskId: "t", at: "2026-01-01" },
      },
    ],
    ["of a canceled session", { store: "events", type: "SessionCanceled", payload: { reason: "no more" } }],
    [
      "of a canceled task",
      { store: "events", type: "TaskCanceled", payload: { taskId: "t", reason: "anew" } },
    ],
  ])("to a request that is %s adds nothing", (_, event) => {
    expect(recordable(stateAfter([event]), says("approve", "github:1:ann"), 1)).toEqual([]);
  });
});

it("whatever people say in whatever order, one response is recorded, and an approval only with enough people", () => {
  const said = fc.record({
    person: fc.integer({ min: 1, max: 5 }),
    option: fc.constantFrom("approve", "approve", "reject"),
  });
  fc.assert(
    fc.property(fc.array(said, { maxLength: 20 }), fc.integer({ min: 1, max: 4 }), (all, minApprovals) => {
      const events: DomainEvent[] = [];
      for (const { person, option } of all) {
        events.push(
          ...recordable(stateAfter(events), says(option, `github:${person}:p${person}`), minApprovals),
        );
      }
      const firstNo = all.findIndex(({ option }) => option === "reject");
      const before = firstNo < 0 ? all : all.slice(0, firstNo);
      const people = new Set(before.map(({ person }) => person)).size;
      const expected = people >= minApprovals ? "approve" : firstNo >= 0 ? "reject" : undefined;
      const responses = events.filter((event) => event.type === "UserInteractionResponded");
      expect(responses.map(({ payload }) => payload.selectedOptionId)).toEqual(
        expected === undefined ? [] : [expected],
      );
    }),
  );
});
