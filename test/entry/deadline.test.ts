// When a run must begin to save itself.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withDeadline } from "../../src/entry/lifetime.ts";

const never = new AbortController().signal;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("timeout-minutes counts from the start of the process, not from when the work begins", () => {
  const signal = withDeadline(never, 10, 2 * 60_000);
  vi.advanceTimersByTime(8 * 60_000 - 30_001);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toBe("deadline");
});

test("time that is up already stops at once", () => {
  expect(withDeadline(never, 1, 60_000).reason).toBe("deadline");
});
