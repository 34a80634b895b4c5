import { describe, expect, it } from "vitest";
import { PRICES, priceOf } from "../../src/anthropic/prices.ts";
import { DEFAULT_ANTHROPIC_MODEL } from "../../src/config/providers.ts";

describe("priceOf", () => {
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cacheReadTokens: 2_000_000,
    cacheWriteTokens: 10_000,
  };

  it("adds up what each kind of token costs", () => {
    expect(priceOf("claude-sonnet-5-5", usage)).toBeCloseTo(2 + 1 + 0.2 + 0.025, 10);
    expect(priceOf("claude-haiku-4-5", usage)).toBeCloseTo(1 + 0.5 + 0.2 + 0.0125, 10);
  });

  it("gives a dated snapshot its model's price, and an unknown model none", () => {
    expect(priceOf("claude-haiku-4-5-20251001", usage)).toBe(priceOf("claude-haiku-4-5", usage));
    for (const model of [
      "claude-opus-9",
      "claude-sonnet-5-5-preview",
      "gpt-9",
      "",
      "__proto__",
      "claude-haiku-4-5-2025",
    ]) {
      expect(priceOf(model, usage)).toBeNull();
    }
  });

  it("takes the higher rates for a long prompt, cached tokens included", () => {
    const short = { inputTokens: 50_000, outputTokens: 1_000, cacheReadTokens: 50_000, cacheWriteTokens: 0 };
    expect(priceOf("claude-haiku-5-5", short)).toBeCloseTo(0.005 + 0.0005 + 0.0005, 10);
    expect(priceOf("claude-haiku-5-5", { ...short, cacheReadTokens: 50_001 })).toBeCloseTo(
      0.025 + 0.0025 + 0.00250005,
      10,
    );
  });

  it("has a price for the default model, and every rate of a model in its usual order", () => {
    expect(PRICES.has(DEFAULT_ANTHROPIC_MODEL)).toBe(true);
    for (const [model, { input, output, cacheRead, cacheWrite }] of PRICES) {
      expect([model, [cacheRead, input, cacheWrite, output].toSorted((a, b) => a - b)]).toEqual([
        model,
        [cacheRead, input, cacheWrite, output],
      ]);
    }
  });
});
