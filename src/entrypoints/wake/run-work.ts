// Runs what can go on in a work, and tells how the rest of it stands.
import { join } from "node:path";
import { Cancellations } from "../../agent/cancellations.ts";
import { type ItemResult, summarizeItems } from "../../content/item-result.ts";
import type { Worktree } from "../../ports/state-ref.ts";
import type { Host } from "../../ports.ts";
import { startersOf } from "../../trigger/starters.ts";
import { bringSessions } from "../action/bring-sessions.ts";
import { type Outcome, outcomeOf, settle } from "../action/outcome.ts";
import { rememberBaseList, reportBaseEdits } from "./base-list.ts";
import type { Claim } from "./claim.ts";
import { createPullRequestHost } from "./host.ts";
import { listenForCancel } from "./listen.ts";
import { createMayDecide } from "./may-decide.ts";
import type { OpenedWork } from "./open-work.ts";
import { followProgress } from "./progress.ts";
import { runIdOf, type WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";
import { type How, mayRun, triggerOf, type WorkTrigger } from "./work-trigger.ts";

export type Ran = {
  outcome: Outcome;
  /** Every item and session of the work. */
  all: readonly ItemResult[];
  /** What ran, or where nothing did what there is. */
  reported: readonly ItemResult[];
  hasRun: boolean;
};

/** The work is claimed when the first session has something to do. Failures of the run are its outcome. */
export async function runWork(run: WakeRun, opened: OpenedWork, claim: Claim, how: How): Promise<Ran> {
  const { work, fence, stateFolder } = opened;
  const { settings, folder, trusted, baseCommit } = run.found;
  const worktree = await work.stateRef.openWorktree();
  const { branchTip } = work.stateRef;
  if (branchTip !== undefined && run.work.kind === "content") {
    await bringSessions({ ...run, base: baseCommit, branch: branchTip, folder, root: worktree.root });
  }
  await reportBaseEdits(run, work);
  const trigger = await triggerOf(run, work, how);
  const progress = followProgress(run, work, claim);
  const host = hostOf(run, work, worktree, progress.soon);
  const openStore = async () => {
    await claim.take();
    await rememberBaseList(run, work);
    return work.store;
  };
  const cancellations = new Cancellations();
  const listening = listenForCancel(run, work, cancellations);
  let all: readonly ItemResult[] = [];
  const outcome = await settle(async (): Promise<Outcome> => {
    const result = await run.wiring.runTrigger(
      {
        root: join(worktree.root, folder),
        stateFolder,
        settings,
        environment: run.environment,
        trusted,
        host,
        startedBy: startersOf(work.state, [...ledBy(run), ...(how.spokenBy ?? [])]),
        observe: run.observe,
        signal: AbortSignal.any([run.signal, fence]),
        readSource: run.items.read,
        openStore,
        cancellations,
      },
      trigger,
    );
    all = result.items;
    return result;
  }, outcomeOf);
  work.forget();
  await Promise.all([progress.stop(), listening.stop()]);
  return summarize(trigger, all, outcome);
}

function hostOf(run: WakeRun, work: WorkInHand, worktree: Worktree, soon: () => void): Host {
  return createPullRequestHost({
    work,
    worktree,
    folder: run.found.folder,
    isRehearsal: run.found.settings.provider === "offline",
    run: runIdOf(run),
    redact: run.wiring.redact,
    mayDecide: createMayDecide(run),
    whenAsked: soon,
    whenEnded: soon,
  });
}

function ledBy({ startedBy, rerunBy }: WakeRun): string[] {
  return rerunBy === undefined ? [startedBy] : [startedBy, rerunBy];
}

function summarize(trigger: WorkTrigger, all: readonly ItemResult[], outcome: Outcome): Ran {
  if (all.length === 0) return { outcome, all, reported: [], hasRun: false };
  const ran = all.filter((item) => mayRun(trigger, item));
  if (ran.length > 0) return { outcome: summarizeItems(ran), all, reported: ran, hasRun: true };
  const isWaiting = all.some((item) => item.status === "waiting");
  const idle: Outcome = isWaiting
    ? { status: "waiting", reasonCode: "open-questions" }
    : { status: "completed", reasonCode: "up-to-date" };
  return { outcome: idle, all, reported: all, hasRun: false };
}
