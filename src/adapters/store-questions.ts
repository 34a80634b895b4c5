// Which questions of a work are open, by looking; takes no lock and changes nothing.
import { join } from "node:path";
import { LoopliaError } from "../errors.ts";
import { loadLineDecoder, toEvent } from "../session/codec.ts";
import type { DomainEvent } from "../session/events.ts";
import { foldEvents, openInteractions } from "../session/state.ts";
import { namesIn, readWhole } from "./durable-file.ts";

/**
 * Interaction ids over all sessions of the work in `folder` (absolute). Torn lines do not count, nor does a session whose
 * stores are damaged: opening it tells of that.
 */
export async function findOpenInteractions(folder: string): Promise<string[]> {
  const sessions = join(folder, "sessions");
  const open = await Promise.all(
    (await namesIn(sessions)).map(async (sessionId) => {
      const events = await eventsIn(join(sessions, sessionId, "events")).catch((error: unknown) => {
        if (error instanceof LoopliaError) return [];
        throw error;
      });
      return openInteractions(foldEvents(events)).map(({ interactionId }) => interactionId);
    }),
  );
  return open.flat();
}

/** Most sessions never asked: their lines are not parsed. */
async function eventsIn(folder: string): Promise<DomainEvent[]> {
  const texts: { path: string; text: string }[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    texts.push({ path, text: String(await readWhole(path)) });
  }
  if (!texts.some(({ text }) => text.includes('"UserInteractionRequested"'))) return [];
  const decode = await loadLineDecoder();
  return texts.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line) => {
      const stored = decode("events", line, path);
      return stored ? [toEvent(stored)] : [];
    }),
  );
}
