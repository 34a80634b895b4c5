// Brings a work to this machine: its state ref is fetched into an empty folder, and its stores are opened there.
import { join } from "node:path";
import type { LoopliaError } from "../../errors.ts";
import type { WorkStore } from "../../ports.ts";
import { listFiles } from "../../session/conflict.ts";
import { stateRefsOf } from "../action/state-refs.ts";
import { adoptKey } from "./adopt-key.ts";
import { runIdOf, type WakeRun } from "./wake-run.ts";
import { WorkInHand } from "./work-in-hand.ts";

export type OpenedWork = {
  /** The run, with what the work's header says of it. */
  run: WakeRun;
  work: WorkInHand;
  /** Aborted once this run may not write any more. */
  fence: AbortSignal;
  /** Why it may not: `lost-race` or `closed`. */
  lost(): LoopliaError | undefined;
  /** Where the states of works are on this machine; this one's is below it, by its id. */
  stateFolder: string;
  close(): Promise<void>;
};

/** Characters of the names of files in a line of the log. */
const NOTICE_ROOM = 1_000;

/** The work as its state ref has it now, in an empty folder. Whoever opened it closes it. */
export async function openWork(run: WakeRun): Promise<OpenedWork> {
  const { work, found, wiring, observe } = run;
  const { stateKey } = found.settings;
  const [ref, ...formerRefs] = stateRefsOf(found.settings, work.workId);
  const stateFolder = join(run.temporary, "state");
  const folder = join(stateFolder, work.workId);
  const fence = new AbortController();
  let lost: LoopliaError | undefined;
  const opened: { store?: WorkStore; work?: WorkInHand } = {};
  const stateRef = await run.repository.openStateRef({
    ref,
    formerRefs,
    branch: work.branch,
    base: found.baseCommit,
    folder,
    run: runIdOf(run),
    seal: async (whileSealed) => opened.store?.seal(whileSealed),
    auditHeads: () => opened.store?.auditHeads() ?? new Map(),
    whenConflict: async (files) => {
      const { shown, more } = listFiles(files, NOTICE_ROOM);
      const paths = [...shown, ...(more ? [`and ${more.count} more`] : [])].join(", ");
      const message = `somebody changed the same files on ${work.branch}, and theirs stand: ${paths}`;
      observe({ type: "notice", level: "warning", message });
      await opened.work?.note({ type: "ConflictMet", payload: { files: [...files] } });
    },
    whenLost: (error) => {
      lost ??= error;
      fence.abort("interrupted");
    },
    notice: (message) => observe({ type: "notice", level: "warning", message }),
  });
  const adopted = await adoptKey(run, await wiring.readKey({ folder }));
  const place = { folder, workId: work.workId, kind: work.kind, key: work.key, stateKey };
  const { store, sessions } = await wiring.openWorkStore(place);
  opened.store = store;
  const readSessions = () => wiring.readSessions(place);
  const inHand = await WorkInHand.open({ stateRef, store, sessions, readSessions, redact: wiring.redact });
  opened.work = inHand;
  return {
    run: adopted,
    work: inHand,
    fence: fence.signal,
    lost: () => lost,
    stateFolder,
    close: () => store.close(),
  };
}
