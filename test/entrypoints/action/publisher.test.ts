import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPublisher } from "../../../src/entrypoints/action/publisher.ts";
import { LoopliaError } from "../../../src/errors.ts";
import type { EndedTask } from "../../../src/ports.ts";

function setUp(onRemote = false, folder = "") {
  const done: string[] = [];
  const state = { now: 0, changes: true, fails: 0, hint: undefined as string | undefined, gaveUp: 0 };
  const branch = {
    name: "looplia/x",
    root: "/nowhere",
    commit: async (path: string, message: string) => {
      if (state.changes) done.push(`commit ${path} ${message.split("\n")[0]}`);
      return state.changes;
    },
    push: async () => {
      done.push("push");
      if (state.fails-- <= 0) return;
      throw new LoopliaError(
        "host-failed",
        "no network",
        state.hint === undefined ? {} : { hint: state.hint },
      );
    },
  };
  const clock = { elapsed: () => state.now };
  const giveUp = () => {
    state.gaveUp++;
  };
  const publisher = createPublisher({
    branch,
    onRemote,
    folder,
    isRehearsal: false,
    run: "1.1",
    clock,
    giveUp,
  });
  const end = (status: EndedTask["status"]) =>
    publisher.host.taskEnded({
      sessionId: "a-2026-11-20-aaaaaa",
      folder: ".looplia/contentItem/a",
      title: "A",
      outputs: ["summary"],
      status,
    });
  return { done, state, publisher, end };
}

test("a completed task is committed and soon pushed; the next push waits", async () => {
  const { done, state, publisher, end } = setUp(false, "docs");
  await end("completed");
  await wait(5);
  expect(done).toEqual(["commit docs/.looplia/contentItem/a content(a): add summary", "push"]);
  state.now = 1_000;
  await end("completed");
  await wait(5);
  expect(done.length).toBe(3);
  await publisher.finish();
  expect(done.at(-1)).toBe("push");
  expect(publisher.isPublished()).toBe(true);
});

test("a new branch of which every task failed is never pushed", async () => {
  const { done, publisher, end } = setUp();
  await end("failed");
  await publisher.finish();
  expect(done).toEqual(["commit .looplia/contentItem/a content(a): note that summary failed"]);
  expect(publisher.isPublished()).toBe(false);
});

test("a failed task on a branch that is there already is pushed", async () => {
  const { done, publisher, end } = setUp(true);
  await end("failed");
  await publisher.finish();
  expect(done).toContain("push");
});

test("nothing changed, nothing pushed", async () => {
  const { done, state, publisher, end } = setUp(true);
  state.changes = false;
  await end("completed");
  await publisher.finish();
  expect(done).toEqual([]);
  expect(publisher.isChanged()).toBe(false);
});

test("a push that fails is tried again at the end, and told if it fails again", async () => {
  const lucky = setUp();
  lucky.state.fails = 1;
  await lucky.end("completed");
  await wait(5);
  await lucky.publisher.finish();
  expect(lucky.publisher.isPublished()).toBe(true);
  const unlucky = setUp();
  unlucky.state.fails = 2;
  await unlucky.end("completed");
  await wait(5);
  await expect(unlucky.publisher.finish()).rejects.toThrow("no network");
  expect(unlucky.publisher.isPublished()).toBe(false);
});

test("what another try cannot mend stops the run, anything else does not", async () => {
  for (const hint of [undefined, "give the job permissions"]) {
    const { state, end } = setUp();
    Object.assign(state, { fails: 1, hint });
    await end("completed");
    await wait(5);
    expect(state.gaveUp).toBe(hint === undefined ? 0 : 1);
  }
});

test("nobody can be asked", async () => {
  const { publisher } = setUp();
  expect(publisher.host.canAsk).toBe(false);
});
