import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { explainAbsence } from "../../src/sandbox/isolation.ts";
import { findOwnTool } from "../../src/sandbox/own-tools.ts";
import { isolate } from "../fakes/isolation.ts";
import { needIsolation } from "../fakes/needed.ts";
import { withTimeEnough } from "../fakes/time-enough.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const limits = { timeoutMs: 200_000, maxOutput: 100_000, signal: new AbortController().signal };

/** A search path with a shell's programs and no bubblewrap. */
function pathWithoutBubblewrap(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["cat", "ls", "touch"]) symlinkSync(`/bin/${name}`, join(bin, name));
  return bin;
}

async function makeBare(sandbox: "auto" | "required" | "off", warnings: string[] = []) {
  const folder = (await makeWorktree()).base;
  const environment = { PATH: pathWithoutBubblewrap(folder), HOME: folder };
  const options = { sandbox, environment, warn: (message: string) => warnings.push(message) };
  return makeWorktree({}, isolate(options));
}

describe("without bubblewrap", () => {
  test("`auto` says so once, loudly, and what to do", async () => {
    const warnings: string[] = [];
    const { workspace } = await makeBare("auto", warnings);
    expect(workspace.isolation).toEqual({
      kind: "none",
      network: true,
      reason: expect.stringMatching(/bubblewrap is not installed; install it.*apt-get install/),
    });
    await workspace.run("true", limits);
    await workspace.run("true", limits);
    expect(warnings).toEqual([`Commands are not isolated: ${workspace.isolation.reason}.`]);
  });

  test("`required` runs nothing, and says what to do", async () => {
    const { root, workspace } = await makeBare("required");
    const network = { ...limits, network: true };
    for (const how of [limits, network]) {
      await expect(workspace.run("touch ran", how)).rejects.toMatchObject({
        code: "config-invalid",
        message: expect.stringContaining(
          "No command runs: `sandbox` is `required`, and bubblewrap is not installed",
        ),
      });
    }
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  test("`off` is told as what somebody chose, with bubblewrap there or not", async () => {
    const warnings: string[] = [];
    const { workspace } = await makeWorktree(
      {},
      isolate({ sandbox: "off", warn: (text) => warnings.push(text) }),
    );
    expect(workspace.isolation).toMatchObject({ kind: "none", network: true, isOff: true });
    expect(warnings).toHaveLength(1);
    expect((await workspace.run("echo ran", limits)).output).toBe("ran\n");
  });

  test.each([
    ["that does not work", "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n"],
    ["that says nothing", "#!/bin/sh\nexit 1\n"],
    ["that is no program", "nothing"],
  ])("one %s is none", async (_, script) => {
    const { base } = await makeWorktree();
    mkdirSync(join(base, "bin"));
    writeFileSync(join(base, "bin/bwrap"), script);
    chmodSync(join(base, "bin/bwrap"), 0o755);
    const environment = { PATH: `${join(base, "bin")}:/bin`, HOME: base };
    const { workspace } = await makeWorktree({}, isolate({ environment }));
    expect(workspace.isolation).toMatchObject({
      kind: "none",
      reason: expect.stringMatching(/does not work|AppArmor/),
    });
    await expect(workspace.run("true", limits)).rejects.toMatchObject({ code: "config-invalid" });
  });

  test("one that stops working after it was found runs nothing without it", async () => {
    needIsolation();
    const { base } = await makeWorktree();
    mkdirSync(join(base, "bin"));
    const program = join(base, "bin/bwrap");
    writeFileSync(
      program,
      `#!/bin/sh\nexec ${findOwnTool("bwrap", process.env.PATH ?? "", [])?.path()} "$@"\n`,
    );
    chmodSync(program, 0o755);
    const environment = { PATH: `${join(base, "bin")}:/bin:/usr/bin`, HOME: base };
    const { root, workspace } = await makeWorktree({}, isolate({ environment }));
    expect(workspace.isolation.kind).toBe("bubblewrap");
    writeFileSync(program, "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n");
    await expect(workspace.run("touch ran", limits)).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("could not be isolated: bwrap: No permissions"),
    });
    expect(existsSync(join(root, "ran"))).toBe(false);
  });
});

