// Preloaded (`node --import`) into a program under test: what it would do after minutes it does once the file PASSED is
// there. How long the program has taken until then does not matter.
import { existsSync } from "node:fs";

const LONG_MS = 120_000;
const LOOK_MS = 20;
const file = process.env.PASSED ?? "";
const wait = globalThis.setTimeout;

function waitOrPass(
  act: (...values: unknown[]) => void,
  delay?: number,
  ...values: unknown[]
): NodeJS.Timeout {
  const timer = wait(act, delay, ...values);
  if ((delay ?? 0) < LONG_MS) return timer;
  const looking = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(looking);
    clearTimeout(timer);
    act(...values);
  }, LOOK_MS).unref();
  return timer;
}

globalThis.setTimeout = Object.assign(waitOrPass, wait) as typeof setTimeout;
