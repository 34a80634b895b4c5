import { describe, expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { RunEvent } from "../../src/core/ports.ts";
import { JobLog } from "../../src/entry/tell.ts";
import { readInputs, readRunnerFacts } from "../../src/work/find.ts";
import { graver, outcomeOf } from "../../src/work/run.ts";
import { confirm } from "../publish/requests.ts";

test.each([
  [new LoopliaError("busy", "m"), "ignored", "busy"],
  [new LoopliaError("lost-race", "m"), "ignored", "lost-race"],
  [new LoopliaError("closed", "m"), "ignored", "closed"],
  [new LoopliaError("deadline", "m"), "stopped", "deadline"],
  [new LoopliaError("cost-limit", "m"), "stopped", "cost-limit"],
  [new LoopliaError("store-corrupt", "m"), "failed", "store-corrupt"],
  [new DOMException("x", "AbortError"), "stopped", "interrupted"],
  [new TypeError("x is undefined"), "failed", "bug"],
  ["thrown text", "failed", "bug"],
])("%s ends %s, %s", (thrown, status, reasonCode) => {
  expect(outcomeOf(thrown)).toMatchObject({ status, reasonCode });
});

test("a message ends with what to do", () => {
  expect(outcomeOf(new LoopliaError("host-failed", "no", { hint: "do" })).message).toBe("no\ndo");
});

test("the graver outcome counts, of equals the first", () => {
  const failed = { status: "failed", reasonCode: "bug" } as const;
  const done = { status: "completed", reasonCode: "done" } as const;
  expect(graver(done, failed)).toBe(failed);
  expect(graver(failed, { ...failed, reasonCode: "host-failed" })).toBe(failed);
  expect(graver(done, undefined)).toBe(done);
  const lost = { status: "ignored", reasonCode: "lost-race" } as const;
  expect(graver(done, lost)).toBe(lost);
  expect(graver({ status: "stopped", reasonCode: "interrupted" }, lost)).toBe(lost);
  expect(graver(failed, lost)).toBe(failed);
});

test("inputs are read as the runner passes them, known or not", () => {
  const environment = {
    INPUT_CONTENT: " a.md\nb.md \n",
    "INPUT_TIMEOUT-MINUTES": "5",
    INPUT_MODEL: " ",
    "INPUT_MAX-TOKNS": "9",
    LOOPLIA_MODEL: "m",
  };
  expect(readInputs(environment)).toEqual({
    content: "a.md\nb.md",
    "timeout-minutes": "5",
    model: "",
    "max-tokns": "9",
  });
});

test("outside of a runner it says so", () => {
  expect(() => readRunnerFacts({})).toThrow(/GITHUB_REPOSITORY/);
  const runner = { GITHUB_REPOSITORY: "o/r", GITHUB_WORKSPACE: "/w", RUNNER_TEMP: "/t" };
  expect(readRunnerFacts(runner)).toMatchObject({ apiUrl: "https://api.github.com", attempt: "1" });
  expect(() => readRunnerFacts({ ...runner, GITHUB_REPOSITORY: "o/r/../x" })).toThrow(/owner\/name/);
});

describe("the job's log", () => {
  const session = (sessionId: string, source: string): RunEvent => {
    const steps = [
      { output: "summary", due: true, reason: "not done yet" },
      { output: "ideas", due: false, reason: "done" },
    ];
    return { type: "session", sessionId, source, pipeline: "p", folder: "f", steps };
  };
  const step = (sessionId: string, message?: string): RunEvent => {
    const why = message === undefined ? {} : { message };
    return { type: "step", sessionId, output: "ideas", agent: "a", status: "failed", ...why };
  };
  const over = (sessionId: string, source: string): RunEvent => {
    return {
      type: "item",
      count: 2,
      ended: { sessionId, source, status: "waiting", reasonCode: "open-questions" },
    };
  };
  const logOf = (...events: RunEvent[]) => {
    const lines: string[] = [];
    const log = new JobLog((line) => lines.push(line));
    for (const event of events) log.observe(event);
    log.end();
    return lines;
  };

  test("has a group per item, with what the model said, each call, and the question below it too", () => {
    const call = {
      sessionId: "s",
      taskId: "T1",
      agent: "a",
      toolName: "runCommand",
      toolCallId: "1",
      summary: "ls",
    };
    const ended = { type: "tool-ended", ...call, isError: true, durationMs: 1 } as const;
    const lines = logOf(
      session("s", "a.md"),
      { type: "text", sessionId: "s", agent: "a", delta: "no line" },
      {
        type: "message",
        taskId: "T1",
        sessionId: "s",
        agent: "a",
        text: "First I look.\n::error::and this is text",
      },
      ended,
      { ...ended, refused: "A rule." },
      { ...ended, ending: "exit 2\nmore" },
      {
        type: "validation-failed",
        sessionId: "s",
        output: "ideas",
        artifact: "ideas.json",
        errors: ["hooks: is missing"],
        hint: "Only for the model.",
        recoverable: true,
      },
      step("s", "why"),
      { type: "question", sessionId: "s", request: confirm },
      over("s", "a.md"),
    );
    expect(lines).toEqual([
      "::group::a.md: session s, due: summary (not done yet)",
      "a: First I look.",
      "a: : :error: :and this is text",
      "runCommand ls failed (1 ms)",
      "runCommand ls refused: A rule.",
      "runCommand ls: exit 2 (1 ms)",
      "ideas.json refused, the model tries again: hooks: is missing",
      "ideas failed: why",
      `${confirm.shortId} is waiting for an answer: ${confirm.display.title}`,
      "::endgroup::",
      `s: ${confirm.shortId} is waiting for an answer: ${confirm.display.title}`,
      "a.md: waiting",
    ]);
  });

  test("never nests groups: other items wait until the open one ends", () => {
    const lines = logOf(
      session("s", "a.md"),
      session("t", "b.md"),
      step("t", "first of b"),
      step("s", "first of a"),
      over("t", "b.md"),
      session("u", "::group::c.md"),
      step("s", "last of a"),
      over("s", "a.md"),
      step("u", "of c"),
      step("v", "no group"),
    );
    const due = "due: summary (not done yet)";
    expect(lines).toEqual([
      `::group::a.md: session s, ${due}`,
      "ideas failed: first of a",
      "ideas failed: last of a",
      "::endgroup::",
      "a.md: waiting",
      `::group::b.md: session t, ${due}`,
      "ideas failed: first of b",
      "::endgroup::",
      "b.md: waiting",
      `::group::: :group: :c.md: session u, ${due}`,
      "ideas failed: of c",
      "v: ideas failed: no group",
      "::endgroup::",
    ]);
  });

  test("has a group per task of a list", () => {
    const task = {
      iteration: 2,
      taskId: "T1",
      title: "Say hi",
      agent: "fast",
      model: "m",
      schedule: "odd-even",
    };
    const lines = logOf(
      session("s", "to-do.json"),
      { type: "iteration", sessionId: "s", ...task, status: "started" },
      step("s"),
      { type: "iteration", sessionId: "s", ...task, status: "completed" },
      step("s", "told after it"),
    );
    expect(lines).toEqual([
      "::group::to-do.json: session s, due: summary (not done yet)",
      "::endgroup::",
      "::group::iteration 2: T1: Say hi (agent fast, model m, schedule odd-even)",
      "ideas failed",
      "ideas failed: told after it",
      "::endgroup::",
      "T1: Say hi: completed",
    ]);
  });
});
