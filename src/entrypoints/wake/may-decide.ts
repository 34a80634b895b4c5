// Whether who approved something may still do so: hours can lie between an approval and what it lets run.
import { mayStillDecide } from "../../trigger/who-may.ts";
import type { WakeRun } from "./wake-run.ts";

/** The calls of one turn run in a moment: nobody is asked about for each of them. */
const MOMENT_MS = 60_000;

/** Asks GitHub, for one person at most once a minute. Where GitHub failed, the next look asks again. */
export function createMayDecide(run: WakeRun): (actorId: string) => Promise<boolean> {
  const asked = new Map<string, { at: number; answer: Promise<boolean> }>();
  return (actorId) => {
    const at = run.clock.elapsed();
    const known = asked.get(actorId);
    if (known && at - known.at < MOMENT_MS) return known.answer;
    const answer = mayStillDecide(actorId, run.found.settings, run.discussion);
    asked.set(actorId, { at, answer });
    answer.catch(() => asked.delete(actorId));
    return answer;
  };
}
