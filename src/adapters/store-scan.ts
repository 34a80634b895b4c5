// Reads the stores of a session or of a work and tells which lines count: the longest prefix of `seq` without a gap.
// Changes nothing on disk.
import { basename, join } from "node:path";
import type { WorkReading } from "../ports/work-log.ts";
import type { LoadedSession } from "../ports.ts";
import { type AuditHead, FIRST_PREV } from "../session/audit.ts";
import { toConversationLine, toEvent, toWorkEvent } from "../session/codec.ts";
import type { StoredLine, StoreName } from "../session/events.ts";
import type { WorkEvent } from "../session/work-events.ts";
import { namesIn } from "./durable-file.ts";
import type { StoreCipher } from "./store-cipher.ts";
import { refuseNewerWork } from "./store-header.ts";
import { payloadReader } from "./store-lines.ts";
import {
  type Cut,
  corruptStore,
  findCuts,
  lastWithoutGap,
  linesOf,
  readSegments,
  type Segment,
} from "./store-segments.ts";

export const STORES = ["events", "conversation", "audit"] as const satisfies readonly StoreName[];

export type SessionScan = Omit<LoadedSession, "setAside"> & {
  /** Number of the last line that counts; 0 for a new session. */
  seq: number;
  /** Of the audit lines that count. */
  auditHead: AuditHead;
  /** Numbers of each store's segments. */
  segments: Record<StoreName, number[]>;
  /** Newest segment first. */
  cuts: Cut[];
};

/**
 * Scans `sessions/<id>`; a missing folder is an empty session. Fails with `store-corrupt`, naming file and line, for
 * damage that no crash leaves. Only the payloads of `stores` are read; what the others say is left out.
 */
export async function scanSession(
  folder: string,
  {
    stores = ["events", "conversation"],
    cipher,
  }: { stores?: readonly StoreName[]; cipher?: StoreCipher } = {},
): Promise<SessionScan> {
  const found = await Promise.all(
    STORES.map((store) => {
      // The program never reads what audit says: its payloads need no memory.
      const read = stores.includes(store) ? payloadReader(store, basename(folder), cipher) : "skip";
      return readSegments({ folder, store, read });
    }),
  );
  const [events = [], conversation = [], audit = []] = found;
  const all = found.flat();
  const seq = lastWithoutGap(all);
  const read = (store: StoreName) => (stores.includes(store) ? linesOf(all, store, seq) : []);
  return {
    events: read("events").map(toEvent),
    conversation: read("conversation").map(toConversationLine),
    auditHead: headOf(linesOf(audit, "audit", seq)),
    seq,
    segments: { events: numbersOf(events), conversation: numbersOf(conversation), audit: numbersOf(audit) },
    cuts: findCuts(all, seq),
  };
}

function headOf(audit: readonly StoredLine[]): AuditHead {
  return { count: audit.length, hash: audit.at(-1)?.hash ?? FIRST_PREV };
}

/**
 * A copy of a session's lines for those who only look: never waits, never mends. Fails with `config-invalid` where the
 * conversation is encrypted and the cipher is missing or another.
 */
export async function readSession(
  workFolder: string,
  sessionId: string,
  cipher?: StoreCipher,
): Promise<LoadedSession> {
  await refuseNewerWork(workFolder);
  const folder = sessionFolder(workFolder, sessionId);
  const { events, conversation } = await scanSession(folder, cipher ? { cipher } : {});
  return { events, conversation, setAside: [] };
}

export type WorkScan = { events: WorkEvent[]; seq: number; segments: number[]; cuts: Cut[] };

/** Scans a work's own log, as `scanSession` does a session's stores. */
export async function scanWorkLog(workFolder: string): Promise<WorkScan> {
  const segments = await readSegments({ folder: workFolder, store: "work" });
  const seq = lastWithoutGap(segments);
  const events = linesOf(segments, "work", seq).map(toWorkEvent);
  return { events, seq, segments: numbersOf(segments), cuts: findCuts(segments, seq) };
}

/**
 * What happened to a work and to each of its sessions, for those who only look: takes no lock, never waits, never mends,
 * and needs no key. A missing folder is a work that nothing happened to. Fails with `store-corrupt`.
 */
export async function readWork(
  workFolder: string,
  check: (folder: string, scan: { cuts: readonly Cut[] }) => void = () => {},
): Promise<WorkReading> {
  await refuseNewerWork(workFolder);
  const log = await scanWorkLog(workFolder);
  check(workFolder, log);
  const sessions: WorkReading["sessions"] = new Map();
  for (const sessionId of namesIn(join(workFolder, "sessions"))) {
    const folder = sessionFolder(workFolder, sessionId);
    const scan = await scanSession(folder, { stores: ["events"] });
    check(folder, scan);
    sessions.set(sessionId, { events: scan.events, auditHead: scan.auditHead });
  }
  return { events: log.events, sessions };
}

/**
 * The same of a work whose stores must be whole: fails with `store-corrupt` where something in its folder would not count.
 * A killed process leaves that on its own disk, but a checkpoint has whole segments only: there somebody else changed it.
 */
export function readWholeWork(workFolder: string): Promise<WorkReading> {
  return readWork(workFolder, requireNoCut);
}

function requireNoCut(folder: string, { cuts: [cut] }: { cuts: readonly Cut[] }): void {
  if (!cut) return;
  throw corruptStore(
    `${join(folder, cut.store, cut.name)}: ${cut.lines} lines follow something that is missing or torn.`,
  );
}

/** Where a session of a work has its stores. */
export function sessionFolder(workFolder: string, sessionId: string): string {
  return join(workFolder, "sessions", sessionId);
}

function numbersOf(segments: readonly Segment[]): number[] {
  return segments.map(({ number }) => number);
}
