// Immutable segments of lines: names, reading, folding, writing.
import { isUtf8 } from "node:buffer";
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, read, unlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { errnoOf, LoopliaError } from "../core/errors.ts";
import type { StoredLine, StoreName } from "../core/events.ts";
import { decodeLine, encodeLine, FIRST_PREV, type LogName, type PayloadReader } from "../core/lines.ts";
import { isSealed, requireCipher, type StoreCipher } from "./cipher.ts";
import {
  allDone,
  createOpenFile,
  createPassingFile,
  diskError,
  namesIn,
  readWhole,
  syncBytes,
} from "./durable.ts";

const CHUNK = 128 * 1024;
const readBytes = promisify(read);

/** Without its line feed; `bytes` are valid until `use` returns. Only the last line of a file may lack a line feed. */
type Line = { bytes: Buffer; offset: number; isLast: boolean };

/** Passes each line to `use` in order, up to the file's size when it was opened. Throws errors made by `diskError`. */
export async function readLines(path: string, use: (line: Line) => void): Promise<void> {
  const descriptor = openForReading(path);
  try {
    await eachLine(descriptor, use);
  } catch (error) {
    throw diskError(error, path);
  } finally {
    closeSync(descriptor);
  }
}

async function eachLine(descriptor: number, use: (line: Line) => void): Promise<void> {
  const { size } = fstatSync(descriptor);
  let buffer = Buffer.allocUnsafe(Math.min(size, CHUNK));
  // `offset`: where the buffer begins in the file. `filled`: how much of the buffer is in use.
  let offset = 0;
  let filled = 0;
  while (offset + filled < size) {
    if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const wanted = Math.min(buffer.length - filled, size - offset - filled);
    const { bytesRead } = await readBytes(descriptor, buffer, filled, wanted, null);
    if (bytesRead === 0) break;
    filled += bytesRead;
    let start = 0;
    for (let feed = buffer.indexOf(10); feed >= 0 && feed < filled; feed = buffer.indexOf(10, start)) {
      use({ bytes: buffer.subarray(start, feed), offset: offset + start, isLast: offset + feed + 1 >= size });
      start = feed + 1;
    }
    buffer.copyWithin(0, start, filled);
    offset += start;
    filled -= start;
  }
  if (filled > 0) use({ bytes: buffer.subarray(0, filled), offset, isLast: true });
}

function openForReading(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw diskError(error, path);
  }
}

// Reads the segments of a store and decides which of their lines count. Changes nothing.

/**
 * The part of a segment that does not count: bytes from `offset` on, `lines` lines (a torn line counts as
 * one).
 */
export type Cut = { store: LogName; name: string; offset: number; lines: number };

export type Segment = {
  store: LogName;
  number: number;
  name: string;
  lines: { stored: StoredLine; offset: number }[];
  tornAt: number | undefined;
};

/**
 * This many segments of a store are folded into one with the next number: a long history stays few files, in
 * small trees. With fewer, trees are smaller, but lines are packed twice more often, and more trees of a
 * thousand checkpoints have the same size than git compares when it packs: 32 and 96 pack worse than 192 for
 * every tested length of history and of records.
 */
const FOLD = 192;

/** `000007.jsonl`: names sort like numbers, up to a million. */
function segmentName(number: number): string {
  return `${String(number).padStart(6, "0")}.jsonl`;
}

/** The names of the segments in `<folder>/<store>`, oldest first, without unfinished drafts. */
function segmentNames(folder: string, store: LogName): string[] {
  return namesIn(join(folder, store)).filter((name) => /^\d{6}\.jsonl$/.test(name));
}

/** `read`: `"skip"` leaves payloads undecoded and out of memory. `after`: a pack replaces segments up to this one. */
type SegmentSource = { folder: string; store: LogName; read?: PayloadReader | "skip"; after?: number };

/**
 * Passes the segments of `<folder>/<store>` to `read`; repeats with the present ones if a fold removed one
 * meanwhile.
 */
export async function overSegments<Result>(
  folder: string,
  store: LogName,
  read: (names: readonly string[]) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const names = segmentNames(folder, store);
    try {
      return await read(names);
    } catch (error) {
      const now = segmentNames(folder, store);
      if (errnoOf(error) !== "ENOENT" || names.every((name) => now.includes(name))) throw error;
    }
  }
}

