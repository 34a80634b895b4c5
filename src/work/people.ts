// Records answers, expiry, cancellation and retries, and reacts to commands.
import { posix } from "node:path";
import { type ApproverSettings, type Circumstances, mayStillDecide } from "../approval/judge.ts";
import { checkAnswer, type OpenRequest } from "../approval/questions.ts";
import { manifestsAmong } from "../content/manifest.ts";
import type { DomainEvent, HandledComment } from "../core/events.ts";
import type { InteractionAnswer } from "../core/interaction.ts";
import { loginOf } from "../core/json.ts";
import type { Discussion, PullRequest } from "../core/ports-host.ts";
import { cancelTasks, type InteractionState, isPending, isUnderWay } from "../core/state.ts";
import { expiryOf, recordable, standingApprovals, standsAfter, type WorkState } from "../core/work-state.ts";
import { renderRefusal, renderRestarted } from "../publish/status.ts";
import type { SessionState, WakeRun, WorkInHand, WorkQuestion, WorkRecord } from "./run.ts";

/** A command whose author needs a reply on its outcome; `inVain`: it was accepted but had no effect. */
export type OwedAnswer = { handled: HandledComment; inVain?: { reason: string; whatToDo: string } };

/** Reports how a command ended. An accepted command is reported only once the run `isOver`. */
export async function acknowledge(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  { handled, inVain, isOver }: OwedAnswer & { isOver: boolean },
): Promise<void> {
  const { commentId, verdict } = handled;
  if (verdict === "accepted" && !isOver) return;
  const hasEffect = verdict === "accepted" && inVain === undefined;
  await run.discussion.react(commentId, hasEffect ? "rocket" : "confused");
  if (!hasEffect && !work.state.refusals.has(commentId))
    await refuse(run, work, pullRequest, inVain === undefined ? handled : { ...handled, ...inVain });
  if (handled.restart && !work.state.refusals.has(commentId)) {
    const reply = { workId: work.workId, commentId, author: loginOf(handled.actorId ?? "") };
    const body = renderRestarted(reply, handled.restart);
    await postReply(run, work, pullRequest, { answers: commentId, body });
  }
  await work.note({ type: "CommentAcknowledged", payload: { commentId } });
}

async function refuse(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  handled: HandledComment,
): Promise<void> {
  const { commentId: answers, actorId, command = "", reason, whatToDo = "", copy = [] } = handled;
  const isVain = handled.verdict === "accepted";
  const author = actorId === undefined ? null : loginOf(actorId);
  const reply = { workId: work.workId, commentId: answers, author };
  const body = renderRefusal(reply, { command, reason, whatToDo, copy, isVain });
  await postReply(run, work, pullRequest, { answers, body });
}

async function postReply(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  { answers, body }: { answers: number; body: string },
): Promise<void> {
  const posted = await run.discussion.postComment(pullRequest.number, body);
  const { id: commentId, createdAt, author: us } = posted;
  await work.note({
    type: "CommentPosted",
    payload: { role: "refusal", answers, commentId, createdAt, authorId: us?.id ?? 0 },
  });
}

// Stores answers and cancellations of accepted commands in the sessions.

/** Who answered, where, when and with which permission. */
export type PersonAnswer = {
  actorId: string;
  /** Absent for a command that came with the event itself. */
  commentId?: number;
  /** Absent for the person at the terminal. */
  permission?: string;
  answeredAt: string;
};

/** Why a command can't be carried out, and what to do instead. */
export type FailedChange = { reason: string; whatToDo: string };

/** Records all answers or none; returns the first answer that does not fit its request. */
export async function recordAnswers(
  work: WorkRecord,
  answers: readonly { interactionId: string; answer: InteractionAnswer }[],
  given: PersonAnswer,
  { minApprovals, mayDecide }: { minApprovals: number; mayDecide(actorId: string): Promise<boolean> },
): Promise<FailedChange | undefined> {
  const questions = new Map(
    (await work.questions()).map((question) => [question.request.interactionId, question]),
  );
  const changes: {
    sessionId: string;
    question: InteractionState & { sessionId: string };
    events: DomainEvent[];
  }[] = [];
  for (const { interactionId, answer } of answers) {
    const question = questions.get(interactionId);
    if (!question) throw new Error(`${interactionId} was judged and is not there`);
    if (!isPending(question)) return closedAlready(question);
    const checked = await checkAnswer(question.request, answer);
    if (!checked.ok) {
      const { shortId } = question.request;
      return {
        reason: `that does not answer ${shortId}: expected ${checked.expected}`,
        whatToDo: `Answer ${shortId} again; it is still open.`,
      };
    }
    const gone = await withdrawn(question, mayDecide);
    const left = question.approvals.filter(
      ({ actorId }) => !gone.some(({ payload }) => payload.actorId === actorId),
    );
    const answered = { ...given, answer: checked.answer };
    const events = recordable({ ...question, approvals: left }, answered, minApprovals);
    changes.push({ sessionId: question.sessionId, question, events: [...gone, ...events] });
  }
  for (const { sessionId, question, events } of changes) {
    await work.change(sessionId, events);
    await work.note(...standsAfter(work.state, question, events, given.answeredAt));
  }
  return undefined;
}

