// The questions of a work that wait for an answer, over all its sessions.

/** So many may be open in one work; then no new item starts (DURABILITY, "A turn"). */
export const MAX_OPEN_QUESTIONS = 10;

/** Kept up by whoever raises and settles; one for all sessions of a work in this process. */
export class OpenQuestions {
  readonly #ids: Set<string>;

  /** `ids`: the interactions that were open when the work was opened. */
  constructor(ids: Iterable<string> = []) {
    this.#ids = new Set(ids);
  }

  get isFull(): boolean {
    return this.#ids.size >= MAX_OPEN_QUESTIONS;
  }

  raise(interactionId: string): void {
    this.#ids.add(interactionId);
  }

  settle(interactionId: string): void {
    this.#ids.delete(interactionId);
  }
}
