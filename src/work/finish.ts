// Ends a round: saves, updates the pull request, releases the claim, reads the inbox again.

import { posix } from "node:path";
import type { Settings } from "../config/settings-table.ts";
import { valueAt } from "../core/json.ts";
import type { StoredWork } from "../core/ports-host.ts";
import { type Result, summarizeResults } from "../core/result.ts";
import { isUnderWay } from "../core/state.ts";
import { ENDED, findExpired } from "../core/work-state.ts";
import { areRehearsals, type RunReport } from "../publish/report.ts";
import { askConflicts, askRewritten } from "./asked/conflicts.ts";
import { askBaseEdits, askWithheld } from "./asked/own-questions.ts";
import { listChanged, type WakeNext, withUnmerged } from "./carried.ts";
import { stateRefsOf } from "./find.ts";
import { tellOpen, type WorkRunResult } from "./host.ts";
import { type OpenWork, unreadComments, type WorkClaim } from "./in-hand.ts";
import { handleComments, listLetters } from "./inbox.ts";
import { cancelSessions, judgingOf } from "./people.ts";
import {
  findOwed,
  isOwed,
  listChangedRules,
  listQuestions,
  openPullRequest,
  project,
  projectStatus,
  showInPassing,
  uploadState,
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

// A work ends when its pull request was merged or closed, or its branch was deleted.

/**
 * Deletes the states of works that ended more than `state-retention-days` ago, unless their pull request was reopened or a
 * run wrote them meanwhile. Returns the works' ids; with `dry-run` nothing is deleted.
 */
export async function forgetStates(
  scene: Pick<WakeRun, "clock" | "repository" | "observe" | "host"> & {
    found: {
      settings: Pick<Settings, "stateRetentionDays" | "branchPrefix" | "stateRefPrefix" | "dryRun">;
    };
  },
  stored: readonly StoredWork[],
): Promise<string[]> {
  const { settings } = scene.found;
  const { stateRetentionDays: days, branchPrefix, dryRun } = settings;
  const ended = findExpired(stored, days, scene.clock.now());
  const open = ended.length === 0 ? [] : await scene.host.openPullRequests(branchPrefix);
  const isOpen = (workId: string) => open.some(({ branch }) => branch === branchPrefix + workId);
  const expired = ended.filter(({ workId }) => !isOpen(workId));
  const ids = expired.map(({ workId }) => workId);
  if (expired.length === 0 || dryRun) return ids;
  const refs = ids.flatMap((workId) => stateRefsOf(settings, workId));
  await scene.repository.removeStates(refs, new Set(expired.map(({ commit }) => commit)));
  const message = `deleted the states of ${expired.length} works that were over for ${days} days`;
  scene.observe({ type: "notice", level: "info", message });
  return ids;
}

/**
 * Cancels the open sessions of an ended work and shows that it ended; undefined if the work continues.
 * `wakeNext` wakes the work that takes over what a merge lacks.
 */
export async function closeWork(
  run: WakeRun,
  work: WorkInHand,
  wakeNext: WakeNext,
): Promise<ActionOutcome | undefined> {
  const reason = whyOver(run, work);
  const over = findOver(run, work);
  if (reason === undefined || !over) return undefined;
  await refuseCommands(run, work, reason);
  const sessions = await work.sessions();
  const isUnfinished = sessions.some((session) => !session.state.canceled && isUnderWay(session.state));
  const owed = run.work.pullRequest && findOwed(work.state, await work.questions(), run.clock.now());
  const isTold = work.state.closed?.isShown && !isUnfinished && !(owed && isOwed(owed));
  if (work.stateRef.last === undefined || isTold) return over;
  const outcome = await withUnmerged({ run, work, over, wakeNext });
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
 * Continues a work whose pull request was closed and reopened: only a merge or `/cancel` ends a work for
 * good. Reopens its sessions and asks its open questions again. True if the work was reopened.
 */
export async function reopenWork(run: WakeRun, work: WorkInHand): Promise<boolean> {
  if (!work.state.closed) return false;
  const at = run.clock.now().toISOString();
  for (const { sessionId, state } of await work.sessions()) {
    // A session that a person canceled stays canceled.
    if (!state.canceled || state.canceled.actorId !== undefined) continue;
    await work.change(sessionId, [{ store: "events", type: "SessionReopened", payload: { at } }]);
  }
  for (const { interactionId } of await work.openQuestions()) {
    await work.note({ type: "RequestLost", payload: { interactionId } });
  }
  await work.note({ type: "WorkReopened", payload: { at } });
  return true;
}

const ANEW = "This work has ended; the next run starts over with a new pull request.";

/**
 * Refuses commands on an ended work with a reply. Only a comment event does this, or the run that ends a work in favour
 * of one that was opened again; a schedule does not read comments on closed pull requests.
 */
async function refuseCommands(run: WakeRun, work: WorkInHand, over: string): Promise<void> {
  const { pullRequest } = run.work;
  const { reopened } = run.work;
  const isRead = run.event.name === "issue_comment" || reopened !== undefined;
  if (!pullRequest || !isRead || work.stateRef.last === undefined) return;
  const unread = await unreadComments(work, run.discussion, pullRequest.number);
  const whatToDo = reopened ? `This work has ended; go on in pull request ${reopened.number}.` : ANEW;
  await handleComments(work, unread, { ...judgingOf(run, work), over: { reason: over, whatToDo } });
}

/** Whether and why the work is over, without changing anything. */
export function findOver(run: WakeRun, work: WorkInHand): ActionOutcome | undefined {
  const reason = whyOver(run, work);
  if (reason === undefined) return undefined;
  return { status: "ignored", reasonCode: "closed", message: `${reason}: this work has ended` };
}

function whyOver(run: WakeRun, work: WorkInHand): string | undefined {
  const { pullRequest, branch, reopened } = run.work;
  if (pullRequest?.state === "closed") return `pull request ${pullRequest.number} was merged or closed`;
  if (reopened) return `pull request ${reopened.number} was opened again and carries the same items or list`;
  if (work.state.closed && !pullRequest) return work.state.closed.reason;
  const isGone = work.stateRef.last !== undefined && work.stateRef.branchTip === undefined;
  return isGone ? `the branch ${branch} was deleted` : undefined;
}

/** Saves, shows and releases, then reads the inbox once more. A failure becomes the round's outcome. */
export async function finish(
  run: WakeRun,
  opened: OpenWork,
  claim: WorkClaim,
  ended: WorkRunResult,
): Promise<Round> {
  const { work, fence } = opened;
  run.told.isRehearsal = areRehearsals(ended.all);
  const redoneBefore = await countRedone(work);
  const hadPullRequest = run.work.pullRequest !== undefined;
  const failure = await failureOf(() => end(run, opened, claim, ended));
  const isPlan = run.found.settings.dryRun;
  const ran = isPlan ? ended : await tellOpen(work, ended);
  run.told.items = ran.all;
  if (work.stateRef.branchTip !== undefined && !fence.aborted) run.told.branch = run.work.branch;
  run.told.questions = await listQuestions(run, work);
  run.told.changedRules = await listChangedRules(work);
  // No other run could take the work meanwhile, so this run reads new comments even if it could not show its
  // end.
  const looksAgain = claim.isTaken && !run.signal.aborted && !fence.aborted;
  const isListedLater = run.looksLater === true && !hadPullRequest && run.told.questions.length === 0;
  const look = looksAgain ? await lookAgain(run, work, isListedLater) : { hasNews: false };
  const failures = [failure, look.failure].flatMap((one) => one ?? []);
  const outcome = failures.reduce(graver, ran.outcome);
  for (const told of failures.filter((one) => one !== outcome)) {
    run.observe({ type: "notice", level: "warning", message: `${told.reasonCode}: ${told.message}` });
  }
  const hasNews = look.hasNews || (looksAgain && (await countRedone(work)) > redoneBefore);
  return { outcome, reported: ran.reported, hasRun: ran.hasRun, hasEnded: !failure, hasNews };
}

/** The number of sessions with steps to repeat. */
async function countRedone(work: WorkInHand): Promise<number> {
  return (await work.sessions()).filter(({ state }) => state.redo && !state.canceled).length;
}

const LOST =
  "What this run did since its last save is lost; the answers are stored. Once pushes are accepted, comment `/looplia run` to resume.";

async function end(run: WakeRun, opened: OpenWork, claim: WorkClaim, ended: WorkRunResult): Promise<void> {
  const { work } = opened;
  // Another run took over this work and reports its outcome; this run only reports that it lost the race.
  const lost = opened.lost();
  if (lost) throw lost;
  if (run.found.settings.dryRun) return;
  if (run.signal.aborted) {
    if (claim.isTaken) await claim.release({ isUrgent: true, isBehind: true });
    return;
  }
  // Save before showing: an answer may arrive at once. A shard shows nothing, so its last checkpoint is
  // enough.
  if (claim.isTaken && !run.work.shard) {
    if (run.found.settings.uploadAudit) run.wiring.loadAhead("upload");
    const isWhole = (await work.sessions()).every(({ state }) => !isUnderWay(state));
    const save = () => work.checkpoint("chore: save a pause", { isWhole });
    await save().catch((thrown: unknown) => tellUnsaved(run, work, thrown));
  }
  await askConflicts(run, work, claim);
  await askRewritten(run, work, claim);
  await askBaseEdits(run, work, claim);
  const ran = await tellOpen(work, ended);
  run.told.items = ran.all;
  const hasResult = await isResultThere(run, work, ran);
  const owed = findOwed(work.state, await work.questions(), run.clock.now());
  const opensPullRequest = !run.work.pullRequest && (hasResult || owed.ask.length > 0);
  if (!claim.isTaken && !isOwed(owed) && !opensPullRequest) return;
  await claim.take();
  // Only the status comment links to the artifact.
  const uploading = Promise.all([
    claim.whenShown(),
    uploadState(run, opened.stateFolder, resultsOf(run, ran)),
  ]);
  let isBehind = true;
  try {
    if (opensPullRequest) await openPullRequest(run, work, { ...run.told, ...ran.outcome });
    else await rereadText(run);
    await uploading;
    isBehind = !(await showEnd(run, work, ended));
    // Only what is shown tells what was withheld.
    if (await askWithheld(run, work)) isBehind = !(await showEnd(run, work, ended));
  } finally {
    await uploading;
    await claim.release({ isBehind });
  }
}

/** People may have written into a pull request since this run opened it. A failed look-up keeps the known text. */
async function rereadText(run: WakeRun): Promise<void> {
  const { pullRequest } = run.work;
  if (!pullRequest?.isNew) return;
  const now = await run.host.pullRequest(pullRequest.number).catch(() => undefined);
  if (now) run.work.pullRequest = { ...pullRequest, title: now.title, body: now.body };
}

/**
 * What the server refuses to store is lost with the runner: the status says why, and nothing else of this run
 * is shown. `post` repeats the reason. Throws the failure again.
 */
async function tellUnsaved(run: WakeRun, work: WorkInHand, thrown: unknown): Promise<never> {
  const { pullRequest } = run.work;
  const failure = outcomeOf(thrown);
  if (pullRequest && failure.reasonCode === "host-failed") {
    const message = `${failure.message}\n${LOST}`;
    const left = run.unshown.at(-1);
    if (left) left.failure = message;
    const report = { ...run.told, items: [], ...failure, message, pullRequest };
    await showInPassing(run, () => projectStatus(run, work, pullRequest, { report }));
  }
  throw thrown;
}

async function showEnd(run: WakeRun, work: WorkInHand, ended: WorkRunResult): Promise<boolean> {
  const ran = await tellOpen(work, ended);
  run.told.items = ran.all;
  const report = { ...run.told, ...ran.outcome, ...standing(ran) };
  const isShown = await project(run, work, { report });
  await requestReview(run, work, report);
  return isShown;
}

/** Sets labels, reviewers and assignees once, when the work is done: later changes by people stay. */
async function requestReview(run: WakeRun, work: WorkInHand, report: RunReport): Promise<void> {
  const { labels, reviewers, assignees } = run.found.settings;
  const { pullRequest } = run.work;
  if (report.status !== "completed" || pullRequest?.state !== "open") return;
  if (labels.length + reviewers.length + assignees.length === 0) return;
  if (work.state.reviewRequested === pullRequest.number || (await work.openQuestions()).length > 0) return;
  const refused = await run.host.requestReview(pullRequest.number, { labels, reviewers, assignees });
  for (const message of refused) run.observe({ type: "notice", level: "warning", message });
  await work.note({ type: "ReviewRequested", payload: { number: pullRequest.number } });
}

/**
 * Of the sessions that this run reports on. An item refused before its session began has none, and the runs of shards reported
 * on those that are only collected.
 */
function resultsOf({ collects }: WakeRun, { reported, hasRun }: WorkRunResult): Result[] {
  return collects && !hasRun ? [] : reported.filter(({ sessionId }) => sessionId !== "");
}

/** The state of the whole work, not only of this run's part. */
function standing({ all, outcome }: WorkRunResult): ActionOutcome {
  if (all.length === 0 || outcome.reasonCode === "host-failed") return outcome;
  const { status, reasonCode } = summarizeResults(all);
  return status === outcome.status ? outcome : { status, reasonCode };
}

/** True if the branch has changes worth a pull request: more than sessions without a completed step. */
async function isResultThere(run: WakeRun, work: WorkInHand, { all }: WorkRunResult): Promise<boolean> {
  const commit = work.stateRef.branchTip;
  if (commit === undefined) return false;
  const changed = await listChanged(run, run.found.baseCommit, commit);
  if (run.takes) return changed.length > 0;
  if (run.work.kind === "tasks") {
    const list = posix.join(run.found.folder, run.found.settings.todo);
    return changed.some(({ path }) => path !== list) || (changed.length > 0 && (await hasEndedTask(work)));
  }
  const begun = all.filter(({ steps }) => steps.every(({ status }) => status !== "completed"));
  return changed.some(
    ({ path }) => !begun.some(({ folder }) => folder !== "" && path.includes(`${folder}/`)),
  );
}

/** True if a task is completed, or blocked with a reason that its agent wrote into the list. */
async function hasEndedTask(work: WorkInHand): Promise<boolean> {
  return (await work.sessions()).some(({ state }) =>
    [...state.tasks.values()].some(
      ({ status, failures }) =>
        status === "completed" || (status === "failed" && failures.at(-1) === "blocked"),
    ),
  );
}

type Look = { hasNews: boolean; failure?: ActionOutcome };

/** A failed look is part of the outcome; the next wake reads the comments. */
function lookAgain(run: WakeRun, work: WorkInHand, isListedLater: boolean): Promise<Look> {
  return settle<Look>(
    async () => ({ hasNews: await hasNews(run, work, isListedLater) }),
    (thrown) => ({ hasNews: false, failure: outcomeOf(thrown) }),
  );
}

async function hasNews(run: WakeRun, work: WorkInHand, isListedLater: boolean): Promise<boolean> {
  const { pullRequest } = run.work;
  if (!pullRequest) return false;
  const [unread, letters] = await Promise.all([
    isListedLater && pullRequest.isNew ? [] : unreadComments(work, run.discussion, pullRequest.number),
    listLetters(run),
  ]);
  return unread.length > 0 || letters.some(({ id }) => !work.state.letters.has(id));
}

function failureOf(work: () => Promise<void>): Promise<ActionOutcome | undefined> {
  return settle<ActionOutcome | undefined>(async () => {
    await work();
    return undefined;
  }, outcomeOf);
}

// A run that stopped although a new run could go on starts the new run itself, where `continue` is set.

/** Input of the workflow that counts the continuations, so that no chain runs forever. */
const COUNTER = "looplia-continuation";
const MOST_CONTINUATIONS = 20;

/**
 * Starts the run's workflow again after `deadline` or `max-iterations`. The outcome stays as it is: a workflow that does
 * not start is a warning.
 */
export async function continueRun(
  scene: Pick<WakeRun, "found" | "facts" | "event" | "host" | "observe" | "signal">,
  { reasonCode }: ActionOutcome,
): Promise<void> {
  const { found, facts, event, host, observe, signal } = scene;
  const { continue: isWanted, dryRun, shard } = found.settings;
  const isLimit = reasonCode === "deadline" || reasonCode === "max-iterations";
  if (!isWanted || !isLimit || dryRun || shard !== undefined || signal.aborted) return;
  const warn = (message: string) => observe({ type: "notice", level: "warning", message });
  const before = Number(valueAt(event.payload, "inputs", COUNTER)) || 0;
  if (before >= MOST_CONTINUATIONS) {
    warn(`continue: ${before} runs continued one another, so no further run is started`);
    return;
  }
  const file = /\/\.github\/workflows\/([^/@]+)@/.exec(facts.workflowRef ?? "")?.[1];
  const ref = /^refs\/(?:heads|tags)\/(.+)$/.exec(event.ref)?.[1];
  if (file === undefined || ref === undefined) {
    warn(
      "continue: GitHub does not name the workflow file and branch of this run, so it can't be started again",
    );
    return;
  }
  const inputs = { [COUNTER]: String(before + 1) };
  const failure = await settle(
    async () => void (await host.startWorkflow({ file, ref, inputs })),
    (thrown) => outcomeOf(thrown).message,
  );
  if (failure === undefined)
    observe({ type: "notice", level: "info", message: `continue: started ${file} again` });
  else
    warn(
      `continue: ${failure}\nThe job needs \`actions: write\`, and the workflow \`workflow_dispatch\` with the input ${COUNTER}.`,
    );
}
