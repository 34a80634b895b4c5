// A git worktree: what of it is committed.
import { lstatSync, readFileSync } from "node:fs";
import { cp, lstat, realpath, rename, rm, unlink } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { errnoOf, LoopliaError, messageOf } from "../core/errors.ts";
import type { HeldFile } from "../core/ports.ts";
import type { TreePair } from "../core/ports-host.ts";
import { TEMPORARY_PREFIX } from "../files/names.ts";
import type { Git, GitCall } from "../sandbox/git-process.ts";
import { writeByProgram } from "../sandbox/rule-files.ts";
import { commitTree, gitText, mergeTrees, NO_OBJECT, readCommit, rowsOf } from "./objects.ts";

/** GitHub refuses a push with a larger file. */
const MAX_BYTES = 100 * 1024 * 1024;
const WORKFLOWS = /^\.github\/workflows(\/|$)/i;
const STATE = /(^|\/)\.looplia\/state(\/|$)/i;

export type WorktreePlace = NonNullable<GitCall["worktree"]>;

/**
 * Brings into the folder what differs between two trees, whatever is in its place. The index must have the first where they
 * differ. `present`: those of the `changed` paths that the second has.
 */
export async function replaceFiles(
  git: Git,
  place: WorktreePlace,
  from: string,
  to: string,
): Promise<{ changed: string[]; present: string[] }> {
  const args = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", from, to];
  const rows = rowsOf((await git(args)).stdout);
  // Until the folder has all of it, the index stays as it was: what is missing there would be taken for removed here.
  const next = { ...place, index: `${place.index}-next` };
  await unlockIndex(next);
  await copyIndex(place.index, next.index);
  await git(["read-tree", "-i", "-m", from, to], { worktree: next });
  const changed = rows.filter((_, at) => at % 2 === 1);
  const present = changed.filter((_, at) => rows[2 * at] !== "D");
  // A command may be running: what others pushed is no change of its.
  await writeByProgram(await realpath(place.root), changed, async () => {
    const kept = new Set(present);
    for (const path of changed) if (!kept.has(path)) await removeFileOrLink(join(place.root, path));
    await checkOut(git, next, present);
  });
  await rename(next.index, place.index);
  return { changed, present };
}

/** A path that differs from the index: gone, a regular file, or another thing that git can keep (a link). */
type Change = { path: string; kind: "removed" | "file" | "other" };

/** `leftOut`: a sentence for each path that is not committed though it changed. */
export async function listChanges(
  git: Git,
  place: WorktreePlace,
): Promise<{ changes: Change[]; leftOut: Map<string, string> }> {
  const rows = await listPaths(git, place);
  const changes: Change[] = [];
  const leftOut = new Map<string, string>();
  for (const path of new Set(rows)) {
    if (STATE.test(path) || basename(path).startsWith(TEMPORARY_PREFIX)) continue;
    if (WORKFLOWS.test(path)) {
      leftOut.set(path, "was left out: the job's token may not change workflows");
      continue;
    }
    if (path.includes("\ufffd")) {
      leftOut.set(path, "was left out: its name is not UTF-8");
      continue;
    }
    const found = await lstat(join(place.root, path)).catch(() => undefined);
    if (!found) changes.push({ path, kind: "removed" });
    else if (found.isDirectory()) {
      if (await isSubmoduleOrRepository(git, place, path))
        leftOut.set(path, "was left out: it is a repository of its own");
      else changes.push({ path, kind: "removed" });
    } else if (found.isFile() && found.size > MAX_BYTES)
      leftOut.set(path, "was left out: it is over 100 MiB");
    else changes.push({ path, kind: found.isFile() ? "file" : "other" });
  }
  return { changes, leftOut };
}

async function listPaths(git: Git, place: WorktreePlace): Promise<string[]> {
  const args = "ls-files -z --modified --deleted --others --exclude-per-directory=.gitignore".split(" ");
  const list = () => git(args, { worktree: place });
  return rowsOf((await tryAgain(list, wasCut)).stdout);
}

/** Writes files as the index has them, whatever is in their place. */
async function checkOut(git: Git, place: WorktreePlace, paths: readonly string[]): Promise<void> {
  const args = ["checkout-index", "--force", "-u", "-z", "--stdin"];
  const input = paths.map((path) => `${path}\0`).join("");
  await tryAgain(
    async () => {
      await unlockIndex(place);
      return git(args, { worktree: place, input });
    },
    () => true,
  );
}

