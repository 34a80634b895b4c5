// What became of an answer: people are told what happened, and not that it was stored (DURABILITY, "What must be shown"). Pure.
import { loginOf } from "./json.ts";
import {
  callKey,
  type InteractionState,
  isOpen,
  isPending,
  isTaskOver,
  type State,
  type VoidApproval,
  voidApprovalOf,
} from "./state.ts";

/**
 * `open`: more people must answer, or the agent has not got the answer yet; `done`: the calls ran, or the agent has the
 * answer; `void`: the answer let nothing run, and why, as a piece of a sentence.
 */
export type AnswerFate =
  | { kind: "open" | "done" }
  | ({ kind: "void"; reason: string } & Partial<VoidApproval>);

/** What became of the answer of the comment `commentId`, which may be one approval of several. */
export function fateOf(state: State, interaction: InteractionState, commentId?: number): AnswerFate {
  const { request, response, closed } = interaction;
  if (isPending(interaction)) return { kind: "open" };
  if (!response) return { kind: "void", reason: whyClosed(closed?.why) };
  const isAnother = commentId !== undefined && response.commentId !== commentId;
  if (isAnother && response.selectedOptionId === "reject") {
    return { kind: "void", reason: `${loginOf(response.authorActorId)} rejected it`, isOver: true };
  }
  const inVain = voidApprovalOf(state, interaction);
  if (inVain) return { kind: "void", ...inVain };
  const { conversationId, toolCallIds, taskId } = request;
  const isSettled = toolCallIds.every(
    (id) => state.calls.get(callKey(conversationId, id))?.outcome !== undefined,
  );
  if (isSettled) return { kind: "done" };
  if (isTaskOver(state, request)) return { kind: "void", reason: whyClosed("canceled") };
  return { kind: isOpen(state.tasks.get(taskId)) ? "open" : "done" };
}

function whyClosed(why: NonNullable<InteractionState["closed"]>["why"] | undefined): string {
  return why === "expired"
    ? "the time to answer was over before enough people had approved"
    : "its task was changed or ended before the answer reached the agent";
}
