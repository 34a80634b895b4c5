// What becomes of the list while agents work beside it.
import { expect, test } from "vitest";
import type { CommandResult } from "../../src/ports.ts";
import { guardTodo } from "../../src/todo/guard.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const DONE: CommandResult = { exitCode: 0, output: "", timedOut: false };
const OPTIONS = { timeoutMs: 1_000, maxOutput: 100, signal: new AbortController().signal };

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

test("an edit goes where it was decided upon, or nowhere", async () => {
  const { workspace } = await makeWorktree({ "a.md": "a" });
  const places: (string | undefined)[] = [];
  const forTools = {
    ...workspace.forTools,
    writeText: async (_path: string, _text: string, place?: string) => void places.push(place),
  };
  const guard = {
    ...{ path: "to-do.json", onUndone: async () => {}, beforeAct: async () => {} },
    ...{ variables: () => ({}), hold: () => undefined },
  };
  const isolation = { kind: "none", network: true } as const;
  await guardTodo({ ...workspace, isolation, forTools }, guard).forTools.writeText("a.md", "b", "real/a.md");
  expect(places).toEqual(["real/a.md"]);
});
