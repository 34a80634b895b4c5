// One round of a wake: fetch and fold, whose claim, the inbox, what has expired; then claim, run, show, give back.

import type { PullComment } from "../../ports/discussion.ts";
import { valueAt } from "../../session/json.ts";
import { canGoOn } from "../../session/session-view.ts";
import { type Claim as Claimed, claimOf } from "../../trigger/claim.ts";
import { countOf } from "../../trigger/payload.ts";
import type { Outcome } from "../action/outcome.ts";
import { greet } from "./acknowledge.ts";
import { createClaim } from "./claim.ts";
import { closeWork, findOver, reopenWork } from "./close-work.ts";
import { findUnasked } from "./conflicts.ts";
import { expireQuestions } from "./expire.ts";
import { finish } from "./finish.ts";
import { handleComments, type Inbox, passOver } from "./inbox.ts";
import { judgingOf } from "./judging.ts";
import { handleLetters, listLetters, type ReadLetters, removeLetters } from "./letters.ts";
import { findLostState } from "./lost-state.ts";
import { type OpenedWork, openWork } from "./open-work.ts";
import { findOwed, isOwed } from "./owed.ts";
import { showInPassing, showProgress } from "./progress.ts";
import { runWork } from "./run-work.ts";
import { unreadComments } from "./unread.ts";
import { claimIdOf, type Round, type WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** Opens the work, does what can be done, and closes it whatever happens. */
export async function wakeOnce(run: WakeRun): Promise<Round> {
  const opened = await openWork(run);
  try {
    const isRehearsed = opened.run.found.settings.dryRun;
    return await (isRehearsed ? rehearse : goOn)(opened.run, opened);
  } finally {
    await opened.close();
  }
}

/** `dry-run`: what there is to do is looked at and left; what people said stays unread. */
async function rehearse(run: WakeRun, opened: OpenedWork): Promise<Round> {
  const over = findOver(run, opened.work);
  if (over) return ended(over);
  const claim = createClaim(run, opened.work, { alongside: [], whenTaken: async () => {} });
  return finish(run, opened, claim, await runWork(run, opened, claim, {}));
}

async function goOn(run: WakeRun, opened: OpenedWork): Promise<Round> {
  const { work } = opened;
  const over = await closeWork(run, work);
  if (over) {
    await removeLetters(run, await listLetters(run));
    return ended(over);
  }
  const lost = findLostState(run, work);
  if (lost) return ended(lost);
  const claimed = await whoseClaim(run, work);
  if (claimed === "live") return ended(BUSY);
  const isReopened = await reopenWork(run, work);
  // What is written after this is read by the next look: nothing that it may answer expires before.
  const looked = run.clock.now();
  const inbox = await readInbox(run, work);
  const isSpokenTo = inbox.handled.length > 0 || inbox.verdict === "accepted";
  // What has no effect needs no record: the letter may go.
  if (inbox.verdict !== "accepted") await removeLetters(run, inbox.letters);
  if (!isSpokenTo && isStranger(run, work, inbox)) return ended(nothingToDo(inbox));
  const expired = await expireQuestions(work, looked);
  const mustClaim = claimed === "dead" || isSpokenTo || isReopened || expired > 0;
  if (!mustClaim && run.kind === "respond" && !(await isBehind(run, work))) return ended(nothingToDo(inbox));
  const claim = createClaim(run, work, {
    alongside: inbox.ignored.map((payload) => ({ type: "CommentHandled", payload })),
    whenTaken: () =>
      showInPassing(run, async () => {
        await greet(run, inbox.handled);
        await showProgress(run, work);
      }),
  });
  if (mustClaim) await claim.take();
  // Nothing waits for that: it may have to wait for its turn.
  const removing = inbox.verdict === "accepted" ? removeLetters(run, inbox.letters) : undefined;
  const said = { spokenBy: inbox.actorIds, answered: inbox.interactionIds };
  const ran = await runWork(run, opened, claim, { wasDead: claimed === "dead", ...said });
  const round = await finish(run, opened, claim, ran);
  if (!run.signal.aborted) await removing;
  return round;
}

/** A comment of somebody without permission starts nothing, whatever was left to go on with: others wake that. */
function isStranger({ event }: WakeRun, { state }: WorkInHand, { verdict: said }: Read): boolean {
  if (event.name === "repository_dispatch") return said === "not-permitted";
  if (event.name !== "issue_comment") return false;
  const verdict = state.handled.get(countOf(valueAt(event.payload, "comment", "id")) ?? 0)?.verdict;
  return verdict === undefined || verdict === "ignored";
}

/** GitHub is asked only where another run has not given the work back. */
async function whoseClaim(run: WakeRun, { state, stateRef }: WorkInHand): Promise<Claimed["kind"]> {
  const own = claimIdOf(run);
  const holder = state.claim?.run;
  const [id = "", attempt = ""] = holder?.split(".") ?? [];
  const isAsked = holder !== undefined && holder !== own;
  const isLive = isAsked ? await run.discussion.isRunLive(id, attempt) : undefined;
  return claimOf(state, { run: own, last: stateRef.last, isLive, now: run.clock.now() }).kind;
}

type Read = Inbox & ReadLetters;

const NOTHING_READ: Read = { handled: [], ignored: [], letters: [], actorIds: [], interactionIds: [] };

async function readInbox(run: WakeRun, work: WorkInHand): Promise<Read> {
  const judging = judgingOf(run, work);
  const { pullRequest } = run.work;
  if (!pullRequest) return NOTHING_READ;
  const [unread, left] = await Promise.all([
    lookForComments(run, work, pullRequest.number),
    listLetters(run),
  ]);
  // Its state was lost: whatever was said here before was said of another one.
  const isNew = work.stateRef.last === undefined;
  if (isNew) return { ...NOTHING_READ, letters: left, ignored: unread.map(passOver) };
  const letters = await handleLetters(work, left, judging);
  return { ...letters, ...(await handleComments(work, unread, judging)) };
}

/** GitHub may tell of a comment a moment before it lists it: then the list is asked for once more. */
const LISTED_LATE_MS = 2_000;

async function lookForComments(run: WakeRun, work: WorkInHand, pullRequest: number): Promise<PullComment[]> {
  const { event, discussion, clock } = run;
  const look = () => unreadComments(work, discussion, pullRequest, clock.now());
  const unread = await look();
  const named = event.name === "issue_comment" ? countOf(valueAt(event.payload, "comment", "id")) : undefined;
  const isKnown = named === undefined || work.state.handled.has(named);
  if (isKnown || unread.some(({ id }) => id === named)) return unread;
  await new Promise((resolve) => setTimeout(resolve, LISTED_LATE_MS));
  return look();
}

/** True where the pull request does not show what is stored, or something was left to go on with. */
async function isBehind(run: WakeRun, work: WorkInHand): Promise<boolean> {
  if (isOwed(findOwed(work.state, await work.questions()))) return true;
  if ((await findUnasked(run, work)).size > 0) return true;
  return (await work.sessions()).some(({ state }) => canGoOn(state));
}

const BUSY: Outcome = {
  status: "ignored",
  reasonCode: "busy",
  message: "another run is at work on this; it looks for comments and answers again before it ends",
};

function nothingToDo({ ignored, verdict }: Read): Outcome {
  const isRefused = verdict === "not-permitted" || ignored.some(({ reason }) => reason === "not-permitted");
  return isRefused
    ? { status: "ignored", reasonCode: "not-permitted", message: "whoever wrote that may not decide here" }
    : { status: "ignored", reasonCode: "no-command", message: "no comment has a command for looplia" };
}

function ended(outcome: Outcome): Round {
  return { outcome, reported: [], hasRun: false, hasEnded: true, hasNews: false };
}
