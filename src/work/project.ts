// Shows the stored state on the pull request. Each part first looks up what is already there, so it can be
// repeated.
import { join } from "node:path";
import { MAX_OPEN_QUESTIONS } from "../agent/session.ts";
import { decidingPathIn } from "../approval/gate.ts";
import type { VoidApproval } from "../core/answer-fate.ts";
import { explain, LoopliaError } from "../core/errors.ts";
import type { HandledComment } from "../core/events.ts";
import { hashContent, inTurn } from "../core/json.ts";
import type { PullRequest } from "../core/ports-host.ts";
import type { Result } from "../core/result.ts";
import { type InteractionState, isPending } from "../core/state.ts";
import { standingApprovals, type WorkState } from "../core/work-state.ts";
import { withoutMark, writePullRequest } from "../publish/pull-request.ts";
import { artifactName, type RunReport } from "../publish/report.ts";
import { attachmentOf } from "../publish/request.ts";
import { subjectOf } from "../publish/request-parts.ts";
import { renderCheck, renderStatus, type WorkReport } from "../publish/status.ts";
import { letThrough } from "./asked/own-questions.ts";
import {
  afterAnswer,
  askPeople,
  remindPeople,
  settleRequest,
  showsOf,
  updateRequest,
} from "./asked/request-comments.ts";
import { acknowledge, type OwedAnswer } from "./people.ts";
import {
  type Leftovers,
  outcomeOf,
  runUrlOf,
  type WakeRun,
  type WorkInHand,
  type WorkQuestion,
} from "./run.ts";

// Which parts of the stored state the pull request does not show yet. Pure: every wake computes this from the
// state alone.

/** A question and the outcome of its approval. */
type Ended = Pick<WorkQuestion, "fateOf"> & InteractionState & { inVain?: VoidApproval };

type ProjectionDebts<Question extends Ended> = {
  /** Open questions without a comment. */
  ask: Question[];
  /** Questions that ended and whose comment does not say so yet. */
  settle: Question[];
  /** Commands without a reply on their outcome. */
  answer: OwedAnswer[];
  /** Open questions whose comment lacks the newest approvals. */
  update: Question[];
  /** Open questions past half of their time without a reminder. */
  remind: Question[];
  /** The outcome of the last run is not shown yet. */
  isBehind: boolean;
};

/** Computed from the stored state alone, without a request to GitHub. */
export function findOwed<Question extends Ended>(
  state: WorkState,
  questions: readonly Question[],
  now: Date,
): ProjectionDebts<Question> {
  const isAsked = ({ request }: Question) => state.requestComments.has(request.interactionId);
  const asked = questions.filter((question) => isPending(question) && isAsked(question));
  // Shards may have raised more questions than are asked at once: the others wait.
  const room = Math.max(0, MAX_OPEN_QUESTIONS - asked.length);
  const settle = questions.filter(
    (question) => !isPending(question) && isAsked(question) && !isTold(question, state.settled),
  );
  // Texts of open questions were withheld until now.
  const areLetThrough = settle.some(
    ({ request, response }) => request.keyHashes && response?.selectedOptionId === "approve",
  );
  return {
    ask: questions.filter((question) => isPending(question) && !isAsked(question)).slice(0, room),
    settle,
    answer: [...state.handled.values()]
      .filter(({ commentId, verdict }) => verdict !== "ignored" && !state.acknowledged.has(commentId))
      .flatMap((handled) => answerOwed(handled, questions) ?? []),
    update: questions.filter(
      (question) =>
        isPending(question) &&
        (isOutdated(question, state) ||
          state.settled.has(question.request.interactionId) ||
          (areLetThrough && isAsked(question) && !attachmentOf(question.request))),
    ),
    remind: questions.filter((question) => isPending(question) && isHalfOver(question, state, now)),
    isBehind: state.isBehind === true,
  };
}

function isHalfOver({ request }: Ended, state: WorkState, now: Date): boolean {
  const { interactionId, expiresAt } = request;
  const asked = state.requestComments.get(interactionId);
  if (!asked || expiresAt === undefined || state.reminded.has(interactionId)) return false;
  const [from, until] = [Date.parse(asked.createdAt), Date.parse(expiresAt)];
  return now.getTime() >= from + (until - from) / 2;
}

