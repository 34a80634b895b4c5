// Ports to GitHub and git (discussion, pull requests, state ref, letters), and to MCP servers.

import type { LoopliaError } from "./errors.ts";
import type { DomainEvent, ToolDefinition, WorkEvent } from "./events.ts";
import type { ConflictFile } from "./interaction.ts";
import type { AuditHead } from "./lines.ts";
import type { MonthLedger } from "./money/ledger.ts";
import type { FileKey, HeldFile, TrustedFiles } from "./ports.ts";

/** The author as GitHub reports it; null for a deleted account. */
export type CommentAuthor = { id: number; login: string; isBot: boolean } | null;

export type PullComment = {
  id: number;
  url: string;
  author: CommentAuthor;
  /** The GitHub App that posted the comment, if any. */
  app?: { id: number; slug: string };
  body: string;
  /** ISO 8601; `updatedAt` differs once the comment was edited. */
  createdAt: string;
  updatedAt: string;
};

/** From least to most permission; `none` also when the account is unknown. */
export type Role = "none" | "read" | "triage" | "write" | "maintain" | "admin";

type Reaction = "eyes" | "rocket" | "confused";

export type CheckRun = {
  headSha: string;
  /** Updates this check instead of creating another. */
  id?: number;
  /** The commit surely has no check of this name yet, so none is looked up. */
  isFirst?: boolean;
  name: string;
  /** `neutral` while a question is open. */
  conclusion: "neutral" | "success" | "failure" | "cancelled";
  title: string;
  /** Markdown. */
  summary: string;
  detailsUrl: string;
};

/** Comments, reactions, checks and permissions of one repository. Fails with `host-failed`. GitHub counts calls. */
export interface Discussion {
  /** Comments of a pull request created at or after `since` (ISO 8601), oldest first. */
  comments(pullRequest: number, since?: string): Promise<PullComment[]>;
  /** Comments on everything in the repository that changed at or after `since` (ISO 8601), with their numbers. */
  recentComments(since: string): Promise<(PullComment & { number: number })[]>;
  /** Posts at most once: if GitHub's response was lost, returns the comment that exists. */
  postComment(pullRequest: number, body: string): Promise<PullComment>;
  /** Undefined if the comment was deleted. */
  editComment(id: number, body: string): Promise<PullComment | undefined>;
  /** Adding the same reaction twice leaves one reaction. */
  react(commentId: number, reaction: Reaction): Promise<void>;
  /** The account's current role in the repository, and its current id on GitHub. */
  permissionOf(login: string): Promise<{ role: Role; userId: number | undefined }>;
  /** Fails with `config-invalid` when the token can't read teams. */
  isTeamMember(team: { org: string; slug: string }, login: string): Promise<boolean>;
  /** Whether this attempt of a workflow run is still running; undefined when that can't be read. */
  isRunLive(runId: string, attempt: string): Promise<boolean | undefined>;
  /** The check's id, or undefined when the token may not write checks. */
  saveCheck(check: CheckRun): Promise<number | undefined>;
}

// The durable state of a work on the remote: an orphan history of checkpoints (DURABILITY, "A checkpoint is
// the only durable write on a runner").

export type Checkpoint = {
  /** Commit of the state ref. */
  commit: string;
  /** Commit of the work branch that belongs to the checkpoint. */
  work: string;
  /** The run that made it: `<run id>.<attempt>`. */
  run: string;
  /** ISO 8601, the committer's clock. */
  at: string;
};

export type StateRefPlace = {
  /** `<state-ref-prefix><work-id>` */
  ref: string;
  /** Refs of earlier versions. A state found at one of them stays there. */
  formerRefs?: readonly string[];
  branch: string;
  /** Commit at which a new branch begins. */
  base: string;
  /** Files of a former work for a new one, as trees or commits that are in the clone. */
  takes?: TreePair;
  /** Unfinished files of sessions that come from another state of this work, in the clone; undefined for none. */
  trees?: ReadonlyMap<string, TreePair | undefined>;
  /** The work's state folder on this machine, absolute and empty: the state ref is unpacked into it. */
  folder: string;
  /** `<run id>.<attempt>` */
  run: string;
  /** Ends the stores' segments and holds back appends while `whileSealed` runs (`WorkLog.seal`). */
  seal(whileSealed: () => Promise<void>): Promise<void>;
  /** Called while the stores are sealed: each checkpoint's message names them (`WorkLog.auditHeads`). */
  auditHeads(): ReadonlyMap<string, AuditHead>;
  /** Called once, as soon as the run can store nothing more: `lost-race` or `closed`. */
  whenLost(error: LoopliaError): void;
  /** Called before a merge with conflicting files is pushed; its checkpoint has the events recorded here. */
  whenConflict(files: readonly ConflictFile[]): Promise<void>;
  /** Reports what a checkpoint left out or had to settle, one sentence each, once. */
  notice(message: string): void;
  /** Makes the branch's commits on the server; absent if git pushes those that it made here. */
  makeCommit?: CodeHost["makeCommit"] | undefined;
};

