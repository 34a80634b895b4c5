import { expect, test } from "vitest";
import { endOf, type TaskState } from "../../src/session/state.ts";

type Ended = Pick<TaskState, "status" | "summary">;
const task = (ended: Ended) => ended as TaskState;

test("a task that its agent skipped is not told as one that somebody canceled", () => {
  const summary = { task_id: "T1", status: "skipped" as const };
  expect(endOf(task({ status: "canceled", summary }))).toBe("skipped");
  expect(endOf(task({ status: "canceled" }))).toBe("canceled");
  expect(endOf(task({ status: "completed", summary: { ...summary, status: "done" } }))).toBe("completed");
});
