// The worktree of a work branch: task commits, commits of work in progress, and what others pushed brought in.
import { lstatSync, readFileSync } from "node:fs";
import { copyFile, realpath, rename, unlink } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { errnoOf, LoopliaError } from "../errors.ts";
import type { HeldFile } from "../ports.ts";
import { type Change, checkOut, listChanges, type Place, stageChanges, unlockIndex } from "./git-changes.ts";
import { commitTree, rowsOf, textOf } from "./git-commit.ts";
import type { Git } from "./git-process.ts";
import { writeByProgram } from "./rule-files.ts";

/** The file that is committed as it was when it was held (`bytes`), with what a merge brought of it since. */
type Held = { path: string; bytes: Uint8Array | undefined; brought?: { bytes: Uint8Array | undefined } };

/**
 * Files checked out byte for byte at a commit, detached. Calls must not overlap. The index is the program's own: what
 * commands put into the one that they see, and a lock that a killed one leaves there, changes no commit.
 */
export class GitWorktree {
  readonly root: string;
  readonly #git: Git;
  readonly #place: Place;
  readonly #notice: (message: string) => void;
  readonly #told = new Set<string>();
  #tip: string;
  #held: Held | undefined;

  private constructor(git: Git, place: Place, commit: string, notice: (message: string) => void) {
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
    const records = await textOf(git, ["rev-parse", "--absolute-git-dir"], { cwd: root });
    const index = join(temporary, "worktree-index");
    await copyFile(join(records, "index"), index);
    return new GitWorktree(git, { root, records, index }, commit, notice);
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
    const tree = await textOf(this.#git, ["rev-parse", `${this.#tip}^{tree}`]);
    await this.#setTip(await commitTree(this.#git, tree, [this.#tip], message));
    return true;
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
   * Makes `commit` the tip and brings what it changes into the folder. Paths that were changed here meanwhile are
   * replaced as well, and returned.
   */
  async moveTo(commit: string): Promise<string[]> {
    const args = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", this.#tip, commit];
    const rows = rowsOf((await this.#git(args)).stdout);
    const pending = new Set((await listChanges(this.#git, this.#place)).changes.map(({ path }) => path));
    // Until the folder has all of it, the index stays as it was: what is missing there would be taken for removed here.
    const next = { ...this.#place, index: `${this.#place.index}-next` };
    await unlockIndex(next);
    await copyFile(this.#place.index, next.index);
    await this.#git(["read-tree", "-i", "-m", this.#tip, commit], { worktree: next });
    const changed = rows.filter((_, at) => at % 2 === 1);
    const present = changed.filter((_, at) => rows[2 * at] !== "D");
    // A command may be running: what others pushed is no change of its.
    await writeByProgram(await realpath(this.root), changed, async () => {
      const kept = new Set(present);
      for (const path of changed) if (!kept.has(path)) await removeFileOrLink(join(this.root, path));
      await checkOut(this.#git, next, present);
    });
    await rename(next.index, this.#place.index);
    await this.#setTip(commit);
    if (this.#held && changed.includes(this.#held.path)) {
      const { path } = this.#held;
      // As the commit has it: a command may be changing the file already.
      const bytes = present.includes(path) ? await this.#fileAt(commit, path) : undefined;
      Object.assign(this.#held, { bytes, brought: { bytes } });
    }
    return changed.filter((path) => pending.has(path));
  }

  async #commit(message: string, isWanted: (change: Change) => boolean, notFor?: string): Promise<boolean> {
    const { changes, leftOut } = await listChanges(this.#git, this.#place);
    for (const [path, why] of leftOut) this.#tell(path, why);
    const held = changes.find(({ path }) => path === this.#held?.path);
    // A link in the place of a folder above the held file would take the file out of the commit.
    const isAbove = ({ path }: Change) => this.#held?.path.startsWith(`${path}/`) === true;
    const wanted = changes.filter((change) => change !== held && !isAbove(change) && isWanted(change));
    if (wanted.every(({ path }) => path === notFor) && !held) return false;
    await unlockIndex(this.#place);
    if (held) await this.#stageHeld();
    const unreadable = await stageChanges(this.#git, this.#place, wanted);
    for (const path of unreadable) this.#tell(path, "could not be read, so it stays as it was committed");
    const tree = await textOf(this.#git, ["write-tree"], { worktree: this.#place });
    if (tree === (await textOf(this.#git, ["rev-parse", `${this.#tip}^{tree}`]))) return false;
    await this.#setTip(await commitTree(this.#git, tree, [this.#tip], message));
    return true;
  }

  /** What an agent may be making of the file is nobody's; what the program wrote before counts. */
  async #stageHeld(): Promise<void> {
    const { path, bytes } = this.#held ?? {};
    if (path === undefined || !bytes) return;
    const input = Buffer.from(bytes);
    const oid = await textOf(this.#git, ["hash-object", "-w", "--no-filters", "--stdin"], { input });
    const row = `100644 ${oid}\t${path}\0`;
    await this.#git(["update-index", "--add", "-z", "--index-info"], { worktree: this.#place, input: row });
  }

  /** Commands that ask git see HEAD and an index that fit each other. */
  async #setTip(commit: string): Promise<void> {
    this.#tip = commit;
    await this.#git(["update-ref", "--no-deref", "HEAD", commit], { worktree: this.#place });
    const { index, records } = this.#place;
    await copyFile(index, `${index}-shown`);
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
