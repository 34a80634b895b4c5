// The stores of a work on the local disk: `.looplia/state/<work-id>/`, laid out as in INTERFACE §6.
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { z as Zod } from "zod";
import { LoopliaError } from "../errors.ts";
import type { Clock, SessionStore, Stores, WorkStore } from "../ports.ts";
import type { WorkEvent } from "../session/work-events.ts";
import { createFile, diskError, errnoOf, makeFolder, removeLeftovers } from "./durable-file.ts";
import { findInteraction, findSessionWork } from "./store-find.ts";
import { type FrozenFiles, openFrozenFiles } from "./store-frozen.ts";
import { takeLock, type WorkLock } from "./store-lock.ts";
import { findOpenInteractions } from "./store-questions.ts";
import { readSession, sessionFolder } from "./store-scan.ts";
import { type FileSessionStore, openSession } from "./store-session.ts";
import { type FileWorkLog, lastOrdinal, openWorkLog } from "./store-work-log.ts";

const SCHEMA_VERSION = 1;
const ID = /^[a-z0-9][a-z0-9-]{0,80}$/;

const headerSchema = (z: typeof Zod) =>
  z.object({
    schemaVersion: z.literal(SCHEMA_VERSION),
    codeVersion: z.string(),
    workId: z.string().regex(ID),
    kind: z.string(),
    key: z.string(),
    createdAt: z.string(),
  });
export type WorkHeader = Zod.infer<ReturnType<typeof headerSchema>>;

/** What a new work's header says; an existing header stays as it is. */
export type NewWork = Pick<WorkHeader, "workId" | "kind" | "key" | "codeVersion">;

/** The stores of all works below `stateFolder` (absolute: `.looplia/state`, or where it was moved). */
export function openStores(options: { stateFolder: string; codeVersion: string; clock: Clock }): Stores {
  const { stateFolder, codeVersion, clock } = options;
  return {
    async open(work) {
      checkId(work.workId, "work");
      return openWorkStore({
        folder: join(stateFolder, work.workId),
        header: { ...work, codeVersion },
        clock,
      });
    },
    async look(sessionId) {
      const workId = await findSessionWork(stateFolder, sessionId);
      return workId === undefined ? undefined : readSession(join(stateFolder, workId), sessionId);
    },
    findSession: (sessionId) => findSessionWork(stateFolder, sessionId),
    findInteraction: (id) => findInteraction(stateFolder, id),
    openInteractions: (workId) => findOpenInteractions(join(stateFolder, workId)),
  };
}

/**
 * Opens the stores of a work in `folder` (absolute, named by the work id), and creates what is missing. One live
 * process at a time. Fails with `busy`, `lost-race`, `store-corrupt`, and `config-invalid` where it may not write.
 */
export async function openWorkStore(options: {
  folder: string;
  header: NewWork;
  clock: Clock;
}): Promise<WorkStore> {
  const { folder, header, clock } = options;
  checkId(header.workId, "work");
  await makeFolder(folder);
  const lock = await takeLock(folder);
  try {
    removeLeftovers(folder);
    // Both have ended before the lock is given back.
    const written = await Promise.allSettled([ignoreState(folder), writeHeader(folder, header, clock)]);
    for (const one of written) if (one.status === "rejected") throw one.reason;
    removeLeftovers(join(folder, "frozen"));
  } catch (error) {
    lock.release();
    throw error;
  }
  const log = await openWorkLog(folder, clock).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  return new FileWorkStore(folder, header.workId, clock, log, lock);
}

class FileWorkStore implements WorkStore {
  readonly workId: string;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: FileWorkLog;
  readonly #lock: WorkLock;
  readonly #frozen: FrozenFiles;
  readonly #open = new Map<string, Promise<FileSessionStore> | undefined>();
  #ordinal: Promise<number> | undefined;
  #sealing: Promise<void> = Promise.resolve();

  constructor(folder: string, workId: string, clock: Clock, log: FileWorkLog, lock: WorkLock) {
    this.workId = workId;
    this.#folder = folder;
    this.#clock = clock;
    this.#log = log;
    this.#lock = lock;
    this.#frozen = openFrozenFiles(join(folder, "frozen"));
  }

  async session(sessionId: string): Promise<SessionStore> {
    checkId(sessionId, "session");
    if (this.#open.has(sessionId)) throw new Error(`Session ${sessionId} is open already.`);
    // One that waits for a seal is nothing to seal: waiting for it in turn would never end.
    this.#open.set(sessionId, undefined);
    await this.#sealing;
    const opening = openSession(sessionId, sessionFolder(this.#folder, sessionId), {
      frozen: this.#frozen,
      clock: this.#clock,
      whenClosed: () => this.#open.delete(sessionId),
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
    return next;
  }

  seal(whileSealed: () => Promise<void> = async () => {}): Promise<void> {
    const sealing = this.#sealing.then(() => this.#sealAll(whileSealed));
    this.#sealing = sealing.catch(() => undefined);
    return sealing;
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

  async close(): Promise<void> {
    await this.#sealing;
    for (const session of await this.#openSessions()) await session.close();
    await this.#log.writer.close();
    this.#lock.release();
  }
}

/** The header of a work, or undefined where there is none. Fails with `store-corrupt` when it is not ours. */
export async function readHeader(folder: string): Promise<WorkHeader | undefined> {
  const path = join(folder, "header.json");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw diskError(error, path);
  });
  if (text === undefined) return undefined;
  const value = parseHeader(text, path);
  // A new work has no header to check.
  const { z } = await import("zod");
  const version = z.looseObject({ schemaVersion: z.number() }).safeParse(value);
  if (version.success && version.data.schemaVersion > SCHEMA_VERSION) {
    throw new LoopliaError("store-corrupt", `${path}: written by a newer version of looplia.`, {
      hint: "Go on with the newer looplia.",
    });
  }
  const result = headerSchema(z).safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw damagedHeader(path, `${issue?.path.join(".") || "the header"}: ${issue?.message ?? "wrong shape"}`);
  }
  return result.data;
}

function parseHeader(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedHeader(path, "not JSON", cause);
  }
}

async function writeHeader(folder: string, work: NewWork, clock: Clock): Promise<void> {
  const found = await readHeader(folder);
  if (found && found.workId !== work.workId) {
    throw damagedHeader(join(folder, "header.json"), `it belongs to the work ${found.workId}`);
  }
  if (found) return;
  const { workId, kind, key, codeVersion } = work;
  const createdAt = clock.now().toISOString();
  const header: WorkHeader = { schemaVersion: SCHEMA_VERSION, codeVersion, workId, kind, key, createdAt };
  await createFile(join(folder, "header.json"), `${JSON.stringify(header, null, 2)}\n`);
}

/** State must not be committed by accident: `.looplia/.gitignore` is written where there is none. */
async function ignoreState(folder: string): Promise<void> {
  const state = dirname(folder);
  const workspace = dirname(state);
  if (basename(state) !== "state" || basename(workspace) !== ".looplia") return;
  removeLeftovers(workspace);
  await createFile(join(workspace, ".gitignore"), "state/\n");
}

function checkId(id: string, what: "work" | "session"): void {
  if (ID.test(id)) return;
  throw new LoopliaError("config-invalid", `${JSON.stringify(id)} is no ${what} id.`, {
    hint: "An id has 1 to 81 characters: lower-case letters, digits and hyphens, no hyphen first.",
  });
}

function damagedHeader(path: string, reason: string, cause?: unknown): LoopliaError {
  return new LoopliaError("store-corrupt", `${path}: ${reason}.`, {
    hint: "Restore the file from a copy, or move its folder away.",
    cause,
  });
}
