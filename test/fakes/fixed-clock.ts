// A clock that stands still until it is moved.
import type { Clock } from "../../src/core/ports.ts";

export type FixedClock = Clock & { advance(milliseconds: number): void };

export function fixedClock(start = "2026-11-21T08:00:00.000Z"): FixedClock {
  let elapsed = 0;
  return {
    now: () => new Date(Date.parse(start) + elapsed),
    elapsed: () => elapsed,
    advance: (milliseconds) => {
      elapsed += milliseconds;
    },
  };
}
