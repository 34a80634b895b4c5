// Classifies failures of OpenAI and compatible servers by status, code and wording.

import type { APIError } from "openai/core/error";
import type { ModelFailure } from "../core/errors.ts";
import { type Fault, retryOf } from "../core/model-request.ts";

/** What to do about each failure. */
export const OPENAI_HINTS: Record<ModelFailure, string> = {
  "bad-key": "Check openai-api-key (OPENAI_API_KEY): is it complete, from this project, and not revoked?",
  "no-credit": "Add credit or raise the budget in the OpenAI Platform (Billing), then run again.",
  "rate-limit": "Wait and run again, lower `concurrency`, or set `fallback-model`.",
  overloaded: "Run again later, or set `fallback-model`.",
  "context-too-long":
    "Give the agent less to read at once, split the work, or use a model with a larger window.",
  network: "Check the connection, a proxy and openai-base-url, then run again: nothing done is lost.",
  "bad-request":
    "Check `openai-api` and `tool-calls` where the server is not OpenAI's own; otherwise run again, and report the problem if it persists.",
  "server-error": "Run again later, or set `fallback-model`: nothing done is lost.",
  unavailable:
    "Check `model`: does it exist, and may this key use it? If so, try later or set `fallback-model`.",
};

/** Classifies a refusal, or an error within a stream. */
export function readOpenAIError(error: APIError, now: number): Fault {
  const { status, headers } = error;
  const text = saidIn(error.error) ?? error.message;
  const kind = classify(status, [error.code, error.type].filter(isText), text);
  const known = { kind, ...(status === undefined ? {} : { status }) };
  const retry = retryOf(known, headers, now);
  const waitMs = retry.waitMs ?? waitIn(kind, text);
  const requestId = error.requestID ?? undefined;
  return {
    ...{ ...known, text },
    ...(requestId === undefined ? {} : { requestId }),
    ...{ ...retry, ...(waitMs === undefined ? {} : { waitMs }) },
  };
}

/** The fault of a response that ended as `failed`. */
export function readFailedResponse(code: string, text: string): Fault {
  const kind = classify(undefined, [code], text);
  return { kind, text: text || code, ...retryOf({ kind }, undefined, 0) };
}

function classify(status: number | undefined, codes: readonly string[], text: string): ModelFailure {
  const says = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (status === 402 || says(/insufficient_quota|billing|credit/)) return "no-credit";
  if (/exceeded your current quota|billing|insufficient (credits|balance)/i.test(text) && status !== 500)
    return "no-credit";
  if (status === 401 || says(/invalid_api_key|^authentication_error$/)) return "bad-key";
  if (status === 413 || says(/context_length_exceeded|exceed_context_size|string_above_max_length/))
    return "context-too-long";
  // vLLM, llama.cpp, LiteLLM and gateways report this only in words.
  if (
    /(context|prompt|input).{0,40}(length|size|window|too long)|maximum context|too many tokens/i.test(text)
  ) {
    if (status === undefined || status === 400 || status === 422) return "context-too-long";
  }
  if (status === 429 || says(/rate_limit/)) return "rate-limit";
  if (status === 503 || status === 529 || says(/overloaded|slow_down/)) return "overloaded";
  if (status === 403 || status === 404 || says(/model_not_found/)) return "unavailable";
  if (status === 408 || status === 409 || (status ?? 0) >= 500) return "server-error";
  if (says(/server_error|timeout|internal|^error$/)) return "server-error";
  // A server that began to answer had accepted the request.
  return status === undefined && codes.length === 0 ? "server-error" : "bad-request";
}

/** `Please try again in 1.5s`: some servers give the wait only here. */
function waitIn(kind: ModelFailure, text: string): number | undefined {
  if (kind !== "rate-limit") return undefined;
  const [, amount, unit] = /try again in (\d+(?:\.\d+)?) ?(ms|s)\b/i.exec(text) ?? [];
  if (amount === undefined) return undefined;
  return Number(amount) * (unit?.toLowerCase() === "ms" ? 1 : 1000);
}

function saidIn(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (typeof body !== "object" || body === null || !("message" in body)) return undefined;
  return typeof body.message === "string" ? body.message : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
