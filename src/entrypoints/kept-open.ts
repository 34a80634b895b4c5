// Stores that are lent: whoever opened them closes them.
import type { WorkStore } from "../ports.ts";

/** The same stores; closing them here does nothing. */
export function keptOpen(store: WorkStore): WorkStore {
  return {
    workId: store.workId,
    session: (sessionId) => store.session(sessionId),
    workEvents: () => store.workEvents(),
    appendWorkEvents: (events) => store.appendWorkEvents(events),
    nextOrdinal: () => store.nextOrdinal(),
    seal: (whileSealed) => store.seal(whileSealed),
    auditHeads: () => store.auditHeads(),
    close: async () => {},
  };
}
