// What an accepted command changes in what sessions have stored: answers and cancellations.
import { checkAnswer } from "../../approval/answer.ts";
import { recordable } from "../../approval/recordable.ts";
import type { DomainEvent } from "../../session/events.ts";
import type { InteractionAnswer } from "../../session/interaction.ts";
import { isOpen, isUnderWay } from "../../session/state.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** Who said it, where, when and with which permission. */
export type Given = {
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
  given: Given,
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
    wanted === undefined ? isUnderWay(session.state) : session.sessionId === wanted,
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
