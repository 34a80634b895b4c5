// The work branch beside its state ref.
import { basename, join } from "node:path";
import type { ConflictFile } from "../core/interaction.ts";
import { inTurn } from "../core/json.ts";
import {
  type FindKeys,
  RUN_TRAILER,
  type SessionWorktree,
  type SessionWorktrees,
  STEP_TRAILER,
  type StateRefPlace,
  type TreePair,
  WORKTREE,
  type Worktree,
} from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { commitTree, gitText, hashesAt, mergeTrees, pathsTaken, readCommit } from "./objects.ts";
import { commitsBetween, KeyFilter, makeOnServer } from "./outgoing.ts";
import { fetchTips } from "./state-push.ts";
import { GitWorktree, SessionTree, treeWithout } from "./worktree.ts";

// Beside the sessions' trees a checkpoint stores two more pairs: the program's uncommitted files (relative to
// the tip), and the changes of all steps (relative to the branch without them).
const UNFINISHED = "program";
const STEPS = "branch";

const STEP_LINE = new RegExp(`^${STEP_TRAILER}: (.+)$`, "gm");

/** How many commits to search for a run's first commit; without it the branch counts as rewritten. */
const MERGE_DEPTH = 50;

const UNSIGNED =
  "GitHub did not sign the commits that `commits: api` had it make: it signs those of the job's token and of apps, not those of a person's token";

type Tools = { git: Git; remote: string; temporary: string; findKeys?: FindKeys | undefined };

/** `isStored`: the state had it when this run began. `seen`: the newest merged commit. */
type SessionFiles = { pair: TreePair; isStored: boolean; seen?: string };

/** Calls run one at a time, in order. */
export class WorkLine {
  /** Full name of the branch. */
  readonly ref: string;
  readonly #tools: Tools;
  readonly #place: Pick<StateRefPlace, "base" | "takes" | "run" | "notice" | "whenConflict">;
  readonly #sessions = new Map<string, SessionFiles>();
  #unfinished: TreePair | undefined;
  #steps: TreePair | undefined;
  #removed: ConflictFile[] = [];
  #isUnsigned = false;
  #opening: Promise<GitWorktree> | undefined;
  #worktree: GitWorktree | undefined;
  #remoteTip: string | undefined;
  #bareTip: string;
  readonly #keys: KeyFilter;

  /** `remoteTip`: the branch's commit on the remote; it was already fetched. */
  constructor(
    tools: Tools,
    place: StateRefPlace,
    remoteTip: string | undefined,
    stored: ReadonlyMap<string, TreePair> = new Map(),
  ) {
    for (const [sessionId, pair] of stored) this.#sessions.set(sessionId, { pair, isStored: true });
    for (const name of [UNFINISHED, STEPS]) this.#sessions.delete(name);
    this.#unfinished = stored.get(UNFINISHED);
    this.#steps = stored.get(STEPS);
    this.#tools = tools;
    this.#place = place;
    this.#keys = new KeyFilter(tools, place.notice);
    this.ref = `refs/heads/${place.branch}`;
    this.#remoteTip = remoteTip;
    this.#bareTip = remoteTip ?? place.base;
  }

  /** The branch's last known commit on the remote; undefined if there is none. */
  get remoteTip(): string | undefined {
    return this.#remoteTip;
  }

  /** The newest local commit. */
  get tip(): string {
    return this.#worktree?.tip ?? this.#bareTip;
  }

  /** Files of our steps that a force push removed from the branch, as they are there now. */
  get removed(): readonly ConflictFile[] {
    return this.#removed;
  }

