// Reads a work from disk: header, segments, torn ends.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { errnoOf, LoopliaError } from "../core/errors.ts";
import type { ConversationLine, StoredLine, StoreName, WorkEvent } from "../core/events.ts";
import { lazily, parseJson, valueAt } from "../core/json.ts";
import {
  type AuditHead,
  type ChainResult,
  decodeLine,
  FIRST_PREV,
  type PayloadReader,
  toConversationLine,
  toEvent,
  toWorkEvent,
  verifyChain,
} from "../core/lines.ts";
import type { Clock, LoadedSession } from "../core/ports.ts";
import type { WorkReading } from "../core/ports-host.ts";
import type { StoreCipher } from "./cipher.ts";
import { createFile, diskError, namesIn, removeFile, removeLeftovers, replaceFile } from "./durable.ts";
import { findPack, openFrozenFiles, type Pack, type PackTexts, packName, unpack } from "./packed.ts";
import {
  type Cut,
  corruptStore,
  findCuts,
  lastWithoutGap,
  linesOf,
  payloadReader,
  readSegments,
  type Segment,
} from "./segments.ts";

/**
 * State formats. Version 0.1 wrote format 1, without trees and today's lines and calls. A new work starts with format 2.
 * Format 1 becomes 2 with its first tree, and any format becomes 4 with its first pack; packs of format 3 are still read.
 */
const FIRST_VERSION = 1;
const TREES_VERSION = 2;
const PACKS_VERSION = 4;
const SCHEMA_VERSION = PACKS_VERSION;
const ID = /^[a-z0-9][a-z0-9-]{0,80}$/;

const headerSchema = lazily(() =>
  z.object({
    schemaVersion: z.int().min(FIRST_VERSION).max(SCHEMA_VERSION),
    codeVersion: z.string(),
    workId: z.string().regex(ID),
    kind: z.string(),
    key: z.string(),
    createdAt: z.string(),
  }),
);
type WorkHeader = z.infer<ReturnType<typeof headerSchema>>;

/** The contents of a new work's header; an existing header is never changed. */
type NewWork = Pick<WorkHeader, "workId" | "kind" | "key" | "codeVersion">;

/**
 * Fails with `store-corrupt` if a newer version wrote the header. Runs before any other check, because the newer version
 * may have changed the form of all files. `place`: the header's location, for people.
 */
export function refuseNewer(header: unknown, place: string): void {
  const version = valueAt(header, "schemaVersion");
  if (typeof version !== "number" || version <= SCHEMA_VERSION) return;
  const code = valueAt(header, "codeVersion");
  const writer = typeof code === "string" && /^[\w.+-]{1,40}$/.test(code) ? `looplia ${code}, ` : "";
  throw new LoopliaError(
    "store-corrupt",
    `${place}: written by a newer version (${writer}state format ${version}); this version reads state format ${SCHEMA_VERSION}.`,
    { hint: "Upgrade looplia to that version or a later one; nothing was changed." },
  );
}

/** The same check for the header in a work's folder; ignores a missing or damaged header. */
export async function refuseNewerWork(folder: string): Promise<void> {
  const { path, text } = await readText(folder);
  if (text !== undefined) refuseNewer(parseJson(text), path);
}

/** The header of a work; undefined if there is none. Fails with `store-corrupt` if looplia did not write it. */
export async function readHeader(folder: string): Promise<WorkHeader | undefined> {
  const { path, text } = await readText(folder);
  if (text === undefined) return undefined;
  const value = parseHeader(text, path);
  refuseNewer(value, path);
  const result = headerSchema().safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw damagedHeader(path, `${issue?.path.join(".") || "the header"}: ${issue?.message ?? "wrong shape"}`);
  }
  return result.data;
}

async function readText(folder: string): Promise<{ path: string; text: string | undefined }> {
  const path = join(folder, "header.json");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw diskError(error, path);
  });
  return { path, text };
}

function parseHeader(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedHeader(path, "not JSON", cause);
  }
}

