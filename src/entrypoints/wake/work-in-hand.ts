// A work as a run holds it: what is stored of it on this machine, what that folds to, and the state ref behind it.
import { Journal } from "../../agent/journal.ts";
import type { CheckpointOptions, StateRef } from "../../ports/state-ref.ts";
import type { WorkStore } from "../../ports.ts";
import type { DomainEvent } from "../../session/events.ts";
import type { InteractionRequest } from "../../session/interaction.ts";
import type { SessionView } from "../../session/session-view.ts";
import type { InteractionState } from "../../session/state.ts";
import { applyWorkEvent, foldWork, type WorkEvent, type WorkState } from "../../session/work-events.ts";

/** A question of the work with what became of it. */
export type WorkQuestion = InteractionState & { sessionId: string };

export class WorkInHand {
  readonly workId: string;
  readonly state: WorkState;
  readonly stateRef: StateRef;
  readonly store: WorkStore;
  readonly #readSessions: () => Promise<SessionView[]>;
  readonly #tellConflicts: (paths: readonly string[]) => void;
  #sessions: Promise<SessionView[]> | undefined;
  #isChanged = false;

  private constructor(parts: WorkParts, state: WorkState) {
    this.workId = parts.store.workId;
    this.store = parts.store;
    this.stateRef = parts.stateRef;
    this.state = state;
    this.#readSessions = parts.readSessions;
    this.#tellConflicts = parts.tellConflicts;
  }

  static async open(parts: WorkParts): Promise<WorkInHand> {
    return new WorkInHand(parts, foldWork(await parts.store.workEvents()));
  }

  /** True where something was noted that no checkpoint holds yet. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** Every session of the work as it is stored now. */
  sessions(): Promise<SessionView[]> {
    this.#sessions ??= this.#readSessions();
    return this.#sessions;
  }

  /** Questions of all sessions, oldest first in each. */
  async questions(): Promise<WorkQuestion[]> {
    return (await this.sessions()).flatMap(({ sessionId, state }) =>
      [...state.interactions.values()].map((interaction) => ({ ...interaction, sessionId })),
    );
  }

  async openQuestions(): Promise<(InteractionRequest & { sessionId: string })[]> {
    const open = (await this.questions()).filter(({ response, closed }) => !response && !closed);
    return open.map(({ request, sessionId }) => ({ ...request, sessionId }));
  }

  /** Stores events of the work. */
  async note(...events: WorkEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.store.appendWorkEvents(events);
    for (const event of events) applyWorkEvent(this.state, event);
    this.#isChanged = true;
  }

  /** Stores events of a session that nobody has open. */
  async change(sessionId: string, events: readonly DomainEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { journal } = await Journal.open(this.workId, await this.store.session(sessionId));
    try {
      await journal.append(...events);
    } finally {
      await journal.close();
    }
    this.forget();
    this.#isChanged = true;
  }

  /** What was read of the sessions counts no more: a run went on with them. */
  forget(): void {
    this.#sessions = undefined;
  }

  /** One checkpoint of everything. Fails as `StateRef.checkpoint`. */
  async checkpoint(message: string, options: CheckpointOptions = {}): Promise<void> {
    const { conflicts } = await this.stateRef.checkpoint(message, options);
    this.#isChanged = false;
    if (conflicts.length > 0) this.#tellConflicts(conflicts);
  }
}

export type WorkParts = {
  stateRef: StateRef;
  store: WorkStore;
  /** Reads what is stored of every session. */
  readSessions(): Promise<SessionView[]>;
  /** Told of files that a person changed as well: theirs stand. */
  tellConflicts(paths: readonly string[]): void;
};
