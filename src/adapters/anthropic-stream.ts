// The events of a streamed answer put together again: blocks exactly as they came, of kinds not known here too.
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import { LoopliaError } from "../errors.ts";
import type { ModelReply } from "../ports.ts";
import { noUsage } from "../session/conversation.ts";
import type { ContentBlock, StopReason, Usage } from "../session/message.ts";

const STOP_REASONS: ReadonlySet<string> = new Set<StopReason>([
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
]);
/** A block that was being written when one of these came may be cut. */
const CUTTING: ReadonlySet<string> = new Set(["max_tokens", "refusal", "model_context_window_exceeded"]);

type Draft = { block: Record<string, unknown> & { type: string }; json: string };
type Started = Extract<RawMessageStreamEvent, { type: "message_start" }>["message"];
type Delta = Extract<RawMessageStreamEvent, { type: "content_block_delta" }>["delta"];

/** Why an answer can't be used although every byte was received; asking again may help. */
export class DamagedReply extends Error {}

/** Makes one answer of the events of a stream; what is no answer is refused when it is asked for. */
export class ReplyCollector {
  /** What is known so far; of a cut answer the only trace of what it cost. */
  readonly usage: Usage = noUsage();
  readonly #onText: (delta: string) => void;
  #started: Started | undefined;
  #stopReason: string | null = null;
  /** By index, which only the server vouches for. */
  readonly #drafts = new Map<number, Draft>();

  constructor(onText: (delta: string) => void = () => {}) {
    this.#onText = onText;
  }

  /** Throws DamagedReply for what is no event of the API: a gateway may send anything. */
  add(event: RawMessageStreamEvent): void {
    try {
      this.#take(event);
    } catch (cause) {
      throw new DamagedReply("an event of the answer can't be read", { cause });
    }
  }

  #take(event: RawMessageStreamEvent): void {
    switch (event.type) {
      case "message_start":
        this.#started = event.message;
        this.#count(event.message.usage);
        return;
      case "content_block_start":
        this.#drafts.set(event.index, { block: { ...event.content_block }, json: "" });
        return;
      case "content_block_delta": {
        const draft = this.#drafts.get(event.index);
        if (draft) addDelta(draft, event.delta, this.#onText);
        return;
      }
      case "message_delta":
        this.#stopReason = event.delta.stop_reason;
        this.#count(event.usage);
    }
  }

  /**
   * The whole reply. A tool call that was cut by the end of the answer is left out; no call of an answer that ended so
   * may run. Throws DamagedReply when the stream was cut, and LoopliaError for a stop reason that is not known.
   */
  finish(): ModelReply {
    if (!this.#started || this.#stopReason === null) {
      throw new DamagedReply("the answer broke off before its end");
    }
    const stopReason = this.#stopReason;
    if (!isStopReason(stopReason)) {
      const shown = /^[a-z_]{1,40}$/.test(stopReason) ? `: ${stopReason}` : "";
      throw new LoopliaError("model-failed", `The answer ended for an unknown reason${shown}.`, {
        modelFailure: "bad-request",
        hint: "Use a newer version of looplia-action, or another model.",
      });
    }
    const content = [...this.#drafts.values()].flatMap((draft) =>
      finishBlock(draft, CUTTING.has(stopReason)),
    );
    const message = { role: "assistant" as const, content };
    return { message, stopReason, usage: { ...this.usage }, model: this.#started.model };
  }

  /** Counters are totals so far: a later one replaces an earlier. */
  #count(usage: {
    input_tokens?: number | null;
    output_tokens?: number | null;
    cache_read_input_tokens?: number | null;
    cache_creation_input_tokens?: number | null;
  }): void {
    const known = this.usage;
    known.inputTokens = countOr(known.inputTokens, usage.input_tokens);
    known.outputTokens = countOr(known.outputTokens, usage.output_tokens);
    known.cacheReadTokens = countOr(known.cacheReadTokens, usage.cache_read_input_tokens);
    known.cacheWriteTokens = countOr(known.cacheWriteTokens, usage.cache_creation_input_tokens);
  }
}

function countOr(known: number, told: number | null | undefined): number {
  return Number.isSafeInteger(told) && Number(told) >= 0 ? Number(told) : known;
}

function isStopReason(reason: string): reason is StopReason {
  return STOP_REASONS.has(reason);
}

function addDelta(draft: Draft, delta: Delta, onText: (delta: string) => void): void {
  const { block } = draft;
  switch (delta.type) {
    case "text_delta":
      block.text = `${block.text ?? ""}${delta.text}`;
      onText(delta.text);
      return;
    case "thinking_delta":
      block.thinking = `${block.thinking ?? ""}${delta.thinking}`;
      return;
    case "signature_delta":
      block.signature = delta.signature;
      return;
    case "citations_delta":
      block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
      return;
    case "input_json_delta":
      draft.json += delta.partial_json;
  }
}

function finishBlock(draft: Draft, mayBeCut: boolean): ContentBlock[] {
  const { block, json } = draft;
  // The API says blank text but refuses to hear it again.
  if (block.type === "text" && String(block.text).trim() === "") return [];
  if (json !== "") {
    const input = parseInput(json);
    if (!input && mayBeCut) return [];
    if (!input) throw new DamagedReply(`the input of the tool call ${block.name} is not a JSON object`);
    block.input = input;
  }
  if (!isWhole(block)) throw new DamagedReply("a block of the answer is not as the API describes it");
  return [block as ContentBlock];
}

function isWhole({ type, text, id, name, input }: Draft["block"]): boolean {
  if (type === "text") return typeof text === "string";
  if (type !== "tool_use") return typeof type === "string";
  return typeof id === "string" && typeof name === "string" && typeof input === "object" && input !== null;
}

/** The object in `json`, half surrogate pairs made whole (no request may hold one); undefined when there is none. */
function parseInput(json: string): object | undefined {
  try {
    const escaped = /\\u[dD][89a-fA-F]/.test(json) || !json.isWellFormed();
    const input: unknown = escaped ? JSON.parse(json, repairText) : JSON.parse(json);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? input : undefined;
  } catch {
    return undefined;
  }
}

function repairText(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
