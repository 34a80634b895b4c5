// A merge of three trees without a worktree and without history: a shallow clone is enough.
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NO_OBJECT, rowsOf, textOf } from "./git-commit.ts";
import type { Git } from "./git-process.ts";

type Side = { mode: string; oid: string };
/** One path that both changed; a side is missing where that tree has no such file. */
type Unmerged = { path: string; base?: Side; ours?: Side; theirs?: Side };

/**
 * The tree that has what changed from `base` to `ours` and to `theirs`; where both changed the same lines, or one removed
 * what the other changed, theirs stands and the path is a conflict. `temporary` is a folder for passing files.
 */
export async function mergeTrees(
  git: Git,
  temporary: string,
  trees: { base: string; ours: string; theirs: string },
): Promise<{ tree: string; conflicts: string[] }> {
  const folder = join(temporary, `merge-${randomBytes(6).toString("hex")}`);
  await mkdir(folder);
  try {
    const index = join(folder, "index");
    const names = [trees.base, trees.ours, trees.theirs].map((commit) => `${commit}^{tree}`);
    await git(["read-tree", "-i", "-m", "--aggressive", ...names], { index });
    const unmerged = parseUnmerged(rowsOf((await git(["ls-files", "-u", "-z"], { index })).stdout));
    const conflicts: string[] = [];
    const removed: string[] = [];
    const settled: string[] = [];
    for (const one of unmerged) {
      const merged = await mergeFile(git, folder, one);
      if (!merged) conflicts.push(one.path);
      const side = merged ?? one.theirs;
      removed.push(`0 ${NO_OBJECT}\t${one.path}\0`);
      if (side) settled.push(`${side.mode} ${side.oid}\t${one.path}\0`);
    }
    // A folder that is in the way of their file goes with its last entry, so entries are removed first.
    await git(["update-index", "-z", "--index-info"], { index, input: [...removed, ...settled].join("") });
    return { tree: await textOf(git, ["write-tree"], { index }), conflicts: conflicts.sort() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function parseUnmerged(rows: readonly string[]): Unmerged[] {
  const byPath = new Map<string, Unmerged>();
  for (const row of rows) {
    const [, mode, oid, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t(.*)$/s.exec(row) ?? [];
    if (!mode || !oid || path === undefined) continue;
    const name = stage === "1" ? "base" : stage === "2" ? "ours" : "theirs";
    byPath.set(path, { ...byPath.get(path), path, [name]: { mode, oid } });
  }
  return [...byPath.values()];
}

/** Undefined where the two can't be one. */
async function mergeFile(git: Git, folder: string, unmerged: Unmerged): Promise<Side | undefined> {
  const { base, ours, theirs } = unmerged;
  if (!base || !ours || !theirs) return undefined;
  const sides = { ours, base, theirs };
  for (const [name, { mode, oid }] of Object.entries(sides)) {
    if (!mode.startsWith("100")) return undefined;
    await writeFile(join(folder, name), (await git(["cat-file", "blob", oid])).stdout);
  }
  // Any other exit code than 0 is the number of conflicts, or 255: no text.
  const merged = await git(["merge-file", "--quiet", "-p", "ours", "base", "theirs"], {
    cwd: folder,
    answers: Array.from({ length: 255 }, (_, index) => index + 1),
  });
  if (merged.exitCode !== 0) return undefined;
  const oid = await textOf(git, ["hash-object", "-w", "--no-filters", "--stdin"], { input: merged.stdout });
  return { mode: theirs.mode === base.mode ? ours.mode : theirs.mode, oid };
}
