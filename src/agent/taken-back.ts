// Approvals by people who may no longer decide when their call is about to run.
import { type InteractionRequest, letsCallsRun } from "../core/interaction.ts";
import { callKey, type InteractionState } from "../core/state.ts";
import type { AgentSession } from "./session.ts";

/**
 * True when nothing has run under an approval and one of its givers may no longer decide: that approval is
 * dropped, and the question is open again.
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

/** Everyone who approved counts: without one of them there are too few approvals. */
export async function whoMayNot(
  session: AgentSession,
  { interactionId }: InteractionRequest,
): Promise<string[]> {
  const { approvals = [], response } = session.journal.state.interactions.get(interactionId) ?? {};
  const people = [...approvals.map(({ actorId }) => actorId), ...(response ? [response.authorActorId] : [])];
  return (await session.host.whoMayNot?.([...new Set(people)])) ?? [];
}
