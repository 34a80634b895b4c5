// The stores of a work in `.looplia/state/<work-id>/`, laid out as in INTERFACE §6.
import { basename, dirname, join } from "node:path";
import type { WorkEvent } from "../core/events.ts";
import { type AuditHead, encodeLine } from "../core/lines.ts";
import type { Clock, SessionStore, Stores, WorkStore } from "../core/ports.ts";
import { type StoreCipher, storeCiphers } from "./cipher.ts";
import { allDone, createFile, makeFolder, namesIn, removeLeftovers } from "./durable.ts";
import { findInteraction, findOpenQuestions, findSessionWork, requestsOfWork } from "./find.ts";
import { takeLock, type WorkLock } from "./lock.ts";
import { type FrozenFiles, findPack, openFrozenFiles, type PackBase, packName, readBase } from "./packed.ts";
import {
  checkId,
  raiseVersion,
  readSession,
  refuseNewerWork,
  scanWorkLog,
  setAsideCuts,
  storeFolder,
  writeHeader,
} from "./scan.ts";
import { SegmentWriter } from "./segments.ts";
import { type FileSessionStore, openSession, packSession } from "./session.ts";

// A work's own log on the local disk (`work/<n>.jsonl`), open for this process alone.

type FileWorkLog = {
  readonly writer: SegmentWriter;
  events(): Promise<WorkEvent[]>;
  append(events: readonly WorkEvent[]): Promise<void>;
};

/** Opens the log in a work's folder and sets invalid lines aside. The caller holds the work's lock. */
async function openWorkLog(folder: string, clock: Clock): Promise<FileWorkLog> {
  const scan = await scanWorkLog(folder);
  removeLeftovers(join(folder, "work"));
  await setAsideCuts(folder, scan.cuts, clock, () => {
    scan.segments.pop();
  });
  const writer = new SegmentWriter(folder, "the work's log", [["work", scan.segments]]);
  let { seq } = scan;
  return {
    writer,
    async events() {
      await writer.drained();
      return (await scanWorkLog(folder)).events;
    },
    async append(events) {
      if (events.length === 0) return;
      const at = clock.now().toISOString();
      let text = "";
      for (const { type, payload } of events) {
        seq += 1;
        text += encodeLine({ v: 1, seq, at, type, payload });
      }
      return writer.write([{ store: "work", text }]);
    },
  };
}

/**
 * The highest question number of the work so far: each question gets a new one, even if it is never asked.
 */
export async function lastOrdinal(folder: string): Promise<number> {
  let count = 0;
  let highest = 0;
  for await (const { request } of requestsOfWork(folder, '"UserInteractionRequested"')) {
    count += 1;
    const ordinal = /^q([1-9]\d{0,8})-/.exec(String(request.shortId))?.[1];
    highest = Math.max(highest, Number(ordinal ?? 0));
  }
  return Math.max(count, highest);
}

/** The stores of all works below `stateFolder` (absolute: `.looplia/state`, or its configured place). */
export function openStores(options: {
  stateFolder: string;
  codeVersion: string;
  clock: Clock;
  /** Encrypts the words of models and tools. */
  stateKey?: string | undefined;
  /** Comes before a work is opened, and so before anything is written. */
  beforeOpening?: (() => Promise<void>) | undefined;
}): Stores {
  const { stateFolder, codeVersion, clock, stateKey } = options;
  const cipherOf = storeCiphers(stateKey);
  return {
    async open(work) {
      checkId(work.workId, "work");
      await options.beforeOpening?.();
      const folder = join(stateFolder, work.workId);
      const cipher = await cipherOf(work.workId);
      return openWorkStore({
        folder,
        header: { ...work, codeVersion },
        clock,
        ...(cipher ? { cipher } : {}),
      });
    },
    async look(sessionId) {
      const workId = await findSessionWork(stateFolder, sessionId);
      if (workId === undefined) return undefined;
      return readSession(join(stateFolder, workId), sessionId, await cipherOf(workId));
    },
    findSession: (sessionId) => findSessionWork(stateFolder, sessionId),
    findInteraction: (id) => findInteraction(stateFolder, id),
    openQuestions: (workId) => findOpenQuestions(join(stateFolder, workId)),
  };
}

