// Builds Chat Completions requests, which vLLM, Ollama, LiteLLM and llama.cpp also accept, and rebuilds
// answers from chunks.

import { noUsage } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import {
  type ContentBlock,
  type Message,
  messageText,
  type StopReason,
  toolCallsOf,
  type Usage,
} from "../core/events.ts";
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
    const calls = toolCallsOf(message).map(({ id, name, input }) => ({
      ...{ id, type: "function" },
      function: { name, arguments: argumentsOf(input) },
    }));
    if (calls.length === 0 && text === "") return [];
    return [{ role: "assistant", content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
  }
  const results = message.content.flatMap((block): Fields[] =>
    block.type === "tool_result"
      ? [{ role: "tool", tool_call_id: block.tool_use_id, content: resultText(block) }]
      : [],
  );
  return text === "" ? results : [...results, { role: "user", content: text }];
}

type CallDraft = { id: unknown; name: string; json: string };

const STOP_REASONS: ReadonlyMap<unknown, StopReason> = new Map([
  ["stop", "end_turn"],
  ["eos", "end_turn"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["length", "max_tokens"],
  ["content_filter", "refusal"],
]);

/** Builds one answer from the chunks of a stream; `finish` refuses an invalid one. */
export class ChatCollector implements Collector {
  readonly usage: Usage = noUsage();
  readonly #request: ModelRequest;
  readonly #onText: (delta: string) => void;
  readonly #calls = new Map<number, CallDraft>();
  #model = "";
  #text = "";
  #isRefusal = false;
  #finish: unknown;

  constructor(request: ModelRequest, onText: (delta: string) => void = () => {}) {
    this.#request = request;
    this.#onText = onText;
  }

  add(chunk: unknown): void {
    const { model, choices, usage } = fieldsOf(chunk);
    if (typeof model === "string" && model !== "") this.#model = model;
    if (isFields(usage)) {
      const { prompt_tokens, prompt_tokens_details, completion_tokens } = usage;
      countTokens(this.usage, prompt_tokens, prompt_tokens_details, completion_tokens);
    }
    const choice = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
    const { content, refusal, tool_calls } = fieldsOf(choice.delta);
    for (const text of [content, refusal]) {
      if (typeof text !== "string" || text === "") continue;
      this.#text += text;
      this.#onText(text);
    }
    if (typeof refusal === "string" && refusal !== "") this.#isRefusal = true;
    if (Array.isArray(tool_calls)) for (const call of tool_calls) this.#addCall(fieldsOf(call));
    this.#finish = choice.finish_reason ?? this.#finish;
  }

  /** Some servers send a whole call without an index: then a new id begins a new call. */
  #addCall({ index, id, function: said }: Fields): void {
    const { name, arguments: json } = fieldsOf(said);
    const isNew =
      typeof id === "string" && id !== "" && ![...this.#calls.values()].some((call) => call.id === id);
    const last = Math.max(-1, ...this.#calls.keys());
    const place = typeof index === "number" ? index : isNew || last < 0 ? last + 1 : last;
    const draft = this.#calls.get(place) ?? { id, name: "", json: "" };
    if (typeof name === "string" && draft.name === "") draft.name = name;
    if (typeof json === "string") draft.json += json;
    else if (typeof json === "object" && json !== null) draft.json = JSON.stringify(json);
    this.#calls.set(place, draft);
  }

  /**
   * Leaves out a tool call that was cut by the end of the answer. Throws DamagedReply when the stream was
   * cut.
   */
  finish(): ModelReply {
    if (this.#finish === undefined) throw new DamagedReply("the answer was cut off");
    const said = STOP_REASONS.get(this.#finish);
    if (said === undefined) {
      throw new LoopliaError("model-failed", "The answer ended for an unknown reason.", {
        modelFailure: "bad-request",
        hint: "Use a newer version of looplia-action, or another model.",
      });
    }
    const content: ContentBlock[] = this.#text.trim() === "" ? [] : [{ type: "text", text: this.#text }];
    const places = [...this.#calls.keys()].sort((one, other) => one - other);
    for (const place of places) content.push(...this.#callAt(place, said === "max_tokens"));
    const isAsking = said === "end_turn" || said === "tool_use";
    const hasCalls = content.some(({ type }) => type === "tool_use");
    const stopReason = this.#isRefusal ? "refusal" : isAsking ? (hasCalls ? "tool_use" : "end_turn") : said;
    const model = this.#model || this.#request.model;
    return { message: { role: "assistant", content }, stopReason, usage: { ...this.usage }, model };
  }

  #callAt(place: number, isCut: boolean): ContentBlock[] {
    const { id, name, json } = this.#calls.get(place) ?? { id: "", name: "", json: "" };
    const input = parseCallInput(json === "" ? "{}" : json);
    if (isCut && (input === undefined || json === "")) return [];
    if (input === undefined || name === "")
      throw new DamagedReply(`the input of the tool call ${name} is not a JSON object`);
    return [{ type: "tool_use", id: ownCallId(id, this.#request, place), name, input }];
  }
}
