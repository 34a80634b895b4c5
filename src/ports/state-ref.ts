// The durable state of a work on the remote: an orphan history of checkpoints (DURABILITY, "A checkpoint is the only
// durable write on a runner").
import type { LoopliaError } from "../errors.ts";
import type { HeldFile } from "../ports.ts";
import type { AuditHead } from "../session/audit.ts";
import type { ConflictFile } from "../session/interaction.ts";

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
};

/**
 * State ref and work branch of one work. Calls are carried out one at a time. Nothing else of the program pushes
 * either ref.
 */
export interface StateRef {
  /** The newest checkpoint known: the one that the work goes on from; undefined for a work that has none yet. */
  readonly last: Checkpoint | undefined;
  /** True while this run's checkpoint is the newest one known. */
  readonly isOurs: boolean;
  /** Where the branch stands on the remote, as far as known; undefined when it is not there. */
  readonly branchTip: string | undefined;
  /** The worktree of the branch, made at the first call; what it has is part of every checkpoint from then on. */
  openWorktree(): Promise<Worktree>;
  /**
   * Seals the stores, commits what the worktree has and pushes both refs at once; a person's push to the branch is merged
   * (theirs stands in a conflict). Resolves when it stands on the remote. What waits for its
   * turn is joined by later calls. Where nothing is new since this run's last one there is no other, unless that is some
   * minutes old.
   *
   * Fails with `lost-race` where another run's checkpoint is there, `closed` where the branch is gone, else `host-failed`.
   */
  checkpoint(message: string, options?: CheckpointOptions): Promise<Checkpoint>;
  /** A checkpoint soon, for what may be lost: several are one, and any other that comes before does instead. */
  checkpointSoon(message: string): void;
  /** What `work` records and commits is in one checkpoint: none looks while it runs. `work` must not wait for one. */
  together(work: () => Promise<void>): Promise<void>;
}

/** The worktree of a work branch. */
export interface Worktree {
  /** Absolute folder. */
  readonly root: string;
  /**
   * Commits a task: a session's folder exactly as it stands (relative to `root`), and what was changed outside the
   * sessions' folders; false when nothing has changed.
   */
  commit(folder: string, message: string): Promise<boolean>;
  /**
   * Commits all that was changed, with `always` also nothing; false when there was no commit. A change of the file
   * `notFor` (relative to `root`) alone waits for the next one.
   */
  commitAll(message: string, options?: { always?: boolean; notFor?: string }): Promise<boolean>;
  /** Commits have a file (relative to `root`) as it is now until it is released; one hold at a time. */
  hold(path: string): HeldFile;
  /**
   * Who last changed a file (relative to `root`): `@login`, else the author's name in git. Undefined where that was a run,
   * or is further back than the branch's newest commits.
   */
  editorOf(path: string): Promise<string | undefined>;
}
