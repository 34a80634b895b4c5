// Segments of a store as they stand on disk, and which of their lines count. Changes nothing.
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { errnoOf, LoopliaError } from "../errors.ts";
import { decodeLine, type LogName, type PayloadReader } from "../session/codec.ts";
import type { StoredLine } from "../session/events.ts";
import { namesIn } from "./durable-file.ts";
import { readLines } from "./read-lines.ts";

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
export type SegmentSource = { folder: string; store: LogName; read?: PayloadReader | "skip" };

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

/** Damage before the end of a store: nothing goes on from there. */
export function corruptStore(message: string): LoopliaError {
  return new LoopliaError("store-corrupt", message, {
    hint: "Restore the file from a copy, or begin a fresh session; nothing was changed.",
  });
}
