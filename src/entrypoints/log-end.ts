// How a run ended, as the last lines of its logs.
import type { ItemResult, RunResult } from "../content/item-result.ts";
import { LoopliaError, messageOf } from "../errors.ts";
import type { Observer } from "../ports.ts";

type Failure = {
  code: string;
  message: string;
  recoverable: boolean;
  retryHint?: string;
  sessionId?: string;
  source?: string;
};
type Logs = readonly { readonly hasBegun: boolean; observe: Observer; error(failure: Failure): void }[];
/** Bad usage: whoever typed it is told at once. */
const USAGE = new Set(["config-invalid", "no-items"]);

/** A line for each item or list: how it failed, where the next run may go on with it, or how it ended else. */
export function logEnds(logs: Logs, { items }: RunResult): void {
  for (const item of items) for (const log of logs) logEnd(log, item);
}

function logEnd(log: Logs[number], item: ItemResult): void {
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

/** The line of what ended the run as a whole. What was only stopped is no error; bad usage that began nothing leaves no log. */
export function logThrown(logs: Logs, thrown: unknown): void {
  const { code, hint } = thrown instanceof LoopliaError ? thrown : { code: "bug", hint: undefined };
  if (code === "interrupted" || code === "deadline") return;
  const retry = hint === undefined ? {} : { retryHint: hint };
  const told = logs.filter(({ hasBegun }) => hasBegun || !USAGE.has(code));
  for (const log of told) log.error({ code, message: messageOf(thrown), recoverable: false, ...retry });
}
