// Immutable segments of lines: names, reading, folding, writing.
import { isUtf8 } from "node:buffer";
import { appendFileSync, closeSync, fstatSync, openSync, read, unlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { errnoOf, LoopliaError } from "../core/errors.ts";
import type { StoredLine, StoreName } from "../core/events.ts";
import { decodeLine, type LogName, type PayloadReader } from "../core/lines.ts";
import { isSealed, requireCipher, type StoreCipher } from "./cipher.ts";
import { createOpenFile, createPassingFile, diskError, namesIn, readWhole, syncBytes } from "./durable.ts";

const CHUNK = 128 * 1024;
const readBytes = promisify(read);

/** Without its line feed; `bytes` are good until `use` returns. Only the last line of a file may lack a line feed. */
type Line = { bytes: Buffer; offset: number; isLast: boolean };

/** Hands each line to `use` in order, of as many bytes as the file had when it was opened. Fails as `diskError` says. */
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
  // Of the file: where the buffer begins. Of the buffer: how much is filled.
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

// Segments of a store as they stand on disk, and which of their lines count. Changes nothing.

/** What of a segment does not count: its bytes from `offset` on, `lines` lines (a torn one is a line). */
export type Cut = { store: LogName; name: string; offset: number; lines: number };

export type Segment = {
  store: LogName;
  number: number;
  name: string;
  lines: { stored: StoredLine; offset: number }[];
  tornAt: number | undefined;
};

/**
 * So many segments of a store become one, whose number is the next: a long history stays few files, in small trees. With
 * fewer, trees are smaller, but lines are packed twice more often, and more trees of a thousand checkpoints' have the same
 * size than git compares when it packs: 32 and 96 pack worse than 192 for every length of history and of records tried.
 */
export const FOLD = 192;

/** `000007.jsonl`: sorted by name they are sorted by number, up to a million. */
export function segmentName(number: number): string {
  return `${String(number).padStart(6, "0")}.jsonl`;
}

/** The files of `<folder>/<store>` that are segments, oldest first; not the drafts of those that are being begun. */
function segmentNames(folder: string, store: LogName): string[] {
  return namesIn(join(folder, store)).filter((name) => /^\d{6}\.jsonl$/.test(name));
}

/** `read`: `"skip"` leaves payloads unread, and out of memory. */
type SegmentSource = { folder: string; store: LogName; read?: PayloadReader | "skip" };

/**
 * Hands the segments of `<folder>/<store>` to `read`; where it missed one because they were folded meanwhile, once more
 * those that there are now.
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
 * All segments of `<folder>/<store>`, oldest first. Fails with `store-corrupt`, naming file and line, for damage that no
 * crash leaves: before a segment's last line, in a segment that has a successor, a segment that is missing.
 */
export function readSegments(source: SegmentSource): Promise<Segment[]> {
  return overSegments(source.folder, source.store, (names) => readAll(source, names));
}

async function readAll(source: SegmentSource, names: readonly string[]): Promise<Segment[]> {
  const { folder, store } = source;
  if (names.length === 0) return [];
  const segments: Segment[] = [];
  for (const [index, name] of names.entries()) {
    const path = join(folder, store, name);
    const expected = (segments.at(-1)?.number ?? 0) + 1;
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
 * The number of the last line of the longest prefix without a gap, over segments of stores that share their numbers.
 * Fails with `store-corrupt` where a number is doubled or out of order.
 */
export function lastWithoutGap(segments: readonly Segment[]): number {
  const seen = new Map<number, Segment>();
  const newest = new Map<LogName, number>();
  for (const segment of segments) {
    for (const { stored } of segment.lines) {
      const other = seen.get(stored.seq);
      const place = `${segment.store}/${segment.name}`;
      if (other)
        throw corruptStore(`${place}: line ${stored.seq} stands in ${other.store}/${other.name} as well.`);
      if (stored.seq < (newest.get(segment.store) ?? 0)) {
        throw corruptStore(`${place}: line ${stored.seq} is out of order.`);
      }
      seen.set(stored.seq, segment);
      newest.set(segment.store, stored.seq);
    }
  }
  let last = 0;
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

/** What lies behind line `seq`, newest segment first. */
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

/** Damage before the end of a store: nothing continues from there. */
export function corruptStore(message: string): LoopliaError {
  return new LoopliaError("store-corrupt", message, {
    hint: "Restore the file from a copy, or begin a fresh session; nothing was changed.",
  });
}

// Many small segments become one: where each checkpoint ends a segment, a thousand of them would be a thousand files, and
// every checkpoint's tree would name them all.

/**
 * Puts the newest `FOLD` segments of a store into one that has the next number, if so many are unfolded; `numbers` are
 * those of all segments, and are brought up to date. Nobody may write meanwhile; who reads in this process finds either
 * those or the one, never both. Only where the folder dies with the process: killed halfway, lines stand there twice.
 */
async function foldSegments(folder: string, numbers: number[]): Promise<void> {
  const newest = numbers.slice(-FOLD);
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

// Payloads of a session's lines as they are stored: sealed in conversation and audit where there is a key. Events stay
// open, for recovery and those who only look need no key.

/** The line with the payload that is stored. */
export function toStored(
  line: StoredLine,
  store: StoreName,
  sessionId: string,
  cipher: StoreCipher | undefined,
): StoredLine {
  if (!cipher || store === "events") return line;
  return { ...line, payload: cipher.seal(placeOf(line, store, sessionId), JSON.stringify(line.payload)) };
}

/** Restores payloads of a store; those of lines from before there was a key are as they are. */
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

// Appends to the segments of stores that lie in one folder, one write after another.

/** Lines of one store that are written together. */
export type Group = { store: LogName; text: string };

/** Appends to segments of its own, one group after the other; an older segment is never written to. */
export class SegmentWriter {
  readonly #folder: string;
  /** What the folder is of, for people. */
  readonly #owner: string;
  readonly #segments: Map<LogName, number[]>;
  readonly #descriptors = new Map<LogName, number>();
  #queue: Promise<void> = Promise.resolve();
  /** Once a write failed nobody knows what is on disk: only opening again finds out. */
  #broken: unknown;

  /** `segments`: numbers of each store's, which this now holds. */
  constructor(folder: string, owner: string, segments: Iterable<readonly [LogName, number[]]>) {
    this.#folder = folder;
    this.#owner = owner;
    this.#segments = new Map(segments);
  }

  /** Durable when it resolves, after all that was asked for before. The first line of a store makes a new segment. */
  write(groups: readonly Group[]): Promise<void> {
    const written = this.#queue.then(() => this.#writeAll(groups));
    this.#queue = written.catch(() => undefined);
    return written;
  }

  /** Resolves when all that was asked for is written, or was refused. */
  drained(): Promise<void> {
    return this.#queue;
  }

  /**
   * Ends every segment: what is written later begins new ones, and only once `until` is settled. Where there are many,
   * they become one. Resolves when they have ended; fails when an earlier write failed.
   */
  seal(until: Promise<unknown>): Promise<void> {
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
    const numbers = this.#segments.get(store) ?? [];
    const number = (numbers.at(-1) ?? 0) + 1;
    const name = segmentName(number);
    const created = await createOpenFile(join(this.#folder, store, name), text);
    if (created === undefined) {
      throw new LoopliaError("lost-race", `${store}/${name} of ${this.#owner} is another process's.`, {
        hint: "Let the other run end, then run again.",
      });
    }
    numbers.push(number);
    this.#segments.set(store, numbers);
    this.#descriptors.set(store, created);
  }
}

function nothing(): void {}
