// Collects streamed replies and classifies errors of the Messages API.
import type { APIError } from "@anthropic-ai/sdk";
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import { noUsage } from "../core/conversation.ts";
import { LoopliaError, type ModelFailure } from "../core/errors.ts";
import type { ContentBlock, StopReason, Usage } from "../core/events.ts";
import { countOr, DamagedReply, type Fault, parseCallInput, retryOf } from "../core/model-request.ts";
import type { ModelReply } from "../core/ports.ts";

/** What to do about each failure. */
export const HINTS: Record<ModelFailure, string> = {
  "bad-key":
    "Check anthropic-api-key (ANTHROPIC_API_KEY): is it complete, from this workspace, and not revoked?",
  "no-credit": "Add credit or raise the spend limit in the Anthropic Console (Billing), then run again.",
  "rate-limit": "Wait and run again, lower `concurrency`, or set `fallback-model`.",
  overloaded: "Run again later, or set `fallback-model`.",
  "context-too-long":
    "Give the agent less to read at once, split the work, or use a model with a larger window.",
  network: "Check the connection, a proxy and anthropic-base-url, then run again: nothing done is lost.",
  "bad-request": "Run again; if the problem persists, report it with the request id.",
  "server-error": "Run again later, or set `fallback-model`: nothing done is lost.",
  unavailable:
    "Check `model`: does it exist, and may this key use it? If so, try later or set `fallback-model`.",
};

/** Classifies an error of the SDK. */
export function readApiError(error: APIError, now: number): Fault {
  const { status, type, errorCode } = error;
  const text = error.apiMessage ?? error.message;
  const kind = classify(status, type, errorCode, text);
  const requestId = error.requestID ?? undefined;
  return {
    kind,
    text,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...retryOf({ kind, ...(status === undefined ? {} : { status }) }, error.headers ?? undefined, now),
  };
}

function classify(
  status: number | undefined,
  type: string | null,
  code: string | null,
  text: string,
): ModelFailure {
  if (status === 402 || type === "billing_error" || /spend_limit|billing/.test(code ?? ""))
    return "no-credit";
  if (/credit balance|billing|spend(ing)? limit|usage limits?\b/i.test(text) && status !== 500)
    return "no-credit";
  if (status === 401 || type === "authentication_error") return "bad-key";
  if (status === 413 || type === "request_too_large") return "context-too-long";
  if (/prompt is too long|context (window|limit|length)|too many (input )?tokens/i.test(text)) {
    if (status === 400 || type === "invalid_request_error") return "context-too-long";
  }
  if (status === 429 || type === "rate_limit_error") return "rate-limit";
  if (status === 529 || status === 503 || type === "overloaded_error") return "overloaded";
  if (status === 403 || status === 404 || type === "permission_error" || type === "not_found_error") {
    return "unavailable";
  }
  if (status === 408 || status === 409 || (status ?? 0) >= 500) return "server-error";
  if (type === "api_error" || type === "timeout_error") return "server-error";
  return status === undefined && type === null ? "network" : "bad-request";
}

// Rebuilds an answer from its stream: blocks stay exactly as received, including unknown kinds.

const STOP_REASONS: ReadonlySet<string> = new Set<StopReason>([
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
]);
/** After one of these stop reasons the last block may be incomplete. */
const CUTTING: ReadonlySet<string> = new Set(["max_tokens", "refusal", "model_context_window_exceeded"]);

type Draft = { block: Record<string, unknown> & { type: string }; json: string };
type Started = Extract<RawMessageStreamEvent, { type: "message_start" }>["message"];
type Delta = Extract<RawMessageStreamEvent, { type: "content_block_delta" }>["delta"];

/** Builds one answer from the events of a stream; `finish` refuses an invalid one. */
export class ReplyCollector {
  /** The usage known so far; for a cut answer it is the only record of the cost. */
  readonly usage: Usage = noUsage();
  readonly #onText: (delta: string) => void;
  #started: Started | undefined;
  #stopReason: string | null = null;
  /** By index, which is untrusted server data. */
  readonly #drafts = new Map<number, Draft>();

  constructor(onText: (delta: string) => void = () => {}) {
    this.#onText = onText;
  }

  /** Throws DamagedReply for events that the API does not have: a gateway may send anything. */
  add(event: RawMessageStreamEvent): void {
    try {
      this.#take(event);
    } catch (cause) {
      throw new DamagedReply("an event of the answer can't be parsed", { cause });
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
   * The whole reply. Leaves out a tool call that was cut by the end of the answer; no call of such an answer
   * may run. Throws DamagedReply when the stream was cut, and LoopliaError for an unknown stop reason.
   */
  finish(): ModelReply {
    if (!this.#started || this.#stopReason === null) {
      throw new DamagedReply("the answer was cut off");
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

  /** Counters are totals so far: a later one replaces an earlier one. */
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
  // The API may send blank text but refuses to receive it.
  if (block.type === "text" && String(block.text).trim() === "") return [];
  if (json !== "") {
    const input = parseCallInput(json);
    if (!input && mayBeCut) return [];
    if (!input) throw new DamagedReply(`the input of the tool call ${block.name} is not a JSON object`);
    block.input = input;
  }
  if (!isWhole(block)) throw new DamagedReply("a block of the answer does not match the API's description");
  return [block as ContentBlock];
}

function isWhole({ type, text, id, name, input }: Draft["block"]): boolean {
  if (type === "text") return typeof text === "string";
  if (type !== "tool_use") return typeof type === "string";
  return typeof id === "string" && typeof name === "string" && typeof input === "object" && input !== null;
}