export type CheckpointOptions = {
  /** Skips the queue of six pushes a minute, because seconds count. */
  isUrgent?: boolean;
  /** Leaves branch and worktree alone, for a work whose branch is gone. */
  stateOnly?: boolean;
  /** No step is unfinished: changes that no step has committed are committed too. */
  isWhole?: boolean;
};

/**
 * State ref and work branch of one work. Calls run one at a time. Nothing else in the program pushes either
 * ref.
 */
export interface StateRef {
  /** The newest known checkpoint, from which the work continues; undefined for a new work. */
  readonly last: Checkpoint | undefined;
  /** True while this run's checkpoint is the newest known. */
  readonly isOurs: boolean;
  /** The branch's commit on the remote, as far as known; undefined when the branch does not exist. */
  readonly branchTip: string | undefined;
  /** The branch's commit on the remote, or the tree with unfinished changes on top. */
  readonly filesTip: string | undefined;
  /** The tree with all that runs made, as the state has it: also of a branch that was deleted. */
  readonly madeTree: string | undefined;
  /** Uncommitted changes in a session's own worktree; undefined if there are none. */
  changesOf(sessionId: string): Promise<SessionChanges | undefined>;
  /** Files of finished steps that a rewrite of the branch removed; a person decides about them. */
  readonly removed: readonly ConflictFile[];
  /**
   * Restores the removed files with the next checkpoint as one commit (in a conflict, the branch's version
   * wins), or leaves them out.
   */
  settleRemoved(how: "restore" | "keep"): Promise<void>;
  /** The branch's worktree, created at the first call; from then on every checkpoint includes its files. */
  openWorktree(): Promise<Worktree>;
  /**
   * Seals the stores and pushes both refs atomically: finished steps to the branch, unfinished changes to the
   * state. Rebases unpushed commits onto what people pushed, whose version wins a conflict. Resolves when the
   * push is on the remote. Calls that arrive while one waits for its turn share its push. Without changes
   * since this run's last checkpoint nothing is pushed, unless that one is some minutes old.
   *
   * Fails with `lost-race` when another run has made a checkpoint, `closed` when the branch is gone, else
   * `host-failed`.
   */
  checkpoint(message: string, options?: CheckpointOptions): Promise<Checkpoint>;
  /** Merges what others pushed, as a checkpoint does. Never fails: the next checkpoint tries again. */
  bringIn(): Promise<void>;
  /**
   * Schedules a checkpoint for records that could be lost. Repeated calls, and any earlier checkpoint, merge
   * into one.
   */
  checkpointSoon(message: string): void;
  /**
   * Puts everything that `work` records and commits into one checkpoint; none is made while it runs. `work`
   * must not wait for a checkpoint.
   */
  together(work: () => Promise<void>): Promise<void>;
}

/** `diff`: text changes of some of the files, cut when it is long. */
export type SessionChanges = { files: { path: string; kind: "new" | "changed" | "removed" }[]; diff: string };

/** Ids of git trees: the base of a session's changes, and its files after its last recorded call. */
export type TreePair = { base: string; worktree: string };

/** What in a text looks like a key that nobody told the program of, and its kind. */
export type FindKeys = (text: string) => Promise<{ key: string; kind: string }[]>;

