// The common parts of all models over HTTP: failures, retries and the cost of an answer.

import { addUsage, noUsage } from "./conversation.ts";
import { LoopliaError, type ModelFailure } from "./errors.ts";
import type { Usage } from "./events.ts";
import { isObject } from "./json.ts";
import type { Meter, ModelReply } from "./ports.ts";

/**
 * A failure from the API or the network; `status` is absent for error events in a stream and network errors.
 */
export type Fault = {
  kind: ModelFailure;
  text: string;
  status?: number;
  requestId?: string;
  /** How long the server asks to wait. */
  waitMs?: number;
  mayRetry: boolean;
};

/** The service and its key: for messages, and to keep the key out of them. */
export type Endpoint = {
  apiKey: string;
  baseURL: string;
  /** The service's name in messages, for example `Anthropic API`. */
  service: string;
  hints: Readonly<Record<ModelFailure, string>>;
};

/** All bytes of an answer arrived, but it is unusable; another request may succeed. */
export class DamagedReply extends Error {}

/** The network's own error, its cause first: `fetch failed` alone is uninformative. */
export function readNetworkError(error: Error): Fault {
  const cause = error.cause instanceof Error ? error.cause : error;
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const code = "code" in inner && typeof inner.code === "string" ? inner.code : "";
  const text = inner.message.includes(code) ? inner.message : `${code} ${inner.message}`.trim();
  return { kind: "network", text, mayRetry: true };
}

/** True for the errors of fetch and an SDK's parser when a stream is cut; any other error is a bug. */
function isCutConnection(thrown: unknown): thrown is Error {
  if (thrown instanceof DamagedReply || thrown instanceof SyntaxError) return true;
  return thrown instanceof TypeError && (thrown.message === "terminated" || thrown.cause instanceof Error);
}

/** A server that accepted the request and sends nothing. */
class SilentServer extends Error {}

/** The server may still be working, and a second request would cost as much again. */
function readSilence({ message }: SilentServer): Fault {
  return { kind: "network", text: message, mayRetry: false };
}

type Ask = (signal: AbortSignal, heard: () => void) => Promise<ModelReply>;

/**
 * Runs `ask`. Fails with `SilentServer`, aborting its signal, if `heard` is not called for `ms` (at most
 * twice that).
 */
async function askWithin(ms: number, signal: AbortSignal, ask: Ask): Promise<ModelReply> {
  const silence = new AbortController();
  const over = new AbortController();
  let count = 0;
  const watch = async (): Promise<void> => {
    for (let before = -1; before !== count && !over.signal.aborted; ) {
      before = count;
      await pause(ms, over.signal);
    }
    if (!over.signal.aborted) silence.abort(new SilentServer(`no answer within ${ms / 1000} s`));
  };
  void watch();
  try {
    return await ask(AbortSignal.any([signal, silence.signal]), () => {
      count += 1;
    });
  } catch (thrown) {
    if (silence.signal.aborted && !signal.aborted) throw silence.signal.reason;
    throw thrown;
  } finally {
    over.abort();
  }
}

/** Ends early when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

/** For a refusal with headers: whether the same request may succeed later, and when. */
export function retryOf(
  { kind, status }: Pick<Fault, "kind" | "status">,
  headers: Headers | undefined,
  now: number,
): Pick<Fault, "waitMs" | "mayRetry"> {
  const waitMs = readWait(headers, now);
  const told = headers?.get("x-should-retry");
  const mayRetry = told === "true" || (told !== "false" && isPassing(kind, status));
  return { ...(waitMs === undefined ? {} : { waitMs }), mayRetry };
}

