// A wake, whatever woke it: look at the work, do what can be done, show it, and look again (DURABILITY, "A wake").
import { join } from "node:path";
import type { ItemResult } from "../../content/item-result.ts";
import type { Outcome } from "../action/outcome.ts";
import { wakeOnce } from "./wake-once.ts";
import type { Round, WakeRun } from "./wake-run.ts";

/** Comments may come as fast as they are answered; the next wake reads on. */
const ROUNDS = 10;

/** Runs rounds until nothing new is in the inbox. Fills in `told`. Throws LoopliaError for what ends the run. */
export async function wake(run: WakeRun): Promise<Outcome> {
  const items = new Map<string, ItemResult>();
  let round = await wakeOnce(run);
  let outcome = round.outcome;
  keep(items, round);
  for (let number = 2; round.hasNews && number <= ROUNDS && !run.signal.aborted; number += 1) {
    const { dispatched: _, ...again } = run;
    round = await wakeOnce({
      ...again,
      kind: "respond",
      work: { ...run.work, tip: round.tip },
      temporary: join(run.temporary, `round-${number}`),
    });
    // Somebody else was faster: that is theirs now, what this run did before stays told.
    if (round.outcome.status === "ignored") break;
    keep(items, round);
    outcome = round.outcome;
  }
  run.told.items = [...items.values()];
  return outcome;
}

function keep(items: Map<string, ItemResult>, { reported }: Round): void {
  for (const item of reported) items.set(item.sessionId || item.source, item);
}
