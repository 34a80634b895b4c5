// A person's push against a run's: who is asked about it, and what each answer brings with it.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DomainEvent } from "../../src/core/events.ts";
import { afterConflict, askConflicts, findUnasked, followAnswers } from "../../src/work/asked/conflicts.ts";
import { closeWork } from "../../src/work/finish.ts";
import { tellOpen, type WorkRunResult } from "../../src/work/host.ts";
import { carryOut, triggerOf } from "../../src/work/inbox.ts";
import { cancelSessions, recordAnswers } from "../../src/work/people.ts";
import type { WakeRun } from "../../src/work/run.ts";
import { question } from "../approval/judge-world.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import { type HeldWork, holdWork } from "../fakes/work-in-hand.ts";

const DONE = "cups-2026-11-21-0a1b2c";
const OPEN = "kettles-2026-11-21-0a1b2c";
const OWN = { path: `docs/.looplia/contentItem/${DONE}/summary.json`, commit: "c1", sha256: "ab" };
const REMOVED = { path: "notes/kettles.md", commit: "c1" };
const ADA = {
  actorId: "github:1:ada",
  commentId: 77,
  permission: "write",
  answeredAt: "2026-11-21T09:00:00Z",
};

let held: HeldWork;

beforeEach(async () => {
  held = await holdWork();
  for (const sessionId of [DONE, OPEN]) await held.happen(sessionId, begun("summary"));
  await held.happen(DONE, [{ store: "events", type: "TaskCompleted", payload: { taskId: "summary" } }]);
  await held.work.note({ type: "ConflictMet", payload: { files: [OWN, REMOVED] } });
});
afterEach(() => held.close());

const NONE = { source: "0", agent: "0", profile: "0" };

function begun(taskId: string, conversationId = taskId): DomainEvent[] {
  const payload = { taskId, agent: "a", outputs: [taskId], inputs: NONE, conversationId };
  return [{ store: "events", type: "TaskCreated", payload }];
}

/** Of a list. */
function begunTask(taskId: string): DomainEvent {
  const payload = { taskId, agent: "a", outputs: [], inputs: NONE, conversationId: `${taskId}#1` };
  return { store: "events", type: "TaskCreated", payload };
}

const settings = { answerTtlHours: 1, workingDirectory: "docs" };
const run = {
  event: { name: "schedule" },
  found: { settings },
  work: { kind: "content" },
  clock: fixedClock(),
} as unknown as WakeRun;

/** Questions by session, as asked with the claim that was taken for them. */
async function ask(): Promise<Map<string, string>> {
  const claims: string[] = [];
  const claim = { take: async () => void claims.push("taken") } as never;
  const saved: string[] = [];
  Object.assign(held.work, { checkpoint: async (message: string) => void saved.push(message) });
  await askConflicts(run, held.work, claim);
  expect(claims.length).toBe(saved.length);
  const open = await held.work.openQuestions();
  return new Map(open.map(({ sessionId, interactionId }) => [sessionId, interactionId]));
}

const ONE = { minApprovals: 1, mayDecide: async () => true };

async function answer(sessionId: string, selectedOptionId: string, comment?: string) {
  const interactionId = (await ask()).get(sessionId) ?? "";
  const said = { selectedOptionId, ...(comment === undefined ? {} : { comment }) };
  expect(await recordAnswers(held.work, [{ interactionId, answer: said }], ADA, ONE)).toBeUndefined();
  await followAnswers(held.work, [interactionId], ADA);
  const session = (await held.work.sessions()).find((one) => one.sessionId === sessionId);
  if (!session) throw new Error(`no session ${sessionId}`);
  return { session, goesOn: afterConflict(session, new Set([interactionId])) };
}

test("each file is asked about once: in its session, else where somebody was at work", async () => {
  expect([...(await findUnasked(run, held.work))]).toEqual([
    [DONE, [OWN]],
    [OPEN, [REMOVED]],
  ]);
  expect([...(await ask()).keys()]).toEqual([DONE, OPEN]);
  const [own, removed] = await held.work.questions();
  expect(own?.request).toMatchObject({ kind: "Select", purpose: "generic", authorActorId: "looplia" });
  expect(own?.request.display.content).toBe(OWN.path);
  expect(removed?.request.display.content).toBe("notes/kettles.md (removed)");
  expect((await findUnasked(run, held.work)).size).toBe(0);
  expect((await ask()).size).toBe(2);
});

test("with ten questions open no other is asked; it is owed, and asked when there is room", async () => {
  const open = Array.from({ length: 10 }, (_, at) => {
    const { request } = question(`q${at + 1}-aaaaaa`, { interactionId: `other.${at}`, taskId: "summary" });
    return { store: "events", type: "UserInteractionRequested", payload: request } as const;
  });
  await held.happen(OPEN, open);
  expect((await ask()).size).toBe(1);
  expect((await held.work.openQuestions()).length).toBe(10);
  expect((await findUnasked(run, held.work)).size).toBe(2);
  await held.happen(OPEN, [{ store: "events", type: "TaskCompleted", payload: { taskId: "summary" } }]);
  expect([...(await ask()).keys()]).toEqual([DONE, OPEN]);
});

