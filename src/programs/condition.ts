// Waits for a condition; code that changes the state wakes it.

/** Runs `test` again at each `changed`. */
export class Condition {
  readonly #waiting = new Set<() => void>();

  changed(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** Resolves with the result of `test`; with undefined after `timeoutMs`. Rejects when the signal aborts. */
  until<T>(
    test: () => T | undefined,
    { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs?: number } = {},
  ): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = () => {
        this.#waiting.delete(look);
        signal?.removeEventListener("abort", abort);
        clearTimeout(timer);
      };
      const look = () => {
        try {
          const found = test();
          if (found === undefined) return;
          leave();
          resolve(found);
        } catch (error) {
          leave();
          reject(error);
        }
      };
      const abort = () => {
        leave();
        reject(signal?.reason instanceof Error ? signal.reason : new DOMException("aborted", "AbortError"));
      };
      if (signal?.aborted) return abort();
      signal?.addEventListener("abort", abort);
      if (timeoutMs !== undefined) {
        timer = setTimeout(() => {
          leave();
          resolve(undefined);
        }, timeoutMs);
      }
      this.#waiting.add(look);
      look();
    });
  }
}
