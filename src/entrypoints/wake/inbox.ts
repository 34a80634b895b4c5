// The inbox of a work: comments of its pull request that nobody has handled. Each is judged once, in the order in which
// they were written, and what it does is stored before anything runs.
import type { Discussion, PullComment } from "../../ports/discussion.ts";
import { loginOf } from "../../session/actor.ts";
import type { WorkEvent, WorkState } from "../../session/work-events.ts";
import { wordOf } from "../../trigger/command.ts";
import { type Circumstances, type Effect, judgeComment, type Verdict } from "../../trigger/judge.ts";
import type { Question } from "../../trigger/questions.ts";
import type { PeopleSettings } from "../../trigger/who-may.ts";
import { cancelSessions, findRetry, type NotDone, recordAnswers } from "./carry-out.ts";
import { followAnswers } from "./conflicts.ts";
import { adoptComments, findLostRequests, isOurComment } from "./own-comments.ts";
import type { WorkInHand, WorkQuestion } from "./work-in-hand.ts";

type Handled = Extract<WorkEvent, { type: "CommentHandled" }>["payload"];

/** What a look at the inbox brought. */
export type Inbox = {
  /** Commands that were accepted or refused; they are stored. */
  handled: Handled[];
  /** Silently passed over: stored with the next checkpoint, if there is one. */
  ignored: Handled[];
};

export type Around = {
  discussion: Discussion;
  settings: PeopleSettings;
  now(): Date;
  /** Of a session: all that it can make, begun or not. */
  outputsOf(sessionId: string): Promise<readonly string[]>;
  /** Told of what leaves no other trace. */
  log(message: string): void;
  /** Why nothing of the work goes on: then every command is refused. */
  over?: string;
};

/** A list may lack a comment for a moment and have newer ones: so far before the cursor it is read again. */
const OVERLAP_MS = 10 * 60_000;

/**
 * Comments that are not handled: created ten minutes before the cursor or later, ours left out. One request to GitHub.
 * With `now`, questions whose comment somebody deleted or changed count as not asked.
 */
export async function unreadComments(
  work: WorkInHand,
  discussion: Pick<Discussion, "comments">,
  pullRequest: number,
  now?: Date,
): Promise<PullComment[]> {
  const { state, workId } = work;
  const requests = (await work.questions()).map(({ request }) => request);
  const open = await work.openQuestions();
  // A comment of ours whose acknowledgement was lost may be older than the cursor.
  const posted = open.map(({ interactionId }) => state.requestComments.get(interactionId)?.createdAt);
  const isWhole = posted.includes(undefined) || state.statusComment === undefined || !state.cursor;
  // From the oldest open question on: whether its comment still stands is seen by the way.
  const since = isWhole ? undefined : [...posted, readFrom(state)].flatMap((at) => at ?? []).sort()[0];
  const comments = await discussion.comments(pullRequest, since);
  await work.note(...adoptComments(workId, state, comments, requests));
  if (now) await work.note(...findLostRequests(state, comments, open, now));
  return comments.filter((comment) => isUnread(comment, state));
}

function isUnread(comment: PullComment, state: WorkState): boolean {
  const { id, createdAt } = comment;
  if (state.handled.has(id) || isOurComment(comment, state)) return false;
  const from = readFrom(state);
  return from === undefined || Date.parse(createdAt) >= Date.parse(from);
}

function readFrom({ cursor }: WorkState): string | undefined {
  return cursor === undefined ? undefined : new Date(Date.parse(cursor) - OVERLAP_MS).toISOString();
}

/** Judges the comments and stores what they do. Fails as `Discussion` does; then nothing of that comment is stored. */
export async function handleComments(
  work: WorkInHand,
  comments: readonly PullComment[],
  around: Around,
): Promise<Inbox> {
  const inbox: Inbox = { handled: [], ignored: [] };
  const asks = rememberRoles(around.discussion);
  for (const comment of comments) {
    const verdict = await judgeComment(comment, work.state.authorId, {
      ...(await circumstances(work, around)),
      asks,
    });
    const handled = await handleComment(work, comment, verdict, around);
    if (handled.verdict === "ignored") {
      inbox.ignored.push(handled);
      const who = comment.author?.login ?? "an account that is gone";
      if (handled.reason === "not-permitted")
        around.log(`not-permitted: a command of ${who} was passed over`);
      continue;
    }
    await work.note({ type: "CommentHandled", payload: handled });
    inbox.handled.push(handled);
  }
  return inbox;
}

