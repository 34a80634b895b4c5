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

const T2 = makeTask("T2", { priority: 5 });

test("a push that removes the running task: it ends, its changes are kept, and the status comment says so", async () => {
  world = await createTasksWorld({ "to-do.json": makeTodo([makeTask("T1"), T2]) });
  world.modelTurn = async (body) => {
    if (world.model.requests.length > 1) return behave({}, body);
    await commitFiles(
      world.repository.bare,
      await world.branch(),
      { "to-do.json": makeTodo([T2]) },
      "without T1",
    );
    return use("editFile", { path: "T1.md", oldStr: "", newStr: "one\n" });
  };
  const done = await world.here({ inputs: { approval: "none" } });
  expect(done.ended, done.said).toBe("completed done");
  expect(await world.states()).toBe("T2 done, project-done done");
  expect(await world.file("T1.md")).toBe("one");
  expect(await world.commits()).toContainEqual(
    expect.stringMatching(/^chore: end T1, which left the list\n/),
  );
  expect(world.ours("looplia:status")[0]?.body).toContain("T1: it was removed from to-do.json while");
});

test("a push that removes a task whose question is open: who answers is told that the answer led to nothing", async () => {
  world = await createTasksWorld({ "to-do.json": makeTodo([makeTask("T1"), T2]) }, { T1: () => ASK });
  await world.here();
  const line = `/choose ${questionOf(world)} blue`;
  await commitFiles(
    world.repository.bare,
    await world.branch(),
    { "to-do.json": makeTodo([T2]) },
    "without T1",
  );
  const done = await world.hear("maintainer", line);
  expect(done.ended, done.said).toBe("completed done");
  expect(world.ours("looplia:reply")[0]?.body).toContain(`\`${line}\` let nothing run`);
  const answer = world.github.comments.all.find(({ body }) => body === line);
  expect(world.github.comments.reactionsOf(answer?.id ?? 0)).toEqual(["eyes", "confused"]);
  expect(world.ours("looplia:status")[0]?.body).toContain("T1 was removed from to-do.json while");
});
