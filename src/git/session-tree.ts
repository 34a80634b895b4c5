// The worktree of one session: a checkpoint stores its unfinished changes as two trees (DURABILITY, "Where
// everything is"). Session folders are the program's: the branch's worktree has them, these trees don't.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { inTurn } from "../core/json.ts";
import type { SessionChanges, TreePair } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { commitTree, gitText, NO_OBJECT, rowsOf } from "./objects.ts";
import {
  listChanges,
  recordsOf,
  replaceFiles,
  stageChanges,
  unlockIndex,
  type WorktreePlace,
} from "./worktree.ts";

type Place = WorktreePlace & { temporary: string };

/** Files checked out byte for byte from a tree. Calls run one at a time. */
export class SessionTree {
  readonly root: string;
  readonly #git: Git;
  readonly #place: Place;
  readonly #without: readonly string[];
  /** The files' tree at the last `capture` or `moveTo`. */
  #files: string;
  #leftOut: string[] = [];

  private constructor(git: Git, place: Place, without: readonly string[], files: string) {
    this.root = place.root;
    this.#git = git;
    this.#place = place;
    this.#without = without;
    this.#files = files;
  }

  /**
   * Makes a worktree below `temporary` with the files of `pair.worktree`. `head`: the parent of the commit
   * that commands see as HEAD. `root`: an absolute path that does not exist. `without`: paths that it leaves
   * out; folders end in a slash.
   */
  static async open(
    git: Git,
    temporary: string,
    { pair, head, ...place }: { pair: TreePair; head: string; root: string; without: readonly string[] },
  ): Promise<SessionTree> {
    const { without } = place;
    const name = `session-${randomBytes(6).toString("hex")}`;
    // An old folder that could not be removed stays, and the new one gets another name.
    const root = existsSync(place.root) ? `${place.root}-${name}` : place.root;
    const shown = await commitTree(git, pair.base, [head], "chore: what the session began with\n");
    await git(["worktree", "add", "--quiet", "--force", "--no-checkout", "--detach", root, shown]);
    const records = recordsOf(root);
    const worktree = { root, records, index: join(temporary, `${name}-index`), temporary };
    await git(["read-tree", pair.worktree], { index: worktree.index });
    await git(["checkout-index", "--all", "--force", "-u"], { worktree });
    const tree = new SessionTree(git, worktree, without, pair.worktree);
    await tree.#show(pair.base);
    return tree;
  }

  /** One sentence per file that can't be stored, as of the last `capture`. */
  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  /** The id of the files' present tree, with `pending` texts (by path) replacing files. */
  capture(pending: ReadonlyMap<string, string> = new Map()): Promise<string> {
    return inTurn(this, async () => {
      const { changes, leftOut } = await listChanges(this.#git, this.#place);
      const wanted = changes.filter(({ path }) => !isWithin(path, this.#without));
      const unreadable = await stageChanges(this.#git, this.#place, wanted);
      const sentences = [...leftOut].map(([path, why]) => `${path} ${why}`);
      this.#leftOut = [...sentences, ...unreadable.map((path) => `${path} could not be read`)];
      this.#files = await gitText(this.#git, ["write-tree"], { worktree: this.#place });
      return pending.size === 0 ? this.#files : this.#withTexts(pending);
    });
  }

  /** Replaces the files by those of another tree; `base` is the commit that commands see. */
  moveTo({ base, worktree }: TreePair): Promise<void> {
    return inTurn(this, async () => {
      await replaceFiles(this.#git, this.#place, this.#files, worktree);
      this.#files = worktree;
      await this.#show(base);
    });
  }

  /** Paths that git ignores here; a folder is one path. */
  async ignored(): Promise<string[]> {
    const args = "ls-files -z --others --ignored --exclude-per-directory=.gitignore --directory".split(" ");
    return rowsOf((await this.#git(args, { worktree: this.#place })).stdout);
  }

  /** Files that can't be removed stay on the runner. */
  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true }).catch(() => undefined);
    await this.#git(["worktree", "prune"]);
    await rm(this.#place.index, { force: true });
  }

  async #withTexts(texts: ReadonlyMap<string, string>): Promise<string> {
    const index = `${this.#place.index}-pending`;
    await copyFile(this.#place.index, index);
    const listed = rowsOf((await this.#git(["ls-files", "-s", "-z"], { index })).stdout);
    const modes = new Map(listed.map((row) => [row.slice(row.indexOf("\t") + 1), row.slice(0, 6)]));
    const rows: string[] = [];
    for (const [path, text] of texts) {
      const oid = await gitText(this.#git, ["hash-object", "-w", "--no-filters", "--stdin"], { input: text });
      rows.push(`${modes.get(path) === "100755" ? "100755" : "100644"} ${oid}\t${path}\0`);
    }
    await this.#git(["update-index", "--replace", "--add", "-z", "--index-info"], {
      index,
      input: rows.join(""),
    });
    const tree = await gitText(this.#git, ["write-tree"], { index });
    await rm(index, { force: true });
    return tree;
  }

  /** Lets commands that ask git see the session's changes since `base`. */
  async #show(base: string): Promise<void> {
    const { index, records, root } = this.#place;
    const shown = `${index}-shown`;
    await unlockIndex({ index: shown });
    await copyFile(index, shown);
    await this.#git(["read-tree", "-m", base], { worktree: { root, records, index: shown } });
    await rename(shown, join(records, "index"));
  }
}

const KINDS: Readonly<Record<string, "new" | "removed">> = { A: "new", D: "removed" };
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
  const rows = rowsOf((await git(["diff-tree", "-r", "-z", "--name-status", ...between])).stdout);
  const files = rows.flatMap((status, at) => {
    const path = rows[at + 1];
    return at % 2 === 0 && path ? [{ path, kind: KINDS[status] ?? ("changed" as const) }] : [];
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

/** The tree without some files and folders (with a trailing slash). */
export async function treeWithout(
  git: Git,
  temporary: string,
  tree: string,
  without: readonly string[],
): Promise<string> {
  const index = join(temporary, `without-${randomBytes(6).toString("hex")}`);
  try {
    await git(["read-tree", tree], { index });
    const listed = rowsOf(
      (await git(["--literal-pathspecs", "ls-files", "--cached", "-z", "--", ...without], { index })).stdout,
    );
    if (listed.length === 0) return await gitText(git, ["rev-parse", `${tree}^{tree}`]);
    const input = listed.map((path) => `0 ${NO_OBJECT}\t${path}\0`).join("");
    await git(["update-index", "-z", "--index-info"], { index, input });
    return await gitText(git, ["write-tree"], { index });
  } finally {
    await rm(index, { force: true });
  }
}
