// Anthropic's list prices, US dollars per million tokens. When they change, compare with the page, and edit the rows and
// their dates. A model without a row has no price.

import type { Usage } from "../core/events.ts";
import { costOf, type PriceRow } from "../core/model-request.ts";

const PAGE = "platform.claude.com, Pricing";
const NOVEMBER = { asOf: "2026-11", source: PAGE };

/** `cacheWrite` is the five-minute write, the only one that is used. */
export const PRICES: ReadonlyMap<string, PriceRow> = new Map<string, PriceRow>([
  ["claude-fable-5-2", { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10, ...NOVEMBER }],
  ["claude-fable-5-1", { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5, ...NOVEMBER }],
  ["claude-mythos-5-1", { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5, ...NOVEMBER }],
  ["claude-fable-5", { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5, ...NOVEMBER }],
  ["claude-mythos-5", { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5, ...NOVEMBER }],
  ["claude-opus-5-5", { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5, ...NOVEMBER }],
  ["claude-opus-5", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, ...NOVEMBER }],
  ["claude-opus-4-8", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, ...NOVEMBER }],
  ["claude-opus-4-7", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, ...NOVEMBER }],
  ["claude-opus-4-6", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, ...NOVEMBER }],
  ["claude-opus-4-5", { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, ...NOVEMBER }],
  ["claude-sonnet-5-5", { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5, ...NOVEMBER }],
  ["claude-sonnet-5", { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, ...NOVEMBER }],
  ["claude-sonnet-4-6", { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, ...NOVEMBER }],
  ["claude-sonnet-4-5", { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, ...NOVEMBER }],
  [
    "claude-haiku-5-5",
    {
      ...{ input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
      ...NOVEMBER,
      longFrom: 100_000,
      long: { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
    },
  ],
  ["claude-haiku-4-5", { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25, ...NOVEMBER }],
]);

/**
 * US dollars for one response, or null when the model is not in the price list: never a guess. A dated
 * snapshot (`-20250929`) has its model's price.
 */
export function priceOf(model: string, usage: Usage): number | null {
  const price = PRICES.get(model.replace(/-\d{8}$/, ""));
  return price ? costOf(price, usage) : null;
}
