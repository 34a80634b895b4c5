// How events name a call.
import type { ToolCallReference } from "../session/events.ts";
import type { ToolUseBlock } from "../session/message.ts";
import type { AgentRun } from "./session.ts";

export function callReference(
  { conversationId }: Pick<AgentRun, "conversationId">,
  { id, name }: ToolUseBlock,
): ToolCallReference {
  return { conversationId, toolCallId: id, toolName: name };
}