/** As often as commands may change files under git. */
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

/** A folder that git lists as one path: a repository inside, or where a committed file or submodule was. */
async function isSubmoduleOrRepository(git: Git, place: WorktreePlace, path: string): Promise<boolean> {
  if (path.endsWith("/")) return true;
  const listed = await git(["--literal-pathspecs", "ls-files", "-s", "-z", "--", path], { worktree: place });
  return rowsOf(listed.stdout).some((row) => row.startsWith("160000 ") && row.endsWith(`\t${path}`));
}

/** Brings changes into the index. What can't be read now is returned, and left as it was committed. */
export async function stageChanges(
  git: Git,
  place: WorktreePlace,
  changes: readonly Change[],
): Promise<string[]> {
  const removed = changes.filter(({ kind }) => kind === "removed");
  const rows = removed.map(({ path }) => `0 ${NO_OBJECT}\t${path}\0`);
  if (rows.length > 0) {
    await git(["update-index", "-z", "--index-info"], { worktree: place, input: rows.join("") });
  }
  return addPaths(
    git,
    place,
    changes.filter(({ kind }) => kind !== "removed").map(({ path }) => path),
  );
}

/** Those that git could not read: a command may change files at this moment. */
async function addPaths(git: Git, place: WorktreePlace, paths: readonly string[]): Promise<string[]> {
  const unreadable: string[] = [];
  for (let left = paths; left.length > 0; ) {
    const failed = await tryPaths(git, place, left);
    if (failed === undefined) break;
    if (failed === "cut") return [...unreadable, ...(await addHalves(git, place, left))];
    unreadable.push(failed.path);
    left = left.filter((path) => path !== failed.path);
  }
  return unreadable;
}

/** One of them was cut short while git read it. */
async function addHalves(git: Git, place: WorktreePlace, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 1) return [...paths];
  const middle = Math.ceil(paths.length / 2);
  const first = await addPaths(git, place, paths.slice(0, middle));
  return [...first, ...(await addPaths(git, place, paths.slice(middle)))];
}

/** The path that could not be read; `cut` where git does not say which it was. */
async function tryPaths(
  git: Git,
  place: WorktreePlace,
  paths: readonly string[],
): Promise<{ path: string } | "cut" | undefined> {
  const input = paths.map((path) => `${path}\0`).join("");
  const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  try {
    await unlockIndex(place);
    await git(args, { worktree: place, input });
    return undefined;
  } catch (thrown) {
    const path = /Unable to process path (.*)$/m.exec(messageOf(thrown))?.[1];
    if (path !== undefined && paths.includes(path)) return { path };
    if (wasCut(thrown)) return "cut";
    throw thrown;
  }
}

/** Git reads through a map of a file: where the file is cut short meanwhile it does not survive that. */
function wasCut(thrown: unknown): boolean {
  return / failed: SIGBUS$/.test(messageOf(thrown));
}

/** With its time: by that git tells which files may have changed in the moment in which it was written. */
async function copyIndex(from: string, to: string): Promise<void> {
  await cp(from, to, { preserveTimestamps: true, force: true });
}

/** Only one git at a time has the program's index: a lock that is there is a killed one's. */
export async function unlockIndex({ index }: Pick<WorktreePlace, "index">): Promise<void> {
  await rm(`${index}.lock`, { force: true });
}

// The worktree of a work branch: task commits, what is unfinished, and what others pushed brought in.

/** The file that is committed as it was when it was held (`bytes`), with what a merge brought of it since. */
type Held = { path: string; bytes: Uint8Array | undefined; brought?: { bytes: Uint8Array | undefined } };

/**
 * Files checked out byte for byte at a commit, detached. Calls must not overlap. The index is the program's own: what
 * commands put into the one that they see, and a lock that a killed one leaves there, changes no commit.
 */
export class GitWorktree {
  readonly root: string;
  readonly #git: Git;
  readonly #place: WorktreePlace & { temporary: string };
  readonly #notice: (message: string) => void;
  readonly #told = new Set<string>();
  #tip: string;
  #held: Held | undefined;

  private constructor(
    git: Git,
    place: WorktreePlace & { temporary: string },
    commit: string,
    notice: (message: string) => void,
  ) {
    this.root = place.root;
    this.#git = git;
    this.#place = place;
    this.#tip = commit;
    this.#notice = notice;
  }

