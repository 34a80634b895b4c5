// Ends a round: saves, projects, releases the claim, reads the inbox again.

import { posix } from "node:path";
import type { StoredWork } from "../core/ports-host.ts";
import { summarizeResults } from "../core/result.ts";
import { isUnderWay } from "../core/state.ts";
import { areRehearsals } from "../publish/report.ts";
import { askBaseEdits } from "./asked/base-edits.ts";
import { askConflicts } from "./asked/conflicts.ts";
import { askRewritten } from "./asked/rewritten.ts";
import { uploadState, type WorkClaim } from "./claim.ts";
import { stateRefsOf } from "./find.ts";
import { tellConflicts, type WorkRunResult } from "./host.ts";
import { type OpenWork, unreadComments } from "./in-hand.ts";
import { handleComments, listLetters } from "./inbox.ts";
import { cancelSessions, judgingOf } from "./people.ts";
import {
  findOwed,
  isOwed,
  listChangedRules,
  listQuestions,
  openPullRequest,
  project,
  requestReview,
} from "./project.ts";
import {
  type ActionOutcome,
  graver,
  outcomeOf,
  type Round,
  settle,
  type WakeRun,
  type WorkInHand,
} from "./run.ts";

// A work whose pull request was merged or closed, or whose branch is gone: nothing of it continues.

/** How a checkpoint is called after which nothing is left to do for a work. */
export const ENDED = "chore: keep a work that is over";

/** Deletes states that are over for longer than `state-retention-days`: nothing of them is open, or will ever be read. */
export async function forgetStates(
  scene: Pick<WakeRun, "found" | "clock" | "repository" | "observe">,
  stored: readonly StoredWork[],
): Promise<void> {
  const { stateRetentionDays: days } = scene.found.settings;
  if (days === undefined) return;
  const before = scene.clock.now().getTime() - days * 24 * 3_600_000;
  const expired = stored.filter(({ at, message }) => message === ENDED && Date.parse(at) < before);
  if (expired.length === 0) return;
  const refs = expired.flatMap(({ workId }) => stateRefsOf(scene.found.settings, workId));
  await scene.repository.removeStates(refs);
  const message = `deleted the states of ${expired.length} works that were over for ${days} days`;
  scene.observe({ type: "notice", level: "info", message });
}