/**
 * All segments of `<folder>/<store>`, oldest first. Throws `store-corrupt` with file and line for damage that
 * no crash can cause: before a segment's last line, in a segment with a successor, or a missing segment.
 */
export function readSegments(source: SegmentSource): Promise<Segment[]> {
  return overSegments(source.folder, source.store, (names) => readAll(source, names));
}

async function readAll(source: SegmentSource, names: readonly string[]): Promise<Segment[]> {
  const { folder, store, after = 0 } = source;
  const segments: Segment[] = [];
  for (const [index, name] of names.entries()) {
    if (Number(name.slice(0, 6)) <= after) continue;
    const path = join(folder, store, name);
    const expected = (segments.at(-1)?.number ?? after) + 1;
    const segment = await readSegment(source, name);
    const isFolded = segment.number === expected + FOLD && segment.lines.length >= FOLD;
    if (segment.number !== expected && !isFolded) {
      throw corruptStore(`${join(folder, store, segmentName(expected))}: the segment is missing.`);
    }
    if (segment.tornAt !== undefined && index < names.length - 1) {
      throw corruptStore(
        `${path}:${segment.lines.length + 1}: damaged line, and a later segment follows it.`,
      );
    }
    segments.push(segment);
  }
  return segments;
}

async function readSegment({ folder, store, read }: SegmentSource, name: string): Promise<Segment> {
  const segment: Segment = { store, number: Number(name.slice(0, 6)), name, lines: [], tornAt: undefined };
  const path = join(folder, store, name);
  await readLines(path, ({ bytes, offset, isLast }) => {
    const place = `${path}:${segment.lines.length + 1}`;
    const stored = isUtf8(bytes) ? decodeLine(store, bytes.toString("utf8"), place, read) : undefined;
    if (stored)
      segment.lines.push({ stored: read === "skip" ? { ...stored, payload: null } : stored, offset });
    else if (isLast) segment.tornAt = offset;
    else throw corruptStore(`${place}: damaged line before the end of its segment.`);
  });
  return segment;
}

/**
 * The number of the last line of the longest prefix without a gap, over segments of stores that share
 * numbers. Throws `store-corrupt` if a number is repeated or out of order. `pack`: replaces `lines` of the first
 * `seq` lines; the others must be there.
 */
export function lastWithoutGap(segments: readonly Segment[], pack?: { seq: number; lines: number }): number {
  const seen = new Map<number, Segment>();
  const newest = new Map<LogName, number>();
  for (const segment of segments) {
    for (const { stored } of segment.lines) {
      const other = seen.get(stored.seq);
      const place = `${segment.store}/${segment.name}`;
      if (other) throw corruptStore(`${place}: line ${stored.seq} is also in ${other.store}/${other.name}.`);
      if (stored.seq < (newest.get(segment.store) ?? 0)) {
        throw corruptStore(`${place}: line ${stored.seq} is out of order.`);
      }
      seen.set(stored.seq, segment);
      newest.set(segment.store, stored.seq);
    }
  }
  let last = pack?.seq ?? 0;
  const beside = [...seen.keys()].filter((seq) => seq <= last).length;
  if (pack && beside + pack.lines !== last) {
    throw corruptStore(`${beside + pack.lines} lines are left of the first ${last}, which a pack counts.`);
  }
  while (seen.has(last + 1)) last += 1;
  return last;
}

/** The lines of a store up to number `seq`. */
export function linesOf(segments: readonly Segment[], store: LogName, seq: number): StoredLine[] {
  return segments
    .filter((segment) => segment.store === store)
    .flatMap((segment) => segment.lines.map((line) => line.stored))
    .filter((line) => line.seq <= seq);
}

/** The parts after line `seq`, newest segment first. */
export function findCuts(segments: readonly Segment[], seq: number): Cut[] {
  const cuts: Cut[] = [];
  for (const { store, name, lines, tornAt } of segments) {
    const behind = lines.filter((line) => line.stored.seq > seq);
    const offset = behind[0]?.offset ?? tornAt;
    if (offset === undefined) continue;
    cuts.unshift({ store, name, offset, lines: behind.length + (tornAt === undefined ? 0 : 1) });
  }
  return cuts;
}

/** The error for damage before the end of a store: no run can continue from it. */
export function corruptStore(message: string): LoopliaError {
  return new LoopliaError("store-corrupt", message, {
    hint: "Restore the file from a copy, or begin a fresh session; nothing was changed.",
  });
}

