import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { resultLines } from "../../src/cli/result.ts";
import { noUsage } from "../../src/core/conversation.ts";
import { printedJson } from "../../src/core/json.ts";
import type { Result } from "../../src/core/result.ts";

const item: Result = {
  source: "content/a.md",
  sessionId: "a-2026-11-21-abcdef",
  title: "A",
  pipeline: "writing-kit",
  status: "completed",
  reasonCode: "up-to-date",
  folder: ".looplia/contentItem/a-2026-11-21-abcdef",
  output: "ideas",
  finalOutput: "ideas",
  artifacts: new Map(),
  steps: [
    { output: "summary", status: "completed", reason: "up to date" },
    { output: "ideas", status: "completed", reason: "up to date" },
  ],
  interactions: [],
  usage: noUsage(),
  costUsd: 0,
};

function linesOf(change: Partial<Result>, isRehearsal = false, isDryRun = false): string[] {
  const result = { status: "completed" as const, reasonCode: "done", items: [{ ...item, ...change }] };
  const shown = { result, isRehearsal, isDryRun, kept: "", locate: (path: string) => path };
  const { good, bad } = resultLines(shown, picocolors.createColors(false));
  return [...good, ...bad];
}

describe("what a run says at its end", () => {
  it("says what a rehearsal made, whoever runs later, and how a model makes it anew", () => {
    const notice = "extractive rehearsal, no language model";
    const again =
      "  Make all of it again with a language model: looplia run --session-id a-2026-11-21-abcdef --force summary";
    expect(linesOf({ notice })).toEqual([`✓ Up to date (${notice})`, again]);
    expect(linesOf({ notice }, true)).toEqual([`✓ Up to date (${notice})`]);
    expect(linesOf({}, true)).toEqual(["✓ Up to date"]);
  });

  it("calls a list done only when all of it is", () => {
    const list = { pipeline: "tasks", output: "to-do", finalOutput: "to-do", reasonCode: "done" };
    expect(linesOf(list)).toEqual(["✓ Every task is done"]);
    const message = "T2 is done; 1 task is left: T1";
    expect(linesOf({ ...list, message })).toEqual([`✓ ${message}`]);
  });

  it("says after a dry run what the list would begin with, or what is wrong with it", () => {
    const message = "to-do.json would be repaired first\nto-do.json:7: \u001b[31mtasks[0]";
    expect(linesOf({ pipeline: "tasks", source: "to-do.json", steps: [], message }, false, true)).toEqual([
      "to-do.json: a dry run called no model and changed nothing",
      "  to-do.json would be repaired first",
      "  to-do.json:7: tasks[0]",
    ]);
  });

  it("says why an item waits without a question of its own", () => {
    const waiting = { status: "waiting", reasonCode: "open-questions" } as const;
    const message = "not started: 10 questions of this work are open already";
    expect(linesOf({ ...waiting, message })).toEqual([expect.stringMatching(`waits: ${message}$`)]);
    expect(linesOf(waiting)).toEqual([expect.stringContaining("its question comes once an open one is")]);
  });

  it("tells one failure once", () => {
    const steps: Result["steps"] = [
      { output: "summary", status: "failed", reason: "not done yet", message: "summary was invalid 3 times" },
      { output: "ideas", status: "failed", reason: "not done yet", message: "another trouble" },
    ];
    const message = "summary was invalid 3 times";
    const lines = linesOf({ status: "failed", reasonCode: "invalid-artifact", message, steps });
    expect(lines.join("\n").split(message)).toHaveLength(2);
    expect(lines).toContain("  ideas: another trouble");
  });
});

it("JSON for standard output holds nothing that a terminal obeys or hides, and says the same", () => {
  const value = {
    "a\u009b31m": ["\u202egpj.exe\u2066", "\u200b\ufeff\u00ad", "\u001b[2J", "\ud800", "plain é 日本 😀"],
  };
  const text = printedJson(value);
  expect(text).toMatch(/^[\n\x20-\x7e\u00e9\u65e5\u672c\u{1f600}]*$/u);
  expect(JSON.parse(text)).toEqual(value);
});

describe("the table of many items", () => {
  it("has counts and cost by how they ended, and below the first that need somebody", () => {
    const items = Array.from({ length: 1_000 }, (_, at): Result => {
      const named = { ...item, source: `content/${at}.md`, sessionId: `s-${at}`, costUsd: 0.02 };
      if (at % 10 > 0) return { ...named, reasonCode: "done" };
      return { ...named, status: "failed", reasonCode: "model-failed", message: "gone" };
    });
    const result = { status: "failed" as const, reasonCode: "model-failed", items };
    const shown = { result, isRehearsal: false, isDryRun: false, kept: "", locate: (path: string) => path };
    const { good, bad } = resultLines(shown, picocolors.createColors(false));
    expect(good).toEqual([
      "1,000 items",
      "  failed (model-failed)    100  $2.00",
      "  completed (done)         900  $18.00",
    ]);
    expect(bad).toHaveLength(41);
    expect(bad.at(-1)).toBe("and 80 more: `looplia status` lists them");
  });
});
