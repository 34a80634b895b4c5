// Ports to GitHub and git: discussion, pull requests, state ref, letters.

import type { LoopliaError } from "./errors.ts";
import type { ConflictFile } from "./interaction.ts";
import type { AuditHead } from "./lines.ts";
import type { MonthLedger } from "./money/ledger.ts";
import type { HeldFile, TrustedFiles } from "./ports.ts";

/** What GitHub says of who wrote something; null for an account that was deleted. */
export type CommentAuthor = { id: number; login: string; isBot: boolean } | null;

export type PullComment = {
  id: number;
  url: string;
  author: CommentAuthor;
  /** The app that posted it, if one did. */
  app?: { id: number; slug: string };
  body: string;
  /** ISO 8601; they differ once it was edited. */
  createdAt: string;
  updatedAt: string;
};

/** From the least to the most; `none` also where the account is unknown. */
export type Role = "none" | "read" | "triage" | "write" | "maintain" | "admin";

type Reaction = "eyes" | "rocket" | "confused";

export type CheckRun = {
  headSha: string;
  /** Continues this one instead of making another. */
  id?: number;
  name: string;
  /** `neutral` while a question is open. */
  conclusion: "neutral" | "success" | "failure" | "cancelled";
  title: string;
  /** Markdown. */
  summary: string;
  detailsUrl: string;
};

/** One repository's discussion. Fails with `host-failed`; every call is counted by GitHub, so none is made twice. */
export interface Discussion {
  /** Comments of a pull request created at or after `since` (ISO 8601), oldest first. */
  comments(pullRequest: number, since?: string): Promise<PullComment[]>;
  /** Once: where the acknowledgement was lost, the comment that is there is returned. */
  postComment(pullRequest: number, body: string): Promise<PullComment>;
  /** Undefined where somebody deleted it. */
  editComment(id: number, body: string): Promise<PullComment | undefined>;
  /** Adding the same reaction twice is one reaction. */
  react(commentId: number, reaction: Reaction): Promise<void>;
  /** The account's role in the repository at this moment, and its id as GitHub has it now. */
  permissionOf(login: string): Promise<{ role: Role; userId: number | undefined }>;
  /** Fails with `config-invalid` where the token can't read teams. */
  isTeamMember(team: { org: string; slug: string }, login: string): Promise<boolean>;
  /** Whether that attempt of a workflow run is still at work; undefined where that can't be read. */
  isRunLive(runId: string, attempt: string): Promise<boolean | undefined>;
  /** The check's id, or undefined where the token may not write checks. */
  saveCheck(check: CheckRun): Promise<number | undefined>;
}

// The durable state of a work on the remote: an orphan history of checkpoints (DURABILITY, "A checkpoint is the only
// durable write on a runner").

export type Checkpoint = {
  /** Commit of the state ref. */
  commit: string;
  /** Commit of the work branch that belongs to it. */
  work: string;
  /** Who made it: `<run id>.<attempt>`. */
  run: string;
  /** ISO 8601, the committer's clock. */
  at: string;
};

export type StateRefPlace = {
  /** `<state-ref-prefix><work-id>` */
  ref: string;
  /** Where the work's state may be instead: one that is there stays there. */
  formerRefs?: readonly string[];
  branch: string;
  /** Commit that the branch begins at where the remote has none. */
  base: string;
  /** The work's state folder on this machine, absolute: what the state ref has is written into it. It must be empty. */
  folder: string;
  /** `<run id>.<attempt>` */
  run: string;
  /** Ends the stores' segments and holds appends back while `whileSealed` runs (`WorkLog.seal`). */
  seal(whileSealed: () => Promise<void>): Promise<void>;
  /** Asked while the stores are sealed: each checkpoint's message names them (`WorkLog.auditHeads`). */
  auditHeads(): ReadonlyMap<string, AuditHead>;
  /** Called once, at the moment it is known that nothing more can be written: `lost-race` or `closed`. */
  whenLost(error: LoopliaError): void;
  /** Called with files that a person changed as well before their merge is pushed: what is recorded here is part of it. */
  whenConflict(files: readonly ConflictFile[]): Promise<void>;
  /** What a checkpoint left out or had to settle, a sentence each; told once. */
  notice(message: string): void;
};

