// Commits, files at paths, and merges of trees.
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import { sha256Of } from "../core/json.ts";
import type { TreePair } from "../core/ports-host.ts";
import type { Git, GitCall } from "../sandbox/git-process.ts";
import {
  checkedId,
  diffTrees,
  entryAt,
  FOLDER_MODE,
  findObject,
  readObject,
  type TreeEntry,
  writeObject,
} from "./object-store.ts";

const AUTHOR = "github-actions[bot]";
const EMAIL = "41898282+github-actions[bot]@users.noreply.github.com";
/** The id that `update-index --index-info` takes for a missing file. */
const NO_OBJECT = "0".repeat(40);

/** True for errors that another try can't fix. */
export function isRefusal(thrown: unknown): boolean {
  return thrown instanceof LoopliaError && thrown.hint !== undefined;
}

/** Git's output, trimmed. */
export async function gitText(git: Git, args: readonly string[], call?: GitCall): Promise<string> {
  return (await git(args, call)).stdout.toString("utf8").trim();
}

/** Makes a commit that no ref points to yet; returns its id. */
export async function commitTree(
  git: Git,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const who = `${AUTHOR} <${EMAIL}> ${Math.floor(Date.now() / 1000)} +0000`;
  const header = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  const body = message.endsWith("\n") ? message : `${message}\n`;
  const text = [...header, `author ${who}`, `committer ${who}`, "", body].join("\n");
  const commit = await writeObject(git, "commit", text);
  knownCommits(git).set(commit, parseCommit(text));
  return commit;
}

type Commit = { tree: string; parents: string[]; at: string; message: string };

/** Commits never change, so each repository reads each commit once. */
const commitsOf = new WeakMap<Git, Map<string, Commit>>();

function knownCommits(git: Git): Map<string, Commit> {
  const known = commitsOf.get(git) ?? new Map();
  commitsOf.set(git, known);
  return known;
}

/** A commit as it was made: with its parents even in a shallow clone. */
export async function readCommit(git: Git, commit: string): Promise<Commit> {
  const known = knownCommits(git).get(commit);
  if (known) return known;
  const read = parseCommit((await readObject(git, commit, "commit")).toString("utf8"));
  knownCommits(git).set(commit, read);
  return read;
}

function parseCommit(text: string): Commit {
  const end = text.indexOf("\n\n");
  const header = text.slice(0, end).split("\n");
  const valuesOf = (name: string) =>
    header.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const seconds = Number(/ (\d+) [+-]\d{4}$/.exec(valuesOf("committer")[0] ?? "")?.[1] ?? 0);
  return {
    tree: valuesOf("tree")[0] ?? "",
    parents: valuesOf("parent"),
    at: new Date(seconds * 1000).toISOString(),
    message: text.slice(end + 2),
  };
}

/** Rows of git's `-z` output. */
export function rowsOf(output: Buffer): string[] {
  return output.toString("utf8").split("\0").filter(Boolean);
}

// Reads files in parts that fit into memory.

const MOST_BYTES = 64 * 1024 * 1024;
/** As many as git follows. */
const MOST_LINKS = 40;
const LINK_MODE = "120000";

/**
 * Splits objects of `size` bytes, in order, into parts of at most 64 MiB; a larger object is its own part.
 */
export function partsOf<One extends { size: number }>(all: readonly One[], most = MOST_BYTES): One[][] {
  const parts: One[][] = [];
  let free = 0;
  for (const one of all) {
    const part = parts.at(-1);
    if (part && one.size <= free) part.push(one);
    else {
      parts.push([one]);
      free = most;
    }
    free -= one.size;
  }
  return parts;
}

/** The tree of a commit, or the id itself if it is a tree's. Undefined if the repository has neither. */
export async function treeOf(git: Git, id: string): Promise<string | undefined> {
  const known = knownCommits(git).get(id)?.tree;
  if (known !== undefined) return known;
  const found = await findObject(git, id);
  if (typeof found !== "object") return undefined;
  return found.type === "commit" ? parseCommit(found.bytes.toString("utf8")).tree : id;
}

/**
 * The entry at a path of a commit or tree, undefined if there is none. Follows links; `leads-away` is a link
 * out of the tree, to nothing, or in a circle.
 */
export async function findEntry(
  git: Git,
  commit: string,
  path: string,
): Promise<TreeEntry | "leads-away" | undefined> {
  const tree = await treeOf(git, commit);
  if (tree === undefined) return undefined;
  let left = MOST_LINKS;
  let place = path.split("/").filter((name) => name !== "");
  for (let at = 1; at <= place.length; at += 1) {
    const found = await entryAt(git, tree, place.slice(0, at).join("/"));
    if (found?.mode !== LINK_MODE) {
      // Behind a link there must be something.
      if (!found) return left === MOST_LINKS ? undefined : "leads-away";
      if (found.mode !== FOLDER_MODE && at < place.length) return undefined;
      continue;
    }
    left -= 1;
    const target = (await readObject(git, found.oid, "blob")).toString("utf8");
    const next = posix.join(...place.slice(0, at - 1), target).replace(/\/$/, "");
    if (left === 0 || posix.isAbsolute(target) || /^\.\.(\/|$)/.test(next)) return "leads-away";
    place = [...next.split("/").filter((name) => name !== "." && name !== ""), ...place.slice(at)];
    at = 0;
  }
  return entryAt(git, tree, place.join("/"));
}

