import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../src/files/workspace.ts";
import { commandEnvironment } from "../../src/sandbox/visible.ts";
import { isolate } from "../fakes/isolation.ts";
import fc from "../fakes/properties.ts";
import { withTimeEnough } from "../fakes/time-enough.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const limits = { timeoutMs: 200_000, maxOutput: 10_000, signal: new AbortController().signal };

/** What is not waited for would take this long: `sleep 300`. */
const NAP_MS = 300_000;

/** Whether a process with this word among its arguments is alive. */
function isRunning(word: string): boolean {
  const list = execFileSync("ps", ["-eo", "stat=,args="], { encoding: "utf8" });
  return list
    .split("\n")
    .some((line) => line.includes(word) && !/^Z/.test(line.trim()) && !line.includes("ps -eo"));
}

async function elapsedOf<T>(act: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await act(), performance.now() - began];
}

describe.each([
  ["as this process can", undefined],
  ["isolated", isolate()],
])("running %s", (_, around) => {
  describe("a command", () => {
    test("runs in the root; both streams come in order; the exit code is told", async () => {
      const { root, workspace } = await makeWorktree({}, around);
      const command = "pwd; for i in 1 2 3; do echo out$i; echo err$i >&2; done; exit 7";
      const result = await workspace.run(command, limits);
      expect(result).toEqual({
        exitCode: 7,
        output: `${root}\nout1\nerr1\nout2\nerr2\nout3\nerr3\n`,
        timedOut: false,
      });
    });

    test("has no input and no terminal", async () => {
      const { workspace } = await makeWorktree({}, around);
      const result = await workspace.run("cat; read x; echo got:$x; : </dev/tty || echo no tty", limits);
      expect(result.output).toContain("got:\n");
      expect(result.output).toContain("no tty");
    });

    test("characters that are split between chunks stay whole", async () => {
      const { workspace } = await makeWorktree({}, around);
      const result = await workspace.run(
        "printf '\\xf0\\x9f'; sleep 0.1; printf '\\x98\\x80 \\xff.'",
        limits,
      );
      expect(result.output).toBe("😀 \ufffd.");
    });

    test("that ends by a signal has no exit code, isolated that of the shell's custom", async () => {
      const { workspace } = await makeWorktree({}, around);
      const exitCode = around ? 128 + 9 : null;
      expect(await workspace.run("kill -9 $$", limits)).toMatchObject({ exitCode, timedOut: false });
    });

    test("that can't be started is refused, not thrown as a bug", async () => {
      const { workspace } = await makeWorktree({}, around);
      await expect(workspace.run("echo \0", limits)).rejects.toMatchObject({ code: "config-invalid" });
      await expect(workspace.run(`: ${"x".repeat(3_000_000)}`, limits)).rejects.toMatchObject({
        code: "config-invalid",
      });
    });
  });

  describe("endings", () => {
    test("a time-out ends the whole tree, also what ignores SIGTERM", async () => {
      const { base, root, workspace } = await makeWorktree({}, around);
      const word = `tree-${base.slice(-6)}`;
      const command = `trap '' TERM; (trap '' TERM; exec -a ${word} sleep 300) & (exec -a ${word} sleep 300) & echo begun; touch begun; exec -a ${word} sleep 300`;
      const [result, took] = await withTimeEnough(
        (timeoutMs) => elapsedOf(() => workspace.run(command, { ...limits, timeoutMs })),
        () => existsSync(join(root, "begun")),
      );
      expect(result).toEqual({ exitCode: null, output: "begun\n", timedOut: true });
      expect(took).toBeLessThan(NAP_MS / 10);
      await expect.poll(() => isRunning(word)).toBe(false);
    });

    test("SIGTERM comes first, so a command can clean up", async () => {
      const { root, workspace } = await makeWorktree({}, around);
      const command = "trap 'touch cleaned; exit' TERM; touch begun; sleep 300 & wait";
      await withTimeEnough(
        (timeoutMs) => workspace.run(command, { ...limits, timeoutMs }),
        () => existsSync(join(root, "begun")),
      );
      expect(existsSync(join(root, "cleaned"))).toBe(true);
    });

    test("an abort ends it; an aborted signal starts nothing", async () => {
      const { root, workspace } = await makeWorktree({}, around);
      const stop = new AbortController();
      const running = elapsedOf(() =>
        workspace.run("echo begun; touch begun; sleep 300", { ...limits, signal: stop.signal }),
      );
      await expect.poll(() => existsSync(join(root, "begun"))).toBe(true);
      stop.abort();
      const [result, took] = await running;
      expect(result).toEqual({ exitCode: null, output: "begun\n", timedOut: false });
      expect(took).toBeLessThan(NAP_MS / 10);
      await workspace.run("touch never", { ...limits, signal: stop.signal });
      expect(existsSync(join(root, "never"))).toBe(false);
    });

    test.each([
      ["holds the pipe", (nap: string) => `${nap} & echo done`],
      ["does not hold the pipe", (nap: string) => `${nap} >/dev/null 2>&1 & echo done`],
      ["was started by a child", (nap: string) => `(${nap} & ${nap} &); echo done`],
    ])("a stray that %s is not waited for, and is ended", async (_, makeCommand) => {
      const { base, workspace } = await makeWorktree({}, around);
      const word = `stray-${base.slice(-6)}`;
      const count = `ps -eo args= | grep -c ^${word}`;
      const command = `${makeCommand(`bash -c 'exec -a ${word} sleep 300'`)}; until ${count} >/dev/null; do sleep 0.05; done; ${count}`;
      const [result, took] = await elapsedOf(() => workspace.run(command, limits));
      expect(result.output, "it runs while the command does").toMatch(/^done\n[12]\n$/);
      expect(took).toBeLessThan(NAP_MS / 10);
      await expect.poll(() => isRunning(word)).toBe(false);
    });

    test("a stray in a session of its own that holds the pipe is not waited for", async () => {
      const { workspace } = await makeWorktree({}, around);
      const [result, took] = await elapsedOf(() => workspace.run("setsid sleep 60 & echo done", limits));
      expect(result.output).toBe("done\n");
      expect(took).toBeLessThan(NAP_MS / 10);
    });
  });

  describe("output", () => {
    test("at the limit is whole", async () => {
      const { workspace } = await makeWorktree({}, around);
      const print = (count: number) => workspace.run(`printf '%${count}s' ''`, { ...limits, maxOutput: 101 });
      expect((await print(101)).output).toBe(" ".repeat(101));
      expect((await print(102)).output).toContain("1 of 102 characters left out");
    });

    test("that never ends is stopped by the time-out", async () => {
      const { workspace } = await makeWorktree({}, around);
      const [result, took] = await elapsedOf(() => workspace.run("yes", { ...limits, timeoutMs: 500 }));
      expect(result.timedOut).toBe(true);
      expect(took).toBeLessThan(NAP_MS / 10);
    });
  });
});

