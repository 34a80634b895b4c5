// A process that dies in an agent's command, and what becomes of the list that the command had changed.
import { expect, test } from "vitest";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import type { AskResult, Model, Workspace } from "../../src/core/ports.ts";
import { createOfflineModel } from "../../src/offline/model.ts";
import type { TodoSettings } from "../../src/todo/run-state.ts";
import { approve, ScriptedHost } from "../fakes/agent-world.ts";
import { Killed, type Life, mortalStores } from "../fakes/dying-stores.ts";
import { call } from "../fakes/scripted-model.ts";
import { report, todoModel, turnOf } from "../fakes/todo-script.ts";
import { createTodoWorld, type TodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

const MARKED = makeTodo([makeTask("T1", { status: "doing" }), makeTask("T2")]);

/** A run that dies as soon as the agent's command has run: nothing more is written, not even by the program. */
async function dieIn(
  world: TodoWorld,
  command: string,
  settings: Partial<TodoSettings> = {},
  model: Model = todoModel({ T1: () => ({ content: [call("1", "runCommand", { command })] }) }),
): Promise<void> {
  let isDead = false;
  const life: Life = {
    lines: 0,
    get ends() {
      return isDead ? 0 : Number.POSITIVE_INFINITY;
    },
  };
  const alive = <T>(work: () => Promise<T>): Promise<T> => {
    if (isDead) throw new Killed("killed in a command");
    return work();
  };
  const workspace = (own: Workspace): Workspace => ({
    ...own,
    isolation: own.isolation,
    async run(line, options) {
      await own.run(line, options);
      isDead = true;
      throw new Killed("killed in a command");
    },
    writeAtomic: (path, bytes) => alive(() => own.writeAtomic(path, bytes)),
    remove: (path) => alive(() => own.remove(path)),
  });
  const host = new ScriptedHost([approve()]);
  await expect(world.run(model, { stores: mortalStores(life), workspace, host, settings })).rejects.toThrow(
    "killed",
  );
}

/** The next run: the command is in doubt, and the list is as whoever is asked finds it. */
async function goOn(world: TodoWorld): Promise<string> {
  let seen = "";
  const host = {
    canAsk: true,
    async ask({ options }: InteractionRequest) {
      seen = await world.read("to-do.json").catch(() => "none");
      expect(options?.map(({ id }) => id)).toContain("happened");
      return { answer: { selectedOptionId: "happened" }, actorId: "terminal:test" };
    },
    async taskEnded() {},
    async secure() {},
  };
  const model = todoModel({ T1: (request) => (turnOf(request) === 1 ? undefined : report("T1")) });
  expect((await world.run(model, { host })).status).toBe("completed");
  return seen;
}

const warnings = (world: TodoWorld) =>
  world.events.flatMap((event) =>
    event.type === "notice" && event.level === "warning" ? [event.message] : [],
  );

test.each([
  ["every task done", 'sed -i \'s/"todo"/"done"/\' to-do.json'],
  ["no JSON any more", "echo '{' > to-do.json"],
  ["no list", "rm to-do.json"],
  ["a link", "ln -sf nowhere to-do.json"],
  ["a folder", "rm to-do.json && mkdir to-do.json"],
])("%s: the next run puts the list back, says so, and keeps what it had become", async (_, command) => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  await dieIn(world, command);
  const left = await world.read("to-do.json").catch(() => undefined);
  expect(left).not.toBe(MARKED);
  expect(await goOn(world)).toBe(MARKED);
  expect(warnings(world).join("\n")).toContain("the change was undone");
  if (left !== undefined) expect([...world.kept.texts.values()]).toContain(left);
  expect(await world.states()).toBe("T1 done, T2 done, project-done done");
});

test("a link in the place of the list's folder goes, and the list is back in a folder", async () => {
  const settings = { todo: "lists/now/to-do.json" };
  const world = await createTodoWorld({ [settings.todo]: makeTodo([makeTask("T1")]) });
  await dieIn(world, "mv lists away && ln -s away lists", settings);
  const model = todoModel({ T1: (request) => (turnOf(request) === 1 ? undefined : report("T1")) });
  const happened: AskResult = { answer: { selectedOptionId: "happened" }, actorId: "terminal:test" };
  const result = await world.run(model, { settings, host: new ScriptedHost([happened]) });
  expect(result.status).toBe("completed");
  expect(warnings(world).join("\n")).toContain("the change was undone");
  expect(JSON.parse(await world.read(settings.todo)).tasks[0].status).toBe("done");
  expect(JSON.parse(await world.read("away/now/to-do.json")).tasks[0].status).toBe("doing");
});

test.each([
  ["happened", "T1 done, project-done done", "x"],
  ["run", "T1 done, project-done done", "xx"],
  ["stop", "T1 blocked", "x"],
])(
  "a runbook that was killed in a command goes on as the person says: %s",
  async (selectedOptionId, states, ran) => {
    const command = "printf x >> ran";
    const steps = [`$ ${command}`, "$ touch next"];
    const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1", { steps })]) });
    await dieIn(world, command, {}, createOfflineModel());
    const says: AskResult = { answer: { selectedOptionId }, actorId: "terminal:test" };
    // The intents of both commands were stored before the first one ran, so a person is asked about each.
    const runs: AskResult = { answer: { selectedOptionId: "run" }, actorId: "terminal:test" };
    await world.run(createOfflineModel(), { host: new ScriptedHost([says, runs]) });
    expect(await world.states()).toBe(states);
    expect(await world.read("ran")).toBe(ran);
    const next = world.read("next");
    if (selectedOptionId === "stop") await expect(next).rejects.toThrow("ENOENT");
    else expect(await next).toBe("");
  },
);

test("a command that left the list alone: nothing is undone", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  await dieIn(world, "touch other");
  expect(await goOn(world)).toBe(MARKED);
  expect(warnings(world).join("\n")).not.toContain("undone");
});

test("a person's edit while nothing is in doubt stands, though an agent has acted before", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  const acts = todoModel({
    T1: (request) =>
      turnOf(request) === 1
        ? { content: [call("1", "runCommand", { command: "touch a" })] }
        : { content: [call("2", "askUser", { question: "Which?" })] },
  });
  expect((await world.run(acts)).status).toBe("waiting");
  await world.write("to-do.json", makeTodo([makeTask("T1", { status: "doing" }), makeTask("T3")]));
  await world.run(todoModel({ T1: () => undefined }));
  expect(await world.states()).toContain("T3");
});
