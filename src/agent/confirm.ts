// One Confirm covers the risky calls of a turn; each is compared with what was shown just before it runs.
import { createConfirm, type ShownCall } from "../approval/interaction.ts";
import type { InteractionRequest } from "../session/interaction.ts";
import { callKey } from "../session/state.ts";
import { askPerson } from "./ask.ts";
import type { DecidedCall, RunnableCall } from "./decide.ts";
import { replyToFailure } from "./failure.ts";
import type { Outcome } from "./outcome.ts";
import type { AgentRun, AgentSession } from "./session.ts";

export type Verdict =
  | { kind: "approved" }
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
  const reason = await whyNotNow(session, run, decided, request);
  if (reason === undefined) return { kind: "approved" };
  return { kind: "refused", reason: `Approved, but not run: ${reason}. Look again and make a new call.` };
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
        request.purpose === "confirm_risky_action" &&
        request.toolCallIds.includes(call.id),
    );
}

/** What was shown may be hours old: it is shown again and compared. The reason not to run, or undefined. */
async function whyNotNow(
  session: AgentSession,
  run: AgentRun,
  decided: RunnableCall,
  request: InteractionRequest,
): Promise<string | undefined> {
  const { isolation } = session.workspace;
  const shown = request.isolation;
  if (shown && (shown.kind !== isolation.kind || shown.network !== isolation.network)) {
    return "commands would run otherwise than it was shown";
  }
  if (decided.dangers.some((danger) => !request.dangers?.includes(danger))) {
    return "it is more dangerous than it was shown";
  }
  const bound = request.bindings?.[decided.call.id] ?? {};
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

/** The first call and those that are asked about after it; allowed ones between count for what they leave. */
async function showCalls(
  session: AgentSession,
  calls: readonly DecidedCall[],
  last?: string,
): Promise<Shown> {
  const pending = new Map<string, string>();
  let follows = last;
  const shown: Shown = new Map();
  for (const decided of calls) {
    if (decided.kind === "deny") continue;
    const isShown = decided.kind === "ask" || decided === calls[0];
    if (!isShown && !decided.tool.preview) continue;
    const { call, tool, input, dangers } = decided;
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
      const { id: toolCallId, name: toolName } = call;
      const part = { toolCallId, toolName, input: call.input, dangers, ...(preview ?? summary) };
      if (isShown) shown.set(call.id, part);
      // Whatever is not bound to a file of its own may change any file.
      if (tool.effect === "once" && preview?.binding.path === undefined) follows = call.id;
    } catch (error) {
      if (isShown) shown.set(call.id, { problem: replyToFailure(error).text });
    }
  }
  return shown;
}

function isSame(now: Record<string, string>, bound: Record<string, string>): boolean {
  const keys = Object.keys(now);
  return keys.length === Object.keys(bound).length && keys.every((key) => now[key] === bound[key]);
}