/** True for failures that may pass quickly. */
function isPassing(kind: ModelFailure, status: number | undefined): boolean {
  if (kind === "rate-limit" || kind === "overloaded" || kind === "network") return true;
  if (kind === "server-error") return true;
  return kind === "unavailable" && status !== 403 && status !== 404;
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function readWait(headers: Headers | undefined, now: number): number | undefined {
  const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (exact >= 0) return exact;
  const said = headers?.get("retry-after");
  if (!said) return undefined;
  const seconds = Number(said);
  const wait = Number.isNaN(seconds) ? Date.parse(said) - now : seconds * 1000;
  return wait >= 0 ? wait : undefined;
}

/** The error for the loop, without the key. `shownCause` is the cause as a program prints it. */
function toModelFailure(
  fault: Fault,
  asked: { endpoint: Endpoint; model: string; attempts: number; cause: unknown; shownCause: string },
): LoopliaError {
  const { apiKey, hints } = asked.endpoint;
  const details = [
    fault.status === undefined ? [] : `status ${fault.status}`,
    fault.requestId === undefined ? [] : `request ${fault.requestId}`,
    asked.attempts > 1 ? `${asked.attempts} attempts` : [],
  ].flat();
  const wait =
    fault.waitMs === undefined ? "" : `; it asks to wait ${Math.ceil(fault.waitMs / 1000)} seconds`;
  // Remove the key before cutting: a key cut in half would not be found.
  const said = withoutKey(fault.text, apiKey).replace(/\s+/g, " ").slice(0, 400);
  const message = `${describe(fault.kind, asked)}: ${said}${wait}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
  const holdsKey = withoutKey(asked.shownCause, apiKey) !== asked.shownCause;
  return new LoopliaError("model-failed", withoutKey(message, apiKey), {
    modelFailure: fault.kind,
    hint: hints[fault.kind],
    ...(holdsKey ? {} : { cause: asked.cause }),
  });
}

/** Shorter values are not real keys, and would match words that hold no secret. */
const SHORTEST_KEY = 8;

function withoutKey(text: string, apiKey: string): string {
  return apiKey.length < SHORTEST_KEY ? text : text.replaceAll(apiKey, "[key]");
}

function describe(
  kind: ModelFailure,
  { model, endpoint: { service, baseURL } }: { model: string; endpoint: Endpoint },
): string {
  switch (kind) {
    case "bad-key":
      return `The ${service} refuses the key`;
    case "no-credit":
      return `The account at the ${service} has no credit left for this request`;
    case "rate-limit":
      return `The ${service} limits the rate of requests`;
    case "overloaded":
      return `The ${service} is overloaded`;
    case "context-too-long":
      return `The conversation is longer than ${model} takes`;
    case "network":
      return `No complete answer from ${new URL(baseURL).host}`;
    case "bad-request":
      return `The ${service} refuses the request`;
    case "server-error":
      return `The ${service} failed`;
    case "unavailable":
      return `The ${service} can't serve ${model}`;
  }
}

/** Once an API has begun an answer, it sends something every few seconds. */
const SILENCE_MS = 300_000;
/** Longer waits are left to the run, which may switch models or stop. */
const LONGEST_WAIT_MS = 60_000;
const LONGEST_BACK_OFF_MS = 8_000;

/** Initial and maximum value of `concurrency: auto`. */
const FIRST_AT_ONCE = 4;
const MOST_AT_ONCE = 64;

/**
 * Paces this process's requests to one service: none is sent before the time that a refusal named, or while
 * the last answer's headers say that nothing is left. `atOnce` drives `concurrency: auto`: it grows by one
 * with each full round of answers and halves after a refusal.
 */
