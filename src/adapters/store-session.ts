// The stores of one session on the local disk, open for this process alone.
import { join } from "node:path";
import type { Clock, LoadedSession, SessionStore } from "../ports.ts";
import { type AuditHead, chainLine } from "../session/audit.ts";
import { encodeLine } from "../session/codec.ts";
import type { StoredLine, StoreLine } from "../session/events.ts";
import { removeLeftovers } from "./durable-file.ts";
import type { StoreCipher } from "./store-cipher.ts";
import type { FrozenFiles } from "./store-frozen.ts";
import { toStored } from "./store-lines.ts";
import { type SessionScan, STORES, scanSession } from "./store-scan.ts";
import { setAsideCuts } from "./store-set-aside.ts";
import { type Group, SegmentWriter } from "./store-writer.ts";

type Surroundings = {
  frozen: FrozenFiles;
  clock: Clock;
  cipher: StoreCipher | undefined;
  /** Told where the audit log on the disk stands, when it is opened and after each write. */
  whenAudited: (head: AuditHead) => void;
  whenClosed: () => void;
};

/** Opens `sessions/<id>` and sets aside what does not count. The caller holds the work's lock. */
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
  return new FileSessionStore(sessionId, folder, scan, setAside, around);
}

/** The stores of a session as files; made by `openSession` only, once they were read. */
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
    sessionId: string,
    folder: string,
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

  /** What is durable. The first call hands over what opening read, later ones read again. */
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
    // Before whatever the writer does next: a seal that follows finds it told.
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

  /** Numbers the lines at once, so that calls count in the order they were made; neighbours of one store are a write. */
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