test("nobody is asked about a to-do file: what the program wrote of it is written again", async () => {
  const found = { folder: "", settings: { ...settings, todo: REMOVED.path } };
  const ofTasks = { ...run, found, work: { kind: "tasks" } } as unknown as WakeRun;
  expect([...(await findUnasked(ofTasks, held.work)).values()]).toEqual([[OWN]]);
});

test("while it is open the session waits, and the run tells so", async () => {
  await ask();
  const item = { sessionId: DONE, status: "completed", reasonCode: "done" };
  const outcome = { status: "completed", reasonCode: "done" };
  const ran = { all: [item], reported: [item], outcome, hasRun: true } as unknown as WorkRunResult;
  const told = await tellOpen(held.work, ran);
  expect(told.outcome).toMatchObject({ status: "waiting", reasonCode: "open-questions" });
  expect(told.all[0]?.interactions).toHaveLength(1);
  for (const session of await held.work.sessions()) expect(afterConflict(session, new Set())).toBeUndefined();
});

test("keep: the session goes on, nothing is forced and no agent is told anything", async () => {
  const { goesOn } = await answer(DONE, "keep");
  expect(goesOn).toEqual({ sessionId: DONE });
  expect(held.work.state.messages).toEqual([]);
});

test("redo: the session goes on; for files that are no artifacts its last step is forced, and the agent is told which", async () => {
  const { session, goesOn } = await answer(OPEN, "redo", "keep my title");
  expect(goesOn).toEqual({ sessionId: OPEN, force: ["summary"] });
  expect(session.state.redo).toEqual([REMOVED]);
  expect(held.work.state.messages).toMatchObject([
    {
      actorId: ADA.actorId,
      text: expect.stringMatching(/is kept: notes\/kettles\.md \(removed\)\..*keep my title$/),
    },
  ]);
  expect((await answer(DONE, "redo")).goesOn).toEqual({ sessionId: DONE });
  await held.happen(OPEN, begun("summary"));
  const again = (await held.work.sessions()).find(({ sessionId }) => sessionId === OPEN);
  expect(again?.state.redo).toBeUndefined();
});

/** A call of a conversation left a file like this. */
function wrote(conversationId: string, after: string): DomainEvent {
  const payload = {
    conversationId,
    toolCallId: after,
    toolName: "editFile",
    image: { before: "none", after },
  };
  return { store: "events", type: "ToolCallStarted", payload };
}

const pushed = (path: string, ours?: string) => ({ path, commit: "c2", ...(ours ? { ours } : {}) });

