// Bootstrap, repair and review: agents write the list through `writeArtifact("to-do")`, and nothing gets lost.
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { call, ScriptedModel, type ScriptedTurn } from "../fakes/scripted-model.ts";
import { subjectOf, todoModel, turnOf } from "../fakes/todo-script.ts";
import { createTodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

function write(id: string, content: unknown): ScriptedTurn {
  return { content: [call(id, "writeArtifact", { output: "to-do", content })] };
}

const list = (tasks: unknown[], more: object = {}) => ({
  schema_version: 1,
  source_files: [],
  tasks,
  ...more,
});
const repliesOf = (model: ScriptedModel) =>
  model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)?.content));

describe("bootstrap", () => {
  it("makes a list from the source files, refused until all of it is valid, and the loop goes on with it", async () => {
    const world = await createTodoWorld({
      "README.md": "# Plan\n",
      "docs/a/more.md": "x",
      "docs/a.txt": "x",
    });
    const bad = [{ ...makeTask("T1"), priority: 9 }, makeTask("T2", { depends_on: ["T3"] })];
    const turns = [
      write("1", list(bad)),
      write("2", list([makeTask("T1", { status: "done" })])),
      write("3", list([makeTask("T1"), makeTask("T2", { depends_on: ["T1"] })])),
    ];
    const model = todoModel({ bootstrap: (request) => turns[turnOf(request) - 1] });
    expect((await world.run(model)).status).toBe("completed");
    expect(model.requests.map(subjectOf)).toEqual([
      "bootstrap",
      "bootstrap",
      "bootstrap",
      "T1",
      "T2",
      "review",
    ]);
    expect(await world.states()).toBe("T1 done, T2 done, project-done done");
    const replies = repliesOf(model);
    expect(replies[0]).toContain("- `README.md`\\n- `docs/a/more.md`\\n\\nLook");
    expect(replies[1]).toContain("tasks[0].priority: expected a whole number from 1 to 5, got 9");
    expect(replies[2]).toContain("a new task has the status");
    expect(world.kept.texts.get("to-do.schema.json")).toContain('"schema_version"');
  });

  it("asks a person what is wanted when there is no document", async () => {
    const world = await createTodoWorld();
    const model = todoModel({
      bootstrap: (request) =>
        turnOf(request) === 1
          ? { content: [call("1", "askUser", { question: "What shall be done?" })] }
          : write("2", list([makeTask("T1")])),
    });
    const host = new ScriptedHost([{ answer: { inputValue: "Say hi." }, actorId: "terminal:t" }]);
    expect((await world.run(model, { host })).status).toBe("completed");
    expect(repliesOf(model)[0]).toContain("ask with `askUser`");
  });

  it("with neither document nor person is an error, and takes a language model", async () => {
    const world = await createTodoWorld();
    const none = world.run(new ScriptedModel([]), { host: new ScriptedHost("nobody") });
    await expect(none).rejects.toMatchObject({ code: "no-items" });
    const offline = world.run(new ScriptedModel([], { provider: "offline" }));
    await expect(offline).rejects.toMatchObject({ code: "config-invalid" });
    expect(await readdir(world.root)).not.toContain("to-do.json");
  });
});

