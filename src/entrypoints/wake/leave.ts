// What is left to do for a run that did not get to its end: its claim is given back, and the pull request shows how the
// work stands. No agent runs here.
import { createClaim } from "./claim.ts";
import { closeWork } from "./close-work.ts";
import { finish } from "./finish.ts";
import { openWork } from "./open-work.ts";
import { findOwed, isOwed } from "./owed.ts";
import { runWork } from "./run-work.ts";
import { unreadComments } from "./unread.ts";
import { claimIdOf, type WakeRun } from "./wake-run.ts";

/** Does nothing where another run has the work, or nothing is left; a `dry-run` left nothing. */
export async function leaveWork(from: WakeRun): Promise<void> {
  const opened = await openWork(from);
  const { run, work } = opened;
  try {
    if (run.found.settings.dryRun || (await closeWork(run, work))) return;
    const { pullRequest } = run.work;
    // The run may have died between a comment and the record of it.
    if (pullRequest) await unreadComments(work, run.discussion, pullRequest.number);
    const { claim: standing } = work.state;
    const isOurs = standing?.run === claimIdOf(run);
    const isLeft = standing === undefined && isOwed(findOwed(work.state, await work.questions()));
    if (!isOurs && !isLeft) return;
    const claim = createClaim(run, work, { alongside: [], whenTaken: async () => {} });
    const { all } = await runWork(run, opened, claim, { onlyTells: true });
    const outcome = { status: "stopped", reasonCode: "interrupted" } as const;
    await finish(run, opened, claim, { all, reported: all, outcome, hasRun: false });
  } finally {
    await opened.close();
  }
}
