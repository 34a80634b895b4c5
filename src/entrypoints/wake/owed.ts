// What the pull request does not show yet of what is stored. Pure: every wake asks this, whatever happened before.
import { type InteractionState, isPending } from "../../session/state.ts";
import type { VoidApproval } from "../../session/void-approval.ts";
import type { HandledComment } from "../../session/work-events.ts";
import type { WorkState } from "../../session/work-state.ts";

/** A question, and what became of its approval. */
type Ended = InteractionState & { inVain?: VoidApproval };

export type Owed<Question extends Ended> = {
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
): Owed<Question> {
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
export function wordOf({ reason, again = "" }: VoidApproval): string {
  return `${reason} ${again}`;
}

function isTold({ request, inVain }: Ended, settled: WorkState["settled"]): boolean {
  const told = settled.get(request.interactionId);
  return told !== undefined && told.inVain === (inVain && wordOf(inVain));
}

/** Whether there is any of it. */
export function isOwed(owed: Owed<Ended>): boolean {
  return owed.isBehind || owed.ask.length + owed.settle.length + owed.answer.length > 0;
}
