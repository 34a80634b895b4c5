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

/**
 * State ref and work branch of one work. Calls are carried out one at a time. Nothing else of the program pushes
 * either ref.
 */
export interface StateRef {
  /** The checkpoint that the work goes on from; undefined for a work that has none yet. */
  readonly last: Checkpoint | undefined;
  /** True once this run's checkpoint stands on the remote. */
  readonly isOurs: boolean;
  /**
   * Seals the stores, commits what the worktree has and pushes both refs at once; a person's push to the branch is merged
   * (theirs stands in a conflict, and is told by `conflicts`). Resolves when it stands on the remote.
   *
   * Fails with `lost-race` where another run's checkpoint is there, `closed` where the branch is gone, else `host-failed`.
   */
  checkpoint(message: string): Promise<{ checkpoint: Checkpoint; conflicts: string[] }>;
}
