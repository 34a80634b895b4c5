// Where work is published: the repository, its work branch and its pull requests.
import type { TrustedFiles } from "../ports.ts";
import type { Letters } from "./letters.ts";
import type { StateRef, StateRefPlace } from "./state-ref.ts";

/** Trailer of every commit of a task: what stands on a branch with it was pushed by a run. */
export const RUN_TRAILER = "Looplia-Run";

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
  /** What was left for a work, at whichever of the refs that its state may have; the first is that of a new work. */
  letters(stateRefs: readonly [string, ...string[]]): Letters;
}

/** The newest checkpoint of a work: when it was made (ISO 8601), and how it is called. */
export type StoredWork = { workId: string; at: string; message: string };
