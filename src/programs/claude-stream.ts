// Reads the output of Claude Code (`--output-format stream-json`) as turns.
import { z } from "zod";
import { addUsage, noUsage } from "../core/conversation.ts";
import { LoopliaError, type ModelFailure } from "../core/errors.ts";
import type { ContentBlock, StopReason, Usage } from "../core/events.ts";
import type { ModelReply } from "../core/ports.ts";
import { RUN_AGAIN } from "./turns.ts";

/** Claude Code's prefix for the tools of our server. */
export const TOOL_PREFIX = "mcp__looplia__";

const tokens = z.number().catch(0);
const apiUsage = z.looseObject({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
});
const block = z.looseObject({ type: z.string() });
const line = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("system"),
    subtype: z.string(),
    tools: z.array(z.string()).optional(),
    mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string() })).optional(),
  }),
  z.looseObject({
    type: z.literal("assistant"),
    parent_tool_use_id: z.string().nullish(),
    message: z.looseObject({ model: z.string(), content: z.array(block) }),
  }),
  z.looseObject({
    type: z.literal("stream_event"),
    parent_tool_use_id: z.string().nullish(),
    event: z.looseObject({
      type: z.string(),
      message: z.looseObject({ model: z.string(), usage: apiUsage }).optional(),
      delta: z
        .looseObject({
          type: z.string().optional(),
          text: z.string().optional(),
          stop_reason: z.string().nullish(),
        })
        .optional(),
      usage: z.looseObject({ output_tokens: tokens }).optional(),
    }),
  }),
  z.looseObject({
    type: z.literal("result"),
    is_error: z.boolean(),
    subtype: z.string(),
    stop_reason: z.string().nullish(),
    result: z.string().optional(),
    api_error_status: z.number().nullish(),
  }),
  z.looseObject({ type: z.literal("control_request"), request_id: z.string(), request: z.unknown() }),
]);

/** The meaning of a line for the reader of turns. `isOver`: the program does nothing more unless it is told to. */
type Heard = { isOver?: true } & (
  | { kind: "started"; tools: string[]; isConnected: boolean }
  | { kind: "text"; delta: string }
  | { kind: "turn"; reply: ModelReply }
  | { kind: "asked"; id: string; request: unknown }
  | { kind: "deferred" }
  | { kind: "failed"; error: LoopliaError }
);

const STOPS: ReadonlySet<string> = new Set<StopReason>([
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "refusal",
  "model_context_window_exceeded",
]);
const isStop = (reason: string): reason is StopReason => STOPS.has(reason);

/**
 * Collects the model's output up to its calls or its end. Leaves out reasoning, which only fits the program's
 * own history. Throws `model-failed` for a line that is not JSON.
 */
export class TurnReader {
  #content: ContentBlock[] = [];
  #usage: Usage = noUsage();
  #model = "";
  #stop: StopReason = "end_turn";

  /** The turn's calls so far, by id. */
  readonly calls = new Map<string, { name: string; input: unknown }>();

  read(text: string): Heard | undefined {
    const parsed = line.safeParse(parseLine(text));
    if (!parsed.success) return undefined;
    const said = parsed.data;
    switch (said.type) {
      case "system": {
        if (said.subtype !== "init") return undefined;
        const ours = said.mcp_servers?.find(({ name }) => name === "looplia");
        return { kind: "started", tools: said.tools ?? [], isConnected: ours?.status === "connected" };
      }
      case "assistant":
        if (said.parent_tool_use_id) return undefined;
        this.#model = said.message.model;
        for (const one of said.message.content) this.#add(one);
        return undefined;
      case "stream_event":
        return said.parent_tool_use_id ? undefined : this.#readEvent(said.event);
      case "result":
        return { ...this.#readResult(said), isOver: true };
      case "control_request":
        return { kind: "asked", id: said.request_id, request: said.request };
    }
  }

  #readResult(said: Extract<z.infer<typeof line>, { type: "result" }>): Heard {
    if (said.stop_reason === "tool_deferred") return { kind: "deferred" };
    if (said.is_error) return { kind: "failed", error: failureOf(said) };
    return { kind: "turn", reply: this.#take() };
  }

  #add(one: z.infer<typeof block>): void {
    if (one.type === "text" && typeof one.text === "string") {
      this.#content.push({ type: "text", text: one.text });
    }
    if (one.type !== "tool_use" || typeof one.id !== "string" || typeof one.name !== "string") return;
    const name = one.name.startsWith(TOOL_PREFIX) ? one.name.slice(TOOL_PREFIX.length) : one.name;
    this.calls.set(one.id, { name: one.name, input: one.input });
    this.#content.push({ type: "tool_use", id: one.id, name, input: one.input });
  }

  #readEvent(event: Extract<z.infer<typeof line>, { type: "stream_event" }>["event"]): Heard | undefined {
    const { delta } = event;
    if (event.type === "message_start" && event.message) {
      const { usage, model } = event.message;
      this.#model = model;
      this.#usage = addUsage(this.#usage, {
        ...{ inputTokens: usage.input_tokens, outputTokens: 0 },
        ...{
          cacheReadTokens: usage.cache_read_input_tokens,
          cacheWriteTokens: usage.cache_creation_input_tokens,
        },
      });
    }
    if (event.type === "content_block_delta" && delta?.type === "text_delta" && delta.text !== undefined) {
      return { kind: "text", delta: delta.text };
    }
    if (event.type === "message_delta") {
      const outputTokens = event.usage?.output_tokens ?? 0;
      this.#usage = addUsage(this.#usage, { ...noUsage(), outputTokens });
      if (delta?.stop_reason && isStop(delta.stop_reason)) this.#stop = delta.stop_reason;
    }
    if (event.type === "message_stop" && this.#stop === "tool_use") {
      return { kind: "turn", reply: this.#take() };
    }
    return undefined;
  }

  /** The program itself continues a truncated answer, so only the last stop reason counts. */
  #take(): ModelReply {
    const reply: ModelReply = {
      message: { role: "assistant", content: this.#content },
      ...{ stopReason: this.#stop, usage: this.#usage, model: this.#model },
    };
    this.#content = [];
    this.#usage = noUsage();
    this.#stop = "end_turn";
    return reply;
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failed(`printed something other than JSON: ${JSON.stringify(text.slice(0, 200))}`, "unavailable");
  }
}

function failed(what: string, modelFailure: ModelFailure, hint = RUN_AGAIN): LoopliaError {
  return new LoopliaError("model-failed", `Claude Code ${what}.`, {
    modelFailure,
    hint,
  });
}

function failureOf(said: {
  result?: string | undefined;
  subtype: string;
  api_error_status?: number | null | undefined;
}) {
  const text = (said.result ?? said.subtype).replace(/\.+$/, "").slice(0, 500);
  const status = said.api_error_status ?? undefined;
  const kind = kindOf(status, text);
  const hint = kind === "bad-key" ? "Check ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN." : undefined;
  return failed(`failed: ${text}`, kind, hint);
}

function kindOf(status: number | undefined, text: string): ModelFailure {
  if (status === 401 || /\/login|invalid api key|authentication/i.test(text)) return "bad-key";
  if (status === 402 || /credit balance/i.test(text)) return "no-credit";
  if (status === 429) return "rate-limit";
  if (status === 529 || /overloaded/i.test(text)) return "overloaded";
  if (/prompt is too long|context/i.test(text) && (status === undefined || status === 400 || status === 413))
    return "context-too-long";
  if (status === 400 || status === 413) return "bad-request";
  return "unavailable";
}
