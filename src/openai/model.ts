// OpenAI and compatible servers as a Model: the Responses API at OpenAI itself, Chat Completions elsewhere.

import { inspect } from "node:util";
import { APIError } from "openai/core/error";
import { Stream } from "openai/core/streaming";
import type { ModelFailure } from "../core/errors.ts";
import { parseJson, valueAt } from "../core/json.ts";
import {
  type Endpoint,
  type Fault,
  type Pace,
  type Retries,
  requestWithRetries,
  requireAddress,
  requireKey,
  retryOf,
} from "../core/model-request.ts";
import type { Model, ModelReply } from "../core/ports.ts";
import {
  buildChatBody,
  buildResponsesBody,
  ChatCollector,
  FailedResponse,
  ResponsesCollector,
} from "./apis.ts";
import { type Fields, fieldsOf } from "./fields.ts";
import { priceOfOpenAI } from "./prices.ts";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";
/** Maximum tokens of one answer; reasoning counts too. */
const MAX_TOKENS = 32_000;
/** A small machine reads a long prompt slowly, and sends nothing meanwhile. */
const SILENCE_MS = 600_000;

type OpenAIOptions = Retries & {
  /** Empty: no key is sent, which only a user's own server accepts. */
  apiKey: string;
  baseURL?: string;
  /** `auto`: `responses` at OpenAI's own address, `chat` at any other. */
  api?: "auto" | "responses" | "chat";
};

/**
 * A Model over the Responses API or Chat Completions; no request is made yet. After an answer was cut,
 * `onText` receives the next attempt from its beginning. Throws `config-invalid` for an unusable key or
 * address.
 */
export function createOpenAIModel(options: OpenAIOptions): Model {
  const baseURL = requireAddress(
    options.baseURL || DEFAULT_BASE_URL,
    "openai-base-url",
    "http://localhost:11434/v1",
  ).replace(/\/+$/, "");
  const isOwn = new URL(baseURL).hostname === new URL(DEFAULT_BASE_URL).hostname;
  const endpoint: Endpoint = {
    apiKey:
      options.apiKey.trim() === "" && !isOwn
        ? ""
        : requireKey(options.apiKey, "openai-api-key", "the OpenAI Platform"),
    baseURL,
    service: isOwn ? "OpenAI API" : `server at ${new URL(baseURL).host}`,
    hints: OPENAI_HINTS,
  };
  const { api = "auto" } = options;
  const isChat = api === "chat" || (api === "auto" && !isOwn);
  return {
    provider: "openai",
    maxOutputTokens: MAX_TOKENS,
    get atOnce() {
      return options.pace?.atOnce ?? 1;
    },
    priceOf: priceOfOpenAI,
    respond(request, { signal, onText, meter }) {
      const body = isChat ? buildChatBody(request) : buildResponsesBody(request, MAX_TOKENS);
      const path = isChat ? "chat/completions" : "responses";
      return requestWithRetries({
        ...{ silenceMs: SILENCE_MS, ...options, endpoint, model: request.model, signal, meter, readFault },
        inspect: (cause) => inspect(cause, { depth: 8 }),
        random: Math.random,
        attempt() {
          const collector = new (isChat ? ChatCollector : ResponsesCollector)(request, onText);
          const ask = (signal: AbortSignal, heard: () => void) =>
            streamReply(endpoint, path, body, { collector, signal, heard, pace: options.pace });
          return {
            ask,
            get usage() {
              return collector.usage;
            },
          };
        },
      });
    },
  };
}

type Hearing = {
  collector: ChatCollector | ResponsesCollector;
  signal: AbortSignal;
  heard(): void;
  pace: Pace | undefined;
};

async function streamReply(
  { apiKey, baseURL }: Endpoint,
  path: string,
  body: Fields,
  { collector, signal, heard, pace }: Hearing,
): Promise<ModelReply> {
  const controller = new AbortController();
  const response = await fetch(`${baseURL}/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, controller.signal]),
    // Redirects are not followed: data for one host must not reach another.
    redirect: "manual",
  });
  if (!response.ok) {
    const text = await response.text();
    throw APIError.generate(response.status, errorIn(text), text.slice(0, 2000), response.headers);
  }
  const isWhole = response.headers.get("content-type")?.startsWith("application/json") === true;
  const events = isWhole
    ? [await readWhole(response)]
    : Stream.fromSSEResponse<unknown>(response, controller, { logLevel: "off" });
  for await (const event of events) {
    heard();
    collector.add(event);
  }
  const reply = collector.finish();
  pace?.answered(response.headers);
  return reply;
}

/** The answer of a server that does not stream. */
async function readWhole(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  const { error } = fieldsOf(body);
  if (error) throw new FailedResponse(typeof error === "string" ? { message: error } : fieldsOf(error));
  return body;
}

/** Some servers send the error object itself, others only its message. */
function errorIn(text: string): unknown {
  const body = parseJson(text);
  const error = valueAt(body, "error");
  if (error === undefined) return body === undefined ? undefined : { error: body };
  return typeof error === "string" ? { error: { message: error } } : body;
}

function readFault(thrown: unknown): Fault | undefined {
  if (thrown instanceof FailedResponse) return readFailedResponse(thrown.code, thrown.message);
  return thrown instanceof APIError ? readOpenAIError(thrown, Date.now()) : undefined;
}

// Classifies failures of OpenAI and compatible servers by status, code and wording.

/** What to do about each failure. */
const OPENAI_HINTS: Record<ModelFailure, string> = {
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
function readOpenAIError(error: APIError, now: number): Fault {
  const { status, headers } = error;
  const text = saidIn(error.error) ?? error.message;
  const kind = classify(
    status,
    [error.code, error.type].filter((code) => typeof code === "string"),
    text,
  );
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
function readFailedResponse(code: string, text: string): Fault {
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
  const message = valueAt(body, "message");
  return typeof message === "string" ? message : undefined;
}
