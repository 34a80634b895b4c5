// What comments and letters are judged and carried out with.
import type { Around } from "./inbox.ts";
import { outputsOf } from "./known-outputs.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

export function aroundOf(
  run: WakeRun,
  work: WorkInHand,
): Around & { settings: WakeRun["found"]["settings"] } {
  return {
    discussion: run.discussion,
    settings: run.found.settings,
    now: () => run.clock.now(),
    outputsOf: (sessionId) => outputsOf(run, work, sessionId),
    log: (message) => run.observe({ type: "notice", level: "info", message }),
  };
}
