// A write that would lose a task, or that meets another file than was read, is refused.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "../../src/files/workspace.ts";
import { loadTodo, readTodo, type StoredTodo, saveTodo } from "../../src/todo/document.ts";
import { appendTasks, editTask } from "../../src/todo/edit.ts";
import { GNARLY, makeTask, makeTodo } from "./samples.ts";

const PATH = "to-do.json";
const TEXT = makeTodo([makeTask("T1"), makeTask("T2")]);

const ids = (count: number) => Array.from({ length: count }, (_, at) => `T${at + 1}`);

async function openList(text = TEXT) {
  const root = await mkdtemp(join(tmpdir(), "looplia-todo-file-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, PATH), text);
  const files = await openWorkspace(root, { environment: {}, systemTemp: root });
  const reading = await loadTodo(files, PATH);
  if (reading?.kind !== "valid") throw new Error("the list is not valid");
  const stored: StoredTodo = { document: reading.document, bytes: reading.bytes };
  return { root, files, stored, text: () => readFile(join(root, PATH), "utf8") };
}

test("a write that would lose a task is refused, whatever the edit believes, and the file stays", async () => {
  const { files, stored, text } = await openList();
  const shorter = { ...stored.document, text: makeTodo([makeTask("T2")]) };
  await expect(saveTodo(files, stored, shorter)).rejects.toMatchObject({
    code: "config-invalid",
    message: expect.stringContaining("would lose T1"),
  });
  expect(await text()).toBe(TEXT);
});

test.each([
  ["changed", makeTodo([makeTask("T1"), makeTask("T2"), makeTask("T3")])],
  ["changed by one byte", `${TEXT} `],
  ["emptied", ""],
])("a file that somebody %s since it was read is not written over", async (_what, theirs) => {
  const { root, files, stored, text } = await openList();
  await writeFile(join(root, PATH), theirs);
  expect(await saveTodo(files, stored, appendTasks(stored.document, [makeTask("T9")]))).toBe("changed");
  expect(await text()).toBe(theirs);
});

test("a file that somebody removed is not made again", async () => {
  const { root, files, stored } = await openList();
  await rm(join(root, PATH));
  expect(await saveTodo(files, stored, stored.document)).toBe("changed");
});

test("LESSONS, saving re-marshalled a struct and unknown fields vanished: what is written is what was edited", async () => {
  const { files, stored, text } = await openList(GNARLY);
  const saved = await saveTodo(files, stored, editTask(stored.document, "T2", { set: { status: "done" } }));
  expect(saved).not.toBe("changed");
  expect(await text()).toBe(GNARLY.replace('"status" : "todo"', '"status" : "done"'));
});

test("LESSONS, saving was not atomic: who reads meanwhile sees the list before or after, never half of it", async () => {
  const { root, files, stored } = await openList(makeTodo(ids(300).map((id) => makeTask(id))));
  const seen: Promise<unknown>[] = [];
  let last: StoredTodo = stored;
  for (const id of ids(20)) {
    seen.push(...ids(5).map(async () => readTodo(await readFile(join(root, PATH)), PATH)));
    const saved = await saveTodo(files, last, editTask(last.document, id, { set: { status: "done" } }));
    if (saved === "changed") throw new Error("nobody changed it");
    last = saved;
  }
  for (const reading of await Promise.all(seen)) expect(reading).toMatchObject({ kind: "valid" });
  expect(await readdir(root)).toEqual([PATH]);
});

test("a disk that refuses is told with what to do", async () => {
  const { files, stored } = await openList();
  const full = { ...files, writeAtomic: async () => Promise.reject(new Error("ENOSPC: no space left")) };
  await expect(saveTodo(full, stored, stored.document)).rejects.toMatchObject({
    code: "host-failed",
    message: expect.stringContaining("no space left"),
    hint: expect.stringContaining("run again"),
  });
});
