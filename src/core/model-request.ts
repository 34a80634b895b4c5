// What all models over HTTP have in common: how requests fail, when they are made again, and what an answer costs.

import { addUsage, noUsage } from "./conversation.ts";
import { LoopliaError, type ModelFailure } from "./errors.ts";
import type { Usage } from "./events.ts";
import type { ModelReply } from "./ports.ts";

/** What the API or the network said; `status` is absent for an error event in the stream and for the network. */
export type Fault = {
  kind: ModelFailure;
  text: string;
  status?: number;
  requestId?: string;
  /** What the server asks to wait. */
  waitMs?: number;
  mayRetry: boolean;
};

/** Who asked whom: for messages, and to keep the key out of them. */
export type Endpoint = {
  apiKey: string;
  baseURL: string;
  /** As messages call the service, for example `Anthropic API`. */
  service: string;
  hints: Readonly<Record<ModelFailure, string>>;
};

/** Why an answer can't be used although every byte was received; asking again may help. */
export class DamagedReply extends Error {}

/** The network's own error, its cause first: `fetch failed` alone says nothing. */
export function readNetworkError(error: Error): Fault {
  const cause = error.cause instanceof Error ? error.cause : error;
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const code = "code" in inner && typeof inner.code === "string" ? inner.code : "";
  const text = inner.message.includes(code) ? inner.message : `${code} ${inner.message}`.trim();
  return { kind: "network", text, mayRetry: true };
}

/** How fetch and an SDK's parser tell of a connection lost in mid-stream; any other error is a bug. */
export function isCutConnection(thrown: unknown): thrown is Error {
  if (thrown instanceof DamagedReply || thrown instanceof SyntaxError) return true;
  return thrown instanceof TypeError && (thrown.message === "terminated" || thrown.cause instanceof Error);
}

/** A server that took the request and says nothing. */
export class SilentServer extends Error {}

/** Such a server may still be at work, and a second request would cost as much again. */
export function readSilence({ message }: SilentServer): Fault {
  return { kind: "network", text: message, mayRetry: false };
}

