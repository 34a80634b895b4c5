// What is published of a task list: its table, its pull request and the messages of its commits.

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { TaskResult } from "../../src/core/result.ts";
import { writePullRequest, writeTodoMessage } from "../../src/publish/pull-request.ts";
import { renderStatus } from "../../src/publish/status.ts";
import { renderStepSummary } from "../../src/publish/summary.ts";
import { renderTable } from "../../src/publish/tables.ts";
import fc from "../fakes/properties.ts";
import { hostile } from "./hostile.ts";
import { item, waitingWork } from "./works.ts";

type CommittedTodo = Parameters<typeof writeTodoMessage>[0];

const TASKS: TaskResult[] = [
  { id: "T1", title: "Say hello", status: "done", message: "$ echo hello\n  Exit code 0.\n", costUsd: 0.01 },
  { id: "T2", title: "Count", status: "doing", costUsd: 0 },
  { id: "T3", title: "Sing", status: "blocked", message: "no | voice", costUsd: null },
];
const list = { ...item, source: "to-do.json", title: "Greetings", folder: "", steps: [], tasks: TASKS };
const report = { ...waitingWork.report, pipeline: "tasks", items: [list] };
const work = { ...waitingWork, workId: "tasks-0a1b2c", report };

const TABLE = `| Task | State |
|:--|:--|
| **T1** Say hello | ✓ done · $0.0100<br>\\$ echo hello<details><summary>1 more line</summary>Exit code 0.</details> |
| **T2** Count | ? waiting for your answer |
| **T3** Sing | ✗ blocked · price unknown<br>no \\| voice |`;

test("status comment, pull request and step summary have the table of tasks", () => {
  const { title, body } = writePullRequest(work.workId, report);
  expect(title).toBe("[question] chore: Greetings");
  expect(body).toContain("1 of 3 tasks done: `to-do.json`, one commit per task.");
  for (const text of [body, renderStatus(work), renderStepSummary(report)]) expect(text).toContain(TABLE);
  expect(renderStatus(work)).toMatch(/\*\*1 of 3 tasks done\*\* · [\d,]+ tokens.*`\/retry <task>`/s);
  expect(writePullRequest(work.workId, { ...report, items: [{ ...list, title: "to-do.json" }] }).title).toBe(
    "[question] chore: work through to-do.json",
  );
});

test("what is left of the list, or who ended it, stands in comment and summary; not while something is under way", () => {
  const message = "2 tasks are left: T2 (doing), T3 (blocked: no | voice)";
  const stopped = { status: "stopped", reasonCode: "blocked-tasks" } as const;
  const ended = { ...report, ...stopped, questions: [], items: [{ ...list, ...stopped, message }] };
  const fenced = `\`\`\`text\n${message}\n`;
  expect(renderStatus({ ...work, report: ended })).toContain(fenced);
  expect(renderStepSummary(ended)).toContain(fenced);
  const whole = { ...ended, message: "stopped on request" };
  expect(renderStatus({ ...work, report: whole })).not.toContain("are left");
  const runningSince = "2026-12-01T09:00:00.000Z";
  expect(renderStatus({ ...work, report: ended, runningSince })).not.toContain("are left");
  const waiting = {
    ...ended,
    items: [{ ...list, status: "waiting" as const, reasonCode: "open-questions", message }],
  };
  expect(renderStatus({ ...work, report: waiting })).not.toContain("are left");
  expect(renderStatus({ ...work, report: ended })).toContain("| … doing |");
});

test("what no model worked at has neither tokens nor cost", () => {
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const free = { ...work, report: { ...report, items: [{ ...list, usage, costUsd: 0 }] } };
  expect(renderStatus(free)).toContain("**1 of 3 tasks done** · [pull request 7]");
});

test("a long list keeps within its room, and what is open comes first", () => {
  const many = Array.from({ length: 2_000 }, (_, at) => ({
    ...{ id: `T${at}`, title: "t".repeat(100), costUsd: 0 },
    status: at === 1_999 ? "doing" : "done",
  }));
  const table = renderTable([{ ...list, tasks: many }], 10_000);
  expect(Buffer.byteLength(table)).toBeLessThan(10_200);
  expect(table.split("\n")[2]).toContain("**T1999**");
  expect(table).toMatch(/\| … \d+ more \| \|\n$/);
});

describe("the commit of a task", () => {
  const task: CommittedTodo = {
    ...{ sessionId: "to-do-2026-12-01-0a1b2c", id: "T1", title: "Say hello", run: "45.1" },
    ...{ label: "done", tags: [], said: "Said it." },
  };

  test.each<[Partial<CommittedTodo>, string]>([
    [{}, "chore: Say hello"],
    [{ tags: ["urgent", "Documentation"] }, "docs: Say hello"],
    [{ tags: ["bug"] }, "fix: Say hello"],
    [{ label: "blocked", tags: ["bug"] }, "chore: note that T1 is blocked"],
    [{ label: "skipped" }, "chore: leave T1 for later"],
    [{ label: "todo" }, "chore: put T1 back"],
    [{ title: " \u202e\u200b\n" }, "chore: do T1"],
    [{ title: "x".repeat(200) }, `chore: ${"x".repeat(64)}…`],
  ])("%j: %s", (changes, subject) => {
    expect(writeTodoMessage({ ...task, ...changes }).split("\n")[0]).toBe(subject);
  });

  test("ends with its trailers, whatever its title, id and summary say; nothing in it speaks to GitHub", () => {
    const said = ["Fixes #1", "", "Looplia-Session: forged", "Looplia-Run: 1.1", "[skip ci] [ci skip]"].join(
      "\n",
    );
    const message = writeTodoMessage({ ...task, said, title: "Thank @octocat [no ci]" });
    const trailers = execFileSync("git", ["interpret-trailers", "--parse"], {
      input: message,
      encoding: "utf8",
    });
    expect(trailers).toBe("Looplia-Session: to-do-2026-12-01-0a1b2c\nLooplia-Task: T1\nLooplia-Run: 45.1\n");
    expect(message).not.toMatch(/@octocat|#1|\[(?:skip ci|ci skip|no ci)/);
  });

  test("holds for hostile text", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, said, id) => {
        const message = writeTodoMessage({ ...task, title, said, id });
        const [last = ""] = message.trimEnd().split("\n\n").slice(-1);
        expect(last.split("\n").map((line) => line.split(":")[0])).toEqual([
          ...["Looplia-Session", "Looplia-Task", "Looplia-Run"],
        ]);
        const live = new RegExp(
          ["@\\w", "#\\w", "\\bGH-\\d", "\\[(?:skip|no|ci)\\b", "\\p{Cc}(?<!\\n)"].join("|"),
          "u",
        );
        expect(message).not.toMatch(live);
      }),
    );
  });
});
