// Many sessions share one model: how many requests are open at once, and in which order replies are handled.
import { LoopliaError } from "../core/errors.ts";
import type { Model, ModelReply } from "../core/ports.ts";

/** Replies handled at once. */
const REPLIES = 3;
const LONGEST_MS = 30;

/**
 * The model for sessions side by side: at most `atOnce()` of their requests are open, first come, first served.
 *
 * Replies that come together are handed over a few at a time, in order: handled all at once, each would be done only
 * when all are, and their next requests would leave together, too. A reply counts as handled when its conversation's
 * next request is ready, and after 30 ms in any case, for a reply whose calls take long or that is the last one.
 *
 * Once the account is refused or has no credit, no further request is made: each fails as that one did.
 */
export function queueRequests(model: Model, atOnce: () => number): Model {
  const requests = new Places(atOnce);
  const replies = new Places(() => REPLIES);
  const handling = new Map<string, () => void>();
  let refusal: LoopliaError | undefined;
  const respond: Model["respond"] = async (request, options) => {
    const { conversationId } = request;
    handling.get(conversationId)?.();
    const leave = await requests.take();
    let reply: ModelReply;
    try {
      if (refusal) throw refusal;
      reply = await model.respond(request, options);
    } catch (error) {
      if (isOfAccount(error)) refusal ??= error;
      throw error;
    } finally {
      leave();
    }
    const handled = await replies.take();
    const timer = setTimeout(end, LONGEST_MS);
    function end() {
      clearTimeout(timer);
      handling.delete(conversationId);
      handled();
    }
    handling.set(conversationId, end);
    return reply;
  };
  return new Proxy(model, {
    get(target, name) {
      const value: unknown = name === "respond" ? respond : Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function isOfAccount(error: unknown): error is LoopliaError {
  const failure = error instanceof LoopliaError ? error.modelFailure : undefined;
  return failure === "bad-key" || failure === "no-credit";
}

/** So many may be inside at once; the others wait in line. */
class Places {
  readonly #size: () => number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(size: () => number) {
    this.#size = size;
  }

  /** Resolves when there is a place; the result gives it back. */
  async take(): Promise<() => void> {
    if (this.#taken >= this.#size()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken += 1;
    return () => this.#leave();
  }

  #leave(): void {
    this.#taken -= 1;
    while (this.#taken < Math.max(1, this.#size())) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#taken += 1;
      next();
    }
  }
}
