// Checks out the files of a tree into a folder and finds later changes.
import { type BigIntStats, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { cp, lstat, readlink, rename, rm, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { errnoOf, messageOf } from "../core/errors.ts";
import { TEMPORARY_PREFIX } from "../files/names.ts";
import { readInside } from "../files/pinned.ts";
import type { Git, GitCall } from "../sandbox/git-process.ts";
import { writeByProgram } from "../sandbox/rule-files.ts";
import { diffTrees, entryAt, type TreeEntry, writeObject } from "./object-store.ts";
import { rowsOf } from "./objects.ts";

/** GitHub refuses a push with a larger file. */
const MAX_BYTES = 100 * 1024 * 1024;
const WORKFLOWS = /^\.github\/workflows(\/|$)/i;
const STATE = /(^|\/)\.looplia\/state(\/|$)/i;
/** A change within one tick of the clock leaves a file's times as they were. */
const FRESH_NS = 50_000_000n;

type Place = NonNullable<GitCall["worktree"]> & { temporary: string };
/** `entry`: the path's entry for a tree, undefined if the path does not exist. */
export type Change = { path: string; kind: "removed" | "file" | "other"; entry: TreeEntry | undefined };
/** `leftOut`: by path, the reason why a changed path is left out of trees. */
type Changes = { changes: Change[]; leftOut: Map<string, string> };

/**
 * A folder with the files of a tree. Git finds its changes with an index that is fixed at the check-out. Calls must not
 * overlap. The index is private: changes that commands make to their own index, and locks that killed commands leave
 * there, have no effect on trees.
 */
export class Checkout {
  readonly root: string;
  /** The root with links resolved. */
  readonly #real: string;
  readonly #git: Git;
  readonly #place: Place;
  /** The tree in the index. */
  #indexed: string;
  /** Paths whose entries in the compared tree differ from the index. */
  readonly #taken = new Map<string, TreeEntry | undefined>();
  readonly #hashed = new Map<string, { mark: string; entry: TreeEntry }>();

  private constructor(git: Git, place: Place, tree: string) {
    this.root = place.root;
    this.#real = realpathSync(place.root);
    this.#git = git;
    this.#place = place;
    this.#indexed = tree;
  }

  /** Fills the new folder `root` with the files of a tree, byte for byte. Commands see `head` as HEAD. */
  static async create(
    git: Git,
    temporary: string,
    { root, name, head, tree }: { root: string; name: string; head: string; tree: string },
  ): Promise<Checkout> {
    const records = join(git.folder, "worktrees", name);
    mkdirSync(root, { recursive: true });
    mkdirSync(records, { recursive: true });
    writeFileSync(join(root, ".git"), `gitdir: ${records}\n`);
    writeFileSync(join(records, "gitdir"), `${join(root, ".git")}\n`);
    writeFileSync(join(records, "commondir"), "../..\n");
    writeFileSync(join(records, "HEAD"), `${head}\n`);
    const place = { root, records, index: join(temporary, `${name}-index`), temporary };
    await git(["read-tree", "-m", "-u", tree], { worktree: place });
    await copyIndex(place.index, join(records, "index"));
    return new Checkout(git, place, tree);
  }

  /** The differences from the tree that `took` and `replace` set. */
  async changes(): Promise<Changes> {
    const listed = new Set(await this.#listPaths());
    const changes: Change[] = [];
    const leftOut = new Map<string, string>();
    for (const path of new Set([...listed, ...this.#taken.keys()])) {
      if (STATE.test(path) || basename(path).startsWith(TEMPORARY_PREFIX)) continue;
      const found = await this.#look(path);
      if (typeof found === "string") leftOut.set(path, found);
      else if (!this.#taken.has(path) || !isSame(this.#taken.get(path), found.entry)) changes.push(found);
    }
    return { changes, leftOut };
  }

  /** The change at a path, or why it is left out. */
  async #look(path: string): Promise<Change | string> {
    if (WORKFLOWS.test(path)) return "was left out: the job's token may not change workflows";
    if (path.includes("\ufffd")) return "was left out: its name is not UTF-8";
    const found = await lstat(join(this.root, path), { bigint: true }).catch(() => undefined);
    if (!found) return { path, kind: "removed", entry: undefined };
    if (found.isDirectory()) {
      const isRepository = path.endsWith("/") || (await this.#isSubmodule(path));
      if (isRepository) return "was left out: it is a repository of its own";
      return { path, kind: "removed", entry: undefined };
    }
    if (found.isFile() && found.size > MAX_BYTES) return "was left out: it is over 100 MiB";
    const entry = await this.#store(path, found);
    if (!entry) return "could not be read, so it stays as it was committed";
    return { path, kind: found.isFile() ? "file" : "other", entry };
  }

  async #isSubmodule(path: string): Promise<boolean> {
    return (await entryAt(this.#git, this.#indexed, path))?.mode === "160000";
  }

  /** Undefined if the file cannot be read: a command may be changing it right now. */
  async #store(path: string, found: BigIntStats): Promise<TreeEntry | undefined> {
    const mark = markOf(found);
    const known = this.#hashed.get(path);
    if (known && known.mark === mark) return known.entry;
    const bytes = await this.#read(path, found.isFile()).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const mode = found.isFile() ? await this.#modeOf(path, found) : "120000";
    const entry = { mode, oid: await writeObject(this.#git, "blob", bytes) };
    if (mark === "") this.#hashed.delete(path);
    else this.#hashed.set(path, { mark, entry });
    return entry;
  }

  /** Never follows a link to a file, even if a command creates one in the meantime. */
  #read(path: string, isFile: boolean): Promise<Uint8Array | undefined> {
    if (!isFile) return readlink(join(this.root, path), { encoding: "buffer" });
    return readInside(this.#real, path.split("/"), MAX_BYTES, ({ real, missing }) => {
      if (join(real, ...missing) !== join(this.#real, path)) throw new Error(`a link is on ${path}`);
    });
  }

  async #modeOf(path: string, { mode }: BigIntStats): Promise<string> {
    if (process.platform !== "win32") return mode & 0o100n ? "100755" : "100644";
    return (await entryAt(this.#git, this.#indexed, path))?.mode ?? "100644";
  }

  async #listPaths(): Promise<string[]> {
    const args = "ls-files -z --modified --deleted --others --exclude-per-directory=.gitignore".split(" ");
    const list = () => this.#git(args, { worktree: this.#place });
    return rowsOf((await tryAgain(list, wasCut)).stdout);
  }

  /** Adds these changes to the tree that the folder is compared with. */
  took(changes: readonly Pick<Change, "path" | "entry">[]): void {
    for (const { path, entry } of changes) this.#taken.set(path, entry);
  }

  /**
   * Applies the differences between two trees to the folder, overwriting what is there. `present`: the `changed` paths
   * that exist in the second tree.
   */
  async replace(from: string, to: string): Promise<{ changed: string[]; present: string[] }> {
    const differing = await diffTrees(this.#git, from, to);
    const changed = differing.map(({ path }) => path);
    const present = differing.flatMap(({ path, after }) => (after ? [path] : []));
    if (changed.length === 0) return { changed, present };
    const next = { ...this.#place, index: `${this.#place.index}-next` };
    await this.#readTree(next.index, to);
    // Other people's pushes must not count as changes of a running command.
    await writeByProgram(this.#real, changed, async () => {
      const kept = new Set(present);
      for (const path of changed) if (!kept.has(path)) await removeFileOrLink(join(this.root, path));
      await this.#checkOut(next, present);
    });
    return { changed, present };
  }

  /** From now on the folder is compared with `tree`; commands see `head` as HEAD, and `shown` in the index. */
  async compareWith(tree: string, { head, shown = tree }: { head: string; shown?: string }): Promise<void> {
    const { index, records } = this.#place;
    await this.#readTree(`${index}-next`, tree);
    await rename(`${index}-next`, index);
    this.#indexed = tree;
    this.#taken.clear();
    writeFileSync(join(records, "HEAD"), `${head}\n`);
    await this.show(shown);
  }

  /** Lets commands that ask git see the changes since `tree`. */
  async show(tree: string): Promise<void> {
    const { index, records } = this.#place;
    const shown = `${index}-shown`;
    if (tree === this.#indexed) await copyIndex(index, shown);
    else await this.#readTree(shown, tree);
    await rename(shown, join(records, "index"));
  }

  /** A copy of the index for another tree; keeps git's recorded times of unchanged files. */
  async #readTree(index: string, tree: string): Promise<void> {
    await rm(`${index}.lock`, { force: true }); // a killed git's
    await copyIndex(this.#place.index, index);
    await this.#git(["read-tree", "-i", "-m", tree], { worktree: { ...this.#place, index } });
  }

  /** Writes files from the index, overwriting what is there. */
  async #checkOut(place: Place, paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const args = ["checkout-index", "--force", "-u", "-z", "--stdin"];
    const input = paths.map((path) => `${path}\0`).join("");
    await tryAgain(
      async () => {
        await rm(`${place.index}.lock`, { force: true });
        return this.#git(args, { worktree: place, input });
      },
      () => true,
    );
  }

  /** The paths that git ignores here; an ignored folder is a single path. */
  async ignored(): Promise<string[]> {
    const args = "ls-files -z --others --ignored --exclude-per-directory=.gitignore --directory".split(" ");
    return rowsOf((await this.#git(args, { worktree: this.#place })).stdout);
  }

  /** Files that can't be removed stay on the runner. */
  async remove(): Promise<void> {
    const { root, records, index } = this.#place;
    await rm(root, { recursive: true, force: true }).catch(() => undefined);
    await rm(records, { recursive: true, force: true });
    await rm(index, { force: true });
  }
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.oid === other?.oid;
}

/** Empty if the file is so new that it may change without a new timestamp. */
function markOf({ dev, ino, size, mode, ctimeNs, mtimeNs }: BigIntStats): string {
  const isFresh = BigInt(Date.now()) * 1_000_000n - ctimeNs < FRESH_NS;
  return isFresh ? "" : [dev, ino, size, mode, ctimeNs, mtimeNs].join(":");
}

/** The number of attempts if commands change files while git reads them. */
const TRIES = 5;

async function tryAgain<T>(work: () => Promise<T>, mayHelp: (thrown: unknown) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (tries === TRIES || !mayHelp(thrown)) throw thrown;
    }
  }
}

/** Git maps files into memory and crashes if a file shrinks meanwhile. */
function wasCut(thrown: unknown): boolean {
  return / failed: SIGBUS$/.test(messageOf(thrown));
}

/** Copies the time too: git uses it to find files that changed in the moment in which the index was written. */
async function copyIndex(from: string, to: string): Promise<void> {
  await cp(from, to, { preserveTimestamps: true, force: true });
}

/** Leaves folders in place. */
async function removeFileOrLink(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "EISDIR", "EPERM"].includes(errnoOf(error) ?? "")) throw error;
  }
}
