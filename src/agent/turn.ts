// Settles the calls of a turn in order; nothing after a waiting call starts. Everything is derived from what is
// stored, so a pause or crash in between changes nothing.
import { type Conversation, unansweredCalls } from "../session/conversation.ts";
import { inTurn } from "../session/in-turn.ts";
import type { ToolUseBlock } from "../session/message.ts";
import { callKey } from "../session/state.ts";
import { confirmCall, findConfirm, wasApproved } from "./confirm.ts";
import { type DecidedCall, decideCalls, nextBatch, type RunnableCall } from "./decide.ts";
import { OUTCOME_UNKNOWN, settleDoubt } from "./doubt.ts";
import { Intents } from "./intents.ts";
import { stoppedBySignal } from "./limits.ts";
import type { Outcome } from "./outcome.ts";
import { summaryOf } from "./reference.ts";
import type { AgentRun, AgentSession } from "./session.ts";
import { whyNotNow } from "./show-calls.ts";
import { executeCall, settleCall } from "./tool-call.ts";

/** Returns the outcome that interrupts the turn, or undefined when every call has its result. */
export async function settleTurn(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<Outcome | undefined> {
  const prefix = await session.journal.prefixOf(conversation);
  const calls = await decideCalls(session, prefix, conversation.lastStop, unansweredCalls(conversation));
  const turn: Turn = { session, run, intents: new Intents(session, run) };
  const interruption = await runCalls(turn, calls);
  if (interruption) await turn.intents.withdraw();
  return interruption;
}

type Turn = { session: AgentSession; run: AgentRun; intents: Intents };

async function runCalls(turn: Turn, calls: readonly DecidedCall[]): Promise<Outcome | undefined> {
  const { signal } = turn.session;
  for (let next = 0; next < calls.length; ) {
    if (signal.aborted) return stoppedBySignal(signal);
    const batch = nextBatch(calls, next);
    next += batch.length;
    const rest = calls.slice(next);
    const outcomes = await Promise.all(batch.map((decided) => runCall(turn, decided, rest)));
    const interruption = outcomes.find((outcome) => outcome !== undefined);
    if (interruption) return interruption;
  }
  return undefined;
}

async function runCall(
  turn: Turn,
  decided: DecidedCall,
  rest: readonly DecidedCall[],
): Promise<Outcome | undefined> {
  const { session, run } = turn;
  const { call } = decided;
  const isInDoubt = session.journal.isInDoubt(callKey(run.conversationId, call.id));
  if (decided.kind === "deny") {
    const text = isInDoubt ? `${OUTCOME_UNKNOWN} ${decided.reason}` : decided.reason;
    const more = wasApproved(session, run, decided) ? { notRun: decided.reason } : {};
    observeRefusal(turn, call, decided.reason, decided.summary);
    await settleCall(session, run, call, { text, isError: true }, isInDoubt ? "unknown" : "denied", more);
    return undefined;
  }
  if (isInDoubt && decided.tool.effect === "once") {
    const settled = await settleDoubt(session, run, decided);
    if (settled.kind === "interrupted") return settled.outcome;
    if ("reply" in settled) {
      const outcome = settled.kind === "happened" ? "done" : "unknown";
      const more = "notRun" in settled ? { notRun: settled.notRun } : {};
      await settleCall(session, run, call, settled.reply, outcome, more);
      return undefined;
    }
    if (settled.kind === "again") return startCall(turn, decided, rest);
  }
  // What a person was once asked about is theirs to decide, whatever the rules say now.
  if (decided.kind !== "ask" && !findConfirm(session, run, decided)) return startCall(turn, decided, rest);
  const verdict = await confirmCall(session, run, decided, rest);
  if (verdict.kind === "unanswered") return verdict.outcome;
  if (verdict.kind === "refused") return refuseCall(turn, decided, verdict.reason);
  return startCall(turn, decided, rest, () => whyNotNow(session, run, decided, verdict.request));
}

/** What changes the worktree runs alone in it: nothing of another session comes between the last look and the start. */
async function startCall(
  turn: Turn,
  decided: RunnableCall,
  rest: readonly DecidedCall[],
  lookAgain: () => Promise<string | undefined> = async () => undefined,
): Promise<Outcome | undefined> {
  const { session, run, intents } = turn;
  const start = async () => {
    session.signal.throwIfAborted();
    const notRun = await lookAgain();
    if (notRun !== undefined) return refuseCall(turn, decided, approvedInVain(notRun), notRun);
    await intents.record(decided, rest);
    return executeCall(session, run, decided, intents.begin(decided.call.id));
  };
  return decided.tool.effect === "once" ? inTurn(session.workspace, start) : start();
}

/** `notRun`: why, of a call that a person approved. */
async function refuseCall(turn: Turn, { call, tool, input }: RunnableCall, reason: string, notRun?: string) {
  const { session, run, intents } = turn;
  intents.begin(call.id);
  observeRefusal(turn, call, reason, summaryOf(session, { tool, input }));
  const more = notRun === undefined ? {} : { notRun };
  await settleCall(session, run, call, { text: reason, isError: true }, "denied", more);
  return undefined;
}

/** People see what was not run as well. */
function observeRefusal(
  { session, run }: Turn,
  { id, name }: ToolUseBlock,
  reason: string,
  summary = "",
): void {
  const { taskId, agent } = run;
  const call = { taskId, agent, toolName: name.toWellFormed(), toolCallId: id, summary };
  const { sessionId, redact } = session.journal;
  const refused = redact(reason);
  session.observe({ type: "tool-ended", sessionId, ...call, isError: true, durationMs: 0, refused });
}

function approvedInVain(reason: string): string {
  return `Approved, but not run: ${reason}. Look again and make a new call.`;
}
