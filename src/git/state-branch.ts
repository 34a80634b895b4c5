// The work branch beside its state ref.
import { basename, join } from "node:path";
import type { ConflictFile } from "../core/interaction.ts";
import { inTurn, sha256Of } from "../core/json.ts";
import {
  RUN_TRAILER,
  type SessionWorktree,
  type SessionWorktrees,
  type StateRefPlace,
  type TreePair,
  type Worktree,
} from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import {
  commitTree,
  gitText,
  MERGE_MESSAGE,
  mergeTrees,
  partsOf,
  readBlobs,
  readCommit,
  rowsOf,
} from "./objects.ts";
import { SessionTree, treeWithout } from "./session-tree.ts";
import { fetchTips } from "./state-push.ts";
import { GitWorktree } from "./worktree.ts";

/** How far back a branch is looked through for the commit that a run began with; behind it, it counts as rewritten. */
const MERGE_DEPTH = 50;

type Tools = { git: Git; remote: string; temporary: string };

/** `isStored`: the state had it when this run began. `seen`: the newest commit that was brought in. */
type SessionFiles = { pair: TreePair; isStored: boolean; seen?: string };

/** Calls are carried out one at a time, in the order they came. */
export class WorkLine {
  /** Full name of the branch. */
  readonly ref: string;
  readonly #tools: Tools;
  readonly #place: Pick<StateRefPlace, "base" | "run" | "notice" | "whenConflict">;
  readonly #sessions = new Map<string, SessionFiles>();
  #opening: Promise<GitWorktree> | undefined;
  #worktree: GitWorktree | undefined;
  #remoteTip: string | undefined;
  #bareTip: string;

  /** `remoteTip`: where the remote has the branch; its commit is here. */
  constructor(
    tools: Tools,
    place: StateRefPlace,
    remoteTip: string | undefined,
    stored: ReadonlyMap<string, TreePair> = new Map(),
  ) {
    for (const [sessionId, pair] of stored) this.#sessions.set(sessionId, { pair, isStored: true });
    this.#tools = tools;
    this.#place = place;
    this.ref = `refs/heads/${place.branch}`;
    this.#remoteTip = remoteTip;
    this.#bareTip = remoteTip ?? place.base;
  }

  /** Where the remote had the branch when we last knew; undefined: there is none. */
  get remoteTip(): string | undefined {
    return this.#remoteTip;
  }

  /** The newest commit here. */
  get tip(): string {
    return this.#worktree?.tip ?? this.#bareTip;
  }

