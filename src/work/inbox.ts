// Reads the inbox: judges new comments and letters once each, and stores what they do.
import { slashWordOf } from "../approval/comment.ts";
import {
  type CommentVerdict,
  type Effect,
  isAllowedBot,
  judgeComment,
  judgeDispatch,
  mayStillDecide,
} from "../approval/judge.ts";
import type { HandledComment } from "../core/events.ts";
import { loginOf } from "../core/json.ts";
import type { Discussion, Letter, PullComment } from "../core/ports-host.ts";
import { followAnswers } from "./asked/conflicts.ts";
import { stateRefsOf } from "./find.ts";
import {
  cancelSessions,
  circumstances,
  type FailedChange,
  findRetry,
  type Judging,
  recordAnswers,
  revokeApproval,
} from "./people.ts";
import type { WakeRun, WorkInHand } from "./run.ts";
import { type DispatchedAnswer, readLetter, writeLetter } from "./trigger.ts";

// Stores what an accepted command does.

type Said = { commentId?: number; createdAt: string; actorId: string; permission: string };
type Done = Pick<HandledComment, "interactionIds" | "retry" | "runsAll">;

const WHOLE: FailedChange = {
  reason: "the state of this work is whole, so there is nothing to set aside",
  whatToDo: "/looplia run continues, /retry makes something again, /cancel ends the work",
};

/** Stores what an accepted command does: it has answers only, or one other effect. */
export async function carryOut(
  work: WorkInHand,
  effects: readonly Effect[],
  said: Said,
  { settings, discussion, now, outputsOf }: Judging,
): Promise<Done | FailedChange> {
  const { commentId, createdAt: answeredAt, actorId, permission } = said;
  const answers = effects.filter((effect) => effect.type === "answer");
  if (answers.length > 0) {
    const given = { actorId, ...(commentId === undefined ? {} : { commentId }), permission, answeredAt };
    const { minApprovals } = settings;
    const mayDecide = (one: string) => mayStillDecide(one, settings, discussion);
    const problem = await recordAnswers(work, answers, given, { minApprovals, mayDecide });
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
    case "revoke":
      return (await revokeApproval(work, effect.number, actorId)) ?? {};
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
    case "restart":
      return WHOLE;
    default:
      return {};
  }
}

/** What a look at the inbox brought. */
export type Inbox = {
  /** Commands that were accepted or refused; they are stored. */
  handled: HandledComment[];
  /** Silently passed over: stored with the next checkpoint, if there is one. */
  ignored: HandledComment[];
};

/** Judges the comments and stores what they do. Fails as `Discussion` does; then nothing of that comment is stored. */
export async function handleComments(
  work: WorkInHand,
  comments: readonly PullComment[],
  judging: Judging,
): Promise<Inbox> {
  const inbox: Inbox = { handled: [], ignored: [] };
  const asks = rememberRoles(judging.discussion);
  for (const comment of comments) {
    const verdict = await judgeComment(comment, work.state.authorId, {
      ...(await circumstances(work, judging)),
      asks,
    });
    const handled = await handleComment(work, comment, verdict, judging);
    if (handled.verdict === "ignored") {
      inbox.ignored.push(handled);
      const who = comment.author?.login ?? "an account that is gone";
      if (handled.reason === "not-permitted")
        judging.log(`not-permitted: a command of ${who} was passed over`);
      continue;
    }
    await work.note({ type: "CommentHandled", payload: handled });
    inbox.handled.push(handled);
  }
  return inbox;
}

/** A comment that has no effect. */
export function passOver({ id: commentId, createdAt }: PullComment): HandledComment {
  return { commentId, createdAt, verdict: "ignored", reason: "no-command" };
}

const ANEW = "Nothing of it goes on; the next run begins anew, with a pull request of its own.";

