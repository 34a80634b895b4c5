// What a model says and hears. The shape is the Messages API's; other providers translate at their border.
import type { z } from "zod";
import type { conversationPayloads, messageShape } from "./line-shapes.ts";

export type Message = z.infer<typeof messageShape>;
/** Thinking blocks and whatever a provider adds are kept and sent back untouched. */
export type ContentBlock = Message["content"][number];
export type TextBlock = Extract<ContentBlock, { type: "text" }>;
export type ToolUseBlock = Extract<ContentBlock, { type: "tool_use" }>;
export type ToolResultBlock = Extract<ContentBlock, { type: "tool_result" }>;
type ModelResponse = NonNullable<z.infer<typeof conversationPayloads.Message>["response"]>;
export type StopReason = ModelResponse["stopReason"];
/** Tokens of one response, or a sum of them. */
export type Usage = ModelResponse["usage"];

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
