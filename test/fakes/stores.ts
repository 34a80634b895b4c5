// The file stores of a folder, as the wiring puts them together.
import { join } from "node:path";
import { openWorkStore } from "../../src/adapters/store-files.ts";
import { findInteraction, findSessionWork } from "../../src/adapters/store-find.ts";
import { findOpenInteractions } from "../../src/adapters/store-questions.ts";
import { readSession } from "../../src/adapters/store-scan.ts";
import type { Clock, Stores } from "../../src/ports.ts";

/** `state` is the folder that has a folder for each work. */
export function openStores(state: string, clock: Clock): Stores {
  return {
    open: ({ workId, kind, key }) =>
      openWorkStore({
        folder: join(state, workId),
        header: { workId, kind, key, codeVersion: "test" },
        clock,
      }),
    async look(sessionId) {
      const workId = await findSessionWork(state, sessionId);
      return workId === undefined ? undefined : readSession(join(state, workId), sessionId);
    },
    findSession: (sessionId) => findSessionWork(state, sessionId),
    findInteraction: (id) => findInteraction(state, id),
    openInteractions: (workId) => findOpenInteractions(join(state, workId)),
  };
}
