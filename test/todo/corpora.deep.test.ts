// Whatever stands where the task list should be, a run ends soon and clearly and leaves it as it is; and whatever stands
// in a list beside what the program knows survives its edits byte for byte.
import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import { readTodo, todoBytes } from "../../src/todo/document.ts";
import { editTask } from "../../src/todo/edit.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";
import { createTodoWorld } from "../fakes/todo-world.ts";

const corpora = process.env.TEST_CORPORA;
if (!corpora)
  console.log("left out: corpora through the task loop (set TEST_CORPORA to the folder that holds them)");
const suite = join(corpora ?? "", "json-test-suite", "test_parsing");
const files = corpora ? readdirSync(suite) : [];

describe.runIf(corpora !== undefined && corpora !== "")("the JSON test suite", () => {
  test("as task lists: refused by the file's name, or given to a repair, and untouched", async () => {
    const world = await createTodoWorld({ "to-do.json": "" });
    const path = join(world.root, "to-do.json");
    const ends = { refused: 0, repair: 0 };
    for (const name of files) {
      const bytes = readFileSync(join(suite, name));
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
    for (const name of files.filter((file) => file.startsWith("y_"))) {
      const value = readFileSync(join(suite, name), "utf8");
      const reading = await readTodo(new TextEncoder().encode(list(value, "todo")), "to-do.json");
      if (reading.kind !== "valid") throw new Error(`${name} is not valid in a list`);
      const edited = editTask(reading.document, "T1", { set: { status: "done" } });
      expect(new TextDecoder().decode(todoBytes(edited)), name).toBe(list(value, "done"));
      kept += 1;
    }
    expect(kept).toBeGreaterThan(80);
  });
});
