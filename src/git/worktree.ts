// The worktree of a work branch: commits tasks, keeps unfinished files, and merges other people's pushes.
import { lstatSync, readFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import type { HeldFile } from "../core/ports.ts";
import { type TreePair, WORKTREE } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { type Change, Checkout, entriesOf } from "./checkout.ts";
import { editTree, readObject, writeObject } from "./object-store.ts";
import { commitTree, findEntry, mergeTrees, readCommit } from "./objects.ts";

/** A file that commits contain as it was when it was held (`bytes`), plus later merges of it. */
type Held = { path: string; bytes: Uint8Array | undefined; brought?: { bytes: Uint8Array | undefined } };

/** Files checked out byte for byte at a commit. Calls must not overlap. */
export class GitWorktree {
  readonly root: string;
  readonly #git: Git;
  readonly #files: Checkout;
  readonly #temporary: string;
  readonly #notice: (message: string) => void;
  readonly #told = new Set<string>();
  #tip: string;
  #held: Held | undefined;

  private constructor(
    git: Git,
    { files, temporary }: { files: Checkout; temporary: string },
    commit: string,
    notice: (message: string) => void,
  ) {
    this.root = files.root;
    this.#git = git;
    this.#files = files;
    this.#temporary = temporary;
    this.#tip = commit;
    this.#notice = notice;
  }

  /** Creates the worktree below `temporary`; `notice` gets each path that commits leave out, once. */
  static async open(
    git: Git,
    temporary: string,
    commit: string,
    notice: (message: string) => void,
  ): Promise<GitWorktree> {
    const { tree } = await readCommit(git, commit);
    const place = { root: join(temporary, WORKTREE), name: WORKTREE, head: commit, tree };
    const files = await Checkout.create(git, temporary, place);
    return new GitWorktree(git, { files, temporary }, commit, notice);
  }

  /** The newest commit. */
  get tip(): string {
    return this.#tip;
  }

  /**
   * Commits a session's folder and the changes outside the folder of all sessions; false if nothing changed. In a
   * session's folder, only regular files that are not hidden belong to the program.
   */
  async commitTask(folder: string, message: string): Promise<boolean> {
    const own = `${await checkedFolder(this.root, folder)}/`;
    const all = `${dirname(own)}/`;
    return this.#commit(message, ({ path, kind }) => {
      if (!path.startsWith(own)) return !path.startsWith(all);
      return kind === "removed" || (kind === "file" && !/(^|\/)\.[^/]*$/.test(path.slice(own.length)));
    });
  }

  /** Commits all changes unless only `notFor` changed; with `always`, also an empty commit. False without a commit. */
  async commitAll(
    message: string,
    { always = false, notFor }: { always?: boolean; notFor?: string } = {},
  ): Promise<boolean> {
    if (await this.#commit(message, () => true, notFor)) return true;
    if (!always) return false;
    this.#tip = await commitTree(this.#git, await this.#treeOfTip(), [this.#tip], message);
    return true;
  }

  /** The id of the tree of all present files, committed or not. */
  async capture(): Promise<string> {
    return editTree(this.#git, await this.#treeOfTip(), entriesOf(await this.#wanted(() => true)));
  }

  /** Until the file is released, every commit contains it as it is now, plus changes from merges. */
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
   * Makes `commit` the tip and merges its changes into the folder. Uncommitted changes stay; on a conflict the commit's
   * version wins. Returns the conflicting paths.
   */
  async moveTo(commit: string): Promise<string[]> {
    const { tree } = await readCommit(this.#git, commit);
    const base = await this.#treeOfTip();
    const conflicts =
      tree === base ? [] : await this.#bring({ base, ours: await this.capture(), theirs: tree });
    this.#tip = commit;
    if (tree !== base) await this.#files.compareWith(tree, { head: commit });
    return conflicts;
  }

  /** Merges the unfinished files of an earlier run; `pair` is its tip and its files. Conflicts end as in `moveTo`. */
  async takeUp({ base, worktree }: TreePair): Promise<string[]> {
    const theirs = await this.#treeOfTip();
    const { tree, conflicts } = await this.#merge({ base, ours: worktree, theirs });
    await this.#files.replace(theirs, tree);
    return conflicts;
  }

  /** Merges into the folder, whose content is `ours`. */
  async #bring(trees: { base: string; ours: string; theirs: string }): Promise<string[]> {
    const { tree, conflicts } = await this.#merge(trees);
    const { changed, present } = await this.#files.replace(trees.ours, tree);
    if (this.#held && changed.includes(this.#held.path)) {
      const { path } = this.#held;
      // Takes the merge's version, because a command may already be changing the file.
      const bytes = present.includes(path) ? await this.#fileAt(tree, path) : undefined;
      Object.assign(this.#held, { bytes, brought: { bytes } });
    }
    return conflicts;
  }

  #merge(trees: { base: string; ours: string; theirs: string }) {
    return mergeTrees(this.#git, this.#temporary, trees);
  }

  async #treeOfTip(): Promise<string> {
    return (await readCommit(this.#git, this.#tip)).tree;
  }

  async #commit(message: string, isWanted: (change: Change) => boolean, notFor?: string): Promise<boolean> {
    const wanted = await this.#wanted(isWanted);
    if (wanted.every(({ path }) => path === notFor && path !== this.#held?.path)) return false;
    const before = await this.#treeOfTip();
    const tree = await editTree(this.#git, before, entriesOf(wanted));
    if (tree === before) return false;
    this.#tip = await commitTree(this.#git, tree, [this.#tip], message);
    this.#files.took(wanted);
    return true;
  }

  /** The changes for a commit of the wanted paths, with the held file as it was when it was held. */
  async #wanted(isWanted: (change: Change) => boolean): Promise<Change[]> {
    const { changes, leftOut } = await this.#files.changes();
    for (const [path, why] of leftOut) this.#tell(path, why);
    // A link that replaces a folder above the held file would remove the file from the commit.
    const isAbove = ({ path }: Change) => this.#held?.path.startsWith(`${path}/`) === true;
    const held = changes.find(({ path }) => path === this.#held?.path);
    const wanted = changes.filter((change) => change !== held && !isAbove(change) && isWanted(change));
    return held ? [...wanted, ...(await this.#heldChange())] : wanted;
  }

  /** Ignores an agent's present version of the file; only the version that the program wrote counts. */
  async #heldChange(): Promise<Change[]> {
    const { path, bytes } = this.#held ?? {};
    if (path === undefined || !bytes) return [];
    const entry = { mode: "100644", oid: await writeObject(this.#git, "blob", bytes) };
    return [{ path, kind: "file", entry }];
  }

  async #fileAt(tree: string, path: string): Promise<Uint8Array> {
    const found = await findEntry(this.#git, tree, path);
    return readObject(this.#git, typeof found === "object" ? found.oid : "", "blob");
  }

  #tell(path: string, why: string): void {
    if (this.#told.has(path)) return;
    this.#told.add(path);
    this.#notice(`${path} ${why}`);
  }
}

/** The folder's path for git; refuses paths outside the worktree, paths through links, and the state folder. */
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