export class Pace {
  #atOnce = FIRST_AT_ONCE;
  #notBefore = Number.NEGATIVE_INFINITY;
  #halvedAt = Number.NEGATIVE_INFINITY;
  readonly #now: () => number;

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get atOnce(): number {
    return Math.floor(this.#atOnce);
  }

  /** Resolves when a request may be sent; `pause` may end early once the caller is aborted. */
  async turn(signal: AbortSignal, pause: (ms: number) => Promise<void>): Promise<void> {
    for (let wait = this.#wait(); wait > 0 && !signal.aborted; wait = this.#wait()) await pause(wait);
  }

  #wait(): number {
    return Math.min(this.#notBefore - this.#now(), LONGEST_WAIT_MS);
  }

  /** Records a complete answer; its headers may delay the next request. */
  answered(headers?: Headers): void {
    this.#atOnce = Math.min(MOST_AT_ONCE, this.#atOnce + 1 / this.#atOnce);
    if (headers) this.#hold(timeOfMore(headers, this.#now()));
  }

  /** Records a refusal. Refusals of requests that were open at the same time count once. */
  refused(waitMs: number): void {
    const now = this.#now();
    if (now >= this.#halvedAt + waitMs) {
      this.#atOnce = Math.max(1, this.#atOnce / 2);
      this.#halvedAt = now;
    }
    this.#hold(now + waitMs);
  }

  #hold(until: number): void {
    this.#notBefore = Math.max(this.#notBefore, until);
  }
}

/** Fewer remaining tokens than this are not enough for a request. */
const LEAST_TOKENS = 1_000;
const LIMITED = ["requests", "tokens", "input-tokens", "output-tokens"];

/**
 * When the limits in the headers reset: Anthropic names a date, OpenAI a duration. `now` if no limit is
 * reached.
 */
function timeOfMore(headers: Headers, now: number): number {
  const times = LIMITED.map((kind) => {
    const [own, other] = [`anthropic-ratelimit-${kind}`, "x-ratelimit"];
    const left = headers.get(`${own}-remaining`) ?? headers.get(`${other}-remaining-${kind}`);
    const reset = headers.get(`${own}-reset`) ?? headers.get(`${other}-reset-${kind}`);
    if (left === null || reset === null) return now;
    if (Number(left) >= (kind === "requests" ? 1 : LEAST_TOKENS)) return now;
    const at = Date.parse(reset);
    return Number.isNaN(at) ? now + durationOf(reset) : at;
  });
  return Math.min(Math.max(...times), now + LONGEST_WAIT_MS);
}

/** `1s`, `6m0s`, `120ms`; returns milliseconds. */
function durationOf(text: string): number {
  const units = new Map([
    ["ms", 1],
    ["s", 1_000],
    ["m", 60_000],
    ["h", 3_600_000],
  ]);
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (units.get(unit) ?? 0), 0);
}

export type Retries = {
  /** Further attempts after the first, for any failure. */
  maxRetries?: number;
  /** The first wait when the server names none; it doubles each time. */
  backOffMs?: number;
  /** Shared by all models of a service in this process. */
  pace?: Pace;
  /** How long a server may stay silent. */
  silenceMs?: number;
};

type Requests = Tries & {
  /** One attempt. `usage` is the known cost so far, even when the request fails. */
  attempt(): { readonly usage: Usage; ask: Ask };
  /** Told what was used when no answer came of it. */
  meter?: Meter | undefined;
};

/** `model` is named in failures. */
export type Tries = Retries & {
  endpoint: Endpoint;
  model: string;
  signal: AbortSignal;
  /** The service's own failures; undefined for anything else. */
  readFault(thrown: unknown): Fault | undefined;
  /** The cause as the program prints it. */
  inspect(cause: unknown): string;
  /** From 0 to 1. Spreads out the retries of sessions that were refused together. */
  random(): number;
};

/**
 * Asks until an answer is whole or no attempt is left. The reply's usage includes the cost of cut answers.
 * Fails as every model does.
 */
export async function requestWithRetries(requests: Requests): Promise<ModelReply> {
  const { signal, silenceMs = SILENCE_MS } = requests;
  let spent = noUsage();
  const once = async () => {
    const attempt = requests.attempt();
    try {
      const whole = await askWithin(silenceMs, signal, attempt.ask);
      return { ...whole, usage: addUsage(spent, whole.usage) };
    } catch (thrown) {
      spent = addUsage(spent, attempt.usage);
      throw thrown;
    }
  };
  try {
    return await retried(requests, once);
  } catch (thrown) {
    requests.meter?.note(requests.model, spent);
    throw thrown;
  }
}