test.each<[string, { path: string; commit: string; ours?: string }[], string[], RegExp]>([
  ["of one step", [pushed("a.md", "of-ideas")], ["ideas"], /^Do ideas again, and/],
  ["of a subagent", [pushed("a.md", "of-subagent")], ["outline"], /^Do outline again, and/],
  ["of an earlier attempt", [pushed("a.md", "of-earlier")], ["ideas"], /^Do ideas again, and/],
  [
    "of several steps, in the order in which they were begun",
    [pushed("b.md", "of-subagent"), pushed("a.md", "of-ideas")],
    ["ideas", "outline"],
    /^Do ideas, outline again, and/,
  ],
  [
    "of a step, and of nobody that is known: the step begun last as well",
    [pushed("a.md", "of-ideas"), pushed("b.md", "of-a-command")],
    ["ideas", "outline"],
    /^Do ideas, outline again \(outline because it started last/,
  ],
  ["that the run had removed", [pushed("a.md")], ["outline"], /because it started last/],
  [
    "artifacts alone: their steps run again by themselves",
    [pushed(`.looplia/contentItem/${OPEN}/ideas.json`, "of-ideas")],
    [],
    /^Make them again/,
  ],
])("redo of files %s", async (_, files, force, label) => {
  await held.happen(OPEN, [
    ...begun("ideas", "ideas#2"),
    wrote("ideas#1", "of-earlier"),
    wrote("ideas#2", "of-ideas"),
    ...begun("outline", "outline#1"),
    wrote("outline#1/helper", "of-subagent"),
  ]);
  await answer(OPEN, "keep");
  await held.work.note({ type: "ConflictMet", payload: { files } });
  const { goesOn } = await answer(OPEN, "redo");
  expect(goesOn).toEqual({ sessionId: OPEN, ...(force.length > 0 ? { force } : {}) });
  const asked = (await held.work.questions()).at(-1)?.request;
  expect(asked?.options?.find(({ id }) => id === "redo")?.label).toMatch(label);
});

test("redo of thousands of files tells the agent of so many as it can read, and where the others are", async () => {
  const files = Array.from({ length: 5_000 }, (_, at) => pushed(`${at}`.padEnd(200, "語")));
  await answer(OPEN, "keep");
  await held.work.note({ type: "ConflictMet", payload: { files } });
  await answer(OPEN, "redo", "keep my title");
  const [message] = held.work.state.messages;
  expect(message?.text.length).toBeLessThan(6_000);
  expect(message?.text).toMatch(/, and \d+ more \(all of them are in c2\)\. .*keep my title$/);
});

test("what a bot dispatched for a person does the same, though it stands in no comment", async () => {
  const asked = await ask();
  const said = { actorId: ADA.actorId, permission: "write", createdAt: ADA.answeredAt };
  const around = {
    minApprovals: 1,
    mayDecide: async () => true,
    now: () => new Date(),
    outputsOf: async () => [],
  };
  const dispatch = async (sessionId: string, selectedOptionId: string) => {
    const interactionId = asked.get(sessionId) ?? "";
    const at = { commentId: 500, authorId: 9, createdAt: ADA.answeredAt };
    await held.work.note({ type: "CommentPosted", payload: { role: "request", interactionId, ...at } });
    const effect = { type: "answer", interactionId, answer: { selectedOptionId } } as const;
    const done = await carryOut(held.work, [effect], said, around);
    return "reason" in done ? [done.reason] : (done.interactionIds ?? []);
  };
  const answered = [...(await dispatch(DONE, "keep")), ...(await dispatch(OPEN, "redo"))];
  expect(held.work.state.messages).toMatchObject([{ actorId: ADA.actorId, commentId: 500 }]);
  const event = { name: "repository_dispatch" };
  const content = { ...run, event, items: { sources: [] }, kind: "respond" } as unknown as WakeRun;
  const { sessions } = (await triggerOf(content, held.work, { answered })) as { sessions?: unknown };
  expect(sessions).toEqual([{ sessionId: DONE }, { sessionId: OPEN, force: ["summary"] }]);
});

test("stop: the session ends, and this work has ended", async () => {
  const { session } = await answer(OPEN, "stop");
  expect(session.state.canceled).toMatchObject({ actorId: ADA.actorId });
  expect(held.work.state.messages).toEqual([]);
});

/** Ends of a work whose sessions are through but for such questions. */
const ENDS: Record<string, () => Promise<unknown>> = {
  "/cancel": () =>
    cancelSessions(held.work, undefined, { reason: "over", actorId: ADA.actorId, at: ADA.answeredAt }),
  "a branch that is gone": () => {
    Object.assign(held.work, { stateRef: { last: {}, branchTip: undefined } });
    return closeWork(run, held.work, async () => ({ status: "ignored", reasonCode: "closed" }));
  },
};

test.each(Object.entries(ENDS))(
  "%s closes the question of a session that is through, too",
  async (_, end) => {
    await held.happen(OPEN, [{ store: "events", type: "TaskCompleted", payload: { taskId: "summary" } }]);
    await ask();
    expect(await held.work.openQuestions()).toHaveLength(2);
    await end();
    expect(await held.work.openQuestions()).toEqual([]);
    for (const { closed } of await held.work.questions()) expect(closed?.why).toBe("canceled");
  },
);

test("a task list waits too, and goes on with what was answered: its last task again, or as the list stands", async () => {
  for (const { sessionId } of await held.work.sessions()) {
    if (sessionId === DONE)
      await held.happen(DONE, [{ store: "events", type: "SessionCanceled", payload: { reason: "r" } }]);
  }
  await held.happen(OPEN, [begunTask("T-7")]);
  const tasks = {
    kind: "tasks",
    event: { name: "push" },
    work: { kind: "tasks", workId: held.work.workId, key: "k" },
    found: { settings },
    items: { sources: [] },
  } as unknown as WakeRun;
  await ask();
  expect(await triggerOf(tasks, held.work, {})).toMatchObject({ sessionId: OPEN, isLeftAlone: true });
  await answer(OPEN, "redo");
  expect(await triggerOf(tasks, held.work, {})).toMatchObject({ sessionId: OPEN, retry: ["T-7"] });
  await held.happen(OPEN, [begunTask("T-7")]);
  const goesOn = await triggerOf(tasks, held.work, {});
  expect(goesOn).toMatchObject({ sessionId: OPEN });
  expect(goesOn).not.toHaveProperty("retry");
  expect(goesOn).not.toHaveProperty("isLeftAlone");

  await held.happen(OPEN, [wrote("T-7#1", "of-t-7"), wrote("T-8#1", "of-t-8")]);
  await held.happen(OPEN, [begunTask("T-8"), begunTask("T-9")]);
  await held.work.note({
    type: "ConflictMet",
    payload: { files: [pushed("b.md", "of-t-8"), pushed("a.md", "of-t-7")] },
  });
  await answer(OPEN, "redo");
  expect(await triggerOf(tasks, held.work, {})).toMatchObject({ retry: ["T-7", "T-8"] });
});
