// A work whose state can't be read: its pull request says so, and whoever may write there lets a new state begin.
import { join } from "node:path";
import { judgeComment } from "../approval/judge.ts";
import { LoopliaError } from "../core/errors.ts";
import type { CommentAuthor, PullComment, PullRequest, StateTip } from "../core/ports-host.ts";
import { personOf } from "../publish/markdown.ts";
import { isOurDescription } from "../publish/pull-request.ts";
import { readMarker } from "../publish/report.ts";
import { renderOutdated } from "../publish/settled.ts";
import { renderCheck, renderDamage } from "../publish/status.ts";
import { keyOf, stateRefsOf } from "./find.ts";
import { isOurs, type OpenWork, openWork, readKeyText } from "./in-hand.ts";
import {
  type ActionOutcome,
  outcomeOf,
  type Restart,
  runUrlOf,
  settle,
  type WakeRun,
  type WorkInHand,
} from "./run.ts";

/**
 * Opens the work. Where its state is damaged, of a newer version or gone, a `/looplia restart` that nobody carried out yet
 * sets aside what is there, and the work is opened with an empty state; without one, the pull request tells what is wrong,
 * and this fails with `store-corrupt`. `renew` makes a run with a fresh clone.
 */
export async function openOrRestart(run: WakeRun, renew: () => Promise<WakeRun>): Promise<OpenWork> {
  const opened = await settle<OpenWork | { corrupt: LoopliaError }>(
    () => openWork(run),
    (thrown) => ({ corrupt: requireCorrupt(thrown) }),
  );
  if ("corrupt" in opened) {
    const restart = await restartOrTell(run, opened.corrupt);
    const { kind, work } = run;
    const key = await keyFor(run, restart);
    return openWork({ ...(await renew()), kind, work: { ...work, key }, restart });
  }
  const lost = findLost(opened.run, opened.work);
  if (!lost) return opened;
  try {
    const restart = await restartOrTell(opened.run, lost);
    return { ...opened, run: { ...opened.run, restart } };
  } catch (thrown) {
    await opened.close();
    throw thrown;
  }
}

function requireCorrupt(thrown: unknown): LoopliaError {
  if (thrown instanceof LoopliaError && thrown.code === "store-corrupt") return thrown;
  throw thrown;
}

async function restartOrTell(run: WakeRun, corrupt: LoopliaError): Promise<Restart> {
  const { repository, found, work } = run;
  const tip = await repository.stateTip(stateRefsOf(found.settings, work.workId));
  const told = new LoopliaError("store-corrupt", shownMessage(run, corrupt, tip), {
    hint: hintOf(corrupt, tip),
    cause: corrupt,
  });
  const { pullRequest } = work;
  if (pullRequest?.state !== "open" || found.settings.dryRun) throw told;
  const comments = await run.discussion.comments(pullRequest.number);
  const author = (await run.host.pullRequest(pullRequest.number))?.author;
  const isOwn = (one: CommentAuthor) => isOurs(one, {}) || (author != null && one?.id === author.id);
  const ours = comments.filter((comment) => isOwn(comment.author));
  const asked = await findRestart(run, comments, ours);
  if (!asked) {
    await tell(run, { pullRequest, told, ours });
    throw told;
  }
  if (!tip) return asked;
  const ref = await repository.setStateAside(tip);
  await outdate(run, pullRequest, ours);
  return { ...asked, kept: { ref, commit: tip.commit } };
}

/** The newest `/looplia restart` of somebody who may write, which no reply of ours says to have been carried out. */
async function findRestart(
  { discussion, found }: WakeRun,
  comments: readonly PullComment[],
  ours: readonly PullComment[],
): Promise<Restart | undefined> {
  const replied = new Set(
    ours.flatMap(({ body }) => {
      const marker = readMarker(body);
      return marker?.role === "reply" ? [marker.commentId] : [];
    }),
  );
  const wanted = comments.filter(
    ({ id, body }) => /^\s*\/looplia\s+restart\b/i.test(body) && !replied.has(id),
  );
  for (const comment of wanted.toReversed()) {
    const around = { settings: found.settings, questions: [], asks: discussion };
    const verdict = await judgeComment(comment, undefined, around);
    if (verdict.verdict !== "accepted" || verdict.effects[0]?.type !== "restart") continue;
    const { actorId, permission } = verdict;
    return { commentId: comment.id, createdAt: comment.createdAt, actorId, permission };
  }
  return undefined;
}

/** A new state has the key of the old one; where that can't be read, the settings of this run may be of the same work. */
async function keyFor({ repository, found, work }: WakeRun, { kept }: Restart): Promise<string> {
  if (work.key.startsWith("{")) return work.key;
  const stored =
    kept &&
    (await settle(
      () => readKeyText(repository, kept.commit),
      () => undefined,
    ));
  return stored ?? keyOf(found, work) ?? work.key;
}

