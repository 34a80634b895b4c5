// What becomes of the list while agents work beside it.
import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CommandResult } from "../../src/core/ports.ts";
import { guardTodo } from "../../src/todo/revise.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const DONE: CommandResult = { exitCode: 0, output: "", timedOut: false };
const OPTIONS = { timeoutMs: 60_000, maxOutput: 100, signal: new AbortController().signal };

test.each([
  ["nobody brought anything: the agent's edit is undone", undefined, "the agent's", "before", 1],
  ["a person's edit stands", "theirs", "theirs", "theirs", 0],
  ["a person's edit stands though the agent wrote over it", "theirs", "the agent's", "theirs", 1],
] as const)("%s", async (_, theirs, left, stands, undone) => {
  const { workspace } = await makeWorktree({ "to-do.json": "before" });
  const calls: string[] = [];
  const guarded = guardTodo(
    {
      ...workspace,
      isolation: { kind: "none", network: true },
      async run() {
        await workspace.writeAtomic("to-do.json", left);
        return DONE;
      },
    },
    {
      path: "to-do.json",
      onUndone: async () => void calls.push("undone"),
      beforeAct: async () => void calls.push("ahead"),
      variables: () => ({}),
      checkedVariables: () => ({}),
      hold: () => ({
        brought: () => (theirs === undefined ? undefined : { bytes: Buffer.from(theirs) }),
        release: () => void calls.push("released"),
      }),
    },
  );
  const { output } = await guarded.run("x", OPTIONS);
  expect(Buffer.from((await workspace.read("to-do.json")) ?? "").toString()).toBe(stands);
  expect(calls).toEqual(["ahead", ...(undone ? ["undone"] : []), "released"]);
  expect(output.includes("was undone")).toBe(undone > 0);
});

test.each([
  ["moved away, a link in its place", "mv docs/lists docs/moved && ln -s moved docs/lists"],
  ["a link that leads out", "rm -r docs/lists && ln -s ~ docs/lists"],
  ["a link to nothing", "rm -r docs/lists && ln -s nowhere docs/lists"],
  ["a file", "rm -r docs/lists && echo > docs/lists"],
  ["gone with the folder above it", "rm -r docs && ln -s ~ docs"],
  ["a pipe", "rm -r docs/lists && mkfifo docs/lists"],
  ["gone", "rm -r docs"],
])("a folder above the list is %s: the list is back, and nothing outside is touched", async (_, command) => {
  const path = "docs/lists/to-do.json";
  const { base, root, workspace } = await makeWorktree({ [path]: "before" });
  const undone: unknown[] = [];
  const guarded = guardTodo(workspace, {
    ...{
      path,
      beforeAct: async () => {},
      variables: () => ({}),
      checkedVariables: () => ({}),
      hold: () => undefined,
    },
    onUndone: async (discarded) => void undone.push(discarded),
  });
  const { output } = await guarded.run(command, OPTIONS);
  expect(output).toContain("was undone");
  expect([undone.length, await readFile(join(root, path), "utf8")]).toEqual([1, "before"]);
  expect(await realpath(join(root, path))).toBe(join(root, path));
  expect(existsSync(join(base, "to-do.json")) || existsSync(join(base, "lists"))).toBe(false);
});

test("an edit goes where it was decided upon, or nowhere", async () => {
  const { workspace } = await makeWorktree({ "a.md": "a" });
  const places: (string | undefined)[] = [];
  const forTools = {
    ...workspace.forTools,
    writeText: async (_path: string, _text: string, place?: string) => void places.push(place),
  };
  const guard = {
    ...{ path: "to-do.json", onUndone: async () => {}, beforeAct: async () => {} },
    ...{ variables: () => ({}), checkedVariables: () => ({}), hold: () => undefined },
  };
  const isolation = { kind: "none", network: true } as const;
  await guardTodo({ ...workspace, isolation, forTools }, guard).forTools.writeText("a.md", "b", "real/a.md");
  expect(places).toEqual(["real/a.md"]);
});