describe("repair", () => {
  const BROKEN = `{
  "x-own": 12345678901234567890,
  "schema_version": 1,
  "source_files": "README.md",
  "tasks": [
    { "id": "T1", "title": "One", "priority": 1e400, "status": "done", "x-cost": 1e400 },
    { "id": "T2", "title": "Two", "priority": 2, "status": "todo" },
    { "title": "No id", "priority": 2, "status": "todo" }
  ]
}
`;
  const one = makeTask("T1", { title: "One", priority: 1, status: "todo" });
  const two = makeTask("T2", { title: "Two", priority: 2 });
  const three = makeTask("T3", { title: "No id", priority: 2 });

  it("mends what is broken where it stands: own fields, big numbers and valid states stay; the old file is kept", async () => {
    const world = await createTodoWorld({ "to-do.json": BROKEN });
    const model = todoModel({
      repair: () => write("1", list([one, two, three], { source_files: ["README.md"] })),
    });
    const stop = { settings: { maxIterations: 1 } };
    expect((await world.run(model, stop)).reasonCode).toBe("max-iterations");
    const text = await world.read("to-do.json");
    expect(text).toContain('"x-own": 12345678901234567890');
    expect(text).toContain('"priority": 1, "status": "done", "x-cost": 1e400 }');
    expect(await world.states()).toMatch(/^T1 done, T2 done, T3 todo$/);
    const aside = (await readdir(world.root)).find((name) => name.startsWith("to-do.broken-")) ?? "";
    expect(await world.read(aside)).toBe(BROKEN);
    expect(repliesOf(model)[0]).toContain("to-do.json:6: tasks[0].priority");
  });

  it("that drops a task without saying so is refused; one that is named with a reason may go", async () => {
    const world = await createTodoWorld({ "to-do.json": BROKEN });
    const removed_tasks = [{ id: "No id", reason: "says nothing" }];
    const turns = [
      write("1", list([one, three])),
      write("2", list([one, two])),
      write("3", list([one, two], { removed_tasks })),
    ];
    const model = todoModel({ repair: (request) => turns[turnOf(request) - 1] });
    await world.run(model);
    const replies = repliesOf(model);
    expect(replies[1]).toContain("tasks[1] (T2) got lost");
    expect(replies[2]).toContain("tasks[2] (No id) got lost");
    expect(await world.states()).toBe("T1 done, T2 done, project-done done");
    expect(await world.read("to-do.json")).not.toContain("removed_tasks");
  });

  it("knows what each task became: by its id, if need be as text, else by its title, else as one that is new", async () => {
    const text = `{ "schema_version": 1, "source_files": [], "tasks": [
  { "id": 7, "title": "Seven", "priority": 2, "status": "done", "x": 1.10 },
  { "id": "A", "title": "First", "priority": 2, "status": "blocked", "x": 2.10 },
  { "id": "A", "title": "Second", "priority": 2, "status": "done", "x": 3.10 },
  "Write the docs", { "priority": 9, "x": 4.10 }, null
] }`;
    const world = await createTodoWorld({ "to-do.json": text });
    const tasks = [
      makeTask("7", { title: "Seven", priority: 2 }),
      makeTask("A", { title: "First", priority: 2 }),
      makeTask("B", { title: "Second", priority: 2 }),
      makeTask("D", { title: "Write the docs" }),
      makeTask("E", { title: "What had no name", priority: 5 }),
    ];
    const removed_tasks = [{ id: "tasks[5]", reason: "says nothing" }];
    const turns = [write("1", list(tasks)), write("2", list(tasks, { removed_tasks }))];
    const model = todoModel({ repair: (request) => turns[turnOf(request) - 1] });
    await world.run(model, { settings: { task: "A" } });
    expect(repliesOf(model)[1]).toContain("tasks[5] got lost");
    const mended = await world.read("to-do.json");
    expect(mended).toContain('{ "id": "7", "title": "Seven", "priority": 2, "status": "done", "x": 1.10 }');
    expect(mended).toContain('{ "id": "B", "title": "Second", "priority": 2, "status": "done", "x": 3.10 }');
    expect(mended).toMatch(/"priority": 5, "x": 4\.10, "id": "E", "title": "What had no name"/);
    expect(await world.states()).toBe("7 done, A done, B done, E todo, D todo");
  });

  it("that drops one of two with the same id, or from an object in the list's place, must say so for each", async () => {
    const [first, second] = [makeTask("A", { title: "1" }), makeTask("A", { title: "2" })];
    const removed_tasks = [{ id: "A", reason: "it is there twice" }];
    const other = makeTask("B");
    const drop = async (tasks: unknown) => {
      const text = makeTodo([]).replace('"tasks": []', `"tasks": ${JSON.stringify(tasks)}`);
      const world = await createTodoWorld({ "to-do.json": text });
      const turns = [
        write("1", list([other], { removed_tasks })),
        write("2", list([first, other], { removed_tasks })),
      ];
      const model = todoModel({ repair: (request) => turns[turnOf(request) - 1] });
      await world.run(model);
      return [repliesOf(model)[1], await world.states()];
    };
    const lost = [expect.stringContaining("tasks[1] (A) got lost"), "A done, B done, project-done done"];
    expect(await drop([first, second])).toEqual(lost);
    expect(await drop({ one: first, two: second })).toEqual(lost);
  });

  it("LESSONS, an agent once emptied the file: after five refusals it has failed, and the file is as it was", async () => {
    const world = await createTodoWorld({ "to-do.json": BROKEN });
    const model = todoModel({ repair: (request) => write(`${turnOf(request)}`, list([])) });
    expect(await world.run(model)).toMatchObject({ status: "failed", reasonCode: "invalid-artifact" });
    expect(model.requests).toHaveLength(5);
    expect(await world.read("to-do.json")).toBe(BROKEN);
  });
});

