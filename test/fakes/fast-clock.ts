// The environment in which a process's time passes faster; see fast-clock.mjs.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const from = new Date().toISOString();

/** Processes of one test that get the same rate agree on the date. */
export function fastClock(rate: number): Record<string, string> {
  const loaded = pathToFileURL(join(import.meta.dirname, "fast-clock.mjs"));
  return { CLOCK_RATE: String(rate), CLOCK_FROM: from, NODE_OPTIONS: `--import=${loaded}` };
}
