// Brings the pull request up to what is stored. Every part is idempotent by look-up: what is there already is known by
// marker and author, and ids in the state are only a cache of that.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decidingPathIn } from "../approval/gate.ts";
import { explain, LoopliaError } from "../core/errors.ts";
import type { HandledComment } from "../core/events.ts";
import type { PullRequest } from "../core/ports-host.ts";
import { type InteractionState, isPending, type VoidApproval } from "../core/state.ts";
import { standingApprovals, type WorkState } from "../core/work-state.ts";
import { withoutMark, writePullRequest } from "../publish/pull-request.ts";
import { artifactName, type RunReport } from "../publish/report.ts";
import { type Attachment, attachmentOf, type RequestAround, renderRequest } from "../publish/request.ts";
import { renderAnswered, renderClosed } from "../publish/settled.ts";
import { renderCheck, renderStatus, type WorkReport } from "../publish/status.ts";
import type { WorkClaim } from "./claim.ts";
import { acknowledge } from "./people.ts";
import {
  outcomeOf,
  runUrlOf,
  type Telling,
  type WakeRun,
  type WorkInHand,
  type WorkQuestion,
} from "./run.ts";

// What the pull request does not show yet of what is stored. Pure: every wake asks this, whatever happened before.

/** A question, and what became of its approval. */
type Ended = InteractionState & { inVain?: VoidApproval };

type ProjectionDebts<Question extends Ended> = {
  /** Open questions without a comment. */
  ask: Question[];
  /** Questions that ended, and whose comment does not say so. */
  settle: Question[];
  /** Commands whose author was not told how it went. */
  answer: HandledComment[];
  /** How the last run ended is not shown. */
  isBehind: boolean;
};

/** From what is stored alone: GitHub is not asked. */
export function findOwed<Question extends Ended>(
  state: WorkState,
  questions: readonly Question[],
): ProjectionDebts<Question> {
  const isAsked = ({ request }: Question) => state.requestComments.has(request.interactionId);
  return {
    ask: questions.filter((question) => isPending(question) && !isAsked(question)),
    settle: questions.filter(
      (question) => !isPending(question) && isAsked(question) && !isTold(question, state.settled),
    ),
    answer: [...state.handled.values()].filter(
      ({ commentId, verdict }) => verdict !== "ignored" && !state.acknowledged.has(commentId),
    ),
    isBehind: state.isBehind === true,
  };
}

/** What a comment says of an approval that let nothing run: it may be asked anew only later. */
function voidReasonOf({ reason, again = "" }: VoidApproval): string {
  return `${reason} ${again}`;
}

function isTold({ request, inVain }: Ended, settled: WorkState["settled"]): boolean {
  const told = settled.get(request.interactionId);
  return told !== undefined && told.inVain === (inVain && voidReasonOf(inVain));
}

/** Whether there is any of it. */
export function isOwed(owed: ProjectionDebts<Ended>): boolean {
  return owed.isBehind || owed.ask.length + owed.settle.length + owed.answer.length > 0;
}

// The open questions of a work as its pull request, its status comment and its check tell them.