async function handleComment(
  work: WorkInHand,
  comment: PullComment,
  verdict: CommentVerdict,
  judging: Judging,
): Promise<HandledComment> {
  const { id: commentId, createdAt } = comment;
  if (verdict.verdict === "ignored") {
    return { commentId, createdAt, verdict: "ignored", reason: verdict.reason };
  }
  const { actorId, permission } = verdict;
  const command = comment.body.trim().split("\n")[0] ?? slashWordOf(verdict.command);
  const said = { commentId, createdAt, actorId, permission, command };
  if (judging.over !== undefined)
    return { ...said, verdict: "refused", reason: judging.over, whatToDo: ANEW };
  if (verdict.verdict === "refused") {
    const { reason, whatToDo, copy } = verdict.refusal;
    return { ...said, verdict: "refused", reason, whatToDo, copy };
  }
  const done = await carryOut(work, verdict.effects, said, judging);
  if ("reason" in done) return { ...said, verdict: "refused", ...done };
  return { ...said, verdict: "accepted", reason: "", ...done };
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

// Answers that a bot dispatched. They stand nowhere but in the event, and the state has one writer: each is left as a letter
// first, and read like a comment by whichever run has the work then.

type LetterVerdict = "accepted" | "not-permitted" | "no-command";

/** What the letters brought; `verdict` is the one of the most effect. */
export type ReadLetters = {
  letters: readonly Letter[];
  verdict?: LetterVerdict;
  actorIds: string[];
  /** What they answered. */
  interactionIds: string[];
};

/** Durable when it resolves, whoever has the work. */
export async function leaveLetter(
  { repository, found, wiring, clock }: Pick<WakeRun, "repository" | "found" | "wiring" | "clock">,
  workId: string,
  dispatched: DispatchedAnswer,
): Promise<void> {
  const letter = writeLetter({ ...dispatched, at: clock.now().toISOString() });
  await repository.letters(stateRefsOf(found.settings, workId)).leave(wiring.redact(letter));
}

/** One look at the remote. */
export function listLetters({ repository, found, work }: WakeRun): Promise<Letter[]> {
  return repository.letters(stateRefsOf(found.settings, work.workId)).list();
}

/** Letters that were read and whose effect is stored. A server that forbids it keeps them: nothing is done twice. */
export async function removeLetters(
  { repository, found, work, observe }: WakeRun,
  letters: readonly Letter[],
): Promise<void> {
  try {
    await repository.letters(stateRefsOf(found.settings, work.workId)).remove(letters);
  } catch {
    observe({ type: "notice", level: "info", message: "a letter that was read could not be removed yet" });
  }
}

/** Judges each and stores what it does. Fails as `Discussion` does. */
export async function handleLetters(
  work: WorkInHand,
  letters: readonly Letter[],
  judging: Judging & { settings: { allowedBots: readonly string[] } },
): Promise<ReadLetters> {
  const read: ReadLetters = { letters, actorIds: [], interactionIds: [] };
  for (const { id, text } of letters) {
    if (work.state.letters.has(id)) continue;
    const { verdict, actorId, interactionIds = [] } = await handleLetter(work, text, judging);
    if (verdict === "accepted") await work.note({ type: "LetterHandled", payload: { id } });
    read.interactionIds.push(...interactionIds);
    if (actorId !== undefined) read.actorIds.push(actorId);
    if (read.verdict !== "accepted" && (verdict !== "no-command" || !read.verdict)) read.verdict = verdict;
  }
  return read;
}

/** Only answers and cancellations can come so. */
async function handleLetter(
  work: WorkInHand,
  text: string,
  judging: Judging,
): Promise<{ verdict: LetterVerdict; actorId?: string; interactionIds?: string[] }> {
  const answer = readLetter(text);
  if (!answer) return { verdict: "no-command" };
  const { command, sender, bot, at: createdAt } = answer;
  // It was allowed when it wrote; what counts is now.
  if (!isAllowedBot({ author: { ...bot, isBot: true } }, judging.settings.allowedBots)) {
    return { verdict: "not-permitted" };
  }
  const verdict = await judgeDispatch({ command, sender, createdAt }, await circumstances(work, judging));
  if (verdict.verdict === "ignored") return { verdict: verdict.reason };
  const refuse = (reason: string) => {
    judging.log(`a command of ${sender} was refused: ${reason}`);
    return { verdict: "no-command" } as const;
  };
  if (verdict.verdict === "refused") return refuse(verdict.refusal.reason);
  if (verdict.effects.some(({ type }) => type !== "answer" && type !== "cancel" && type !== "status")) {
    return refuse("it must be written as a comment");
  }
  const { actorId, permission } = verdict;
  const done = await carryOut(work, verdict.effects, { createdAt, actorId, permission }, judging);
  return "reason" in done ? refuse(done.reason) : { ...done, verdict: "accepted", actorId };
}
