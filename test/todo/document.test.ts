// What is wrong with a to-do file is said at once, with lines; what is not a JSON object is refused and left alone.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it, test } from "vitest";
import { formatDiagnostic } from "../../src/config/diagnostics.ts";
import { dependencyDiagnostics, readTodo, type TodoDocument } from "../../src/todo/document.ts";
import { locateTasks } from "../../src/todo/locate.ts";
import { jsonTestSuite, naughtyStrings } from "../fakes/corpora.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc, { tries } from "../fakes/properties.ts";
import { makeTask, makeTodo } from "./samples.ts";

const PATH = "to-do.json";
const bytesOf = (text: string) => new TextEncoder().encode(text);

async function validOf(text: string): Promise<TodoDocument> {
  const reading = await readTodo(bytesOf(text), PATH);
  if (reading.kind === "broken") throw new Error(reading.broken.diagnostics.map(formatDiagnostic).join("\n"));
  return reading.document;
}

async function problemsOf(text: string): Promise<string[]> {
  const reading = await readTodo(bytesOf(text), PATH);
  return reading.kind === "valid" ? [] : reading.broken.diagnostics.map(formatDiagnostic);
}

describe("a to-do file", () => {
  it("is read with fields of anybody's own, in any order, with a byte order mark or without", async () => {
    const task = { "x-mine": [1], ...makeTask("T1", { details: ["a", "b"], depends_on: [] }) };
    const document = await validOf(`\uFEFF${makeTodo([task], { "x-own": {} })}`);
    expect(document.hasMark).toBe(true);
    expect(document.file.tasks).toEqual([task]);
  });

  it("has all its errors named at once: line, path, what is allowed, what is there", async () => {
    const tasks = [
      { id: "", title: "", priority: 6, status: "open" },
      { id: "T\u0007", title: "x", priority: 1.5, status: "todo", files: "a.md" },
    ];
    expect(await problemsOf(makeTodo(tasks, { schema_version: 2 }))).toEqual([
      "to-do.json:2: schema_version: expected 1, got 2",
      'to-do.json:8: tasks[0].id: expected text of 1–64 characters (1–64 characters, no control characters), got "" (0 characters)',
      'to-do.json:9: tasks[0].title: expected text of at least 1 character, got "" (0 characters)',
      "to-do.json:10: tasks[0].priority: expected a whole number from 1 to 5, got 6",
      'to-do.json:11: tasks[0].status: expected one of "todo", "doing", "blocked", "done", got "open" (4 characters)',
      expect.stringMatching(/^to-do\.json:14: tasks\[1\]\.id: .*no control characters/),
      "to-do.json:16: tasks[1].priority: expected a whole number from 1 to 5, got 1.5",
      'to-do.json:18: tasks[1].files: expected a list, each text, got "a.md" (4 characters)',
    ]);
  });

  it("says so where it has more errors than anybody reads", async () => {
    const ofLength = (length: number) => problemsOf(makeTodo(Array(length).fill(makeTask("A"))));
    expect(await ofLength(201)).toHaveLength(200);
    const problems = await ofLength(202);
    expect(problems).toHaveLength(201);
    expect(problems.at(-1)).toBe("to-do.json: there is more: only the first 200 problems are listed");
  });

  it("names the task where a field is missing", async () => {
    const { title: _, ...task } = makeTask("T1");
    expect(await problemsOf(makeTodo([task]))).toEqual([
      "to-do.json:7: tasks[0].title: expected text of at least 1 character, got nothing",
    ]);
  });

  it("has every id once, and every field of a task once", async () => {
    const twice = makeTodo([makeTask("T1"), makeTask("T1")]);
    expect(await problemsOf(twice)).toEqual([
      'to-do.json:14: tasks[1].id: expected an id of its own, got "T1", which tasks[0] has',
    ]);
    const { title: _, ...untitled } = makeTask("T1");
    expect(await problemsOf(makeTodo([makeTask("T1"), untitled]))).toEqual([
      "to-do.json:13: tasks[1].title: expected text of at least 1 character, got nothing",
      'to-do.json:14: tasks[1].id: expected an id of its own, got "T1", which tasks[0] has',
    ]);
    const fields = makeTodo([makeTask("T1")]).replace(
      '"priority": 3',
      '"priority": 3, "st\\u0061tus": "done"',
    );
    expect(await problemsOf(fields)).toEqual([
      "to-do.json:10: tasks[0].status: expected to stand there once, got two of it",
    ]);
    const files = '{"tasks":[],"source_files":[],"schema_version":1,"tasks":[]}';
    expect(await problemsOf(files)).toEqual([
      "to-do.json:1: tasks: expected to stand there once, got two of it",
    ]);
  });

  it.each([
    ["a list", "[]", "not a JSON object"],
    ["cut short", '{\n"tasks": [', "to-do.json:2: is not JSON"],
    ["with a comment", '{\n\n// no\n"tasks": []}', "to-do.json:3: is not JSON"],
    [
      "with a comment before it",
      '// no\n{"tasks": []}\n',
      "to-do.json:1: is not JSON: Unexpected token '/'.",
    ],
    [
      "with a word",
      '{"tasks": [],\n"x": nope,\n"y": 1}\n',
      "to-do.json:2: is not JSON: Unexpected token 'o'.",
    ],
    ["with no number", '{"x": [1,\nNaN],\n"y": 1}\n', "to-do.json:2: is not JSON: Unexpected token 'N'."],
    ["with other quotes", `{"x":\n'a\n", "y'}\n`, "to-do.json:2: is not JSON: Unexpected token '''."],
    ["deep and broken", `${"[".repeat(100_000)}x`, "to-do.json:1: is not JSON: Unexpected token 'x'."],
    ["empty", "", "to-do.json:1: is not JSON"],
    ["nested a thousand levels deep", `{"a":${"[".repeat(1000)}${"]".repeat(1000)}}`, "levels deep"],
  ])("that is %s is refused with what to do", async (_what, text, message) => {
    await expect(readTodo(bytesOf(text), PATH)).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining(message),
      hint: expect.stringContaining("Nothing was changed"),
    });
  });

  it("that is not UTF-8 is refused", async () => {
    await expect(readTodo(Uint8Array.of(0x7b, 0xff, 0x7d), PATH)).rejects.toThrow("not UTF-8");
  });
});

