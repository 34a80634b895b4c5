// The file stores of a folder, as the wiring puts them together.
import { join } from "node:path";
import type { Clock, Stores } from "../../src/core/ports.ts";
import { findInteraction, findOpenQuestions, findSessionWork } from "../../src/store/find.ts";
import { readSession } from "../../src/store/scan.ts";
import { openWorkStore } from "../../src/store/work.ts";

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
    openQuestions: (workId) => findOpenQuestions(join(state, workId)),
  };
}