/** Questions of the state before are answered by nobody any more: their comments offer no command to copy. */
async function outdate(
  { discussion, work: { workId } }: WakeRun,
  { url }: PullRequest,
  ours: readonly PullComment[],
): Promise<void> {
  for (const { id, body } of ours) {
    const marker = readMarker(body);
    if (marker?.role !== "request" || marker.workId !== workId) continue;
    if (!/^\/(?:approve|reject|choose|answer|revise) q\d/m.test(body)) continue;
    await discussion.editComment(id, renderOutdated({ workId, pullRequestUrl: url }, marker.interactionId));
  }
}

// What people read of it.

const RESTART =
  "or comment `/looplia restart`: what is damaged is kept under another ref, and a new state begins from what is on the branch; earlier answers do not count again";

function hintOf({ hint = "", message }: LoopliaError, tip: StateTip | undefined): string {
  if (/newer (?:version|looplia)/.test(`${message} ${hint}`))
    return `Use that version or a later one, ${RESTART}.`;
  if (!tip) return `${hint} ${RESTART[0]?.toUpperCase()}${RESTART.slice(1)}.`;
  return `Put ${tip.ref} back to an earlier commit of its own, ${RESTART}.`;
}

/** Files are named as they are in the commit: folders of the runner say nothing to anybody. */
function shownMessage(
  { temporary, work }: WakeRun,
  { message }: LoopliaError,
  tip: StateTip | undefined,
): string {
  const folder = join(temporary, "state", work.workId);
  const place = tip?.commit ?? "state";
  const shown = message.replaceAll(`${folder}/`, `${place}:`).replaceAll(folder, place);
  return tip === undefined || shown.includes(tip.ref) ? shown : `${shown} The state is at ${tip.ref}.`;
}

/** What GitHub refuses of it is a warning: the run fails all the same. */
async function tell(
  run: WakeRun,
  { pullRequest, told, ours }: { pullRequest: PullRequest; told: LoopliaError; ours: readonly PullComment[] },
): Promise<void> {
  const { work, found, facts, clock, discussion, repository } = run;
  const report = { ...run.told, ...outcomeOf(told), items: [], pullRequest };
  const at = clock.now().toISOString();
  const status = { workId: work.workId, report, run: { number: facts.runNumber, url: runUrlOf(run) }, at };
  const { approvers } = found.settings;
  const starter = facts.actorId === undefined ? undefined : personOf(facts.actorId);
  const addressed = approvers.length > 0 ? approvers : starter === undefined ? [] : [starter];
  const body = renderDamage(status, addressed);
  const known = ours.findLast(({ body: text }) => readMarker(text)?.role === "status");
  const show = async (): Promise<undefined> => {
    const edited = known && (await discussion.editComment(known.id, body));
    if (!edited) await discussion.postComment(pullRequest.number, body);
    const headSha = await repository.tipOf(work.branch);
    if (headSha === undefined) return;
    await discussion.saveCheck({ ...renderCheck(status), summary: body, headSha });
  };
  await settle(show, (thrown) => {
    run.observe({ type: "notice", level: "warning", message: outcomeOf(thrown).message ?? "" });
    return undefined;
  });
}

// A pull request that is open, and the state of its work is not there: somebody deleted the ref.

/** An outcome: there never was a work here. */
export function findNoWork(run: WakeRun, { stateRef }: WorkInHand): ActionOutcome | undefined {
  const { pullRequest, workId } = run.work;
  const isLost = stateRef.last === undefined && pullRequest?.state === "open" && run.kind === "respond";
  if (!isLost || run.restart || isOurDescription(pullRequest.body, workId)) return undefined;
  const message = `pull request ${pullRequest.number} carries no work of looplia`;
  return { status: "ignored", reasonCode: "no-command", message };
}

/** Where somebody wants to continue with a work whose state is gone; a run that begins with its items is only warned. */
function findLost(run: WakeRun, { stateRef }: WorkInHand): LoopliaError | undefined {
  const { pullRequest, workId } = run.work;
  if (stateRef.last !== undefined || pullRequest?.state !== "open") return undefined;
  if (!isOurDescription(pullRequest.body, workId)) return undefined;
  const [ref] = stateRefsOf(run.found.settings, workId);
  const message = `the state of this work was deleted: there is no ${ref}, though pull request ${pullRequest.number} is open`;
  if (run.kind === "respond") {
    const hint = `Who has it can put it back (git push origin <commit>:${ref}). Or run the workflow that starts the work: it begins a new state from what is on the branch, and asks again what it needs; answers to what was asked before count no more.`;
    return new LoopliaError("store-corrupt", message, { hint });
  }
  const consequence = "a new one begins from what is on the branch, and what was asked before counts no more";
  run.observe({ type: "notice", level: "warning", message: `${message}; ${consequence}` });
  return undefined;
}
