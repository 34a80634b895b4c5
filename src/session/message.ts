// What a model says and hears. The shape is the Messages API's; other providers translate at their border.

export type TextBlock = { type: "text"; text: string };
export type ToolUseBlock = { type: "tool_use"; id: string; name: string; input: unknown };
export type ToolResultBlock = { type: "tool_result"; tool_use_id: string; content: string; is_error?: true };
/** Thinking blocks and whatever a provider adds: kept and sent back untouched. */
export type OpaqueBlock = { type: "thinking" | "redacted_thinking"; [field: string]: unknown };
export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock | OpaqueBlock;

export type Message = { role: "user" | "assistant"; content: ContentBlock[] };

export type StopReason =
  | "end_turn"
  | "max_tokens"
  | "stop_sequence"
  | "tool_use"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded";

/** Tokens of one response, or a sum of them. */
export type Usage = {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
};

/** What a model is told of a tool; `inputSchema` is JSON Schema. */
export type ToolDefinition = { name: string; description: string; inputSchema: Record<string, unknown> };

/** The bytes that a conversation keeps from its start to its end (`frozen/<sha256>`). */
export type FrozenPrefix = { system: string; tools: ToolDefinition[] };

/** The tool calls of a message, in order. */
export function toolCallsOf(message: Message): ToolUseBlock[] {
  return message.content.filter((block): block is ToolUseBlock => block.type === "tool_use");
}

/** The text of a message: its text blocks, joined by a newline. */
export function textOf(message: Message): string {
  return message.content
    .filter((block): block is TextBlock => block.type === "text")
    .map((block) => block.text)
    .join("\n");
}
