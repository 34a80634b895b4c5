// A turn as the body of a Messages API request. Everything but `cache_control` is the same bytes from turn to turn.
import type {
  MessageCreateParamsStreaming,
  MessageParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { ModelRequest } from "../ports.ts";
import type { ContentBlock, Message } from "../session/message.ts";

const CACHED = { cache_control: { type: "ephemeral" } } as const;

/**
 * The body of a streaming request. Marks at most three cache breakpoints: after tools and system, where the request
 * before this one ended (a turn may add more blocks than the cache looks back over), and at the end.
 */
export function buildBody(request: ModelRequest, maxTokens: number): MessageCreateParamsStreaming {
  const { system, tools } = request.prefix;
  return {
    model: request.model,
    max_tokens: maxTokens,
    ...(system === "" ? {} : { system: [{ type: "text", text: system, ...CACHED }] }),
    ...(tools.length === 0 ? {} : { tools: buildTools(request.prefix.tools, system === "") }),
    messages: buildMessages(request.messages),
    stream: true,
  };
}

function buildTools(tools: ModelRequest["prefix"]["tools"], markLast: boolean): Tool[] {
  return tools.map(({ name, description, inputSchema }, index) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: "object" },
    ...(markLast && index === tools.length - 1 ? CACHED : {}),
  }));
}

function buildMessages(messages: readonly Message[]): MessageParam[] {
  const lastAnswer = messages.findLastIndex((message) => message.role === "assistant");
  const marked = new Set([lastAnswer - 1, messages.length - 1]);
  // The blocks are the API's own, unknown kinds included: only the session's narrower type has to be widened.
  return messages.map((message, index) => {
    const sent = withWellFormedText(message);
    return marked.has(index) ? withCacheMark(sent) : sent;
  }) as unknown as MessageParam[];
}

/** A copy whose last block that can carry a mark has one; thinking can't. */
function withCacheMark(message: Message): Message {
  const place = message.content.findLastIndex((block) => MARKABLE.has(block.type));
  if (place < 0) return message;
  const content = message.content.map((block, index) => (index === place ? { ...block, ...CACHED } : block));
  return { ...message, content };
}

const MARKABLE: ReadonlySet<string> = new Set(["text", "tool_use", "tool_result"]);

/** The API refuses a body with half a surrogate pair, and a session would never get past it. */
function withWellFormedText(message: Message): Message {
  if (message.content.every((block) => wellFormed(block) === block)) return message;
  return { ...message, content: message.content.map(wellFormed) };
}

function wellFormed(block: ContentBlock): ContentBlock {
  if (block.type === "text" && !block.text.isWellFormed()) {
    return { ...block, text: block.text.toWellFormed() };
  }
  if (block.type === "tool_result" && !block.content.isWellFormed()) {
    return { ...block, content: block.content.toWellFormed() };
  }
  return block;
}
