// What is decided about a call before anything runs: known tool, valid input, and whether a person must agree.
import type { AuditLine } from "../session/events.ts";
import { auditable, isWellFormedJson } from "../session/json.ts";
import type { FrozenPrefix, StopReason, ToolUseBlock } from "../session/message.ts";
import { inputProblems, inputSchema } from "../tools/registry.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentRun, AgentSession } from "./session.ts";

/** A call with what was decided about it. */
export type DecidedCall = { call: ToolUseBlock } & (
  | { kind: "allow" | "ask"; tool: Tool; input: unknown }
  | { kind: "deny"; reason: string }
);

/** Decides each call by itself. After any stop reason but `tool_use` none may run (Messages API). */
export async function decideCalls(
  session: AgentSession,
  prefix: FrozenPrefix,
  stopReason: StopReason | undefined,
  calls: readonly ToolUseBlock[],
): Promise<DecidedCall[]> {
  if (stopReason !== "tool_use") {
    const reason = stopReason === "max_tokens" ? CUT_CALL : "Not run: the response was not complete.";
    return calls.map((call) => ({ call, kind: "deny", reason }));
  }
  const known = new Set(prefix.tools.map((tool) => tool.name));
  return Promise.all(calls.map((call) => decideCall(session, known, call)));
}

const CUT_CALL =
  "Not run: your response was cut at the limit of one response, so this call may be incomplete. Make it again, with less text before it.";

async function decideCall(
  session: AgentSession,
  known: ReadonlySet<string>,
  call: ToolUseBlock,
): Promise<DecidedCall> {
  const tool = known.has(call.name) ? session.tools.get(call.name) : undefined;
  if (!tool) {
    const reason = `There is no tool ${JSON.stringify(call.name)} here. Your tools: ${[...known].join(", ")}.`;
    return { call, kind: "deny", reason };
  }
  if (!isWellFormedJson(call.input)) {
    return { call, kind: "deny", reason: "The input holds text that is not well-formed Unicode." };
  }
  const parsed = (await inputSchema(tool)).safeParse(call.input);
  if (!parsed.success) return { call, kind: "deny", reason: inputProblems(parsed.error) };
  return { call, kind: tool.risk === "risky" ? "ask" : "allow", tool, input: parsed.data };
}

/** The audit lines of a turn: every call is logged as requested before anything is asked or run. */
export function requestedLines(
  session: AgentSession,
  run: AgentRun,
  decided: readonly DecidedCall[],
): AuditLine[] {
  return decided.map(({ call, kind }) => ({
    store: "audit",
    type: "ToolCallRequested",
    payload: {
      toolCallId: call.id,
      toolName: call.name.toWellFormed(),
      authorActorId: `agent:${run.agent}`,
      taskId: run.taskId,
      conversationId: run.conversationId,
      input: auditable(call.input),
      decision: kind,
      timestamp: session.clock.now().getTime(),
    },
  }));
}

/** The calls that may be run together from `start`: neighbouring reads, else one. */
export function nextBatch(calls: readonly DecidedCall[], start: number): DecidedCall[] {
  const isRead = (decided: DecidedCall | undefined) =>
    decided !== undefined && decided.kind === "allow" && decided.tool.effect === "read";
  let end = start + 1;
  if (isRead(calls[start])) while (isRead(calls[end])) end += 1;
  return calls.slice(start, end);
}