/** Cancels what is open and says so; undefined where the work continues. */
export async function closeWork(run: WakeRun, work: WorkInHand): Promise<ActionOutcome | undefined> {
  const reason = whyOver(run, work);
  const outcome = findOver(run, work);
  if (reason === undefined || !outcome) return undefined;
  await refuseCommands(run, work, reason);
  const sessions = await work.sessions();
  const isUnfinished = sessions.some((session) => !session.state.canceled && isUnderWay(session.state));
  const owed = run.work.pullRequest && findOwed(work.state, await work.questions(), run.clock.now());
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
 * open again, and its questions are asked again. True where that happened.
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
export function findOver(run: WakeRun, work: WorkInHand): ActionOutcome | undefined {
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

/** Stores, shows and gives back; what fails of it is told as the outcome. Looks at the inbox once more. */
export async function finish(
  run: WakeRun,
  opened: OpenWork,
  claim: WorkClaim,
  ended: WorkRunResult,
): Promise<Round> {
  const { work, fence } = opened;
  run.told.isRehearsal = areRehearsals(ended.all);
  const redoneBefore = await countRedone(work);
  const failure = await failureOf(() => end(run, opened, claim, ended));
  const ran = await tellConflicts(work, ended);
  run.told.items = ran.all;
  if (work.stateRef.branchTip !== undefined && !fence.aborted) run.told.branch = run.work.branch;
  run.told.questions = await listQuestions(run, work);
  run.told.changedRules = await listChangedRules(work);
  // Nobody else was let in meanwhile: what came is this run's to read, though it could not show its own end.
  const looksAgain = claim.isTaken && !run.signal.aborted && !fence.aborted;
  const look = looksAgain ? await lookAgain(run, work) : { hasNews: false };
  const failures = [failure, look.failure].flatMap((one) => one ?? []);
  const outcome = failures.reduce(graver, ran.outcome);
  for (const told of failures.filter((one) => one !== outcome)) {
    run.observe({ type: "notice", level: "warning", message: `${told.reasonCode}: ${told.message}` });
  }
  const hasNews = look.hasNews || (looksAgain && (await countRedone(work)) > redoneBefore);
  return { outcome, reported: ran.reported, hasRun: ran.hasRun, hasEnded: !failure, hasNews };
}

/** Sessions in which something is to be done again. */
async function countRedone(work: WorkInHand): Promise<number> {
  return (await work.sessions()).filter(({ state }) => state.redo && !state.canceled).length;
}

async function end(run: WakeRun, opened: OpenWork, claim: WorkClaim, ended: WorkRunResult): Promise<void> {
  const { work } = opened;
  // What became of the work is told by who has it now; this run's own end is that it lost it.
  const lost = opened.lost();
  if (lost) throw lost;
  if (run.found.settings.dryRun) return;
  if (run.signal.aborted) {
    if (claim.isTaken) await claim.release({ isUrgent: true, isBehind: true });
    return;
  }
  // What is shown must be durable: an answer may come at once.
  // A shard shows nothing to anybody, and its last checkpoint is enough.
  if (claim.isTaken && !run.work.shard) {
    const isWhole = (await work.sessions()).every(({ state }) => !isUnderWay(state));
    await work.checkpoint("chore: save a pause", { isWhole });
  }
  await askConflicts(run, work, claim);
  await askRewritten(run, work, claim);
  await askBaseEdits(run, work, claim);
  const ran = await tellConflicts(work, ended);
  run.told.items = ran.all;
  const hasResult = await isResultThere(run, work, ran);
  const owed = findOwed(work.state, await work.questions(), run.clock.now());
  const opensPullRequest = !run.work.pullRequest && (hasResult || owed.ask.length > 0);
  if (!claim.isTaken && !isOwed(owed) && !opensPullRequest) return;
  await claim.take();
  await Promise.all([claim.whenShown(), uploadState(run, opened.stateFolder, sessionsOf(ran))]);
  let isBehind = true;
  try {
    const report = { ...run.told, ...ran.outcome };
    if (opensPullRequest) await openPullRequest(run, work, report);
    const standingReport = { ...report, ...standing(ran) };
    isBehind = !(await project(run, work, { report: standingReport }));
    await requestReview(run, work, standingReport);
  } finally {
    await claim.release({ isBehind });
  }
}

/** Sessions that this run had to do with; an item that was refused before one began has none. */
function sessionsOf({ reported }: WorkRunResult): string[] {
  return reported.flatMap(({ sessionId }) => (sessionId === "" ? [] : [sessionId]));
}

/** How the work as a whole stands, whatever this run did of it. */
function standing({ all, outcome }: WorkRunResult): ActionOutcome {
  if (all.length === 0) return outcome;
  const { status, reasonCode } = summarizeResults(all);
  return status === outcome.status ? outcome : { status, reasonCode };
}

/** True where the branch has more than sessions of which nothing is done: something for a pull request to show. */
async function isResultThere(run: WakeRun, work: WorkInHand, { all }: WorkRunResult): Promise<boolean> {
  const commit = work.stateRef.branchTip;
  if (commit === undefined) return false;
  const [onBase, onBranch] = await Promise.all(
    [run.found.baseCommit, commit].map((one) => run.repository.listFiles(one, "")),
  );
  const known = new Map(onBase?.map(({ path, oid }) => [path, oid]));
  const changed = (onBranch ?? []).filter(({ path, oid }) => known.get(path) !== oid);
  if (run.work.kind === "tasks") {
    const list = posix.join(run.found.folder, run.found.settings.todo);
    return changed.some(({ path }) => path !== list) || (changed.length > 0 && (await hasEndedTask(work)));
  }
  const begun = all.filter(({ steps }) => steps.every(({ status }) => status !== "completed"));
  return changed.some(
    ({ path }) => !begun.some(({ folder }) => folder !== "" && path.includes(`${folder}/`)),
  );
}

/** True where the list says more than what is under way: a task is done, or its agent says what it lacks. */
async function hasEndedTask(work: WorkInHand): Promise<boolean> {
  return (await work.sessions()).some(({ state }) =>
    [...state.tasks.values()].some(
      ({ status, failures }) =>
        status === "completed" || (status === "failed" && failures.at(-1) === "blocked"),
    ),
  );
}

type Look = { hasNews: boolean; failure?: ActionOutcome };

/** What cannot be read now waits for the next wake: the run says so. */
function lookAgain(run: WakeRun, work: WorkInHand): Promise<Look> {
  return settle<Look>(
    async () => ({ hasNews: await hasNews(run, work) }),
    (thrown) => ({ hasNews: false, failure: outcomeOf(thrown) }),
  );
}

async function hasNews(run: WakeRun, work: WorkInHand): Promise<boolean> {
  const { pullRequest } = run.work;
  if (!pullRequest) return false;
  const unread = await unreadComments(work, run.discussion, pullRequest.number);
  return unread.length > 0 || (await listLetters(run)).some(({ id }) => !work.state.letters.has(id));
}

function failureOf(work: () => Promise<void>): Promise<ActionOutcome | undefined> {
  return settle<ActionOutcome | undefined>(async () => {
    await work();
    return undefined;
  }, outcomeOf);
}
