import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { redactNothing } from "../../src/core/redaction.ts";
import { runCommandTool } from "../../src/tools/run-command.ts";
import { withTimeEnough } from "../fakes/time-enough.ts";
import { callTool, makeContext, makeWorktree } from "../fakes/worktree.ts";

test("tells the exit code and the output; a failing command is no error of the tool", async () => {
  const { workspace, root } = await makeWorktree();
  const run = (input: unknown) => callTool(runCommandTool, input, makeContext(workspace));
  expect(await run({ command: "pwd" })).toEqual({ text: `Exit code 0.\n${root}\n` });
  expect(await run({ command: "echo no >&2; exit 3" })).toEqual({ text: "Exit code 3.\nno\n" });
  expect(await run({ command: "true" })).toEqual({ text: "Exit code 0.\n(no output)" });
  expect((await run({ command: "kill -9 $$" })).text).toMatch(/^Exit code none: it was ended by a signal/);
  const slow = (timeoutMs: number) =>
    run({ command: "echo hi; touch begun; sleep 300", timeoutSeconds: timeoutMs / 1_000 });
  expect(await withTimeEnough(slow, () => existsSync(join(root, "begun")))).toEqual({
    text: expect.stringMatching(/^Stopped after \d+ s\. What it had done stays\.\nhi\n$/),
  });
});

test("long output is cut for the model and whole for the audit log", async () => {
  const { workspace } = await makeWorktree();
  const reply = await callTool(runCommandTool, { command: "seq 1 20000" }, makeContext(workspace));
  expect(reply.text.length).toBeLessThan(10_200);
  expect(reply.text).toMatch(/^Exit code 0\.\n1\n2\n/);
  expect(reply.text).toMatch(/\[… 98894 characters left out; write it to a file to see all …\]/);
  expect(reply.text.endsWith("20000\n")).toBe(true);
  expect(reply.whole).toContain("\n10000\n");
});

test("the preview is the command itself, bound to the worktree; limits are in the schema", async () => {
  const { workspace } = await makeWorktree({ a: "1" });
  const input = { command: "rm -rf build\nls", timeoutSeconds: 30 };
  const pending = new Map([["a", "2"]]);
  const shown = await runCommandTool.preview?.(input, { workspace, pending, redact: redactNothing });
  const binding = { worktree: await workspace.snapshot(pending) };
  expect(shown).toMatchObject({ content: input.command, contentKind: "PlainText", binding });
  expect(shown?.headline).toBe("Run (at most 30 s): rm -rf build ls");
  const second = await runCommandTool.preview?.(input, {
    workspace,
    pending,
    redact: redactNothing,
    follows: "call-1",
  });
  expect(second?.binding).toEqual({ follows: "call-1" });
  expect(runCommandTool.summarize(input)).toBe("rm -rf build ls");
  const accepts = (timeoutSeconds: number) =>
    runCommandTool.input().safeParse({ command: "x", timeoutSeconds }).success;
  expect([0, 1, 600, 601].map(accepts)).toEqual([false, true, true, false]);
  expect(runCommandTool.input().parse({ command: "x" }).timeoutSeconds).toBe(30);
});

test("a run that ends stops the command, and the result says so", async () => {
  const { workspace } = await makeWorktree();
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error("the run ends")), 100);
  const input = { command: "sleep 60", timeoutSeconds: 30 };
  expect(await runCommandTool.run(input, makeContext(workspace, { signal: stop.signal }))).toEqual({
    text: "Interrupted together with the run. What it had done by then stays.\n(no output)",
    isError: true,
  });
});