export type CheckpointOptions = {
  /** Does not wait for its turn among the six pushes a minute: seconds count. */
  isUrgent?: boolean;
  /** Leaves branch and worktree alone, for a work whose branch is gone. */
  stateOnly?: boolean;
  /** Nothing is unfinished: what no step has committed is committed as well. */
  isWhole?: boolean;
};

/**
 * State ref and work branch of one work. Calls are carried out one at a time. Nothing else of the program pushes
 * either ref.
 */
export interface StateRef {
  /** The newest checkpoint known: the one that the work continues from; undefined for a work that has none yet. */
  readonly last: Checkpoint | undefined;
  /** True while this run's checkpoint is the newest one known. */
  readonly isOurs: boolean;
  /** Where the branch is on the remote, as far as known; undefined when it is not there. */
  readonly branchTip: string | undefined;
  /** Its commit there, or the tree that it has with what is unfinished. */
  readonly filesTip: string | undefined;
  /** What a session has changed in its own worktree and no step has committed yet; undefined where that is nothing. */
  changesOf(sessionId: string): Promise<SessionChanges | undefined>;
  /** Files of finished steps that somebody took from the branch by rewriting it; a person decides what becomes of them. */
  readonly removed: readonly ConflictFile[];
  /** Puts them back with the next checkpoint, as one commit on what is there (theirs is in a conflict), or leaves them out. */
  settleRemoved(how: "restore" | "keep"): Promise<void>;
  /** The worktree of the branch, made at the first call; what it has is part of every checkpoint from then on. */
  openWorktree(): Promise<Worktree>;
  /**
   * Seals the stores and pushes both refs at once: commits of steps to the branch, what is unfinished to the state. Commits
   * that were not pushed yet are made again on top of what a person pushed (theirs stands in a conflict). Resolves when it is on the remote. What waits for its
   * turn is joined by later calls. Where nothing is new since this run's last one there is no other, unless that is some
   * minutes old.
   *
   * Fails with `lost-race` where another run's checkpoint is there, `closed` where the branch is gone, else `host-failed`.
   */
  checkpoint(message: string, options?: CheckpointOptions): Promise<Checkpoint>;
  /** Brings in what others pushed to the branch, as a checkpoint would. Never fails: the next checkpoint tries again. */
  bringIn(): Promise<void>;
  /** A checkpoint soon, for what may be lost: several are one, and any other that comes before does instead. */
  checkpointSoon(message: string): void;
  /** What `work` records and commits is in one checkpoint: none looks while it runs. `work` must not wait for one. */
  together(work: () => Promise<void>): Promise<void>;
}

/** `diff`: of some of the files, cut where it is long; texts only. */
export type SessionChanges = { files: { path: string; kind: "new" | "changed" | "removed" }[]; diff: string };

/** Ids of git trees: what a session's changes are counted from, and its files as its last recorded call left them. */
export type TreePair = { base: string; worktree: string };

/** A session's own worktree. Calls must not overlap with a command in it. */
export interface SessionWorktree {
  /** Absolute folder. */
  readonly root: string;
  /** What can't be stored, and so is lost with the runner, a sentence each. */
  readonly leftOut: readonly string[];
  /** Id of the tree of its files as they stand; `pending`: texts that files (relative to `root`) would have instead. */
  capture(pending?: ReadonlyMap<string, string>): Promise<string>;
  /** From the next checkpoint on the session has these files. */
  keep(tree: string): void;
  /** Brings in what others changed on the branch, unless both changed the same lines: then the end of the step settles that. */
  refresh(): Promise<void>;
  /** Removes the folder; what is stored of it goes as well where nothing is unfinished and `isNeeded` is false. */
  leave(isNeeded: boolean): Promise<void>;
}

/** The worktrees of sessions that edit or run commands. */
export interface SessionWorktrees {
  /** Whether the state has the session's files already. */
  isStored(sessionId: string): boolean;
  /** The session's worktree, made at the first call from what is stored of it, else from the branch. */
  open(sessionId: string): Promise<SessionWorktree>;
  /** Where that is, or will be. */
  rootOf(sessionId: string): string;
  /** A worktree with the files of the trusted base, in which `setup` runs. */
  openBase(): Promise<{ root: string; ignored(): Promise<string[]>; changed(): Promise<boolean> }>;
}