  async openWorktree(): Promise<Worktree> {
    this.#opening ??= inTurn(this, async () => {
      const { git, temporary } = this.#tools;
      this.#worktree = await GitWorktree.open(git, temporary, this.#bareTip, this.#place.notice);
      return this.#worktree;
    });
    const worktree = await this.#opening;
    return {
      root: worktree.root,
      sessions: (programs) => this.#sessionTrees(programs),
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

  /** What is to be stored of the sessions' own trees now. */
  pairs(): Map<string, TreePair> {
    return new Map([...this.#sessions].map(([sessionId, { pair }]) => [sessionId, pair]));
  }

  #sessionTrees(without: readonly string[]): SessionWorktrees {
    const rootOf = (name: string) => join(this.#tools.temporary, `worktree-of-${name}`);
    return {
      rootOf,
      isStored: (sessionId) => this.#sessions.get(sessionId)?.isStored === true,
      open: (sessionId) => inTurn(this, () => this.#openSession(sessionId, rootOf(sessionId), without)),
      openBase: () =>
        inTurn(this, async () => {
          const { git, temporary } = this.#tools;
          const { tree } = await readCommit(git, this.#place.base);
          const pair = { base: tree, worktree: tree };
          const root = join(temporary, "worktree-for-setup");
          const place = { pair, head: this.#place.base, root, without };
          const opened = await SessionTree.open(git, temporary, place);
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
      const tree = await treeWithout(git, temporary, this.tip, without);
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
      capture: (pending) => tree.capture(pending),
      keep: (worktree) => {
        files.pair = { ...files.pair, worktree };
      },
      refresh: () => inTurn(this, () => this.#refresh(files, tree, without)),
      leave: (isNeeded) =>
        inTurn(this, async () => {
          await tree.remove();
          const isSame = files.pair.base === files.pair.worktree;
          if (isSame && !isNeeded) this.#sessions.delete(sessionId);
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
      [theirs, merged.tree].map((one) => treeWithout(git, temporary, one, without)),
    );
    if (base === undefined || worktree === undefined) return;
    await tree.moveTo({ base, worktree });
    files.pair = { base, worktree };
    files.seen = theirs;
  }

  /** One commit of what `commit` commits here and of what the session did in its own tree; `isMore`: it did something. */
  async #commit(
    sessionId: string,
    message: string,
    commit: (isMore: boolean) => Promise<boolean>,
  ): Promise<boolean> {
    const ended = await inTurn(this, async () => {
      const files = this.#sessions.get(sessionId);
      const isMore = files !== undefined && files.pair.base !== files.pair.worktree;
      const before = this.tip;
      const isCommitted = await commit(isMore);
      if (!isMore) return { isCommitted, conflicts: [] };
      const { base, worktree: ours } = files.pair;
      const parent = isCommitted ? before : this.tip;
      const { isChanged, conflicts } = await this.#addChanges({ base, ours }, parent, message);
      // All of it is on the branch now, or overruled by what stands there.
      files.pair = { base: ours, worktree: ours };
      return { isCommitted: isCommitted || isChanged, conflicts: await this.#describe(conflicts, ours) };
    });
    if (ended.conflicts.length > 0) await this.#place.whenConflict(ended.conflicts);
    return ended.isCommitted;
  }

  /** Makes the tip a commit on `parent` with its files, and with what differs between two trees where nobody else changed it. */
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

  /** Commits what the worktree has, and something where the branch would be no other than its base. The newest commit. */
  save(): Promise<string> {
    return inTurn(this, async () => {
      await this.#worktree?.commitAll(this.#messageOf("chore: save work in progress"));
      if (this.#remoteTip === undefined && this.tip === this.#place.base) {
        // A pull request needs a commit that its base has not.
        const { git } = this.#tools;
        const { tree } = await readCommit(git, this.tip);
        await this.#moveTo(await commitTree(git, tree, [this.tip], this.#messageOf("chore: begin")));
      }
      return this.tip;
    });
  }

  /** The remote has this commit now. */
  notePushed(commit: string): void {
    this.#remoteTip = commit;
  }

  /** Brings in what a person pushed; the files where theirs stand against ours. */
  mergeRemote(): Promise<ConflictFile[]> {
    return inTurn(this, async () => {
      const theirs = (await fetchTips(this.#tools, [this.ref], MERGE_DEPTH)).get(this.ref);
      const conflicts = theirs === undefined ? [] : await this.#bringIn(theirs);
      // Only now: the next push takes the place of this commit, so what is pushed must have it.
      this.#remoteTip = theirs;
      return conflicts;
    });
  }

  /** A commit behind which the history was not fetched seems to bring all its files: such a one tells nothing. */
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
    // What was written while their push was fetched is merged, not replaced.
    await this.#worktree?.commitAll(this.#messageOf("chore: save work in progress"));
    const before = this.tip;
    if (before === base) return this.#describe(await this.#moveTo(theirs), before);
    const { tree, conflicts } = await mergeTrees(git, temporary, { base, ours: this.tip, theirs });
    // The server takes no history that begins at a commit which it has not any longer.
    const isRewritten = !(await isAncestor(git, base, theirs));
    const commit = isRewritten
      ? await commitTree(
          git,
          tree,
          [theirs],
          this.#messageOf("chore: bring the work to the rewritten branch"),
        )
      : await commitTree(git, tree, [this.tip, theirs], MERGE_MESSAGE);
    return this.#describe([...conflicts, ...(await this.#moveTo(commit))], before);
  }

  /** As they stand at the tip, and as they were in the commit that the run had `before`. */
  async #describe(conflicts: readonly string[], before: string): Promise<ConflictFile[]> {
    const commit = this.tip;
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

/** SHA-256 (hex) of the files of a commit, by path; what is a folder there, or nothing, is missing. */
async function hashesAt(git: Git, commit: string, paths: readonly string[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  if (paths.length === 0) return hashes;
  const wanted = new Set(paths);
  const listed = rowsOf((await git(["ls-tree", "-r", "-l", "-z", commit])).stdout).flatMap((row) => {
    const [, oid = "", size, path = ""] = /^\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(row) ?? [];
    return wanted.has(path) ? [{ oid, path, size: Number(size) }] : [];
  });
  for (const part of partsOf(listed)) {
    const oids = part.map(({ oid }) => oid);
    const blobs = await readBlobs(git, oids);
    for (const [index, { path }] of part.entries()) {
      hashes.set(path, sha256Of(blobs[index] ?? ""));
    }
  }
  return hashes;
}

async function isAncestor(git: Git, commit: string, of: string): Promise<boolean> {
  return (await git(["merge-base", "--is-ancestor", commit, of], { answers: [1] })).exitCode === 0;
}
