// The effect of an answer: people are told what happened, not that the answer was stored (DURABILITY, "What
// must be shown"). Pure.
import { type InteractionRequest, letsCallsRun } from "./interaction.ts";
import { loginOf } from "./json.ts";
import {
  callKey,
  type InteractionState,
  isOpen,
  isPending,
  type State,
  TASK_CHANGED,
  type TaskState,
} from "./state.ts";

/**
 * `open`: more people must answer, or the agent has not received the answer yet. `done`: the calls ran, or
 * the agent received the answer (`isPassedOn`: the agent of the next attempt, because the task was changed).
 * `void`: no call ran under the answer; `reason` is part of a sentence.
 */
export type AnswerFate =
  | { kind: "open" }
  | { kind: "done"; isPassedOn?: true }
  | ({ kind: "void"; reason: string } & Partial<VoidApproval>);

/** The effect of the answer in comment `commentId`, which may be one of several approvals. */
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
  if (isSuperseded(state, request)) {
    const isBegun = state.tasks.get(taskId)?.status !== "canceled";
    return isBegun ? { kind: "done", isPassedOn: true } : { kind: "open" };
  }
  if (isTaskOver(state, request)) return { kind: "void", reason: whyClosed("canceled") };
  return { kind: isOpen(state.tasks.get(taskId)) ? "open" : "done" };
}

function whyClosed(why: NonNullable<InteractionState["closed"]>["why"] | undefined): string {
  return why === "expired"
    ? "the time to answer ended before enough people had approved"
    : "its task was changed or ended before the answer reached the agent";
}

// A void approval, under which no call ran: the preview was no longer correct when its call was about to run,
// or the task was canceled first. Pure.

export type VoidApproval = {
  /** Part of a sentence. */
  reason: string;
  /** Number of calls that were not run, of `of` calls that were approved together. */
  calls: number;
  of: number;
  /** The interaction that asks the same agent next. */
  again?: string;
  /** The conversation has ended: the question is not asked again. */
  isOver?: true;
};

/** Undefined if no call was approved, or every approved call ran or still may. */
export function voidApprovalOf(
  state: State,
  { request, response }: InteractionState,
): VoidApproval | undefined {
  const { conversationId, toolCallIds, interactionId } = request;
  const answer = response?.selectedOptionId;
  if (!letsCallsRun(request) || (answer !== "approve" && answer !== "run")) return undefined;
  const isChanged = isSuperseded(state, request);
  const isOver = !isChanged && isTaskOver(state, request);
  const inVain = isChanged ? [CHANGED] : isOver ? [CANCELED] : [];
  const reasons = toolCallIds.flatMap((id) => {
    const call = state.calls.get(callKey(conversationId, id));
    return call?.notRun ?? (call ? [] : inVain);
  });
  const [reason] = reasons;
  if (reason === undefined) return undefined;
  const all = [...state.interactions.values()].map((one) => one.request);
  const later = all.slice(all.findIndex((one) => one.interactionId === interactionId) + 1);
  const isNext = (one: InteractionRequest) =>
    one.conversationId === conversationId || (isChanged && one.taskId === request.taskId);
  const again = later.find((one) => one.kind === "Confirm" && isNext(one));
  return {
    reason,
    calls: reasons.length,
    of: toolCallIds.length,
    ...(again ? { again: again.interactionId } : {}),
    ...(isOver ? { isOver } : {}),
  };
}

const CHANGED = "its task was changed before it could run";
const CANCELED = "its task was canceled before it could run";

/** True when the task that asked was canceled or has started again, in another conversation. */
function isTaskOver(state: State, { taskId, conversationId }: InteractionRequest): boolean {
  const task = state.tasks.get(taskId);
  const isItsOwn = task !== undefined && `${conversationId}/`.startsWith(`${task.conversationId}/`);
  return !isItsOwn || task.status === "canceled";
}

/**
 * True when the attempt that asked ended because a person changed the task's text, even before the next
 * attempt begins.
 */
function isSuperseded({ tasks }: State, { taskId, conversationId }: InteractionRequest): boolean {
  const task = tasks.get(taskId);
  if (!task) return false;
  const isEnded = task.status === "canceled" && task.why === TASK_CHANGED;
  const ended = [...(task.superseded ?? []), ...(isEnded ? [task.conversationId] : [])];
  return ended.some((above) => `${conversationId}/`.startsWith(`${above}/`));
}

/**
 * People's answers to earlier attempts at a task whose text was changed since: decisions, values and reasons
 * for a rejection. Approvals are left out, because they covered calls for the earlier text.
 */
export function answersBefore({ interactions }: State, { superseded = [] }: TaskState): InteractionState[] {
  return [...interactions.values()].filter(({ request, response }) => {
    if (!response) return false;
    const isOfBefore = superseded.some((above) => `${request.conversationId}/`.startsWith(`${above}/`));
    const isReason = response.selectedOptionId === "reject" && response.comment !== undefined;
    return isOfBefore && (!letsCallsRun(request) || isReason);
  });
}