/** Calls `once` until it succeeds or may not be tried again. Fails as every model does. */
export async function retried<T>(requests: Tries, once: () => Promise<T>): Promise<T> {
  const { signal, maxRetries = 2, backOffMs = 500, pace } = requests;
  const pauseAWhile = (ms: number) => pause(ms * (1 + requests.random() / 4), signal);
  for (let attempt = 1; ; attempt += 1) {
    throwIfAborted(signal);
    await pace?.turn(signal, pauseAWhile);
    throwIfAborted(signal);
    try {
      return await once();
    } catch (thrown) {
      throwIfAborted(signal);
      const fault = readFault(thrown, requests);
      const wait = fault.waitMs ?? Math.min(backOffMs * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
      if (fault.kind === "rate-limit" || fault.kind === "overloaded") pace?.refused(wait);
      if (!fault.mayRetry || attempt > maxRetries || wait > LONGEST_WAIT_MS) {
        const shownCause = requests.inspect(thrown);
        throw toModelFailure(fault, { ...requests, attempts: attempt, cause: thrown, shownCause });
      }
      await pauseAWhile(wait);
    }
  }
}

/** Rethrows anything that is not a request failure. */
function readFault(thrown: unknown, service: Pick<Tries, "readFault">): Fault {
  if (thrown instanceof LoopliaError) throw thrown;
  if (thrown instanceof SilentServer) return readSilence(thrown);
  const fault = service.readFault(thrown);
  if (fault) return fault;
  if (isCutConnection(thrown)) return readNetworkError(thrown);
  throw thrown;
}

/** Always throws an AbortError, whatever the signal's reason. */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new DOMException("The model request was aborted.", { name: "AbortError", cause: signal.reason });
}

/** The key, trimmed for sending. Throws `config-invalid` without showing the key. */
export function requireKey(given: string, setting: string, source: string): string {
  const apiKey = given.trim();
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  const problem = apiKey === "" ? "is empty" : "holds a space, a line break or another character no key has";
  throw new LoopliaError("config-invalid", `${setting} ${problem}.`, {
    hint: `Copy the key again from ${source}, as one line.`,
  });
}

/**
 * Refuses an address with a user name or password: fetch would refuse it too, and repeat it in the message.
 */
export function requireAddress(baseURL: string, setting: string, example: string): string {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (url && isHttp && url.username === "" && url.password === "") return baseURL;
  throw new LoopliaError("config-invalid", `${setting} must be an http(s) address without a login.`, {
    hint: `Write it like ${example}; put a gateway's own key into the key's setting.`,
  });
}

/** The number of tokens that a server reported, or the known number if the report is unusable. */
export function countOr(known: number, told: unknown): number {
  return Number.isSafeInteger(told) && Number(told) >= 0 ? Number(told) : known;
}

/** About as many characters are one token. */
const USUAL = 4;
/** No tokenizer puts more characters of any language into a token; runs of one character are counted as two. */
const MOST = 16;

/** The tokens that were reported of a text, or an estimate where it can't have so few. */
export function tokensAtLeast(told: number, text: string): number {
  if (told * MOST >= text.length) return told;
  const { length } = text.replace(/(.)\1+/gsu, "$1$1");
  return told * MOST >= length ? told : Math.ceil(length / USUAL);
}

/**
 * The object in `json`, with lone surrogates replaced (no request may contain one); undefined if it is no
 * object.
 */
export function parseCallInput(json: string): Record<string, unknown> | undefined {
  try {
    const escaped = /\\u[dD][89a-fA-F]/.test(json) || !json.isWellFormed();
    const input: unknown = escaped ? JSON.parse(json, repairText) : JSON.parse(json);
    return isObject(input) ? input : undefined;
  } catch {
    return undefined;
  }
}

function repairText(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

// The cost of an answer. Pure.

/** US dollars per million tokens. */
type Rates = { input: number; output: number; cacheRead: number; cacheWrite: number };

/** `long`: rates for a whole request whose prompt, including cached tokens, exceeds `longFrom` tokens. */
type Price = Rates & { longFrom?: number; long?: Rates };

/** A row of a price list: when it was compared with its page, and that page. */
export type PriceRow = Price & { asOf: string; source: string };

/** US dollars for one response. */
export function costOf(price: Price, usage: Usage): number {
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const isLong = price.longFrom !== undefined && prompt > price.longFrom;
  const rates = (isLong ? price.long : undefined) ?? price;
  const perMillion =
    usage.inputTokens * rates.input +
    usage.outputTokens * rates.output +
    usage.cacheReadTokens * rates.cacheRead +
    usage.cacheWriteTokens * rates.cacheWrite;
  return perMillion / 1_000_000;
}
