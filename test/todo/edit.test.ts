// Edits stand in the source text: what was not meant stays byte for byte.

import { describe, expect, it } from "vitest";
import { readTodo, type TodoDocument, todoBytes } from "../../src/todo/document.ts";
import { appendTasks, editTask } from "../../src/todo/edit.ts";
import fc from "../fakes/properties.ts";
import { GNARLY, makeTask, makeTodo } from "./samples.ts";

async function open(text: string): Promise<TodoDocument> {
  const reading = await readTodo(new TextEncoder().encode(text), "to-do.json");
  if (reading.kind === "broken") throw new Error(JSON.stringify(reading.broken.diagnostics));
  return reading.document;
}

const textOf = (document: TodoDocument) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(todoBytes(document));

describe("an edit", () => {
  it("changes nothing but what it names: big numbers, order, spacing, unknown fields and a missing final newline stay", async () => {
    const edited = editTask(await open(GNARLY), "T2", {
      set: { status: "done", updated_at: "2026-01-02T03:04:05Z" },
      add: { files: ["b.md", "a.md", "b.md"] },
    });
    expect(textOf(edited)).toBe(
      GNARLY.replace('"status" : "todo"', '"status" : "done"')
        .replace('[ "a.md" ]', '[ "a.md", "b.md" ]')
        .replace(/("n": 12345678901234567890 })\n/, '$1,\n        "updated_at": "2026-01-02T03:04:05Z"\n'),
    );
  });

  it("keeps a task on one line there", async () => {
    const edited = editTask(await open(GNARLY), "T1", {
      set: { status: "doing" },
      add: { blockers: ["no key"] },
    });
    expect(textOf(edited)).toBe(
      GNARLY.replace('"id": "T1", "status": "todo"', '"id": "T1", "status": "doing"').replace(
        '"x-cost": 1e400 }',
        '"x-cost": 1e400, "blockers": ["no key"] }',
      ),
    );
  });

  it("keeps CRLF, tabs and a byte order mark", async () => {
    const text = `\uFEFF${JSON.stringify(JSON.parse(makeTodo([makeTask("T1")])), null, "\t").replaceAll("\n", "\r\n")}\r\n`;
    const edited = textOf(editTask(await open(text), "T1", { add: { files: ["a"] } }));
    expect(edited).toBe(
      text.replace('"todo"\r\n', '"todo",\r\n\t\t\t"files": [\r\n\t\t\t\t"a"\r\n\t\t\t]\r\n'),
    );
  });

  it("puts new tasks at the end in two spaces", async () => {
    const document = appendTasks(await open(makeTodo([makeTask("T1")])), [makeTask("T2"), makeTask("T3")]);
    expect(textOf(document)).toBe(makeTodo([makeTask("T1"), makeTask("T2"), makeTask("T3")]));
    expect(textOf(appendTasks(await open(makeTodo([])), [makeTask("T1")]))).toBe(makeTodo([makeTask("T1")]));
  });

  it("after another finds its task again: any edits are those of the parsed value", async () => {
    const blockers = fc.array(fc.oneof(fc.constantFrom("a", "b", '"c'), fc.string()));
    const change = fc.record<Parameters<typeof editTask>[2]>({
      set: fc.record(
        { status: fc.constantFrom("todo", "doing", "blocked", "done"), updated_at: fc.string() },
        { requiredKeys: [] },
      ),
      add: fc.record({ files: fc.array(fc.string({ unit: "grapheme" })), blockers }, { requiredKeys: [] }),
      remove: fc.record({ blockers }, { requiredKeys: [] }),
    });
    const files = fc.constantFrom(
      GNARLY,
      makeTodo(["T1", "T2"].map((id) => makeTask(id))),
      JSON.stringify(JSON.parse(GNARLY)),
    );
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.array(fc.tuple(fc.constantFrom("T1", "T2"), change), { maxLength: 4 }),
        async (text, changes) => {
          let document = await open(text);
          const expected = new Map(document.file.tasks.map((task) => [task.id, structuredClone(task)]));
          for (const [id, { set = {}, add = {}, remove = {} }] of changes) {
            document = editTask(document, id, { set, add, remove });
            const task = expected.get(id);
            Object.assign(task ?? {}, set);
            const kept = task?.blockers?.filter((text) => !remove.blockers?.includes(text));
            if (task && kept) task.blockers = kept;
            for (const field of ["files", "blockers"] as const) {
              const union = [...new Set([...(task?.[field] ?? []), ...(add[field] ?? [])])];
              if (task && union.length > 0) task[field] = union;
            }
          }
          expect(document.file.tasks).toEqual([...expected.values()]);
          const again = await open(textOf(document));
          expect(again.file.tasks).toEqual(document.file.tasks);
          expect(again.spans).toEqual(document.spans);
        },
      ),
      { numRuns: 200 },
    );
  });
});
