// The model behind `provider: anthropic`: requests, retries, prices.
import { inspect } from "node:util";
import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import type { APIPromise } from "@anthropic-ai/sdk/core/api-promise";
import { APIConnectionError, APIError } from "@anthropic-ai/sdk/core/error";
import type { Stream } from "@anthropic-ai/sdk/core/streaming";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type {
  MessageBatch,
  MessageBatchIndividualResponse,
} from "@anthropic-ai/sdk/resources/messages/batches";
import type {
  Message as ApiMessage,
  MessageCreateParamsNonStreaming,
  MessageParam,
  OutputConfig,
  RawMessageStreamEvent,
  Tool,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { LoopliaError, quietly } from "../core/errors.ts";
import type { ContentBlock, Message } from "../core/events.ts";
import {
  DamagedReply,
  type Endpoint,
  type Fault,
  type Pace,
  type Retries,
  readNetworkError,
  requestWithRetries,
  requireAddress,
  requireKey,
  retried,
  type Tries,
} from "../core/model-request.ts";
import type { Batch, BatchService, Model, ModelReply, ModelRequest } from "../core/ports.ts";
import { priceOf } from "./prices.ts";
import { HINTS, ReplyCollector, readApiError } from "./stream.ts";

const CACHED = { cache_control: { type: "ephemeral" } } as const;

/**
 * The body of a streaming request. Marks at most three cache breakpoints: after tools and system, at the end
 * of the previous request (a turn may add more blocks than the cache looks back over), and at the end.
 */
function buildBody(request: ModelRequest, maxTokens: number): MessageCreateParamsNonStreaming {
  const { system, tools } = request.prefix;
  return {
    model: request.model,
    max_tokens: maxTokens,
    ...thinkingOf(request),
    ...outputOf(request),
    ...(system === "" ? {} : { system: [{ type: "text", text: system, ...CACHED }] }),
    ...(tools.length === 0 ? {} : { tools: buildTools(request.prefix.tools, system === "") }),
    messages: buildMessages(request.messages),
  };
}

/** Models that choose the length of their thinking; the others reject the parameter. */
function canThink(model: string): boolean {
  return /^claude-(?:opus|sonnet|fable|mythos)-(?:4-[6-9]|[5-9])/.test(model);
}

function thinkingOf({ effort, model }: ModelRequest) {
  return effort === undefined || !canThink(model) ? {} : { thinking: { type: "adaptive" as const } };
}

/** The model's effort, and the schema that its answer must match. */
function outputOf({ effort, model, prefix }: ModelRequest): { output_config?: OutputConfig } {
  const schema = prefix.answer && supportedSchema(prefix.answer);
  const output_config: OutputConfig = {
    ...(effort === undefined || !canThink(model) ? {} : { effort }),
    ...(schema === undefined ? {} : { format: { type: "json_schema", schema } }),
  };
  return Object.keys(output_config).length === 0 ? {} : { output_config };
}

/** The API knows a part of JSON Schema. Undefined: then only the message says what the answer looks like. */
function supportedSchema(schema: Record<string, unknown>): Record<string, unknown> | undefined {
  return quietly(() => transformJSONSchema(schema as Parameters<typeof transformJSONSchema>[0]));
}

function buildTools(tools: ModelRequest["prefix"]["tools"], markLast: boolean): Tool[] {
  return tools.map(({ name, description, inputSchema }, index) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: "object" },
    ...(markLast && index === tools.length - 1 ? CACHED : {}),
  }));
}

function buildMessages(messages: readonly Message[]): MessageParam[] {
  const lastAnswer = messages.findLastIndex((message) => message.role === "assistant");
  const marked = new Set([lastAnswer - 1, messages.length - 1]);
  // The blocks are the API's own, including unknown kinds: only the session's narrower type must be widened.
  return messages.map((message, index) => {
    const sent = withWellFormedText(message);
    return marked.has(index) ? withCacheMark(sent) : sent;
  }) as unknown as MessageParam[];
}

/** A copy whose last markable block has a cache mark; thinking blocks can't have one. */
function withCacheMark(message: Message): Message {
  const place = message.content.findLastIndex((block) => MARKABLE.has(block.type));
  if (place < 0) return message;
  const content = message.content.map((block, index) => (index === place ? { ...block, ...CACHED } : block));
  return { ...message, content };
}

const MARKABLE: ReadonlySet<string> = new Set(["text", "tool_use", "tool_result"]);

/** The API refuses a body with a lone surrogate, and the session could never continue. */
function withWellFormedText(message: Message): Message {
  if (message.content.every((block) => wellFormed(block) === block)) return message;
  return { ...message, content: message.content.map(wellFormed) };
}

function wellFormed(block: ContentBlock): ContentBlock {
  if (block.type === "text" && !block.text.isWellFormed()) {
    return { ...block, text: block.text.toWellFormed() };
  }
  if (block.type === "tool_result" && !block.content.isWellFormed()) {
    return { ...block, content: block.content.toWellFormed() };
  }
  return block;
}

