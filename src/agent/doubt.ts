// A call that an earlier process started and that has no result: settled by looking, else a person is asked.
import { createDoubt, type ShownCall } from "../approval/interaction.ts";
import { type InteractionRequest, letsCallsRun } from "../session/interaction.ts";
import { callKey } from "../session/state.ts";
import type { ToolReply } from "../tools/tool.ts";
import { askPerson } from "./ask.ts";
import type { RunnableCall } from "./decide.ts";
import { replyToFailure } from "./failure.ts";
import type { Outcome } from "./outcome.ts";
import { summaryOf } from "./reference.ts";
import type { AgentRun, AgentSession } from "./session.ts";
import { showCalls, whyNotNow } from "./show-calls.ts";

/** `again`: run it; `fresh`: it had no effect, so decide about it as about any other call. */
export type Settled =
  | { kind: "again" | "fresh" }
  | { kind: "happened"; reply: ToolReply }
  /** `notRun`: why not, though a person let it run again. */
  | { kind: "unknown"; reply: ToolReply; notRun?: string }
  | { kind: "interrupted"; outcome: Outcome };

/** What is told where nobody can find out. */
export const OUTCOME_UNKNOWN =
  "This call was started before an interruption and left no result: its outcome is unknown. It was not run again. Look at what is there before you decide what to do.";

/** Never runs the call. The same question is found again until it is answered; an answer counts for one start. */
export async function settleDoubt(
  session: AgentSession,
  run: AgentRun,
  decided: RunnableCall,
): Promise<Settled> {
  const seen = await lookAtFile(session, run, decided);
  if (seen) return seen;
  if (!session.host.canAsk) return unknown();
  const { call } = decided;
  const starts = String(session.journal.state.calls.get(callKey(run.conversationId, call.id))?.starts ?? 1);
  const isOwn = (request: InteractionRequest) =>
    letsCallsRun(request) && request.bindings?.[call.id]?.starts === starts;
  const isRaised = [...session.journal.state.interactions.values()].some(({ request }) => isOwn(request));
  const shown = isRaised ? undefined : (await showCalls(session, [decided])).get(call.id);
  if (shown && "problem" in shown) return unknown(shown.problem);
  const { kind, network } = session.workspace.isolation;
  const asked = await askPerson(session, run, isOwn, (origin) => {
    if (!shown) throw new Error(`the question about call ${call.id} was there and is not`);
    const bound: ShownCall = { ...shown, binding: { ...shown.binding, starts } };
    return createDoubt(origin, bound, { kind, network });
  });
  if (asked.kind === "unanswered") return { kind: "interrupted", outcome: asked.outcome };
  return settleAnswered(session, run, decided, asked);
}

async function settleAnswered(
  session: AgentSession,
  run: AgentRun,
  decided: RunnableCall,
  {
    request,
    answer,
  }: { request: InteractionRequest; answer: { selectedOptionId?: string; comment?: string } },
): Promise<Settled> {
  const said = answer.comment ? ` They said: ${answer.comment}` : "";
  switch (answer.selectedOptionId) {
    case "happened":
      return {
        kind: "happened",
        reply: { text: `A person looked: this call did run. What it printed is lost.${said}` },
      };
    case "run": {
      const reason = await whyNotNow(session, run, decided, request);
      if (reason === undefined) return { kind: "again" };
      return { ...unknown(`A person let it run again, but ${reason}.`), notRun: reason };
    }
    case "stop": {
      const message = `a person ended the task because nobody knows what ${summaryOf(session, decided)} did.${said}`;
      return { kind: "interrupted", outcome: { kind: "failed", reasonCode: "rejected", message } };
    }
    default:
      return unknown(`A person was asked and did not decide.${said}`);
  }
}

/** The file is as the edit would leave it, or as it was before: then nobody has to be asked. */
async function lookAtFile(
  session: AgentSession,
  run: AgentRun,
  { call, tool, input }: RunnableCall,
): Promise<Settled | undefined> {
  const recorded = session.journal.state.calls.get(callKey(run.conversationId, call.id))?.image;
  if (!recorded || !tool.fileHash) return undefined;
  try {
    const now = await tool.fileHash(input, session.workspace);
    if (now === recorded.after)
      return { kind: "happened", reply: { text: `Done: ${summaryOf(session, { tool, input })}.` } };
    return now === recorded.before ? { kind: "fresh" } : undefined;
  } catch (error) {
    // A file that can't be read any more tells nothing.
    return unknown(replyToFailure(error).text);
  }
}

function unknown(more?: string): Extract<Settled, { kind: "unknown" }> {
  const text = more === undefined ? OUTCOME_UNKNOWN : `${OUTCOME_UNKNOWN} ${more}`;
  return { kind: "unknown", reply: { text, isError: true } };
}
