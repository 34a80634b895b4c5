// A wake, whatever woke it: look at the work, do what can be done, show it, and look again (DURABILITY, "A wake").
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ItemResult } from "../../content/item-result.ts";
import type { Outcome } from "../action/outcome.ts";
import { wakeOnce } from "./wake-once.ts";
import type { Round, WakeRun } from "./wake-run.ts";

/**
 * Runs rounds until nothing new is in the inbox. Comments may come as fast as they are answered: where no more could be
 * shown of another round, the next wake reads on. Fills in `told`. Throws LoopliaError for what ends the run.
 */
export async function wake(run: WakeRun): Promise<Outcome> {
  const items = new Map<string, ItemResult>();
  let round = await wakeOnce(run);
  let outcome = round.outcome;
  keep(items, round);
  for (let number = 2; round.hasNews && run.statusEdits.isLeft && !run.signal.aborted; number += 1) {
    const before = round;
    if (!before.hasEnded) tell(run, before.outcome);
    round = await wakeOnce(await nextRound(run, number));
    // Somebody else was faster: that is theirs now, what this run did before stays told.
    if (round.outcome.status === "ignored") break;
    // A command that only had to be refused changes nothing of what the round before did.
    if (!round.hasRun && round.outcome.status !== "failed") continue;
    keep(items, round);
    outcome = round.outcome;
    // GitHub fails at every end: the next wake reads on.
    if (!before.hasEnded && !round.hasEnded) break;
  }
  run.told.items = [...items.values()];
  return outcome;
}

/** A failure that the next round makes up for. */
function tell({ observe }: WakeRun, { reasonCode, message = "" }: Outcome): void {
  observe({ type: "notice", level: "warning", message: `${reasonCode}: ${message}` });
}

/** What came in meanwhile is all that is left: a fresh clone, and nothing of the items. */
async function nextRound(run: WakeRun, number: number): Promise<WakeRun> {
  const temporary = join(run.temporary, `round-${number}`);
  await mkdir(temporary);
  const repository = await run.openRepository(temporary);
  await repository.fetchCommit(run.found.baseCommit, run.found.base);
  return { ...run, kind: "respond", repository, temporary };
}

function keep(items: Map<string, ItemResult>, { reported }: Round): void {
  for (const item of reported) items.set(item.sessionId || item.source, item);
}