/** Undefined while an answer has no outcome yet: until then its author sees the eyes reaction. */
function answerOwed(handled: HandledComment, questions: readonly Ended[]): OwedAnswer | undefined {
  const { commentId, interactionIds = [] } = handled;
  const fates = interactionIds.flatMap(
    (id) => questions.find(({ request }) => request.interactionId === id)?.fateOf(commentId) ?? [],
  );
  if (fates.some(({ kind }) => kind === "open")) return undefined;
  const [lost] = fates.flatMap((fate) => (fate.kind === "void" ? [fate] : []));
  if (!lost) return { handled };
  const { reason, isOver, again } = lost;
  const anew = questions.find(({ request }) => request.interactionId === again)?.request.shortId;
  const next = isOver ? "This work has ended." : "If the agent still needs this, it asks again.";
  return {
    handled,
    inVain: { reason, whatToDo: anew === undefined ? next : `It was asked again as ${anew}.` },
  };
}

function isOutdated(question: Ended, { requestComments }: WorkState): boolean {
  const comment = requestComments.get(question.request.interactionId);
  return (
    comment !== undefined && !attachmentOf(question.request) && (comment.shows ?? "") !== showsOf(question)
  );
}

function isTold(question: Ended, settled: WorkState["settled"]): boolean {
  const told = settled.get(question.request.interactionId);
  return told !== undefined && told.inVain === afterAnswer(question);
}

/** Whether anything remains to be shown. */
export function isOwed(owed: ProjectionDebts<Ended>): boolean {
  const { ask, settle, answer, update, remind } = owed;
  return owed.isBehind || ask.length + settle.length + answer.length + update.length + remind.length > 0;
}

// The open questions of a work, for its pull request, status comment and check.

/** The open questions, with links to their comments. */
export async function listQuestions(
  run: WakeRun,
  work: WorkInHand,
): Promise<NonNullable<RunReport["questions"]>> {
  const url = run.work.pullRequest?.url;
  const { minApprovals: needed } = run.found.settings;
  const open = (await work.questions()).filter(isPending);
  return open.map(({ request, sessionId, approvals }) => {
    const { interactionId, shortId, expiresAt } = request;
    const comment = work.state.requestComments.get(interactionId);
    return {
      interactionId,
      shortId,
      sessionId,
      title: subjectOf(request),
      ...(comment && url !== undefined ? { commentUrl: `${url}#issuecomment-${comment.commentId}` } : {}),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(approvals.length > 0 ? { approvals: { given: approvals.length, needed } } : {}),
    };
  });
}

/** Sorted paths of approved edits that decide which programs run or who has permission. */
export async function listChangedRules(work: WorkInHand): Promise<string[]> {
  const approved = (await work.questions()).filter(
    ({ response, inVain }) => ["approve", "run"].includes(response?.selectedOptionId ?? "") && !inVain,
  );
  const dangers = approved.flatMap(({ request }) => request.dangers ?? []);
  return [...new Set(dangers.flatMap((danger) => decidingPathIn(danger) ?? []))].sort();
}

// The status comment and the check of a work, both edited in place.

type StatusRun = Pick<WakeRun, "discussion" | "facts" | "clock" | "statusEdits">;
type StatusWork = Pick<WorkInHand, "workId" | "state" | "note" | "stateRef" | "openedTip">;

