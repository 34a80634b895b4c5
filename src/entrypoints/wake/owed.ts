// What the pull request does not show yet of what is stored. Pure: every wake asks this, whatever happened before.
import { type InteractionState, isPending } from "../../session/state.ts";
import type { WorkEvent, WorkState } from "../../session/work-events.ts";

type Handled = Extract<WorkEvent, { type: "CommentHandled" }>["payload"];

export type Owed<Question extends InteractionState> = {
  /** Open questions without a comment. */
  ask: Question[];
  /** Questions that ended, and whose comment does not say so. */
  settle: Question[];
  /** Commands whose author was not told how it went. */
  answer: Handled[];
  /** How the last run ended is not shown. */
  isBehind: boolean;
};

export function findOwed<Question extends InteractionState>(
  state: WorkState,
  questions: readonly Question[],
): Owed<Question> {
  const isAsked = ({ request }: Question) => state.requestComments.has(request.interactionId);
  return {
    ask: questions.filter((question) => isPending(question) && !isAsked(question)),
    settle: questions.filter(
      (question) =>
        !isPending(question) && isAsked(question) && !state.settled.has(question.request.interactionId),
    ),
    answer: [...state.handled.values()].filter(
      ({ commentId, verdict }) => verdict !== "ignored" && !state.acknowledged.has(commentId),
    ),
    isBehind: state.isBehind === true,
  };
}

export function isOwed(owed: Owed<InteractionState>): boolean {
  return owed.isBehind || owed.ask.length + owed.settle.length + owed.answer.length > 0;
}
