// A work in hand over real stores in a temporary folder; its state ref goes nowhere.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DomainEvent } from "../../src/core/events.ts";
import type { PullComment, StateRef } from "../../src/core/ports-host.ts";
import { redactNothing } from "../../src/core/redaction.ts";
import { foldEvents } from "../../src/core/state.ts";
import { readWork } from "../../src/store/scan.ts";
import { openWorkStore } from "../../src/store/work.ts";
import { WorkInHand } from "../../src/work/run.ts";
import { fixedClock } from "./fixed-clock.ts";

export const WORK_ID = "writing-kit-abc123";

export type HeldWork = {
  work: WorkInHand;
  /** Stores events of a session, as a run does. */
  happen(sessionId: string, events: readonly DomainEvent[]): Promise<void>;
  /** Lists these comments whatever is asked; `since` is what was asked last. */
  listing(comments: readonly PullComment[]): {
    comments(pullRequest: number, since?: string): Promise<PullComment[]>;
    since(): string | undefined;
  };
  close(): Promise<void>;
};

export async function holdWork(clock = fixedClock()): Promise<HeldWork> {
  const root = await mkdtemp(join(tmpdir(), "looplia-held-"));
  const folder = join(root, WORK_ID);
  const header = { workId: WORK_ID, kind: "content", key: "k", codeVersion: "0.0.0" } as const;
  const store = await openWorkStore({ folder, header, clock });
  const work = await WorkInHand.open({
    stateRef: {} as StateRef,
    store,
    readSessions: async () =>
      [...(await readWork(folder)).sessions].map(([sessionId, { events, auditHead }]) => ({
        sessionId,
        state: foldEvents(events),
        auditHead,
      })),
    redact: redactNothing,
  });
  return {
    work,
    happen: (sessionId, events) => work.change(sessionId, events),
    listing(comments) {
      let asked: string | undefined;
      return {
        since: () => asked,
        async comments(_, since) {
          asked = since;
          return comments.filter(({ createdAt }) => since === undefined || createdAt >= since);
        },
      };
    },
    async close() {
      await store.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
