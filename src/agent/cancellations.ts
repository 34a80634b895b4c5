// A person ends sessions while they run: what they are doing is aborted, and no later run goes on with them.
import type { AgentSession } from "./session.ts";

/** Why a session's signal was aborted. */
export class Cancellation {
  readonly reason: string;
  readonly actorId: string | undefined;

  constructor(reason: string, actorId?: string) {
    this.reason = reason;
    this.actorId = actorId;
  }
}

/** The sessions of a run that may be canceled. Shared by who runs them and who hears of the cancellation. */
export class Cancellations {
  readonly #controllers = new Map<string, AbortController>();
  #ofAll: Cancellation | undefined;

  /** Aborted with a `Cancellation` when the session is canceled, before it began too. */
  signalOf(sessionId: string): AbortSignal {
    const controller = this.#controllerOf(sessionId);
    if (this.#ofAll) controller.abort(this.#ofAll);
    return controller.signal;
  }

  /** Cancels one session, or all of the run. Its tools are killed; the session records it when they have ended. */
  cancel(cancellation: Cancellation, sessionId?: string): void {
    if (sessionId !== undefined) {
      this.#controllerOf(sessionId).abort(cancellation);
      return;
    }
    this.#ofAll ??= cancellation;
    for (const controller of this.#controllers.values()) controller.abort(cancellation);
  }

  #controllerOf(sessionId: string): AbortController {
    const controller = this.#controllers.get(sessionId) ?? new AbortController();
    this.#controllers.set(sessionId, controller);
    return controller;
  }
}

/** Stored once what was running has ended: from then on nothing of the session goes on. */
export async function recordCancellation({
  signal,
  journal,
  clock,
}: Pick<AgentSession, "signal" | "journal" | "clock">): Promise<void> {
  if (!(signal.reason instanceof Cancellation)) return;
  const { reason, actorId } = signal.reason;
  const at = clock.now().toISOString();
  const payload = { reason, at, ...(actorId === undefined ? {} : { actorId }) };
  await journal.append({ store: "events", type: "SessionCanceled", payload });
}
