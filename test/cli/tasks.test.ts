// The task list on the command line: `ls`, and what `doctor` and `status` say of it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTask, makeTodo } from "../todo/samples.ts";
import { makeFolder, runMain } from "./made-up-surface.ts";

async function looplia(argv: string[], todo?: string | Uint8Array) {
  const folder = await makeFolder();
  if (todo !== undefined) await writeFile(join(folder, "to-do.json"), todo);
  return runMain(argv, folder);
}

const TASKS = [
  makeTask("T10", { priority: 1, title: "Write \u001b[31mred" }),
  makeTask("T2", { priority: 1 }),
  makeTask("T3", { status: "blocked", blockers: ["no key", "no money"] }),
  makeTask("T4", { status: "done" }),
];

describe("ls", () => {
  it("lists tasks of a status by priority, then id, as plain text", async () => {
    expect((await looplia(["ls", "todo"], makeTodo(TASKS))).stdout).toBe(
      "T2   p1  Do T2\nT10  p1  Write red\n",
    );
    expect((await looplia(["ls", "blocked"], makeTodo(TASKS))).stdout).toBe("T3  p3  Do T3  no money\n");
    expect(JSON.parse((await looplia(["ls", "done", "--json"], makeTodo(TASKS))).stdout)).toEqual([TASKS[3]]);
  });

  it("counts no end marker, nor lists it", async () => {
    const marker = makeTask("project-done", { status: "done", tags: ["project-done"] });
    const todo = makeTodo([makeTask("T4", { status: "done" }), marker]);
    expect((await looplia(["ls", "done"], todo)).stdout).toBe("T4  p3  Do T4\n");
    expect((await looplia(["status"], todo)).stdout).toContain("0 todo, 0 doing, 0 blocked, 1 done");
  });

  it("says what a task waits for", async () => {
    const tasks = [
      makeTask("T1", { status: "blocked", blockers: ["no key"] }),
      makeTask("T2", { depends_on: ["T1"] }),
    ];
    expect((await looplia(["ls", "todo"], makeTodo(tasks))).stdout).toBe("T2  p3  Do T2  waits for T1\n");
    const { stdout } = await looplia(["status"], makeTodo(tasks));
    expect(stdout).toContain(
      "  2 tasks are left: T1 (blocked: no key), T2 (waits for T1); a blocked task waits",
    );
  });

  it.each<[string, string[], string | undefined, RegExp]>([
    ["no status", ["ls"], makeTodo(TASKS), /needs a status[\s\S]*ls todo\|doing\|blocked\|done/],
    ["a status that is none", ["ls", "don"], makeTodo(TASKS), /did you mean "done"/],
    ["one that is near none", ["ls", "nope"], makeTodo(TASKS), /ls todo\|doing\|blocked\|done/],
    ["no task list", ["ls", "todo"], undefined, /no task list to-do\.json/],
    ["a broken one", ["ls", "todo"], "[", /to-do\.json:1: is not JSON/],
    ["an invalid one", ["ls", "todo"], makeTodo([{ id: "T1" }]), /to-do\.json:7: tasks\[0\]\.title/],
  ])("is refused for %s", async (_what, argv, todo, said) => {
    const { code, stderr } = await looplia(argv, todo);
    expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
  });
});

describe("doctor", () => {
  it("LESSONS, it answered 1 for a good file and 0 for a bad one: it is the other way round", async () => {
    const good = await looplia(["doctor"], makeTodo(TASKS));
    expect([good.code, good.stdout]).toEqual([
      0,
      expect.stringContaining("2 todo, 0 doing, 1 blocked, 1 done"),
    ]);
    const bad = await looplia(
      ["doctor"],
      makeTodo([
        { ...TASKS[0], priority: 9 },
        { ...TASKS[1], status: "open" },
      ]),
    );
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/✗ tasks .*:10: tasks\[0\]\.priority[\s\S]*✗ tasks .*tasks\[1\]\.status/);
  });

  it("names a cycle and a file that is not a JSON object", async () => {
    const cycle = await looplia(["doctor"], makeTodo([makeTask("A", { depends_on: ["A"] })]));
    expect([cycle.code, cycle.stdout]).toEqual([1, expect.stringContaining('cycle: "A" → "A"')]);
    const list = await looplia(["doctor"], "[]");
    expect([list.code, list.stdout]).toEqual([
      1,
      expect.stringMatching(/✗ tasks .*not a JSON object[\s\S]*→ .*by hand/),
    ]);
  });
});

describe("status", () => {
  it("begins with the task list in numbers", async () => {
    const { code, stdout } = await looplia(["status"], makeTodo(TASKS));
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^to-do\.json: 2 todo, 0 doing, 1 blocked, 1 done\n/),
    ]);
  });

  it("tells of the sessions although the list can't be read, with a warning", async () => {
    const { code, stdout, stderr } = await looplia(["status"], "[");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^No sessions in /)]);
    expect(stderr).toMatch(/^warning: to-do\.json:1: is not JSON: .* \(Nothing was changed\./);
  });
});
