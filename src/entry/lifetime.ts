// When and how a run ends by itself: deadline, open handles, last log line; and how much memory it takes until then.

import { LoopliaError, messageOf } from "../core/errors.ts";
import type { Result, RunResult } from "../core/result.ts";
import type { RunLog } from "../terminal/logs.ts";

/** Saving takes seconds: a run stops this long before its deadline, or after nine tenths of a short one. */
const SAVING_MS = 30_000;

/** `minutes` count from the start of the process, `elapsed` milliseconds ago. */
export function withDeadline(signal: AbortSignal, minutes: number, elapsed: number): AbortSignal {
  const total = minutes * 60_000;
  const deadline = new AbortController();
  const left = total - Math.min(SAVING_MS, total / 10) - elapsed;
  if (left <= 0) deadline.abort("deadline");
  else setTimeout(() => deadline.abort("deadline"), left).unref();
  return AbortSignal.any([signal, deadline.signal]);
}

const MANY_ITEMS = 16;

/**
 * Lets the memory of a run over many items grow by less than V8 would: garbage is collected earlier. Measured over 30
 * items: 144 MB instead of 260, for a fifth more processor time.
 */
export function spareMemory(items: { sources: readonly string[]; sessions?: readonly unknown[] }): void {
  if (items.sources.length + (items.sessions?.length ?? 0) < MANY_ITEMS) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=30");
}

// Writes the end of a run into its logs.

type Logs = readonly Pick<RunLog, "hasBegun" | "observe" | "error">[];
/** Usage errors are reported at once to the user. */
const USAGE = new Set(["config-invalid", "no-items"]);

/** One line per item or list: its failure, where the next run may continue, or its other end. */
export function logEnds(logs: Logs, { items }: RunResult): void {
  for (const item of items) for (const log of logs) logEnd(log, item);
}

function logEnd(log: Logs[number], item: Result): void {
  const { status, sessionId, source, reasonCode, message } = item;
  if (status === "failed")
    log.error({ code: reasonCode, message: message ?? "", recoverable: true, sessionId, source });
  else if (log.hasBegun) {
    log.observe({
      type: "ended",
      sessionId,
      status,
      reasonCode,
      ...(message === undefined ? {} : { message }),
    });
  }
}

/**
 * The line for the end of the whole run. A stopped run is no error; a usage error before any work is not
 * logged.
 */
export function logThrown(logs: Logs, thrown: unknown): void {
  const { code, hint } = thrown instanceof LoopliaError ? thrown : { code: "bug", hint: undefined };
  if (code === "interrupted" || code === "deadline") return;
  const retry = hint === undefined ? {} : { retryHint: hint };
  const told = logs.filter(({ hasBegun }) => hasBegun || !USAGE.has(code));
  for (const log of told) log.error({ code, message: messageOf(thrown), recoverable: false, ...retry });
}
