// Stores of a process that is killed: after `lines` lines nothing more becomes durable.
import type { SessionStore, Stores, WorkStore } from "../../src/core/ports.ts";

export class Killed extends Error {}

/**
 * `lines` counts what became durable, over all sessions opened through it. The process dies as soon as that is `ends`,
 * or, when it `lingers`, at the next line: what it did in between on the disk is done.
 */
export type Life = { lines: number; readonly ends: number; readonly lingers?: boolean };

export function mortalStore(store: SessionStore, life: Life): SessionStore {
  const isOver = () => life.lines >= life.ends && !life.lingers;
  const die = (): never => {
    throw new Killed(`killed after ${life.lines} lines`);
  };
  return {
    sessionId: store.sessionId,
    load: () => store.load(),
    async append(lines) {
      const kept = lines.slice(0, Math.max(0, life.ends - life.lines));
      life.lines += kept.length;
      await store.append(kept);
      if (kept.length < lines.length || isOver()) die();
    },
    freeze: (bytes) => (isOver() ? die() : store.freeze(bytes)),
    readFrozen: (sha256) => store.readFrozen(sha256),
    close: () => store.close(),
  };
}

export function mortalStores(life: Life): (stores: Stores) => Stores {
  const mortalWork = (work: WorkStore): WorkStore => ({
    workId: work.workId,
    session: async (sessionId) => mortalStore(await work.session(sessionId), life),
    workEvents: () => work.workEvents(),
    appendWorkEvents: (events) => work.appendWorkEvents(events),
    nextOrdinal: () => work.nextOrdinal(),
    seal: (whileSealed) => work.seal(whileSealed),
    auditHeads: () => work.auditHeads(),
    close: () => work.close(),
  });
  return (stores) => ({ ...stores, open: async (work) => mortalWork(await stores.open(work)) });
}
