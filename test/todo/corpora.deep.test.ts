// Whatever stands where the task list should be, a run ends soon and clearly and leaves it as it is; and whatever stands
// in a list beside what the program knows survives its edits byte for byte.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import { messageText } from "../../src/core/events.ts";
import { readTodo, todoBytes } from "../../src/todo/document.ts";
import { editTask } from "../../src/todo/edit.ts";
import { jsonTestSuite, naughtyStrings } from "../fakes/corpora.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";
import { report } from "../fakes/todo-script.ts";
import { createTodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

describe("the JSON test suite", () => {
  test("as task lists: refused by the file's name, or given to a repair, and untouched", async () => {
    const world = await createTodoWorld({ "to-do.json": "" });
    const path = join(world.root, "to-do.json");
    const ends = { refused: 0, repair: 0 };
    for (const [name, bytes] of jsonTestSuite()) {
      await writeFile(path, bytes);
      const model = new ScriptedModel(() => ({ error: new LoopliaError("model-failed", "no network") }));
      const took = startCpuClock();
      const end = await world.run(model).catch((thrown: unknown) => thrown);
      expect(took(), name).toBeLessThan(10_000);
      if (end instanceof LoopliaError) {
        ends.refused += 1;
        expect([end.code, end.message], name).toEqual([
          "config-invalid",
          expect.stringContaining("to-do.json"),
        ]);
      } else {
        ends.repair += 1;
        expect(end, name).toMatchObject({ status: "failed", reasonCode: "model-failed" });
      }
      expect((await readFile(path)).equals(bytes), name).toBe(true);
    }
    expect(ends.refused).toBeGreaterThan(200);
    expect(ends.repair).toBeGreaterThan(10);
  });

  test("as values of anybody's own in a list: an edit beside them keeps every byte", async () => {
    const list = (value: string, status: string) =>
      `{"x": ${value}, "tasks": [{"id": "T1", "y": ${value}, "title": "x", "priority": 1, "status": "${status}"}], "source_files": [], "schema_version": 1}`;
    let kept = 0;
    for (const [name, bytes] of jsonTestSuite().filter(([file]) => file.startsWith("y_"))) {
      const value = bytes.toString();
      const reading = await readTodo(new TextEncoder().encode(list(value, "todo")), "to-do.json");
      if (reading.kind !== "valid") throw new Error(`${name} is not valid in a list`);
      const edited = editTask(reading.document, "T1", { set: { status: "done" } });
      expect(new TextDecoder().decode(todoBytes(edited)), name).toBe(list(value, "done"));
      kept += 1;
    }
    expect(kept).toBeGreaterThan(80);
  });
});

describe("naughty strings", () => {
  test("are ids and titles of tasks that are done like any other", async () => {
    const usable = naughtyStrings().filter(
      (text) => text !== "" && [...text].length <= 64 && !/[\p{Cc}\p{Cs}]/u.test(text),
    );
    const ids = [...new Set(usable)];
    const world = await createTodoWorld({
      "to-do.json": makeTodo(ids.map((id) => makeTask(id, { title: id }))),
    });
    const model = new ScriptedModel((request) => {
      const [opening] = request.messages;
      const facts = /```json\n(\{"task"[\s\S]*?\})\n```/.exec(opening ? messageText(opening) : "");
      return facts ? report(JSON.parse(facts[1] ?? "").task.id) : "Nothing is missing.";
    });
    const result = await world.run(model, { settings: { maxIterations: 10_000 } });
    expect([result.status, result.items[0]?.message]).toEqual(["completed", undefined]);
    const { tasks } = await world.readList();
    expect(tasks.map(({ id, status }) => [id, status]).slice(0, -1)).toEqual(ids.map((id) => [id, "done"]));
  });
});