/** A session's own worktree. Calls must not overlap with a command in it. */
export interface SessionWorktree {
  /** Absolute folder. */
  readonly root: string;
  /** Files that can't be stored and are lost with the runner, one sentence each. */
  readonly leftOut: readonly string[];
  /** In the files of the last `keep`, without those of `allowKeys` and of `approved`, which is let in as well. */
  newKeys(approved: readonly string[]): Promise<FileKey[]>;
  /** Tree id of the current files. `pending`: texts that replace files (relative to `root`). */
  capture(pending?: ReadonlyMap<string, string>): Promise<string>;
  /** Stores these files as the session's from the next checkpoint on. */
  keep(tree: string): void;
  /** Merges others' changes from the branch. Conflicting lines are left for the end of the step. */
  refresh(): Promise<void>;
  /** Removes the folder, and its stored files if no change is uncommitted and `isNeeded` is false. */
  leave(isNeeded: boolean): Promise<void>;
}

/** The worktrees of sessions that edit files or run commands. */
export interface SessionWorktrees {
  /** Whether the state already has the session's files. */
  isStored(sessionId: string): boolean;
  /** The session's worktree, created at the first call from its stored files, else from the branch. */
  open(sessionId: string): Promise<SessionWorktree>;
  /** The worktree's folder, which may not exist yet. */
  rootOf(sessionId: string): string;
  /** A worktree with the files of the trusted base, in which `setup` runs. */
  openBase(): Promise<{ root: string; ignored(): Promise<string[]>; changed(): Promise<boolean> }>;
}

/** The worktree of a work branch. */
export interface Worktree {
  /** Absolute folder. */
  readonly root: string;
  /**
   * Worktrees of single sessions. `programs`: the program's own paths, relative to `root` (folders end with a
   * slash), which exist only in this worktree.
   */
  sessions(programs: readonly string[]): SessionWorktrees;
  /** Lets keys into commits, by the ids that `newKeys` gave them. */
  allowKeys(ids: readonly string[]): void;
  /**
   * Commits a task: the session's folder exactly as it is (relative to `root`), changes outside the sessions'
   * folders, and changes in the session's own worktree. In a conflict, others' version wins. False when
   * nothing has changed.
   */
  commit(folder: string, message: string): Promise<boolean>;
  /**
   * Commits all changes, here and in the session's own worktree; with `always`, makes a commit even without
   * changes. False when no commit was made. A change only to the file `notFor` (relative to `root`) waits for
   * the next commit.
   */
  commitAll(
    message: string,
    options?: { sessionId?: string; always?: boolean; notFor?: string },
  ): Promise<boolean>;
  /** Commits contain a file (relative to `root`) as it is now until it is released; one hold at a time. */
  hold(path: string): HeldFile;
  /**
   * Who last changed a file (relative to `root`): `@login`, else the author's name in git. Undefined if a run
   * changed it last, or the change is older than the branch's newest commits.
   */
  editorOf(path: string): Promise<string | undefined>;
}

/** Folder of a work's worktree below a run's folder; with `-of-<session>`, of a session's own. */
export const WORKTREE = "worktree";

// Where work is published: the repository, its work branch and its pull requests.

/** Trailer of every commit of a task: a run pushed the commits that carry it. */
export const RUN_TRAILER = "Looplia-Run";
/** Trailer with one output that a step made, or with the task of a list. */
export const STEP_TRAILER = "Looplia-Step";

export type PullRequest = {
  number: number;
  url: string;
  state: "open" | "closed";
  title: string;
  body: string;
  /** A draft can't be merged. An earlier version or a person may have made it one. */
  isDraft: boolean;
  /** This process opened it: nobody but this process made comments of ours or checks for it. */
  isNew?: true;
};

type PullRequestOf = PullRequest & { branch: string };

/** Everything that decides whether a comment on the pull request may have an effect. */
export type PullRequestDetails = PullRequest & {
  /** The head's branch, commit and repository (`owner/name`); undefined when a fork is gone. */
  branch: string;
  headSha: string;
  headRepository: string | undefined;
  base: string;
  isMerged: boolean;
  author: { id: number; login: string } | null;
};

/** Names; `reviewers` are logins or `@org/team`. */
export type ReviewRequest = Record<"labels" | "reviewers" | "assignees", readonly string[]>;

/** `base`, `tree`: the trees of the parent and of the commit. `changes`: what differs between them. */
export type CommitRequest = Record<"message" | "parent" | "base" | "tree", string> & {
  changes: readonly {
    path: string;
    /** Undefined: removed. `read` has the bytes if the server does not. */
    file: { mode: string; oid: string; read: (() => Promise<Uint8Array>) | undefined } | undefined;
  }[];
};

