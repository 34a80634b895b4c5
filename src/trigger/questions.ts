// Which question a command means. Judged at the moment when the comment was written (DURABILITY, "What an approval is
// bound to"). Pure.
import type { InteractionRequest } from "../session/interaction.ts";
import type { Command } from "./command.ts";
import { type Refusal, refuse } from "./refusal.ts";

/** A request of the work, and what people could see of it when. Times are ISO 8601. */
export type Question = {
  request: InteractionRequest;
  /** Its comment; undefined: nobody has seen it yet. `isCut`: nobody could see the whole of it. */
  published?: { commentId: number; createdAt: string; isCut?: true };
  /** Without `at` nobody knows when: it may have been a moment before. */
  closed?: { why: "answered" | "expired" | "canceled" | "task-ended"; at?: string; actorId?: string };
  /** Who approved it so far, where several must. */
  approvals: readonly string[];
};

/** When a command was written; `commentId` orders comments of one second. */
export type Moment = { createdAt: string; commentId?: number };

export type Deciding = Extract<Command, { ids: string[] }>;

/** What closed shortly before a bare command may have been what its author saw. */
const DOUBT_MS = 2 * 60 * 1000;

/** The questions that a command decides, in the order in which it names them, or why it decides none. */
export function findQuestions(
  command: Deciding,
  moment: Moment,
  questions: readonly Question[],
): Question[] | Refusal {
  if (command.ids.length === 0) return findBare(command, moment, questions);
  const found: Question[] = [];
  for (const id of command.ids) {
    const question = questions.find(({ request }) => request.shortId === id);
    const refusal = question
      ? problemOf(question, moment, questions)
      : unknownId(command, id, moment, questions);
    if (refusal) return refusal;
    if (question) found.push(question);
  }
  return found;
}

function findBare(command: Deciding, moment: Moment, questions: readonly Question[]): Question[] | Refusal {
  const seen = questions.filter((question) => isBefore(question.published, moment));
  const open = seen.filter((question) => !wasClosed(question, moment));
  const [only, ...others] = open;
  if (!only) {
    const recent = seen.findLast((question) => closedShortlyBefore(question, moment));
    const problem = recent && problemOf(recent, moment, questions);
    return problem ?? refuse.nothingOpen(command, openNow(questions));
  }
  if (others.length > 0) return refuse.severalOpen(command, openNow(open));
  const problem = problemOf(only, moment, questions);
  if (problem) return problem;
  if (seen.some((question) => question !== only && closedShortlyBefore(question, moment))) {
    return refuse.anotherJustClosed(command, only.request);
  }
  const { dangers = [] } = only.request;
  return dangers.length > 0 ? refuse.dangerous(command, only.request) : [only];
}

/** Why a question that was named can't be decided by a command of that moment. */
function problemOf(question: Question, moment: Moment, questions: readonly Question[]): Refusal | undefined {
  const { request, closed } = question;
  if (!isBefore(question.published, moment)) return refuse.older(request);
  if (closed?.why === "answered") return refuse.decided(request, closed.actorId);
  if (closed?.why === "expired" || isExpired(request, moment)) return refuse.expired(request);
  return closed ? refuse.canceled(request, openNow(questions)) : undefined;
}

function unknownId(command: Deciding, id: string, moment: Moment, questions: readonly Question[]): Refusal {
  const ordinal = id.split("-")[0];
  const same = questions.find(({ request }) => request.shortId.split("-")[0] === ordinal);
  const isOpen = same && !same.closed && !isExpired(same.request, moment);
  return isOpen ? refuse.changed(command, id, same.request) : refuse.unknown(command, id, openNow(questions));
}

function openNow(questions: readonly Question[]): InteractionRequest[] {
  return questions.filter(({ closed, published }) => !closed && published).map(({ request }) => request);
}

function isBefore(published: Question["published"], { createdAt, commentId }: Moment): boolean {
  if (!published) return false;
  const apart = Date.parse(createdAt) - Date.parse(published.createdAt);
  return apart > 0 || (apart === 0 && (commentId ?? Number.POSITIVE_INFINITY) > published.commentId);
}

function isExpired({ expiresAt }: InteractionRequest, { createdAt }: Moment): boolean {
  return expiresAt !== undefined && Date.parse(createdAt) > Date.parse(expiresAt);
}

function wasClosed(question: Question, moment: Moment): boolean {
  const { closed, request } = question;
  return isExpired(request, moment) || (closed !== undefined && sinceClosed(closed, moment) > 0);
}

function closedShortlyBefore({ closed, request }: Question, moment: Moment): boolean {
  const closings = [...(closed ? [closed] : []), ...(request.expiresAt ? [{ at: request.expiresAt }] : [])];
  return closings.map((one) => sinceClosed(one, moment)).some((apart) => apart >= 0 && apart <= DOUBT_MS);
}

/** Milliseconds; of a time that nobody knows: none. */
function sinceClosed({ at }: { at?: string }, { createdAt }: Moment): number {
  return Date.parse(createdAt) - Date.parse(at ?? createdAt);
}
