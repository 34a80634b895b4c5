// At most so many pushes a minute: GitHub asks for no more than six to a repository.
const MINUTE_MS = 60_000;
const A_MINUTE = 6;

export type PushRate = {
  /** Resolves when a push is in order, or as soon as `hurry` does. */
  turn(hurry: Promise<void>): Promise<void>;
  /** Counts a push. */
  count(): void;
  /** Milliseconds until a push that can wait: it leaves room for those that can't. */
  untilSoft(): number;
};

/** By the clock of this machine. One for all clones of a repository: GitHub counts what comes, not what it comes from. */
export function pushRate(aMinute = A_MINUTE): PushRate {
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  return createPushRate({ aMinute, elapsed: () => performance.now(), sleep });
}

/** `elapsed`: monotonic milliseconds. */
export function createPushRate(options: {
  aMinute: number;
  elapsed: () => number;
  sleep: (ms: number) => Promise<void>;
}): PushRate {
  const { aMinute, elapsed, sleep } = options;
  let times: number[] = [];
  const recent = (): number[] => {
    const since = elapsed() - MINUTE_MS;
    times = times.filter((time) => time > since);
    return times;
  };
  return {
    async turn(hurry) {
      let isHurried = false;
      const hurried = hurry.then(() => {
        isHurried = true;
      });
      while (!isHurried && recent().length >= aMinute) {
        const oldest = times[0] ?? elapsed();
        await Promise.race([sleep(Math.max(1, oldest + MINUTE_MS - elapsed())), hurried]);
      }
    },
    count() {
      times.push(elapsed());
    },
    untilSoft() {
      const last = times.at(-1);
      return last === undefined ? 0 : Math.max(0, last + (2 * MINUTE_MS) / aMinute - elapsed());
    },
  };
}
