// Limits are cumulative over a session with its pauses; reaching one is an outcome.
import { LoopliaError } from "../errors.ts";
import type { Model } from "../ports.ts";
import { noUsage, type Totals } from "../session/conversation.ts";
import { Cancellation } from "./cancellations.ts";
import type { Outcome, StopReasonCode } from "./outcome.ts";
import type { Limits } from "./session.ts";

/** The limit that forbids another request, or undefined. `turns` are those of the task. */
export function reachedLimit(limits: Limits, turns: number, totals: Totals): Outcome | undefined {
  if (turns >= limits.maxTurns) {
    return stopped("max-turns", `reached max-turns (${limits.maxTurns}); raise it to go on`);
  }
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = totals.usage;
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  if (limits.maxTokens !== undefined && tokens >= limits.maxTokens) {
    return stopped("cost-limit", `used ${tokens} of max-tokens ${limits.maxTokens}; raise it to go on`);
  }
  if (limits.maxCostUsd !== undefined && totals.unpriced) {
    return stopped("cost-limit", "max-cost-usd can't be kept: a model without a known price answered here");
  }
  if (limits.maxCostUsd !== undefined && totals.costUsd >= limits.maxCostUsd) {
    const spent = totals.costUsd.toFixed(4);
    return stopped("cost-limit", `spent $${spent} of max-cost-usd ${limits.maxCostUsd}; raise it to go on`);
  }
  return undefined;
}

/** A limit in dollars needs a price. Throws `config-invalid` for a model that has none. */
export function requirePrice(limits: Limits, model: Model, names: readonly string[]): void {
  if (limits.maxCostUsd === undefined) return;
  const unpriced = names.find((name) => model.priceOf(name, noUsage()) === null);
  if (unpriced === undefined) return;
  throw new LoopliaError(
    "config-invalid",
    `max-cost-usd is set, but there is no price for the model ${unpriced}.`,
    {
      hint: "Use max-tokens instead, or a model of the price list.",
    },
  );
}

/** The outcome of an aborted signal: its reason is `deadline`, a `Cancellation` or a person's interruption. */
export function stoppedBySignal(signal: AbortSignal): Outcome {
  if (signal.reason instanceof Cancellation) return stopped("closed", `canceled: ${signal.reason.reason}`);
  return signal.reason === "deadline"
    ? stopped("deadline", "reached timeout-minutes; the next run goes on from here")
    : stopped("interrupted", "interrupted; the next run goes on from here");
}

function stopped(reasonCode: StopReasonCode, message: string): Outcome {
  return { kind: "stopped", reasonCode, message };
}
