// Builds Responses API requests and rebuilds answers from events. The server stores nothing: reasoning is
// received encrypted and sent back unchanged.

import { createHash } from "node:crypto";
import { noUsage } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { ContentBlock, Message, StopReason, ToolDefinition, Usage } from "../core/events.ts";
import { DamagedReply, parseCallInput } from "../core/model-request.ts";
import type { ModelReply, ModelRequest } from "../core/ports.ts";
import {
  argumentsOf,
  type Collector,
  countTokens,
  type Fields,
  fieldsOf,
  isFields,
  ownCallId,
  resultText,
} from "./wire.ts";

/** The body of a streaming request. */
export function buildResponsesBody(request: ModelRequest, maxTokens: number): Fields {
  const { system, tools } = request.prefix;
  return {
    model: request.model,
    ...(system === "" ? {} : { instructions: system }),
    input: request.messages.flatMap(itemsOf),
    ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
    max_output_tokens: maxTokens,
    store: false,
    ...(isReasoning(request.model) ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(request.effort !== undefined && isReasoning(request.model)
      ? { reasoning: { effort: request.effort === "max" ? "high" : request.effort } }
      : {}),
    // Routes a conversation's requests to the machine that has its prefix cached.
    prompt_cache_key: createHash("sha256").update(request.conversationId).digest("hex").slice(0, 32),
    stream: true,
  };
}

/** Models that never reason refuse requests for reasoning. */
function isReasoning(model: string): boolean {
  return !/^(gpt-3|gpt-4|chatgpt)/.test(model);
}

function toolOf({ name, description, inputSchema }: ToolDefinition): Fields {
  return { type: "function", name, description, parameters: inputSchema, strict: isStrict(inputSchema) };
}

const STRICT_KEYWORDS = new Set([
  "type",
  "description",
  "enum",
  "properties",
  "required",
  "additionalProperties",
]);

/** Whether the API can enforce the schema: only closed objects with all fields required. */
function isStrict(schema: unknown): boolean {
  if (!isFields(schema) || Object.keys(schema).some((keyword) => !STRICT_KEYWORDS.has(keyword))) return false;
  if (schema.type !== "object") return typeof schema.type === "string" && schema.type !== "array";
  const properties = fieldsOf(schema.properties);
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return (
    schema.additionalProperties === false &&
    Object.entries(properties).every(([name, property]) => required.includes(name) && isStrict(property))
  );
}

function itemsOf({ role, content }: Message): Fields[] {
  return content.flatMap((block): Fields[] => {
    switch (block.type) {
      case "text": {
        const type = role === "user" ? "input_text" : "output_text";
        return [{ type: "message", role, content: [{ type, text: block.text.toWellFormed() }] }];
      }
      case "tool_use":
        return [
          { type: "function_call", call_id: block.id, name: block.name, arguments: argumentsOf(block.input) },
        ];
      case "tool_result":
        return [{ type: "function_call_output", call_id: block.tool_use_id, output: resultText(block) }];
      default:
        return "item" in block && isFields(block.item) ? [block.item] : [];
    }
  });
}

/** Builds one answer from the events of a stream; `finish` refuses an invalid one. */
export class ResponsesCollector implements Collector {
  readonly usage: Usage = noUsage();
  readonly #request: ModelRequest;
  readonly #onText: (delta: string) => void;
  /** Complete items by index. */
  readonly #items = new Map<number, Fields>();
  #ended: Fields | undefined;

  constructor(request: ModelRequest, onText: (delta: string) => void = () => {}) {
    this.#request = request;
    this.#onText = onText;
  }

  add(event: unknown): void {
    const { type, output_index, item, delta, response } = fieldsOf(event);
    switch (type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#onText(String(delta));
        return;
      case "response.output_item.done":
        if (isFields(item)) this.#items.set(Number(output_index), item);
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.failed": {
        this.#ended = fieldsOf(response);
        const { input_tokens, input_tokens_details, output_tokens } = fieldsOf(this.#ended.usage);
        countTokens(this.usage, input_tokens, input_tokens_details, output_tokens);
      }
    }
  }

  /**
   * Leaves out a tool call that was cut by the end of the answer. Throws DamagedReply when the stream was
   * cut.
   */
  finish(): ModelReply {
    const ended = this.#ended;
    if (!ended) throw new DamagedReply("the answer was cut off");
    if (ended.status === "failed") throw new FailedResponse(fieldsOf(ended.error));
    const places = [...this.#items.keys()].sort((one, other) => one - other);
    const items = places.map((place) => this.#items.get(place) ?? {});
    const isCut = ended.status === "incomplete";
    const content = items.flatMap((item, place) => this.#blocksOf(item, place, isCut));
    const stopReason = stopReasonOf(ended, items, content);
    // The API refuses reasoning at the end of a message.
    while (content.at(-1)?.type === "thinking") content.pop();
    const { model } = ended;
    return {
      message: { role: "assistant", content },
      stopReason,
      usage: { ...this.usage },
      model: typeof model === "string" && model !== "" ? model : this.#request.model,
    };
  }

  #blocksOf(item: Fields, place: number, isCut: boolean): ContentBlock[] {
    switch (item.type) {
      case "reasoning":
        // Without encrypted content the reasoning is lost: the server stored nothing.
        return typeof item.encrypted_content === "string" ? [{ type: "thinking", item }] : [];
      case "message": {
        const parts: unknown[] = Array.isArray(item.content) ? item.content : [];
        const text = parts
          .map((part) => String(fieldsOf(part).text ?? fieldsOf(part).refusal ?? ""))
          .join("");
        return text.trim() === "" ? [] : [{ type: "text", text }];
      }
      case "function_call": {
        const json = String(item.arguments || "{}");
        const input = parseCallInput(json);
        if (input === undefined && isCut) return [];
        if (typeof item.name !== "string") throw new DamagedReply("a tool call has no name");
        const id = ownCallId(item.call_id, this.#request, place);
        return [{ type: "tool_use", id, name: item.name, input: input ?? json }];
      }
      default:
        return [];
    }
  }
}

/** The server began an answer and gave up. */
export class FailedResponse extends Error {
  readonly code: string;

  constructor({ code, message }: Fields) {
    super(typeof message === "string" ? message : "the response failed");
    this.code = typeof code === "string" ? code : "server_error";
  }
}

function stopReasonOf(ended: Fields, items: readonly Fields[], content: readonly ContentBlock[]): StopReason {
  if (ended.status === "incomplete") {
    const { reason } = fieldsOf(ended.incomplete_details);
    if (reason === "max_output_tokens") return "max_tokens";
    if (reason === "content_filter") return "refusal";
    throw new LoopliaError("model-failed", `The answer ended for an unknown reason: ${shown(reason)}.`, {
      modelFailure: "bad-request",
      hint: "Use a newer version of looplia-action, or another model.",
    });
  }
  const parts = items.flatMap(({ content: inside }): unknown[] => (Array.isArray(inside) ? inside : []));
  if (parts.some((part) => fieldsOf(part).type === "refusal")) return "refusal";
  return content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
}

function shown(reason: unknown): string {
  return typeof reason === "string" && /^[a-z_]{1,40}$/.test(reason) ? reason : "unnamed";
}
