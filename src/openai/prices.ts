// OpenAI's list prices, US dollars per million tokens. When they change, compare with the page, and edit the rows and
// their dates. A model without a row has no price.

import type { Usage } from "../core/events.ts";
import { costOf, type PriceRow } from "../core/model-request.ts";

/**
 * Above this prompt length a whole request costs twice as much for input and half as much again for output.
 */
const LONG_FROM = 272_000;

const PAGE = "developers.openai.com, Pricing, Standard";
const NOVEMBER = { asOf: "2026-11", source: PAGE };

function priced(input: number, output: number, cacheRead: number, cacheWrite: number) {
  const long = {
    input: 2 * input,
    output: 1.5 * output,
    cacheRead: 2 * cacheRead,
    cacheWrite: 2 * cacheWrite,
  };
  return { input, output, cacheRead, cacheWrite, longFrom: LONG_FROM, long };
}

export const OPENAI_PRICES: ReadonlyMap<string, PriceRow> = new Map([
  ["gpt-6.2-astra", { ...priced(8, 40, 0.4, 10), ...NOVEMBER }],
  ["gpt-6.2-sol", { ...priced(2, 10, 0.1, 2.5), ...NOVEMBER }],
  ["gpt-6.1-sol", { ...priced(2, 10, 0.1, 2.5), ...NOVEMBER }],
  ["gpt-6-astra", { ...priced(10, 50, 1, 12.5), ...NOVEMBER }],
  ["gpt-6-sol", { ...priced(2, 10, 0.2, 2.5), ...NOVEMBER }],
  ["gpt-6-luna", { ...priced(0.1, 0.5, 0.01, 0.125), ...NOVEMBER }],
  ["gpt-5.6-terra", { ...priced(2, 12, 0.2, 2.5), ...NOVEMBER }],
  ["gpt-5.6-luna", { ...priced(0.2, 1.2, 0.02, 0.25), ...NOVEMBER }],
  // Writing to the cache has no extra cost here.
  ["gpt-5.5", { ...priced(5, 30, 0.5, 5), ...NOVEMBER }],
  ["gpt-5.4", { ...priced(2.5, 15, 0.25, 2.5), ...NOVEMBER }],
]);

/**
 * US dollars for one response, or null when the model is not in the price list: never a guess. A dated
 * snapshot (`-2026-03-05`) has its model's price.
 */
export function priceOfOpenAI(model: string, usage: Usage): number | null {
  const price = OPENAI_PRICES.get(model.replace(/-\d{4}-\d{2}-\d{2}$/, ""));
  return price ? costOf(price, usage) : null;
}
