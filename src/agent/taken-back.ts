// Approvals whose givers may not decide any longer when their call is about to run.
import { type InteractionRequest, letsCallsRun } from "../core/interaction.ts";
import { callKey, type InteractionState } from "../core/state.ts";
import type { AgentSession } from "./session.ts";

/**
 * True where an approval let nothing run yet and one of those who gave it may not decide any longer: theirs counts no more,
 * and the question is open again.
 */
export async function isTakenBack(
  session: AgentSession,
  { request, response }: InteractionState,
): Promise<boolean> {
  const { host, journal, asking } = session;
  const { interactionId, taskId, conversationId, toolCallIds } = request;
  if (!host.answersLater || request.kind !== "Confirm" || response?.selectedOptionId !== "approve")
    return false;
  if (
    !letsCallsRun(request) ||
    toolCallIds.some((id) => journal.state.calls.has(callKey(conversationId, id)))
  )
    return false;
  const actorIds = await whoMayNot(session, request);
  if (actorIds.length === 0) return false;
  await journal.append({
    store: "events",
    type: "ApprovalReopened",
    payload: { interactionId, taskId, actorIds },
  });
  asking.open.raise(interactionId);
  return true;
}

/** All who approved count: with one of them gone there were too few. */
export async function whoMayNot(
  session: AgentSession,
  { interactionId }: InteractionRequest,
): Promise<string[]> {
  const { approvals = [], response } = session.journal.state.interactions.get(interactionId) ?? {};
  const people = [...approvals.map(({ actorId }) => actorId), ...(response ? [response.authorActorId] : [])];
  return (await session.host.whoMayNot?.([...new Set(people)])) ?? [];
}
