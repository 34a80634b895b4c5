// A to-do file of five thousand tasks, about 3 MB: choosing and applying in memory, and a durable write against the same
// bytes read, edited as a value and fsynced.
import { mkdtemp, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openWorkspace } from "../src/files/workspace.ts";
import {
  loadTodo,
  readTodo,
  saveTodo,
  selectTask,
  type TodoDocument,
  type TodoTask,
} from "../src/todo/document.ts";
import { changeFor, editTask } from "../src/todo/edit.ts";
import type { Surroundings } from "./child.ts";
import { type Figure, median } from "./report.ts";

const TASKS = 5_000;
const NAME = "to-do.json";
const LIMITS = { pureMs: 5, writeTimes: 2 };
const NONE = { blocked: new Set<string>(), skipped: new Set<string>() };

export async function benchTodo({ folder, runs }: Surroundings): Promise<Figure[]> {
  const root = await mkdtemp(join(folder, "to-do-"));
  const text = makeText();
  const document = await readDocument(text);
  const pure: number[] = [];
  for (let round = 0; round <= runs; round += 1) {
    const startedAt = performance.now();
    applyNext(document);
    if (round > 0) pure.push(performance.now() - startedAt);
  }
  const own: number[] = [];
  const first: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round <= runs; round += 1) {
    const { firstMs, editMs } = await timeOwn(root, text);
    const plainMs = await timePlain(root, text);
    if (round > 0) own.push(editMs);
    if (round > 0) first.push(firstMs);
    if (round > 0) plain.push(plainMs);
  }
  const times = median(own) / median(plain);
  return [
    {
      name: `to-do file: choose and apply one of ${TASKS} tasks, in memory`,
      value: median(pure),
      unit: "ms",
      demand: LIMITS.pureMs,
    },
    { name: "to-do file: its size", value: text.length / 1e6, unit: "MB" },
    { name: "to-do file: read, edited as a value, fsynced, the plain way", value: median(plain), unit: "ms" },
    { name: "to-do file: first reading, with all checks", value: median(first), unit: "ms" },
    { name: "to-do file: durable edit of one task", value: median(own), unit: "ms" },
    {
      name: "to-do file: durable edit, times the plain way",
      value: times,
      unit: "",
      demand: LIMITS.writeTimes,
    },
  ];
}

function makeText(): string {
  const tasks = Array.from({ length: TASKS }, (_, at): TodoTask => {
    const status = at < TASKS / 2 ? "done" : "todo";
    const more = { details: "What is to be done here. ".repeat(12), steps: ["Look.", "Change.", "Check."] };
    const needs = at === 0 ? [] : [`T${at - 1}`];
    return {
      id: `T${at}`,
      title: `Task ${at} of many`,
      priority: 1 + (at % 5),
      status,
      ...more,
      depends_on: needs,
    };
  });
  return `${JSON.stringify({ schema_version: 1, source_files: [], tasks }, null, 2)}\n`;
}

async function readDocument(text: string): Promise<TodoDocument> {
  const reading = await readTodo(Buffer.from(text), NAME);
  if (reading.kind !== "valid") throw new Error("the file of the benchmark is not valid");
  return reading.document;
}

/** Chooses, and applies the summary of what was chosen. */
function applyNext(document: TodoDocument): TodoDocument {
  const selection = selectTask(document.file.tasks, NONE);
  if (selection.kind !== "task") throw new Error("nothing is left to choose");
  const end = { status: "done", files: ["a.md"], blockers: ["none"] } as const;
  return editTask(document, selection.task.id, changeFor(selection.task, end, "2026-01-01T00:00:00.000Z"));
}

/** As the loop does it: it knows the file, sees that it is still that, edits it and makes the edit durable. */
async function timeOwn(root: string, text: string): Promise<{ firstMs: number; editMs: number }> {
  const workspace = await openWorkspace(root, { environment: {}, systemTemp: root });
  await workspace.writeAtomic(NAME, text);
  const openedAt = performance.now();
  const reading = await loadTodo(workspace, NAME);
  if (reading?.kind !== "valid") throw new Error("the file of the benchmark is not valid");
  const { document, bytes } = reading;
  const startedAt = performance.now();
  const current = await workspace.read(NAME);
  if (!current || Buffer.compare(current, bytes) !== 0) throw new Error("somebody else writes the file");
  const saved = await saveTodo(workspace, { document, bytes }, applyNext(document));
  if (saved === "changed") throw new Error("somebody else writes the file of the benchmark");
  return { firstMs: startedAt - openedAt, editMs: performance.now() - startedAt };
}

async function timePlain(root: string, text: string): Promise<number> {
  const path = join(root, NAME);
  const before = await open(path, "w");
  await before.writeFile(text);
  await before.sync();
  await before.close();
  const startedAt = performance.now();
  const value = JSON.parse(await readFile(path, "utf8"));
  value.tasks[TASKS / 2].status = "done";
  const file = await open(path, "w");
  await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
  await file.sync();
  await file.close();
  return performance.now() - startedAt;
}
