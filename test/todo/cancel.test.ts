// A person ends the session of a list while it runs.
import { expect, test } from "vitest";
import { Cancellation, Cancellations } from "../../src/agent/session.ts";
import { call } from "../fakes/scripted-model.ts";
import { todoModel } from "../fakes/todo-script.ts";
import { createTodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

test("the command that runs is killed, the session ended for good, and nothing after it is begun", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  const cancellations = new Cancellations();
  const model = todoModel({
    T1: () => ({ content: [call("1", "runCommand", { command: "touch a; sleep 300" })] }),
  });
  const begun = performance.now();
  const running = world.run(model, { cancellations });
  await expect.poll(() => world.read("a").catch(() => "none")).toBe("");
  cancellations.cancel(new Cancellation("canceled by github:1:ann", "github:1:ann"));
  const result = await running;
  expect(performance.now() - begun).toBeLessThan(30_000);
  expect(result.items[0]).toMatchObject({ status: "stopped", reasonCode: "closed" });
  expect(await world.states()).toBe("T1 todo, T2 todo");
  expect(await world.read("a")).toBe("");
  expect(model.requests).toHaveLength(1);
  const again = await world.run(todoModel());
  expect(again.items[0]).toMatchObject({ status: "stopped", reasonCode: "closed" });
});

test("a task that was blocked before is blocked again; one that somebody marked by hand is left alone", async () => {
  const tasks = [makeTask("T1", { status: "blocked" }), makeTask("T2", { status: "done" })];
  const world = await createTodoWorld({ "to-do.json": makeTodo(tasks) });
  const cancellations = new Cancellations();
  const model = todoModel({
    T1: () => {
      cancellations.cancel(new Cancellation("canceled by github:1:ann", "github:1:ann"));
      return { content: [call("1", "runCommand", { command: "true" })] };
    },
  });
  await world.run(model, { cancellations });
  expect(await world.states()).toBe("T1 blocked, T2 done");
  await world.write("to-do.json", makeTodo([makeTask("T1"), makeTask("T2", { status: "doing" })]));
  expect((await world.run(todoModel())).items[0]).toMatchObject({ status: "stopped", reasonCode: "closed" });
  expect(await world.states()).toBe("T1 todo, T2 doing");
});
