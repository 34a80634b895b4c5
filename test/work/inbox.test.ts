// What a look at the inbox reads, and what it judges it by.
import { afterEach, beforeEach, expect, test } from "vitest";
import { findQuestions } from "../../src/approval/questions.ts";
import type { DomainEvent } from "../../src/core/events.ts";
import { unreadComments } from "../../src/work/in-hand.ts";
import { circumstances } from "../../src/work/people.ts";
import { accounts, anybody, at, comment, question } from "../approval/judge-world.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import { type HeldWork, holdWork } from "../fakes/work-in-hand.ts";

const clock = fixedClock(at(0));
let held: HeldWork;

beforeEach(async () => {
  held = await holdWork(clock);
});
afterEach(() => held.close());

const SESSION = "kettles-2026-11-21-0a1b2c";
const raised = (shortId: string, taskId: string): DomainEvent[] => [
  {
    store: "events",
    type: "TaskCreated",
    payload: {
      taskId,
      agent: "main",
      outputs: ["ideas"],
      inputs: { source: "0", agent: "0", profile: "0" },
      conversationId: "c",
    },
  },
  { store: "events", type: "UserInteractionRequested", payload: question(shortId, { taskId }).request },
];
const posted = (shortId: string, seconds: number) =>
  ({
    type: "CommentPosted",
    payload: {
      role: "request",
      interactionId: `session.${shortId}`,
      commentId: 1000 + seconds,
      authorId: 41898282,
      createdAt: at(seconds),
    },
  }) as const;
const handled = (commentId: number, seconds: number) =>
  ({
    type: "CommentHandled",
    payload: { commentId, createdAt: at(seconds), verdict: "refused", reason: "x" },
  }) as const;

test("a comment that GitHub lists late is read, though newer ones were handled; handled ones are not read again", async () => {
  const { work, listing } = held;
  const status = { role: "status", commentId: 1, authorId: 41898282, createdAt: at(0) } as const;
  await work.note({ type: "CommentPosted", payload: status }, handled(5002, 900));
  const one = (id: number, seconds: number) => comment("/status", { id, createdAt: at(seconds) });
  const list = listing([one(4999, 290), one(5000, 310), one(5001, 899), one(5002, 900), one(5003, 900)]);
  const unread = await unreadComments(work, list, 1);
  expect(unread.map(({ id }) => id)).toEqual([5000, 5001, 5003]);
  expect(list.since()).toBe(at(300));
});

test.each(["TaskFailed", "TaskCanceled", "TaskCompleted"] as const)(
  "%s closes its questions at the time of its line: a bare command shortly after is in doubt, one long after is not",
  async (type) => {
    const { work, happen } = held;
    await happen(SESSION, [...raised("q1-aaaaaa", "one"), ...raised("q2-bbbbbb", "two")]);
    await work.note(posted("q1-aaaaaa", 1), posted("q2-bbbbbb", 2));
    clock.advance(300_000);
    const payload = { taskId: "one", reason: "r", reasonCode: "r", message: "m" };
    await happen(SESSION, [{ store: "events", type, payload } as DomainEvent]);
    const { questions } = await circumstances(work, { settings: anybody, discussion: accounts({}).asks });
    const closedAt = Number(questions[0]?.closed?.at && Date.parse(questions[0].closed.at));
    const bare = (seconds: number) =>
      findQuestions(
        { name: "approve", ids: [], comment: "" },
        { createdAt: new Date(closedAt + seconds * 1000).toISOString(), commentId: 9000 },
        questions,
      );
    expect(bare(60)).toMatchObject({ code: "another-just-closed" });
    expect(bare(121)).toMatchObject([{ request: { shortId: "q2-bbbbbb" } }]);
  },
);
