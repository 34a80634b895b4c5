// A comment never says only "Approved" of what was not run: it says so, why, and where it is asked again.
import { expect, test } from "vitest";
import type { DomainEvent } from "../../src/core/events.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import { settleRequest } from "../../src/work/asked/request-comments.ts";
import { findOwed } from "../../src/work/project.ts";
import type { WakeRun } from "../../src/work/run.ts";
import { at, question } from "../approval/judge-world.ts";
import { holdWork } from "../fakes/work-in-hand.ts";

const SESSION = "kettles-2026-11-21-0a1b2c";
const URL = "https://github.com/o/r/pull/7";

function confirm(shortId: string, toolCallIds: string[]): InteractionRequest {
  return question(shortId, { conversationId: "c", toolCallIds }).request;
}

const requested = (payload: InteractionRequest): DomainEvent => ({
  store: "events",
  type: "UserInteractionRequested",
  payload,
});
const begun = ({ taskId, conversationId }: InteractionRequest): DomainEvent => {
  const inputs = { source: "", agent: "", profile: "" };
  const payload = { taskId, conversationId, agent: "a", outputs: [], inputs };
  return { store: "events", type: "TaskCreated", payload };
};
const settled = (toolCallId: string, notRun?: string): DomainEvent => {
  const call = { conversationId: "c", toolCallId, toolName: "runCommand", resultHash: "0" };
  const outcome = notRun === undefined ? "done" : "denied";
  const payload = { ...call, outcome, ...(notRun === undefined ? {} : { notRun }) } as const;
  return { store: "events", type: "ToolCallSettled", payload };
};

test("approved, then not run, then asked again: the comment follows, each time once", async () => {
  const held = await holdWork();
  const { work, happen } = held;
  const first = confirm("q1-aaaaaa", ["one", "two"]);
  const bodies: string[] = [];
  const editComment = async (id: number, body: string) => {
    expect(id).toBe(11);
    bodies.push(body);
  };
  const run = { discussion: { editComment } } as unknown as WakeRun;
  const project = async () => {
    for (const one of findOwed(work.state, await work.questions(), new Date()).settle) {
      await settleRequest(run, work, { url: URL } as never, one);
    }
    return bodies.splice(0);
  };
  const post = (interactionId: string, commentId: number) => {
    const payload = { role: "request", interactionId, commentId, authorId: 1, createdAt: at(0) } as const;
    return work.note({ type: "CommentPosted", payload });
  };
  const { interactionId, taskId } = first;
  const answer = { interactionId, taskId, authorActorId: "github:1:ada", selectedOptionId: "approve" };
  await happen(SESSION, [
    begun(first),
    requested(first),
    { store: "events", type: "UserInteractionResponded", payload: answer },
  ]);
  await post(interactionId, 11);
  expect(await project()).toEqual([expect.stringMatching(/^### Approved: /m)]);

  await happen(SESSION, [settled("one"), settled("two", "what was shown has changed since")]);
  const [told, ...more] = await project();
  expect(more).toEqual([]);
  expect(told).toMatch(/^### Approved, but not run: /m);
  expect(told).toContain("**1 of the 2 calls was not run**: what was shown has changed since.");
  expect(told).toContain("it asks again");
  expect(await project()).toEqual([]);

  const second = confirm("q2-bbbbbb", ["three"]);
  await happen(SESSION, [requested(second)]);
  await post(second.interactionId, 12);
  const [linked] = await project();
  expect(linked).toContain(`[asked again](<${URL}#issuecomment-12>)`);
  expect(await project()).toEqual([]);
  await held.close();
});