// Folds many small segments into one: each checkpoint ends a segment, and every checkpoint's tree would list
// them all.

/**
 * Folds the newest `FOLD` unfolded segments of a store into one with the next number; updates `numbers`, the
 * numbers of all segments. No writer may be active; readers in this process find either the old segments or
 * the new one. Only for folders that die with the process: a killed fold leaves lines twice.
 */
async function foldSegments(folder: string, numbers: number[]): Promise<void> {
  const newest = numbers.slice(-FOLD);
  // The oldest number is that of a pack.
  if (newest.length === FOLD && !existsSync(join(folder, segmentName(newest[0] ?? 0)))) return;
  const isUnfolded = newest.every((number, index) => {
    return number - (numbers[numbers.length - FOLD + index - 1] ?? 0) === 1;
  });
  if (newest.length < FOLD || !isUnfolded) return;
  const paths = newest.map((number) => join(folder, segmentName(number)));
  const next = (newest.at(-1) ?? 0) + 1;
  const bytes = Buffer.concat(await Promise.all(paths.map(readWhole)));
  if (!createPassingFile(join(folder, segmentName(next)), bytes)) return;
  for (const path of paths) unlinkSync(path);
  numbers.splice(-FOLD, FOLD, next);
}

// Payloads of session lines as stored: encrypted in conversation and audit if there is a key. Events stay
// readable, so that recovery and reports need no key.

/** The line with its stored payload. */
export function toStored(
  line: StoredLine,
  store: StoreName,
  sessionId: string,
  cipher: StoreCipher | undefined,
): StoredLine {
  if (!cipher || store === "events") return line;
  return { ...line, payload: cipher.seal(placeOf(line, store, sessionId), JSON.stringify(line.payload)) };
}

/** Decrypts payloads of a store; lines written before there was a key are plain. */
export function payloadReader(
  store: StoreName,
  sessionId: string,
  cipher: StoreCipher | undefined,
): PayloadReader {
  return (line, shown) => {
    const { payload } = line;
    if (!isSealed(payload)) return payload;
    return JSON.parse(requireCipher(cipher, shown).open(placeOf(line, store, sessionId), payload, shown));
  };
}

function placeOf({ seq, type }: StoredLine, store: StoreName, sessionId: string): unknown[] {
  return [sessionId, store, seq, type];
}

// An audit line of a work with a key is divided when it is packed. Its frame stays readable and has the hash, which is of
// the line as stored. The encrypted payload cannot be compressed: the body is the plain one, with the nonce that makes
// the encrypted one again.

type AuditBody = { payload: unknown; nonce?: string };

/** The body of a stored audit line, as a line. What cannot be encrypted again to the same bytes stays encrypted. */
export function bodyOfAudit(line: StoredLine, sessionId: string, cipher: StoreCipher): string {
  const body = (isSealed(line.payload) && plainBody(line, line.payload, { sessionId, cipher })) || undefined;
  return `${JSON.stringify(body ?? { payload: line.payload })}\n`;
}

/** Undefined for a payload that an earlier version compressed in another way, or whose key is gone. */
function plainBody(
  line: StoredLine,
  sealed: ReturnType<StoreCipher["seal"]>,
  { sessionId, cipher }: { sessionId: string; cipher: StoreCipher },
): AuditBody | undefined {
  try {
    const place = placeOf(line, "audit", sessionId);
    const payload: unknown = JSON.parse(cipher.open(place, sealed, ""));
    const nonce = cipher.nonceOf(sealed);
    const again = cipher.seal(place, JSON.stringify(payload), nonce);
    return again.sealed === sealed.sealed ? { payload, nonce } : undefined;
  } catch (error) {
    if (error instanceof LoopliaError) return undefined;
    throw error;
  }
}

/** The lines as stored, from their frames and bodies. Compares no hash. Fails with `store-corrupt`. */
export function joinAudit(
  { frames, bodies }: { frames: string; bodies: string },
  { sessionId, cipher, path }: { sessionId: string; cipher: StoreCipher; path: string },
): string {
  const texts = bodies.split("\n");
  let prev = FIRST_PREV;
  const lines = frames.split("\n").slice(0, -1);
  if (texts.length !== lines.length + 1) throw corruptStore(`${path}: audit lines are missing.`);
  return lines
    .map((frame, index) => {
      const { hash, ...line } = JSON.parse(frame);
      const { payload, nonce }: AuditBody = JSON.parse(texts[index] ?? "");
      const place = placeOf(line, "audit", sessionId);
      const stored = nonce === undefined ? payload : cipher.seal(place, JSON.stringify(payload), nonce);
      const text = encodeLine({ ...line, payload: stored, prev, hash });
      prev = hash;
      return text;
    })
    .join("");
}

