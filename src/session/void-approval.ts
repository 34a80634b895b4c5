// An approval that let nothing run: what was shown was not there any more when its call was about to run, or somebody
// canceled the task first. Pure.
import { type InteractionRequest, letsCallsRun } from "./interaction.ts";
import { callKey, type InteractionState, type State } from "./state.ts";

export type VoidApproval = {
  /** A piece of a sentence. */
  reason: string;
  /** Calls that were not run, of how many that were approved together. */
  calls: number;
  of: number;
  /** The interaction that asks the same agent next. */
  again?: string;
  /** Its conversation goes on no more: nobody asks anew. */
  isOver?: true;
};

/** Undefined where nothing was approved, or all of it ran or still may. */
export function voidApprovalOf(
  state: State,
  { request, response }: InteractionState,
): VoidApproval | undefined {
  const { conversationId, toolCallIds, interactionId } = request;
  const answer = response?.selectedOptionId;
  if (!letsCallsRun(request) || (answer !== "approve" && answer !== "run")) return undefined;
  const isOver = isCanceled(state, request);
  const reasons = toolCallIds.flatMap((id) => {
    const call = state.calls.get(callKey(conversationId, id));
    return call?.notRun ?? (isOver && !call ? [CANCELED] : []);
  });
  const [reason] = reasons;
  if (reason === undefined) return undefined;
  const all = [...state.interactions.values()].map((one) => one.request);
  const later = all.slice(all.findIndex((one) => one.interactionId === interactionId) + 1);
  const again = later.find((one) => one.conversationId === conversationId && one.kind === "Confirm");
  return {
    reason,
    calls: reasons.length,
    of: toolCallIds.length,
    ...(again ? { again: again.interactionId } : {}),
    ...(isOver ? { isOver } : {}),
  };
}

const CANCELED = "its task was canceled before it could run";

/** Also where the task was begun again since: that is another conversation. */
function isCanceled(state: State, { taskId, conversationId }: InteractionRequest): boolean {
  const task = state.tasks.get(taskId);
  const isItsOwn = task !== undefined && `${conversationId}/`.startsWith(`${task.conversationId}/`);
  return !isItsOwn || task.status === "canceled";
}
