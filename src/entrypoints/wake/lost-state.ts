// A pull request that is open, and the state of its work is not there: somebody deleted the ref.
import { LoopliaError } from "../../errors.ts";
import { isOurDescription } from "../../publish/pull-request.ts";
import type { Outcome } from "../action/outcome.ts";
import { stateRefsOf } from "../action/state-refs.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/**
 * Fails with `store-corrupt` where somebody wants to go on with a work whose state is gone; a run that begins with its
 * items is only warned. An outcome: there never was a work here. Undefined: all is well.
 */
export function findLostState(run: WakeRun, { stateRef }: WorkInHand): Outcome | undefined {
  const { pullRequest, workId } = run.work;
  if (stateRef.last !== undefined || pullRequest?.state !== "open") return undefined;
  if (!isOurDescription(pullRequest.body, workId)) {
    if (run.kind !== "respond") return undefined;
    const message = `pull request ${pullRequest.number} carries no work of looplia`;
    return { status: "ignored", reasonCode: "no-command", message };
  }
  const [ref] = stateRefsOf(run.found.settings, workId);
  const message = `the state of this work was deleted: there is no ${ref}, though pull request ${pullRequest.number} is open`;
  if (run.kind === "respond") {
    throw new LoopliaError("store-corrupt", message, {
      hint: `Who has it can put it back (git push origin <commit>:${ref}). Else run the workflow that starts the work: it begins a new state from what is on the branch, and asks again what it needs; answers to what was asked before count no more.`,
    });
  }
  const consequence = "a new one begins from what is on the branch, and what was asked before counts no more";
  run.observe({ type: "notice", level: "warning", message: `${message}; ${consequence}` });
  return undefined;
}