/**
 * Opens the stores of a work in `folder` (absolute, named by the work id) and creates missing ones. Only one
 * live process may have them open. Throws `busy`, `lost-race`, `store-corrupt`, or `config-invalid` if it may
 * not write.
 */
export async function openWorkStore(options: {
  folder: string;
  header: Parameters<typeof writeHeader>[1];
  clock: Clock;
  /** Encrypts the words of models and tools. */
  cipher?: StoreCipher;
}): Promise<WorkStore> {
  const { folder, header, clock, cipher } = options;
  checkId(header.workId, "work");
  await refuseNewerWork(folder);
  const made = makeFolder(folder);
  const lock = await takeLock(folder).catch(async (error: unknown) => {
    await made;
    throw error;
  });
  const frozen = openFrozenFiles(join(folder, "frozen"), cipher);
  const begin = async (): Promise<void> => {
    await frozen.checkKey();
    removeLeftovers(folder);
    await allDone([ignoreState(folder), writeHeader(folder, header, clock)]);
    removeLeftovers(join(folder, "frozen"));
  };
  try {
    await allDone([made, begin()]);
  } catch (error) {
    lock.release();
    throw error;
  }
  const log = await openWorkLog(folder, clock).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  return new FileWorkStore({ folder, workId: header.workId }, { clock, cipher, frozen }, log, lock);
}

/** Works of so few sessions stay as they are, for everyone to read; more are packed as they end. */
const FEW = 8;
/** Sessions of earlier runs that one run packs: it should not end much later for them. */
const MOST_OLD = 100;

type Around = { clock: Clock; cipher: StoreCipher | undefined; frozen: FrozenFiles };

class FileWorkStore implements WorkStore {
  readonly workId: string;
  readonly #folder: string;
  readonly #around: Around;
  readonly #log: FileWorkLog;
  readonly #lock: WorkLock;
  readonly #open = new Map<string, Promise<FileSessionStore> | undefined>();
  readonly #auditHeads = new Map<string, AuditHead>();
  /** Sessions that were closed and not looked at since: they may have ended. */
  readonly #closed = new Set<string>();
  /** Sessions that are being packed. */
  readonly #packs = new Map<string, Promise<void>>();
  #isLarge = false;
  #raised: Promise<void> | undefined;
  #base: Promise<PackBase | undefined> | undefined;
  #ordinal: Promise<number> | undefined;
  /** Seals and rounds of packing, one after the other; sessions that open wait for the seals only. */
  #inTurn: Promise<void> = Promise.resolve();
  #sealing: Promise<void> = Promise.resolve();

  constructor(
    { folder, workId }: { folder: string; workId: string },
    around: Around,
    log: FileWorkLog,
    lock: WorkLock,
  ) {
    this.workId = workId;
    this.#folder = folder;
    this.#around = around;
    this.#log = log;
    this.#lock = lock;
  }

