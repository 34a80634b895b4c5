// Where there is no repository none can be made, whoever else works there and whoever was killed before.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { isolate } from "../fakes/isolation.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const limits = { timeoutMs: 200_000, maxOutput: 100_000, signal: new AbortController().signal };
const ATTACK = "mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit && echo made";

/** A process of its own that is killed while its command runs. */
async function dieInCommand(root: string, temporary: string): Promise<void> {
  const source = (path: string) => JSON.stringify(resolve(import.meta.dirname, "../../src", path));
  const script = `
    import { openIsolation } from ${source("sandbox/isolation.ts")};
    import { openWorkspace } from ${source("files/workspace.ts")};
    const environment = { PATH: process.env.PATH, HOME: ${JSON.stringify(temporary)} };
    const isolate = (root) => openIsolation({
      ...{ sandbox: "required", network: false, root, environment, closed: [], temporary: ${JSON.stringify(temporary)} },
      warn: () => {},
    });
    const workspace = await openWorkspace(${JSON.stringify(root)}, { environment, systemTemp: ${JSON.stringify(temporary)}, isolate });
    await workspace.run("touch started; sleep 60", { timeoutMs: 60_000, maxOutput: 100, signal: new AbortController().signal });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  const ended = new Promise((done) => child.once("exit", done));
  await expect.poll(() => existsSync(join(root, "started"))).toBe(true);
  child.kill("SIGKILL");
  await ended;
}

test("what a killed process left goes with the next run, and until then keeps its commands out", async () => {
  const { base, root, workspace } = await makeWorktree({}, isolate());
  await dieInCommand(root, base);
  expect(readdirSync(root).sort()).toEqual([".git", "started"]);
  expect((await workspace.run(ATTACK, limits)).output).not.toContain("made");
  expect(readdirSync(root)).toEqual(["started"]);
  rmSync(join(root, "started"));
  await dieInCommand(root, base);
  expect(readdirSync(root).sort()).toEqual([".git", "started"]);
  // A run that needs no command.
  await isolate()(root).close();
  expect(readdirSync(root)).toEqual(["started"]);
});

test("a process that was killed before it left its mark leaves nothing for ever either", async () => {
  const { root, workspace } = await makeWorktree({}, isolate());
  mkdirSync(join(root, ".git"), { mode: 0o1700 });
  expect((await workspace.run(ATTACK, limits)).output).not.toContain("made");
  expect(readdirSync(root)).toEqual([]);
  mkdirSync(join(root, ".git"), { mode: 0o1700 });
  await isolate()(root).close();
  expect(readdirSync(root)).toEqual([]);
});

test("one run that ends takes the cover from no command of another", async () => {
  const { root, workspace: first } = await makeWorktree({}, isolate());
  const environment = { PATH: process.env.PATH ?? "", HOME: "/nowhere" };
  const { openWorkspace } = await import("../../src/files/workspace.ts");
  const second = await openWorkspace(root, { environment, systemTemp: root, isolate: isolate() });
  const until = "touch begun; while [ ! -e over ]; do sleep 0.02; done";
  const going = first.run(`${until}; sleep 0.1; ${ATTACK}`, limits);
  await expect.poll(() => existsSync(join(root, "begun"))).toBe(true);
  const attacking = second.run(`touch seen; while [ ! -e last ]; do sleep 0.02; done; ${ATTACK}`, limits);
  await expect.poll(() => existsSync(join(root, "seen"))).toBe(true);
  writeFileSync(join(root, "over"), "");
  expect((await going).output).not.toContain("made");
  writeFileSync(join(root, "last"), "");
  expect((await attacking).output).not.toContain("made");
  expect(existsSync(join(root, ".git"))).toBe(false);
});

test.each([
  ["an empty folder", () => {}],
  ["a folder with something in it", (folder: string) => writeFileSync(join(folder, "note"), "mine")],
])("%s of that name that somebody made stays as it is", async (_, fill) => {
  const { root, workspace } = await makeWorktree({}, isolate());
  const folder = join(root, ".git");
  mkdirSync(folder);
  fill(folder);
  const before = readdirSync(folder);
  expect((await workspace.run(ATTACK, limits)).output).not.toContain("made");
  expect(readdirSync(folder)).toEqual(before);
  const isolator = isolate()(root);
  expect(isolator.isolation.kind).toBe("bubblewrap");
  await isolator.close();
  expect(readdirSync(folder)).toEqual(before);
});

test("without isolation nothing is put there", async () => {
  const { root, workspace } = await makeWorktree({}, isolate({ sandbox: "off" }));
  expect((await workspace.run("ls -A", limits)).output).toBe("");
  expect(readdirSync(root)).toEqual([]);
});
