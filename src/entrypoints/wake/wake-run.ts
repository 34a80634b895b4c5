// What a wake has in hand: the surroundings of the run, the repository, and the work that it is about.

import type { ItemResult } from "../../content/item-result.ts";
import type { Discussion } from "../../ports/discussion.ts";
import type { CodeHost, Repository } from "../../ports/repository.ts";
import type { Report } from "../../publish/report.ts";
import type { Work } from "../action/choose-work.ts";
import type { Found } from "../action/find-settings.ts";
import type { Items } from "../action/items.ts";
import type { Job, LeftWork, Told } from "../action/job.ts";
import type { Outcome } from "../action/outcome.ts";
import type { StatusEdits } from "./status-edits.ts";

export type WakeRun = Job & {
  repository: Repository;
  /** Another clone in a folder of its own: a work is opened once in each. */
  openRepository(temporary: string): Promise<Repository>;
  host: CodeHost;
  discussion: Discussion;
  found: Found;
  work: Work;
  /** `content` runs the items, `tasks` the list; `respond` only what people or crashes left to go on with. */
  kind: "content" | "tasks" | "respond";
  items: Items;
  told: Told;
  /** ISO 8601 */
  startedAt: string;
  /** Who started the run, as an actor. */
  startedBy: string;
  /** Who else had it run again. */
  rerunBy?: string;
  statusEdits: StatusEdits;
  /** Works of this process whose pull requests do not show yet how it ended, its current one last. */
  unshown: LeftWork[];
};

/** What a projection tells beside what is stored. */
export type Telling = {
  report: Report;
  /** ISO 8601, while the run is still at work. */
  runningSince?: string;
};

/** How one round of a wake ended. */
export type Round = {
  outcome: Outcome;
  /** What ran, or where nothing did what there is. */
  reported: readonly ItemResult[];
  /** False: commands were read, and nothing could go on. */
  hasRun: boolean;
  /** False: it could not be shown, or the work could not be given back. */
  hasEnded: boolean;
  /** Something came in while this round was at work. */
  hasNews: boolean;
};

/** `<run id>.<attempt>` */
export function runIdOf({ facts }: Pick<WakeRun, "facts">): string {
  return `${facts.runId}.${facts.attempt}`;
}

/** Who holds a claim: `<run id>.<attempt>.<claimant>`; two jobs of one run are two. */
export function claimIdOf(run: Pick<WakeRun, "facts" | "claimant">): string {
  return `${runIdOf(run)}.${run.claimant}`;
}

/** The page of the run on GitHub. */
export function runUrlOf({ facts }: Pick<WakeRun, "facts">): string {
  return `${facts.serverUrl}/${facts.repository}/actions/runs/${facts.runId}`;
}
