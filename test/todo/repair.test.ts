// The text that a repair makes of a broken list, however long it is.
import { expect, test } from "vitest";
import { readTodo, type TodoFile, type TodoTask } from "../../src/todo/document.ts";
import { mergeRepair } from "../../src/todo/write.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import { makeTask } from "./samples.ts";

async function merge(text: string, tasks: TodoTask[]): Promise<string> {
  const reading = await readTodo(new TextEncoder().encode(text), "to-do.json");
  if (reading.kind === "valid") throw new Error("there is nothing to repair");
  return mergeRepair(reading.broken, { schema_version: 1, source_files: [], tasks } as TodoFile);
}

test("tasks that go take their comma along, what has nothing is written whole, and each stays in its place", async () => {
  const text = `{"schema_version": 1, "source_files": [], "tasks": [
  "Zero",
  { "id": "T1", "title": "One", "priority": 1, "status": "todo", "x": 1e400 },
  {},
  { "id": "T3", "title": "Three", "priority": 9, "status": "todo" },
  7
]}`;
  const two = makeTask("T2", { title: "Two" });
  const merged = await merge(text, [makeTask("T1", { title: "One", priority: 1 }), two]);
  const shown = JSON.stringify(two, null, 2).replaceAll("\n", "\n  ");
  expect(merged).toBe(`{"schema_version": 1, "source_files": [], "tasks": [
  { "id": "T1", "title": "One", "priority": 1, "status": "todo", "x": 1e400 },
  ${shown}
]}`);
});

test("a list of 3,000 tasks, all of them broken, is mended in seconds", async () => {
  const tasks = Array.from({ length: 3_000 }, (_, at) => makeTask(`${at}`, { title: "same" }));
  const broken = tasks.map((task, at) => ({ ...task, id: at, x: at }));
  const text = JSON.stringify({ schema_version: 1, source_files: [], tasks: broken }, null, 2);
  const used = startCpuClock();
  const merged = await merge(text, tasks);
  expect(used()).toBeLessThan(5_000);
  expect(merged).toBe(text.replace(/"id": (\d+)/g, '"id": "$1"'));
});