// The used part of the SDK. Bundlers omit the rest, which is most of it and would be read at each start.

/** Like `messages.create` of the whole SDK, but without its code for batches, helpers and parsing. */
function streamMessage(
  client: BaseAnthropic,
  body: MessageCreateParamsNonStreaming,
  { signal }: { signal: AbortSignal },
): APIPromise<Stream<RawMessageStreamEvent>> {
  return client.post("/v1/messages", { body: { ...body, stream: true }, signal, stream: true });
}

// The Messages API as a Model, through the official SDK, with one retry loop for refused requests and cut
// streams.

const DEFAULT_BASE_URL = "https://api.anthropic.com";
/** Below the limit of every model in the price list; thinking counts too. */
const DEFAULT_MAX_TOKENS = 32_000;
export type AnthropicOptions = Retries & {
  apiKey: string;
  baseURL?: string;
  /** Maximum tokens of one answer. */
  maxTokens?: number;
  headers?: Record<string, string>;
};

/**
 * A Model over the Messages API; no request is made yet. After an answer was cut, `onText` receives the next
 * attempt from its beginning; the cost of the cut answer is counted in the reply's usage. Throws
 * `config-invalid` for an unusable key or address.
 */
export function createAnthropicModel(options: AnthropicOptions): Model {
  const endpoint: Endpoint = {
    apiKey: requireKey(options.apiKey, "anthropic-api-key", "the Anthropic Console"),
    baseURL: requireAddress(options.baseURL || DEFAULT_BASE_URL, "anthropic-base-url", DEFAULT_BASE_URL),
    service: "Anthropic API",
    hints: HINTS,
  };
  const client = async () => createClient(endpoint, options.headers);
  return modelOver(endpoint, client, { ...options, priceOf, hasBatches: true });
}

type ModelOptions = Retries & Pick<Model, "priceOf"> & { maxTokens?: number; hasBatches?: true };

/** A Model over any Messages API; `connect` is called once, for the first request. */
export function modelOver(
  endpoint: Endpoint,
  connect: () => Promise<BaseAnthropic>,
  { maxTokens = DEFAULT_MAX_TOKENS, ...options }: ModelOptions,
): Model {
  let client: Promise<BaseAnthropic> | undefined;
  const connected = () => {
    client ??= connect();
    return client;
  };
  const triesOf = (model: string, signal: AbortSignal): Tries => ({
    ...{ ...options, endpoint, model, signal, readFault },
    inspect: (cause) => inspect(cause, { depth: 8 }),
    random: Math.random,
  });
  const batches = createBatches({
    connect: connected,
    bodyOf: (request) => buildBody(request, maxTokens),
    triesOf: (signal) => triesOf("a batch", signal),
  });
  return {
    provider: "anthropic",
    maxOutputTokens: maxTokens,
    get atOnce() {
      return options.pace?.atOnce ?? 1;
    },
    priceOf: options.priceOf,
    ...(options.hasBatches ? { batches } : {}),
    async respond(request, asked) {
      const known = await connected();
      const body = buildBody(request, maxTokens);
      return requestWithRetries({
        ...triesOf(request.model, asked.signal),
        meter: asked.meter,
        attempt() {
          const collector = new ReplyCollector(asked.onText);
          const ask = (signal: AbortSignal, heard: () => void) =>
            streamReply(known, body, collector, { signal, heard, pace: options.pace });
          return { ask, usage: collector.usage };
        },
      });
    },
  };
}

async function streamReply(
  client: BaseAnthropic,
  body: ReturnType<typeof buildBody>,
  collector: ReplyCollector,
  { signal, heard, pace }: { signal: AbortSignal; heard(): void; pace: Pace | undefined },
): Promise<ModelReply> {
  const { data: events, response } = await streamMessage(client, body, { signal }).withResponse();
  for await (const event of events) {
    heard();
    collector.add(event);
  }
  const reply = collector.finish();
  pace?.answered(response.headers);
  return reply;
}

/** For every client: it writes no logs, and the program decides when to retry. */
export const CLIENT_OPTIONS = {
  webhookKey: null,
  maxRetries: 0,
  // Silence, not total time, ends a request.
  timeout: 3_600_000,
  logLevel: "off",
  openTelemetry: false,
  // Redirects are not followed: data for one host must not reach another.
  fetchOptions: { redirect: "manual" },
} as const;

/**
 * Key and address never come from the environment. The client writes nothing: standard output is for data.
 */
function createClient(
  { apiKey, baseURL }: Endpoint,
  headers: Record<string, string> | undefined,
): BaseAnthropic {
  return new BaseAnthropic({
    ...{ apiKey, baseURL },
    ...CLIENT_OPTIONS,
    ...(headers ? { defaultHeaders: headers } : {}),
  });
}

function readFault(thrown: unknown): Fault | undefined {
  if (thrown instanceof APIConnectionError) return readCredentialsError(thrown) ?? readNetworkError(thrown);
  return thrown instanceof APIError ? readApiError(thrown, Date.now()) : undefined;
}

