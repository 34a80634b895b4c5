// Who led to a question: nobody of them answers it where self-approval is off.

import { describe, expect, test } from "vitest";
import type { WorkEvent } from "../../src/core/events.ts";
import { foldWork } from "../../src/core/work-state.ts";
import { rerunnerOf, starterOf, startersOf } from "../../src/work/trigger.ts";
import fc from "../fakes/properties.ts";

const sender = { sender: { id: 7, login: "ada" } };

describe("who started a run", () => {
  test.each<[string, string, unknown, string | undefined, string]>([
    ["whom GitHub names", "push", sender, "github:8:grace", "github:8:grace"],
    ["else the event's sender", "workflow_dispatch", sender, undefined, "github:7:ada"],
    ["nobody knows", "workflow_dispatch", { sender: { login: "ada" } }, undefined, "unknown"],
    ["a payload that is none", "push", undefined, undefined, "unknown"],
    ["of a schedule: nobody, though GitHub names somebody", "schedule", sender, "github:8:grace", "looplia"],
  ])("%s", (_, name, payload, named, starter) => {
    expect(starterOf({ name, payload }, named)).toBe(starter);
  });
});

describe("who had a run done again", () => {
  const ada = "github:7:ada";
  test.each<[string, string, string | undefined, string | undefined, string, string | undefined]>([
    ["nobody: the first attempt", "1", "ada", ada, ada, undefined],
    ["nobody: the first attempt, where GitHub names nobody", "1", undefined, undefined, "unknown", undefined],
    ["its starter", "2", "Ada", ada, ada, undefined],
    ["somebody else", "2", "grace", ada, ada, "github:8:grace"],
    ["somebody else, though the attempt says that it is the first", "1", "grace", ada, ada, "github:8:grace"],
    ["whom GitHub names for a schedule: that run was nobody's before", "2", "ada", ada, "looplia", ada],
    ["the sender, where GitHub names no starter", "2", "grace", undefined, "github:8:grace", undefined],
    ["somebody, and nobody knows who", "3", undefined, ada, ada, "unknown"],
    ["an account that is gone", "2", "ghost", ada, ada, "unknown"],
  ])("%s", async (_, attempt, triggeredBy, actorId, startedBy, rerunner) => {
    const idOf = async (login: string) => ({ grace: 8 })[login];
    expect(await rerunnerOf({ attempt, triggeredBy, actorId, startedBy }, idOf)).toBe(rerunner);
  });
});

const claim = (actorId: string, rerunBy?: string): WorkEvent => ({
  type: "WorkClaimed",
  payload: { run: "1.1.a", actorId, ...(rerunBy === undefined ? {} : { rerunBy }) },
});
const command = (commentId: number, actorId: string): WorkEvent => ({
  type: "CommentHandled",
  payload: { commentId, createdAt: "2026-11-21T08:00:00Z", verdict: "accepted", reason: "", actorId },
});
const told = (commentId: number): WorkEvent => ({ type: "CommentAcknowledged", payload: { commentId } });
const message = (actorId: string): WorkEvent => ({
  type: "MessageLeft",
  payload: { commentId: 1, actorId, text: "x" },
});
const [ADA, GRACE, LIN, MAY] = ["github:7:ada", "github:8:grace", "github:9:lin", "github:10:may"] as const;

describe("who led to what a run asks", () => {
  test.each<[string, WorkEvent[], string, string[]]>([
    ["the starter of a new work", [], ADA, [ADA]],
    ["the starter of the work, whoever goes on", [claim(ADA), claim(GRACE)], LIN, [LIN, ADA]],
    ["who had the work's first run done again", [claim(ADA, GRACE), claim(ADA, MAY)], LIN, [LIN, ADA, GRACE]],
    ["whose command the run carries out", [claim(ADA), command(1, GRACE)], LIN, [LIN, ADA, GRACE]],
    [
      "not whose command an earlier run carried out",
      [claim(ADA), command(1, GRACE), told(1)],
      LIN,
      [LIN, ADA],
    ],
    ["whoever told the agent something, then or now", [claim(ADA), message(MAY)], LIN, [LIN, ADA, MAY]],
    ["nobody, for a schedule that goes on with its own", [claim("looplia")], "looplia", []],
    ["the first who is somebody's, not the schedule", [claim("looplia"), claim(ADA)], GRACE, [GRACE]],
    ["somebody unknown", [claim("unknown")], ADA, [ADA, "unknown"]],
  ])("%s", (_, events, startedBy, expected) => {
    expect(startersOf(foldWork(events), [startedBy])).toEqual(expected);
  });

  test("in any history it has the starter of the run, of the work, and every author of what is carried out", () => {
    const actor = fc.constantFrom(ADA, GRACE, LIN, MAY);
    const event = fc.oneof(
      actor.map((who) => claim(who)),
      fc.tuple(fc.nat(5), actor).map(([id, who]) => command(id, who)),
      fc.nat(5).map(told),
      actor.map(message),
    );
    fc.assert(
      fc.property(actor, fc.array(event), actor, (first, events, startedBy) => {
        const work = foldWork([claim(first), ...events]);
        const led = startersOf(work, [startedBy]);
        expect(led.slice(0, 1)).toEqual([startedBy]);
        expect(led).toContain(first);
        for (const { commentId, actorId } of work.handled.values()) {
          if (!work.acknowledged.has(commentId)) expect(led).toContain(actorId);
        }
        for (const { actorId } of work.messages) expect(led).toContain(actorId);
        expect(new Set(led).size).toBe(led.length);
      }),
    );
  });
});
