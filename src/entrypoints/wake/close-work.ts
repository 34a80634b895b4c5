// A work whose pull request was merged or closed, or whose branch is gone: nothing of it goes on.
import { isUnderWay } from "../../session/state.ts";
import type { Outcome } from "../action/outcome.ts";
import { cancelSessions } from "./change-sessions.ts";
import { handleComments } from "./inbox.ts";
import { judgingOf } from "./judging.ts";
import { findOwed, isOwed } from "./owed.ts";
import { project } from "./project.ts";
import { unreadComments } from "./unread.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** How a checkpoint is called after which nothing is left to do for a work. */
export const ENDED = "chore: keep a work that is over";

/** Cancels what is open and says so; undefined where the work goes on. */
export async function closeWork(run: WakeRun, work: WorkInHand): Promise<Outcome | undefined> {
  const reason = whyOver(run, work);
  const outcome = findOver(run, work);
  if (reason === undefined || !outcome) return undefined;
  await refuseCommands(run, work, reason);
  const sessions = await work.sessions();
  const isUnfinished = sessions.some((session) => !session.state.canceled && isUnderWay(session.state));
  const owed = run.work.pullRequest && findOwed(work.state, await work.questions());
  const isTold = work.state.closed?.isShown && !isUnfinished && !(owed && isOwed(owed));
  if (work.stateRef.last === undefined || isTold) return outcome;
  const at = run.clock.now().toISOString();
  if (isUnfinished) await cancelSessions(work, undefined, { reason, at });
  if (!work.state.closed) await work.note({ type: "WorkClosed", payload: { reason } });
  await work.checkpoint("chore: close the work", { stateOnly: true });
  await project(run, work, { report: { ...run.told, ...outcome } });
  await work.note({ type: "WorkClosed", payload: { reason, isShown: true } });
  await work.checkpoint(ENDED, { stateOnly: true });
  return outcome;
}

/**
 * Goes on with a work whose pull request was closed and opened again: only a merge or `/cancel` ends one. What was open is
 * open again, and its questions are asked anew. True where that happened.
 */
export async function reopenWork(run: WakeRun, work: WorkInHand): Promise<boolean> {
  if (!work.state.closed) return false;
  const at = run.clock.now().toISOString();
  for (const { sessionId, state } of await work.sessions()) {
    // Whoever wrote `/cancel` meant it.
    if (!state.canceled || state.canceled.actorId !== undefined) continue;
    await work.change(sessionId, [{ store: "events", type: "SessionReopened", payload: { at } }]);
  }
  for (const { interactionId } of await work.openQuestions()) {
    await work.note({ type: "RequestLost", payload: { interactionId } });
  }
  await work.note({ type: "WorkReopened", payload: { at } });
  return true;
}

/** Whoever speaks to it, and may, is told; a schedule looks at no comments of what is over. */
async function refuseCommands(run: WakeRun, work: WorkInHand, over: string): Promise<void> {
  const { pullRequest } = run.work;
  if (!pullRequest || run.event.name !== "issue_comment" || work.stateRef.last === undefined) return;
  const unread = await unreadComments(work, run.discussion, pullRequest.number);
  await handleComments(work, unread, { ...judgingOf(run, work), over });
}

/** The same, and nothing is changed. */
export function findOver(run: WakeRun, work: WorkInHand): Outcome | undefined {
  const reason = whyOver(run, work);
  if (reason === undefined) return undefined;
  return { status: "ignored", reasonCode: "closed", message: `${reason}: nothing of it goes on` };
}

function whyOver(run: WakeRun, work: WorkInHand): string | undefined {
  const { pullRequest, branch } = run.work;
  if (pullRequest?.state === "closed") return `pull request ${pullRequest.number} was merged or closed`;
  if (work.state.closed && !pullRequest) return work.state.closed.reason;
  const isGone = work.stateRef.last !== undefined && work.stateRef.branchTip === undefined;
  return isGone ? `the branch ${branch} was deleted` : undefined;
}