/** Writes the header of a new work; keeps an existing header of the same work. */
export async function writeHeader(folder: string, work: NewWork, clock: Clock): Promise<void> {
  const found = await readHeader(folder);
  if (found && found.workId !== work.workId) {
    throw damagedHeader(join(folder, "header.json"), `it belongs to the work ${found.workId}`);
  }
  if (found) return;
  const { workId, kind, key, codeVersion } = work;
  const createdAt = clock.now().toISOString();
  const header: WorkHeader = { schemaVersion: TREES_VERSION, codeVersion, workId, kind, key, createdAt };
  await createFile(join(folder, "header.json"), `${JSON.stringify(header, null, 2)}\n`);
}

/** Makes versions that cannot read `what` refuse the work from now on. */
export async function raiseVersion(folder: string, what: "trees" | "packs"): Promise<void> {
  const header = await readHeader(folder);
  const schemaVersion = what === "packs" ? PACKS_VERSION : TREES_VERSION;
  if (!header || header.schemaVersion >= schemaVersion) return;
  const raised = { ...header, schemaVersion };
  await replaceFile(join(folder, "header.json"), `${JSON.stringify(raised, null, 2)}\n`);
}

/** Fails with `config-invalid` if the id is not safe as part of a path. */
export function checkId(id: string, what: "work" | "session"): void {
  if (ID.test(id)) return;
  throw new LoopliaError("config-invalid", `${JSON.stringify(id)} is not a ${what} id.`, {
    hint: "An id has 1 to 81 characters: lower-case letters, digits and hyphens, no hyphen first.",
  });
}

function damagedHeader(path: string, reason: string, cause?: unknown): LoopliaError {
  return new LoopliaError("store-corrupt", `${path}: ${reason}.`, {
    hint: "Restore the file from a copy, or move its folder away.",
    cause,
  });
}

// Reads the stores of a session or a work and decides which lines count: the longest prefix of `seq` without a gap.
// Changes nothing on disk.

export const STORES = ["events", "conversation", "audit"] as const satisfies readonly StoreName[];

type SessionScan = Omit<LoadedSession, "setAside"> & {
  /** The number of the last line that counts; 0 for a new session. */
  seq: number;
  /** The head of the audit chain over the lines that count. */
  auditHead: AuditHead;
  /** Numbers of each store's segments. */
  segments: Record<StoreName, number[]>;
  /** Newest segment first. */
  cuts: Cut[];
};

/**
 * Scans `sessions/<id>`; a missing folder is an empty session. Fails with `store-corrupt`, naming file and line, for
 * damage that no crash can cause. Reads only the payloads of `stores`.
 */
export async function scanSession(
  folder: string,
  {
    stores = ["events", "conversation"],
    cipher,
  }: { stores?: readonly StoreName[]; cipher?: StoreCipher } = {},
): Promise<SessionScan> {
  const { pack, segments: all } = await readStores(folder, (store) =>
    // The program never reads audit payloads, so they need no memory.
    stores.includes(store) ? payloadReader(store, basename(folder), cipher) : "skip",
  );
  const seq = lastWithoutGap(all, pack);
  const packed = stores.includes("conversation") ? await linesOfPack(pack, folder, cipher) : [];
  const read = (store: StoreName) => (stores.includes(store) ? linesOf(all, store, seq) : []);
  const [ofEvents, ofConversation] = [read("events"), [...packed, ...read("conversation")]];
  const numbersOfStore = (store: StoreName) => [
    ...(pack && store !== "events" ? [pack.through[store]] : []),
    ...numbersOf(all.filter((segment) => segment.store === store)),
  ];
  return {
    events: ofEvents.map(toEvent),
    conversation: ofConversation.map(toConversationLine),
    written: spanOf([...ofEvents, ...ofConversation]),
    auditHead: headOf(linesOf(all, "audit", seq), pack?.auditHead),
    seq,
    segments: {
      events: numbersOfStore("events"),
      conversation: numbersOfStore("conversation"),
      audit: numbersOfStore("audit"),
    },
    cuts: findCuts(all, seq),
  };
}

