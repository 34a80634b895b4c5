// A person pushes a change of a task that asks or runs: with real git, a local GitHub and the Messages API.
import { afterEach, expect, test } from "vitest";
import { commitFiles } from "../fakes/git-http.ts";
import { behave, createTasksWorld, questionOf, report, type TasksWorld, use } from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

let world: TasksWorld;

afterEach(async () => {
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
  await world.close();
});

const ASK = use("askUser", { question: "Which color?", options: ["red", "blue"] });
const list = (more: Parameters<typeof makeTask>[1]) => ({ "to-do.json": makeTodo([makeTask("T1", more)]) });

test("the answer to a task that was changed meanwhile reaches the new attempt, and its comment says so", async () => {
  world = await createTasksWorld(list({}));
  world.modelTurn = (body) => {
    const isTold = JSON.stringify(body.messages[0]).includes("blue");
    return behave(isTold ? {} : { T1: () => ASK }, body);
  };
  const asked = await world.here();
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  const question = questionOf(world);
  const changed = list({ status: "doing", details: "With a hat." });
  await commitFiles(world.repository.bare, await world.branch(), changed, "a hat");

  const done = await world.hear("maintainer", `/choose ${question} blue`);
  expect(done.ended, done.said).toBe("completed done");
  const opening = JSON.stringify(world.model.requests.at(1)?.body.messages[0]);
  expect(opening).toMatch(/With a hat.*maintainer answered .*Which color\?.*blue/);
  const [comment, ...more] = world.ours("looplia:request");
  expect(more).toEqual([]);
  expect(comment?.body).toMatch(/^### Chosen.*The answer was passed to the new attempt/ms);
});

test("a push that changes the running task is seen before the task ends", async () => {
  world = await createTasksWorld(list({}));
  let turns = 0;
  world.modelTurn = async (body) => {
    if (++turns === 1) return use("editFile", { path: "T1.md", oldStr: "", newStr: "one\n" });
    if (turns === 2) {
      const changed = list({ status: "doing", reference: "With a hat." });
      await commitFiles(world.repository.bare, await world.branch(), changed, "a hat");
    }
    return turns === 3 ? report("T1", { summary: "With a hat now." }) : behave({}, body);
  };
  const settings = { inputs: { approval: "none" } };
  const done = await world.here(settings);
  expect(done.ended, done.said).toBe("completed done");
  expect(JSON.stringify(world.model.requests[2]?.body.messages.at(-1))).toMatch(
    /changed your task.*With a hat/,
  );
  const { tasks } = JSON.parse(await world.file("to-do.json"));
  expect(tasks[0]).toMatchObject({ status: "done", reference: "With a hat." });
});