// Appends to the segments of the stores in one folder, one write after another.

/** Lines of one store to write together. */
export type Group = { store: LogName; text: string };

/** Appends to new segments only, one group after the other; never writes to an existing segment. */
export class SegmentWriter {
  readonly #folder: string;
  /** The folder's content, for error messages. */
  readonly #owner: string;
  readonly #segments: Map<LogName, number[]>;
  readonly #descriptors = new Map<LogName, number>();
  #queue: Promise<void> = Promise.resolve();
  /** What the next write will write, as long as it has not begun: one sync is enough for all. */
  #next: { groups: Group[]; written: Promise<void> } | undefined;
  /** After a failed write the content on disk is unknown: the stores must be opened again. */
  #broken: unknown;

  /** `segments`: the segment numbers of each store; the writer owns them from now on. */
  constructor(folder: string, owner: string, segments: Iterable<readonly [LogName, number[]]>) {
    this.#folder = folder;
    this.#owner = owner;
    this.#segments = new Map(segments);
  }

  /**
   * Resolves when the lines are durable, after all earlier writes. The first line of a store begins a new
   * segment.
   */
  write(groups: readonly Group[]): Promise<void> {
    const all = this.#next?.groups ?? [];
    all.push(...groups);
    this.#next ??= { groups: all, written: this.#queue.then(() => this.#writeAll(all)) };
    const { written } = this.#next;
    this.#queue = written.catch(nothing);
    return written;
  }

  /** Resolves when all requested writes succeeded or failed. */
  drained(): Promise<void> {
    return this.#queue;
  }

  /**
   * Ends every segment; later writes wait for `until` and begin new segments. Folds segments if there are
   * many. Resolves when they have ended; rejects if an earlier write failed.
   */
  seal(until: Promise<unknown>): Promise<void> {
    this.#next = undefined;
    const sealed = this.#queue.then(async () => {
      this.#closeAll();
      if (this.#broken !== undefined) throw this.#broken;
      for (const [store, numbers] of this.#segments) await foldSegments(join(this.#folder, store), numbers);
    });
    const goOn = () => until.then(nothing, nothing);
    this.#queue = sealed.then(goOn, goOn);
    return sealed;
  }

  async close(): Promise<void> {
    await this.#queue;
    this.#closeAll();
  }

  #closeAll(): void {
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor);
    this.#descriptors.clear();
  }

  async #writeAll(groups: readonly Group[]): Promise<void> {
    if (this.#next?.groups === groups) this.#next = undefined;
    if (this.#broken !== undefined) throw this.#broken;
    try {
      const grown = new Set<number>();
      for (const group of groups) await this.#writeGroup(group, grown);
      // Together: until the first of two lines is on the disk the second does not count, because a number is missing.
      await allDone([...grown].map((descriptor) => syncBytes(descriptor)));
    } catch (error) {
      this.#broken = diskError(error, this.#folder);
      throw this.#broken;
    }
  }

  /** Adds to `grown` what must be synced; a new segment is durable when it resolves. */
  async #writeGroup({ store, text }: Group, grown: Set<number>): Promise<void> {
    const descriptor = this.#descriptors.get(store);
    if (descriptor !== undefined) {
      appendFileSync(descriptor, text);
      grown.add(descriptor);
      return;
    }
    const numbers = this.#segments.get(store) ?? [];
    const number = (numbers.at(-1) ?? 0) + 1;
    const name = segmentName(number);
    const created = await createOpenFile(join(this.#folder, store, name), text);
    if (created === undefined) {
      throw new LoopliaError("lost-race", `${store}/${name} of ${this.#owner} belongs to another process.`, {
        hint: "Wait until the other run has ended, then run again.",
      });
    }
    numbers.push(number);
    this.#segments.set(store, numbers);
    this.#descriptors.set(store, created);
  }
}

function nothing(): void {}
