// What a person is shown of calls, and whether it is still so.
import type { ShownCall } from "../approval/interaction.ts";
import { loginOf } from "../session/actor.ts";
import type { InteractionRequest } from "../session/interaction.ts";
import { callKey } from "../session/state.ts";
import type { DecidedCall, RunnableCall } from "./decide.ts";
import { replyToFailure } from "./failure.ts";
import type { AgentRun, AgentSession } from "./session.ts";

/** What was shown may be hours old: it is shown again and compared. The reason not to run, or undefined. */
export async function whyNotNow(
  session: AgentSession,
  run: AgentRun,
  decided: RunnableCall,
  request: InteractionRequest,
): Promise<string | undefined> {
  const gone = await whoMayNot(session, request);
  if (gone.length > 0) return `who approved it may not decide here any more: ${gone.map(loginOf).join(", ")}`;
  const { isolation } = session.workspace;
  const shown = request.isolation;
  if (shown && (shown.kind !== isolation.kind || shown.network !== isolation.network)) {
    return "commands would run otherwise than it was shown";
  }
  if (decided.dangers.some((danger) => !request.dangers?.includes(danger))) {
    return "it is more dangerous than it was shown";
  }
  // How often it was started before is no part of what would run.
  const { starts: _, ...bound } = request.bindings?.[decided.call.id] ?? {};
  if (bound.follows !== undefined) {
    const { outcome } = session.journal.state.calls.get(callKey(run.conversationId, bound.follows)) ?? {};
    if (outcome !== "done" && outcome !== "failed") return "the command before it did not run to its end";
  }
  const now = (await showCalls(session, [decided], bound.follows)).get(decided.call.id);
  if (now === undefined) return "it can't be shown again";
  if ("problem" in now) return now.problem;
  return whatChanged(now.binding, bound);
}

/** All who approved count: with one of them gone there were too few. */
async function whoMayNot(session: AgentSession, { interactionId }: InteractionRequest): Promise<string[]> {
  const { approvals = [], response } = session.journal.state.interactions.get(interactionId) ?? {};
  const people = [...approvals.map(({ actorId }) => actorId), ...(response ? [response.authorActorId] : [])];
  return (await session.host.whoMayNot?.([...new Set(people)])) ?? [];
}

/** By call id; a problem is why a call can't be shown, and so not asked about. */
export type Shown = Map<string, ShownCall | { problem: string }>;

/** The first call and those that are asked about after it; allowed ones between count for what they leave. */
export async function showCalls(
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
        redact: session.journal.redact,
        ...(follows === undefined ? {} : { follows }),
      });
      const summary = {
        title: tool.name,
        content: JSON.stringify(input, null, 2),
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

function whatChanged(now: Record<string, string>, bound: Record<string, string>): string | undefined {
  const names = new Set([...Object.keys(now), ...Object.keys(bound)]);
  const changed = [...names].filter((name) => now[name] !== bound[name]);
  if (changed.length === 0) return undefined;
  return changed.includes("worktree")
    ? "a file has changed since it was shown"
    : "what was shown has changed since";
}
