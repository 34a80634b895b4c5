// OpenAI and compatible servers as a Model: the Responses API at OpenAI itself, Chat Completions elsewhere.

import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { APIError } from "openai/core/error";
import { Stream } from "openai/core/streaming";
import { LoopliaError } from "../core/errors.ts";
import {
  askWithin,
  type Endpoint,
  type Fault,
  isCutConnection,
  type Pace,
  type Retries,
  readNetworkError,
  readSilence,
  requestWithRetries,
  requireAddress,
  requireKey,
  SilentServer,
  toModelFailure,
} from "../core/model-request.ts";
import type { Model, ModelReply } from "../core/ports.ts";
import { buildChatBody, ChatCollector } from "./chat.ts";
import { OPENAI_HINTS, readFailedResponse, readOpenAIError } from "./faults.ts";
import { priceOfOpenAI } from "./prices.ts";
import { buildResponsesBody, FailedResponse, ResponsesCollector } from "./responses.ts";
import type { Collector, Fields } from "./wire.ts";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";
/** Maximum tokens of one answer; reasoning counts too. */
const MAX_TOKENS = 32_000;
/** A small machine reads a long prompt slowly, and sends nothing meanwhile. */
const SILENCE_MS = 600_000;

export type OpenAIOptions = Retries & {
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
    respond(request, { signal, onText }) {
      const body = isChat ? buildChatBody(request) : buildResponsesBody(request, MAX_TOKENS);
      const path = isChat ? "chat/completions" : "responses";
      return requestWithRetries({
        ...options,
        signal,
        send() {
          const collector = new (isChat ? ChatCollector : ResponsesCollector)(request, onText);
          const within = { ms: options.silenceMs ?? SILENCE_MS, signal, sleep: pauseAtMost };
          const reply = askWithin(within, (own, heard) =>
            streamReply(endpoint, path, body, { collector, signal: own, heard, pace: options.pace }),
          );
          return { reply, usage: collector.usage };
        },
        readFault,
        fail: (fault, attempts, cause) =>
          toModelFailure(fault, {
            ...{ endpoint, model: request.model, attempts, cause },
            shownCause: inspect(cause, { depth: 8 }),
          }),
        pause: (ms) => pause(ms, signal),
      });
    },
  };
}

type Hearing = { collector: Collector; signal: AbortSignal; heard(): void; pace: Pace | undefined };

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
  const events = Stream.fromSSEResponse<unknown>(response, controller, { logLevel: "off" });
  for await (const event of events) {
    heard();
    collector.add(event);
  }
  const reply = collector.finish();
  pace?.answered(response.headers);
  return reply;
}

/** Some servers send the error object itself, others only its message. */
function errorIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null || !("error" in body)) return { error: body };
    return typeof body.error === "string" ? { error: { message: body.error } } : body;
  } catch {
    return undefined;
  }
}

function readFault(thrown: unknown): Fault {
  if (thrown instanceof LoopliaError) throw thrown;
  if (thrown instanceof SilentServer) return readSilence(thrown);
  if (thrown instanceof FailedResponse) return readFailedResponse(thrown.code, thrown.message);
  if (thrown instanceof APIError) return readOpenAIError(thrown, Date.now());
  if (isCutConnection(thrown)) return readNetworkError(thrown);
  throw thrown;
}

async function pause(wait: number, signal: AbortSignal): Promise<void> {
  // Random delays spread out the retries of sessions that were refused together.
  await sleep(wait * (1 + Math.random() / 4), undefined, { signal }).catch(() => undefined);
}

/** Ends early when the signal is aborted; does not keep the process alive. */
async function pauseAtMost(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
