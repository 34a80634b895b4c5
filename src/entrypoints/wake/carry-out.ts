// What an accepted command changes in what is stored: answers, cancellations, messages.
import { checkAnswer } from "../../approval/answer.ts";
import { recordable } from "../../approval/recordable.ts";
import type { DomainEvent } from "../../session/events.ts";
import type { InteractionAnswer } from "../../session/interaction.ts";
import { isOpen, openInteractions } from "../../session/state.ts";
import type { StoredSession } from "../action/wiring.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** Who said it, where, when and with which permission. */
export type Circumstances = {
  actorId: string;
  /** None for a command that came with the event itself. */
  commentId?: number;
  permission: string;
  answeredAt: string;
};

/** Why it can't be done, and what to do instead. */
export type NotDone = { reason: string; whatToDo: string };

/** Records answers, all or none; the first that does not fit its request is told. */
export async function recordAnswers(
  work: WorkInHand,
  answers: readonly { interactionId: string; answer: InteractionAnswer }[],
  given: Circumstances,
  minApprovals: number,
): Promise<NotDone | undefined> {
  const questions = new Map(
    (await work.questions()).map((question) => [question.request.interactionId, question]),
  );
  const changes: { sessionId: string; events: DomainEvent[] }[] = [];
  for (const { interactionId, answer } of answers) {
    const question = questions.get(interactionId);
    if (!question) throw new Error(`${interactionId} was judged and is not there`);
    const checked = await checkAnswer(question.request, answer);
    if (!checked.ok) {
      const { shortId } = question.request;
      return {
        reason: `that does not answer ${shortId}: expected ${checked.expected}`,
        whatToDo: `Answer ${shortId} again; it is still open.`,
      };
    }
    const events = recordable(question, { ...given, answer: checked.answer }, minApprovals);
    changes.push({ sessionId: question.sessionId, events });
  }
  for (const { sessionId, events } of changes) await work.change(sessionId, events);
  return undefined;
}

/** Ends one session, or all that have not ended: nothing of them goes on. */
export async function cancelSessions(
  work: WorkInHand,
  wanted: string | undefined,
  canceled: { reason: string; actorId?: string; at: string },
): Promise<NotDone | undefined> {
  const sessions = (await work.sessions()).filter(({ state }) => !state.canceled);
  const chosen = sessions.filter((session) =>
    wanted === undefined ? isUnderWay(session) : session.sessionId === wanted,
  );
  if (chosen.length === 0 && (await isCanceledBy(work, wanted, canceled.actorId))) return undefined;
  if (chosen.length === 0) {
    const names = sessions.map(({ sessionId }) => sessionId).join(", ");
    return {
      reason: wanted === undefined ? "nothing is under way" : `there is no session ${wanted} to cancel`,
      whatToDo: names === "" ? "There is nothing to do." : `There are: ${names}.`,
    };
  }
  for (const { sessionId, state } of chosen) {
    const { reason, at } = canceled;
    const tasks = [...state.tasks.values()].filter(isOpen);
    await work.change(sessionId, [
      ...tasks.map(
        ({ taskId }): DomainEvent => ({
          store: "events",
          type: "TaskCanceled",
          payload: { taskId, reason, at },
        }),
      ),
      { store: "events", type: "SessionCanceled", payload: canceled },
    ]);
  }
  return undefined;
}

/** Their word was heard while the session ran. */
async function isCanceledBy(
  work: WorkInHand,
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

/** True while something of it may still go on; one that is through may wait for a word about what was pushed over it. */
export function isUnderWay({ state }: Pick<StoredSession, "state">): boolean {
  return [...state.tasks.values()].some(isOpen) || openInteractions(state).length > 0;
}

export type Retry = { sessionId: string; output: string; attempts: number };

/**
 * Which session's output is made again; a name alone must be one session's only. What was not begun yet is one of
 * `outputsOf` the session that was named.
 */
export async function findRetry(
  work: WorkInHand,
  wanted: { session?: string; target: string },
  outputsOf: (sessionId: string) => Promise<readonly string[]>,
): Promise<Retry | NotDone> {
  const stored = await work.sessions();
  const sessions = stored.filter(({ state }) => !state.canceled);
  if (sessions.length === 0 && stored.length > 0) {
    return { reason: "what was begun here was canceled", whatToDo: "Write /looplia run to begin anew." };
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

function notBegun(target: string, sessions: readonly StoredSession[]): NotDone {
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

/** The id of a task may have a slash: what looks like a session is the beginning of it. */
function findWhole(
  sessions: readonly StoredSession[],
  wanted: { session?: string; target: string },
): Retry[] {
  const output = `${wanted.session}/${wanted.target}`;
  return sessions
    .map((session) => ({ sessionId: session.sessionId, output, attempts: attemptsAt(session, output) }))
    .filter(({ attempts }) => attempts > 0);
}

/** How often tasks that make this output, or the to-do task of this id, were begun. */
export function attemptsAt({ state }: StoredSession, output: string): number {
  return [...state.tasks.values()]
    .filter(({ taskId, outputs }) => (outputs.length === 0 ? taskId === output : outputs.includes(output)))
    .reduce((sum, task) => sum + task.attempt, 0);
}