  async session(sessionId: string): Promise<SessionStore> {
    checkId(sessionId, "session");
    if (this.#open.has(sessionId)) throw new Error(`Session ${sessionId} is open already.`);
    // A session that waits for a seal must not be sealed itself: the two would wait for each other forever.
    this.#open.set(sessionId, undefined);
    await this.#packs.get(sessionId);
    await this.#sealing;
    const opening = openSession(sessionId, storeFolder(this.#folder, sessionId), {
      ...this.#around,
      whenAudited: (head) => head.count > 0 && this.#auditHeads.set(sessionId, head),
      whenClosed: () => {
        this.#open.delete(sessionId);
        this.#closed.add(sessionId);
        this.#inTurn = this.#inTurn.then(() => this.#packClosed());
      },
    });
    this.#open.set(sessionId, opening);
    opening.catch(() => this.#open.delete(sessionId));
    return opening;
  }

  workEvents(): Promise<WorkEvent[]> {
    return this.#log.events();
  }

  appendWorkEvents(events: readonly WorkEvent[]): Promise<void> {
    return this.#log.append(events);
  }

  nextOrdinal(): Promise<number> {
    const next = (this.#ordinal ?? lastOrdinal(this.#folder)).then((last) => last + 1);
    this.#ordinal = next;
    // A failed read may succeed for the next caller.
    next.catch(() => {
      if (this.#ordinal === next) this.#ordinal = undefined;
    });
    return next;
  }

  seal(whileSealed: () => Promise<void> = async () => {}): Promise<void> {
    const sealing = this.#inTurn.then(() => this.#sealAll(whileSealed));
    this.#inTurn = sealing.catch(() => undefined);
    this.#sealing = this.#inTurn;
    return sealing;
  }

  auditHeads(): ReadonlyMap<string, AuditHead> {
    return this.#auditHeads;
  }

  async #sealAll(whileSealed: () => Promise<void>): Promise<void> {
    let release = (): void => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    try {
      const sessions = await this.#openSessions();
      const writers = [this.#log, ...sessions].map(({ writer }) => writer);
      await Promise.all(writers.map((writer) => writer.seal(until)));
      await whileSealed();
    } finally {
      release();
    }
  }

  async #openSessions(): Promise<FileSessionStore[]> {
    const opened = await Promise.allSettled(this.#open.values());
    return opened.flatMap((session) => (session.status === "fulfilled" ? (session.value ?? []) : []));
  }

  /** A pack only saves space: a session that cannot be packed stays as it is. */
  async #packClosed(): Promise<void> {
    if (this.#closed.size === 0 || !(await this.#canPack())) return;
    const waiting = [...this.#closed].filter((sessionId) => !this.#open.has(sessionId));
    this.#closed.clear();
    // One at a time: each takes a megabyte, and every thread that has compressed one keeps as much.
    for (const sessionId of waiting) await this.#pack(sessionId);
  }

  /** Looked up until it is true, and then never again: the folder of a large work takes long to list. */
  async #canPack(): Promise<boolean> {
    if (this.#isLarge) return true;
    const sessions = namesIn(join(this.#folder, "sessions"));
    if (sessions.length <= FEW) return false;
    const isLoose = (sessionId: string) => !packName(storeFolder(this.#folder, sessionId));
    for (const sessionId of sessions.filter(isLoose).slice(0, MOST_OLD)) this.#closed.add(sessionId);
    this.#base = this.#findBase(sessions).catch(() => undefined);
    this.#isLarge = true;
    return true;
  }

  async #pack(sessionId: string): Promise<void> {
    if (this.#open.has(sessionId)) return;
    const packing = this.#packOne(sessionId).finally(() => this.#packs.delete(sessionId));
    this.#packs.set(sessionId, packing);
    await packing;
  }

  async #packOne(sessionId: string): Promise<void> {
    const base = await this.#base;
    const around = {
      ...this.#around,
      beforeWrite: () => (this.#raised ??= raiseVersion(this.#folder, "packs")),
    };
    const packed = packSession(storeFolder(this.#folder, sessionId), around, base).catch(() => base);
    if ((await packed) !== base) this.#base = packed;
  }

  /** What the packs of the work's other sessions continue. */
  async #findBase(sessions: readonly string[]): Promise<PackBase | undefined> {
    for (const sessionId of sessions) {
      const pack = findPack(storeFolder(this.#folder, sessionId));
      const sha256 = pack && (pack.sealed ?? pack.open).base;
      if (sha256 !== undefined) return readBase(sha256, this.#around.frozen);
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#inTurn;
    for (const session of await this.#openSessions()) await session.close();
    await this.#inTurn;
    await this.#log.writer.close();
    this.#lock.release();
  }
}

/** Writes `.looplia/.gitignore` if it is missing, so that state is not committed by accident. */
async function ignoreState(folder: string): Promise<void> {
  const state = dirname(folder);
  const workspace = dirname(state);
  if (basename(state) !== "state" || basename(workspace) !== ".looplia") return;
  removeLeftovers(workspace);
  await createFile(join(workspace, ".gitignore"), "state/\nstate-set-aside-*/\n");
}
