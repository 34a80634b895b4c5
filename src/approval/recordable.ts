// What an answer that was checked adds to the events. Pure.
import { githubAccountOf } from "../session/actor.ts";
import type { DomainEvent } from "../session/events.ts";
import { type InteractionAnswer, type InteractionResponse, letsCallsRun } from "../session/interaction.ts";
import { type InteractionState, isPending } from "../session/state.ts";

/** An answer that fits its request (`checkAnswer`), by somebody who may decide. */
export type GivenAnswer = Pick<InteractionResponse, "commentId" | "permission" | "answeredAt"> & {
  answer: InteractionAnswer;
  actorId: string;
};

/**
 * The events to append, in order. A Confirm is approved when `minApprovals` different people said so, and rejected by
 * one; any other question is answered by one. Empty: the request is not open, or that person approved it already.
 */
export function recordable(
  interaction: InteractionState,
  given: GivenAnswer,
  minApprovals: number,
): DomainEvent[] {
  if (!isPending(interaction)) return [];
  const { kind, interactionId, taskId } = interaction.request;
  const { answer, actorId, ...circumstances } = given;
  const response: DomainEvent = {
    store: "events",
    type: "UserInteractionResponded",
    payload: { ...answer, interactionId, taskId, authorActorId: actorId, ...circumstances },
  };
  // What lets a call run: the approval of a Confirm, or of running one again that is in doubt.
  const option = answer.selectedOptionId;
  const isApproval =
    (kind === "Confirm" && option === "approve") || (letsCallsRun(interaction.request) && option === "run");
  const needsSeveral = minApprovals > 1 && isApproval;
  if (!needsSeveral) return [response];
  const people = new Set(interaction.approvals.map((approval) => personOf(approval.actorId)));
  if (people.has(personOf(actorId))) return [];
  const approval: DomainEvent = {
    store: "events",
    type: "ApprovalGiven",
    payload: { interactionId, taskId, actorId, ...circumstances },
  };
  return people.size + 1 < minApprovals ? [approval] : [approval, response];
}

/** An account may change its login, never its id: `github:<id>:<login>`. */
function personOf(actorId: string): string {
  return githubAccountOf(actorId)?.id ?? actorId;
}