/** What waits for people, with links to the comments. */
export async function listQuestions(
  run: WakeRun,
  work: WorkInHand,
): Promise<NonNullable<RunReport["questions"]>> {
  const url = run.work.pullRequest?.url;
  return (await work.openQuestions()).map((request) => {
    const { interactionId, shortId, sessionId, display, expiresAt } = request;
    const comment = work.state.requestComments.get(interactionId);
    return {
      interactionId,
      shortId,
      sessionId,
      title: display.title,
      ...(comment && url !== undefined ? { commentUrl: `${url}#issuecomment-${comment.commentId}` } : {}),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
  });
}

/** Paths of approved edits that decide what runs or who has permission, sorted. */
export async function listChangedRules(work: WorkInHand): Promise<string[]> {
  const approved = (await work.questions()).filter(
    ({ response, inVain }) => ["approve", "run"].includes(response?.selectedOptionId ?? "") && !inVain,
  );
  const dangers = approved.flatMap(({ request }) => request.dangers ?? []);
  return [...new Set(dangers.flatMap((danger) => decidingPathIn(danger) ?? []))].sort();
}

// One comment a question: posted once, and edited when the question has ended.

const CHANGED = "Somebody changed this comment, so it is asked again in another one.";
const UPLOAD_MS = 60_000;

/** Posts the question's comment; what a comment can't hold is uploaded first. */
async function askPeople(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  { request, sessionId, auditHead }: WorkQuestion,
): Promise<void> {
  const { approvers, minApprovals, selfApproval } = run.found.settings;
  const { source, tasks } = run.told.items.find((item) => item.sessionId === sessionId) ?? {};
  const task = tasks?.find(({ id }) => id === request.taskId);
  const attachment = attachmentOf(request);
  const attachmentUrl = attachment && (await upload(run, attachment));
  const around: RequestAround = {
    workId: work.workId,
    approvers,
    minApprovals,
    selfApproval,
    run: {
      number: run.facts.runNumber,
      url: runUrlOf(run),
      ...(run.facts.actorId === undefined ? {} : { actor: run.facts.actorId }),
    },
    auditHead,
    ...(source === undefined ? {} : { source }),
    ...(task ? { task } : {}),
    ...(attachmentUrl === undefined ? {} : { attachmentUrl }),
  };
  const { body, isComplete } = renderRequest(request, around);
  const { interactionId } = request;
  const changed = work.state.changedComments.get(interactionId);
  if (changed !== undefined) {
    const closing = { how: "superseded", reason: CHANGED } as const;
    const place = { workId: work.workId, pullRequestUrl: pullRequest.url };
    await run.discussion.editComment(changed, renderClosed(request, place, closing));
  }
  const posted = await run.discussion.postComment(pullRequest.number, body);
  const { id: commentId, createdAt, author } = posted;
  await work.note({
    type: "CommentPosted",
    payload: {
      role: "request",
      interactionId,
      commentId,
      createdAt,
      authorId: author?.id ?? 0,
      ...(isComplete ? {} : { isCut: true }),
    },
  });
}

/** The artifact's address, or undefined where it could not be uploaded: then the comment says so. */
async function upload(run: WakeRun, { name, text }: Attachment): Promise<string | undefined> {
  const folder = join(run.temporary, "attachments", name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
  const { workId } = run.work;
  const artifact = `${artifactName({ workId, ...run.facts })}-${name.replace(/\.txt$/, "")}`;
  const retentionDays = run.found.settings.retentionDays;
  try {
    const id = await run.wiring.uploadFolder({ name: artifact, folder, retentionDays, timeoutMs: UPLOAD_MS });
    return id === undefined ? undefined : `${runUrlOf(run)}/artifacts/${id}`;
  } catch (thrown) {
    const { message = "" } = outcomeOf(thrown);
    run.observe({ type: "notice", level: "warning", message });
    return undefined;
  }
}

/** Edits the comment of a question that ended; one that somebody deleted is left so. */
export async function settleRequest(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  question: WorkQuestion,
): Promise<void> {
  const { interactionId } = question.request;
  const comment = work.state.requestComments.get(interactionId);
  if (!comment) return;
  const body = renderEnd(work, pullRequest.url, question);
  await run.discussion.editComment(comment.commentId, body);
  const inVain = question.inVain && voidReasonOf(question.inVain);
  await work.note({
    type: "RequestSettled",
    payload: { interactionId, ...(inVain === undefined ? {} : { inVain }) },
  });
}

function renderEnd(work: WorkInHand, pullRequestUrl: string, question: WorkQuestion): string {
  const { request, response, closed, approvals, inVain } = question;
  const around = { workId: work.workId, pullRequestUrl };
  if (response) {
    const earlier = approvals.filter(({ actorId }) => actorId !== response.authorActorId);
    const again = inVain?.again && work.state.requestComments.get(inVain.again)?.commentId;
    const more = inVain && { ...inVain, ...(again ? { commentId: again } : {}) };
    return renderAnswered(request, around, response, { earlier, ...(more ? { inVain: more } : {}) });
  }
  switch (closed?.why) {
    case "expired":
      return renderClosed(request, around, { how: "expired", at: closed.at ?? request.expiresAt ?? "" });
    case "canceled":
      return renderClosed(request, around, { how: "canceled", reason: "Its task was canceled." });
    default:
      return renderClosed(request, around, { how: "superseded", reason: "Its task has ended." });
  }
}

// The status comment and the check of a work: edited in place.

type StatusRun = Pick<WakeRun, "discussion" | "facts" | "clock" | "statusEdits">;
type StatusWork = Pick<WorkInHand, "workId" | "state" | "note" | "stateRef">;

/** Posts or edits the status comment, as often as a run may; one that somebody deleted is posted anew. */
export async function projectStatus(
  run: StatusRun,
  work: StatusWork,
  pullRequest: PullRequest,
  telling: Telling,
): Promise<void> {
  if (!run.statusEdits.take({ isRunning: telling.runningSince !== undefined })) return;
  const status = workReport(run, work, telling);
  const body = renderStatus(status);
  const known = work.state.statusComment;
  const edited = known === undefined ? undefined : await run.discussion.editComment(known, body);
  if (!edited) {
    const { id: commentId, createdAt, author } = await run.discussion.postComment(pullRequest.number, body);
    const authorId = author?.id ?? 0;
    await work.note({ type: "CommentPosted", payload: { role: "status", commentId, createdAt, authorId } });
  }
  if (telling.runningSince === undefined) await projectCheck(run, work, status);
}

/** A check belongs to a commit: on another one it is another check. */
async function projectCheck(run: StatusRun, work: StatusWork, status: WorkReport): Promise<void> {
  const headSha = work.stateRef.branchTip;
  if (headSha === undefined) return;
  const known = work.state.check;
  const id = known?.headSha === headSha ? { id: known.checkId } : {};
  const checkId = await run.discussion.saveCheck({ ...renderCheck(status), headSha, ...id });
  if (checkId === undefined || (known?.checkId === checkId && known.headSha === headSha)) return;
  await work.note({ type: "CheckSaved", payload: { checkId, headSha } });
}

function workReport(run: StatusRun, work: StatusWork, telling: Telling): WorkReport {
  return {
    workId: work.workId,
    report: telling.report,
    run: { number: run.facts.runNumber, url: runUrlOf(run) },
    at: run.clock.now().toISOString(),
    ...(telling.runningSince === undefined ? {} : { runningSince: telling.runningSince }),
  };
}

// The one pull request of a work: opened when there is something to see or to decide, its text kept up to date.

/** Opens it where there is none, with the open questions in its title and text. Fails where people could not see them. */
export async function openPullRequest(run: WakeRun, work: WorkInHand, report: RunReport): Promise<void> {
  if (run.work.pullRequest) return;
  const { branch, workId } = run.work;
  const questions = await listQuestions(run, work);
  const text = writePullRequest(workId, { ...report, questions, changedRules: await listChangedRules(work) });
  const opened = await run.host.openPullRequest({ branch, base: run.found.base, ...text });
  if (!opened && questions.length > 0) {
    throw new LoopliaError("host-failed", `GitHub sees no commits on ${branch}, so nobody can be asked`, {
      hint: "run again: the branch and the questions are saved",
    });
  }
  if (!opened) return;
  run.work.pullRequest = opened;
  run.told.pullRequest = opened;
  await work.note({ type: "PullRequestOpened", payload: { number: opened.number, url: opened.url } });
}

/** Brings title and text up to date; what people wrote around them stays. Fails with `closed` where it was closed. */
async function writeDescription(run: WakeRun, report: RunReport): Promise<void> {
  const existing = run.work.pullRequest;
  if (!existing) return;
  // What was closed before keeps its text, because the status comment tells; only the mark of a question ends with it.
  const text =
    existing.state === "closed"
      ? { title: withoutMark(existing.title), body: existing.body }
      : writePullRequest(run.work.workId, report, existing);
  if (text.title === existing.title && text.body === existing.body) return;
  const fresh = await run.host.updatePullRequest(existing.number, text);
  run.work.pullRequest = fresh;
  run.told.pullRequest = fresh;
  if (fresh.state !== "closed" || existing.state === "closed") return;
  throw new LoopliaError("closed", `pull request ${fresh.number} was closed while the run was at work`, {
    hint: `the results are on ${run.work.branch}; the next run begins a new work from ${run.found.base}`,
  });
}

/**
 * Fails with `host-failed`; what was done until then is noted. Nothing happens where there is no pull request. False: the
 * conversation is locked, which is told as a warning, and the rest of it waits until somebody unlocks it.
 */
export function project(run: WakeRun, work: WorkInHand, telling: Telling): Promise<boolean> {
  return work.inTurn(() => show(run, work, telling));
}

/** What GitHub refuses of the rest, in a locked conversation for example, never leaves the status comment behind. */
async function show(run: WakeRun, work: WorkInHand, telling: Telling): Promise<boolean> {
  const { pullRequest } = run.work;
  if (!pullRequest) return true;
  const reportNow = async () => {
    const [questions, changedRules] = await Promise.all([listQuestions(run, work), listChangedRules(work)]);
    const standing = standingApprovals(work.state);
    return { ...telling.report, pullRequest, questions, standing, changedRules };
  };
  const parts = [
    () => showOwed(run, work, telling, pullRequest),
    async () => writeDescription(run, await reportNow()),
    async () => projectStatus(run, work, pullRequest, { ...telling, report: await reportNow() }),
  ];
  const failures: unknown[] = [];
  for (const part of parts) await part().catch((thrown: unknown) => failures.push(thrown));
  const others = failures.filter((failure) => !isLocked(failure));
  if (others.length > 0) throw others[0];
  const [locked] = failures.filter(isLocked);
  if (locked) run.observe({ type: "notice", level: "warning", message: explain(locked) });
  return !locked;
}

function isLocked(thrown: unknown): thrown is LoopliaError {
  return thrown instanceof LoopliaError && thrown.hostFailure === "locked";
}

async function showOwed(
  run: WakeRun,
  work: WorkInHand,
  telling: Telling,
  pullRequest: PullRequest,
): Promise<void> {
  const owed = findOwed(work.state, await work.questions());
  for (const question of owed.ask) await askPeople(run, work, pullRequest, question);
  for (const question of owed.settle) await settleRequest(run, work, pullRequest, question);
  const isOver = telling.runningSince === undefined;
  for (const handled of owed.answer) await acknowledge(run, work, pullRequest, handled, isOver);
}

// While a run is at work its questions are asked and its status comment follows: a minute's work is not shown twice.

const SOON_MS = 20_000;
const EVERY_MS = 5 * 60_000;

type StatusProgress = {
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
export function followProgress(run: WakeRun, work: WorkInHand, claim: WorkClaim): StatusProgress {
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
