// A model against a local Messages API, and the messages that tests say to it.
import { onTestFinished } from "vitest";
import { type AnthropicOptions, createAnthropicModel } from "../../src/anthropic/model.ts";
import type { Message, ToolDefinition } from "../../src/core/events.ts";
import type { Model, ModelRequest } from "../../src/core/ports.ts";
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiScript } from "../fakes/messages-api-script.ts";

export const KEY = "sk-ant-api03-canary-0123456789";
export const MODEL = "claude-sonnet-5-5";
export const signal: AbortSignal = new AbortController().signal;

export const readFile: ToolDefinition = {
  name: "readFile",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

export async function startModel(
  script: ApiScript,
  options: Partial<AnthropicOptions> = {},
  api: MessagesApiOptions = { apiKey: KEY },
): Promise<{ model: Model; api: MessagesApi }> {
  const server = await startMessagesApi(script, api);
  onTestFinished(() => server.close());
  return {
    model: createAnthropicModel({ apiKey: KEY, baseURL: server.url, backOffMs: 1, ...options }),
    api: server,
  };
}

export function ask(...messages: Message[]): ModelRequest {
  return {
    conversationId: "c1",
    model: MODEL,
    prefix: { system: "You read files.", tools: [readFile] },
    messages,
  };
}

export function say(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

export function results(...contents: [id: string, content: string][]): Message {
  return {
    role: "user",
    content: contents.map(([tool_use_id, content]) => ({ type: "tool_result", tool_use_id, content })),
  };
}