/** A comment that has no effect. */
export function passOver({ id: commentId, createdAt }: PullComment): Handled {
  return { commentId, createdAt, verdict: "ignored", reason: "no-command" };
}

const ANEW = "Nothing of it goes on; the next run begins anew, with a pull request of its own.";

async function handleComment(
  work: WorkInHand,
  comment: PullComment,
  verdict: Verdict,
  around: Around,
): Promise<Handled> {
  const { id: commentId, createdAt } = comment;
  if (verdict.verdict === "ignored") {
    return { commentId, createdAt, verdict: "ignored", reason: verdict.reason };
  }
  const { actorId, permission } = verdict;
  const command = comment.body.trim().split("\n")[0] ?? wordOf(verdict.command);
  const said = { commentId, createdAt, actorId, permission, command };
  if (around.over !== undefined) return { ...said, verdict: "refused", reason: around.over, whatToDo: ANEW };
  if (verdict.verdict === "refused") {
    const { reason, whatToDo, copy } = verdict.refusal;
    return { ...said, verdict: "refused", reason, whatToDo, copy };
  }
  const done = await carryOut(work, verdict.effects, said, around);
  if ("reason" in done) return { ...said, verdict: "refused", ...done };
  return { ...said, verdict: "accepted", reason: "", ...done };
}

type Said = { commentId?: number; createdAt: string; actorId: string; permission: string };
type Done = Pick<Handled, "interactionIds" | "retry" | "runsAll">;

/** Stores what an accepted command does: it has answers only, or one other effect. */
export async function carryOut(
  work: WorkInHand,
  effects: readonly Effect[],
  said: Said,
  { settings, now, outputsOf }: Around,
): Promise<Done | NotDone> {
  const { commentId, createdAt: answeredAt, actorId, permission } = said;
  const answers = effects.filter((effect) => effect.type === "answer");
  if (answers.length > 0) {
    const given = { actorId, ...(commentId === undefined ? {} : { commentId }), permission, answeredAt };
    const problem = await recordAnswers(work, answers, given, settings.minApprovals);
    if (problem) return problem;
    const interactionIds = answers.map(({ interactionId }) => interactionId);
    await followAnswers(work, interactionIds, given);
    return { interactionIds };
  }
  const [effect] = effects;
  switch (effect?.type) {
    case "message":
      if (commentId === undefined) return {};
      await work.note({ type: "MessageLeft", payload: { commentId, actorId, text: effect.text } });
      return {};
    case "cancel": {
      const reason = `canceled by ${loginOf(actorId)}`;
      const canceled = { reason, actorId, at: now().toISOString() };
      return (await cancelSessions(work, effect.session, canceled)) ?? {};
    }
    case "retry": {
      const found = await findRetry(work, effect, outputsOf);
      return "reason" in found ? found : { retry: found };
    }
    case "run":
      return { runsAll: true };
    default:
      return {};
  }
}

/** What a comment is judged by. */
export async function circumstances(
  work: WorkInHand,
  { settings, discussion }: { settings: PeopleSettings; discussion: Circumstances["asks"] },
): Promise<Circumstances> {
  const questions = (await work.questions()).map((question) => toQuestion(question, work.state));
  return { settings, questions, asks: discussion };
}

/** A question as those who judge see it. */
export function toQuestion(
  { request, response, closed, approvals }: WorkQuestion,
  state: WorkState,
): Question {
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

/** The role of an account is asked once in a look at the inbox. */
function rememberRoles(discussion: Discussion): Pick<Discussion, "permissionOf" | "isTeamMember"> {
  const known = new Map<string, ReturnType<Discussion["permissionOf"]>>();
  return {
    permissionOf(login) {
      const asked = known.get(login) ?? discussion.permissionOf(login);
      known.set(login, asked);
      return asked;
    },
    isTeamMember: (team, login) => discussion.isTeamMember(team, login),
  };
}
