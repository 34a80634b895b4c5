// How often a run edits the status comment of a work: eight times at most, spread over the run, and its last word always.
import type { Clock } from "../../ports.ts";

/** The eighth is for `post`. */
const MOST = 7;
/** The others are for the ends of rounds. */
const WHILE_RUNNING = 4;
/** Each wait is longer than the one before: a run may last for hours. */
const FIRST_WAIT_MS = 20_000;
const LONGER = 3;

/** The edits of one run at one work, over all of its rounds. */
export class StatusEdits {
  readonly #clock: Pick<Clock, "elapsed">;
  #used = 0;
  #next = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.#clock = clock;
  }

  /** False: another round could not show how it ended. */
  get isLeft(): boolean {
    return this.#used < MOST;
  }

  /** True where the comment may be edited now; that is counted. How a round ended may always be shown. */
  take({ isRunning }: { isRunning: boolean }): boolean {
    const now = this.#clock.elapsed();
    if (isRunning && (this.#used >= WHILE_RUNNING || now < this.#next)) return false;
    this.#next = now + FIRST_WAIT_MS * LONGER ** this.#used;
    this.#used += 1;
    return true;
  }
}
