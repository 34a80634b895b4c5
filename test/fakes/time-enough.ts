/**
 * What `run` gives with a time-out in ms after which it had begun. The first is short; a machine that is too slow for it
 * gets more.
 */
export async function withTimeEnough<T>(
  run: (timeoutMs: number) => Promise<T>,
  hasBegun: () => boolean,
): Promise<T> {
  for (let timeoutMs = 1_000; ; timeoutMs *= 4) {
    const result = await run(timeoutMs);
    if (hasBegun()) return result;
  }
}
