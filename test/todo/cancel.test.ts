// A person ends the session of a list while it runs.
import { expect, test } from "vitest";
import { Cancellation, Cancellations } from "../../src/agent/cancellations.ts";
import { call } from "../fakes/scripted-model.ts";
import { todoModel } from "../fakes/todo-script.ts";
import { createTodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

test("the command that runs is killed, the session ended for good, and nothing after it is begun", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  const cancellations = new Cancellations();
  const model = todoModel({
    T1: () => ({ content: [call("1", "runCommand", { command: "touch a; sleep 60" })] }),
  });
  const begun = performance.now();
  const running = world.run(model, { cancellations });
  await expect.poll(() => world.read("a").catch(() => "none"), { timeout: 10_000 }).toBe("");
  cancellations.cancel(new Cancellation("canceled by github:1:ann", "github:1:ann"));
  const result = await running;
  expect(performance.now() - begun).toBeLessThan(30_000);
  expect(result.items[0]).toMatchObject({ status: "stopped", reasonCode: "closed" });
  expect(await world.states()).toBe("T1 doing, T2 todo");
  expect(model.requests).toHaveLength(1);
  const again = await world.run(todoModel());
  expect(again.items[0]).toMatchObject({ status: "ignored", reasonCode: "closed" });
});
