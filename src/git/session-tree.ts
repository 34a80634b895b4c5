// The worktree of one session: a checkpoint stores its unfinished changes as two trees (DURABILITY, "Where
// everything is"). Session folders are the program's: the branch's worktree has them, these trees don't.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { inTurn } from "../core/json.ts";
import type { SessionChanges, TreePair } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { Checkout, entriesOf } from "./checkout.ts";
import {
  diffTrees,
  EMPTY_TREE,
  editTree,
  entryAt,
  FOLDER_MODE,
  type TreeEntry,
  writeObject,
} from "./object-store.ts";
import { commitTree, treeOf } from "./objects.ts";

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