function closedAlready({ request, closed }: InteractionState): FailedChange {
  const { shortId, expiresAt } = request;
  const end = closed?.why === "expired" ? `expired at ${expiresAt}` : "is no longer open";
  return { reason: `the question ${shortId} ${end}`, whatToDo: "The status lists the open questions." };
}

/** Ends a standing approval; repeating this does no harm. */
export async function revokeApproval(
  work: WorkRecord,
  number: number,
  actorId: string,
): Promise<FailedChange | undefined> {
  if (work.state.standing.has(number)) {
    await work.note({ type: "ApprovalRevoked", payload: { number, actorId } });
    return undefined;
  }
  const numbers = standingApprovals(work.state).map((approval) => approval.number);
  return {
    reason: `there is no standing approval ${number}`,
    whatToDo:
      numbers.length === 0 ? "No approval is in force." : `Standing approvals: ${numbers.join(", ")}.`,
  };
}

/** Approvals of people who may no longer decide: they do not count for the question. */
async function withdrawn(
  { request, approvals }: InteractionState,
  mayDecide: (actorId: string) => Promise<boolean>,
): Promise<Extract<DomainEvent, { type: "ApprovalWithdrawn" }>[]> {
  const { interactionId, taskId } = request;
  const gone: string[] = [];
  for (const { actorId } of approvals) if (!(await mayDecide(actorId))) gone.push(actorId);
  return gone.map((actorId) => ({
    store: "events",
    type: "ApprovalWithdrawn",
    payload: { interactionId, taskId, actorId },
  }));
}

/** Cancels one session, or all sessions that have not ended. */
export async function cancelSessions(
  work: WorkRecord,
  wanted: string | undefined,
  canceled: { reason: string; actorId?: string; at: string },
): Promise<FailedChange | undefined> {
  const sessions = (await work.sessions()).filter(({ state }) => !state.canceled);
  const chosen = sessions.filter((session) =>
    wanted === undefined ? isUnderWay(session.state) : session.sessionId === wanted,
  );
  if (chosen.length === 0 && (await isCanceledBy(work, wanted, canceled.actorId))) return undefined;
  if (chosen.length === 0) {
    const names = sessions.map(({ sessionId }) => sessionId).join(", ");
    return {
      reason: wanted === undefined ? "nothing is under way" : `there is no session ${wanted} to cancel`,
      whatToDo: names === "" ? "There is nothing to do." : `Available pipelines: ${names}.`,
    };
  }
  for (const { sessionId, state } of chosen) {
    // What only ended with its pull request can be reopened, with its tasks.
    const tasks = canceled.actorId === undefined ? [] : cancelTasks(state, canceled);
    await work.change(sessionId, [...tasks, { store: "events", type: "SessionCanceled", payload: canceled }]);
  }
  return undefined;
}

/** The same person already canceled it while the session ran. */
async function isCanceledBy(
  work: WorkRecord,
  wanted: string | undefined,
  actorId: string | undefined,
): Promise<boolean> {
  return (await work.sessions()).some(
    ({ sessionId, state }) =>
      actorId !== undefined &&
      state.canceled?.actorId === actorId &&
      (wanted === undefined || sessionId === wanted),
  );
}

// Expires questions that nobody answered in time.

/**
 * Closes expired questions and returns their number. The task that asked fails when its session continues.
 */
export async function expireQuestions(work: WorkRecord, now: Date): Promise<number> {
  let count = 0;
  for (const request of await work.openQuestions()) {
    const expiry = expiryOf(request, now);
    if (!expiry) continue;
    await work.change(request.sessionId, [expiry]);
    count += 1;
  }
  return count;
}

// The possible outputs of a session: its manifest on the work branch names each of them.

/** Empty without a readable manifest, and for a task list. */
export async function outputsOf(
  { repository, found, work: { kind, branch } }: Pick<WakeRun, "repository" | "found" | "work">,
  { stateRef: { branchTip, filesTip } }: WorkInHand,
  sessionId: string,
): Promise<string[]> {
  if (kind === "tasks" || branchTip === undefined || filesTip === undefined) return [];
  await repository.fetchCommit(branchTip, branch);
  const folder = posix.join(found.folder, ".looplia/contentItem", sessionId);
  const files = await repository.listFiles(filesTip, folder);
  const own = files.filter(({ path }) => path === `${folder}/session.json`);
  const [stored] = await manifestsAmong(repository, own);
  return [...(stored?.manifest.steps.keys() ?? [])];
}

// The settings and functions to judge and carry out comments and letters with.

export type Judging = {
  discussion: Discussion;
  settings: ApproverSettings;
  now(): Date;
  /** All possible outputs of a session, begun or not. */
  outputsOf(sessionId: string): Promise<readonly string[]>;
  /** Logs an event that leaves no other trace. */
  log(message: string): void;
  /** Why the work is over, and what to do: then every command is refused. */
  over?: FailedChange;
};

