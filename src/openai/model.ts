// OpenAI and compatible servers as a Model: the Responses API at OpenAI itself, Chat Completions elsewhere.

import { inspect } from "node:util";
import { APIError } from "openai/core/error";
import { Stream } from "openai/core/streaming";
import {
  type Endpoint,
  type Fault,
  type Pace,
  type Retries,
  requestWithRetries,
  requireAddress,
  requireKey,
} from "../core/model-request.ts";
import type { Model, ModelReply } from "../core/ports.ts";
import { buildChatBody, ChatCollector } from "./chat.ts";
import { OPENAI_HINTS, readFailedResponse, readOpenAIError } from "./faults.ts";
import { priceOfOpenAI } from "./prices.ts";
import { buildResponsesBody, FailedResponse, ResponsesCollector } from "./responses.ts";
import { type Collector, type Fields, fieldsOf } from "./wire.ts";

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
        ...{ silenceMs: SILENCE_MS, ...options, endpoint, model: request.model, signal, readFault },
        inspect: (cause) => inspect(cause, { depth: 8 }),
        random: Math.random,
        attempt() {
          const collector = new (isChat ? ChatCollector : ResponsesCollector)(request, onText);
          const ask = (signal: AbortSignal, heard: () => void) =>
            streamReply(endpoint, path, body, { collector, signal, heard, pace: options.pace });
          return { ask, usage: collector.usage };
        },
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
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null || !("error" in body)) return { error: body };
    return typeof body.error === "string" ? { error: { message: body.error } } : body;
  } catch {
    return undefined;
  }
}

function readFault(thrown: unknown): Fault | undefined {
  if (thrown instanceof FailedResponse) return readFailedResponse(thrown.code, thrown.message);
  return thrown instanceof APIError ? readOpenAIError(thrown, Date.now()) : undefined;
}
