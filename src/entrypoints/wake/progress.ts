// While a run is at work its questions are asked and its status comment follows: a minute's work is not shown twice.

import { LoopliaError } from "../../errors.ts";
import type { Claim } from "./claim.ts";
import { project } from "./project.ts";
import { openPullRequest } from "./pull-request.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

const SOON_MS = 20_000;
const EVERY_MS = 5 * 60_000;

export type Progress = {
  soon(): void;
  /** Resolves when nothing more is shown. */
  stop(): Promise<void>;
};

/** Says that the run is at work, where there is a pull request. A failure is told, and stops nothing. */
export async function showProgress(run: WakeRun, work: WorkInHand): Promise<void> {
  const { told } = run;
  const report = { ...told, status: "stopped", reasonCode: "interrupted" } as const;
  const runningSince = run.startedAt;
  await project(run, work, { report, runningSince });
}

/** What GitHub fails at here is shown at the end: it keeps nothing from being run. Other failures are passed on. */
export async function showInPassing(run: WakeRun, show: () => Promise<void>): Promise<void> {
  try {
    await show();
  } catch (thrown) {
    if (!(thrown instanceof LoopliaError) || thrown.code !== "host-failed") throw thrown;
    run.observe({ type: "notice", level: "info", message: `not shown yet: ${thrown.message}` });
  }
}

/** A checkpoint every five minutes, and soon after a question or a task what is new of it on the pull request. */
export function followProgress(run: WakeRun, work: WorkInHand, claim: Claim): Progress {
  let showing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const show = async (): Promise<void> => {
    if (isOver) return;
    work.forget();
    const asks = (await work.openQuestions()).length > 0;
    if (!asks && !run.work.pullRequest) return;
    await work.checkpoint("chore: save work in progress");
    const report = { ...run.told, status: "waiting", reasonCode: "open-questions" } as const;
    if (asks) await openPullRequest(run, work, report);
    await showProgress(run, work);
  };
  const every = setInterval(() => {
    if (claim.isTaken) work.stateRef.checkpointSoon("chore: save work in progress");
  }, EVERY_MS);
  every.unref();
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        // One after the other: the last is the one that is waited for. Shown again at the end, and told then.
        showing = showing.then(show).catch(() => undefined);
      }, SOON_MS);
      timer.unref();
    },
    async stop() {
      isOver = true;
      clearInterval(every);
      clearTimeout(timer);
      await showing;
    },
  };
}
