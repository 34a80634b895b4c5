// One Confirm covers the risky calls of a turn; each is compared with what was shown just before it runs.
import { createConfirm, type ShownCall } from "../approval/interaction.ts";
import { askPerson } from "./ask.ts";
import type { DecidedCall } from "./decide.ts";
import { replyToFailure } from "./failure.ts";
import type { AgentRun, AgentSession } from "./session.ts";

export type Verdict = { kind: "approved" } | { kind: "waiting" } | { kind: "refused"; reason: string };

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
  const covers = (request: { kind: string; toolCallIds: string[] }) =>
    request.kind === "Confirm" && request.toolCallIds.includes(decided.call.id);
  const shown = await showCalls(session, [decided, ...rest]);
  const own = shown.get(decided.call.id);
  if (own === undefined || "problem" in own) return { kind: "refused", reason: own?.problem ?? "Not shown." };
  const calls = [...shown.values()].filter((call): call is ShownCall => !("problem" in call));
  const { request, answer } = await askPerson(session, run, covers, (origin) => createConfirm(origin, calls));
  if (!answer) return { kind: "waiting" };
  if (answer.selectedOptionId !== "approve") {
    const reason = answer.comment ? ` They said: ${answer.comment}` : "";
    return { kind: "refused", reason: `A person rejected this call, so it was not run.${reason}` };
  }
  // What was shown may be hours old: show it again and compare.
  const now = (await showCalls(session, [decided])).get(decided.call.id);
  const bound = request.bindings?.[decided.call.id];
  if (now && !("problem" in now) && isSame(now.binding, bound)) return { kind: "approved" };
  const reason = now && "problem" in now ? now.problem : "what it would change is no longer what was shown";
  return { kind: "refused", reason: `Approved, but not run: ${reason}. Look again and make a new call.` };
}

async function showCalls(
  session: AgentSession,
  calls: readonly DecidedCall[],
): Promise<Map<string, ShownCall | { problem: string }>> {
  const pending = new Map<string, string>();
  const shown = new Map<string, ShownCall | { problem: string }>();
  for (const decided of calls) {
    if (decided.kind !== "ask") continue;
    const { call, tool, input } = decided;
    try {
      const preview = await tool.preview?.(input, { workspace: session.workspace, pending });
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
    } catch (error) {
      shown.set(call.id, { problem: replyToFailure(error).text });
    }
  }
  return shown;
}

function isSame(now: Record<string, string>, bound: Record<string, string> | undefined): boolean {
  const keys = Object.keys(now);
  return (
    bound !== undefined &&
    keys.length === Object.keys(bound).length &&
    keys.every((key) => now[key] === bound[key])
  );
}