describe("an agent of the list that ends without one", () => {
  const unfinished = "You ended your turn, but the program has not accepted an artifact";

  it("is reminded once, and once more after a list was refused", async () => {
    const world = await createTodoWorld({
      "to-do.json": '{ "schema_version": 1, "source_files": [], "tasks": [{ "id": "A" }] }',
    });
    const turns = ["Here it is.", write("1", list([])), "I tried.", "I give up."];
    const model = todoModel({ repair: (request) => turns[turnOf(request) - 1] });
    const { status, items } = await world.run(model);
    expect(status).toBe("failed");
    expect(items[0]?.message).toMatch(/ended without writing to-do; it said: I give up\.$/);
    const replies = repliesOf(model);
    expect(replies.map((reply) => reply.includes(unfinished))).toEqual([false, true, false, true]);
  });

  it("may end where nothing had to be written, but not with a list that was refused", async () => {
    const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
    const turns = [write("1", list("none" as never)), "All is there.", write("2", list([makeTask("T1")]))];
    const model = todoModel({ review: (request) => turns[turnOf(request) - 1] });
    expect((await world.run(model)).status).toBe("completed");
    expect(model.requests.map(subjectOf)).toEqual(["T1", "review", "review", "review"]);
    expect(repliesOf(model)[3]).toContain(unfinished);
  });
});

describe("review", () => {
  it("adds tasks, and changes nothing that is there: states and removed tasks are as they were", async () => {
    const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
    let reviews = 0;
    const model = todoModel({
      review: (request) => {
        if (turnOf(request) > 1 || reviews++ > 0) return "All is there.";
        return write("1", list([makeTask("T1", { status: "todo" }), makeTask("T3")]));
      },
    });
    expect((await world.run(model)).status).toBe("completed");
    expect(model.requests.map(subjectOf)).toEqual(["T1", "T2", "review", "T3", "review"]);
    expect(await world.states()).toBe("T1 done, T2 done, T3 done, project-done done");
    const warnings = world.events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
    expect(warnings).toEqual(["The review changed T1, which was undone: only new tasks count."]);
  });

  it("is the review agent's, and waits when it asks", async () => {
    const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
    const ask = { content: [call("1", "askUser", { question: "Enough?" })] };
    const model = todoModel({ review: (request) => (turnOf(request) === 1 ? ask : "Yes.") });
    const waiting = await world.run(model, { settings: { reviewAgent: "careful" } });
    expect(waiting.items[0]?.interactions[0]?.authorActorId).toBe("agent:careful");
    const interactionId = waiting.items[0]?.interactions[0]?.interactionId ?? "";
    const trigger = {
      kind: "answer",
      interactionId,
      answer: { inputValue: "yes" },
      actorId: "terminal:t",
    } as const;
    const done = await world.run(model, { trigger, settings: { reviewAgent: "careful" } });
    expect(done.status).toBe("completed");
    expect(model.requests).toHaveLength(3);
  });
});
