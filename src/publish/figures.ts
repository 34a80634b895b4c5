// Tokens and dollars as people read them.
import type { Usage } from "../session/message.ts";

/** `12,345 tokens in, 678 out`; tokens read from and written to a cache count as in. */
export function formatTokens(usage: Usage): string {
  return `${formatCount(totalInput(usage))} tokens in, ${formatCount(usage.outputTokens)} out`;
}

/** `$0.0123`; null is a model without a known price. */
export function formatCost(costUsd: number | null): string {
  return costUsd === null ? "price unknown" : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
}

/** Tokens that went in, those read from and written to a cache as well. */
export function totalInput(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
