// The process is killed before and after every durable effect, a stored line or a written file, and started again: no
// task is lost, none is done twice, and the file is always valid.
import { expect, test } from "vitest";
import type { Workspace } from "../../src/core/ports.ts";
import { readTodo } from "../../src/todo/document.ts";
import { Killed, type Life, mortalStores } from "../fakes/dying-stores.ts";
import { call, type ScriptedModel } from "../fakes/scripted-model.ts";
import { report, todoModel, turnOf } from "../fakes/todo-script.ts";
import { createTodoWorld, type TodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

const TODO = makeTodo([
  makeTask("T1", { "x-own": 1 }),
  makeTask("T2", { depends_on: ["T1"], priority: 4 }),
  makeTask("T3", { status: "blocked" }),
]);

/** T1 edits a file, T2 reports another task first, a review adds T5 as long as it is not there. */
function makeModel(): ScriptedModel {
  return todoModel({
    T1: (request) =>
      turnOf(request) === 1
        ? { content: [call("1", "editFile", { path: "a.txt", oldStr: "", newStr: "a" })] }
        : report("T1", { files: ["a.txt"] }),
    T2: ({ conversationId }) => report(conversationId.endsWith("#1") ? "T1" : "T2"),
    review: (request) => {
      const isThere = JSON.stringify(request.messages).includes('\\"id\\":\\"T5\\"');
      return isThere || turnOf(request) > 1 ? "All is there." : ADD;
    },
  });
}

const ADD = {
  content: [call("1", "writeArtifact", { output: "to-do", content: { tasks: [makeTask("T5")] } })],
};

function mortalWorkspace(workspace: Workspace, life: Life): Workspace {
  const die = (): never => {
    throw new Killed("killed at a file");
  };
  return {
    ...workspace,
    async writeAtomic(path, bytes) {
      if (life.lines >= life.ends) die();
      life.lines += 1;
      await workspace.writeAtomic(path, bytes);
      if (life.lines >= life.ends && !life.lingers) die();
    },
  };
}

function runMortal(world: TodoWorld, life: Life) {
  const workspace = (own: Workspace) => mortalWorkspace(own, life);
  return world.run(makeModel(), { stores: mortalStores(life), workspace });
}

/** The loop translates what a disk refuses. */
function isKilled(error: unknown): boolean {
  return error instanceof Killed || (error instanceof Error && error.cause instanceof Killed);
}

/** Without times. */
async function endOf(world: TodoWorld): Promise<unknown> {
  const { tasks } = await world.readList();
  return tasks.map(({ updated_at: _, ...task }) => task);
}

/** Every fourth point unless all are asked for; which ones, the seed says. */
const EVERY = process.env.CRASH_ALL ? 1 : 4;
const SEED = Number(process.env.CRASH_SEED ?? 1);

test(`each point ends with the same list (1 of ${EVERY}, seed ${SEED}; CRASH_ALL and CRASH_SEED set it)`, async () => {
  const whole: Life = { lines: 0, ends: Number.POSITIVE_INFINITY };
  const undisturbed = await createTodoWorld({ "to-do.json": TODO });
  expect(await runMortal(undisturbed, whole)).toMatchObject({ status: "completed", reasonCode: "done" });
  const expected = await endOf(undisturbed);
  expect(await undisturbed.states()).toBe("T1 done, T2 done, T3 done, T5 done, project-done done");
  for (let ends = 1 + (SEED % EVERY); ends < whole.lines; ends += EVERY) {
    for (const lingers of [false, true]) {
      const place = `killed after effect ${ends} of ${whole.lines}${lingers ? ", at the next" : ""}`;
      const world = await createTodoWorld({ "to-do.json": TODO });
      await expect(runMortal(world, { lines: 0, ends, lingers }), place).rejects.toSatisfy(isKilled);
      const reading = await readTodo(Buffer.from(await world.read("to-do.json")), "to-do.json");
      expect(reading.kind, place).toBe("valid");
      const resumed = await world.run(makeModel());
      expect(resumed, place).toMatchObject({ status: "completed" });
      expect(await endOf(world), place).toEqual(expected);
      const done = world.events.flatMap((event) =>
        event.type === "iteration" && event.status === "completed" ? [event.taskId] : [],
      );
      expect(new Set(done).size, place).toBe(done.length);
    }
  }
});
