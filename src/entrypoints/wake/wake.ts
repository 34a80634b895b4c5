// A wake, whatever woke it: look at the work, do what can be done, show it, and look again (DURABILITY, "A wake").
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ItemResult } from "../../content/item-result.ts";
import { type Outcome, outcomeOf, settle } from "../action/outcome.ts";
import { wakeOnce } from "./wake-once.ts";
import type { Round, WakeRun } from "./wake-run.ts";

/** `isShown`: the pull request tells how it ended. `wasOver`: the work was closed before this run came to it. */
export type Woken = { outcome: Outcome; isShown: boolean; wasOver: boolean };

/**
 * Runs rounds until nothing new is in the inbox. Comments may come as fast as they are answered: where no more could be
 * shown of another round, the next wake reads on. Fills in `told`. Throws LoopliaError for what ends the run.
 */
export async function wake(run: WakeRun): Promise<Woken> {
  const items = new Map<string, ItemResult>();
  let round = await wakeOnce(run);
  let outcome = round.outcome;
  const wasOver = outcome.reasonCode === "closed" && !round.hasRun;
  keep(items, round);
  for (let number = 2; round.hasNews && run.statusEdits.isLeft && !run.signal.aborted; number += 1) {
    const before = round;
    if (!before.hasEnded) tell(run, before.outcome);
    round = await wakeOnce(await nextRound(run, String(number)));
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
  if (round.hasNews) tellOfNews(run);
  return { outcome, isShown: round.hasEnded || (await isShownByOthers(run, round)), wasOver };
}

/** Whoever won a race shows the rest of it. */
async function isShownByOthers(run: WakeRun, { outcome }: Round): Promise<boolean> {
  if (outcome.reasonCode === "lost-race") return true;
  return outcome.reasonCode === "closed" && (await showClosed(run));
}

/**
 * The pull request was closed, or its branch deleted, while this run was at work: perhaps nobody ever wakes it again, so
 * that is shown now. True where it was.
 */
async function showClosed(run: WakeRun): Promise<boolean> {
  const { pullRequest } = run.work;
  if (!pullRequest || run.signal.aborted || !run.statusEdits.isLeft) return false;
  return settle(
    async () => {
      run.work.pullRequest = (await run.host.pullRequest(pullRequest.number)) ?? pullRequest;
      return (await wakeOnce(await nextRound(run, "closed"))).outcome.reasonCode === "closed";
    },
    (thrown) => {
      tell(run, outcomeOf(thrown));
      return false;
    },
  );
}

function tellOfNews({ observe }: WakeRun): void {
  const message =
    "what was said while this run ended is read by the next one, which any comment with a command starts";
  observe({ type: "notice", level: "warning", message });
}

/** A failure that the next round makes up for. */
function tell({ observe }: WakeRun, { reasonCode, message = "" }: Outcome): void {
  observe({ type: "notice", level: "warning", message: `${reasonCode}: ${message}` });
}

/** What came in meanwhile is all that is left: a fresh clone, and nothing of the items. */
async function nextRound(run: WakeRun, name: string): Promise<WakeRun> {
  const temporary = join(run.temporary, `round-${name}`);
  await mkdir(temporary);
  const repository = await run.openRepository(temporary);
  await repository.fetchCommit(run.found.baseCommit, run.found.base);
  return { ...run, kind: "respond", repository, temporary };
}

function keep(items: Map<string, ItemResult>, { reported }: Round): void {
  for (const item of reported) items.set(item.sessionId || item.source, item);
}