describe("depends_on", () => {
  it("names unknown ids and cycles with their lines", async () => {
    const tasks = [
      makeTask("A", { depends_on: ["B"] }),
      makeTask("B", { depends_on: ["C", "gone"] }),
      makeTask("C", { depends_on: ["A"] }),
      makeTask("S", { depends_on: ["S"] }),
    ];
    expect(dependencyDiagnostics(await validOf(makeTodo(tasks))).map(formatDiagnostic)).toEqual([
      'to-do.json:16: tasks[1].depends_on: "B" depends on "gone", and there is no such task',
      'to-do.json:7: tasks[0].depends_on: "A" is in a cycle: "A" → "B" → "C" → "A"',
      'to-do.json:35: tasks[3].depends_on: "S" is in a cycle: "S" → "S"',
    ]);
  });

  it("may be a chain as long as the file", async () => {
    const tasks = Array.from({ length: 20_000 }, (_, at) =>
      makeTask(`T${at}`, at === 0 ? {} : { depends_on: [`T${at - 1}`] }),
    );
    expect(dependencyDiagnostics(await validOf(makeTodo(tasks)))).toEqual([]);
  });
});

test("tasks are found where the text has them, whatever strings hold", () => {
  const value = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: "grapheme" }),
      fc.integer(),
      fc.array(tie("json")),
      fc.dictionary(fc.string(), tie("json")),
    ),
  })).json;
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), value)),
      fc.dictionary(fc.string(), value),
      fc.nat(4),
      (tasks, more, indent) => {
        const { tasks: _, ...rest } = more;
        const text = JSON.stringify({ ...rest, tasks }, null, indent);
        const found = locateTasks(text).tasks.map(({ start, end }) => JSON.parse(text.slice(start, end)));
        expect(found).toEqual(JSON.parse(JSON.stringify(tasks)));
      },
    ),
  );
});

test("the schema that is shipped agrees with the program about any value", async () => {
  const text = readFileSync(join(import.meta.dirname, "../../prompts/to-do.schema.json"), "utf8");
  const validate = new Ajv2020().compile(JSON.parse(text));
  const field = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 70 }),
    fc.integer({ min: -1, max: 7 }),
    fc.constantFrom("todo", "done", 1.5, null),
    fc.array(fc.string(), { maxLength: 2 }),
  );
  const change = fc.tuple(
    fc.constantFrom("id", "title", "priority", "status", "details", "files", "depends_on", "own"),
    field,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 2 }), async (changes) => {
      const task = { ...makeTask("T1"), ...Object.fromEntries(changes) };
      expect((await problemsOf(makeTodo([task]))).length === 0).toBe(validate(JSON.parse(makeTodo([task]))));
    }),
    tries(100),
  );
});

describe("corpora as to-do files", () => {
  test.each(jsonTestSuite())("%s is refused with the file's name, or read", async (_name, bytes) => {
    const took = startCpuClock();
    const said = await readTodo(bytes, PATH).then(
      (reading) => (reading.kind === "broken" ? reading.broken.diagnostics.map(formatDiagnostic) : []),
      (error: Error) => [error.message],
    );
    expect(took()).toBeLessThan(1000);
    expect(said.length).toBeGreaterThan(0);
    for (const line of said) expect(line).toContain(PATH);
  });

  test("naughty strings are titles and ids, or are refused by name", async () => {
    for (const naughty of naughtyStrings()) {
      const text = makeTodo([makeTask("T1", { title: naughty }), { ...makeTask("T2"), id: naughty }]);
      const problems = await problemsOf(text);
      const isTitle = naughty !== "";
      const isId = isTitle && [...naughty].length <= 64 && !/[\p{Cc}\p{Cs}]/u.test(naughty);
      expect(problems, naughty).toHaveLength((isTitle ? 0 : 1) + (isId ? 0 : 1));
      if (isTitle && isId) expect((await validOf(text)).file.tasks[1]?.id).toBe(naughty);
    }
  });
});
