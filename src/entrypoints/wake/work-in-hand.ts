// A work as a run holds it: what is stored of it on this machine, what that folds to, and the state ref behind it.
import type { CheckpointOptions, StateRef } from "../../ports/state-ref.ts";
import type { WorkStore } from "../../ports.ts";
import type { DomainEvent } from "../../session/events.ts";
import { applyEvent } from "../../session/fold-state.ts";
import { inTurn } from "../../session/in-turn.ts";
import type { InteractionRequest } from "../../session/interaction.ts";
import { type Redact, redactValue } from "../../session/redaction.ts";
import type { InteractionState } from "../../session/state.ts";
import { type VoidApproval, voidApprovalOf } from "../../session/void-approval.ts";
import type { WorkEvent } from "../../session/work-events.ts";
import { applyWorkEvent, foldWork, type WorkState } from "../../session/work-state.ts";
import type { StoredSession } from "../action/wiring.ts";

/** A question of the work with what became of it. */
export type WorkQuestion = InteractionState & Omit<StoredSession, "state"> & { inVain?: VoidApproval };

/** An open work: its state, its sessions as they are stored, and how a wake adds to them and makes them durable. */
export class WorkInHand {
  readonly workId: string;
  readonly state: WorkState;
  readonly stateRef: StateRef;
  readonly store: WorkStore;
  readonly #readSessions: () => Promise<StoredSession[]>;
  #sessions: Promise<StoredSession[]> | undefined;
  readonly #redact: Redact;

  private constructor(parts: WorkParts, state: WorkState) {
    this.workId = parts.store.workId;
    this.store = parts.store;
    this.stateRef = parts.stateRef;
    this.state = state;
    this.#readSessions = parts.readSessions;
    if (parts.sessions) this.#sessions = Promise.resolve(parts.sessions);
    this.#redact = parts.redact;
  }

  static async open(parts: WorkParts): Promise<WorkInHand> {
    return new WorkInHand(parts, foldWork(await parts.store.workEvents()));
  }

  /** Every session of the work as it is stored now. */
  sessions(): Promise<StoredSession[]> {
    this.#sessions ??= this.#readSessions();
    return this.#sessions;
  }

  /** Questions of all sessions, oldest first in each. */
  async questions(): Promise<WorkQuestion[]> {
    return (await this.sessions()).flatMap(({ state, ...session }) =>
      [...state.interactions.values()].map((interaction) => {
        const inVain = voidApprovalOf(state, interaction);
        return { ...interaction, ...session, ...(inVain ? { inVain } : {}) };
      }),
    );
  }

  async openQuestions(): Promise<(InteractionRequest & { sessionId: string })[]> {
    const open = (await this.questions()).filter(({ response, closed }) => !response && !closed);
    return open.map(({ request, sessionId }) => ({ ...request, sessionId }));
  }

  /** Stores events of the work. */
  async note(...events: WorkEvent[]): Promise<void> {
    if (events.length === 0) return;
    const safe = redactValue(events, this.#redact);
    await this.store.appendWorkEvents(safe);
    for (const event of safe) applyWorkEvent(this.state, event);
  }

  /** Stores events of a session that nobody has open. */
  async change(sessionId: string, events: readonly DomainEvent[]): Promise<void> {
    if (events.length === 0) return;
    const safe = redactValue(events, this.#redact);
    const known = await this.#sessions;
    this.forget();
    const session = await this.store.session(sessionId);
    try {
      await session.append(safe);
    } finally {
      await session.close();
    }
    const changed = known?.find((one) => one.sessionId === sessionId);
    if (!known || !changed) return;
    for (const event of safe) applyEvent(changed.state, event);
    this.#sessions = Promise.resolve(known);
  }

  /** One projection after the other: what one posted the next knows. */
  inTurn<T>(show: () => Promise<T>): Promise<T> {
    return inTurn(this, show);
  }

  /** What was read of the sessions counts no more: a run went on with them. */
  forget(): void {
    this.#sessions = undefined;
  }

  /** One checkpoint of everything. Fails as `StateRef.checkpoint`. */
  async checkpoint(message: string, options: CheckpointOptions = {}): Promise<void> {
    await this.stateRef.checkpoint(message, options);
  }
}

export type WorkParts = {
  stateRef: StateRef;
  store: WorkStore;
  /** What is stored of every session, where that was read already. */
  sessions?: StoredSession[];
  /** Reads what is stored of every session. */
  readSessions(): Promise<StoredSession[]>;
  /** Keeps secrets out of what people said. */
  redact: Redact;
};
