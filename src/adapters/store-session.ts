// The stores of one session on the local disk, open for this process alone.
import { appendFileSync, closeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError } from "../errors.ts";
import type { Clock, LoadedSession, SessionStore } from "../ports.ts";
import { chainLine } from "../session/audit.ts";
import { encodeLine } from "../session/codec.ts";
import type { StoredLine, StoreLine, StoreName } from "../session/events.ts";
import {
  createFile,
  createOpenFile,
  diskError,
  makeFolder,
  removeFile,
  removeLeftovers,
  replaceFile,
  syncBytes,
} from "./durable-file.ts";
import type { FrozenFiles } from "./store-frozen.ts";
import { type Cut, type SessionScan, STORES, scanSession, segmentName } from "./store-scan.ts";

const SET_ASIDE = "set-aside";

type Group = { store: StoreName; text: string };

/** Opens `sessions/<id>` and sets aside what does not count. The caller holds the work's lock. */
export async function openSession(
  sessionId: string,
  folder: string,
  frozen: FrozenFiles,
  clock: Clock,
  whenClosed: () => void,
): Promise<SessionStore> {
  const scan = await scanSession(folder);
  for (const name of [...STORES, SET_ASIDE]) removeLeftovers(join(folder, name));
  const setAside: string[] = [];
  for (const cut of scan.cuts) setAside.push(await setAsideCut(folder, cut, scan, clock));
  return new FileSessionStore(sessionId, folder, scan, setAside, { frozen, clock, whenClosed });
}

/** Keeps a copy beside the stores, then cuts the segment; done again after a crash, it ends the same. */
async function setAsideCut(folder: string, cut: Cut, scan: SessionScan, clock: Clock): Promise<string> {
  const path = join(folder, cut.store, cut.name);
  const bytes = await readFile(path);
  await makeFolder(join(folder, SET_ASIDE));
  const time = clock.now().toISOString().replaceAll(/[:.]/g, "-");
  const stem = `${cut.store}-${cut.name.replace(".jsonl", "")}-${time}`;
  let name = `${stem}.jsonl`;
  for (
    let copy = 2;
    !(await createFile(join(folder, SET_ASIDE, name), bytes.subarray(cut.offset)));
    copy += 1
  ) {
    name = `${stem}-${copy}.jsonl`;
  }
  if (cut.offset > 0) await replaceFile(path, bytes.subarray(0, cut.offset));
  else {
    await removeFile(path);
    scan.segments[cut.store] -= 1;
  }
  const lines = cut.lines === 1 ? "1 line" : `${cut.lines} lines`;
  return `${lines} at the end of ${cut.store}/${cut.name}, torn or behind a gap, set aside in ${SET_ASIDE}/${name}.`;
}

type Surroundings = { frozen: FrozenFiles; clock: Clock; whenClosed: () => void };

class FileSessionStore implements SessionStore {
  readonly sessionId: string;
  readonly #folder: string;
  readonly #around: Surroundings;
  readonly #setAside: string[];
  readonly #segments: Record<StoreName, number>;
  readonly #descriptors = new Map<StoreName, number>();
  #loaded: LoadedSession | undefined;
  #seq: number;
  #auditHead: string;
  #queue: Promise<void> = Promise.resolve();
  /** Once a write failed nobody knows what stands on disk: only opening again finds out. */
  #broken: unknown;
  #isClosed = false;

  constructor(
    sessionId: string,
    folder: string,
    scan: SessionScan,
    setAside: string[],
    around: Surroundings,
  ) {
    this.sessionId = sessionId;
    this.#folder = folder;
    this.#around = around;
    this.#setAside = setAside;
    this.#segments = scan.segments;
    this.#seq = scan.seq;
    this.#auditHead = scan.auditHead;
    this.#loaded = { events: scan.events, conversation: scan.conversation, setAside };
  }

  /** What is durable. The first call hands over what opening read, later ones read again. */
  async load(): Promise<LoadedSession> {
    const loaded = this.#loaded;
    this.#loaded = undefined;
    if (loaded) return loaded;
    await this.#queue;
    const { events, conversation } = await scanSession(this.#folder);
    return { events, conversation, setAside: this.#setAside };
  }

  async append(lines: readonly StoreLine[]): Promise<void> {
    if (this.#isClosed) throw new Error(`The stores of session ${this.sessionId} are closed.`);
    const groups = this.#encode(lines);
    if (groups.length === 0) return;
    this.#loaded = undefined;
    const written = this.#queue.then(() => this.#write(groups));
    this.#queue = written.catch(() => undefined);
    return written;
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
    await this.#queue;
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor);
    this.#around.whenClosed();
  }

  /** Numbers the lines at once, so that calls count in the order they were made; neighbours of one store are a write. */
  #encode(lines: readonly StoreLine[]): Group[] {
    const at = this.#around.clock.now().toISOString();
    const groups: Group[] = [];
    let seq = this.#seq;
    let auditHead = this.#auditHead;
    for (const { store, type, payload } of lines) {
      seq += 1;
      let stored: StoredLine = { v: 1, seq, at, type, payload };
      if (store === "audit") {
        const chained = chainLine(stored, auditHead);
        auditHead = chained.hash;
        stored = chained;
      }
      const text = encodeLine(stored);
      const group = groups.at(-1);
      if (group?.store === store) group.text += text;
      else groups.push({ store, text });
    }
    this.#seq = seq;
    this.#auditHead = auditHead;
    return groups;
  }

  async #write(groups: readonly Group[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      for (const group of groups) await this.#writeGroup(group);
    } catch (error) {
      this.#broken = diskError(error, this.#folder);
      throw this.#broken;
    }
  }

  async #writeGroup({ store, text }: Group): Promise<void> {
    const descriptor = this.#descriptors.get(store);
    if (descriptor !== undefined) {
      appendFileSync(descriptor, text);
      await syncBytes(descriptor);
      return;
    }
    const name = segmentName(this.#segments[store] + 1);
    await makeFolder(join(this.#folder, store));
    const created = await createOpenFile(join(this.#folder, store, name), text);
    if (created === undefined) {
      throw new LoopliaError(
        "lost-race",
        `${store}/${name} of session ${this.sessionId} is another process's.`,
        {
          hint: "Let the other run end, then run again.",
        },
      );
    }
    this.#segments[store] += 1;
    this.#descriptors.set(store, created);
  }
}
