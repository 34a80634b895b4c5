import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import { collect, makeWorktree } from "../fakes/worktree.ts";

const SECRET = "canary-77";
const ROUNDS = 1_500;

/**
 * Runs `act` again and again while another process swaps `name` and `spare`; counts what came back. Goes on until each of
 * `kinds` did: who gets the processor when is not ours to say.
 */
async function whileSwapped(
  folder: string,
  name: string,
  spare: string,
  kinds: readonly string[],
  act: (round: number) => Promise<string>,
) {
  const stop = join(folder, "stop");
  const script = join(import.meta.dirname, "swap-links.ts");
  const swapper = spawn(process.execPath, [script, name, spare, stop], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(swapper, "exit");
  await once(swapper.stdout, "data");
  const seen = new Map<string, number>();
  const isMissing = (kind: string) => ![...seen.keys()].some((result) => result.includes(kind));
  try {
    for (let round = 0; round < ROUNDS || kinds.some(isMissing); round += 1) {
      const result = await act(round).catch((error: unknown) => {
        expect(error).toBeInstanceOf(LoopliaError);
        return "refused";
      });
      seen.set(result, (seen.get(result) ?? 0) + 1);
    }
  } finally {
    await writeFile(stop, "");
    await ended;
  }
  return seen;
}

test("a folder that becomes a link to the outside while a file in it is read", async () => {
  const { base, root, workspace } = await makeWorktree({ "folder/a.txt": "inside" });
  await mkdir(join(base, "out"));
  await writeFile(join(base, "out/a.txt"), SECRET);
  await symlink(join(base, "out"), join(root, "spare"));
  const seen = await whileSwapped(
    base,
    join(root, "folder"),
    join(root, "spare"),
    ["inside", "refused"],
    () => workspace.forTools.readForEdit("folder/a.txt").then((text) => text ?? "missing"),
  );
  expect([...seen.keys()]).not.toContain(SECRET);
});

test("a file that becomes a link to .git while it is read", async () => {
  const { base, root, workspace } = await makeWorktree({ "a.txt": "inside", ".git/config": SECRET });
  await symlink(join(root, ".git/config"), join(root, "spare"));
  const seen = await whileSwapped(base, join(root, "a.txt"), join(root, "spare"), ["inside"], () =>
    workspace.forTools.readForEdit("a.txt").then((text) => text ?? "missing"),
  );
  expect([...seen.keys()]).not.toContain(SECRET);
});

test.each(["out", "root/.git"])(
  "a folder that becomes a link to %s while a file is written into it",
  async (target) => {
    const { base, root, workspace } = await makeWorktree({ "folder/deep/keep": "" });
    await mkdir(join(base, target, "deep"), { recursive: true });
    await symlink(join(base, target), join(root, "spare"));
    await whileSwapped(
      base,
      join(root, "folder"),
      join(root, "spare"),
      ["written", "refused"],
      async (round) => {
        const name = round % 2 === 0 ? "deep" : `deep/new${round}`;
        await workspace.forTools.writeText(`folder/${name}/planted`, "x");
        return "written";
      },
    );
    expect(await readdir(join(base, target))).toEqual(["deep"]);
    expect(await readdir(join(base, target, "deep"))).toEqual([]);
  },
);

test("a folder that becomes a link to the outside while the tree is walked", async () => {
  const { base, root, workspace } = await makeWorktree({ "folder/deep/a.txt": "inside" });
  await mkdir(join(base, "out/deep"), { recursive: true });
  await writeFile(join(base, "out/deep/secret-name"), SECRET);
  await symlink(join(base, "out"), join(root, "spare"));
  const seen = await whileSwapped(
    base,
    join(root, "folder"),
    join(root, "spare"),
    ["folder/deep/a.txt"],
    async () => (await collect(workspace.forTools.walk("."))).join(","),
  );
  expect([...seen.keys()].join(",")).not.toContain("secret-name");
});

test("what is replaced all the time is read as one of its versions", async () => {
  const { root, workspace } = await makeWorktree({ "a.txt": "version 0" });
  let isDone = false;
  const writer = (async () => {
    for (let version = 1; !isDone; version += 1) await workspace.writeAtomic("a.txt", `version ${version}`);
  })();
  for (let round = 0; round < 500; round += 1) {
    expect(await workspace.forTools.readText("a.txt").catch(() => "version ?")).toMatch(/^version /);
  }
  isDone = true;
  await writer;
  expect(await readFile(join(root, "a.txt"), "utf8")).toMatch(/^version \d+$/);
});
