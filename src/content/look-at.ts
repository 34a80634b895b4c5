// A session's stores, for those who only look.
import { type SessionView, viewSession } from "../session/session-view.ts";
import type { ContentPorts } from "./ports.ts";

/** What is stored of a session, or undefined where nothing is. */
export async function lookAt(
  ports: Pick<ContentPorts, "stores">,
  sessionId: string,
): Promise<SessionView | undefined> {
  const lines = await ports.stores.look(sessionId);
  return lines && viewSession(sessionId, lines);
}
