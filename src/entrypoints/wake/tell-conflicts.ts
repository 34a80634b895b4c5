// A run that is done is not over while a person must say what becomes of what was pushed over its files.
import { type ItemResult, summarizeItems } from "../../content/item-result.ts";
import { waitsForConflict } from "../../session/conflict.ts";
import { openInteractions } from "../../session/state.ts";
import type { Ran } from "./run-work.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** How a run ended, where some of its sessions wait for such an answer now. */
export async function tellConflicts(work: WorkInHand, ran: Ran): Promise<Ran> {
  const waiting = (await work.sessions()).filter(({ state }) => waitsForConflict(state));
  if (waiting.length === 0) return ran;
  const tell = (item: ItemResult): ItemResult => {
    const session = waiting.find(({ sessionId }) => sessionId === item.sessionId);
    if (!session || item.status === "failed") return item;
    const interactions = openInteractions(session.state);
    return { ...item, status: "waiting", reasonCode: "open-questions", interactions };
  };
  const [all, reported] = [ran.all.map(tell), ran.reported.map(tell)];
  const outcome = ran.outcome.status === "completed" ? summarizeItems(reported) : ran.outcome;
  return { ...ran, all, reported, outcome };
}
