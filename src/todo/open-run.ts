// Opens the session of a to-do file, or only looks at it.
import { createAsking } from "../agent/asking.ts";
import { Journal } from "../agent/journal.ts";
import { type SessionView, viewSession } from "../session/session-view.ts";
import type { TodoDocument } from "./document.ts";
import type { TodoPorts } from "./ports.ts";
import type { TodoRun } from "./todo-run.ts";

/** What is stored of the session, where a run may have nothing to do. */
export async function lookFirst(
  { sessionId, isLeftAlone }: { sessionId: string; isLeftAlone?: true },
  { host, stores }: TodoPorts,
  document: TodoDocument | undefined,
): Promise<SessionView | undefined> {
  if (document && !host.answersLater && !isLeftAlone) return undefined;
  const lines = await stores.look(sessionId);
  return lines && viewSession(sessionId, lines);
}

/** The run of a session whose work is open. */
export async function openRun(
  { ports, settings, work }: Pick<TodoRun, "ports" | "settings" | "work">,
  sessionId: string,
): Promise<TodoRun> {
  const store = await work.store.session(sessionId);
  const { journal, setAside } = await Journal.open(work.store.workId, store, ports.redact);
  for (const message of setAside) ports.observe({ type: "notice", level: "warning", message, sessionId });
  const canceled = ports.cancellations?.signalOf(sessionId);
  const signal = canceled ? AbortSignal.any([ports.signal, canceled]) : ports.signal;
  const tried = { blocked: new Set<string>(), skipped: new Set<string>() };
  const asking = createAsking(settings.people, work, ports.startedBy);
  const fresh = { stored: undefined, tried, iterations: 0, failures: 0 };
  return { ports: { ...ports, signal }, settings, work, journal, asking, ...fresh };
}
