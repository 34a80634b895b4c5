// One Confirm covers the risky calls of a turn; each is compared with what was shown just before it runs.
import { createConfirm, type ShownCall } from "../approval/interaction.ts";
import type { InteractionRequest } from "../session/interaction.ts";
import { callKey } from "../session/state.ts";
import { askPerson } from "./ask.ts";
import type { DecidedCall } from "./decide.ts";
import { replyToFailure } from "./failure.ts";
import type { Outcome } from "./outcome.ts";
import type { AgentRun, AgentSession } from "./session.ts";

export type Verdict =
  | { kind: "approved" }
  | { kind: "unanswered"; outcome: Outcome }
  | { kind: "refused"; reason: string };

type AskedCall = Extract<DecidedCall, { kind: "ask" | "allow" }>;

/** Asks for `decided` together with the risky calls after it in the turn. */
export async function confirmCall(
  session: AgentSession,
  run: AgentRun,
  decided: AskedCall,
  rest: readonly DecidedCall[],
): Promise<Verdict> {
  if (!session.host.canAsk) {
    return { kind: "refused", reason: await session.configuration.prompts.render("nobody.md", {}) };
  }
  // The newest request counts: a call that could not be shown with the others may be asked about again with later ones.
  const raised = [...session.journal.state.interactions.values()]
    .map(({ request }) => request)
    .findLast((request) => request.conversationId === run.conversationId && covers(request, decided));
  const shown: Shown = raised ? new Map() : await showCalls(session, [decided, ...rest]);
  const own = shown.get(decided.call.id);
  if (own && "problem" in own) return { kind: "refused", reason: own.problem };
  const calls = [...shown.values()].filter((call): call is ShownCall => !("problem" in call));
  const isRaised = (request: InteractionRequest) => request === raised;
  const asked = await askPerson(session, run, isRaised, (origin) => createConfirm(origin, calls));
  if (asked.kind === "unanswered") return asked;
  const { request, answer } = asked;
  if (answer.selectedOptionId !== "approve") {
    const reason = answer.comment ? ` They said: ${answer.comment}` : "";
    return { kind: "refused", reason: `A person rejected this call, so it was not run.${reason}` };
  }
  const reason = await whyNotNow(session, run, decided, request.bindings?.[decided.call.id] ?? {});
  if (reason === undefined) return { kind: "approved" };
  return { kind: "refused", reason: `Approved, but not run: ${reason}. Look again and make a new call.` };
}

function covers(request: InteractionRequest, { call }: DecidedCall): boolean {
  return request.kind === "Confirm" && request.toolCallIds.includes(call.id);
}

/** What was shown may be hours old: it is shown again and compared. The reason not to run, or undefined. */
async function whyNotNow(
  session: AgentSession,
  run: AgentRun,
  decided: AskedCall,
  bound: Record<string, string>,
): Promise<string | undefined> {
  if (bound.follows !== undefined) {
    const { outcome } = session.journal.state.calls.get(callKey(run.conversationId, bound.follows)) ?? {};
    if (outcome !== "done" && outcome !== "failed") return "the command before it did not run to its end";
  }
  const now = (await showCalls(session, [decided], bound.follows)).get(decided.call.id);
  if (now === undefined) return "it can't be shown again";
  if ("problem" in now) return now.problem;
  return isSame(now.binding, bound) ? undefined : "what was shown has changed since";
}

type Shown = Map<string, ShownCall | { problem: string }>;

async function showCalls(
  session: AgentSession,
  calls: readonly DecidedCall[],
  last?: string,
): Promise<Shown> {
  const pending = new Map<string, string>();
  let follows = last;
  const shown: Shown = new Map();
  for (const decided of calls) {
    if (decided.kind !== "ask") continue;
    const { call, tool, input } = decided;
    try {
      const preview = await tool.preview?.(input, {
        workspace: session.workspace,
        pending,
        ...(follows === undefined ? {} : { follows }),
      });
      const summary = {
        title: tool.name,
        content: JSON.stringify(input),
        contentKind: "PlainText",
        binding: {},
      } as const;
      shown.set(call.id, {
        toolCallId: call.id,
        toolName: tool.name,
        input: call.input,
        ...(preview ?? summary),
      });
      // Whatever is not bound to a file of its own may change any file.
      if (preview?.binding.path === undefined) follows = call.id;
    } catch (error) {
      shown.set(call.id, { problem: replyToFailure(error).text });
    }
  }
  return shown;
}

function isSame(now: Record<string, string>, bound: Record<string, string>): boolean {
  const keys = Object.keys(now);
  return keys.length === Object.keys(bound).length && keys.every((key) => now[key] === bound[key]);
}
