// Reads the model's responses to Codex in transit, because the app server reports a turn only after its calls
// are answered.
import { z } from "zod";
import { addUsage, noUsage } from "../core/conversation.ts";
import { type ContentBlock, type StopReason, toolCallsOf, type Usage } from "../core/events.ts";
import type { ModelReply } from "../core/ports.ts";

const tokens = z.number().catch(0);
/** Services leave out, or leave empty, what Codex does not need. */
const optional = z.string().nullish().catch(undefined);
const event = z.looseObject({
  type: z.string(),
  item: z
    .looseObject({
      type: z.string(),
      call_id: optional,
      name: optional,
      arguments: optional,
      content: z
        .array(z.looseObject({ text: optional }))
        .nullish()
        .catch(undefined),
    })
    .nullish(),
  response: z
    .looseObject({
      model: optional,
      usage: z
        .looseObject({
          input_tokens: tokens,
          output_tokens: tokens,
          input_tokens_details: z
            .looseObject({ cached_tokens: tokens, cache_write_tokens: tokens })
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/** One per conversation. */
export class ResponseReader {
  /** Ids of all calls so far. */
  readonly calls = new Set<string>();
  #content: ContentBlock[] = [];
  #isCut = false;
  #usage: Usage = noUsage();
  #model = "";

  /**
   * Begins a response and returns what reads its events, each as JSON, and then undefined: it is over. `tell`
   * gets the reply of a turn that ends with calls.
   */
  begin(tell: (reply: ModelReply) => void): (data: string | undefined) => void {
    const content: ContentBlock[] = [];
    this.#content = content;
    this.#isCut = false;
    return (data) => {
      if (this.#content !== content) return;
      if (data === undefined) this.#isCut = true;
      const stop = data === undefined ? undefined : this.#read(data);
      if (stop && toolCallsOf({ role: "assistant", content }).length > 0) tell(this.take(stop));
    };
  }

  /**
   * The turn of a response that was cut. Codex asks for the calls that it has of it, and only goes on when they
   * are answered; one that it does not ask for is lost.
   */
  takeCut(asked: ReadonlyMap<string, unknown>): ModelReply | undefined {
    const calls = toolCallsOf({ role: "assistant", content: this.#content });
    const isTurn = this.#isCut && calls.length > 0 && calls.every(({ id }) => asked.has(id));
    return isTurn ? this.take("tool_use") : undefined;
  }

  /** A turn without calls ends when the program says so. */
  take(stopReason: StopReason = "end_turn"): ModelReply {
    const reply: ModelReply = {
      message: { role: "assistant", content: this.#content },
      ...{ stopReason, usage: this.#usage, model: this.#model },
    };
    this.#content = [];
    this.#usage = noUsage();
    return reply;
  }

  /** The stop reason, if it has calls. */
  #read(data: string): StopReason | undefined {
    const parsed = event.safeParse(parse(data));
    if (!parsed.success) return undefined;
    const { type, item, response } = parsed.data;
    if (type === "response.output_item.done" && item) this.#add(item);
    this.#model = response?.model ?? this.#model;
    if (type !== "response.completed" && type !== "response.incomplete") return undefined;
    const { input_tokens = 0, output_tokens = 0, input_tokens_details: details } = response?.usage ?? {};
    const cacheReadTokens = details?.cached_tokens ?? 0;
    const cacheWriteTokens = details?.cache_write_tokens ?? 0;
    this.#usage = addUsage(this.#usage, {
      ...{
        inputTokens: Math.max(0, input_tokens - cacheReadTokens - cacheWriteTokens),
        outputTokens: output_tokens,
      },
      ...{ cacheReadTokens, cacheWriteTokens },
    });
    return type === "response.completed" ? "tool_use" : "max_tokens";
  }

  #add(item: NonNullable<z.infer<typeof event>["item"]>): void {
    const text = (item.content ?? []).flatMap((part) => part.text ?? []).join("");
    if (item.type === "message" && text !== "") this.#content.push({ type: "text", text });
    const { call_id: id, name } = item;
    if (item.type !== "function_call" || id == null || name == null) return;
    this.calls.add(id);
    this.#content.push({
      type: "tool_use",
      id,
      name: nameFromCodex(name),
      input: parse(item.arguments ?? "") ?? item.arguments ?? "",
    });
  }
}

// Codex reserves names that begin as those of an MCP server's tools do.
const RESERVED = "mcp__";
const [INSTEAD, SHORTER] = ["server__", "srv__"];
/** The API's limit, up to which our names go. */
const MAX_NAME = 64;

/** The name of one of our tools as Codex accepts it. */
export function nameForCodex(name: string): string {
  if (!name.startsWith(RESERVED)) return name;
  const rest = name.slice(RESERVED.length);
  return INSTEAD.length + rest.length > MAX_NAME ? SHORTER + rest : INSTEAD + rest;
}

function nameFromCodex(name: string): string {
  const start = [INSTEAD, SHORTER].find((one) => name.startsWith(one));
  return start === undefined ? name : RESERVED + name.slice(start.length);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