/** Posts or edits the status comment, within the run's limit of edits; a deleted comment is posted again. */
export async function projectStatus(
  run: StatusRun,
  work: StatusWork,
  pullRequest: PullRequest,
  telling: Telling,
): Promise<void> {
  if (!run.statusEdits.take({ isRunning: telling.runningSince !== undefined })) return;
  const status = workReport(run, work, telling);
  const body = renderStatus(status);
  const shown = [showStatus(run, work, pullRequest, body)];
  if (telling.runningSince === undefined) shown.push(projectCheck(run, work, pullRequest, status));
  const [failed] = (await Promise.allSettled(shown)).filter(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

/** Facts for the pull request beside the stored state. */
type Telling = {
  report: RunReport;
  /** ISO 8601, while the run is still at work. */
  runningSince?: string;
};

async function showStatus(
  run: StatusRun,
  work: StatusWork,
  pullRequest: PullRequest,
  body: string,
): Promise<void> {
  const known = work.state.statusComment;
  const edited = known === undefined ? undefined : await run.discussion.editComment(known, body);
  if (edited) return;
  const { id: commentId, createdAt, author } = await run.discussion.postComment(pullRequest.number, body);
  const authorId = author?.id ?? 0;
  await work.note({ type: "CommentPosted", payload: { role: "status", commentId, createdAt, authorId } });
}

/** A check belongs to one commit: another commit needs a new check. */
async function projectCheck(
  run: StatusRun,
  work: StatusWork,
  { isNew }: PullRequest,
  status: WorkReport,
): Promise<void> {
  const headSha = work.stateRef.branchTip;
  if (headSha === undefined) return;
  const known = work.state.check;
  const shows = digestOf({ ...status, at: new Date(0).toISOString(), run: { number: "", url: "" } });
  if (known?.headSha === headSha && known.shows === shows) return;
  // A run that died may have made a check that it did not record, on a commit that it had pushed.
  const isFirst = isNew || headSha !== work.openedTip;
  const id = known?.headSha === headSha ? { id: known.checkId } : isFirst ? { isFirst } : {};
  const checkId = await run.discussion.saveCheck({ ...renderCheck(status), headSha, ...id });
  if (checkId === undefined) return;
  await work.note({ type: "CheckSaved", payload: { checkId, headSha, shows } });
}

function digestOf(status: WorkReport): string {
  return hashContent(JSON.stringify(renderCheck(status)));
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

// The one pull request of a work: opened once there are results or questions; its text is kept up to date.

/**
 * Opens the pull request if there is none, with the open questions in its text. Throws if nobody could see
 * the questions.
 */
export async function openPullRequest(run: WakeRun, work: WorkInHand, report: RunReport): Promise<void> {
  if (run.work.pullRequest || run.work.shard) return;
  const { branch, workId } = run.work;
  const questions = await listQuestions(run, work);
  const changedRules = await listChangedRules(work);
  const text = writePullRequest(workId, { ...report, questions, changedRules, ...pageFacts(run) });
  const opened = await run.host.openPullRequest({ branch, base: run.found.base, ...text });
  if (!opened && questions.length > 0) {
    throw new LoopliaError(
      "host-failed",
      `GitHub sees no commits on ${branch}, so no question can be asked`,
      {
        hint: "run again: the branch and the questions are saved",
      },
    );
  }
  if (!opened) return;
  run.work.pullRequest = opened;
  run.told.pullRequest = opened;
  work.seenTip = work.stateRef.branchTip;
  await work.note({ type: "PullRequestOpened", payload: { number: opened.number, url: opened.url } });
}

/** Facts for a page about the work that the report does not contain. */
function pageFacts(run: WakeRun): Pick<RunReport, "filesUrl" | "titleTemplate"> {
  const { title } = run.found.settings;
  return { filesUrl: filesUrlOf(run), ...(title === undefined ? {} : { titleTemplate: title }) };
}

/** The URL of the files below the working directory on the work's branch. */
function filesUrlOf({ facts, work, found }: WakeRun): string {
  const place = [facts.serverUrl, facts.repository, "blob", work.branch, found.folder];
  return place.filter((part) => part !== "").join("/");
}

/**
 * Updates title and text and keeps what people wrote around them; while a run is at work, both wait until
 * the first question is asked or the last one ends. Throws `closed` if the pull request was closed meanwhile.
 */
async function writeDescription(
  run: WakeRun,
  work: WorkInHand,
  report: RunReport,
  isRunning: boolean,
): Promise<void> {
  const existing = run.work.pullRequest;
  if (!existing) return;
  // A pull request that was already closed keeps its text; only the question mark in its title is removed.
  const text =
    existing.state === "closed"
      ? { title: withoutMark(existing.title), body: existing.body }
      : writePullRequest(run.work.workId, report, existing);
  const isSame = isRunning
    ? isMarked(text.title) === isMarked(existing.title)
    : text.title === existing.title && text.body === existing.body;
  // What is new on the branch of a closed pull request would be seen by nobody.
  const isNews = !isRunning && existing.state === "open" && work.stateRef.branchTip !== work.seenTip;
  if (isSame && !isNews) return;
  const fresh = isSame
    ? { ...existing, ...(await run.host.pullRequest(existing.number)) }
    : await run.host.updatePullRequest(existing.number, text);
  run.work.pullRequest = fresh;
  run.told.pullRequest = fresh;
  work.seenTip = work.stateRef.branchTip;
  if (fresh.state !== "closed" || existing.state === "closed") return;
  throw new LoopliaError("closed", `pull request ${fresh.number} was closed during the run`, {
    hint: `the results are on ${run.work.branch}; the next run starts a new work from ${run.found.base}`,
  });
}

function isMarked(title: string): boolean {
  return withoutMark(title) !== title;
}

/**
 * Shows the stored state. Does nothing without a pull request. Throws `host-failed`; everything shown before
 * the failure is recorded. False: the conversation is locked; the run warns, and the missing parts wait until
 * it is unlocked.
 */
export function project(run: WakeRun, work: WorkInHand, telling: Telling): Promise<boolean> {
  // Each projection sees the comments that the last one posted.
  return inTurn(work, () => show(run, work, telling));
}

/**
 * The status comment is updated even if GitHub refuses another part, for example in a locked conversation.
 */
async function show(run: WakeRun, work: WorkInHand, telling: Telling): Promise<boolean> {
  const { pullRequest } = run.work;
  if (!pullRequest) return true;
  await letThrough(run, work);
  const reportNow = async () => {
    const [questions, changedRules] = await Promise.all([listQuestions(run, work), listChangedRules(work)]);
    const standing = standingApprovals(work.state);
    return { ...telling.report, pullRequest, questions, standing, changedRules, ...pageFacts(run) };
  };
  const parts = [
    () => showOwed(run, work, telling, pullRequest),
    async () => writeDescription(run, work, await reportNow(), telling.runningSince !== undefined),
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
  const owed = findOwed(work.state, await work.questions(), run.clock.now());
  for (const question of owed.ask) await askPeople(run, work, pullRequest, question);
  for (const question of owed.update) await updateRequest(run, work, question);
  for (const question of owed.remind) await remindPeople(run, work, pullRequest, question);
  for (const question of owed.settle) await settleRequest(run, work, pullRequest, question);
  const isOver = telling.runningSince === undefined;
  for (const answer of owed.answer) await acknowledge(run, work, pullRequest, { ...answer, isOver });
}

/**
 * A GitHub failure here is only logged, because the end of the run shows everything. Other failures are
 * thrown.
 */
export async function showInPassing(run: WakeRun, show: () => Promise<void>): Promise<void> {
  try {
    await show();
  } catch (thrown) {
    if (!(thrown instanceof LoopliaError) || thrown.code !== "host-failed") throw thrown;
    run.observe({ type: "notice", level: "info", message: `not shown yet: ${thrown.message}` });
  }
}

// The audit log and the stores as an artifact of the run.

const UPLOAD_MS = 60_000;

/** What `post` uploads if this process dies; undefined if no upload is wanted. */
export function uploadOf(run: WakeRun, folder: string): Leftovers["upload"] {
  const { settings } = run.found;
  if (!settings.uploadAudit) return undefined;
  const { workId: id, shard } = run.work;
  const workId = shard ? `${id}-${shard.name}` : id;
  return { name: artifactName({ workId, ...run.facts }), folder, retentionDays: settings.retentionDays };
}

/** Uploads once per run, with a report of this run's sessions; a failure is only a warning. */
export async function uploadState(run: WakeRun, folder: string, results: readonly Result[]): Promise<void> {
  const upload = uploadOf(run, folder);
  if (!upload || run.told.artifactUrl !== undefined) return;
  await orWarn(run, () => {
    const place = { folder: join(folder, run.work.workId), stateKey: run.found.settings.stateKey };
    return run.wiring.writeReports(place, results);
  });
  await orWarn(run, async () => {
    const id = await run.wiring.uploadFolder({ ...upload, timeoutMs: UPLOAD_MS });
    run.remember({ works: run.unshown });
    if (id !== undefined) run.told.artifactUrl = `${runUrlOf(run)}/artifacts/${id}`;
  });
}

async function orWarn(run: WakeRun, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const { message = "" } = outcomeOf(thrown);
    run.observe({ type: "notice", level: "warning", message });
  }
}
