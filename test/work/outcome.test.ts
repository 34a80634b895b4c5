import { expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import { progressLine } from "../../src/entry/tell.ts";
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

test("a line for each step, tool and refusal, none for text", () => {
  const sessionId = "s";
  expect(
    progressLine({ type: "step", sessionId, output: "ideas", agent: "a", status: "failed", message: "why" }),
  ).toBe("s: ideas failed: why");
  expect(progressLine({ type: "text", sessionId, agent: "a", delta: "::error::" })).toBeUndefined();
  const call = {
    sessionId,
    taskId: "T1",
    agent: "a",
    toolName: "runCommand",
    toolCallId: "1",
    summary: "ls",
  };
  const ended = { type: "tool-ended", ...call, isError: true, durationMs: 1 } as const;
  expect(progressLine(ended)).toBe("s: runCommand ls failed (1 ms)");
  expect(progressLine({ ...ended, refused: "A rule." })).toBe("s: runCommand ls refused: A rule.");
  const steps = [
    { output: "summary", due: true, reason: "not done yet" },
    { output: "ideas", due: false, reason: "done" },
  ];
  expect(
    progressLine({ type: "session", sessionId, source: "a.md", pipeline: "p", folder: "f", steps }),
  ).toBe("a.md: session s, due: summary (not done yet)");
  const task = {
    iteration: 2,
    taskId: "T1",
    title: "Say hi",
    agent: "fast",
    model: "m",
    schedule: "odd-even",
  };
  expect(progressLine({ type: "iteration", sessionId, ...task, status: "started" })).toBe(
    "s: iteration 2: T1: Say hi (agent fast, model m, schedule odd-even)",
  );
  expect(progressLine({ type: "iteration", sessionId, ...task, status: "completed" })).toBeUndefined();
  expect(progressLine({ type: "question", sessionId, request: confirm })).toBe(
    `s: ${confirm.shortId} is waiting for an answer: ${confirm.display.title}`,
  );
});