/** The judging of a run; the caller sets `over`. */
export function judgingOf(run: WakeRun, work: WorkInHand): Judging & Pick<WakeRun["found"], "settings"> {
  return {
    discussion: run.discussion,
    settings: run.found.settings,
    now: () => run.clock.now(),
    outputsOf: (sessionId) => outputsOf(run, work, sessionId),
    log: (message) => run.observe({ type: "notice", level: "info", message }),
  };
}

/** The settings and questions to judge a comment by. */
export async function circumstances(
  work: WorkInHand,
  { settings, discussion }: { settings: ApproverSettings; discussion: Circumstances["asks"] },
): Promise<Circumstances> {
  const questions = (await work.questions()).map((question) => toQuestion(question, work.state));
  return { settings, questions, asks: discussion };
}

/** A question in the form that the judge needs. */
function toQuestion({ request, response, closed, approvals }: WorkQuestion, state: WorkState): OpenRequest {
  const published = state.requestComments.get(request.interactionId);
  const given = approvals.map(({ actorId }) => actorId);
  const ended = response
    ? { why: "answered" as const, ...when(response.answeredAt), actorId: response.authorActorId }
    : closed && { why: closed.why, ...when(closed.at) };
  return {
    request,
    ...(published ? { published } : {}),
    ...(ended ? { closed: ended } : {}),
    approvals: given,
  };
}

function when(at: string | undefined): { at?: string } {
  return at === undefined ? {} : { at };
}

// Checks again whether an approver may still decide: hours can lie between an approval and its use.

/** The calls of one turn run within moments: a permission is not asked for again within this time. */
const MOMENT_MS = 60_000;

/** Asks GitHub at most once a minute per person. After a failure the next call asks again. */
export function createMayDecide(run: WakeRun): (actorId: string) => Promise<boolean> {
  const asked = new Map<string, { at: number; answer: Promise<boolean> }>();
  return (actorId) => {
    const at = run.clock.elapsed();
    const known = asked.get(actorId);
    if (known && at - known.at < MOMENT_MS) return known.answer;
    const answer = mayStillDecide(actorId, run.found.settings, run.discussion);
    asked.set(actorId, { at, answer });
    answer.catch(() => asked.delete(actorId));
    return answer;
  };
}

// Which session's output a `/retry` names.

export type Retry = { sessionId: string; output: string; attempts: number };

/**
 * Finds the session whose output is repeated; a target without a session must match only one session. An
 * output that was not begun yet must be in `outputsOf` of the named session.
 */
export async function findRetry(
  work: WorkRecord,
  wanted: { session?: string; target: string },
  outputsOf: (sessionId: string) => Promise<readonly string[]>,
): Promise<Retry | FailedChange> {
  const stored = await work.sessions();
  const sessions = stored.filter(({ state }) => !state.canceled);
  if (sessions.length === 0 && stored.length > 0) {
    return { reason: "this work was canceled", whatToDo: "Comment /looplia run to start over." };
  }
  const withSlash = wanted.session === undefined ? [] : findWhole(sessions, wanted);
  if (withSlash[0] && withSlash.length === 1) return withSlash[0];
  const { session, target } = wanted;
  const named = sessions.filter(({ sessionId }) => session === undefined || sessionId === session);
  const having = named.filter((one) => attemptsAt(one, target) > 0);
  if (having.length > 1) {
    const list = having.map(({ sessionId }) => `${sessionId}/${target}`).join(", ");
    return { reason: `${target} is an output of several sessions`, whatToDo: `Name one: ${list}.` };
  }
  const [only = session === undefined ? undefined : named[0]] = having;
  const isKnown = only && (having.length > 0 || (await outputsOf(only.sessionId)).includes(target));
  return isKnown
    ? { sessionId: only.sessionId, output: target, attempts: attemptsAt(only, target) }
    : notBegun(session === undefined || named.length > 0 ? target : `${session}/${target}`, sessions);
}

function notBegun(target: string, sessions: readonly SessionState[]): FailedChange {
  const begun = sessions.flatMap(({ state }) =>
    [...state.tasks.values()].flatMap(({ taskId, outputs }) => (outputs.length === 0 ? taskId : outputs)),
  );
  return {
    reason: `no session here has begun ${target}`,
    whatToDo:
      begun.length > 0
        ? `Begun so far: ${[...new Set(begun)].join(", ")}.`
        : "There is nothing to make again.",
  };
}

/** The id of a task may have a slash: then its first part only looks like a session. */
function findWhole(sessions: readonly SessionState[], wanted: { session?: string; target: string }): Retry[] {
  const output = `${wanted.session}/${wanted.target}`;
  return sessions
    .map((session) => ({ sessionId: session.sessionId, output, attempts: attemptsAt(session, output) }))
    .filter(({ attempts }) => attempts > 0);
}

/** The number of attempts at this output, or at the to-do task of this id. */
export function attemptsAt({ state }: Pick<SessionState, "state">, output: string): number {
  return [...state.tasks.values()]
    .filter(({ taskId, outputs }) => (outputs.length === 0 ? taskId === output : outputs.includes(output)))
    .reduce((sum, task) => sum + task.attempt, 0);
}
