// Reads the turns of Claude Code: a turn with calls from the model's answer on its way to the program, before the program asks
// about the calls; everything else from its output (`--output-format stream-json`).
import { z } from "zod";
import { addUsage, noUsage } from "../core/conversation.ts";
import { LoopliaError, type ModelFailure } from "../core/errors.ts";
import type { ContentBlock, StopReason, Usage } from "../core/events.ts";
import type { ModelReply } from "../core/ports.ts";
import { RUN_AGAIN } from "./turns.ts";

/** Claude Code's prefix for the tools of our server. */
export const TOOL_PREFIX = "mcp__looplia__";

const tokens = z.number().catch(0);
const apiUsage = z
  .looseObject({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
  })
  .transform(
    (used): Usage => ({
      ...{ inputTokens: used.input_tokens, outputTokens: used.output_tokens },
      ...{
        cacheReadTokens: used.cache_read_input_tokens,
        cacheWriteTokens: used.cache_creation_input_tokens,
      },
    }),
  );
const block = z.looseObject({ type: z.string() });
/** Services leave out what Claude Code does not need. */
const optional = z.string().nullish().catch(undefined);
type Block = z.infer<typeof block>;
const line = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("system"),
    subtype: z.string(),
    status: z.string().nullish(),
    tools: z.array(z.string()).optional(),
    mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string() })).optional(),
  }),
  z.looseObject({
    type: z.literal("assistant"),
    parent_tool_use_id: z.string().nullish(),
    message: z.looseObject({
      id: optional,
      model: optional,
      content: z.array(block),
      stop_reason: z.string().nullish(),
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
  z.looseObject({ type: z.literal("tool_progress") }),
  z.looseObject({ type: z.literal("control_request"), request_id: z.string(), request: z.unknown() }),
]);

type Message = Extract<z.infer<typeof line>, { type: "assistant" }>["message"];

/** An event of the model's answer. */
const apiEvent = z.looseObject({
  type: z.string(),
  index: z.number().nullish(),
  message: z.looseObject({ id: optional, model: optional, usage: apiUsage.nullish() }).nullish(),
  content_block: block.nullish(),
  delta: z.looseObject({ text: optional, partial_json: optional, stop_reason: optional }).nullish(),
  usage: apiUsage.nullish(),
});
type ApiEvent = z.infer<typeof apiEvent>;

/** The model's answer so far. */
type Answer = {
  id: string;
  usage: Usage;
  blocks: { index: number | undefined; block: Block; json: string; text: string; isWhole: boolean }[];
  isOver: boolean;
};

/** The meaning of a line for the reader of turns. `isOver`: the program does nothing more unless it is told to. */
type Heard = { isOver?: true } & (
  | { kind: "started"; tools: string[]; isConnected: boolean }
  | { kind: "turn"; reply: ModelReply }
  | { kind: "asked"; id: string; request: unknown }
  | { kind: "deferred" }
  /** Still for an answer to its question: that would never be silence. */
  | { kind: "waiting" }
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
const stopOf = (reason: string | null | undefined): StopReason =>
  STOPS.has(reason ?? "") ? (reason as StopReason) : "end_turn";

/** What the program says itself where the model did not. */
const NO_MODEL = "<synthetic>";

/**
 * Collects the model's output up to its calls or its end. Leaves out reasoning, which only fits the program's
 * own history. Throws `model-failed` for a line that is not JSON.
 */
export class TurnReader {
  #content: { messageId: string; block: ContentBlock }[] = [];
  #usage: Usage = noUsage();
  #model = "";
  /** The last answer that was a turn before the program printed it. */
  #taken: string | undefined;
  /** The last answer that the model refused to complete: its calls do not run. */
  #refused: string | undefined;
  /** The program has its conversation summed up, with the same tools, and refuses every call. */
  #isCompacting = false;

  /** All calls so far, by id. */
  readonly calls = new Map<string, { name: string; input: unknown }>();
  /** Those that the program has printed, so that its file has them. */
  readonly printed = new Set<string>();

  /** Reads a line of the program. */
  read(text: string): Heard | undefined {
    const parsed = line.safeParse(parseLine(text));
    if (!parsed.success) return undefined;
    const said = parsed.data;
    switch (said.type) {
      case "system": {
        if (said.subtype === "status") this.#isCompacting = said.status === "compacting";
        if (said.subtype !== "init") return undefined;
        const ours = said.mcp_servers?.find(({ name }) => name === "looplia");
        return { kind: "started", tools: said.tools ?? [], isConnected: ours?.status === "connected" };
      }
      case "assistant":
        return said.parent_tool_use_id ? undefined : this.#readMessage(said.message);
      case "result":
        return { ...this.#readResult(said), isOver: true };
      case "tool_progress":
        return { kind: "waiting" };
      case "control_request":
        return { kind: "asked", id: said.request_id, request: said.request };
    }
  }

  /**
   * Begins an answer of the model, and returns what reads its events, each as JSON. Only an answer with calls is
   * a turn: another may be continued by the program, or be none of the conversation.
   */
  begin(tell: {
    text(delta: string): void;
    turn(reply: ModelReply): void;
  }): (data: string | undefined) => void {
    const answer: Answer = { id: "", usage: noUsage(), blocks: [], isOver: false };
    return (data) => {
      const parsed = apiEvent.safeParse(parse(data ?? ""));
      if (!parsed.success) return;
      const { type, delta } = parsed.data;
      this.#readEvent(parsed.data, answer);
      if (delta?.text && !this.#isCompacting) tell.text(delta.text);
      // The program runs the calls of an answer that ends without a reason, too.
      const reason = type === "message_stop" ? "tool_use" : delta?.stop_reason;
      if (!reason || answer.isOver || this.#isCompacting) return;
      answer.isOver = true;
      const stop = stopOf(reason);
      if (stop !== "tool_use") answer.blocks = answer.blocks.filter(({ isWhole }) => isWhole);
      if (answer.blocks.every(({ block }) => block.type !== "tool_use")) return;
      if (stop === "refusal") this.#refuse(answer);
      else tell.turn(this.#takeAnswer(answer, stop));
    };
  }

  #readResult(said: Extract<z.infer<typeof line>, { type: "result" }>): Heard {
    if (said.stop_reason === "tool_deferred") return { kind: "deferred" };
    if (said.is_error) return { kind: "failed", error: failureOf(said) };
    return { kind: "turn", reply: this.#take(stopOf(said.stop_reason)) };
  }

  #readMessage({ id, model, content, stop_reason }: Message): Heard | undefined {
    if (model === NO_MODEL) {
      // The connection was lost, and the program runs those calls that it has.
      const isCut =
        stop_reason === "tool_use" && this.#content.some(({ block }) => block.type === "tool_use");
      return isCut ? { kind: "turn", reply: this.#take("tool_use") } : undefined;
    }
    this.#model = model ?? this.#model;
    for (const one of content) {
      if (typeof one.id === "string") this.printed.add(one.id);
      if ((id ?? "") !== this.#taken) this.#add(one, id ?? "");
    }
    return undefined;
  }

  #add(one: Block, messageId: string): void {
    if (one.type === "text" && typeof one.text === "string") {
      this.#content.push({ messageId, block: { type: "text", text: one.text } });
    }
    if (one.type !== "tool_use" || typeof one.id !== "string" || typeof one.name !== "string") return;
    if (messageId === this.#refused) return;
    const name = one.name.startsWith(TOOL_PREFIX) ? one.name.slice(TOOL_PREFIX.length) : one.name;
    this.calls.set(one.id, { name: one.name, input: one.input });
    this.#content.push({ messageId, block: { type: "tool_use", id: one.id, name, input: one.input } });
  }

  #readEvent({ type, index, message, content_block, delta, usage }: ApiEvent, answer: Answer): void {
    if (type === "message_start" && message) {
      answer.id = message.id ?? "";
      this.#model = message.model ?? this.#model;
      // Not every service gives each answer an id of its own.
      if (answer.id === this.#taken) this.#taken = undefined;
      if (answer.id === this.#refused) this.#refused = undefined;
    }
    const used = message?.usage ?? usage;
    if (used) this.#count(answer, used);
    const empty = { json: "", text: "", isWhole: false };
    if (content_block) answer.blocks.push({ index: index ?? undefined, block: content_block, ...empty });
    const open = answer.blocks.findLast((one) => index == null || one.index === index);
    if (!open) return;
    open.text += delta?.text ?? "";
    open.json += delta?.partial_json ?? "";
    if (type === "content_block_stop") open.isWhole = true;
  }

  /** Each usage in an answer is that of the answer so far. */
  #count(answer: Answer, usage: Usage): void {
    const grown = (count: keyof Usage) => Math.max(0, usage[count] - answer.usage[count]);
    const more = {
      ...{ inputTokens: grown("inputTokens"), outputTokens: grown("outputTokens") },
      ...{ cacheReadTokens: grown("cacheReadTokens"), cacheWriteTokens: grown("cacheWriteTokens") },
    };
    answer.usage = addUsage(answer.usage, more);
    this.#usage = addUsage(this.#usage, more);
  }

  /** The program tells the model that its calls were not run. */
  #refuse({ id, blocks }: Answer): void {
    this.#refused = id;
    this.#content = this.#content.filter(
      ({ messageId, block }) => messageId !== id || block.type !== "tool_use",
    );
    for (const { block } of blocks) this.calls.delete(String(block.id));
  }

  /** What the program printed of this answer is in the answer too. */
  #takeAnswer({ id, blocks }: Answer, stop: StopReason): ModelReply {
    this.#taken = id;
    this.#content = this.#content.filter(({ messageId }) => messageId !== id);
    for (const { block, json, text } of blocks) {
      if (block.type === "text") this.#add({ ...block, text: String(block.text ?? "") + text }, id);
      else this.#add({ ...block, input: json === "" ? {} : (parse(json) ?? json) }, id);
    }
    return this.#take(stop);
  }

  /** The program itself continues a truncated answer, so only the last stop reason counts. */
  #take(stopReason: StopReason): ModelReply {
    const reply: ModelReply = {
      message: { role: "assistant", content: this.#content.map(({ block }) => block) },
      ...{ stopReason, usage: this.#usage, model: this.#model },
    };
    this.#content = [];
    this.#usage = noUsage();
    return reply;
  }
}

/** Undefined for what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseLine(text: string): unknown {
  const said = parse(text);
  if (said !== undefined) return said;
  throw failed(`printed something other than JSON: ${JSON.stringify(text.slice(0, 200))}`, "unavailable");
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
