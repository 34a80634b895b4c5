// Handles a work with unreadable state: its pull request says so, and anyone with write access can restart
// it.
import { join } from "node:path";
import { judgeComment } from "../approval/judge.ts";
import { LoopliaError } from "../core/errors.ts";
import { payloadCount, valueAt } from "../core/json.ts";
import type { CommentAuthor, PullComment, PullRequest, StateTip } from "../core/ports-host.ts";
import { personOf } from "../publish/markdown.ts";
import { isOurDescription } from "../publish/pull-request.ts";
import { readMarker } from "../publish/report.ts";
import { renderOutdated } from "../publish/settled.ts";
import { renderCheck, renderDamage, renderRefusal } from "../publish/status.ts";
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
 * Opens the work. If its state is damaged, too new or gone, an unhandled `/looplia restart` sets the old
 * state aside and opens the work with an empty one. Without a restart the pull request shows the problem, and
 * this throws `store-corrupt`. `renew` makes a run with a fresh clone.
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
    await settle(
      () => replyToAnswer(run, { number: pullRequest.number, comments, ours }),
      (thrown) => warn(run, thrown),
    );
    throw told;
  }
  if (!tip) return asked;
  const ref = await repository.setStateAside(tip);
  await outdate(run, pullRequest, ours);
  return { ...asked, kept: { ref, commit: tip.commit } };
}

/** The newest `/looplia restart` from a person with write access that has no reply of ours yet. */
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

/** The new state keeps the old key; if that can't be read, this run's settings may begin the same work. */
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

/** Questions of the old state can no longer be answered: removes the commands from their comments. */
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

// The texts that people see.

const RESTART =
  "or comment `/looplia restart`: the damaged state is kept under another ref, and a new state starts from what is on the branch; earlier answers do not count again";

function hintOf({ hint = "", message }: LoopliaError, tip: StateTip | undefined): string {
  if (/newer (?:version|looplia)/.test(`${message} ${hint}`))
    return `Use that version or a later one, ${RESTART}.`;
  if (!tip) return `${hint} ${RESTART[0]?.toUpperCase()}${RESTART.slice(1)}.`;
  return `Reset ${tip.ref} to one of its earlier commits, ${RESTART}.`;
}

/** Names files as in the commit, because a runner's folders mean nothing to people. */
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

/** If GitHub refuses a part of this, the run only warns: it fails anyway. */
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
  await settle(show, (thrown) => warn(run, thrown));
}

function warn(run: WakeRun, thrown: unknown): undefined {
  run.observe({ type: "notice", level: "warning", message: outcomeOf(thrown).message ?? "" });
}

/** An edited status notifies nobody: whoever wrote the command that woke this run gets a reaction and a reply, once. */
async function replyToAnswer(
  { event, discussion, found, work: { workId } }: WakeRun,
  {
    number,
    comments,
    ours,
  }: { number: number; comments: readonly PullComment[]; ours: readonly PullComment[] },
): Promise<void> {
  if (event.name !== "issue_comment") return;
  const id = payloadCount(valueAt(event.payload, "comment", "id"));
  const comment = comments.find((one) => one.id === id);
  const isTold = ours.some(({ body }) => {
    const marker = readMarker(body);
    return marker?.role === "reply" && marker.commentId === id;
  });
  if (!comment || isTold || ours.includes(comment)) return;
  const around = { settings: found.settings, questions: [], asks: discussion };
  const { verdict } = await judgeComment(comment, undefined, around);
  if (verdict === "ignored") return;
  await discussion.react(comment.id, "confused");
  const reply = { workId, commentId: comment.id, author: comment.author?.login ?? null };
  const refused = {
    command: comment.body.trim(),
    reason: "the state of this work can't be read, so no answer counts",
    whatToDo: "The status comment says what happened; this starts a new state from what is on the branch:",
    copy: ["/looplia restart"],
  };
  await discussion.postComment(number, renderRefusal(reply, refused));
}

// An open pull request without a state: the state ref was deleted.

/** The outcome if the pull request never carried a work. */
export function findNoWork(run: WakeRun, { stateRef }: WorkInHand): ActionOutcome | undefined {
  const { pullRequest, workId } = run.work;
  const isLost = stateRef.last === undefined && pullRequest?.state === "open" && run.kind === "respond";
  if (!isLost || run.restart || isOurDescription(pullRequest.body, workId)) return undefined;
  const message = `pull request ${pullRequest.number} carries no work of looplia`;
  return { status: "ignored", reasonCode: "no-command", message };
}

/** The error if a person wants to continue a work whose state is gone; a run that starts items only warns. */
function findLost(run: WakeRun, { stateRef }: WorkInHand): LoopliaError | undefined {
  const { pullRequest, workId } = run.work;
  if (stateRef.last !== undefined || pullRequest?.state !== "open") return undefined;
  if (!isOurDescription(pullRequest.body, workId)) return undefined;
  const [ref] = stateRefsOf(run.found.settings, workId);
  const message = `the state of this work was deleted: there is no ${ref}, though pull request ${pullRequest.number} is open`;
  if (run.kind === "respond") {
    const hint = `If you have the commit, restore the ref (git push origin <commit>:${ref}). Or run the workflow that starts the work: it starts a new state from the branch and asks its questions again; answers to earlier questions no longer count.`;
    return new LoopliaError("store-corrupt", message, { hint });
  }
  const consequence = "a new state starts from the branch, and earlier questions no longer count";
  run.observe({ type: "notice", level: "warning", message: `${message}; ${consequence}` });
  return undefined;
}
