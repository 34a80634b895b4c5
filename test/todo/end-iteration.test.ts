// What is kept of a task's end, at which moment, and in whose words.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { EndedTask, Host } from "../../src/core/ports.ts";
import { readStored } from "../fakes/stored-events.ts";
import { report, todoModel } from "../fakes/todo-script.ts";
import { createTodoWorld, type TodoWorld, WORK_ID } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

/** A host whose `together` notes what is there before and after; `told` has the tasks that ended inside of it. */
function watch(world: TodoWorld) {
  const moments: string[] = [];
  let inside = false;
  const look = async () => `${await world.states()} / ${(await readStored(world, "TaskCompleted")).length}`;
  const host: Host = {
    canAsk: false,
    ask: async () => "nobody",
    secure: async () => {},
    async taskEnded({ outputs }: EndedTask) {
      moments.push(`${outputs.join()} told${inside ? "" : " outside"}`);
    },
    async together(work) {
      moments.push(await look());
      inside = true;
      await work();
      inside = false;
      moments.push(await look());
    },
  };
  const hook = async ([id, label]: readonly string[]) => {
    moments.push(`hook of ${id} (${label})${inside ? " inside" : ""}: ${await look()}`);
    return undefined;
  };
  return { host, hook, moments };
}

test("the list, the commit and the event are one; the hook, which may take its time, is called after them", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  const { moments, ...watching } = watch(world);
  await world.run(todoModel(), watching);
  expect(moments).toEqual([
    "T1 doing / 0",
    "T1 told",
    "T1 done / 1",
    "hook of T1 (done): T1 done / 1",
    // The review is a task of its own.
    "T1 done / 2",
    "project-done told",
    "T1 done, project-done done / 2",
  ]);
});

test("a last message that can't be written is a warning, and the hook is called without its path", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  const result = await world.run(todoModel(), { logFault: new Error("EACCES: no") });
  expect([result.status, world.kept.hooks]).toEqual(["completed", [["T1", "done", "", "iteration-1"]]]);
  const message = "The last message of iteration 1 was not saved, which changes nothing else: EACCES: no";
  expect(world.events).toContainEqual(expect.objectContaining({ type: "notice", level: "warning", message }));
});

test("a commit that fails leaves no word that the task ended: the next run ends it, and its agent is not asked again", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  const { host } = watch(world);
  const taskEnded = () => Promise.reject(new LoopliaError("host-failed", "no space is left"));
  await expect(world.run(todoModel(), { host: { ...host, taskEnded } })).rejects.toThrow("no space");
  expect(await readStored(world, "TaskCompleted")).toEqual([]);
  const model = todoModel();
  const { host: second, moments } = watch(world);
  await world.run(model, { host: second });
  expect(moments.slice(0, 3)).toEqual(["T1 done / 0", "T1 told", "T1 done / 1"]);
  expect(
    model.requests.map(({ conversationId }) => conversationId).filter((id) => id.includes("T1")),
  ).toEqual([]);
});

test("the program's own reason takes the place of its last one; what people and agents wrote stays", async () => {
  const task = makeTask("T1", { blockers: ["ask Ann first"] });
  const world = await createTodoWorld({ "to-do.json": makeTodo([task]) });
  const blockers = async () => (await world.readList()).tasks[0]?.blockers;
  /** A person wants another try. */
  const run = async (turn: ReturnType<typeof report>) => {
    await world.write("to-do.json", (await world.read("to-do.json")).replace('"blocked"', '"todo"'));
    return world.run(todoModel({ T1: () => turn }));
  };
  const fail = (message: string) => run({ error: new LoopliaError("model-failed", message) });
  for (const night of [1, 2, 3]) {
    await fail(`overloaded (request ${night})`);
    expect(await blockers()).toEqual(["ask Ann first", `overloaded (request ${night})`]);
  }
  const blocked = (blocker: string) => report("T1", { status: "blocked", blockers: [blocker] });
  await run(blocked("no key"));
  await fail("overloaded (request 4)");
  await run(blocked("no account"));
  expect(await blockers()).toEqual(["ask Ann first", "no key", "overloaded (request 4)", "no account"]);
  // The reason of today is the last one, as it is shown.
  const again = await run(blocked("no key"));
  expect(await blockers()).toEqual(["ask Ann first", "overloaded (request 4)", "no account", "no key"]);
  expect(again.items[0]?.message).toContain("T1 (blocked: no key)");
});

test("a secret in what a provider says of its failure gets into the list as little as into the stores", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  const model = todoModel({ T1: () => ({ error: new LoopliaError("model-failed", "refused: canary") }) });
  await world.run(model, { redact: (text) => text.replaceAll("canary", "[cut]") });
  expect((await world.readList()).tasks[0]?.blockers).toEqual(["refused: [cut]"]);
});

test("what ended as it did the last time is no news: the list is as it was, to the byte, and no commit is asked for", async () => {
  const tasks = [makeTask("T1"), makeTask("T2")];
  const world = await createTodoWorld({ "to-do.json": makeTodo(tasks) });
  const told: [string, boolean][] = [];
  const { host } = watch(world);
  const taskEnded = async ({ outputs, todo }: EndedTask) => {
    told.push([outputs.join(), todo?.repeatedIn === "to-do.json"]);
  };
  const night = async (skipped: string, ...retry: string[]) => {
    told.length = 0;
    const common = { kind: "tasks", workId: WORK_ID, key: "to-do.json" } as const;
    const [sessionId] = await readdir(join(world.root, ".looplia/state", WORK_ID, "sessions")).catch(
      () => [],
    );
    const trigger = { ...common, ...(sessionId === undefined ? {} : { sessionId, retry }) };
    const model = todoModel({
      T1: () => report("T1", { status: "blocked", blockers: ["no key"] }),
      T2: () => report("T2", { status: "skipped", summary: skipped }),
    });
    return world.run(model, { trigger, host: { ...host, taskEnded } });
  };
  await night("not now");
  const first = await world.read("to-do.json");
  // What was skipped is as it was before.
  expect(told).toEqual([
    ["T1", false],
    ["T2", true],
  ]);
  expect((await world.readList()).tasks[1]).toEqual(makeTask("T2"));
  await night("not now", "T1");
  expect(told).toEqual([
    ["T1", true],
    ["T2", true],
  ]);
  expect(await world.read("to-do.json")).toBe(first);
  await night("no time", "T1");
  expect(told).toEqual([
    ["T1", true],
    ["T2", true],
  ]);
});
