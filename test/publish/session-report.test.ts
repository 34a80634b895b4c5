// What the report of a session says of its tasks: the same as comment and list do.
import { expect, test } from "vitest";
import { noUsage } from "../../src/core/conversation.ts";
import type { DomainEvent, TaskSummary } from "../../src/core/events.ts";
import { foldEvents } from "../../src/core/state.ts";
import { reportMarkdown, reportOf } from "../../src/publish/session-report.ts";

type Written<E = DomainEvent> = E extends DomainEvent ? Omit<E, "store"> : never;

function messageOf(...events: Written[]): string | undefined {
  const inputs = { source: "s", agent: "", profile: "" };
  const begun = { taskId: "T1", agent: "a", outputs: [], inputs, conversationId: "T1#1" };
  const all = [{ type: "TaskCreated", payload: begun } as const, ...events];
  const state = foldEvents(all.map((event) => ({ store: "events", ...event }) as DomainEvent));
  const totals = { usage: noUsage(), costUsd: 0, unpriced: false };
  const report = reportOf({ sessionId: "s", state, conversations: new Map(), totals });
  expect(reportMarkdown(report)).toContain("| `T1` |");
  return report.tasks[0]?.message;
}

const said = (summary: Partial<TaskSummary>): Written => ({
  type: "SummaryReported",
  payload: { taskId: "T1", summary: { task_id: "T1", status: "done", ...summary } },
});
const failed = (reasonCode: string, blocker?: string): Written => ({
  type: "TaskFailed",
  payload: { taskId: "T1", reasonCode, message: "m", ...(blocker === undefined ? {} : { blocker }) },
});

test.each<[string, Written[]]>([
  ["Did it.", [said({ summary: "Did it." }), { type: "TaskCompleted", payload: { taskId: "T1" } }]],
  ["no key", [said({ status: "blocked", summary: "Tried.", blockers: ["no key"] }), failed("blocked")]],
  ["no network", [failed("model-failed", "no network")]],
  ["a reports T2", [said({ task_id: "T2", summary: "Did T2." }), failed("wrong-task", "a reports T2")]],
  ["wrong-task", [said({ task_id: "T2", summary: "Did T2." }), failed("wrong-task")]],
  [
    "not now",
    [
      said({ status: "skipped", summary: "not now" }),
      { type: "TaskCanceled", payload: { taskId: "T1", reason: "skipped" } },
    ],
  ],
  ["", []],
])("%s", (expected, events) => {
  expect(messageOf(...events)).toBe(expected);
});
