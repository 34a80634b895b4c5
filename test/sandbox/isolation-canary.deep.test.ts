// A key in every place where keys are kept, and all ways to it that we could think of.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CanaryMachine, makeCanaryMachine } from "../fakes/canary-machine.ts";
import { WAYS } from "../fakes/canary-ways.ts";
import { isHeld } from "../fakes/held-pipe.ts";

let machine: CanaryMachine;
let isolated: Map<string, string>;
let bare: Map<string, string>;

async function tryAll(sandbox: "required" | "off", ways: typeof WAYS): Promise<Map<string, string>> {
  const { isolation, outputs } = await machine.run(
    sandbox,
    ways.map(({ command }) => command),
  );
  expect(isolation.kind).toBe(sandbox === "off" ? "none" : "bubblewrap");
  return new Map(ways.map(({ title }, index) => [title, outputs[index] ?? ""]));
}

const succeeded = (output: string) => output.includes(machine.key) || /\breached\b/.test(output);

beforeAll(async () => {
  machine = await makeCanaryMachine();
  isolated = await tryAll("required", WAYS);
  bare = await tryAll(
    "off",
    WAYS.filter((way) => way.control && !/umount/.test(way.command)),
  );
});
afterAll(() => machine.remove());

describe("an isolated command does not get at a key or at what is not its own", () => {
  test.each(WAYS.map((way) => way.title))("by %s", (title) => {
    expect(isolated.get(title)).toBeDefined();
    expect(succeeded(isolated.get(title) ?? ""), isolated.get(title)).toBe(false);
  });
});

test("these ways are real: without isolation they lead to the key", () => {
  const inVain = [...bare].filter(([, output]) => !succeeded(output)).map(([title]) => title);
  expect(inVain).toEqual([]);
  expect(bare.size).toBeGreaterThan(25);
});

test("after all of them the program runs, and its files are as they were", () => {
  expect(isolated.get("a signal to the parent")).toContain("still here");
  for (const file of ["hooks/pre-push"]) expect(existsSync(join(machine.places.REPOSITORY, file))).toBe(true);
  expect(readFileSync(join(machine.root, ".git"), "utf8")).toMatch(/^gitdir: /);
});

test("nothing that a command started is left when it has ended", async () => {
  execFileSync("mkfifo", [join(machine.root, "held")]);
  const leftover = "exec 9<>held; touch begun; read -r line <&9";
  const start = `(setsid bash -c '${leftover}' >/dev/null 2>&1 &) ; until [ -e begun ]; do sleep 0.05; done`;
  await machine.run("required", [start]);
  expect(existsSync(join(machine.root, "begun"))).toBe(true);
  await expect.poll(() => isHeld(join(machine.root, "held"))).toBe(false);
  for (const made of ["begun", "held"]) rmSync(join(machine.root, made));
});

test("what a command may do: read history, write the worktree, use a home and a temporary folder of its own", async () => {
  const note = `/tmp/note-${machine.key.slice(-6)}`;
  const { outputs } = await machine.run("required", [
    "git log --format=%s; git status --short; git diff --stat",
    "echo changed > a.md; mkdir -p deep/er; echo new > deep/er/b.md; git status --short",
    `echo kept > ~/note; echo kept > ${note}; npm config get cache; echo $HOME $TMPDIR`,
    `cat ~/note ${note}`,
    "echo 'process.stdout.write(String(6 * 7))' | node -",
  ]);
  expect(outputs.slice(0, 2)).toEqual(["first\n", " M a.md\n?? deep/\n"]);
  expect(outputs[2]).toBe("/tmp/home/.npm\n/tmp/home /tmp\n");
  expect(outputs[3]).toBe("kept\nkept\n");
  expect(outputs[4]).toBe("42");
  expect(existsSync(note)).toBe(false);
  expect(readFileSync(join(machine.root, "deep/er/b.md"), "utf8")).toBe("new\n");
});
