// Counts what the requests of one turn use, whoever makes them, and says when a limit forbids another one.
import { addUsage, type Conversation } from "../core/conversation.ts";
import type { Usage } from "../core/events.ts";
import type { Meter, Model, ModelReply } from "../core/ports.ts";
import { isSpent, reserveFurther, type Settle } from "./limits.ts";
import type { AgentRun, AgentSession, OpenTurn } from "./session.ts";

/** What a turn cost; `requests`: how many an agent program made for it. */
export type Paid = { usage: Usage; costUsd: number | null; requests?: number };

type Turn = { session: AgentSession; run: AgentRun; conversation: Conversation };

/** The API's name for the model may be more specific than the name in the price list. */
export function priceOfReply(
  model: Model,
  asked: Pick<Conversation, "model">,
  reply: Pick<ModelReply, "model" | "usage">,
): number | null {
  return model.priceOf(reply.model, reply.usage) ?? model.priceOf(asked.model, reply.usage);
}

/** The meter of one turn, whose first request is reserved already. */
export class TurnMeter implements Meter {
  readonly #turn: Turn;
  readonly #open: OpenTurn;
  /** Of the latest request, while it is reserved. */
  #settle: Settle | undefined;
  #settledUsd = 0;
  #isRefused = false;

  constructor(turn: Turn, open: OpenTurn, settle: Settle) {
    this.#turn = turn;
    this.#open = open;
    this.#settle = settle;
  }

  /** A limit has refused a request. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  async admit(bytes: number): Promise<boolean> {
    const { session, run, conversation } = this.#turn;
    if (this.#isRefused || session.signal.aborted) return false;
    this.#open.requests += 1;
    if (this.#open.requests === 1) return true;
    // The first counts as a turn from the start, a further one from here on.
    this.#open.requests -= 1;
    if (isSpent(session, run)) return this.#refuse();
    this.#open.requests += 1;
    this.#settleSoFar();
    const settle = await reserveFurther(session, conversation, bytes);
    if (settle && !this.#settle && !session.signal.aborted) {
      this.#settle = settle;
      return true;
    }
    settle?.(0);
    this.#open.requests -= 1;
    return settle ? this.admit(bytes) : this.#refuse();
  }

  note(model: string, usage: Usage): void {
    const { session, conversation } = this.#turn;
    const price = priceOfReply(session.model, conversation, { model, usage });
    this.#open.usage = addUsage(this.#open.usage, usage);
    const { costUsd } = this.#open;
    this.#open.costUsd = price === null || costUsd === null ? null : costUsd + price;
  }

  /** What the turn cost that led to this reply. */
  settle(reply: ModelReply): Paid {
    const { session } = this.#turn;
    if (!session.model.program) this.note(reply.model, reply.usage);
    const { requests, usage, costUsd } = this.#open;
    const paid: Paid = { usage, costUsd, ...(requests > 1 ? { requests } : {}) };
    this.#settle?.(paid.costUsd === null ? null : paid.costUsd - this.#settledUsd);
    this.#settle = undefined;
    return paid;
  }

  /** Stores what the turn cost that led to no reply. */
  async lose(): Promise<void> {
    const { requests, usage, costUsd } = this.#open;
    const isFree = Object.values(usage).every((count) => count === 0);
    this.#settle?.(isFree ? undefined : (costUsd ?? 0) - this.#settledUsd);
    this.#settle = undefined;
    if (isFree && requests === 0) return;
    const { session, run } = this.#turn;
    const payload = { conversationId: run.conversationId, usage, costUsd, requests };
    await session.journal.append({ store: "conversation", type: "SpendingLost", payload });
  }

  #refuse(): false {
    this.#isRefused = true;
    return false;
  }

  #settleSoFar(): void {
    const spentUsd = this.#open.costUsd ?? 0;
    this.#settle?.(spentUsd - this.#settledUsd);
    this.#settledUsd = spentUsd;
    this.#settle = undefined;
  }
}
