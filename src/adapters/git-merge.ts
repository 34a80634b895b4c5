// A merge of three trees without a worktree and without history: a shallow clone is enough.
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NO_OBJECT, rowsOf, textOf } from "./git-commit.ts";
import type { Git } from "./git-process.ts";
import { partsOf, readBlobs, sizesOf } from "./git-read.ts";

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
    for (const some of partsOf(await measure(git, unmerged))) {
      const texts = await readSides(git, some);
      for (const one of some) {
        const merged = await mergeFile(git, folder, one, texts);
        if (!merged) conflicts.push(one.path);
        const side = merged ?? one.theirs;
        removed.push(`0 ${NO_OBJECT}\t${one.path}\0`);
        if (side) settled.push(`${side.mode} ${side.oid}\t${one.path}\0`);
      }
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

/** True where there are three regular files to be made one. */
function isMergeable(one: Unmerged): one is Required<Unmerged> {
  return [one.base, one.ours, one.theirs].every((side) => side?.mode.startsWith("100"));
}

function idsOf(unmerged: readonly Unmerged[]): string[] {
  const sides = unmerged.filter(isMergeable).flatMap(({ base, ours, theirs }) => [base, ours, theirs]);
  return [...new Set(sides.map(({ oid }) => oid))];
}

/** `size`: the bytes of its sides that are read. */
async function measure(git: Git, unmerged: readonly Unmerged[]): Promise<(Unmerged & { size: number })[]> {
  const sizes = await sizesOf(git, idsOf(unmerged));
  return unmerged.map((one) => {
    const size = idsOf([one]).reduce((sum, oid) => sum + (sizes.get(oid) ?? 0), 0);
    return { ...one, size };
  });
}

/** The bytes of all sides that can be merged, by their ids: thousands of files must not take as many processes each. */
async function readSides(git: Git, unmerged: readonly Unmerged[]): Promise<Map<string, Uint8Array>> {
  const oids = idsOf(unmerged);
  const blobs = await readBlobs(git, oids);
  return new Map(oids.map((oid, index) => [oid, blobs[index] ?? new Uint8Array()]));
}

/** Undefined where the two can't be one. */
async function mergeFile(
  git: Git,
  folder: string,
  unmerged: Unmerged,
  texts: ReadonlyMap<string, Uint8Array>,
): Promise<Side | undefined> {
  if (!isMergeable(unmerged)) return undefined;
  const { base, ours, theirs } = unmerged;
  for (const [name, { oid }] of Object.entries({ ours, base, theirs })) {
    await writeFile(join(folder, name), texts.get(oid) ?? "");
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
