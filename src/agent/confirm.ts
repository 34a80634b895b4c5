// One Confirm covers the risky calls of a turn; each is compared with what was shown just before it runs.
import { createConfirm, type ShownCall } from "../approval/interaction.ts";
import { type InteractionRequest, letsCallsRun } from "../session/interaction.ts";
import { askPerson } from "./ask.ts";
import type { DecidedCall, RunnableCall } from "./decide.ts";
import type { Outcome } from "./outcome.ts";
import type { AgentRun, AgentSession } from "./session.ts";
import { type Shown, showCalls } from "./show-calls.ts";

export type Verdict =
  /** Whether it is still what was shown is for `whyNotNow` to say, just before it runs. */
  | { kind: "approved"; request: InteractionRequest }
  | { kind: "unanswered"; outcome: Outcome }
  | { kind: "refused"; reason: string };

/** Asks for `decided` together with the risky calls after it in the turn. */
export async function confirmCall(
  session: AgentSession,
  run: AgentRun,
  decided: RunnableCall,
  rest: readonly DecidedCall[],
): Promise<Verdict> {
  if (!session.host.canAsk) {
    return { kind: "refused", reason: await session.configuration.prompts.render("nobody.md", {}) };
  }
  const raised = findConfirm(session, run, decided);
  const shown: Shown = raised ? new Map() : await showCalls(session, [decided, ...rest]);
  const own = shown.get(decided.call.id);
  if (own && "problem" in own) return { kind: "refused", reason: own.problem };
  const calls = [...shown.values()].filter((call): call is ShownCall => !("problem" in call));
  const isRaised = (request: InteractionRequest) => request === raised;
  const { kind, network } = session.workspace.isolation;
  const asked = await askPerson(session, run, isRaised, (origin) =>
    createConfirm(origin, calls, { kind, network }),
  );
  if (asked.kind === "unanswered") return asked;
  const { request, answer } = asked;
  if (answer.selectedOptionId !== "approve") {
    const reason = answer.comment ? ` They said: ${answer.comment}` : "";
    return { kind: "refused", reason: `A person rejected this call, so it was not run.${reason}` };
  }
  return { kind: "approved", request };
}

/** The newest one counts: a call that could not be shown with the others may be asked about again with later ones. */
export function findConfirm(
  session: AgentSession,
  run: AgentRun,
  { call }: DecidedCall,
): InteractionRequest | undefined {
  return [...session.journal.state.interactions.values()]
    .map(({ request }) => request)
    .findLast(
      (request) =>
        request.conversationId === run.conversationId &&
        request.kind === "Confirm" &&
        letsCallsRun(request) &&
        request.toolCallIds.includes(call.id),
    );
}

/** True where enough people approved the call, whether it may still run or not. */
export function wasApproved(session: AgentSession, run: AgentRun, decided: DecidedCall): boolean {
  const request = findConfirm(session, run, decided);
  const answered = request && session.journal.state.interactions.get(request.interactionId)?.response;
  return answered?.selectedOptionId === "approve";
}
