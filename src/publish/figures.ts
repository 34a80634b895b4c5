// Times, tokens, dollars and lists as people read them. Pure.
import type { Usage } from "../session/message.ts";

/** `2ms`, `15.2s`, `3m 05s`, `1h 02m`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))}ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m ${String(whole % 60).padStart(2, "0")}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}

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

/** True when no token was counted: a rehearsal. */
export function isFree(usage: Usage): boolean {
  return totalInput(usage) + usage.outputTokens === 0;
}

/** `2026-12-03 12:00 UTC`, from ISO 8601 or a time; what is no time is left empty. */
export function formatMoment(at: string | Date): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? "" : `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** `a, b and c` */
export function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
