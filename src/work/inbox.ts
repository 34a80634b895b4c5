// Reads the inbox: judges each new comment and letter once and stores its effects.
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
import type { WakeRun, WorkInHand, WorkRecord } from "./run.ts";
import { type DispatchedAnswer, readLetter, writeLetter } from "./trigger.ts";

// Stores the effects of an accepted command.

type Said = { commentId?: number; createdAt: string; actorId: string; permission?: string };
type Done = Pick<HandledComment, "interactionIds" | "retry" | "runsAll">;

/** What the effects of a command need from its surroundings. */
type Deciding = Pick<Judging, "now" | "outputsOf"> & {
  minApprovals: number;
  /** Whether a person who approved earlier still may. */
  mayDecide(actorId: string): Promise<boolean>;
};

function decidingBy({ settings, discussion, now, outputsOf }: Judging): Deciding {
  const { minApprovals } = settings;
  return { minApprovals, now, outputsOf, mayDecide: (one) => mayStillDecide(one, settings, discussion) };
}

const WHOLE: FailedChange = {
  reason: "the state of this work is intact, so there is nothing to set aside",
  whatToDo: "/looplia run continues, /retry makes something again, /cancel ends the work",
};

/** Stores the effects of an accepted command: either only answers, or one other effect. */
export async function carryOut(
  work: WorkRecord,
  effects: readonly Effect[],
  said: Said,
  { minApprovals, mayDecide, now, outputsOf }: Deciding,
): Promise<Done | FailedChange> {
  const { commentId, createdAt: answeredAt, actorId, permission } = said;
  const answers = effects.filter((effect) => effect.type === "answer");
  if (answers.length > 0) {
    const given = {
      ...{ actorId, answeredAt },
      ...(commentId === undefined ? {} : { commentId }),
      ...(permission === undefined ? {} : { permission }),
    };
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

/** The result of one look at the inbox. */
export type Inbox = {
  /** Accepted or refused commands; already stored. */
  handled: HandledComment[];
  /** Comments ignored silently; stored with the next checkpoint, if there is one. */
  ignored: HandledComment[];
};

/**
 * Judges the comments and stores their effects. Throws as `Discussion` does; then nothing of the failed
 * comment is stored.
 */
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
      if (handled.reason === "not-permitted") judging.log(`not-permitted: a command by ${who} was ignored`);
      continue;
    }
    await work.note({ type: "CommentHandled", payload: handled });
    inbox.handled.push(handled);
  }
  return inbox;
}

/** A handled comment without effect. */
export function passOver({ id: commentId, createdAt }: PullComment): HandledComment {
  return { commentId, createdAt, verdict: "ignored", reason: "no-command" };
}

const ANEW = "This work has ended; the next run starts over with a new pull request.";

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
  const done = await carryOut(work, verdict.effects, said, decidingBy(judging));
  if ("reason" in done) return { ...said, verdict: "refused", ...done };
  return { ...said, verdict: "accepted", reason: "", ...done };
}

/** Asks for the role of an account only once per look at the inbox. */
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

// Answers that a bot dispatched exist only in their event, and the state has one writer. So each is first
// stored as a letter, and the run that holds the work reads it like a comment.

type LetterVerdict = "accepted" | "not-permitted" | "no-command";

/** The results of all letters; `verdict` is the one with the most effect. */
export type ReadLetters = {
  letters: readonly Letter[];
  verdict?: LetterVerdict;
  actorIds: string[];
  /** The questions that the letters answered. */
  interactionIds: string[];
};

/**
 * Stores a dispatched answer as a letter. The letter is durable when this resolves, even if another run holds
 * the work.
 */
export async function leaveLetter(
  { repository, found, wiring, clock }: Pick<WakeRun, "repository" | "found" | "wiring" | "clock">,
  workId: string,
  dispatched: DispatchedAnswer,
): Promise<void> {
  const letter = writeLetter({ ...dispatched, at: clock.now().toISOString() });
  await repository.letters(stateRefsOf(found.settings, workId)).leave(wiring.redact(letter));
}

/** Lists the letters of a work. One request to the remote. */
export function listLetters({ repository, found, work }: WakeRun): Promise<Letter[]> {
  return repository.letters(stateRefsOf(found.settings, work.workId)).list();
}

/**
 * Removes letters whose effect is stored. If the server forbids it they stay, and no effect happens twice.
 */
export async function removeLetters(
  { repository, found, work, observe }: WakeRun,
  letters: readonly Letter[],
): Promise<void> {
  try {
    await repository.letters(stateRefsOf(found.settings, work.workId)).remove(letters);
  } catch {
    observe({ type: "notice", level: "info", message: "a letter that was read could not be removed" });
  }
}

/** Judges each letter and stores its effects. Throws as `Discussion` does. */
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

/** A letter may only answer, cancel or ask for the status. */
async function handleLetter(
  work: WorkInHand,
  text: string,
  judging: Judging,
): Promise<{ verdict: LetterVerdict; actorId?: string; interactionIds?: string[] }> {
  const answer = readLetter(text);
  if (!answer) return { verdict: "no-command" };
  const { command, sender, bot, at: createdAt } = answer;
  // The bot was allowed when it wrote the letter, but the present settings count.
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
  const done = await carryOut(work, verdict.effects, { createdAt, actorId, permission }, decidingBy(judging));
  return "reason" in done ? refuse(done.reason) : { ...done, verdict: "accepted", actorId };
}