  /** Makes it below `temporary`; `notice` is told what is left out of commits, once a path. */
  static async open(
    git: Git,
    temporary: string,
    commit: string,
    notice: (message: string) => void,
  ): Promise<GitWorktree> {
    const root = join(temporary, "worktree");
    await git(["worktree", "add", "--quiet", "--force", "--detach", root, commit]);
    const records = recordsOf(root);
    const index = join(temporary, "worktree-index");
    await copyIndex(join(records, "index"), index);
    return new GitWorktree(git, { root, records, index, temporary }, commit, notice);
  }

  /** The newest commit. */
  get tip(): string {
    return this.#tip;
  }

  /**
   * Commits a session's folder as it stands, and what changed outside the folder that the sessions are in; false when
   * nothing did. In a session's folder only regular files that are not hidden are the program's.
   */
  async commitTask(folder: string, message: string): Promise<boolean> {
    const own = `${await checkedFolder(this.root, folder)}/`;
    const all = `${dirname(own)}/`;
    return this.#commit(message, ({ path, kind }) => {
      if (!path.startsWith(own)) return !path.startsWith(all);
      return kind === "removed" || (kind === "file" && !/(^|\/)\.[^/]*$/.test(path.slice(own.length)));
    });
  }

  /** Commits all that changed but for `notFor` alone, with `always` also nothing; false when there was no commit. */
  async commitAll(
    message: string,
    { always = false, notFor }: { always?: boolean; notFor?: string } = {},
  ): Promise<boolean> {
    if (await this.#commit(message, () => true, notFor)) return true;
    if (!always) return false;
    const { tree } = await readCommit(this.#git, this.#tip);
    await this.#setTip(await commitTree(this.#git, tree, [this.#tip], message));
    return true;
  }

  /** Id of the tree of all that is here, committed or not. */
  async capture(): Promise<string> {
    const place = await this.#copyIndex();
    return (await this.#stage(place, () => true)) ?? (await readCommit(this.#git, this.#tip)).tree;
  }

  /** Every commit has the file as it is now until it is released. What a merge brings of it stands. */
  hold(path: string): HeldFile {
    const place = join(this.root, path);
    const isFile = lstatSync(place, { throwIfNoEntry: false })?.isFile() === true;
    const held: Held = { path, bytes: isFile ? readFileSync(place) : undefined };
    this.#held = held;
    return {
      brought: () => held.brought,
      release: () => {
        if (this.#held === held) this.#held = undefined;
      },
    };
  }

  /**
   * Makes `commit` the tip and brings what it changes into the folder; what is not committed here stays, but for what both
   * changed: there the commit stands, and the paths are returned.
   */
  async moveTo(commit: string): Promise<string[]> {
    const ours = await this.capture();
    const conflicts = await this.#bring({ base: this.#tip, ours, theirs: commit });
    const index = `${this.#place.index}-tip`;
    await copyIndex(this.#place.index, index);
    await this.#git(["read-tree", "-i", "-m", this.#tip, commit], { worktree: { ...this.#place, index } });
    await rename(index, this.#place.index);
    await this.#setTip(commit);
    return conflicts;
  }

  /** Brings in what an earlier run left unfinished: `pair` is its tip then, and its files. As `moveTo` in a conflict. */
  async takeUp({ base, worktree }: TreePair): Promise<string[]> {
    const { tree, conflicts } = await this.#merge({ base, ours: worktree, theirs: this.#tip });
    await replaceFiles(this.#git, await this.#copyIndex(), this.#tip, tree);
    return conflicts;
  }

  /** Makes the folder, which has `ours`, what a merge makes of it. */
  async #bring(trees: { base: string; ours: string; theirs: string }): Promise<string[]> {
    const { tree, conflicts } = await this.#merge(trees);
    const place = { ...this.#place, index: this.#copied };
    const { changed, present } = await replaceFiles(this.#git, place, trees.ours, tree);
    if (this.#held && changed.includes(this.#held.path)) {
      const { path } = this.#held;
      // As the merge has it: a command may be changing the file already.
      const bytes = present.includes(path) ? await this.#fileAt(tree, path) : undefined;
      Object.assign(this.#held, { bytes, brought: { bytes } });
    }
    return conflicts;
  }

  #merge(trees: { base: string; ours: string; theirs: string }) {
    return mergeTrees(this.#git, this.#place.temporary, trees);
  }

  get #copied(): string {
    return `${this.#place.index}-copied`;
  }

  /** The place with an index that may be changed: what is committed later is told by the other one. */
  async #copyIndex(): Promise<WorktreePlace> {
    const place = { ...this.#place, index: this.#copied };
    await unlockIndex(place);
    await copyIndex(this.#place.index, place.index);
    return place;
  }

  async #commit(message: string, isWanted: (change: Change) => boolean, notFor?: string): Promise<boolean> {
    const tree = await this.#stage(this.#place, isWanted, notFor);
    if (tree === undefined) return false;
    await this.#setTip(await commitTree(this.#git, tree, [this.#tip], message));
    return true;
  }

  /** The tree that a commit of what is wanted would have, staged in the index of `place`; undefined where nothing changes. */
  async #stage(
    place: WorktreePlace,
    isWanted: (change: Change) => boolean,
    notFor?: string,
  ): Promise<string | undefined> {
    const { changes, leftOut } = await listChanges(this.#git, place);
    for (const [path, why] of leftOut) this.#tell(path, why);
    const held = changes.find(({ path }) => path === this.#held?.path);
    // A link in the place of a folder above the held file would take the file out of the commit.
    const isAbove = ({ path }: Change) => this.#held?.path.startsWith(`${path}/`) === true;
    const wanted = changes.filter((change) => change !== held && !isAbove(change) && isWanted(change));
    if (wanted.every(({ path }) => path === notFor) && !held) return undefined;
    await unlockIndex(place);
    if (held) await this.#stageHeld(place);
    const unreadable = await stageChanges(this.#git, place, wanted);
    for (const path of unreadable) this.#tell(path, "could not be read, so it stays as it was committed");
    await unlockIndex(place);
    const tree = await gitText(this.#git, ["write-tree"], { worktree: place });
    return tree === (await readCommit(this.#git, this.#tip)).tree ? undefined : tree;
  }

  /** What an agent may be making of the file is nobody's; what the program wrote before counts. */
  async #stageHeld(place: WorktreePlace): Promise<void> {
    const { path, bytes } = this.#held ?? {};
    if (path === undefined || !bytes) return;
    const input = Buffer.from(bytes);
    const oid = await gitText(this.#git, ["hash-object", "-w", "--no-filters", "--stdin"], { input });
    const row = `100644 ${oid}\t${path}\0`;
    await this.#git(["update-index", "--add", "-z", "--index-info"], { worktree: place, input: row });
  }

  /** Commands that ask git see HEAD and an index that fit each other. */
  async #setTip(commit: string): Promise<void> {
    this.#tip = commit;
    await this.#git(["update-ref", "--no-deref", "HEAD", commit], { worktree: this.#place });
    const { index, records } = this.#place;
    await copyIndex(index, `${index}-shown`);
    await rename(`${index}-shown`, join(records, "index"));
  }

  async #fileAt(commit: string, path: string): Promise<Uint8Array> {
    return (await this.#git(["cat-file", "blob", `${commit}:${path}`])).stdout;
  }

  #tell(path: string, why: string): void {
    if (this.#told.has(path)) return;
    this.#told.add(path);
    this.#notice(`${path} ${why}`);
  }
}

/** Where git keeps its records of a worktree that was just made. */
export function recordsOf(root: string): string {
  const link = readFileSync(join(root, ".git"), "utf8");
  return resolve(root, link.replace(/^gitdir: /, "").trimEnd());
}

/** The folder as git names it; refuses what leaves the worktree, links on the way, and the state folder. */
async function checkedFolder(root: string, folder: string): Promise<string> {
  const real = await realpath(join(root, folder));
  const path = relative(await realpath(root), real)
    .split(sep)
    .join("/");
  const asked = folder.replace(/\/+$/, "");
  if (
    path === asked &&
    path !== "" &&
    !/^\.\.(\/|$)/.test(path) &&
    !/(^|\/)(\.git|\.looplia\/state)(\/|$)/i.test(path)
  ) {
    return path;
  }
  throw new LoopliaError(
    "host-failed",
    `refused to commit ${folder}: only a session's own folder is committed`,
  );
}

/** A folder stays. */
async function removeFileOrLink(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "EISDIR", "EPERM"].includes(errnoOf(error) ?? "")) throw error;
  }
}