/** Fails with `SilentServer` where `ask` has not called `heard` for `ms` (at most twice that); its signal then ends the request. */
export async function askWithin<T>(
  {
    ms,
    signal,
    sleep,
  }: { ms: number; signal: AbortSignal; sleep(ms: number, signal: AbortSignal): Promise<void> },
  ask: (signal: AbortSignal, heard: () => void) => Promise<T>,
): Promise<T> {
  const silence = new AbortController();
  const over = new AbortController();
  let count = 0;
  const watch = async (): Promise<void> => {
    for (let before = -1; before !== count && !over.signal.aborted; ) {
      before = count;
      await sleep(ms, over.signal);
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

/** A refusal with headers: whether the same request may pass a moment later, and when. */
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

/** What may be over a moment later. */
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

/** The error for the loop; never holds the key. `shownCause` is the cause as a program would print it. */
export function toModelFailure(
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
  // Before it is cut: a cut key would not be found.
  const said = withoutKey(fault.text, apiKey).replace(/\s+/g, " ").slice(0, 400);
  const message = `${describe(fault.kind, asked)}: ${said}${wait}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
  const holdsKey = withoutKey(asked.shownCause, apiKey) !== asked.shownCause;
  return new LoopliaError("model-failed", withoutKey(message, apiKey), {
    modelFailure: fault.kind,
    hint: hints[fault.kind],
    ...(holdsKey ? {} : { cause: asked.cause }),
  });
}

/** Shorter than any key that is one: it would be found in words that hold no secret. */
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
      return `The account of the ${service} has no credit left for this request`;
    case "rate-limit":
      return `The ${service} limits the rate of requests`;
    case "overloaded":
      return `The ${service} is overloaded`;
    case "context-too-long":
      return `The conversation is longer than ${model} takes`;
    case "network":
      return `No whole answer from ${new URL(baseURL).host}`;
    case "bad-request":
      return `The ${service} refuses the request`;
    case "server-error":
      return `The ${service} failed`;
    case "unavailable":
      return `The ${service} can't serve ${model}`;
  }
}

/** A longer wait is the run's to decide on: another model, or stopping. */
const LONGEST_WAIT_MS = 60_000;
const LONGEST_BACK_OFF_MS = 8_000;

/** Where `concurrency: auto` begins, and where it ends. */
const FIRST_AT_ONCE = 4;
const MOST_AT_ONCE = 64;

/**
 * Paces the requests of a process to one service: nobody asks before the time that a refusal named, or while the headers
 * of the last answer say that nothing is left. `atOnce` is what `concurrency: auto` follows: one more with each full round
 * of answers, half as many after a refusal.
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

  /** A whole answer came; its headers may say that the next one has to wait. */
  answered(headers?: Headers): void {
    this.#atOnce = Math.min(MOST_AT_ONCE, this.#atOnce + 1 / this.#atOnce);
    if (headers) this.#hold(timeOfMore(headers, this.#now()));
  }

  /** The service refused. Requests that were under way together are one refusal. */
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

/** Fewer tokens left than this are none for a request. */
const LEAST_TOKENS = 1_000;
const LIMITED = ["requests", "tokens", "input-tokens", "output-tokens"];

/** When there is room again, as the headers say: Anthropic names a date, OpenAI a duration. Now, where nothing lacks. */
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

/** `1s`, `6m0s`, `120ms`; milliseconds. */
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
  /** Further attempts after the first, whatever failed. */
  maxRetries?: number;
  /** The first wait where the server names none; it doubles. */
  backOffMs?: number;
  /** Shared by all models of a service in this process. */
  pace?: Pace;
  /** How long a server may say nothing. */
  silenceMs?: number;
};

type Requests = Retries & {
  signal: AbortSignal;
  /** One request; `usage` is what is known of its cost, also where it fails. */
  send(): { reply: Promise<ModelReply>; usage: Usage };
  /** Throws on what is no failure of a request. */
  readFault(thrown: unknown): Fault;
  fail(fault: Fault, attempts: number, cause: unknown): LoopliaError;
  /** May end early once the signal is aborted. */
  pause(ms: number): Promise<void>;
};

/** One retry loop for refused requests and cut streams alike; what cut answers cost is counted in the reply's usage. */
export async function requestWithRetries(requests: Requests): Promise<ModelReply> {
  const { signal, maxRetries = 2, backOffMs = 500 } = requests;
  let spent = noUsage();
  for (let attempt = 1; ; attempt += 1) {
    throwIfAborted(signal);
    await requests.pace?.turn(signal, requests.pause);
    throwIfAborted(signal);
    const { reply, usage } = requests.send();
    try {
      const whole = await reply;
      return { ...whole, usage: addUsage(spent, whole.usage) };
    } catch (thrown) {
      throwIfAborted(signal);
      const fault = requests.readFault(thrown);
      const wait = fault.waitMs ?? Math.min(backOffMs * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
      if (fault.kind === "rate-limit" || fault.kind === "overloaded") requests.pace?.refused(wait);
      if (!fault.mayRetry || attempt > maxRetries || wait > LONGEST_WAIT_MS) {
        throw requests.fail(fault, attempt, thrown);
      }
      spent = addUsage(spent, usage);
      await requests.pause(wait);
    }
  }
}

/** Always an AbortError, whatever reason the signal was given. */
export function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new DOMException("The model request was aborted.", { name: "AbortError", cause: signal.reason });
}

/** The key as it can be sent. Throws `config-invalid`, which never shows it. */
export function requireKey(given: string, setting: string, source: string): string {
  const apiKey = given.trim();
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  const problem = apiKey === "" ? "is empty" : "holds a space, a line break or another character no key has";
  throw new LoopliaError("config-invalid", `${setting} ${problem}.`, {
    hint: `Copy the key again from ${source}, as one line.`,
  });
}

/** fetch refuses an address with a user name or password, and would repeat them in its message. */
export function requireAddress(baseURL: string, setting: string, example: string): string {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (url && isHttp && url.username === "" && url.password === "") return baseURL;
  throw new LoopliaError("config-invalid", `${setting} is not an http(s) address without a login.`, {
    hint: `Write it like ${example}; a gateway's own key goes into the setting of the key.`,
  });
}

/** The number of tokens that a server told, or what was known before. */
export function countOr(known: number, told: unknown): number {
  return Number.isSafeInteger(told) && Number(told) >= 0 ? Number(told) : known;
}

/** The object in `json`, half surrogate pairs made whole (no request may hold one); undefined where there is none. */
export function parseCallInput(json: string): Record<string, unknown> | undefined {
  try {
    const escaped = /\\u[dD][89a-fA-F]/.test(json) || !json.isWellFormed();
    const input: unknown = escaped ? JSON.parse(json, repairText) : JSON.parse(json);
    return typeof input === "object" && input !== null && !Array.isArray(input)
      ? (input as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function repairText(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