/** Clouds' SDKs report missing credentials as plain errors; waiting does not help. */
function readCredentialsError({ message, cause }: APIConnectionError): Fault | undefined {
  if (!/^Failed to (?:acquire|resolve) .*credentials/.test(message)) return undefined;
  const why = cause instanceof Error ? ` ${cause.message}` : "";
  return { kind: "bad-key", text: `${message}${why}`, mayRetry: false };
}

// The Message Batches API: many requests at half price, answered within a day.

const PATH = "/v1/messages/batches";
const PAGE = 100;

type Calls = {
  connect(): Promise<BaseAnthropic>;
  bodyOf(request: ModelRequest): object;
  triesOf(signal: AbortSignal): Tries;
};

/** The batches of the account that the client's key belongs to. */
function createBatches({ connect, bodyOf, triesOf }: Calls): BatchService {
  const read = <T>(signal: AbortSignal, ask: (client: BaseAnthropic) => Promise<T>) =>
    retried(triesOf(signal), async () => ask(await connect()));
  return {
    share: 0.5,
    async send(entries, signal) {
      const requests = entries.map(({ customId, request }) => ({
        custom_id: customId,
        params: bodyOf(request),
      }));
      const tries = triesOf(signal);
      // After any failure but a refusal the batch may exist: whoever sends looks for it before it is sent again.
      const readFault = (thrown: unknown) => {
        const fault = tries.readFault(thrown);
        return fault && { ...fault, mayRetry: fault.mayRetry && isRefusal(fault) };
      };
      const create = async () => (await connect()).post<MessageBatch>(PATH, { body: { requests }, signal });
      return (await retried({ ...tries, readFault }, create)).id;
    },
    list: (since, signal) => read(signal, (client) => listSince(client, since, signal)),
    find: (id, signal) =>
      read(signal, async (client) => {
        const found = client.get<MessageBatch>(`${PATH}/${encodeURIComponent(id)}`, { signal });
        const batch = await found.catch((error: { status?: unknown }) => {
          if (error.status === 404) return undefined;
          throw error;
        });
        return batch === undefined || batch.archived_at ? undefined : toBatch(batch);
      }),
    async *results(id, signal) {
      // Not `results_url`: the key goes to no other host.
      const path = `${PATH}/${encodeURIComponent(id)}/results`;
      const response = await read(signal, (client) => client.get(path, { signal }).asResponse());
      const lines = linesOf(response);
      for (;;) {
        // A cut connection is not tried again: the next run reads the results from their beginning.
        const next = await retried({ ...triesOf(signal), maxRetries: 0 }, () => lines.next());
        if (next.done) return;
        yield readResult(next.value);
      }
    },
  };
}

function isRefusal({ kind, status }: Fault): boolean {
  return status !== undefined && (kind === "rate-limit" || kind === "overloaded");
}

function readResult(line: string): { customId: string; reply?: ModelReply } {
  const { custom_id: customId, result } = JSON.parse(line) as MessageBatchIndividualResponse;
  const reply = result.type === "succeeded" ? toReply(result.message) : undefined;
  return { customId, ...(reply === undefined ? {} : { reply }) };
}

/** The service lists the newest first. */
async function listSince(client: BaseAnthropic, since: Date, signal: AbortSignal): Promise<Batch[]> {
  const found: Batch[] = [];
  for (let after = ""; ; ) {
    const query = { limit: PAGE, ...(after === "" ? {} : { after_id: after }) };
    const page = await client.get<{ data: MessageBatch[]; has_more: boolean; last_id: string | null }>(PATH, {
      query,
      signal,
    });
    const batches = page.data.map(toBatch);
    const late = batches.filter(({ createdAt }) => new Date(createdAt) >= since);
    found.push(...late);
    if (!page.has_more || !page.last_id || late.length < batches.length) return found;
    after = page.last_id;
  }
}

function toBatch({ id, processing_status, request_counts, created_at }: MessageBatch): Batch {
  const count = Object.values(request_counts).reduce((sum, one) => sum + one, 0);
  return { id, isEnded: processing_status === "ended", count, createdAt: created_at };
}

/** Read like a stream, so that both kinds of answers are checked alike; undefined for an unusable answer. */
function toReply(message: ApiMessage): ModelReply | undefined {
  const collector = new ReplyCollector();
  const { content, stop_reason, usage } = message;
  try {
    collector.add({ type: "message_start", message });
    for (const [index, block] of content.entries()) {
      collector.add({ type: "content_block_start", index, content_block: block as never });
    }
    const delta = { stop_reason, stop_sequence: null, container: null, stop_details: null };
    collector.add({ type: "message_delta", delta, usage: usage as never });
    return collector.finish();
  } catch (error) {
    if (error instanceof DamagedReply || error instanceof LoopliaError) return undefined;
    throw error;
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<string, void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}