describe("what to do", () => {
  test.each([
    [
      "Linux without it",
      undefined,
      { platform: "linux", isRestricted: false },
      /apt-get install -y bubblewrap.*add the step `looplia-action\/isolation`/,
    ],
    [
      "ubuntu-24.04",
      "Permission denied",
      { platform: "linux", isRestricted: true },
      /AppArmor.*add the step `looplia-action\/isolation`.*apparmor_parser -r .*bwrap-userns-restrict.*sysctl -w kernel.apparmor_restrict_unprivileged_userns=0/,
    ],
    [
      "a container",
      "No permissions",
      { platform: "linux", isRestricted: false },
      /\(No permissions\).*max_user_namespaces.*seccomp=unconfined/,
    ],
    ["another system", undefined, { platform: "darwin", isRestricted: false }, /Linux only/],
  ])("on %s", (_, said, facts, expected) => {
    expect(explainAbsence(said, facts)).toMatch(expected);
  });
});

describe("an isolated command", () => {
  test("reaches the network only where that is allowed, for all or for this one", async () => {
    const server = createServer((connection) => connection.end("hello\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    const closed = await makeWorktree({}, isolate());
    expect((await closed.workspace.run(command, limits)).output).toContain("Connection refused");
    expect((await closed.workspace.run(command, { ...limits, network: true })).output).toBe("hello\n");
    const open = await makeWorktree({}, isolate({ network: true }));
    expect(open.workspace.isolation).toEqual({ kind: "bubblewrap", network: true });
    expect((await open.workspace.run(command, limits)).output).toBe("hello\n");
    expect((await open.workspace.run(command, { ...limits, network: false })).output).toContain("refused");
  });

  test("can neither read nor replace the state in the worktree", async () => {
    const files = { ".looplia/state/w/events.jsonl": "secret", ".looplia/contentItem/s/a.json": "{}" };
    const closed = (root: string) =>
      isolate({ closed: [join(root, ".looplia/state"), join(root, "missing")] })(root);
    const { root, workspace } = await makeWorktree(files, closed);
    const { output } = await workspace.run(
      "cat .looplia/state/*/*; mv .looplia/state x; mv .looplia y; rm -rf .looplia/state; echo > .looplia/state/z; cat .looplia/contentItem/s/a.json",
      limits,
    );
    expect(output).not.toContain("secret");
    expect(output).toMatch(/\{\}$/);
    expect(readdirSync(join(root, ".looplia")).sort()).toEqual(["contentItem", "state"]);
    expect(readFileSync(join(root, ".looplia/state/w/events.jsonl"), "utf8")).toBe("secret");
  });

  test("reads git's history and changes nothing of it", async () => {
    const { root, workspace } = await makeWorktree({ "a.txt": "1\n" }, isolate());
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args]);
    git("init", "-q");
    git("add", "a.txt");
    git("commit", "-qm", "one");
    writeFileSync(join(root, "a.txt"), "2\n");
    const hostile =
      "git commit -qam two; git config core.fsmonitor evil; echo > .git/hooks/x; rm -rf .git; mv .git g; ln -s / .git";
    const { output } = await workspace.run(`git log --format=%s; git diff --shortstat; ${hostile}`, limits);
    expect(output).toMatch(/^one\n 1 file changed/);
    expect(git("log", "--format=%s").toString()).toBe("one\n");
    expect(git("config", "--get-regexp", "core.*").toString()).not.toContain("fsmonitor");
    expect(existsSync(join(root, ".git/hooks/x"))).toBe(false);
    expect(existsSync(join(root, "g"))).toBe(false);
  });

  test("changes nothing of repositories inside the worktree: neither hooks nor configuration, not by moving them away", async () => {
    const nested = { "lib/deep/.git/HEAD": "ref: refs/heads/main\n", "lib/deep/.git/config": "[core]\n" };
    const module = { "module/.git": "gitdir: ../.git/modules/module\n", "lib/a.txt": "a" };
    const { root, workspace } = await makeWorktree({ ...nested, ...module }, isolate());
    const attempts = [
      "mkdir -p lib/deep/.git/hooks && echo evil > lib/deep/.git/hooks/post-checkout && echo made",
      "echo '[core] fsmonitor = evil' >> lib/deep/.git/config && echo made",
      "mv lib/deep lib/away && mkdir -p lib/deep/.git/hooks && echo made",
      "mv lib away && mkdir -p lib/deep/.git/hooks && echo made",
      "rm -rf lib/deep/.git module/.git; test -e lib/deep/.git/config || echo made",
      "echo 'gitdir: ../evil' > module/.git && echo made",
    ];
    for (const attempt of attempts) {
      expect((await workspace.run(attempt, limits)).output, attempt).not.toContain("made");
    }
    expect(readFileSync(join(root, "lib/deep/.git/config"), "utf8")).toBe("[core]\n");
    expect(readFileSync(join(root, "module/.git"), "utf8")).toBe(module["module/.git"]);
    expect(
      (await workspace.run("echo b > lib/a.txt && echo made > lib/deep/b.txt && cat lib/deep/b.txt", limits))
        .output,
    ).toBe("made\n");
  });

  test("makes no repository where there is none, two at once neither; nothing of it is left", async () => {
    const { root, workspace } = await makeWorktree({}, isolate());
    const make =
      "sleep 0.$((RANDOM % 5)); git init . ; mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit && echo made; rm -rf .git; mv .git x";
    const results = await Promise.all([1, 2, 3, 4].map(() => workspace.run(make, limits)));
    for (const { output } of results) expect(output).not.toContain("made");
    expect(readdirSync(root)).toEqual([]);
  });

  test("has limits on processes, memory, sizes of files, and writes no core", async () => {
    const { workspace } = await makeWorktree({}, isolate());
    const { output } = await workspace.run(
      "ulimit -u; ulimit -d; ulimit -f; ulimit -c; ulimit -u unlimited",
      limits,
    );
    const [processes, memory, size, core, raised] = output.split("\n");
    expect([processes, size, core]).toEqual(["4096", String(4 * 1024 * 1024), "0"]);
    expect(Number(memory)).toBeGreaterThan(100_000);
    expect(raised).toContain("cannot modify limit");
  });

  test("that wants more memory than it may have is told so by the kernel", async () => {
    const { workspace } = await makeWorktree({}, isolate());
    const limit = Number((await workspace.run("ulimit -d", limits)).output) * 1024;
    const { output, exitCode } = await workspace.run(
      `dd if=/dev/zero of=/dev/null count=1 bs=${limit + 1024}`,
      limits,
    );
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringMatching(/memory exhausted/) });
  });

  test("that writes a larger file than it may is stopped, and the result says so", async () => {
    const { workspace } = await makeWorktree({}, isolate());
    const { output } = await workspace.run("truncate -s 4097M big; echo ended $?", limits);
    expect(output).toMatch(/File (?:too large|size limit exceeded)[\s\S]*ended [1-9]/);
  });

  test("that starts ever more processes ends with its time, and with all of them", async () => {
    const { root, workspace } = await makeWorktree({}, isolate());
    const nap = `sleep 300.${process.pid}`;
    const started = `for i in $(seq 200); do ${nap} & done; echo started; touch begun; wait`;
    const ended = await withTimeEnough(
      (timeoutMs) => workspace.run(started, { ...limits, timeoutMs }),
      () => existsSync(join(root, "begun")),
    );
    expect(ended).toEqual({ exitCode: null, output: "started\n", timedOut: true });
    await expect.poll(() => execFileSync("ps", ["-eo", "args"]).toString()).not.toContain(nap);
  });

  test("has no descriptor that the program had open", async () => {
    const { workspace } = await makeWorktree({}, isolate());
    const { output } = await workspace.run("cd /proc/self/fd && echo *", limits);
    expect(
      output
        .trim()
        .split(" ")
        .map(Number)
        .filter((descriptor) => descriptor > 3),
    ).toEqual([]);
  });

  test("leaves nothing behind when the run is over", async () => {
    const { base } = await makeWorktree();
    const { workspace } = await makeWorktree({}, (root) => {
      const isolator = isolate({ temporary: base })(root);
      onTestFinished(() =>
        expect(readdirSync(base).filter((name) => name.startsWith("looplia-"))).toEqual([]),
      );
      onTestFinished(() => isolator.close());
      return isolator;
    });
    await workspace.run("mkdir -p ~/.cache/x; chmod 000 ~/.cache; echo > /tmp/y", limits);
    expect(readdirSync(base).filter((name) => name.startsWith("looplia-"))).toHaveLength(1);
  });
});

describe("a worktree that can't be isolated has none, and a reason", () => {
  test("a home", async () => {
    needIsolation();
    const { root, workspace } = await makeWorktree({}, (home) =>
      isolate({ environment: { PATH: process.env.PATH ?? "", HOME: home } })(home),
    );
    expect(workspace.isolation).toMatchObject({
      kind: "none",
      reason: expect.stringContaining(`${root} is a home`),
    });
  });

  test("one whose .git is a link", async () => {
    const { base, root, workspace } = await makeWorktree({}, isolate());
    symlinkSync(base, join(root, ".git"));
    expect(workspace.isolation).toMatchObject({
      kind: "none",
      reason: expect.stringContaining(".git is a link"),
    });
  });
});
