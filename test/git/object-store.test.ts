// Objects that this process writes and reads are git's own: git makes the same ids of the same files.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  diffTrees,
  EMPTY_TREE,
  editTree,
  findObject,
  listTree,
  readObject,
  writeObject,
} from "../../src/git/object-store.ts";
import { commitTree } from "../../src/git/objects.ts";
import { createClone } from "../../src/git/remote.ts";
import { type Git, gitEnvironment } from "../../src/sandbox/git-process.ts";
import fc from "../fakes/properties.ts";

let root: string;
let git: Git;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "looplia-objects-"));
  const environment = gitEnvironment(process.env);
  git = createClone({
    folder: join(root, "clone.git"),
    home: root,
    remote: "",
    token: undefined,
    environment,
  });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const run = (input: string | undefined, ...args: string[]) =>
  execFileSync("git", args, { cwd: git.folder, encoding: "utf8", ...(input === undefined ? {} : { input }) });

/** The tree of these files as git itself makes it. */
function treeByGit(files: ReadonlyMap<string, string>): string {
  const env = { ...process.env, GIT_INDEX_FILE: join(root, `index-${Math.random()}`) };
  const input = [...files].map(([path, oid]) => `100644 ${oid}\t${path}\0`).join("");
  execFileSync("git", ["update-index", "--add", "-z", "--index-info"], { cwd: git.folder, env, input });
  return execFileSync("git", ["write-tree"], { cwd: git.folder, env, encoding: "utf8" }).trim();
}

// Names that sort differently as files and as folders, and one that is not ASCII.
const NAMES = ["a", "a.b", "a-b", "ab", "ü"];
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join("/"));

/** Without a file where another path has a folder. */
function withoutClashes(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((one) => !paths.some((other) => other.startsWith(`${one}/`)));
}

test("an edited tree is the one that git makes, and its differences are the edited paths", async () => {
  const texts = [await writeObject(git, "blob", "one\n"), await writeObject(git, "blob", "two\n")];
  const files = fc.array(path, { maxLength: 8 }).map(withoutClashes);
  await fc.assert(
    fc.asyncProperty(files, files, async (before, after) => {
      const filesOf = (paths: readonly string[], at: number) =>
        new Map(paths.map((one) => [one, texts[(one.length + at) % 2] ?? ""]));
      const [old, now] = [filesOf(before, 0), filesOf(after, after.length)];
      const entry = (oid: string | undefined) => (oid === undefined ? undefined : { mode: "100644", oid });
      const all = [...new Set([...before, ...after])];
      const first = await editTree(git, EMPTY_TREE, new Map([...old].map(([one, oid]) => [one, entry(oid)])));
      const edits = all.map((one) => [one, entry(now.get(one))] as const);
      const second = await editTree(git, first, new Map(edits));
      expect([first, second]).toEqual([treeByGit(old), treeByGit(now)]);
      const changed = all.filter((one) => old.get(one) !== now.get(one)).sort();
      expect((await diffTrees(git, first, second)).map((one) => one.path).sort()).toEqual(changed);
    }),
    { numRuns: 12 },
  );
});

test("packed objects are read as loose ones are, many at a time, and git finds no fault in any", async () => {
  const sizes = [0, 1, 100_000, 70_000, 3];
  const oids = await Promise.all(
    sizes.map((size) => writeObject(git, "blob", Buffer.alloc(size, `${size}`))),
  );
  const files = new Map(oids.map((oid, at) => [`folder/${at}`, { mode: "100644", oid }]));
  const commit = await commitTree(git, await editTree(git, EMPTY_TREE, files), [], "first\n");
  run(undefined, "update-ref", "refs/heads/main", commit);
  run(undefined, "fsck", "--strict", "--no-dangling");
  run(undefined, "repack", "-adq");
  run(undefined, "prune-packed");
  const read = await Promise.all(oids.map((oid) => readObject(git, oid, "blob")));
  expect(read.map((bytes) => bytes.length)).toEqual(sizes);
  const limited = await Promise.all(oids.map((oid) => findObject(git, oid, 80_000)));
  expect(limited.map((found) => (typeof found === "object" ? found.bytes.length : found))).toEqual([
    ...[0, 1, "too-large", 70_000, 3],
  ]);
  expect(await findObject(git, "1".repeat(40))).toBeUndefined();
  const tree = run(undefined, "rev-parse", "main^{tree}").trim();
  expect((await listTree(git, tree)).map((one) => one.path)).toEqual([...files.keys()]);
});