/** The sizes of objects in bytes, by id. */
export async function sizesOf(git: Git, oids: readonly string[]): Promise<Map<string, number>> {
  if (oids.length === 0) return new Map();
  const args = ["--no-replace-objects", "cat-file", "--batch-check=%(objectsize)"];
  const { stdout } = await git(args, { input: oids.map((oid) => `${checkedId(oid)}\n`).join("") });
  const rows = stdout.toString("latin1").split("\n");
  return new Map(oids.map((oid, index) => [oid, Number(rows[index]) || 0]));
}

/** The bytes of blobs, in the given order. Throws `host-failed` if one is no file of the repository. */
export function readBlobs(git: Git, oids: readonly string[]): Promise<Uint8Array[]> {
  return Promise.all(oids.map((oid) => readObject(git, oid, "blob")));
}

/** SHA-256 (hex) of a commit's files by path; folders and missing files are absent. */
export async function hashesAt(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  if (paths.length === 0) return hashes;
  const tree = (await treeOf(git, commit)) ?? commit;
  const entries = await Promise.all(paths.map((path) => entryAt(git, tree, path)));
  const found = entries.flatMap((entry, at) =>
    entry && /^1[02]/.test(entry.mode) ? [{ oid: entry.oid, path: paths[at] ?? "" }] : [],
  );
  const sizes = await sizesOf(
    git,
    found.map(({ oid }) => oid),
  );
  const listed = found.map((one) => ({ ...one, size: sizes.get(one.oid) ?? 0 }));
  for (const part of partsOf(listed)) {
    const oids = part.map(({ oid }) => oid);
    const blobs = await readBlobs(git, oids);
    for (const [index, { path }] of part.entries()) {
      hashes.set(path, sha256Of(blobs[index] ?? ""));
    }
  }
  return hashes;
}

/** Paths that `steps` changed and that `theirs` has unchanged from before. */
export async function pathsTaken(git: Git, { base, worktree }: TreePair, theirs: string): Promise<string[]> {
  const changedTo = async (id: string) => {
    const changed = await diffTrees(git, base, (await treeOf(git, id)) ?? id);
    return changed.map(({ path }) => path);
  };
  const others = new Set(await changedTo(theirs));
  return (await changedTo(worktree)).filter((path) => !others.has(path));
}

// Merges three trees without a worktree or history, so a shallow clone is enough.

type Side = { mode: string; oid: string };
/** One path that both sides changed; a missing side has no such file. */
type Unmerged = { path: string; base?: Side; ours?: Side; theirs?: Side };

/**
 * The merge of the changes from `base` to `ours` and to `theirs`. If both changed the same lines, or one
 * removed a file that the other changed, theirs wins and the path is a conflict. `temporary`: a folder for
 * temporary files.
 */
export async function mergeTrees(
  git: Git,
  temporary: string,
  trees: { base: string; ours: string; theirs: string },
): Promise<{ tree: string; conflicts: string[] }> {
  const [base, ours, theirs] = await Promise.all(
    [trees.base, trees.ours, trees.theirs].map(async (id) => (await treeOf(git, id)) ?? id),
  );
  if (theirs !== undefined && (ours === base || ours === theirs)) return { tree: theirs, conflicts: [] };
  if (ours !== undefined && theirs === base) return { tree: ours, conflicts: [] };
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
    // Entries are removed first, because a folder in the way of their file disappears with its last entry.
    await git(["update-index", "-z", "--index-info"], { index, input: [...removed, ...settled].join("") });
    return { tree: await gitText(git, ["write-tree"], { index }), conflicts: conflicts.sort() };
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

/** True for three regular files. */
function isMergeable(one: Unmerged): one is Required<Unmerged> {
  return [one.base, one.ours, one.theirs].every((side) => side?.mode.startsWith("100"));
}

function idsOf(unmerged: readonly Unmerged[]): string[] {
  const sides = unmerged.filter(isMergeable).flatMap(({ base, ours, theirs }) => [base, ours, theirs]);
  return [...new Set(sides.map(({ oid }) => oid))];
}

/** `size`: the total bytes of its sides. */
async function measure(git: Git, unmerged: readonly Unmerged[]): Promise<(Unmerged & { size: number })[]> {
  const sizes = await sizesOf(git, idsOf(unmerged));
  return unmerged.map((one) => {
    const size = idsOf([one]).reduce((sum, oid) => sum + (sizes.get(oid) ?? 0), 0);
    return { ...one, size };
  });
}

/** The bytes of all mergeable sides by id, in few processes even for thousands of files. */
async function readSides(git: Git, unmerged: readonly Unmerged[]): Promise<Map<string, Uint8Array>> {
  const oids = idsOf(unmerged);
  const blobs = await readBlobs(git, oids);
  return new Map(oids.map((oid, index) => [oid, blobs[index] ?? new Uint8Array()]));
}

/** Undefined if the files can't be merged. */
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
  // Any exit code other than 0 is the number of conflicts, or 255 for a binary file.
  const merged = await git(["merge-file", "--quiet", "-p", "ours", "base", "theirs"], {
    cwd: folder,
    answers: Array.from({ length: 255 }, (_, index) => index + 1),
  });
  if (merged.exitCode !== 0) return undefined;
  const oid = await writeObject(git, "blob", merged.stdout);
  return { mode: theirs.mode === base.mode ? ours.mode : theirs.mode, oid };
}