/** Pull requests of the repository. Fails with `host-failed`. */
export interface CodeHost {
  /** Makes a commit that no ref points to; `isSigned`: by GitHub, in the name of the token's app. */
  makeCommit(request: CommitRequest): Promise<{ commit: string; isSigned: boolean }>;
  /** Open and closed pull requests whose head is `branch` of this repository, newest first. */
  pullRequestsOf(branch: string): Promise<PullRequest[]>;
  /** Open and closed ones by prefix, from the newest `pages` of 100; `isWhole`: there are no older ones. */
  recentPullRequests(prefix: string, pages: number): Promise<{ found: PullRequestOf[]; isWhole: boolean }>;
  /** Undefined: no pull request has that number. */
  pullRequest(number: number): Promise<PullRequestDetails | undefined>;
  /** Open pull requests whose head is a branch of this repository with that prefix, newest first. */
  openPullRequests(prefix: string): Promise<PullRequestOf[]>;
  /**
   * Opens a pull request, never as a draft, or returns the branch's open one unchanged. Undefined: the branch
   * has no commits ahead of the base, even when checked again some seconds later.
   */
  openPullRequest(
    request: Record<"branch" | "base" | "title" | "body", string>,
  ): Promise<PullRequest | undefined>;
  updatePullRequest(number: number, change: { title: string; body: string }): Promise<PullRequest>;
  /** Adds labels and assignees and requests reviews. Returns a sentence for each part that GitHub refused. */
  requestReview(number: number, wanted: ReviewRequest): Promise<string[]>;
  /** Starts a workflow of this repository; `file` is its name without a folder, `ref` a branch or tag. */
  startWorkflow(start: Record<"file" | "ref", string> & { inputs: Record<string, string> }): Promise<void>;
  /** `endsAt`: as GitHub's last answer told. `isApp`: the job's own token, or another app's. */
  tokenLife(): Promise<{ endsAt?: Date; isApp: boolean }>;
}

/** As `permissions` of a workflow's job names them. */
export type Permission = "pull-requests: write" | "checks: write" | "actions: read";

/** What a token can see and do in a repository. */
export type GithubFacts = {
  /** `owner/name` as GitHub writes it. */
  repository: string;
  isPublic: boolean;
  isArchived: boolean;
  /** Permissions that the token has or lacks; those that its kind can't tell are in neither list. */
  has: Permission[];
  lacks: Permission[];
  /** The setting that lets workflows open pull requests; undefined: the token can't read it. */
  mayActionsOpen: boolean | undefined;
  /** Names of the secrets that workflows get; `isWhole`: the organisation's too. Undefined: the token can't list them. */
  secrets: { names: string[]; isWhole: boolean } | undefined;
};

