// Which task is next, against a reference that sorts everything and knows no shortcut.

import { describe, expect, it } from "vitest";
import { isProjectDone, projectDoneTask, selectTask } from "../../src/todo/document.ts";
import { compareIds } from "../../src/todo/locate.ts";
import fc from "../fakes/properties.ts";
import { makeTask } from "./samples.ts";

const NONE = { blocked: new Set<string>(), skipped: new Set<string>() };
const chosen = (tasks: ReturnType<typeof makeTask>[], tried = NONE) => {
  const selection = selectTask(tasks, tried);
  return selection.kind === "task" ? selection.task.id : selection.kind;
};

describe("the next task", () => {
  it("is one that is being done, the lowest id first, whatever its priority", () => {
    const tasks = [
      makeTask("T1", { priority: 1 }),
      ...["T10", "T9"].map((id) => makeTask(id, { status: "doing", priority: 5 })),
    ];
    expect(chosen(tasks)).toBe("T9");
  });

  it("is else the first by priority, then by id as people count: LESSONS, ids were compared by their first number only", () => {
    const ids = ["B2", "A10-3", "A10-2", "A2"];
    expect(chosen(ids.map((id) => makeTask(id)))).toBe("A2");
    expect([...ids].sort(compareIds)).toEqual(["A2", "A10-2", "A10-3", "B2"]);
    expect(chosen([...ids.map((id) => makeTask(id)), makeTask("Z", { priority: 1 })])).toBe("Z");
  });

  it("is a blocked one only when nothing else is left, and once a run", () => {
    const tasks = [makeTask("T1", { status: "blocked" }), makeTask("T2", { depends_on: ["T1"] })];
    expect(chosen(tasks)).toBe("T1");
    expect(chosen(tasks, { ...NONE, blocked: new Set(["T1"]) })).toBe("stuck");
  });

  it("is not one that was skipped in this run: LESSONS, skipped changed nothing and the task was chosen again", () => {
    const tasks = [makeTask("T1"), makeTask("T2")];
    expect(chosen(tasks, { ...NONE, skipped: new Set(["T1"]) })).toBe("T2");
  });

  it("waits for what it depends on", () => {
    const tasks = [makeTask("T1", { priority: 1, depends_on: ["T2"] }), makeTask("T2", { priority: 5 })];
    expect(chosen(tasks)).toBe("T2");
    expect(chosen([tasks[0] ?? makeTask(""), makeTask("T2", { status: "done" })])).toBe("T1");
  });

  it("agrees with a plain reference", () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^[AB]?[0-9]{1,3}[ab]?$/), { minLength: 1, maxLength: 12 });
    const scenario = ids.chain((names) =>
      fc.record({
        tasks: fc.tuple(
          ...names.map((id, at) =>
            fc.record({
              id: fc.constant(id),
              title: fc.constant("t"),
              status: fc.constantFrom("todo" as const, "doing" as const, "blocked" as const, "done" as const),
              priority: fc.integer({ min: 1, max: 5 }),
              depends_on: fc.subarray(names.slice(0, at)),
            }),
          ),
        ),
        blocked: fc.subarray(names),
        skipped: fc.subarray(names),
      }),
    );
    fc.assert(
      fc.property(scenario, ({ tasks, blocked, skipped }) => {
        const byId = new Map(tasks.map((task) => [task.id, task]));
        const isReady = (task: (typeof tasks)[number]) =>
          task.depends_on.every((id) => byId.get(id)?.status === "done");
        const free = tasks.filter((task) => isReady(task) && !skipped.includes(task.id));
        const inOrder = (status: string, by: (task: (typeof tasks)[number]) => number) =>
          free
            .filter((task) => task.status === status)
            .sort((a, b) => by(a) - by(b) || compareIds(a.id, b.id));
        const expected = [
          ...inOrder("doing", () => 0),
          ...inOrder("todo", (task) => task.priority),
          ...inOrder("blocked", (task) => task.priority).filter((task) => !blocked.includes(task.id)),
        ][0];
        const rest = tasks.every((task) => task.status === "done") ? "none" : "stuck";
        expect(chosen(tasks, { blocked: new Set(blocked), skipped: new Set(skipped) })).toBe(
          expected?.id ?? rest,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("natural order", () => {
  it("is an order: of two different ids one comes first, and it holds along a chain", () => {
    const id = fc.oneof(fc.stringMatching(/^[ab0-9]{1,6}$/), fc.string({ unit: "grapheme", maxLength: 4 }));
    fc.assert(
      fc.property(id, id, id, (a, b, c) => {
        expect(Math.sign(compareIds(a, b))).toBe(-Math.sign(compareIds(b, a)) + 0);
        if (a !== b) expect(compareIds(a, b)).not.toBe(0);
        if (compareIds(a, b) < 0 && compareIds(b, c) < 0) expect(compareIds(a, c)).toBeLessThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["T2", "T10"],
    ["T1", "T01"],
    ["T9", "T99999999999999999999999"],
    ["T", "T1"],
  ])("%s before %s", (one, other) => {
    expect([other, one].sort(compareIds)).toEqual(one === "T1" ? ["T01", "T1"] : [one, other]);
  });
});

describe("the end marker", () => {
  it("counts while it is the last task, and takes a free id", () => {
    const marker = projectDoneTask([makeTask("project-done"), makeTask("project-done-2")]);
    expect(marker).toMatchObject({ id: "project-done-3", status: "done", tags: ["project-done"] });
    expect(isProjectDone([makeTask("T1", { status: "done" }), marker])).toBe(true);
    expect(isProjectDone([marker, makeTask("T1", { status: "done" })])).toBe(false);
    expect(isProjectDone([])).toBe(false);
  });
});