/** The worktree of a work branch. */
export interface Worktree {
  /** Absolute folder. */
  readonly root: string;
  /**
   * Worktrees of single sessions; `programs`: what is the program's, relative to `root` (folders with a slash at the end).
   * That is in this worktree alone.
   */
  sessions(programs: readonly string[]): SessionWorktrees;
  /**
   * Commits a task: a session's folder exactly as it stands (relative to `root`), what was changed outside the
   * sessions' folders, and what the session's own worktree has; false when nothing has changed. Where others changed the
   * same lines meanwhile, theirs stand.
   */
  commit(folder: string, message: string): Promise<boolean>;
  /**
   * Commits all that was changed, here and in the session's own worktree, with `always` also nothing; false when there
   * was no commit. A change of the file `notFor` (relative to `root`) alone waits for the next one.
   */
  commitAll(
    message: string,
    options?: { sessionId?: string; always?: boolean; notFor?: string },
  ): Promise<boolean>;
  /** Commits have a file (relative to `root`) as it is now until it is released; one hold at a time. */
  hold(path: string): HeldFile;
  /**
   * Who last changed a file (relative to `root`): `@login`, else the author's name in git. Undefined where that was a run,
   * or is further back than the branch's newest commits.
   */
  editorOf(path: string): Promise<string | undefined>;
}

// Where work is published: the repository, its work branch and its pull requests.

/** Trailer of every commit of a task: what is on a branch with it was pushed by a run. */
export const RUN_TRAILER = "Looplia-Run";
/** Trailer for each output that a step made, and for the task of a list. */
export const STEP_TRAILER = "Looplia-Step";

export type PullRequest = {
  number: number;
  url: string;
  state: "open" | "closed";
  title: string;
  body: string;
  /** Opened so by an earlier version, or made so by a person: it can't be merged. */
  isDraft: boolean;
};

/** All that decides whether a comment on it may have an effect. */
export type PullRequestDetails = PullRequest & {
  /** The head's branch, commit and repository (`owner/name`); undefined where a fork is gone. */
  branch: string;
  headSha: string;
  headRepository: string | undefined;
  base: string;
  isMerged: boolean;
  author: { id: number; login: string } | null;
};

/** Names; `reviewers` are logins or `@org/team`. */
export type ReviewRequest = Record<"labels" | "reviewers" | "assignees", readonly string[]>;

/** Pull requests of the repository. Fails with `host-failed`. */
export interface CodeHost {
  /** Open and closed ones whose head is `branch` of this repository, newest first. */
  pullRequestsOf(branch: string): Promise<PullRequest[]>;
  /** Undefined: there is no pull request of that number. */
  pullRequest(number: number): Promise<PullRequestDetails | undefined>;
  /** Open ones whose head is a branch of this repository with that prefix, newest first. */
  openPullRequests(prefix: string): Promise<(PullRequest & { branch: string })[]>;
  /**
   * Never a draft. An open one of the branch is returned as it is. Undefined: the branch has nothing that the base lacks,
   * also when it was looked at again some seconds later.
   */
  openPullRequest(request: {
    branch: string;
    base: string;
    title: string;
    body: string;
  }): Promise<PullRequest | undefined>;
  updatePullRequest(number: number, change: { title: string; body: string }): Promise<PullRequest>;
  /** Adds labels and assignees and requests reviews. Returns a sentence for each part that GitHub refused. */
  requestReview(number: number, wanted: ReviewRequest): Promise<string[]>;
}

/** As `permissions` of a workflow's job names them. */
export type Permission = "pull-requests: write" | "checks: write" | "actions: read";

/** What a token sees of a repository, and what it may do there. */
export type GithubFacts = {
  /** `owner/name` as GitHub writes it. */
  repository: string;
  isPublic: boolean;
  isArchived: boolean;
  /** What the token has or lacks; what this kind of token cannot be asked for is in neither. */
  has: Permission[];
  lacks: Permission[];
  /** The setting that lets workflows open pull requests; undefined: not told to this token. */
  mayActionsOpen: boolean | undefined;
};

