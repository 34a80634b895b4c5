import { expect, test } from "vitest";
import { type TaskState, taskEnd } from "../../src/core/state.ts";

type Ended = Pick<TaskState, "status" | "summary">;
const task = (ended: Ended) => ended as TaskState;

test("a task that its agent skipped is not told as one that somebody canceled", () => {
  const summary = { task_id: "T1", status: "skipped" as const };
  expect(taskEnd(task({ status: "canceled", summary }))).toBe("skipped");
  expect(taskEnd(task({ status: "canceled" }))).toBe("canceled");
  expect(taskEnd(task({ status: "completed", summary: { ...summary, status: "done" } }))).toBe("completed");
});
