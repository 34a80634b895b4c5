// The stores of one session on the local disk, open for this process alone.
import { basename, join } from "node:path";
import type { StoredLine, StoreLine } from "../core/events.ts";
import { type AuditHead, chainLine, encodeLine, FIRST_PREV, toEvent, verifyChain } from "../core/lines.ts";
import type { Clock, LoadedSession, SessionStore } from "../core/ports.ts";
import { foldEvents, isUnderWay, waitsForConflict } from "../core/state.ts";
import type { StoreCipher } from "./cipher.ts";
import { removeLeftovers } from "./durable.ts";
import {
  encodePack,
  type FrozenFiles,
  makeBase,
  type PackBase,
  type PackTexts,
  packTexts,
  removeUnpacked,
  writePack,
} from "./packed.ts";
import { readAllLines, STORES, scanSession, setAsideCuts } from "./scan.ts";
import { findCuts, type Group, SegmentWriter, toStored } from "./segments.ts";

type Surroundings = {
  frozen: FrozenFiles;
  clock: Clock;
  cipher: StoreCipher | undefined;
  /** Called with the audit log's end on opening and after each write. */
  whenAudited: (head: AuditHead) => void;
  whenClosed: () => void;
};

/** Opens `sessions/<id>` and sets invalid lines aside. The caller holds the work's lock. */
export async function openSession(
  sessionId: string,
  folder: string,
  around: Surroundings,
): Promise<FileSessionStore> {
  const scan = await scanSession(folder, cipherOf(around));
  for (const name of STORES) removeLeftovers(join(folder, name));
  await removeUnpacked(folder);
  const setAside = await setAsideCuts(folder, scan.cuts, around.clock, ({ store }) => {
    if (store !== "work") scan.segments[store].pop();
  });
  return new FileSessionStore({ sessionId, folder }, scan, setAside, around);
}

/** `beforeWrite` is called before a pack is written. */
type PackSurroundings = Pick<Surroundings, "frozen" | "cipher"> & { beforeWrite: () => Promise<void> };

/**
 * Packs a session that has ended: no task is open, no question waits, and everything on disk counts. Nothing is lost when
 * the process is killed meanwhile. Returns what the next session's pack should continue.
 */
export async function packSession(
  folder: string,
  { frozen, cipher, beforeWrite }: PackSurroundings,
  base: PackBase | undefined,
): Promise<PackBase | undefined> {
  const { pack, segments, seq, events, conversation, audit } = await readAllLines(folder, cipher);
  const last = (store: keyof PackTexts) =>
    segments.findLast((segment) => segment.store === store)?.number ?? pack?.through[store] ?? 0;
  const through = { conversation: last("conversation"), audit: last("audit") };
  const state = foldEvents(events.map(toEvent));
  const isOver = state.tasks.size > 0 && !isUnderWay(state) && !waitsForConflict(state);
  const isPacked = through.conversation === (pack?.through.conversation ?? 0);
  if (!isOver || isPacked || findCuts(segments, seq).length > 0) return base;
  // A pack would show the hashes of a broken chain, and hide what was changed from those who have no key.
  if (cipher && !verifyChain(audit).ok) return base;
  const auditHead = { count: audit.length, hash: audit.at(-1)?.hash ?? FIRST_PREV };
  const lines = { conversation, audit };
  const texts = packTexts({ sessionId: basename(folder), lines }, cipher);
  const source = { sessionId: basename(folder), facts: { seq, through, auditHead }, lines, texts };
  let used = base ?? (await makeBase(texts, frozen));
  let bytes = await encodePack(source, used, cipher);
  if (!bytes) {
    used = await makeBase(texts, frozen);
    bytes = await encodePack(source, used, cipher);
  }
  if (!bytes) return base;
  await beforeWrite();
  await writePack(folder, (pack?.number ?? 0) + 1, bytes);
  await removeUnpacked(folder);
  return used;
}

/** The stores of a session as files; only `openSession` creates it, after reading them. */
export class FileSessionStore implements SessionStore {
  readonly sessionId: string;
  readonly writer: SegmentWriter;
  readonly #folder: string;
  readonly #around: Surroundings;
  readonly #setAside: string[];
  #loaded: LoadedSession | undefined;
  #seq: number;
  #auditHead: AuditHead;
  #isClosed = false;

  constructor(
    { sessionId, folder }: { sessionId: string; folder: string },
    scan: Awaited<ReturnType<typeof scanSession>>,
    setAside: string[],
    around: Surroundings,
  ) {
    this.sessionId = sessionId;
    const segments = STORES.map((store) => [store, scan.segments[store]] as const);
    this.writer = new SegmentWriter(folder, `session ${sessionId}`, segments);
    this.#folder = folder;
    this.#around = around;
    this.#setAside = setAside;
    this.#seq = scan.seq;
    this.#auditHead = scan.auditHead;
    this.#loaded = { events: scan.events, conversation: scan.conversation, setAside };
    around.whenAudited(scan.auditHead);
  }

  /** The durable lines. The first call returns the lines read on opening, later calls read again. */
  async load(): Promise<LoadedSession> {
    const loaded = this.#loaded;
    this.#loaded = undefined;
    if (loaded) return loaded;
    await this.writer.drained();
    const { events, conversation } = await scanSession(this.#folder, cipherOf(this.#around));
    return { events, conversation, setAside: this.#setAside };
  }

  async append(lines: readonly StoreLine[]): Promise<void> {
    if (this.#isClosed) throw new Error(`The stores of session ${this.sessionId} are closed.`);
    const groups = this.#encode(lines);
    if (groups.length === 0) return;
    this.#loaded = undefined;
    const head = this.#auditHead;
    // Runs before the writer's next step, so that a following seal sees the new end.
    return this.writer.write(groups).then(() => this.#around.whenAudited(head));
  }

  freeze(bytes: string): Promise<string> {
    return this.#around.frozen.freeze(bytes);
  }

  readFrozen(sha256: string): Promise<string> {
    return this.#around.frozen.read(sha256);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.writer.close();
    this.#around.whenClosed();
  }

  /**
   * Numbers the lines at once, so that they follow the order of calls; adjacent lines of one store share a
   * write.
   */
  #encode(lines: readonly StoreLine[]): Group[] {
    const at = this.#around.clock.now().toISOString();
    const groups: Group[] = [];
    let seq = this.#seq;
    let { count, hash } = this.#auditHead;
    for (const { store, type, payload } of lines) {
      seq += 1;
      const line: StoredLine = { v: 1, seq, at, type, payload };
      let stored = toStored(line, store, this.sessionId, this.#around.cipher);
      if (store === "audit") {
        const chained = chainLine(stored, hash);
        count += 1;
        hash = chained.hash;
        stored = chained;
      }
      const text = encodeLine(stored);
      const group = groups.at(-1);
      if (group?.store === store) group.text += text;
      else groups.push({ store, text });
    }
    this.#seq = seq;
    this.#auditHead = { count, hash };
    return groups;
  }
}

function cipherOf({ cipher }: Surroundings): { cipher?: StoreCipher } {
  return cipher ? { cipher } : {};
}
