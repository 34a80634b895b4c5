// How a call is called: by events, and for people.
import type { ToolCallReference } from "../session/events.ts";
import type { ToolUseBlock } from "../session/message.ts";
import { redactValue } from "../session/redaction.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentRun, AgentSession } from "./session.ts";

/** By events. */
export function callReference(
  { conversationId }: Pick<AgentRun, "conversationId">,
  { id, name }: ToolUseBlock,
): ToolCallReference {
  return { conversationId, toolCallId: id, toolName: name };
}

/** One line for people. Summaries are cut, so secrets are cut out of the input before. */
export function summaryOf(
  { journal }: Pick<AgentSession, "journal">,
  { tool, input }: { tool: Tool; input: unknown },
): string {
  return tool.summarize(redactValue(input, journal.redact));
}
