// Which questions of a work are open, by looking; takes no lock and changes nothing.
import { LoopliaError } from "../errors.ts";
import { foldEvents } from "../session/fold-state.ts";
import { openInteractions } from "../session/state.ts";
import { requestsOfWork } from "./store-find.ts";
import { scanSession, sessionFolder } from "./store-scan.ts";

/**
 * Interaction ids over all sessions of the work in `folder` (absolute). Only the lines that count are looked at, and no
 * session whose stores are damaged: opening it tells of that.
 */
export async function findOpenInteractions(folder: string): Promise<string[]> {
  const asking = new Set<string>();
  // Most sessions never asked: their lines are not parsed.
  for await (const { sessionId } of requestsOfWork(folder, '"UserInteractionRequested"', () => {})) {
    asking.add(sessionId);
  }
  const open = await Promise.all([...asking].map((sessionId) => openIn(sessionFolder(folder, sessionId))));
  return open.flat();
}

async function openIn(session: string): Promise<string[]> {
  try {
    const { events } = await scanSession(session, { stores: ["events"] });
    return openInteractions(foldEvents(events)).map(({ interactionId }) => interactionId);
  } catch (error) {
    if (error instanceof LoopliaError) return [];
    throw error;
  }
}