/** A consistent view of a session's newest pack and the segments beside it. */
async function readStores(
  folder: string,
  reader: (store: StoreName) => PayloadReader | "skip",
): Promise<{ pack: Pack | undefined; segments: Segment[] }> {
  for (;;) {
    const pack = findPack(folder);
    const found = await Promise.all(
      STORES.map((store) => {
        const after = store === "events" ? 0 : (pack?.through[store] ?? 0);
        return readSegments({ folder, store, read: reader(store), after });
      }),
    );
    // Another process may have packed the session meanwhile.
    if (packName(folder) === (pack && basename(pack.path))) return { pack, segments: found.flat() };
  }
}

function unpackIn(folder: string, pack: Pack, cipher: StoreCipher | undefined): ReturnType<typeof unpack> {
  const { read } = openFrozenFiles(join(folder, "../../frozen"), cipher);
  return unpack(pack, { readFrozen: read, sessionId: basename(folder), cipher });
}

async function linesOfPack(
  pack: Pack | undefined,
  folder: string,
  cipher: StoreCipher | undefined,
): Promise<StoredLine[]> {
  if (!pack) return [];
  const { conversation } = await unpackIn(folder, pack, cipher);
  return decodePacked("conversation", conversation, pack.path);
}

function decodePacked(store: StoreName, text: string, path: string): StoredLine[] {
  const lines = text === "" ? [] : text.trimEnd().split("\n");
  return lines.map((line, index) => {
    const stored = decodeLine(store, line, `${path}:${store}:${index + 1}`);
    if (stored) return stored;
    throw corruptStore(`${path}: damaged line ${index + 1} of ${store}.`);
  });
}

function spanOf(lines: readonly StoredLine[]): LoadedSession["written"] {
  const [one, ...others] = lines;
  if (!one) return undefined;
  const span = { first: one.at, last: one.at };
  for (const { at } of others) {
    if (at < span.first) span.first = at;
    if (at > span.last) span.last = at;
  }
  return span;
}

function headOf(audit: readonly StoredLine[], before?: AuditHead): AuditHead {
  return {
    count: (before?.count ?? 0) + audit.length,
    hash: audit.at(-1)?.hash ?? before?.hash ?? FIRST_PREV,
  };
}

/**
 * A copy of a session's lines for read-only use: never waits, never repairs. Fails with `config-invalid` if the
 * conversation is encrypted and the cipher is missing or wrong.
 */
export async function readSession(
  workFolder: string,
  sessionId: string,
  cipher?: StoreCipher,
): Promise<LoadedSession> {
  await refuseNewerWork(workFolder);
  const folder = storeFolder(workFolder, sessionId);
  const { events, conversation, written } = await scanSession(folder, cipher ? { cipher } : {});
  return { events, conversation, written, setAside: [] };
}

/** Every line of a session that counts, its audit log included, in the order written. Fails like `readSession`. */
export async function readStoredLines(
  workFolder: string,
  sessionId: string,
  cipher?: StoreCipher,
): Promise<{ lines: StoredLine[]; audit: ChainResult }> {
  await refuseNewerWork(workFolder);
  const { events, conversation, audit } = await readAllLines(storeFolder(workFolder, sessionId), cipher);
  return {
    lines: [...events, ...conversation, ...audit].sort((one, other) => one.seq - other.seq),
    audit: verifyChain(audit),
  };
}

/** The lines that count in each store, including packed lines; payloads of audit lines stay as stored. */
export async function readAllLines(
  folder: string,
  cipher: StoreCipher | undefined,
): Promise<Record<StoreName, StoredLine[]> & { pack: Pack | undefined; seq: number; segments: Segment[] }> {
  const { pack, segments } = await readStores(folder, (store) =>
    payloadReader(store, basename(folder), cipher),
  );
  const seq = lastWithoutGap(segments, pack);
  const texts = pack && (await unpackIn(folder, pack, cipher));
  const inPack = (store: keyof PackTexts) =>
    pack && texts
      ? decodePacked(store, store === "audit" ? texts.audit() : texts.conversation, pack.path)
      : [];
  return {
    pack,
    seq,
    segments,
    events: linesOf(segments, "events", seq),
    conversation: [...inPack("conversation"), ...linesOf(segments, "conversation", seq)],
    audit: [...inPack("audit"), ...linesOf(segments, "audit", seq)],
  };
}

