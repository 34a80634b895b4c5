// How a run failed, as error lines of its logs.
import type { RunResult } from "../content/item-result.ts";
import { LoopliaError, messageOf } from "../errors.ts";

type Failure = {
  code: string;
  message: string;
  recoverable: boolean;
  retryHint?: string;
  sessionId?: string;
  source?: string;
};
type Logs = readonly { readonly hasBegun: boolean; error(failure: Failure): void }[];
/** Bad usage: whoever typed it is told at once. */
const USAGE = new Set(["config-invalid", "no-items"]);

/** A line for each item or list that failed: the next run may go on with it. */
export function logFailedItems(logs: Logs, { items }: RunResult): void {
  for (const { status, sessionId, source, reasonCode: code, message = "" } of items) {
    if (status !== "failed") continue;
    for (const log of logs) log.error({ code, message, recoverable: true, sessionId, source });
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
