// A wake: open, claim, read the inbox, run, project, release, look again (DURABILITY, "A wake").

import { existsSync } from "node:fs";
import { cp, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { SESSIONS } from "../content/folder.ts";
import { canGoOn } from "../core/conversation.ts";
import type { HandledComment } from "../core/events.ts";
import { payloadCount, valueAt } from "../core/json.ts";
import { type Letter, type PullComment, WORKTREE } from "../core/ports-host.ts";
import type { Result } from "../core/result.ts";
import { isUnderWay } from "../core/state.ts";
import { writeCommitMessage } from "../publish/pull-request.ts";
import { findUnasked, owesRewritten, settleRewritten } from "./asked/conflicts.ts";
import type { WakeNext } from "./carried.ts";
import { findNoWork, openOrRestart } from "./damaged.ts";
import { closeWork, findOver, finish, reopenWork } from "./finish.ts";
import { runWork } from "./host.ts";
import { claimOf, createClaim, type OpenWork, openWork, unreadComments } from "./in-hand.ts";
import {
  handleComments,
  handleLetters,
  type Inbox,
  listLetters,
  passOver,
  type ReadLetters,
  removeLetters,
} from "./inbox.ts";
import { expireQuestions, type Judging, judgingOf } from "./people.ts";
import { findOwed, isOwed, showInPassing } from "./project.ts";
import {
  type ActionOutcome,
  claimIdOf,
  outcomeOf,
  type Restart,
  type Round,
  runIdOf,
  settle,
  type WakeRun,
  type WorkInHand,
} from "./run.ts";

// After a run that died or was stopped: releases its claim and updates the pull request. No agent runs here.

/** The name of the last checkpoint of a shard that died. */
const LEFT = "chore: keep what a dead shard left";

/** Does nothing if another run holds the work, if nothing is left to do, or under `dry-run`. */
export async function leaveWork(from: WakeRun): Promise<void> {
  const opened = await openLeft(from);
  const { run, work } = opened;
  const { shard } = run.work;
  try {
    if (run.found.settings.dryRun) return;
    const isOurs = work.state.claim?.run === claimIdOf(run);
    if (shard) {
      // A shard shows nothing: `collect` tells that it died.
      if (!isOurs) return;
      await work.note({ type: "WorkReleased", payload: { run: claimIdOf(run), isBehind: true } });
      return await work.checkpoint(LEFT);
    }
    if (await closeWork(run, work, wakeNext)) return;
    const { pullRequest } = run.work;
    // The run may have died after it posted a comment and before it recorded the comment.
    if (pullRequest) await unreadComments(work, run.discussion, pullRequest.number);
    const isLeft =
      work.state.claim === undefined && isOwed(findOwed(work.state, await work.questions(), run.clock.now()));
    if (!isOurs && !isLeft) return;
    if (isOurs) await countLost(run, opened);
    const claim = createClaim(run, work, { alongside: [], whenTaken: async () => {} });
    const { all } = await runWork(run, opened, claim, { onlyTells: true });
    const outcome: ActionOutcome =
      run.failure === undefined
        ? { status: "stopped", reasonCode: "interrupted" }
        : { status: "failed", reasonCode: "host-failed", message: run.failure };
    await finish(run, opened, claim, { all, reported: all, outcome, hasRun: false });
  } finally {
    await opened.close();
  }
}

/** Opens the work with everything that the dead run stored on this machine, if nobody wrote the work since. */
async function openLeft(run: WakeRun): Promise<OpenWork> {
  const left = await findLeft(run);
  await fetchStart(run);
  const opened = await openWork(run);
  const { claim } = opened.work.state;
  const isNewShard = run.work.shard !== undefined && opened.work.stateRef.last === undefined;
  if (!left || !(isNewShard || claim?.run === claimIdOf(run))) return opened;
  await opened.close();
  const bring = async (folder: string) => {
    for (const name of isNewShard ? [] : await readdir(folder))
      await rm(join(folder, name), { recursive: true });
    await cp(left.state, folder, { recursive: true });
  };
  const next = await renew(run, "left");
  await fetchStart(next);
  const again = await openWork({ ...next, bring });
  const { root } = await again.work.stateRef.openWorktree();
  const isPlain = async (path: string) => !(await lstat(path)).isSymbolicLink();
  await cp(left.files, join(root, run.found.folder, SESSIONS), { recursive: true, filter: isPlain });
  await commitEnded(again);
  return again;
}

/** A shard's branch may begin at a commit that is not the base's. */
async function fetchStart({ work: { shard, branch }, repository }: WakeRun): Promise<void> {
  if (shard) await repository.fetchCommit(shard.from, branch.slice(0, branch.indexOf(".shard-")));
}

/**
 * What a run over items left when it died: its stores, and the sessions' folders that belong to them. Of sessions with
 * worktrees of their own only the last checkpoint has files and lines of one moment.
 */
async function findLeft(run: WakeRun): Promise<{ state: string; files: string } | undefined> {
  const { diedIn: state, wiring, found } = run;
  if (state === undefined || run.work.kind !== "content" || found.settings.dryRun) return undefined;
  const temporary = dirname(dirname(state));
  const names = await readdir(temporary).catch(() => []);
  const hasMore = names.some((name) => name.startsWith("round-") || name.startsWith(`${WORKTREE}-of-`));
  if (hasMore || (await wiring.readKey({ folder: state }).catch(() => undefined)) === undefined)
    return undefined;
  const { workId, kind, key } = run.work;
  const place = { folder: state, workId, kind, key, stateKey: found.settings.stateKey };
  // What can't be read any more can't be kept, and must not keep the work claimed.
  const sessions = await wiring.mendWork(place).catch(() => undefined);
  if (sessions?.every(({ state: { trees } }) => trees === undefined) !== true) return undefined;
  return { state, files: join(temporary, WORKTREE, found.folder, SESSIONS) };
}

/** Commits the folders of sessions that ended; those of others stay unfinished. */
async function commitEnded({ run, work }: OpenWork): Promise<void> {
  const worktree = await work.stateRef.openWorktree();
  for (const { sessionId, state } of await work.sessions()) {
    if (isUnderWay(state)) continue;
    const outputs = [...state.tasks.values()].flatMap((task) =>
      task.status === "completed" ? task.outputs : [],
    );
    const isRehearsal = run.found.settings.provider === "offline";
    const message = writeCommitMessage({
      sessionId,
      outputs,
      status: "completed",
      isRehearsal,
      run: runIdOf(run),
    });
    const folder = posix.join(run.found.folder, SESSIONS, sessionId);
    if (existsSync(join(worktree.root, folder))) await worktree.commit(folder, message);
  }
}

/** Adds to each stored session what its responses cost that died with the run before they were saved. */
async function countLost(run: WakeRun, { work, stateFolder }: OpenWork): Promise<void> {
  if (run.diedIn === undefined) return;
  const saved = { folder: join(stateFolder, work.workId), stateKey: run.found.settings.stateKey };
  // What can't be read any more can't be counted, and must not keep the work claimed.
  const lost = await run.wiring.readLost(saved, run.diedIn).catch(() => undefined);
  for (const [sessionId, lines] of lost ?? []) await work.change(sessionId, lines);
}

// One round of a wake: fetch, fold, check the claim, read the inbox, expire questions; then claim, run, show,
// release.

/** Opens the work, runs one round, and always closes the work. */
async function wakeOnce(run: WakeRun): Promise<Round> {
  const opened = await openOrRestart(run, () => renew(run, "restarted"));
  try {
    const isRehearsed = opened.run.found.settings.dryRun;
    return await (isRehearsed ? rehearse : goOn)(opened.run, opened);
  } finally {
    await opened.close();
  }
}

/** `dry-run`: reports the work to do without changing anything; comments stay unread. */
async function rehearse(run: WakeRun, opened: OpenWork): Promise<Round> {
  const over = findOver(run, opened.work);
  if (over) return ended(over);
  const claim = createClaim(run, opened.work, { alongside: [], whenTaken: async () => {} });
  return finish(run, opened, claim, await runWork(run, opened, claim, {}));
}

async function goOn(run: WakeRun, opened: OpenWork): Promise<Round> {
  const { work } = opened;
  const over = await closeWork(run, work, wakeNext);
  if (over) {
    await removeLetters(run, await listLetters(run));
    return ended(over);
  }
  const none = findNoWork(run, work);
  if (none) return ended(none);
  const claimed = await whoseClaim(run, work);
  if (claimed === "live") return ended(BUSY);
  const isReopened = await reopenWork(run, work);
  // The next look reads comments written after this moment, so no question that they may answer expires
  // before.
  const looked = run.clock.now();
  const inbox = await readInbox(run, work);
  const isSpokenTo = inbox.handled.length > 0 || inbox.verdict === "accepted";
  // A letter without effect needs no record, so it can be deleted.
  if (inbox.verdict !== "accepted") await removeLetters(run, inbox.letters);
  if (!isSpokenTo && !run.collects && isStranger(run, work, inbox)) return ended(nothingToDo(inbox));
  const expired = await expireQuestions(work, looked);
  const mustClaim =
    claimed === "dead" || isSpokenTo || isReopened || expired > 0 || run.collects !== undefined;
  if (!mustClaim && run.kind === "respond" && !(await isBehind(run, work))) return ended(nothingToDo(inbox));
  const claim = createClaim(run, work, {
    alongside: inbox.ignored.map((payload) => ({ type: "CommentHandled", payload })),
    whenTaken: () => showInPassing(run, () => greet(run, inbox.handled)),
  });
  if (mustClaim) await claim.take();
  await settleRewritten(work, claim);
  // Removing letters may wait for its turn, so nothing here waits for it.
  const removing = inbox.verdict === "accepted" ? removeLetters(run, inbox.letters) : undefined;
  const said = { spokenBy: inbox.actorIds, answered: inbox.interactionIds };
  const { collects } = run;
  const how = { wasDead: claimed === "dead", ...(collects ? { onlyAnswered: true } : {}), ...said };
  const ran = await runWork(run, opened, claim, how);
  const round = await finish(run, opened, claim, ran);
  await collects?.finish();
  if (!run.signal.aborted) await removing;
  return round;
}

/** Reacts to accepted commands with eyes; repeating this does no harm. */
async function greet({ discussion }: WakeRun, handled: readonly HandledComment[]): Promise<void> {
  for (const { commentId, verdict } of handled) {
    if (verdict === "accepted") await discussion.react(commentId, "eyes");
  }
}

/**
 * A comment without permission starts nothing, even if there is interrupted work: another event continues
 * that work.
 */
function isStranger({ event }: WakeRun, { state }: WorkInHand, { verdict: said }: Read): boolean {
  if (event.name === "repository_dispatch") return said === "not-permitted";
  if (event.name !== "issue_comment") return false;
  const verdict = state.handled.get(payloadCount(valueAt(event.payload, "comment", "id")) ?? 0)?.verdict;
  return verdict === undefined || verdict === "ignored";
}

/** Asks GitHub only while another run still holds the claim. */
async function whoseClaim(
  run: WakeRun,
  { state, stateRef }: WorkInHand,
): Promise<ReturnType<typeof claimOf>["kind"]> {
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
  // The state was lost: earlier comments here belong to another work.
  const isNew = work.stateRef.last === undefined;
  if (run.restart) return beginAnew(run.restart, { work, unread, left, judging });
  if (isNew) return { ...NOTHING_READ, letters: left, ignored: unread.map(passOver) };
  const letters = await handleLetters(work, left, judging);
  return { ...letters, ...(await handleComments(work, unread, judging)) };
}

/** The cursor is at the restart comment: earlier comments no longer count, later ones do. */
async function beginAnew(
  { kept, ...said }: Restart,
  from: { work: WorkInHand; unread: readonly PullComment[]; left: readonly Letter[]; judging: Judging },
): Promise<Read> {
  const { work, unread, left, judging } = from;
  const later = unread.filter(({ id }) => id > said.commentId);
  const before = unread.filter(({ id }) => id < said.commentId);
  const payload: HandledComment = {
    ...said,
    ...{ verdict: "accepted", reason: "", command: "/looplia restart", runsAll: true, restart: { ...kept } },
  };
  const all = [...before.map(passOver), payload];
  await work.note(...all.map((one) => ({ type: "CommentHandled" as const, payload: one })));
  const read = await handleComments(work, later, judging);
  return { ...NOTHING_READ, letters: left, ...read, handled: [payload, ...read.handled] };
}

/**
 * GitHub may send the event of a comment shortly before it lists the comment: then the list is read once
 * more.
 */
const LISTED_LATE_MS = 2_000;

async function lookForComments(run: WakeRun, work: WorkInHand, pullRequest: number): Promise<PullComment[]> {
  const { event, discussion, clock } = run;
  const look = () => unreadComments(work, discussion, pullRequest, clock.now());
  const unread = await look();
  const named =
    event.name === "issue_comment" ? payloadCount(valueAt(event.payload, "comment", "id")) : undefined;
  const isKnown = named === undefined || work.state.handled.has(named);
  if (isKnown || unread.some(({ id }) => id === named)) return unread;
  await new Promise((resolve) => setTimeout(resolve, LISTED_LATE_MS));
  return look();
}

/** True if the pull request does not show the stored state, or if there is interrupted work to continue. */
async function isBehind(run: WakeRun, work: WorkInHand): Promise<boolean> {
  if (isOwed(findOwed(work.state, await work.questions(), run.clock.now()))) return true;
  if ((await findUnasked(run, work)).size > 0 || (await owesRewritten(work))) return true;
  return (await work.sessions()).some(({ state }) => canGoOn(state) || (state.redo && !state.canceled));
}

const BUSY: ActionOutcome = {
  status: "ignored",
  reasonCode: "busy",
  message: "another run is working on this; it checks for comments and answers again before it ends",
};

function nothingToDo({ ignored, verdict }: Read): ActionOutcome {
  const isRefused = verdict === "not-permitted" || ignored.some(({ reason }) => reason === "not-permitted");
  return isRefused
    ? {
        status: "ignored",
        reasonCode: "not-permitted",
        message: "the author of that comment may not decide here",
      }
    : { status: "ignored", reasonCode: "no-command", message: "no comment has a command for looplia" };
}

function ended(outcome: ActionOutcome): Round {
  return { outcome, reported: [], hasRun: false, hasEnded: true, hasNews: false };
}

/**
 * `isShown`: the pull request shows the outcome. `wasOver`: the work was closed before this run opened it.
 */
type WakeResult = { outcome: ActionOutcome; isShown: boolean; wasOver: boolean };

/**
 * Runs rounds until the inbox has no news. Comments may arrive as fast as the run answers them: once the run
 * has no status edit left for another round, the next wake reads the rest. Fills in `told`. Throws
 * LoopliaError for errors that end the run.
 */
export async function wake(run: WakeRun): Promise<WakeResult> {
  const items = new Map<string, Result>();
  let round = await wakeOnce(run);
  let outcome = round.outcome;
  if (outcome === BUSY && run.event.name === "issue_comment") {
    // The owner's last look may have been at a list that lacked this comment: it is free by now, or looks later.
    await new Promise((resolve) => setTimeout(resolve, LISTED_LATE_MS));
    round = await wakeOnce(await nextRound(run, "late"));
    outcome = round.outcome;
  }
  const wasOver = outcome.status === "ignored" && outcome.reasonCode === "closed" && !round.hasRun;
  keep(items, round);
  for (let number = 2; round.hasNews && run.statusEdits.isLeft && !run.signal.aborted; number += 1) {
    const before = round;
    if (!before.hasEnded) tell(run, before.outcome);
    round = await wakeOnce(await nextRound(run, String(number)));
    // Another run now holds the work. This run still reports what its earlier rounds did.
    if (round.outcome.status === "ignored") break;
    // A round that only refused commands does not change the outcome of the previous round.
    if (!round.hasRun && round.outcome.status !== "failed") continue;
    keep(items, round);
    outcome = round.outcome;
    // GitHub failed at the end of two rounds in a row: the next wake continues.
    if (!before.hasEnded && !round.hasEnded) break;
  }
  run.told.items = [...items.values()];
  if (round.hasNews) tellOfNews(run);
  return { outcome, isShown: round.hasEnded || (await isShownByOthers(run, round)), wasOver };
}

/** The run that won a race shows the rest. */
async function isShownByOthers(run: WakeRun, { outcome }: Round): Promise<boolean> {
  if (outcome.reasonCode === "lost-race") return true;
  return outcome.reasonCode === "closed" && (await showClosed(run));
}

/**
 * The pull request was closed, or its branch deleted, during this run. Perhaps nothing ever wakes this work
 * again, so the run shows the closed state now. True if it did.
 */
async function showClosed(run: WakeRun): Promise<boolean> {
  const { pullRequest } = run.work;
  if (!pullRequest || run.signal.aborted || !run.statusEdits.isLeft) return false;
  return settle(
    async () => {
      run.work.pullRequest = (await run.host.pullRequest(pullRequest.number)) ?? pullRequest;
      // `isCutOff`: the work ended under this run, and the round only shows that.
      const round = await wakeOnce({ ...(await nextRound(run, "closed")), isCutOff: true });
      return round.outcome.reasonCode === "closed";
    },
    (thrown) => {
      tell(run, outcomeOf(thrown));
      return false;
    },
  );
}

/** Wakes another work in this run: `prepare` makes its run of a fresh one. */
async function wakeNext(
  run: WakeRun,
  name: string,
  prepare: Parameters<WakeNext>[2],
): Promise<ActionOutcome> {
  return (await wakeOnce(await prepare(await nextRound(run, name)))).outcome;
}

function tellOfNews({ observe }: WakeRun): void {
  const message =
    "comments written while this run ended are read by the next run, which any comment with a command starts";
  observe({ type: "notice", level: "warning", message });
}

/** Warns about a failure that the next round makes up for. */
function tell({ observe }: WakeRun, { reasonCode, message = "" }: ActionOutcome): void {
  observe({ type: "notice", level: "warning", message: `${reasonCode}: ${message}` });
}

/** The next round only reads new comments and answers; it starts no items, and what was brought is stored by now. */
async function nextRound(run: WakeRun, name: string): Promise<WakeRun> {
  const { restart: _, bring, trees, takes, collects, ...next } = await renew(run, name);
  return { ...next, kind: "respond" };
}

/** The same run with a fresh clone. */
async function renew(run: WakeRun, name: string): Promise<WakeRun> {
  const temporary = join(run.temporary, `round-${name}`);
  await mkdir(temporary);
  const repository = await run.openRepository(temporary);
  await repository.fetchCommit(run.found.baseCommit, run.found.base);
  return { ...run, repository, temporary };
}

function keep(items: Map<string, Result>, { reported }: Round): void {
  for (const item of reported) items.set(item.sessionId || item.source, item);
}
