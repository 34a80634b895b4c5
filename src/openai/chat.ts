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
import { parseJson } from "../core/json.ts";
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

/** `id` and `name` are empty until the server sends them. */
type CallDraft = { id: string; name: string; json: string };

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
  readonly usage: Usage = noUsage();
  readonly #request: ModelRequest;
  readonly #onText: (delta: string) => void;
  readonly #calls: CallDraft[] = [];
  readonly #byIndex = new Map<number, CallDraft>();
  #model = "";
  #text = "";
  #isRefusal = false;
  #finish = "";
  #isCounted = false;

  constructor(request: ModelRequest, onText: (delta: string) => void = () => {}) {
    this.#request = request;
    this.#onText = onText;
  }

  add(chunk: unknown): void {
    const { model, choices, usage } = fieldsOf(chunk);
    if (typeof model === "string" && model !== "") this.#model = model;
    if (isFields(usage)) {
      this.#isCounted = true;
      const { prompt_tokens, prompt_tokens_details, completion_tokens } = usage;
      countTokens(this.usage, prompt_tokens, prompt_tokens_details, completion_tokens);
    }
    const choice = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
    const { content, refusal, tool_calls } = fieldsOf(choice.delta ?? choice.message);
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
    const draft = { id: isNamed ? id : "", name, json: "" };
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
    const said = STOP_REASONS.get(this.#finish);
    if (said === undefined) {
      throw new LoopliaError("model-failed", "The answer ended for an unknown reason.", {
        modelFailure: "bad-request",
        hint: "Use a newer version of looplia-action, or another model.",
      });
    }
    const text = this.#text.replace(THOUGHTS, "");
    const content: ContentBlock[] = text.trim() === "" ? [] : [{ type: "text", text }];
    for (const place of this.#calls.keys()) content.push(...this.#callAt(place, said === "max_tokens"));
    const isAsking = said === "end_turn" || said === "tool_use";
    const hasCalls = content.some(({ type }) => type === "tool_use");
    const stopReason = this.#isRefusal ? "refusal" : isAsking ? (hasCalls ? "tool_use" : "end_turn") : said;
    const model = this.#model || this.#request.model;
    if (!this.#isCounted) this.#estimate();
    return { message: { role: "assistant", content }, stopReason, usage: { ...this.usage }, model };
  }

  #callAt(place: number, isCut: boolean): ContentBlock[] {
    const { id, name, json } = this.#calls[place] ?? { id: "", name: "", json: "" };
    const input = parseCallInput(json === "" ? "{}" : json) ?? parseCallInput(String(parseJson(json)));
    if (isCut && (input === undefined || json === "")) return [];
    if (name === "") throw new DamagedReply("a tool call has no name");
    return [{ type: "tool_use", id: ownCallId(id, this.#request, place), name, input: input ?? json }];
  }

  /** A server that counts nothing must not escape the limit of tokens: four characters are about one token. */
  #estimate(): void {
    const { prefix, messages } = this.#request;
    this.usage.inputTokens = Math.ceil(JSON.stringify([prefix, messages]).length / 4);
    const calls = this.#calls.reduce((sum, { json }) => sum + json.length, 0);
    this.usage.outputTokens = Math.ceil((this.#text.length + calls) / 4);
  }
}
