// The turns of a program in their order, until it fails or is silent for too long.
import { LoopliaError } from "../core/errors.ts";
import type { ModelReply } from "../core/ports.ts";
import { Condition } from "./condition.ts";

/** Shared by the listener to the program and the caller that waits for its next turn. */
export class Turns extends Condition {
  readonly #name: string;
  readonly #silenceMs: number;
  readonly #waiting: ModelReply[] = [];
  #heardAt = 0;
  fault: LoopliaError | undefined;
  /** Why the program asks its model again, which it may wait for in silence. */
  trouble: LoopliaError | undefined;

  /** `name`: the program's name for people. */
  constructor(name: string, silenceMs: number) {
    super();
    this.#name = name;
    this.#silenceMs = silenceMs;
  }

  /** A process begins. */
  begin(): void {
    this.fault = undefined;
    this.trouble = undefined;
    // A turn that nobody took is not one of this process.
    this.#waiting.length = 0;
    this.#heardAt = performance.now();
  }

  /** The program said something. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  push(reply: ModelReply): void {
    this.trouble = undefined;
    this.#waiting.push(reply);
    this.changed();
  }

  /** Only the first failure counts. */
  fail(error: LoopliaError): void {
    this.fault ??= error;
    this.changed();
  }

  /** For a process that ended during its turn. */
  failEnded(how: string, complaint: string): void {
    const said = complaint === "" ? "" : `; it said: ${complaint.slice(-500).replace(/\.+$/, "")}`;
    const message = `${this.#name} ended before its answer was complete (${how})${said}.`;
    this.fail(new LoopliaError("model-failed", message, AGAIN));
  }

  /** Rejects with the failure, with `model-failed` after too long a silence, and when the signal aborts. */
  async next(signal: AbortSignal): Promise<ModelReply> {
    this.heard();
    for (;;) {
      const left = this.#heardAt + this.#silenceMs - performance.now();
      const take = () => {
        const turn = this.#waiting.shift();
        if (!turn && this.fault) throw this.fault;
        return turn;
      };
      const turn = await this.until(take, { signal, timeoutMs: Math.max(1, left) });
      if (turn) return turn;
      if (performance.now() - this.#heardAt < this.#silenceMs) continue;
      if (this.trouble) throw this.trouble;
      const seconds = Math.round(this.#silenceMs / 1000);
      throw new LoopliaError("model-failed", `${this.#name} sent nothing for ${seconds} seconds.`, AGAIN);
    }
  }
}

/** Advice where the installed version does not keep to our rules. */
export const OTHER_VERSION =
  "Install the version that docs/agents.md names where it is another one, else use another `model` and report this.";
/** Advice for a failure that has no better one. */
export const RUN_AGAIN = "Run again to resume.";
const AGAIN = { modelFailure: "unavailable", hint: RUN_AGAIN } as const;
