import { expect, test } from "vitest";
import { baseEdits } from "../../src/work/asked/own-questions.ts";
import { makeTask } from "../todo/samples.ts";

const BEFORE = [makeTask("T1"), makeTask("T2"), makeTask("T3")];
/** T1 was done here, a review added T9. */
const OURS = [
  makeTask("T1", { status: "done", files: ["a"] }),
  makeTask("T2"),
  makeTask("T3"),
  makeTask("T9"),
];

test("what the work itself changed is no edit of the base", () => {
  expect(baseEdits({ before: BEFORE, theirs: BEFORE, ours: OURS })).toEqual([]);
});

test.each([
  ["its priority", { priority: 1 }],
  ["its state", { status: "blocked" as const }],
  ["what it depends on", { depends_on: ["T3"] }],
  ["a field of somebody's own", { "x-owner": "Ada" }],
])("a task is told whatever of it was changed: %s", (_, change) => {
  const theirs = [makeTask("T1"), makeTask("T2", change), makeTask("T3")];
  expect(baseEdits({ before: BEFORE, theirs, ours: OURS })).toEqual(["T2 reads differently there"]);
});

test("tasks that came and went are told, what is here as well is not", () => {
  const theirs = [makeTask("T1", { status: "done" }), makeTask("T2"), makeTask("T4"), makeTask("T9")];
  expect(baseEdits({ before: BEFORE, theirs, ours: OURS })).toEqual(["T4 is new there", "T3 is gone there"]);
});

test("a task that people took out here, and left alone there, is not told", () => {
  expect(baseEdits({ before: BEFORE, theirs: BEFORE, ours: OURS.slice(1) })).toEqual([]);
});

test("where the base of then can't be had any more, words that differ are told", () => {
  const theirs = [makeTask("T1", { title: "Other" }), makeTask("T2", { priority: 1 }), makeTask("T4")];
  expect(baseEdits({ before: undefined, theirs, ours: OURS })).toEqual([
    "T1 reads differently there",
    "T4 is new there",
  ]);
});