/** The program's own clone of the remote, never the user's checkout. Fails with `host-failed`. */
export interface Repository {
  /** The clone's git folder. */
  readonly folder: string;
  defaultBranch(): Promise<string>;
  /** Commit id of a remote branch, or undefined when the branch does not exist. */
  tipOf(branch: string): Promise<string | undefined>;
  /** Fetches the tip of a branch and returns its id; undefined when the branch does not exist. */
  fetchBranch(branch: string): Promise<string | undefined>;
  /** Fetches a commit; `branch` is fetched instead when the remote does not serve the commit by its id. */
  fetchCommit(commit: string, branch?: string): Promise<void>;
  /** Regular files below `folder` (empty: all), sorted, without links and submodules. */
  listFiles(commit: string, folder: string): Promise<{ path: string; oid: string }[]>;
  /** Paths of the links below `folder`, sorted. */
  listLinks(commit: string, folder: string): Promise<string[]>;
  /** Contents of blobs, in the given order. */
  readBlobs(oids: readonly string[]): Promise<Uint8Array[]>;
  /** The content of a blob; undefined for one of more than `most` bytes. */
  readFile(oid: string, most: number): Promise<Uint8Array | undefined>;
  /** Sizes of blobs in bytes, by id. */
  sizesOf(oids: readonly string[]): Promise<Map<string, number>>;
  /** Settings and instructions at a commit, below its `folder`. */
  trustedFiles(commit: string, folder: string, label: string): TrustedFiles;
  /** Writes all files of a commit, byte for byte, into an empty folder (an absolute path). */
  writeFiles(commit: string, folder: string): Promise<void>;
  /** Reads the state ref and the branch's tip at one moment. Fails with `store-corrupt` or `host-failed`. */
  openStateRef(place: StateRefPlace): Promise<StateRef>;
  /** Newest checkpoints of works whose state refs begin with one of the prefixes, each work once, unordered. */
  storedWorks(prefixes: readonly string[]): Promise<StoredWork[]>;
  /** The unfinished files of the sessions in a state that was fetched. */
  sessionTrees(state: string): Promise<ReadonlyMap<string, TreePair>>;
  /** The state of a work, at the first of these refs that exists; undefined if none does. */
  stateTip(stateRefs: readonly string[]): Promise<StateTip | undefined>;
  /**
   * Moves the state to another ref atomically and returns that ref. Fails with `lost-race` when the state
   * moved meanwhile.
   */
  setStateAside(tip: StateTip): Promise<string>;
  /** Deletes state refs that are no longer needed. Refs that are missing or move meanwhile are skipped. */
  removeStates(stateRefs: readonly string[], commits: ReadonlySet<string>): Promise<void>;
  /** The refs that a work's shards keep beside its state. */
  shards(place: { stateRef: string; branch: string }): Shards;
  /** From now on this run pushes as shard `index` of `of`, each in its own time slot. */
  sharePushes(shard: { index: number; of: number }): void;
  /** The month's budget, stored beside the works' states, whose refs begin with `prefix`. */
  monthLedger(prefix: string): MonthLedger;
  /** Letters for a work, at any ref that its state may have; a new work uses the first one. */
  letters(stateRefs: readonly [string, ...string[]]): Letters;
}

export type StateTip = { ref: string; commit: string };

/** The newest checkpoint of a work: when it was made (ISO 8601), and its message. */
export type StoredWork = { workId: string; commit: string; at: string; message: string };

// Letters carry text to the run that holds a work. The text came with an event and is stored nowhere else.

export type Letter = {
  /** Unique among the letters of a work. */
  id: string;
  text: string;
};

/** The letters of one work. Fails with `host-failed`. */
export interface Letters {
  /** Durable when it resolves: the run that holds the work finds the letter when it last checks the inbox. */
  leave(text: string): Promise<void>;
  /** Letters that have not been removed, oldest first; at most 100. */
  list(): Promise<Letter[]>;
  /** Letters that are already gone are no failure. */
  remove(letters: readonly Letter[]): Promise<void>;
}

/** A shard's newest checkpoint (`message`: its subject) and branch; `name` is `shard-<run id>-<index>`. */
export type StoredShard = { name: string; state: string; branch: string | undefined; message: string };

/** Fails with `host-failed`. */
export interface Shards {
  /** Replaces the plans of all runs, one run at a time; undefined for no plan. Returns what is stored then. */
  changePlans(
    change: (text: string | undefined) => string | undefined | Promise<string | undefined>,
  ): Promise<string | undefined>;
  /** Fetches the newest checkpoint of the work's own state; undefined if it has none. */
  ownState(): Promise<string | undefined>;
  /** Shards that have a state on the remote, with their commits fetched. */
  list(): Promise<StoredShard[]>;
  /** Removes each of these shards unless it was pushed to since. */
  remove(shards: readonly StoredShard[]): Promise<void>;
}

/** The MCP servers that the settings name. They start when first needed. */
export interface ToolServers {
  readonly names: readonly string[];
  /** Their tools, in a fixed order. An unreachable server is left out with a notice to people. */
  definitions(): Promise<readonly ToolDefinition[]>;
  /** The address or command behind a tool, for people. Undefined when the settings name no such server. */
  placeOf(tool: string): string | undefined;
  /** `isError` also when the server died, timed out or dropped the tool. Throws only AbortErrors. */
  call(
    tool: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
}

/** Read-only view of a work; sessions are keyed by id. */
export type WorkReading = {
  /** Events of the work's own log. */
  events: WorkEvent[];
  sessions: Map<string, SessionReading>;
};

type SessionReading = {
  events: DomainEvent[];
  /** The audit log's line count and the hash of its last line. */
  auditHead: AuditHead;
};
