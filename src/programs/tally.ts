// Counts each request of a program that passes the gateway, and lets one pass only while a turn is asked for and the
// turn's meter admits it: a program may ask its model without end while it answers its own calls.
import { noUsage } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { Usage } from "../core/events.ts";
import { isObject, parseJson } from "../core/json.ts";
import { countOr, tokensAtLeast } from "../core/model-request.ts";
import type { Meter } from "../core/ports.ts";
import { Condition } from "./condition.ts";
import { eachLine } from "./process.ts";

/** A request on its way. */
type Passing = {
  /** The service answers with this status. */
  begin(status: number): void;
  hear(bytes: Buffer): void;
  /** No more bytes come. */
  end(): void;
};

export class Tally extends Condition {
  readonly #stop: (why: LoopliaError) => void;
  readonly #open = new Set<Request>();
  #model = "";
  #meter: Meter | undefined;
  #isAsked = false;
  #isOver = false;

  /** `stop` ends the program at a limit. */
  constructor(stop: (why: LoopliaError) => void) {
    super();
    this.#stop = stop;
  }

  /** A turn of this model is asked for. */
  begin(model: string, meter: Meter | undefined): void {
    this.#model = model;
    this.#meter = meter;
    this.#isAsked = true;
    this.changed();
  }

  /** The turn is there, or failed: what the program asks now waits for the next one. */
  pause(): void {
    for (const request of this.#open) this.#note(request);
    this.#isAsked = false;
  }

  /** Nothing passes any more. */
  end(): void {
    this.#isOver = true;
    this.changed();
  }

  /** Resolves while a turn is asked for, or when none will be. */
  async turn(): Promise<void> {
    await this.until(() => this.#isAsked || this.#isOver || undefined);
  }

  /** Undefined: it may not be sent, and the program is ended. */
  async admit(body: Buffer): Promise<Passing | undefined> {
    if (this.#isOver || !this.#isAsked) return undefined;
    if (this.#meter && !(await this.#meter.admit(body.length))) {
      this.#stop(new LoopliaError("cost-limit", "A limit was reached."));
      return undefined;
    }
    const request = new Request(body, this.#model);
    this.#open.add(request);
    const note = () => this.#note(request);
    return {
      begin: (status) => request.begin(status),
      hear(bytes) {
        request.hear(bytes);
        if (request.isWhole) note();
      },
      end: () => {
        note();
        this.#open.delete(request);
      },
    };
  }

  #note(request: Request): void {
    const { model, more } = request.take();
    if (Object.values(more).some((count) => count > 0)) this.#meter?.note(model, more);
  }
}

/** What one request used so far, as its answer says, or as much as its texts must have. */
class Request {
  readonly #body: Buffer;
  readonly #read = eachLine((line) => {
    if (line.startsWith("data:")) this.#take(parseJson(line.slice(5)));
  });
  #model: string;
  #told = noUsage();
  #said = "";
  #taken = noUsage();
  #isBegun = false;
  isWhole = false;

  constructor(body: Buffer, model: string) {
    this.#body = body;
    this.#model = model;
  }

  begin(status: number): void {
    this.#isBegun = status === 200;
  }

  hear(bytes: Buffer): void {
    if (this.#isBegun) this.#read(bytes);
  }

  /** What was used since this was asked last. */
  take(): { model: string; more: Usage } {
    const used = this.#usage();
    const more = { ...used };
    for (const count of COUNTS) more[count] = Math.max(0, used[count] - this.#taken[count]);
    this.#taken = used;
    return { model: this.#model, more };
  }

  #usage(): Usage {
    if (!this.#isBegun) return noUsage();
    const cached = this.#told.cacheReadTokens + this.#told.cacheWriteTokens;
    const input = tokensAtLeast(this.#told.inputTokens + cached, this.#body.toString("utf8"));
    const outputTokens = tokensAtLeast(this.#told.outputTokens, this.#said);
    return { ...this.#told, inputTokens: input - cached, outputTokens };
  }

  /** An event of either API. Counters are totals so far. */
  #take(event: unknown): void {
    if (!isObject(event)) return;
    const told = isObject(event.message) ? event.message : isObject(event.response) ? event.response : event;
    if (typeof told.model === "string" && told.model !== "") this.#model = told.model;
    if (isObject(told.usage)) this.#count(told.usage);
    const delta = isObject(event.delta) ? (event.delta.text ?? event.delta.partial_json) : event.delta;
    if (typeof delta === "string") this.#said += delta;
    this.isWhole ||= WHOLE.has(event.type);
  }

  #count(usage: Record<string, unknown>): void {
    const details = isObject(usage.input_tokens_details) ? usage.input_tokens_details : undefined;
    const read = countOr(0, details ? details.cached_tokens : usage.cache_read_input_tokens);
    const written = countOr(0, details ? details.cache_write_tokens : usage.cache_creation_input_tokens);
    const input = countOr(0, usage.input_tokens);
    const told: Usage = {
      // The Responses API includes the cached ones.
      inputTokens: details ? Math.max(0, input - read - written) : input,
      outputTokens: countOr(0, usage.output_tokens),
      cacheReadTokens: read,
      cacheWriteTokens: written,
    };
    for (const count of COUNTS) this.#told[count] = Math.max(this.#told[count], told[count]);
  }
}

const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;
const WHOLE: ReadonlySet<unknown> = new Set(["message_delta", "response.completed", "response.incomplete"]);
