// Decides the calls of a turn before any of them runs.
import { decideCall } from "../approval/gate.ts";
import {
  type AuditLine,
  type FrozenPrefix,
  isServerTool,
  type StopReason,
  TEXT_CALL_FORM,
  type ToolUseBlock,
} from "../core/events.ts";
import { auditable, isWellFormedJson, PROGRAM } from "../core/json.ts";
import { inputProblems, serverTool } from "../tools/registry.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import { type AgentRun, type AgentSession, replyToFailure, summaryOf } from "./session.ts";

/** A call and the decision about it. */
export type DecidedCall = { call: ToolUseBlock } & (
  | {
      kind: "allow" | "ask";
      tool: Tool;
      input: unknown;
      facts: ToolContext["facts"];
      dangers: string[];
      /** The program made the call, about a file that a command changed; the model did not. */
      isProgram?: true;
      /** The call would need an approval, but people approved its command line for the whole work. */
      stands?: true;
    }
  | { kind: "deny"; reason: string; summary?: string }
);

/** A call that is not forbidden. */
export type RunnableCall = Extract<DecidedCall, { kind: "ask" | "allow" }>;

/** Decides each call separately. After any stop reason but `tool_use` no call may run (Messages API). */
export async function decideCalls(
  session: AgentSession,
  prefix: FrozenPrefix,
  stopReason: StopReason | undefined,
  calls: readonly ToolUseBlock[],
): Promise<DecidedCall[]> {
  if (stopReason !== "tool_use") {
    const reason = stopReason === "max_tokens" ? CUT_CALL : "Not run: the response was incomplete.";
    return calls.map((call) => ({ call, kind: "deny", reason }));
  }
  const known = new Set(prefix.tools.map((tool) => tool.name));
  return Promise.all(calls.map((call) => decideOne(session, known, call)));
}

/**
 * Denies calls that may wait for a person when several were made in one turn (`together`) and the model is a
 * program that can stop only at a single call: it must make them one at a time.
 */
export function refuseTogether(
  { model }: AgentSession,
  decided: readonly DecidedCall[],
  together: number,
): DecidedCall[] {
  if (!model.program?.asksAlone || together < 2) return [...decided];
  return decided.map((one) =>
    one.kind === "ask" ? { call: one.call, kind: "deny", reason: ONE_AT_A_TIME } : one,
  );
}

const ONE_AT_A_TIME =
  "Not run: a person must approve this call, and it came together with others. Repeat it as the only call of your message; send one message per call that needs approval.";

const CUT_CALL =
  "Not run: your response was cut at the limit of one response, so this call may be incomplete. Repeat it, with less text before it.";

const UNREADABLE = `Not run: this call can't be parsed. Its input must be one JSON object. In text, the right form, without a code fence around it, is:\n\n${TEXT_CALL_FORM}`;

/** Decides a call that the program proposes, whether or not the agent has the tool. */
export async function decideOwn(session: AgentSession, call: ToolUseBlock, own?: Tool): Promise<DecidedCall> {
  const tool = own ?? findTool(session, call.name);
  const decided = tool ? await decideWith(session, call, tool) : noTool(call, [call.name]);
  return decided.kind === "deny" ? decided : { ...decided, isProgram: true };
}

async function decideOne(
  session: AgentSession,
  known: ReadonlySet<string>,
  call: ToolUseBlock,
): Promise<DecidedCall> {
  if (typeof call.input === "string") return { call, kind: "deny", reason: UNREADABLE };
  const tool = known.has(call.name) ? findTool(session, call.name) : undefined;
  return tool ? decideWith(session, call, tool) : noTool(call, [...known]);
}

function noTool(call: ToolUseBlock, known: readonly string[]): DecidedCall {
  const reason = `There is no tool ${JSON.stringify(call.name)} here. Your tools: ${known.join(", ")}.`;
  return { call, kind: "deny", reason };
}

async function decideWith(session: AgentSession, call: ToolUseBlock, tool: Tool): Promise<DecidedCall> {
  if (!isWellFormedJson(call.input)) {
    return { call, kind: "deny", reason: "The input contains text that is not well-formed Unicode." };
  }
  const parsed = tool.input().safeParse(call.input);
  if (!parsed.success) return { call, kind: "deny", reason: inputProblems(parsed.error) };
  const input = parsed.data;
  try {
    const facts = (await tool.facts?.(input, session.workspace)) ?? {};
    const name = tool.ruledAs ?? tool.name;
    const gated = { tool: name, risk: tool.risk, asksItself: tool.effect === "reentrant", ...facts };
    const decision = decideCall(gated, session.gate, session.workspace);
    if (decision.kind === "deny") return { call, ...decision, summary: summaryOf(session, { tool, input }) };
    const dangers = decision.kind === "ask" ? decision.dangers : [];
    return { call, kind: decision.kind, tool, input, facts, dangers };
  } catch (error) {
    return { call, kind: "deny", reason: replyToFailure(error).text };
  }
}

/**
 * An MCP tool stays available as long as the conversation's prefix names it, whatever the server offers now.
 */
function findTool({ tools, configuration: { servers } }: AgentSession, name: string): Tool | undefined {
  return tools.get(name) ?? (isServerTool(name) ? serverTool(name, servers) : undefined);
}

/** The audit lines of a turn: every call is logged as requested before any question or run. */
export function requestedLines(
  session: AgentSession,
  run: AgentRun,
  decided: readonly DecidedCall[],
): AuditLine[] {
  return decided.map(({ call, ...decision }) => ({
    store: "audit",
    type: "ToolCallRequested",
    payload: {
      toolCallId: call.id,
      toolName: call.name.toWellFormed(),
      authorActorId: decision.kind !== "deny" && decision.isProgram ? PROGRAM : `agent:${run.agent}`,
      taskId: run.taskId,
      conversationId: run.conversationId,
      input: auditable(call.input),
      decision: decision.kind,
      ...(decision.kind !== "deny" && decision.facts.command !== undefined
        ? { isolation: session.workspace.isolation.kind }
        : {}),
      ...(decision.kind === "ask" && decision.dangers.length > 0 ? { dangers: decision.dangers } : {}),
      timestamp: session.clock.now().getTime(),
    },
  }));
}

/** True for a call that changes nothing and waits for nobody. */
export function isRead(decided: DecidedCall | undefined): boolean {
  return decided?.kind === "allow" && decided.tool.effect === "read";
}

/** The calls from `start` that may run together: adjacent reads, else a single call. */
export function nextBatch(calls: readonly DecidedCall[], start: number): DecidedCall[] {
  let end = start + 1;
  if (isRead(calls[start])) while (isRead(calls[end])) end += 1;
  return calls.slice(start, end);
}
