// At a limit, at the deadline and when it is interrupted the task stays `doing`, its turn is saved, and the run says what
// is left; an agent's own time-out is that agent's failure.
import { expect, test } from "vitest";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { call } from "../fakes/scripted-model.ts";
import { todoModel, turnOf } from "../fakes/todo-script.ts";
import { createTodoWorld, type TodoRunOptions } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

const list = () => makeTodo(["T1", "T2"].map((id) => makeTask(id)));
/** Else a limit of cost is a question. */
const nobody = () => new ScriptedHost("nobody");
const look = (turn: number) => ({ content: [call(`c${turn}`, "listFiles", { path: "." })] });

test.each<[string, string, TodoRunOptions]>([
  ["max-turns", "max-turns", { agent: { limits: { maxTurns: 2 } } }],
  ["max-tokens", "cost-limit", { host: nobody(), agent: { limits: { maxTurns: 50, maxTokens: 30 } } }],
  ["max-cost-usd", "cost-limit", { host: nobody(), agent: { limits: { maxTurns: 50, maxCostUsd: 2 } } }],
])(
  "%s stops in the middle of a task, and the next run goes on in its conversation",
  async (_name, reasonCode, options) => {
    const world = await createTodoWorld({ "to-do.json": list() });
    const price = () => 1;
    const busy = todoModel({ T1: (request) => look(turnOf(request)) }, { price });
    const stopped = await world.run(busy, options);
    expect(stopped).toMatchObject({ status: "stopped", reasonCode });
    expect(stopped.items[0]?.message).toMatch(
      /raise the limit to continue; 2 tasks are left: T1 \(doing\), T2$/,
    );
    expect(await world.states()).toBe("T1 doing, T2 todo");
    const model = todoModel({}, { price });
    expect((await world.run(model)).status).toBe("completed");
    // Both turns are there, with what they found.
    expect(model.requests[0]?.messages).toHaveLength(5);
    expect(await world.states()).toBe("T1 done, T2 done, project-done done");
  },
);

test("a limit that is met in the last look says that no task is left", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  const model = todoModel({}, { price: () => 1 });
  const stopped = await world.run(model, {
    host: nobody(),
    agent: { limits: { maxTurns: 50, maxCostUsd: 0.5 } },
  });
  expect(stopped.items[0]).toMatchObject({ status: "stopped", reasonCode: "cost-limit" });
  expect(stopped.items[0]?.message).toMatch(/; no task is left$/);
});

test.each(["deadline", "interrupted"])("%s stops a run whose model says nothing", async (reason) => {
  const world = await createTodoWorld({ "to-do.json": list() });
  const stop = new AbortController();
  const silent = todoModel({
    T1: (request) => {
      if (turnOf(request) === 1) return look(1);
      setTimeout(() => stop.abort(reason), 5);
      return { hang: true };
    },
  });
  const stopped = await world.run(silent, { signal: stop.signal });
  expect(stopped).toMatchObject({ status: "stopped", reasonCode: reason });
  expect(stopped.items[0]?.message).toContain("2 tasks are left: T1 (doing), T2");
  const model = todoModel();
  expect((await world.run(model)).status).toBe("completed");
  expect(model.requests[0]?.messages).toHaveLength(3);
});

test("a run that is stopped between two tasks begins none", async () => {
  const world = await createTodoWorld({ "to-do.json": list() });
  const stop = new AbortController();
  const model = todoModel();
  const hook = async () => void stop.abort("interrupted");
  const stopped = await world.run(model, { signal: stop.signal, hook });
  expect(stopped).toMatchObject({ status: "stopped", reasonCode: "interrupted" });
  expect(await world.states()).toBe("T1 done, T2 todo");
});

test("an agent that takes longer than its own minutes has failed, not the run", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  const model = todoModel({ T1: () => ({ hang: true }) });
  const stuck = await world.run(model, { agent: { timeoutMs: 30 } });
  expect(stuck).toMatchObject({ status: "stopped", reasonCode: "blocked-tasks" });
  const [task] = (await world.readList()).tasks;
  expect(task).toMatchObject({
    status: "blocked",
    blockers: [expect.stringMatching(/^scripted took longer than its 0\.0005 minutes$/)],
  });
});