/**
 * The lines of the session's conversations. Fails with `store-corrupt` if one lacks its lines or the bytes that it begins
 * with.
 */
export async function readWholeConversations(
  workFolder: string,
  sessionId: string,
  cipher?: StoreCipher,
): Promise<ConversationLine[]> {
  const { conversation } = await scanSession(storeFolder(workFolder, sessionId), {
    stores: ["conversation"],
    ...(cipher ? { cipher } : {}),
  });
  const { read } = openFrozenFiles(join(workFolder, "frozen"), cipher);
  const named = conversation.flatMap((line) => {
    if (line.type === "ConversationStarted") return line.payload.frozen;
    return line.type === "MemoryKept" ? line.payload.memory : [];
  });
  for (const sha256 of new Set(named)) await read(sha256);
  return conversation;
}

type WorkScan = { events: WorkEvent[]; seq: number; segments: number[]; cuts: Cut[] };

/** Scans a work's own log, as `scanSession` does a session's stores. */
export async function scanWorkLog(workFolder: string): Promise<WorkScan> {
  const segments = await readSegments({ folder: workFolder, store: "work" });
  const seq = lastWithoutGap(segments);
  const events = linesOf(segments, "work", seq).map(toWorkEvent);
  return { events, seq, segments: numbersOf(segments), cuts: findCuts(segments, seq) };
}

/**
 * The events of a work and of each of its sessions, for read-only use: takes no lock, never waits, never repairs, and
 * needs no key. A missing folder is a work without events. Fails with `store-corrupt`.
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
    const folder = storeFolder(workFolder, sessionId);
    const scan = await scanSession(folder, { stores: ["events"] });
    check(folder, scan);
    sessions.set(sessionId, { events: scan.events, auditHead: scan.auditHead });
  }
  return { events: log.events, sessions };
}

/**
 * The same for a work whose stores must be complete: fails with `store-corrupt` if any line in its folder would not count.
 * A killed process leaves such lines on its own disk only; in a checkpoint they mean that somebody changed the state.
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

/** The folder of a session's stores. */
export function storeFolder(workFolder: string, sessionId: string): string {
  return join(workFolder, "sessions", sessionId);
}

function numbersOf(segments: readonly Segment[]): number[] {
  return segments.map(({ number }) => number);
}

// Removes lines that do not count: keeps a copy beside the stores, then truncates the segment.

const FOLDER = "set-aside";

/**
 * Truncates the segments below `folder` and returns one sentence for each. Safe to repeat after a crash. Removes a segment
 * that becomes empty, and passes it to `whenRemoved`.
 */
export async function setAsideCuts(
  folder: string,
  cuts: readonly Cut[],
  clock: Clock,
  whenRemoved: (cut: Cut) => void,
): Promise<string[]> {
  removeLeftovers(join(folder, FOLDER));
  const told: string[] = [];
  for (const cut of cuts) {
    const bytes = await readFile(join(folder, cut.store, cut.name));
    const kept = await keepCopy(folder, cut, bytes.subarray(cut.offset), clock);
    if (cut.offset > 0) await replaceFile(join(folder, cut.store, cut.name), bytes.subarray(0, cut.offset));
    else {
      await removeFile(join(folder, cut.store, cut.name));
      whenRemoved(cut);
    }
    const lines = cut.lines === 1 ? "1 line" : `${cut.lines} lines`;
    const place = `${cut.store}/${cut.name}`;
    told.push(`${lines} at the end of ${place}, torn or behind a gap, set aside in ${FOLDER}/${kept}.`);
  }
  return told;
}

async function keepCopy(folder: string, cut: Cut, bytes: Uint8Array, clock: Clock): Promise<string> {
  const time = clock.now().toISOString().replaceAll(/[:.]/g, "-");
  const stem = `${cut.store}-${cut.name.replace(".jsonl", "")}-${time}`;
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? `${stem}.jsonl` : `${stem}-${copy}.jsonl`;
    if (await createFile(join(folder, FOLDER, name), bytes)) return name;
  }
}
