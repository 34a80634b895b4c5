// The stores of a session, and the frozen prefixes of conversations.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf, LoopliaError } from "../core/errors.ts";
import type { StoredLine, StoreLine } from "../core/events.ts";
import { sha256Of } from "../core/json.ts";
import { type AuditHead, chainLine, encodeLine } from "../core/lines.ts";
import type { Clock, LoadedSession, SessionStore } from "../core/ports.ts";
import { isSealed, requireCipher, type SealedPayload, type StoreCipher } from "./cipher.ts";
import { createFile, diskError, namesIn, readWhole, removeLeftovers } from "./durable.ts";
import { type SessionScan, STORES, scanSession, setAsideCuts } from "./scan.ts";
import { type Group, SegmentWriter, toStored } from "./segments.ts";

export type FrozenFiles = {
  /** Durable when it resolves; returns the SHA-256 of the UTF-8 bytes as hex. */
  freeze(bytes: string): Promise<string>;
  /** Throws `store-corrupt` if the bytes are missing or were changed. */
  read(sha256: string): Promise<string>;
  /** Throws `config-invalid` if a file can't be read with the present key. */
  checkKey(): Promise<void>;
};

/** The frozen files of a folder. With a cipher new files are sealed; plain files remain readable. */
export function openFrozenFiles(folder: string, cipher?: StoreCipher): FrozenFiles {
  return {
    async freeze(bytes) {
      const sha256 = sha256Of(bytes);
      const stored = cipher ? `${JSON.stringify(cipher.seal(placeOf(sha256), bytes))}\n` : bytes;
      await createFile(join(folder, sha256), stored);
      return sha256;
    },
    async read(sha256) {
      if (!NAME.test(sha256)) throw corrupt(sha256, "no SHA-256");
      const path = join(folder, sha256);
      const bytes = await readFile(path).catch((error: unknown) => {
        if (errnoOf(error) === "ENOENT") throw corrupt(path, "the file is missing");
        throw diskError(error, path);
      });
      if (sha256Of(bytes) === sha256) return bytes.toString("utf8");
      const sealed = parseSealed(bytes);
      const text = sealed && requireCipher(cipher, path).open(placeOf(sha256), sealed, path);
      if (text === undefined || sha256Of(text) !== sha256) throw corrupt(path, "the bytes were changed");
      return text;
    },
    async checkKey() {
      for (const name of namesIn(folder)) {
        const path = join(folder, name);
        const sealed = NAME.test(name) ? parseSealed(await readWhole(path)) : undefined;
        if (sealed) requireCipher(cipher, path).checkKey(sealed, path);
      }
    },
  };
}

const NAME = /^[0-9a-f]{64}$/;
/** No prompt begins with these bytes. */
const SEALED = Buffer.from('{"sealed":"');

function placeOf(sha256: string): string[] {
  return ["frozen", sha256];
}

function parseSealed(bytes: Buffer): SealedPayload | undefined {
  if (!bytes.subarray(0, SEALED.length).equals(SEALED)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isSealed(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function corrupt(path: string, reason: string): LoopliaError {
  return new LoopliaError("store-corrupt", `${path}: ${reason}; a conversation cannot go on without it.`, {
    hint: "Restore the file from a copy, or begin a fresh session.",
  });
}

// The stores of one session on the local disk, open for this process alone.

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
  const setAside = await setAsideCuts(folder, scan.cuts, around.clock, ({ store }) => {
    if (store !== "work") scan.segments[store].pop();
  });
  return new FileSessionStore({ sessionId, folder }, scan, setAside, around);
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
    scan: SessionScan,
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
