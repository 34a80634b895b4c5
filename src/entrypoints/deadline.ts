// When a run must end by itself.

/** Saving takes seconds: a run ends this long before its time is up, or at nine tenths of a short one. */
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
