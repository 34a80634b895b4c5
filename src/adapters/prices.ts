// What a response costs, from the dated price list.
import type { Usage } from "../session/message.ts";
import { PRICES, type Rates } from "./price-list.ts";

/**
 * US dollars for one response, or null when the model is not in the price list: never a guess. A dated snapshot
 * (`-20250929`) costs what its model costs.
 */
export function priceOf(model: string, usage: Usage): number | null {
  const price = PRICES.get(model.replace(/-\d{8}$/, ""));
  if (!price) return null;
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const isLong = price.longFrom !== undefined && prompt > price.longFrom;
  return cost((isLong ? price.long : undefined) ?? price, usage);
}

function cost(rates: Rates, usage: Usage): number {
  const perMillion =
    usage.inputTokens * rates.input +
    usage.outputTokens * rates.output +
    usage.cacheReadTokens * rates.cacheRead +
    usage.cacheWriteTokens * rates.cacheWrite;
  return perMillion / 1_000_000;
}