describe("environment", () => {
  test("a command sees exactly what was chosen, whatever the process has", async () => {
    const canary = "canary-5d2e";
    process.env.CANARY_API_KEY = canary;
    const { root } = await makeWorktree();
    const environment = commandEnvironment({ ...process.env, ANTHROPIC_API_KEY: canary });
    const workspace = await openWorkspace(root, { environment, systemTemp: "/tmp/none" });
    const { output } = await workspace.run(
      "env; echo $CANARY_API_KEY; tr '\\0' '\\n' </proc/self/environ",
      limits,
    );
    delete process.env.CANARY_API_KEY;
    expect(output).not.toContain(canary);
    const shellOwn = ["PWD", "SHLVL", "_", "OLDPWD", "_LOOPLIA_COMMAND"];
    const names = output.split("\n").flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    expect(names.filter((name) => !(name in environment) && !shellOwn.includes(name))).toEqual([]);
  });

  test("names that look like allowed ones are not", () => {
    const hostile = [
      ...[
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "GITHUB_TOKEN",
        "GITHUB_ENV",
        "GITHUB_PATH",
        "GITHUB_OUTPUT",
        "GH_TOKEN",
      ],
      ...[
        "ACTIONS_RUNTIME_TOKEN",
        "INPUT_GITHUB-TOKEN",
        "LOOPLIA_STATE_KEY",
        "RUNNER_TEMP",
        "RUNNER_TRACKING_ID",
      ],
      ...[
        "path",
        "Path",
        "PATH ",
        "PATH\0",
        "HOMEPATH",
        "LC_API_KEY",
        "LC_",
        "LANG_KEY",
        "CI_JOB_TOKEN",
        "NO_COLOR_KEY",
      ],
      ...[
        "NODE_OPTIONS",
        "BASH_ENV",
        "ENV",
        "LD_PRELOAD",
        "PS4",
        "PROMPT_COMMAND",
        "BASH_FUNC_ls%%",
        "GIT_SSH_COMMAND",
      ],
      ...[
        "__proto__",
        "constructor",
        "toString",
        "NPM_TOKEN",
        "npm_config_//registry/:_authToken",
        "SSH_AUTH_SOCK",
        "",
      ],
    ];
    const environment = Object.fromEntries(
      [...hostile, "PATH", "HOME", "LC_ALL", "CI"].map((name) => [name, "value"]),
    );
    expect(Object.keys(commandEnvironment({ ...environment, TZ: undefined })).sort()).toEqual([
      "CI",
      "HOME",
      "LC_ALL",
      "PATH",
    ]);
  });

  test("no name of the runner's, the project's or a key's ever passes", () => {
    const prefix = fc.constantFrom(
      "GITHUB_",
      "ACTIONS_",
      "INPUT_",
      "LOOPLIA_",
      "RUNNER_",
      "ANTHROPIC_",
      "OPENAI_",
      "AWS_",
      "NPM_",
    );
    fc.assert(
      fc.property(prefix, fc.string(), (start, rest) => {
        expect(commandEnvironment({ [`${start}${rest}`]: "x" })).toEqual({});
      }),
    );
  });
});
