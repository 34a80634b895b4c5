import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openControlGroup, standardLimits } from "../../src/sandbox/limits.ts";
import { isolate } from "../fakes/isolation.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const limits = { timeoutMs: 200_000, maxOutput: 100_000, signal: new AbortController().signal };
const MIB = 1024 ** 2;
const running = (args: string) => execFileSync("ps", ["-eo", "args"]).toString().includes(args);

describe.each(["required", "off"] as const)("with `sandbox: %s` a command ends", (sandbox) => {
  const open = (own: Partial<ReturnType<typeof standardLimits>>) =>
    makeWorktree({}, isolate({ sandbox, limits: { ...standardLimits(), ...own } }));

  test("when its processes together use too much memory, though each of them does not", async () => {
    const { workspace } = await open({ memory: 400 * MIB });
    const nap = `sleep 3${process.pid}.${sandbox.length}`;
    // `tail` keeps a line until it ends.
    const taker = `{ head -c ${150 * MIB} /dev/zero; exec ${nap}; } | tail -n 1 >ended`;
    const result = await workspace.run(`${taker} & ${taker} & ${taker} & ${taker} & wait`, limits);
    expect(result).toEqual({ exitCode: null, output: "", timedOut: false, exceeded: "memory" });
    await expect.poll(() => running(nap)).toBe(false);
  });

  test("when it runs more processes at once than it may", async () => {
    const { workspace } = await open({ processes: 40 });
    const nap = `sleep 4${process.pid}.${sandbox.length}`;
    const result = await workspace.run(`for i in $(seq 60); do ${nap} & done; wait`, limits);
    expect(result).toMatchObject({ exitCode: null, exceeded: "processes" });
    await expect.poll(() => running(nap)).toBe(false);
  });

  test("when its files leave too little of the disk", async () => {
    const { bavail, bsize } = statfsSync(tmpdir());
    const { root, workspace } = await open({ freeDisk: bavail * bsize - 100 * MIB });
    const nap = `sleep 6${process.pid}.${sandbox.length}`;
    const taken = `${400 * MIB}`;
    const result = await workspace.run(`fallocate -l ${taken} large; exec ${nap}`, limits);
    rmSync(join(root, "large"));
    expect(result).toMatchObject({ exitCode: null, exceeded: "disk" });
    await expect.poll(() => running(nap)).toBe(false);
  });
});

test("a daemon of a command without isolation does not outlive it, whatever it left", async () => {
  const { root, workspace } = await makeWorktree({}, isolate({ sandbox: "off" }));
  const nap = `sleep 5${process.pid}`;
  const daemon = `(setsid sh -c '(${nap} &) ; echo $$ >started; exec ${nap}' </dev/null >/dev/null 2>&1 &)`;
  const waited = "while [ ! -s started ]; do sleep 0.05; done";
  const { exitCode } = await workspace.run(`${daemon}; ${waited}`, limits);
  expect([exitCode, existsSync(join(root, "started"))]).toEqual([0, true]);
  expect(running(nap)).toBe(false);
});

test("nor does one that replaces its environment and its session", async () => {
  const { root, workspace } = await makeWorktree({}, isolate({ sandbox: "off" }));
  const nap = `sleep 7${process.pid}`;
  const daemon = `(env -i setsid sh -c '(env -i setsid ${nap} &); echo $$ >started; exec ${nap}' </dev/null >/dev/null 2>&1 &)`;
  const waited = "while [ ! -s started ]; do sleep 0.05; done";
  const { exitCode } = await workspace.run(`${daemon}; ${waited}; exit 7`, limits);
  expect([exitCode, existsSync(join(root, "started"))]).toEqual([7, true]);
  expect(running(nap)).toBe(false);

  const endless = `trap '' TERM; ${daemon}; while :; do ${nap}; done`;
  const late = await workspace.run(endless, { ...limits, timeoutMs: 500 });
  expect(late).toMatchObject({ exitCode: null, timedOut: true });
  await expect.poll(() => running(nap)).toBe(false);
  expect(await workspace.run("kill -9 $$", limits)).toMatchObject({ exitCode: null, timedOut: false });
});

describe("a control group", () => {
  /** As the kernel shows a delegated one, without its work. */
  async function delegated(controllers: string) {
    const { base } = await makeWorktree();
    const own = join(base, "user.slice/own.scope");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "cgroup.subtree_control"), "");
    writeFileSync(join(own, "..", "cgroup.subtree_control"), controllers);
    return { root: base, own: "/user.slice/own.scope" };
  }

  test("is made where memory is delegated, and the command joins it first", async () => {
    const place = await delegated("cpu memory pids\n");
    const group = openControlGroup({ ...standardLimits(), memory: 1234, processes: 56 }, place);
    const [name = ""] = readdirSync(join(place.root, "user.slice")).filter((entry) =>
      /^looplia-/.test(entry),
    );
    const folder = join(place.root, "user.slice", name);
    const has = (file: string) => readFileSync(join(folder, file), "utf8");
    expect([has("memory.max"), has("pids.max"), has("memory.oom.group")]).toEqual(["1234", "56", "1"]);
    const [program = "", ...args] = group?.before ?? [];
    const pid = execFileSync(program, [...args, "sh", "-c", "echo $$"]).toString();
    expect(has("cgroup.procs")).toBe(pid);
    writeFileSync(join(folder, "memory.events"), "oom 1\noom_kill 0\n");
    expect(group?.isExceeded()).toBe(false);
    writeFileSync(join(folder, "memory.events"), "oom 1\noom_kill 2\n");
    expect(group?.isExceeded()).toBe(true);
    group?.close();
    expect(has("cgroup.kill")).toBe("1");
    rmSync(folder, { recursive: true });
  });

  test("is not made where memory is not delegated", async () => {
    const place = await delegated("cpu pids\n");
    expect(openControlGroup(standardLimits(), place)).toBeUndefined();
    expect(readdirSync(join(place.root, "user.slice")).sort()).toEqual([
      "cgroup.subtree_control",
      "own.scope",
    ]);
  });
});
