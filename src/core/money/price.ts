// The cost of an answer. Pure.
import type { Usage } from "../events.ts";

/** US dollars per million tokens. */
type Rates = { input: number; output: number; cacheRead: number; cacheWrite: number };

/** `long`: rates for a whole request whose prompt, including cached tokens, exceeds `longFrom` tokens. */
export type Price = Rates & { longFrom?: number; long?: Rates };

/** US dollars for one response. */
export function costOf(price: Price, usage: Usage): number {
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const isLong = price.longFrom !== undefined && prompt > price.longFrom;
  const rates = (isLong ? price.long : undefined) ?? price;
  const perMillion =
    usage.inputTokens * rates.input +
    usage.outputTokens * rates.output +
    usage.cacheReadTokens * rates.cacheRead +
    usage.cacheWriteTokens * rates.cacheWrite;
  return perMillion / 1_000_000;
}