/** The program's own clone of the remote, never the user's checkout. Fails with `host-failed`. */
export interface Repository {
  /** Its git folder. */
  readonly folder: string;
  defaultBranch(): Promise<string>;
  /** Commit id of a remote branch, or undefined when there is no such branch. */
  tipOf(branch: string): Promise<string | undefined>;
  /** Brings a commit here; `branch` is where to look when the remote does not give it by its id. */
  fetchCommit(commit: string, branch?: string): Promise<void>;
  /** Regular files below `folder` (empty: all), sorted; links and submodules are left out. `size` in bytes. */
  listFiles(commit: string, folder: string): Promise<{ path: string; oid: string; size: number }[]>;
  /** Bytes of blobs, in the order asked. */
  readBlobs(oids: readonly string[]): Promise<Uint8Array[]>;
  /** Settings and instructions as they are at a commit, below `folder` of it. */
  trustedFiles(commit: string, folder: string, label: string): TrustedFiles;
  /** Reads the state ref and where the branch stands, at one moment. Fails with `store-corrupt`, `host-failed`. */
  openStateRef(place: StateRefPlace): Promise<StateRef>;
  /** Works whose state refs begin with one of the prefixes, each once, in no order: their newest checkpoints. */
  storedWorks(prefixes: readonly string[]): Promise<StoredWork[]>;
  /** Where the state of a work is, at the first of these refs that is there; undefined where none is. */
  stateTip(stateRefs: readonly string[]): Promise<StateTip | undefined>;
  /**
   * Keeps the state under another ref and takes it away from its own, both or neither. The other ref. Fails with
   * `lost-race` where the state moved meanwhile.
   */
  setStateAside(tip: StateTip): Promise<string>;
  /** Deletes these state refs, which nothing needs any longer; those that are not there, or move meanwhile, are left. */
  removeStates(stateRefs: readonly string[]): Promise<void>;
  /** What the shards of a work keep beside its state. */
  shards(place: { stateRef: string; branch: string }): Shards;
  /** From now on this run pushes as shard `index` of `of`, each in its turn. */
  sharePushes(shard: { index: number; of: number }): void;
  /** The month's budget, beside the states of works, whose refs begin with `prefix`. */
  monthLedger(prefix: string): MonthLedger;
  /** What was left for a work, at whichever of the refs that its state may have; the first is that of a new work. */
  letters(stateRefs: readonly [string, ...string[]]): Letters;
}

export type StateTip = { ref: string; commit: string };

/** The newest checkpoint of a work: when it was made (ISO 8601), and how it is called. */
export type StoredWork = { workId: string; at: string; message: string };

// What is left for whoever has a work: words that came with an event and stand nowhere else.

export type Letter = {
  /** Names it among those of its work. */
  id: string;
  text: string;
};

/** The letters of one work. Fails with `host-failed`. */
export interface Letters {
  /** Durable when it resolves: a run that has the work finds it in its last look at the inbox. */
  leave(text: string): Promise<void>;
  /** Those that nobody has removed, oldest first; the first hundred. */
  list(): Promise<Letter[]>;
  /** Those that are gone already are no failure. */
  remove(letters: readonly Letter[]): Promise<void>;
}

/** A shard's newest checkpoint (`state`, `message` its subject) and its branch; `name`: `shard-<run id>-<index>`. */
export type StoredShard = { name: string; state: string; branch: string | undefined; message: string };

/** Plans and shards of one work. Fails with `host-failed`. */
export interface Shards {
  /** Keeps the plan of a run (its id); a later one of the same run takes its place. */
  savePlan(run: string, text: string): Promise<void>;
  readPlan(run: string): Promise<string | undefined>;
  /** The newest checkpoint of the work's own state, brought here; undefined where it has none. */
  ownState(): Promise<string | undefined>;
  /** Shards that have a state on the remote; their commits are here then. */
  list(): Promise<StoredShard[]>;
  /** Takes away all plans, and these shards where nobody has pushed to them since. */
  remove(shards: readonly StoredShard[]): Promise<void>;
}
