// Ids that mean something to a program, and people who change the list at the worst moment.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EndedTask, Workspace } from "../../src/core/ports.ts";
import { readTodo } from "../../src/todo/document.ts";
import { approve, ScriptedHost } from "../fakes/agent-world.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";
import { report, subjectOf, todoModel, turnOf } from "../fakes/todo-script.ts";
import { createTodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

const IDS = [
  ...[
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "project-done",
    "../../etc/passwd",
    "a/b",
    "-rf",
  ],
  ...[
    "to-do",
    "to-do:review",
    "to-do:bootstrap",
    "to-do:repair",
    "T1",
    "T1#1",
    "T1#1/x",
    "$(id)",
    "{{facts}}",
  ],
];

test("ids that are names of the program's own are tasks like any other, each done once", async () => {
  const world = await createTodoWorld({
    "to-do.json": makeTodo(IDS.map((id) => makeTask(id, { title: id }))),
  });
  const model = todoModel();
  const result = await world.run(model, { settings: { maxIterations: 100 } });
  expect([result.status, result.items[0]?.message]).toEqual(["completed", undefined]);
  const subjects = model.requests.map(subjectOf);
  expect(subjects.toSorted()).toEqual([...IDS, "review"].toSorted());
  const { tasks } = await world.readList();
  expect(tasks.map(({ id }) => id)).toEqual([...IDS, "project-done-2"]);
  expect([...world.kept.last.keys()]).toEqual(IDS.map((_, at) => at + 1));
});

test("a task whose end the next run applies is told like any other, once", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  const ended: string[] = [];
  const host = Object.assign(new ScriptedHost("nobody"), {
    taskEnded: async ({ outputs }: EndedTask) => void ended.push(...outputs),
  });
  const workspace = (own: Workspace): Workspace => ({
    ...own,
    isolation: own.isolation,
    async writeAtomic(path, bytes) {
      if (Buffer.from(bytes).includes('"done"')) throw new Error("killed");
      return own.writeAtomic(path, bytes);
    },
  });
  await expect(world.run(todoModel(), { host, workspace })).rejects.toThrow("killed");
  expect([await world.states(), ended]).toEqual(["T1 doing", []]);
  const model = todoModel();
  expect((await world.run(model, { host })).status).toBe("completed");
  expect(model.requests.map(subjectOf)).toEqual(["review"]);
  expect(ended).toEqual(["T1", "project-done"]);
});

test("a list that a person breaks while a task runs is left as it is; mended, the summary is applied and nobody asked again", async () => {
  const list = makeTodo([makeTask("T1")]);
  const world = await createTodoWorld({ "to-do.json": list });
  const model = new ScriptedModel(async (request) => {
    if (subjectOf(request) === "review") return "Nothing.";
    await world.write("to-do.json", "{ half");
    return report("T1");
  });
  await expect(world.run(model)).rejects.toMatchObject({ code: "config-invalid" });
  expect(await world.read("to-do.json")).toBe("{ half");
  await world.write("to-do.json", list);
  expect((await world.run(model)).status).toBe("completed");
  expect(model.requests.map(subjectOf)).toEqual(["T1", "review"]);
  expect(await world.states()).toBe("T1 done, project-done done");
});

test("a task that a person takes out while it runs stays out, and the loop goes on", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  const model = new ScriptedModel(async (request) => {
    const subject = subjectOf(request);
    if (subject === "review") return "Nothing.";
    if (subject === "T1") await world.write("to-do.json", makeTodo([makeTask("T2")]));
    return report(subject);
  });
  expect((await world.run(model)).status).toBe("completed");
  expect(await world.states()).toBe("T2 done, project-done done");
});

test.each([
  ["a link that leads out", "ln -sf /etc/passwd to-do.json"],
  ["a folder", "rm to-do.json && mkdir -p to-do.json/a && touch to-do.json/a/b"],
  ["a pipe", "rm to-do.json && mkfifo to-do.json"],
  ["a file that nobody can read whole", "truncate -s 3G to-do.json"],
])("the list made %s by an agent's command is put back", async (_, command) => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  const model = todoModel({
    T1: (request) =>
      turnOf(request) === 1 ? { content: [call("1", "runCommand", { command })] } : undefined,
  });
  expect((await world.run(model, { host: new ScriptedHost([approve()]) })).status).toBe("completed");
  expect(await world.states()).toBe("T1 done, T2 done, project-done done");
  expect(JSON.stringify(world.events)).toContain("while a command of scripted ran, which was undone");
});

test("a task that a person takes out between its choice and its mark is nobody's bug", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  let isOut = false;
  const agent = {
    // Asked for when a task is chosen and not yet marked.
    get limits() {
      if (!isOut) writeFileSync(join(world.root, "to-do.json"), makeTodo([makeTask("T2")]));
      isOut = true;
      return { maxTurns: 50 };
    },
  };
  const model = todoModel();
  expect((await world.run(model, { agent })).status).toBe("completed");
  expect(await world.states()).toBe("T2 done, project-done done");
  expect(model.requests.map(subjectOf)).toEqual(["T2", "review"]);
});

test.each([
  ["a list nested 8,000 deep", `${"[".repeat(8000)}${"]".repeat(8000)}`, /nested too deeply/],
  [
    "an object with one",
    `{"tasks":[{"details":${"[".repeat(8000)}${"]".repeat(8000)}}]}`,
    /more than 200 levels deep/,
  ],
  [
    "100,000 tasks",
    JSON.stringify({ tasks: Array.from({ length: 100_000 }, (_, id) => ({ id })) }),
    /100000 tasks: at most 25000/,
  ],
])("%s is refused within a second, and no bug of ours", async (_, text, message) => {
  const took = startCpuClock();
  const thrown = await readTodo(new TextEncoder().encode(text), "to-do.json").catch(
    (error: unknown) => error,
  );
  expect(thrown).toMatchObject({
    name: "LoopliaError",
    code: "config-invalid",
    message: expect.stringMatching(message),
  });
  expect(took()).toBeLessThan(1_000);
});
