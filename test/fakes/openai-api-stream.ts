// An answer of the local OpenAI server as its events: of the Responses API, or chunks of Chat Completions.

import { createHash } from "node:crypto";
import type { ApiUsage } from "./messages-api-memory.ts";
import type { Answer } from "./messages-api-script.ts";
import { type AnswerBlock, cut, toAscii } from "./messages-api-stream.ts";

type Item = Record<string, unknown>;
export type Told = { model: string; blocks: AnswerBlock[]; said: Answer; usage: ApiUsage };

/** What the server alone can write: it is checked when the item comes back. */
export function encrypt(thinking: unknown): string {
  return `gAAAA${createHash("sha256").update(`server ${thinking}`).digest("hex")}`;
}

/** Server-sent events of the Responses API. */
export function responsesEvents(told: Told): string[] {
  const { model, blocks, said } = told;
  const stopReason = said.stopReason ?? "";
  const items = blocks.map((block, index) => itemOf(block, index, stopReason));
  const last = items.at(-1);
  if (last?.type === "function_call" && said.cutJson) {
    const text = String(last.arguments);
    last.arguments = text.slice(0, text.length - said.cutJson);
    last.status = "incomplete";
  }
  const response = { id: "resp_1", object: "response", model, status: "in_progress", output: [] };
  const events: Item[] = [
    { type: "response.created", response },
    ...items.flatMap((item, index) => itemEvents(item, index, said)),
  ];
  if (said.streamError !== undefined) {
    const error = { code: said.streamError, message: `${said.streamError} in mid-stream` };
    const failed = { type: "response.failed", response: { ...response, status: "failed", error } };
    return [...events.slice(0, said.errorAfter ?? 1), failed].map(written);
  }
  const cutReason = INCOMPLETE.get(stopReason);
  const status = cutReason === undefined ? "completed" : "incomplete";
  const usage = {
    input_tokens: promptTokens(told.usage),
    input_tokens_details: {
      cached_tokens: told.usage.cache_read_input_tokens,
      cache_write_tokens: told.usage.cache_creation_input_tokens,
    },
    output_tokens: told.usage.output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens(told.usage) + told.usage.output_tokens,
  };
  const incomplete_details = cutReason === undefined ? null : { reason: cutReason };
  const ended = { ...response, status, output: items, usage, incomplete_details, error: null };
  return [...events, { type: `response.${status}`, response: ended }].map(written);
}

const INCOMPLETE = new Map([
  ["max_tokens", "max_output_tokens"],
  ["bored", "boredom"],
]);

function itemOf(block: AnswerBlock, index: number, stopReason: string): Item {
  switch (block.type) {
    case "thinking":
      return {
        ...{ id: `rs_${index}`, type: "reasoning", summary: [] },
        encrypted_content: encrypt(block.thinking),
      };
    case "tool_use":
      return {
        ...{ id: `fc_${index}`, type: "function_call", call_id: block.id, name: block.name },
        ...(typeof block.namespace === "string" ? { namespace: block.namespace } : {}),
        ...{ arguments: JSON.stringify(block.input), status: "completed" },
      };
    default: {
      const part =
        stopReason === "refusal"
          ? { type: "refusal", refusal: block.text }
          : { type: "output_text", text: block.text, annotations: [] };
      return { id: `msg_${index}`, type: "message", role: "assistant", status: "completed", content: [part] };
    }
  }
}

function itemEvents(item: Item, output_index: number, said: Answer): Item[] {
  const size = said.deltaSize ?? 40;
  const added = {
    type: "response.output_item.added",
    output_index,
    item: { ...item, status: "in_progress" },
  };
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "function_call") {
    const deltas = cut(String(item.arguments), size).map((delta) => ({
      ...{ type: "response.function_call_arguments.delta", output_index, delta },
    }));
    return [added, ...deltas, done];
  }
  if (item.type !== "message") return [added, done];
  const [part] = item.content as Item[];
  const kind = part?.type === "refusal" ? "refusal" : "output_text";
  const text = String(part?.refusal ?? part?.text);
  const deltas = cut(text, size).map((delta) => ({ type: `response.${kind}.delta`, output_index, delta }));
  return [added, ...deltas, done];
}

function written(event: Item): string {
  const json = JSON.stringify(event);
  return `event: ${event.type}\ndata: ${json}\n\n`;
}

const FINISH = new Map([
  ["max_tokens", "length"],
  ["refusal", "content_filter"],
  ["bored", "boredom"],
]);

/** Chunks of Chat Completions; `withUsage` as the request asked. */
export function chatEvents({ model, blocks, said, usage }: Told, withUsage: boolean): string[] {
  const size = said.deltaSize ?? 40;
  const chunk = (delta: Item, finish_reason: string | null = null): Item => ({
    ...{ id: "chatcmpl-1", object: "chat.completion.chunk", model },
    choices: [{ index: 0, delta, finish_reason }],
  });
  const calls = blocks.filter(({ type }) => type === "tool_use");
  const deltas = blocks.flatMap((block): Item[] => {
    if (block.type === "text") return cut(String(block.text), size).map((content) => ({ content }));
    if (block.type !== "tool_use") return [{ reasoning_content: block.thinking }];
    return callDeltas(block, calls.indexOf(block), calls.length, said);
  });
  const chunks = [chunk({ role: "assistant", content: "" }), ...deltas.map((delta) => chunk(delta))];
  if (said.streamError !== undefined) {
    const error = {
      type: said.streamError,
      code: said.streamError,
      message: `${said.streamError} in mid-stream`,
    };
    return [...chunks.slice(0, said.errorAfter ?? 1), { error }].map(dataOf);
  }
  const finish = FINISH.get(said.stopReason ?? "") ?? (calls.length > 0 ? "tool_calls" : "stop");
  const counted = {
    prompt_tokens: promptTokens(usage),
    prompt_tokens_details: { cached_tokens: usage.cache_read_input_tokens },
    completion_tokens: usage.output_tokens,
  };
  const told = withUsage ? [{ ...chunk({}), choices: [], usage: counted }] : [];
  return [...[...chunks, chunk({}, finish), ...told].map(dataOf), "data: [DONE]\n\n"];
}

function callDeltas(block: AnswerBlock, index: number, calls: number, said: Answer): Item[] {
  const json = said.asciiJson ? toAscii(JSON.stringify(block.input)) : JSON.stringify(block.input);
  const sent = index === calls - 1 ? json.slice(0, json.length - (said.cutJson ?? 0)) : json;
  const first = { index, id: block.id, type: "function", function: { name: block.name, arguments: "" } };
  const rest = cut(sent, said.deltaSize ?? 40).map((text) => ({ index, function: { arguments: text } }));
  return [first, ...rest].map((call) => ({ tool_calls: [call] }));
}

function dataOf(event: Item): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function promptTokens(usage: ApiUsage): number {
  return usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
}
