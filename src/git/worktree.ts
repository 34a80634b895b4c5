// Worktrees of a work.

// The one of its branch: commits tasks, keeps unfinished files, and merges other people's pushes.

import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import { inTurn } from "../core/json.ts";
import type { HeldFile } from "../core/ports.ts";
import { type SessionChanges, type TreePair, WORKTREE } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { type Change, Checkout } from "./checkout.ts";
import {
  diffTrees,
  EMPTY_TREE,
  editTree,
  entryAt,
  FOLDER_MODE,
  readObject,
  type TreeEntry,
  writeObject,
} from "./object-store.ts";
import { commitTree, findEntry, mergeTrees, readCommit, treeOf } from "./objects.ts";

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

// The worktree of one session: a checkpoint stores its unfinished changes as two trees (DURABILITY, "Where
// everything is"). Session folders are the program's: the branch's worktree has them, these trees don't.

/** Files checked out byte for byte from a tree. Calls run one at a time. */
export class SessionTree {
  readonly root: string;
  readonly #git: Git;
  readonly #checkout: Checkout;
  readonly #without: readonly string[];
  readonly #head: string;
  /** The files' tree at the last `capture` or `moveTo`. */
  #files: string;
  #leftOut: string[] = [];

  private constructor(
    git: Git,
    checkout: Checkout,
    place: { without: readonly string[]; head: string; files: string },
  ) {
    this.root = checkout.root;
    this.#git = git;
    this.#checkout = checkout;
    this.#without = place.without;
    this.#head = place.head;
    this.#files = place.files;
  }

  /**
   * Makes a worktree below `temporary` with the files of `pair.worktree`. `head`: the parent of the commit
   * that commands see as HEAD. `root`: an absolute path that does not exist. `without`: paths that it leaves
   * out; folders end in a slash.
   */
  static async open(
    git: Git,
    temporary: string,
    { pair, without, ...place }: { pair: TreePair; head: string; root: string; without: readonly string[] },
  ): Promise<SessionTree> {
    const name = `session-${randomBytes(6).toString("hex")}`;
    // An old folder that could not be removed stays, and the new one gets another name.
    const root = existsSync(place.root) ? `${place.root}-${name}` : place.root;
    const head = await commitTree(git, pair.base, [place.head], "chore: what the session began with\n");
    const checkout = await Checkout.create(git, temporary, { root, name, head, tree: pair.worktree });
    if (pair.base !== pair.worktree) await checkout.show(pair.base);
    return new SessionTree(git, checkout, { without, head, files: pair.worktree });
  }

  /** One sentence per file that can't be stored, as of the last `capture`. */
  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  /** The id of the files' present tree, with `pending` texts (by path) replacing files. */
  capture(pending: ReadonlyMap<string, string> = new Map()): Promise<string> {
    return inTurn(this, async () => {
      const { changes, leftOut } = await this.#checkout.changes();
      const wanted = changes.filter(({ path }) => !isWithin(path, this.#without));
      this.#leftOut = [...leftOut].map(([path, why]) => `${path} ${why}`);
      this.#files = await editTree(this.#git, this.#files, entriesOf(wanted));
      this.#checkout.took(wanted);
      return pending.size === 0 ? this.#files : this.#withTexts(pending);
    });
  }

  /** Replaces the files by those of another tree; `base` is the commit that commands see. */
  moveTo({ base, worktree }: TreePair): Promise<void> {
    return inTurn(this, async () => {
      await this.#checkout.replace(this.#files, worktree);
      this.#files = worktree;
      await this.#checkout.compareWith(worktree, { head: this.#head, shown: base });
    });
  }

  /** Paths that git ignores here; a folder is one path. */
  ignored(): Promise<string[]> {
    return this.#checkout.ignored();
  }

  /** Files that can't be removed stay on the runner. */
  remove(): Promise<void> {
    return this.#checkout.remove();
  }

  async #withTexts(texts: ReadonlyMap<string, string>): Promise<string> {
    const entries = new Map<string, TreeEntry>();
    for (const [path, text] of texts) {
      const before = await entryAt(this.#git, this.#files, path);
      const mode = before?.mode === "100755" ? "100755" : "100644";
      entries.set(path, { mode, oid: await writeObject(this.#git, "blob", text) });
    }
    return editTree(this.#git, this.#files, entries);
  }
}

/** Limits of a shown difference: files, and characters. */
const MOST_SHOWN = 30;
const DIFF_ROOM = 20_000;

/** The difference of the two trees; undefined if they are equal. */
export async function listSessionChanges(
  git: Git,
  { base, worktree }: TreePair,
): Promise<SessionChanges | undefined> {
  if (base === worktree) return undefined;
  const between = ["--no-renames", base, worktree];
  const files = (await diffTrees(git, base, worktree)).map(({ path, before, after }) => {
    const kind = before ? (after ? "changed" : "removed") : "new";
    return { path, kind } as const;
  });
  const shown = files.slice(0, MOST_SHOWN).map(({ path }) => path);
  // A larger file is no text that a person reads in a comment.
  const texts = ["--literal-pathspecs", "-c", "core.bigFileThreshold=200k", "diff-tree", "-r", "-p"];
  const { stdout } = await git([...texts, "--no-ext-diff", "--no-textconv", ...between, "--", ...shown]);
  return { files, diff: stdout.toString("utf8").slice(0, DIFF_ROOM).toWellFormed() };
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
}

/** The tree of a commit or tree without some files and folders (with a trailing slash). */
export async function treeWithout(git: Git, id: string, without: readonly string[]): Promise<string> {
  const entries = without.map((path): [string, TreeEntry | undefined] =>
    path.endsWith("/") ? [path.slice(0, -1), { mode: FOLDER_MODE, oid: EMPTY_TREE }] : [path, undefined],
  );
  return editTree(git, (await treeOf(git, id)) ?? id, new Map(entries));
}

/** The changes in the form that `editTree` expects. */
function entriesOf(changes: readonly Change[]): Map<string, TreeEntry | undefined> {
  return new Map(changes.map(({ path, entry }) => [path, entry]));
}