  async openWorktree(): Promise<Worktree> {
    this.#opening ??= this.#makeWorktree();
    const worktree = await this.#opening;
    return {
      root: worktree.root,
      sessions: (programs) => this.#sessionTrees(programs),
      allowKeys: (ids) => this.#keys.allow(ids),
      commit: async (folder, message) => {
        const commit = () => worktree.commitTask(folder, message);
        return this.#commit(basename(folder), message, commit);
      },
      commitAll: async (message, { sessionId = "", ...how } = {}) => {
        const commit = (isMore: boolean) => worktree.commitAll(message, isMore ? {} : how);
        const isCommitted = await this.#commit(sessionId, message, commit);
        return isCommitted || (how.always === true && inTurn(this, () => worktree.commitAll(message, how)));
      },
      hold: (path) => worktree.hold(path),
      editorOf: (path) => inTurn(this, () => this.#editorOf(path)),
    };
  }

  async #makeWorktree(): Promise<GitWorktree> {
    const { conflicts, worktree } = await inTurn(this, async () => {
      const { git, temporary } = this.#tools;
      const made = await GitWorktree.open(git, temporary, this.#bareTip, this.#place.notice);
      this.#worktree = made;
      const left = this.#unfinished ?? this.#place.takes;
      const paths = left ? await made.takeUp(left) : [];
      if (left) this.#unfinished = { base: await this.#treeOf(this.tip), worktree: await made.capture() };
      return { worktree: made, conflicts: left ? await this.#describe(paths, left.worktree) : [] };
    });
    if (conflicts.length > 0) await this.#place.whenConflict(conflicts);
    return worktree;
  }

  /** The trees of the unfinished files and of the branch with all finished steps, if known. */
  get trees(): { unfinished: string | undefined; made: string | undefined } {
    return { unfinished: this.#unfinished?.worktree, made: this.#steps?.worktree };
  }

  /** The tree pairs to store now: those of the sessions, and our own. */
  pairs(): Map<string, TreePair> {
    const own = [
      [UNFINISHED, this.#unfinished],
      [STEPS, this.#steps],
    ] as const;
    return new Map([
      ...[...this.#sessions].map(([sessionId, { pair }]) => [sessionId, pair] as const),
      ...own.flatMap(([name, pair]) => (pair ? [[name, pair] as const] : [])),
    ]);
  }

  #sessionTrees(without: readonly string[]): SessionWorktrees {
    const rootOf = (name: string) => join(this.#tools.temporary, `${WORKTREE}-of-${name}`);
    return {
      rootOf,
      isStored: (sessionId) => this.#sessions.get(sessionId)?.isStored === true,
      open: (sessionId) => inTurn(this, () => this.#openSession(sessionId, rootOf(sessionId), without)),
      openBase: () =>
        inTurn(this, async () => {
          const { git, temporary } = this.#tools;
          const head = this.#place.base;
          const { tree } = await readCommit(git, head);
          const pair = { base: tree, worktree: tree };
          const root = join(temporary, "worktree-for-setup");
          const opened = await SessionTree.open(git, temporary, { pair, head, root, without });
          return {
            root: opened.root,
            ignored: () => opened.ignored(),
            changed: async () => (await opened.capture()) !== tree,
          };
        }),
    };
  }

  async #openSession(sessionId: string, root: string, without: readonly string[]): Promise<SessionWorktree> {
    const { git, temporary } = this.#tools;
    const begin = async () => {
      const tree = await treeWithout(git, this.tip, without);
      return { pair: { base: tree, worktree: tree }, isStored: false };
    };
    const files: SessionFiles = this.#sessions.get(sessionId) ?? (await begin());
    const tree = await SessionTree.open(git, temporary, { pair: files.pair, head: this.tip, root, without });
    this.#sessions.set(sessionId, files);
    return {
      root: tree.root,
      get leftOut() {
        return tree.leftOut;
      },
      newKeys: (approved) => {
        this.#keys.allow(approved);
        return this.#keys.find(files.pair);
      },
      capture: (pending) => tree.capture(pending),
      keep: (worktree) => {
        files.pair = { ...files.pair, worktree };
      },
      refresh: () => inTurn(this, () => this.#refresh(files, tree, without)),
      leave: (isNeeded) =>
        inTurn(this, async () => {
          await tree.remove();
          if (files.pair.base === files.pair.worktree && !isNeeded) this.#sessions.delete(sessionId);
          else files.isStored = true;
        }),
    };
  }

  async #refresh(files: SessionFiles, tree: SessionTree, without: readonly string[]): Promise<void> {
    const { git, temporary } = this.#tools;
    const theirs = this.tip;
    if (files.seen === theirs) return;
    const ours = await tree.capture();
    const merged = await mergeTrees(git, temporary, { base: files.pair.base, ours, theirs });
    if (merged.conflicts.length > 0) return;
    const [base, worktree] = await Promise.all(
      [theirs, merged.tree].map((one) => treeWithout(git, one, without)),
    );
    if (base === undefined || worktree === undefined) return;
    await tree.moveTo({ base, worktree });
    files.pair = { base, worktree };
    files.seen = theirs;
  }

  /** One commit of `commit`'s changes and of the session's own tree; `isMore`: that tree has changes. */
  async #commit(
    sessionId: string,
    message: string,
    commit: (isMore: boolean) => Promise<boolean>,
  ): Promise<boolean> {
    const ended = await inTurn(this, async () => {
      const files = this.#sessions.get(sessionId);
      const ours = files && (await this.#keys.apply(files.pair));
      const isMore = files !== undefined && files.pair.base !== ours;
      const before = this.tip;
      const isCommitted = await commit(isMore);
      if (!files || !ours || !isMore) return { isCommitted, conflicts: [] };
      const parent = isCommitted ? before : this.tip;
      const { isChanged, conflicts } = await this.#addChanges({ ...files.pair, ours }, parent, message);
      // All changes are on the branch now, were overruled by its version, or hold keys.
      files.pair = { ...files.pair, base: ours };
      const described = await this.#describe(conflicts, ours);
      return {
        isCommitted: isCommitted || isChanged,
        conflicts: await this.#attribute(described, { session: sessionId, steps: stepsOf(message) }),
      };
    });
    if (ended.conflicts.length > 0) await this.#place.whenConflict(ended.conflicts);
    return ended.isCommitted;
  }

  /**
   * Marks files whose version another session made; a file last changed before the fetched commits counts as
   * a person's.
   */
  async #attribute(
    files: readonly ConflictFile[],
    by: { session: string; steps: string[] },
  ): Promise<ConflictFile[]> {
    const all: ConflictFile[] = [];
    for (const file of files) {
      const args = ["--literal-pathspecs", "log", "-1", "--format=%H%x00%P", this.tip, "--", file.path];
      const [commit = "", parents = ""] = (await gitText(this.#tools.git, args)).split("\0");
      const made = commit === "" ? undefined : await readCommit(this.#tools.git, commit);
      const isRun = parents !== "" && made?.message.includes(`\n${RUN_TRAILER}: `) === true;
      all.push(isRun ? { ...file, ...by } : file);
    }
    return all;
  }

  /** Commits the merge of the tip with the changes from `base` to `ours`, on `parent`. */
  async #addChanges(
    { base, ours }: { base: string; ours: string },
    parent: string,
    message: string,
  ): Promise<{ isChanged: boolean; conflicts: string[] }> {
    const { git, temporary } = this.#tools;
    const { tree, conflicts } = await mergeTrees(git, temporary, { base, ours, theirs: this.tip });
    const isChanged = tree !== (await readCommit(git, this.tip)).tree;
    if (isChanged) await this.#moveTo(await commitTree(git, tree, [parent], message));
    return { isChanged, conflicts };
  }

  /**
   * Keeps uncommitted files of the worktree for `pairs`, or commits them if the work is complete (`isWhole`).
   * Makes an empty commit if the branch would equal its base. Returns the newest commit.
   */
  save(isWhole: boolean): Promise<string> {
    return inTurn(this, async () => {
      const { git } = this.#tools;
      if (isWhole) await this.#worktree?.commitAll(this.#messageOf("chore: keep changes outside of steps"));
      if (this.#remoteTip === undefined && this.tip === this.#place.base) {
        // A pull request needs a commit that its base lacks.
        const tree = await this.#treeOf(this.tip);
        await this.#moveTo(await commitTree(git, tree, [this.tip], this.#messageOf("chore: begin")));
      }
      const base = await this.#treeOf(this.tip);
      if (this.#worktree) {
        // A whole commit has everything.
        const worktree = isWhole ? base : await this.#worktree.capture();
        this.#unfinished = worktree === base ? undefined : { base, worktree };
      }
      const before = this.#steps?.base ?? (await this.#treeOf(this.#remoteTip ?? this.#place.base));
      if (this.#removed.length === 0) this.#steps = { base: before, worktree: base };
      return this.tip;
    });
  }

  async #treeOf(commit: string): Promise<string> {
    return (await readCommit(this.#tools.git, commit)).tree;
  }

  /** Has the server make the unpushed commits up to `work` again and returns the newest; later steps follow it. */
  makeOnServer(work: string, make: NonNullable<StateRefPlace["makeCommit"]>): Promise<string> {
    return inTurn(this, async () => {
      const { git } = this.#tools;
      const from = this.#remoteTip ?? this.#place.base;
      const { made, isSigned } = await makeOnServer(this.#tools, { from, to: work }, make);
      if (!isSigned && !this.#isUnsigned) this.#place.notice(UNSIGNED);
      this.#isUnsigned ||= !isSigned;
      let tip = made;
      for (const step of await commitsBetween(git, work, this.tip)) {
        const { tree, message } = await readCommit(git, step);
        tip = await commitTree(git, tree, [tip], message);
      }
      await this.#moveTo(tip);
      return made;
    });
  }

  /** Records that the remote has this commit now. */
  notePushed(commit: string): void {
    this.#remoteTip = commit;
  }

  /** Merges what a person pushed; returns the files in conflict, for which the person's version wins. */
  mergeRemote(): Promise<ConflictFile[]> {
    return inTurn(this, async () => {
      const theirs = (await fetchTips(this.#tools, [this.ref], MERGE_DEPTH)).get(this.ref);
      const conflicts = theirs === undefined ? [] : await this.#bringIn(theirs);
      // Set only after the merge: the next push replaces this commit, so it must contain it.
      this.#remoteTip = theirs;
      return conflicts;
    });
  }

  /** The oldest fetched commit seems to add all its files, so it does not name an editor. */
  async #editorOf(path: string): Promise<string | undefined> {
    const { git } = this.#tools;
    await fetchTips(this.#tools, [this.ref], MERGE_DEPTH);
    const format = "--format=%H%x00%P%x00%an%x00%ae";
    const found = await gitText(git, ["--literal-pathspecs", "log", "-1", format, this.tip, "--", path]);
    const [commit = "", parents, name = "", email = ""] = found.split("\0");
    if (commit === "") return undefined;
    const { parents: made, message } = await readCommit(git, commit);
    const isCut = parents === "" && made.length > 0;
    if (isCut || message.includes(`\n${RUN_TRAILER}: `)) return undefined;
    const login = /^(?:\d+\+)?([a-z\d-]+(?:\[bot\])?)@users\.noreply\.github\.com$/i.exec(email)?.[1];
    return login === undefined ? name || undefined : `@${login}`;
  }

  async #bringIn(theirs: string): Promise<ConflictFile[]> {
    const { git, temporary } = this.#tools;
    const base = this.#remoteTip ?? this.#place.base;
    const before = this.tip;
    const ours = (await this.#worktree?.capture()) ?? before;
    await this.#noteTheirs({ from: base, theirs });
    // Unpushed steps are repeated on top of the remote's commit: the program makes no merge commits.
    const conflicts: string[] = [];
    let tip = theirs;
    for (const step of await commitsBetween(git, base, before)) {
      const { parents, message } = await readCommit(git, step);
      const from = parents[0] ?? base;
      const merged = await mergeTrees(git, temporary, { base: from, ours: step, theirs: tip });
      conflicts.push(...merged.conflicts);
      tip = await commitTree(git, merged.tree, [tip], message);
    }
    return this.#describe([...conflicts, ...(await this.#moveTo(tip))], ours);
  }

  /** Counts others' changes since `from` as none of our steps; notes steps that a rewritten branch lacks. */
  async #noteTheirs({ from, theirs }: { from: string; theirs: string }): Promise<void> {
    const { git, temporary } = this.#tools;
    const steps = this.#steps;
    if (!steps || this.#removed.length > 0) return;
    const removed = (await isAncestor(git, from, theirs)) ? [] : await pathsTaken(git, steps, theirs);
    if (removed.length > 0) {
      this.#removed = await this.#describe(removed, steps.worktree, theirs);
      return;
    }
    const trees = { base: steps.worktree, ours: steps.base, theirs };
    this.#steps = {
      base: (await mergeTrees(git, temporary, trees)).tree,
      worktree: await this.#treeOf(theirs),
    };
  }

  /** Checks what happened to the branch since the checkpoint with the tip `last`. */
  async meet(last: string): Promise<void> {
    const tip = this.#remoteTip;
    const steps = this.#steps;
    if (!steps || tip === undefined) return;
    if (tip !== last) await fetchTips(this.#tools, [this.ref], MERGE_DEPTH);
    // Steps removed earlier remain removed until a person decides.
    const isAsked = tip === last || (await isAncestor(this.#tools.git, last, tip));
    if (isAsked && steps.worktree !== (await this.#treeOf(last))) {
      const removed = await pathsTaken(this.#tools.git, steps, tip);
      this.#removed = await this.#describe(removed, steps.worktree);
    } else if (tip !== last) await this.#noteTheirs({ from: last, theirs: tip });
  }

  /** Restores the removed files in one commit, or drops them for good. */
  settleRemoved(how: "restore" | "keep"): Promise<void> {
    return inTurn(this, async () => {
      const { git, temporary } = this.#tools;
      const steps = this.#steps;
      const theirs = await this.#treeOf(this.tip);
      this.#removed = [];
      this.#steps = { base: theirs, worktree: theirs };
      if (how === "keep" || !steps) return;
      const { tree } = await mergeTrees(git, temporary, { base: steps.base, ours: steps.worktree, theirs });
      const message = this.#messageOf("chore: restore the steps that were removed from the branch");
      await this.#moveTo(await commitTree(git, tree, [this.tip], message));
    });
  }

  /** The files at `commit` (the tip) compared with those in `before`, the run's own commit or tree. */
  async #describe(conflicts: readonly string[], before: string, commit = this.tip): Promise<ConflictFile[]> {
    const paths = [...new Set(conflicts)];
    const [theirs, ours] = await Promise.all(
      [commit, before].map((one) => hashesAt(this.#tools.git, one, paths)),
    );
    return paths.map((path) => {
      const [sha256, own] = [theirs?.get(path), ours?.get(path)];
      return { path, commit, ...(sha256 ? { sha256 } : {}), ...(own ? { ours: own } : {}) };
    });
  }

  #messageOf(subject: string): string {
    return `${subject}\n\n${RUN_TRAILER}: ${this.#place.run}\n`;
  }

  async #moveTo(commit: string): Promise<string[]> {
    const replaced = (await this.#worktree?.moveTo(commit)) ?? [];
    this.#bareTip = commit;
    return replaced;
  }
}

/** The outputs or tasks named in a commit message of the program. */
function stepsOf(message: string): string[] {
  return [...message.matchAll(STEP_LINE)].flatMap(([, step]) => step ?? []);
}

/** Also false if one of the commits is not here. */
async function isAncestor(git: Git, commit: string, of: string): Promise<boolean> {
  return (await git(["merge-base", "--is-ancestor", commit, of], { answers: [1, 128] })).exitCode === 0;
}
