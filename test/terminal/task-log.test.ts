// The hook of the settings: no shell, no secret, a time limit, and nothing that it does can harm the run.
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { trustedFolder } from "../../src/files/sources.ts";
import { ownSearchPath } from "../../src/sandbox/own-tools.ts";
import { createTaskLog } from "../../src/terminal/logs.ts";

const WORDS = ["$(touch oops); 'T 1'", "done", "/a/last.json", "iteration-1"];

async function openLog(script: string, more: { signal?: AbortSignal; hook?: string; hookMs?: number } = {}) {
  const root = await mkdtemp(join(tmpdir(), "looplia-hook-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, "hook.sh"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const log = await createTaskLog({
    root,
    logPath: () => join(root, "logs", "run.jsonl"),
    sessionFolder: async (sessionId) => join(root, "state", sessionId),
    hook: "./hook.sh",
    environment: { PATH: process.env.PATH ?? "", ONLY: "this" },
    signal: new AbortController().signal,
    trusted: await trustedFolder(root, ""),
    ...more,
  });
  return { root, log };
}

test("LESSONS, the hook went through a shell: it gets its words as they are, the folder and a short environment", async () => {
  const { root, log } = await openLog('printf "%s\\n" "$@" > said; env > seen');
  expect(await log.runHook(WORDS)).toBeUndefined();
  expect(await readFile(join(root, "said"), "utf8")).toBe(`${WORDS.join("\n")}\n`);
  const seen = (await readFile(join(root, "seen"), "utf8")).trim().split("\n");
  // The shell of this hook has some of its own.
  const given = seen.filter((line) => !/^(?:PWD|OLDPWD|SHLVL|_)=/.test(line)).sort();
  expect(given).toEqual(["ONLY=this", `PATH=${ownSearchPath(process.env.PATH ?? "", [root])}`]);
});

test("one that an agent has changed or made since the run began is not called", async () => {
  const { root, log } = await openLog("touch said");
  await writeFile(join(root, "hook.sh"), "#!/bin/sh\ntouch oops\n");
  expect(await log.runHook(WORDS)).toMatch(
    /^it was not called: \.\/hook\.sh has changed since the run began/,
  );
  const made = await openLog("", { hook: "tools/../new.sh" });
  await writeFile(join(made.root, "new.sh"), "#!/bin/sh\ntouch oops\n", { mode: 0o755 });
  expect(await made.log.runHook(WORDS)).toMatch(/^it was not called/);
  expect([await readdir(root), await readdir(made.root)].flat()).not.toContain("oops");
});

test.each([
  ["that fails", "echo no >&2; exit 3", {}, /^it ended with 3: no$/],
  ["that is not there", "", { hook: "./nothing.sh" }, /ENOENT/],
  [
    "that is no program",
    "",
    { hook: "looplia-no-such-program" },
    /there is no looplia-no-such-program on the PATH/,
  ],
  ["that takes too long", "sleep 300", { hookMs: 100 }, /longer than 0\.1 s/],
  ["that waits for what it has started", "sleep 300 & wait", { hookMs: 100 }, /longer than 0\.1 s/],
])("one %s is told in words, soon", async (_what, script, more, said) => {
  const started = performance.now();
  const { log } = await openLog(script, more);
  expect(await log.runHook(WORDS)).toMatch(said);
  expect(performance.now() - started).toBeLessThan(30_000);
});

test("one that leaves something running holds up nothing", async () => {
  const started = performance.now();
  const { root, log } = await openLog("sleep 300 & echo $! > left");
  onTestFinished(async () => void process.kill(Number(await readFile(join(root, "left"), "utf8"))));
  expect(await log.runHook(WORDS)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(30_000);
});

test("one that runs when the run is stopped ends with it", async () => {
  const run = new AbortController();
  const { root, log } = await openLog("touch begun; sleep 300", { signal: run.signal });
  const called = log.runHook(WORDS);
  await expect.poll(() => existsSync(join(root, "begun"))).toBe(true);
  run.abort();
  expect(await called).toBe("it was stopped together with the run");
});

test("one whose run is stopped while it is still looked at is not called", async () => {
  const run = new AbortController();
  const { root, log } = await openLog("touch said; sleep 300", { signal: run.signal, hookMs: 10_000 });
  const called = log.runHook(WORDS);
  run.abort();
  expect(await called).toBe("it was not called: the run is being stopped");
  expect(await readdir(root)).not.toContain("said");
});

test("last messages stand beside the log, texts in the session's folder", async () => {
  const { root, log } = await openLog("");
  expect(await log.keepLast(3, { a: 1 })).toBe(join(root, "logs", "run-iter-3.last.json"));
  expect(await readFile(join(root, "logs", "run-iter-3.last.json"), "utf8")).toBe('{\n  "a": 1\n}\n');
  expect(await log.keepText("s-1", "to-do.schema.json", "{}\n")).toBe(
    join(root, "state/s-1/to-do.schema.json"),
  );
});
