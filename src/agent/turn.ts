// Settles the calls of a turn in order; nothing after a waiting call starts. Everything is derived from what is
// stored, so a pause or crash in between changes nothing.
import { type Conversation, unansweredCalls } from "../session/conversation.ts";
import { callKey } from "../session/state.ts";
import { confirmCall, findConfirm } from "./confirm.ts";
import { type DecidedCall, decideCalls, nextBatch } from "./decide.ts";
import { stoppedBySignal } from "./limits.ts";
import type { Outcome } from "./outcome.ts";
import type { AgentRun, AgentSession } from "./session.ts";
import { executeCall, settleCall } from "./tool-call.ts";

/** Returns the outcome that interrupts the turn, or undefined when every call has its result. */
export async function settleTurn(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<Outcome | undefined> {
  const prefix = await session.journal.prefixOf(conversation);
  const calls = await decideCalls(session, prefix, conversation.lastStop, unansweredCalls(conversation));
  for (let next = 0; next < calls.length; ) {
    if (session.signal.aborted) return stoppedBySignal(session.signal);
    const batch = nextBatch(calls, next);
    next += batch.length;
    const rest = calls.slice(next);
    const outcomes = await Promise.all(batch.map((decided) => runCall(session, run, decided, rest)));
    const interruption = outcomes.find((outcome) => outcome !== undefined);
    if (interruption) return interruption;
  }
  return undefined;
}

const OUTCOME_UNKNOWN =
  "This call was started before an interruption and left no result: its outcome is unknown. It was not run again. Look at what is there before you decide what to do.";

async function runCall(
  session: AgentSession,
  run: AgentRun,
  decided: DecidedCall,
  rest: readonly DecidedCall[],
): Promise<Outcome | undefined> {
  const { call } = decided;
  if (decided.kind === "deny") {
    await settleCall(session, run, call, { text: decided.reason, isError: true }, "denied");
    return undefined;
  }
  const wasStarted = session.journal.state.calls.has(callKey(run.conversationId, call.id));
  if (wasStarted && decided.tool.effect === "once") {
    await settleCall(session, run, call, { text: OUTCOME_UNKNOWN, isError: true }, "unknown");
    return undefined;
  }
  // What a person was once asked about is theirs to decide, whatever the rules say now.
  if (decided.kind === "ask" || findConfirm(session, run, decided)) {
    const verdict = await confirmCall(session, run, decided, rest);
    if (verdict.kind === "unanswered") return verdict.outcome;
    if (verdict.kind === "refused") {
      await settleCall(session, run, call, { text: verdict.reason, isError: true }, "denied");
      return undefined;
    }
  }
  return executeCall(session, run, decided);
}
