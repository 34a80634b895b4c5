// What a run's log says, and that it never stands in the run's way.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/ports.ts";
import { openRunLog } from "../../src/terminal/logs.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "log-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const open = (folder = join(root, "work", "logs")) => openRunLog({ folder, clock: fixedClock(), pid: 42 });
const tool = (toolName: string): RunEvent => ({
  type: "tool-ended",
  sessionId: "s",
  taskId: "summary",
  agent: "content-analyzer",
  toolName,
  toolCallId: "t1",
  summary: "content.md",
  isError: false,
  durationMs: 3,
});
const invalid: RunEvent = {
  type: "validation-failed",
  sessionId: "s",
  output: "summary",
  artifact: "summary.json",
  errors: ["headline: at least 10 characters"],
  hint: "Make the headline longer.",
  recoverable: true,
};
const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };

function linesOf(path: string): { seq: number; type: string; payload: Record<string, unknown> }[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as never);
}

test("every kind of event becomes its line, in order", async () => {
  const log = open();
  log.observe({ type: "step", sessionId: "s", output: "summary", agent: "a", status: "started" });
  log.observe({ type: "text", sessionId: "s", agent: "a", delta: "Hel" });
  log.observe({ type: "message", taskId: "summary", sessionId: "s", agent: "a", text: "Hello\n::error::no" });
  log.observe({ ...tool("readFile"), type: "tool-started" } as RunEvent);
  log.observe(tool("readFile"));
  log.observe(tool("runCommand"));
  log.observe(invalid);
  log.observe({ type: "usage", taskId: "summary", sessionId: "s", model: "m", usage, costUsd: null });
  log.observe({ type: "notice", level: "warning", message: "careful" });
  log.observe({ type: "notice", level: "error", message: "broken", sessionId: "s" });
  log.error({ code: "store-corrupt", message: "damaged", recoverable: false });
  await log.close();
  expect(readdirSync(join(root, "work", "logs"))).toEqual(["2026-11-21T08-00-00-000Z-42.jsonl"]);
  const lines = linesOf(log.path);
  expect(lines.map((line) => line.type)).toEqual([
    "progress",
    "assistant_message",
    "tool",
    "command",
    "error",
    "usage",
    "progress",
    "error",
    "error",
  ]);
  expect(lines.map((line) => line.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(lines[0]?.payload).toMatchObject({ event: "step", output: "summary", status: "started" });
  expect(lines[1]?.payload).toMatchObject({ text: "Hello\n::error::no" });
  expect(lines[4]?.payload).toEqual({
    sessionId: "s",
    output: "summary",
    code: "invalid-artifact",
    message: "The artifact of summary is not valid.",
    recoverable: true,
    retryHint: "Make the headline longer.",
    validationErrors: ["headline: at least 10 characters"],
    artifact: "summary.json",
  });
  expect(lines[7]?.payload).toEqual({
    code: "notice",
    message: "broken",
    recoverable: false,
    sessionId: "s",
  });
});

test("an iteration whose agent failed is an error, one that reported how it ended a summary", async () => {
  const log = open();
  const iteration = {
    ...({ type: "iteration", sessionId: "s", iteration: 2, taskId: "T1", title: "Do T1" } as const),
    ...{ agent: "quick", model: "m", schedule: "quick" },
  };
  log.observe({ ...iteration, status: "started" });
  log.observe({ ...iteration, status: "failed", message: "no network", errorCode: "model-failed" });
  log.observe({ ...iteration, status: "failed", summary: { task_id: "T1", status: "blocked" } });
  await log.close();
  const lines = linesOf(log.path);
  expect(lines.map((line) => line.type)).toEqual(["progress", "error", "summary"]);
  expect(lines[1]?.payload).toMatchObject({
    ...{ event: "iteration", taskId: "T1", agent: "quick", code: "model-failed" },
    ...{ message: "no network", recoverable: true },
  });
});

test("lines are written while the run goes on", async () => {
  const log = open();
  log.observe(tool("grep"));
  const count = () => (existsSync(log.path) ? linesOf(log.path).length : 0);
  await expect.poll(count).toBe(1);
  log.observe({ type: "message", taskId: "summary", sessionId: "s", agent: "a", text: "x".repeat(100_000) });
  await log.close();
  expect(count()).toBe(2);
});

test("nothing happened: no file", async () => {
  await open().close();
  expect(readdirSync(root)).toEqual([]);
});

test("a folder that can't be written to is no failure", async () => {
  writeFileSync(join(root, "work"), "a file");
  const log = open();
  log.observe(tool("grep"));
  await log.close();
  expect(readFileSync(join(root, "work"), "utf8")).toBe("a file");
});
