// The Messages API as a Model, through the official SDK. One retry loop for refused requests and cut streams alike.
import { setTimeout as sleep } from "node:timers/promises";
import { APIConnectionError, APIError } from "@anthropic-ai/sdk/core/error";
import { LoopliaError } from "../errors.ts";
import type { Model, ModelReply } from "../ports.ts";
import { addUsage, noUsage } from "../session/conversation.ts";
import {
  type Endpoint,
  type Fault,
  readApiError,
  readNetworkError,
  toModelFailure,
} from "./anthropic-errors.ts";
import { buildBody } from "./anthropic-request.ts";
import { MessagesClient } from "./anthropic-sdk.ts";
import { DamagedReply, ReplyCollector } from "./anthropic-stream.ts";
import { priceOf } from "./prices.ts";

export const DEFAULT_ANTHROPIC_MODEL = "claude-sonnet-5-5";

const DEFAULT_BASE_URL = "https://api.anthropic.com";
/** Below what every model of the price list may answer with; thinking counts too. */
const DEFAULT_MAX_TOKENS = 32_000;
/** A longer wait is the run's to decide on: another model, or stopping. */
const LONGEST_WAIT_MS = 60_000;
const LONGEST_BACK_OFF_MS = 8_000;

export type AnthropicOptions = {
  apiKey: string;
  baseURL?: string;
  /** Tokens of one answer. */
  maxTokens?: number;
  headers?: Record<string, string>;
  /** Further attempts after the first, whatever failed. */
  maxRetries?: number;
  /** The first wait where the server names none; it doubles. */
  backOffMs?: number;
};

type Options = Parameters<Model["respond"]>[1];

/**
 * A Model over the Messages API; no request is made yet. After an answer was cut, `onText` hears the next attempt from its beginning; what the cut one cost is counted in the reply's usage.
 * Throws `config-invalid` for a key or an address that can't be used.
 */
export function createAnthropicModel(options: AnthropicOptions): Model {
  const apiKey = requireKey(options.apiKey);
  const { maxRetries = 2, backOffMs = 500, maxTokens = DEFAULT_MAX_TOKENS } = options;
  const endpoint = { apiKey, baseURL: requireAddress(options.baseURL || DEFAULT_BASE_URL) };
  let client: MessagesClient | undefined;
  return {
    provider: "anthropic",
    priceOf,
    async respond(request, asked) {
      client ??= createClient(endpoint, options.headers);
      const body = buildBody(request, maxTokens);
      let spent = noUsage();
      for (let attempt = 1; ; attempt += 1) {
        throwIfAborted(asked.signal);
        const collector = new ReplyCollector(asked.onText);
        try {
          const reply = await streamReply(client, body, collector, asked);
          return { ...reply, usage: addUsage(spent, reply.usage) };
        } catch (thrown) {
          throwIfAborted(asked.signal);
          const fault = readFault(thrown);
          const wait = fault.waitMs ?? Math.min(backOffMs * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
          if (!fault.mayRetry || attempt > maxRetries || wait > LONGEST_WAIT_MS) {
            throw toModelFailure(fault, { endpoint, model: request.model, attempts: attempt, cause: thrown });
          }
          spent = addUsage(spent, collector.usage);
          await pause(wait, asked.signal);
        }
      }
    },
  };
}

async function streamReply(
  client: MessagesClient,
  body: ReturnType<typeof buildBody>,
  collector: ReplyCollector,
  { signal }: Options,
): Promise<ModelReply> {
  const events = await client.streamMessage(body, { signal });
  for await (const event of events) collector.add(event);
  return collector.finish();
}

/** Key and address never come from the environment, and the client writes nothing: standard output is for data. */
function createClient(endpoint: Endpoint, headers: Record<string, string> | undefined): MessagesClient {
  return new MessagesClient({
    ...endpoint,
    webhookKey: null,
    maxRetries: 0,
    logLevel: "off",
    openTelemetry: false,
    // What is said to one host is for no other.
    fetchOptions: { redirect: "manual" },
    ...(headers ? { defaultHeaders: headers } : {}),
  });
}

function readFault(thrown: unknown): Fault {
  if (thrown instanceof LoopliaError) throw thrown;
  if (thrown instanceof APIConnectionError) return readNetworkError(thrown);
  if (thrown instanceof APIError) return readApiError(thrown, Date.now());
  if (thrown instanceof DamagedReply || isCutConnection(thrown)) return readNetworkError(thrown);
  throw thrown;
}

/** How fetch and the SDK's parser tell of a connection lost in mid-stream; any other error is a bug. */
function isCutConnection(thrown: unknown): thrown is Error {
  if (thrown instanceof SyntaxError) return true;
  return thrown instanceof TypeError && (thrown.message === "terminated" || thrown.cause instanceof Error);
}

async function pause(wait: number, signal: AbortSignal): Promise<void> {
  // Spread out, so that sessions that were refused together don't come back together.
  await sleep(wait * (1 + Math.random() / 4), undefined, { signal }).catch(() => throwIfAborted(signal));
}

/** Always an AbortError, whatever reason the signal was given. */
function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new DOMException("The model request was aborted.", { name: "AbortError", cause: signal.reason });
}

function requireKey(given: string): string {
  const apiKey = given.trim();
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  const problem = apiKey === "" ? "is empty" : "holds a space, a line break or another character no key has";
  throw new LoopliaError("config-invalid", `anthropic-api-key ${problem}.`, {
    hint: "Copy the key again from the Anthropic Console, as one line.",
  });
}

/** fetch refuses an address with a user name or password, and would repeat them in its message. */
function requireAddress(baseURL: string): string {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (url && isHttp && url.username === "" && url.password === "") return baseURL;
  throw new LoopliaError("config-invalid", "anthropic-base-url is not an http(s) address without a login.", {
    hint: "Write it like https://api.anthropic.com; a gateway's own key goes into anthropic-api-key.",
  });
}
