// The two APIs: requests are built, and answers rebuilt from what is streamed.

// Chat Completions, which vLLM, Ollama, LiteLLM and llama.cpp also accept.

import { createHash } from "node:crypto";
import { noUsage } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import {
  type ContentBlock,
  type Message,
  messageText,
  type StopReason,
  type ToolDefinition,
  type ToolResultBlock,
  toolCallsOf,
  type Usage,
} from "../core/events.ts";
import { isObject, parseJson } from "../core/json.ts";
import { DamagedReply, parseCallInput } from "../core/model-request.ts";
import type { ModelReply, ModelRequest } from "../core/ports.ts";
import { type Fields, fieldsOf } from "./fields.ts";
import { collect, returnedBlock, returnedIn } from "./returned.ts";
import { plausibleUsage, readUsage } from "./usage.ts";

/**
 * The body of a streaming request. The server limits the answer's length: a local one knows its context
 * window.
 */
export function buildChatBody(request: ModelRequest): Fields {
  const { system, tools } = request.prefix;
  return {
    model: request.model,
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...request.messages.flatMap(messagesOf),
    ],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: "function",
            function: { name, description, parameters: inputSchema },
          })),
        }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function messagesOf(message: Message): Fields[] {
  const text = messageText(message).toWellFormed();
  if (message.role === "assistant") {
    const returned = returnedIn(message.content);
    const calls = toolCallsOf(message).map(({ id, name, input }) => ({
      ...returned.ofCall(id),
      ...{ id, type: "function" },
      function: { name, arguments: argumentsOf(input) },
    }));
    if (calls.length === 0 && text === "") return [];
    const said = { ...returned.message, role: "assistant", content: text };
    return [{ ...said, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
  }
  const results = message.content.flatMap((block): Fields[] =>
    block.type === "tool_result"
      ? [{ role: "tool", tool_call_id: block.tool_use_id, content: resultText(block) }]
      : [],
  );
  return text === "" ? results : [...results, { role: "user", content: text }];
}

/** `id` and `name` are empty until the server sends them. */
type CallDraft = { id: string; name: string; json: string; fields: Fields };

const STOP_REASONS: ReadonlyMap<unknown, StopReason> = new Map([
  ["stop", "end_turn"],
  ["eos", "end_turn"],
  ["eos_token", "end_turn"],
  ["stop_sequence", "end_turn"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["length", "max_tokens"],
  ["content_filter", "refusal"],
]);

/** Servers without a parser for a model's thoughts send them as text; as elsewhere, they are not part of the answer. */
const THOUGHTS = /^\s*<(think(?:ing)?)>[\s\S]*?<\/\1>\s*/;

/** Builds one answer from the chunks of a stream; `finish` refuses an invalid one. */
export class ChatCollector implements Collector {
  #told = noUsage();
  readonly #request: ModelRequest;
  readonly #onText: (delta: string) => void;
  readonly #calls: CallDraft[] = [];
  readonly #byIndex = new Map<number, CallDraft>();
  readonly #fields: Fields = {};
  #model = "";
  #text = "";
  #isRefusal = false;
  #finish = "";
  #isBegun = false;

  constructor(request: ModelRequest, onText: (delta: string) => void = () => {}) {
    this.#request = request;
    this.#onText = onText;
  }

  get usage(): Usage {
    if (!this.#isBegun) return noUsage();
    const said = this.#calls.reduce((text, { name, json }) => text + name + json, this.#text);
    return plausibleUsage(this.#told, this.#request, said);
  }

  add(chunk: unknown): void {
    this.#isBegun = true;
    const { model, choices, usage } = fieldsOf(chunk);
    if (typeof model === "string" && model !== "") this.#model = model;
    if (isObject(usage)) {
      const { prompt_tokens, prompt_tokens_details, completion_tokens } = usage;
      this.#told = readUsage(prompt_tokens, prompt_tokens_details, completion_tokens);
    }
    const choice = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
    const piece = fieldsOf(choice.delta ?? choice.message);
    const { content, refusal, tool_calls } = piece;
    collect(this.#fields, piece);
    for (const text of [content, refusal]) {
      if (typeof text !== "string" || text === "") continue;
      this.#text += text;
      this.#onText(text);
    }
    if (typeof refusal === "string" && refusal !== "") this.#isRefusal = true;
    if (Array.isArray(tool_calls)) for (const call of tool_calls) this.#addCall(fieldsOf(call));
    // Before the end some servers send an empty reason instead of none.
    if (choice.finish_reason) this.#finish = String(choice.finish_reason);
  }

  #addCall(call: Fields): void {
    const { name, arguments: json } = fieldsOf(call.function);
    const draft = this.#draftOf(call, typeof name === "string" ? name : "");
    collect(draft.fields, call);
    if (typeof json === "string") draft.json += json;
    else if (typeof json === "object" && json !== null) draft.json = JSON.stringify(json);
  }

  /**
   * Servers send whole calls without an index, or all with the index 0; without an id; or a new id with each
   * piece. Only a piece with a name begins a call.
   */
  #draftOf({ index, id }: Fields, name: string): CallDraft {
    const isNamed = typeof id === "string" && id !== "";
    const known =
      typeof index === "number"
        ? this.#byIndex.get(index)
        : isNamed
          ? this.#calls.find((call) => call.id === id)
          : this.#calls.at(-1);
    const isOther = (call: CallDraft) =>
      isNamed && call.id !== ""
        ? id !== call.id
        : name !== call.name || parseCallInput(call.json) !== undefined;
    if (known && (name === "" || known.name === "" || !isOther(known))) {
      if (known.name === "") known.name = name;
      return known;
    }
    const draft = { id: isNamed ? id : "", name, json: "", fields: {} };
    this.#calls.push(draft);
    if (typeof index === "number") this.#byIndex.set(index, draft);
    return draft;
  }

  /**
   * Leaves out a tool call that was cut by the end of the answer. Throws DamagedReply when the stream was
   * cut.
   */
  finish(): ModelReply {
    if (this.#finish === "") throw new DamagedReply("the answer was cut off");
    // OpenRouter, when the service behind it fails in mid-answer.
    if (this.#finish === "error") throw new FailedResponse({ message: "the server failed in mid-answer" });
    const said = STOP_REASONS.get(this.#finish);
    if (said === undefined) {
      throw new LoopliaError("model-failed", "The answer ended for an unknown reason.", {
        modelFailure: "bad-request",
        hint: "Use a newer version of looplia-action, or another model.",
      });
    }
    const text = this.#text.replace(THOUGHTS, "");
    const content: ContentBlock[] = text.trim() === "" ? [] : [{ type: "text", text }];
    const calls = [...this.#calls.keys()].map((place) => this.#callAt(place, said === "max_tokens"));
    content.push(...calls.flat());
    const fields = calls.flatMap(([call], place) =>
      call && "id" in call ? [{ id: String(call.id), fields: this.#calls[place]?.fields ?? {} }] : [],
    );
    content.unshift(...returnedBlock({ message: this.#fields, calls: fields }));
    const isAsking = said === "end_turn" || said === "tool_use";
    const hasCalls = content.some(({ type }) => type === "tool_use");
    const stopReason = this.#isRefusal ? "refusal" : isAsking ? (hasCalls ? "tool_use" : "end_turn") : said;
    const model = this.#model || this.#request.model;
    return { message: { role: "assistant", content }, stopReason, usage: this.usage, model };
  }

  #callAt(place: number, isCut: boolean): ContentBlock[] {
    const { id = "", name = "", json = "" } = this.#calls[place] ?? {};
    const input = parseCallInput(json === "" ? "{}" : json) ?? parseCallInput(String(parseJson(json)));
    if (isCut && (input === undefined || json === "")) return [];
    if (name === "") throw new DamagedReply("a tool call has no name");
    return [{ type: "tool_use", id: ownCallId(id, this.#request, place), name, input: input ?? json }];
  }
}

// The Responses API. The server stores nothing: reasoning is
// received encrypted and sent back unchanged.

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
  if (!isObject(schema) || Object.keys(schema).some((keyword) => !STRICT_KEYWORDS.has(keyword))) return false;
  if (schema.type !== "object") return typeof schema.type === "string" && schema.type !== "array";
  const properties = fieldsOf(schema.properties);
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return (
    schema.additionalProperties === false &&
    Object.entries(properties).every(([name, property]) => required.includes(name) && isStrict(property))
  );
}

function itemsOf({ role, content }: Message): Fields[] {
  const returned = returnedIn(content);
  return content.flatMap((block, place): Fields[] => {
    switch (block.type) {
      case "text": {
        const type = role === "user" ? "input_text" : "output_text";
        const before = content[place - 1];
        const own = before ? returnedIn([before]).message : {};
        return [{ ...own, type: "message", role, content: [{ type, text: block.text.toWellFormed() }] }];
      }
      case "tool_use": {
        const { id: call_id, name, input } = block;
        const own = returned.ofCall(call_id);
        return [{ ...own, type: "function_call", call_id, name, arguments: argumentsOf(input) }];
      }
      case "tool_result":
        return [{ type: "function_call_output", call_id: block.tool_use_id, output: resultText(block) }];
      default:
        return "item" in block && isObject(block.item) ? [block.item] : [];
    }
  });
}

/** Builds one answer from the events of a stream; `finish` refuses an invalid one. */
export class ResponsesCollector implements Collector {
  #told = noUsage();
  #said = "";
  #isBegun = false;
  readonly #request: ModelRequest;
  readonly #onText: (delta: string) => void;
  /** Complete items by index. */
  readonly #items = new Map<number, Fields>();
  #ended: Fields | undefined;

  constructor(request: ModelRequest, onText: (delta: string) => void = () => {}) {
    this.#request = request;
    this.#onText = onText;
  }

  get usage(): Usage {
    return this.#isBegun ? plausibleUsage(this.#told, this.#request, this.#said) : noUsage();
  }

  add(event: unknown): void {
    this.#isBegun = true;
    const { type, output_index, item, delta, response } = fieldsOf(event);
    switch (type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#said += String(delta);
        this.#onText(String(delta));
        return;
      case "response.function_call_arguments.delta":
        this.#said += String(delta);
        return;
      case "response.output_item.done":
        if (isObject(item)) this.#items.set(Number(output_index), item);
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.failed": {
        this.#ended = fieldsOf(response);
        const { input_tokens, input_tokens_details, output_tokens } = fieldsOf(this.#ended.usage);
        this.#told = readUsage(input_tokens, input_tokens_details, output_tokens);
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
      usage: this.usage,
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
        const fields: Fields = {};
        collect(fields, item);
        const returned = returnedBlock({ message: fields, calls: [] });
        return text.trim() === "" ? [] : [...returned, { type: "text", text }];
      }
      case "function_call": {
        const json = String(item.arguments || "{}");
        const input = parseCallInput(json);
        if (input === undefined && isCut) return [];
        if (typeof item.name !== "string") throw new DamagedReply("a tool call has no name");
        const id = ownCallId(item.call_id, this.#request, place);
        const fields: Fields = {};
        collect(fields, item);
        const returned = returnedBlock({ message: {}, calls: [{ id, fields }] });
        return [...returned, { type: "tool_use", id, name: item.name, input: input ?? json }];
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

// What both share.

/** Builds an answer from a stream. */
interface Collector {
  /** The usage known so far; for a cut answer it is the only record of the cost. */
  readonly usage: Usage;
  add(event: unknown): void;
  finish(): ModelReply;
}

/** A call's input as JSON; an unreadable input is wrapped in an object. */
function argumentsOf(input: unknown): string {
  return JSON.stringify(isObject(input) ? input : { unreadable: input });
}

/** The API has no field for failures, so the text names them. */
function resultText({ content, is_error }: ToolResultBlock): string {
  const text = content.toWellFormed();
  return is_error && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}

/**
 * A call's id is part of other names and must be unique, but some servers restart their numbering in each
 * answer.
 */
export function ownCallId(id: unknown, { messages }: ModelRequest, place: number): string {
  const known = new Set(messages.flatMap(toolCallsOf).map((call) => call.id));
  if (typeof id === "string" && /^[\w-]{1,64}$/.test(id) && !known.has(id)) return id;
  let own = `call_${messages.length}_${place}`;
  while (known.has(own)) own += "_";
  return own;
}
