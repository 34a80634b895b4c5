// Reads a session's three stores and tells which lines count: the longest prefix of `seq` without a gap.
// Changes nothing on disk.
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { LoopliaError } from "../errors.ts";
import type { LoadedSession } from "../ports.ts";
import { FIRST_PREV } from "../session/audit.ts";
import { type LineDecoder, loadLineDecoder, toConversationLine, toEvent } from "../session/codec.ts";
import type { StoredLine, StoreName } from "../session/events.ts";
import { namesIn, readWhole } from "./durable-file.ts";

export const STORES = ["events", "conversation", "audit"] as const satisfies readonly StoreName[];

/** What of a segment does not count: its bytes from `offset` on, `lines` lines (a torn one is a line). */
export type Cut = { store: StoreName; name: string; offset: number; lines: number };

export type SessionScan = Omit<LoadedSession, "setAside"> & {
  /** Number of the last line that counts; 0 for a new session. */
  seq: number;
  /** Hash of the last audit line that counts. */
  auditHead: string;
  /** How many segments each store has. */
  segments: Record<StoreName, number>;
  /** Newest segment first. */
  cuts: Cut[];
};

type Line = { stored: StoredLine; offset: number };
type Segment = { store: StoreName; name: string; size: number; lines: Line[]; tornAt: number | undefined };

/**
 * Scans `sessions/<id>`; a missing folder is an empty session. Fails with `store-corrupt`, naming file and line, for
 * damage that no crash leaves: before a segment's last line, in a segment that has a successor, a segment or
 * number that is missing, doubled or out of order.
 */
export async function scanSession(folder: string): Promise<SessionScan> {
  const segments: Segment[] = [];
  const counts = { events: 0, conversation: 0, audit: 0 };
  for (const store of STORES) {
    const found = await readSegments(folder, store);
    counts[store] = found.length;
    segments.push(...found);
  }
  const seq = lastWithoutGap(segments);
  return { ...collectLines(segments, seq), seq, segments: counts, cuts: findCuts(segments, seq) };
}

/** A copy of a session's lines for those who only look: never waits, never mends. */
export async function readSession(workFolder: string, sessionId: string): Promise<LoadedSession> {
  const { events, conversation } = await scanSession(join(workFolder, "sessions", sessionId));
  return { events, conversation, setAside: [] };
}

export function segmentName(number: number): string {
  return `${String(number).padStart(6, "0")}.jsonl`;
}

async function readSegments(folder: string, store: StoreName): Promise<Segment[]> {
  const names = namesIn(join(folder, store)).filter((name) => /^\d{6}\.jsonl$/.test(name));
  if (names.length === 0) return [];
  const decodeLine = await loadLineDecoder();
  const segments: Segment[] = [];
  for (const [index, name] of names.entries()) {
    const path = join(folder, store, name);
    if (name !== segmentName(index + 1)) {
      throw corrupt(`${join(folder, store, segmentName(index + 1))}: the segment is missing.`);
    }
    const segment = splitSegment(await readWhole(path), { store, name, path, decodeLine });
    if (segment.tornAt !== undefined && index < names.length - 1) {
      throw corrupt(`${path}:${segment.lines.length + 1}: damaged line, and a later segment follows it.`);
    }
    segments.push(segment);
  }
  return segments;
}

type Source = { store: StoreName; name: string; path: string; decodeLine: LineDecoder };

function splitSegment(bytes: Buffer, { store, name, path, decodeLine }: Source): Segment {
  const segment: Segment = { store, name, size: bytes.length, lines: [], tornAt: undefined };
  for (let offset = 0; offset < bytes.length; ) {
    const feed = bytes.indexOf(10, offset);
    const end = feed < 0 ? bytes.length : feed;
    const slice = bytes.subarray(offset, end);
    const place = `${path}:${segment.lines.length + 1}`;
    const stored = isUtf8(slice) ? decodeLine(store, slice.toString("utf8"), place) : undefined;
    // The program never reads what audit says: its payloads need no memory.
    if (stored)
      segment.lines.push({ stored: store === "audit" ? { ...stored, payload: null } : stored, offset });
    else if (end >= bytes.length - 1) segment.tornAt = offset;
    else throw corrupt(`${place}: damaged line before the end of its segment.`);
    offset = end + 1;
  }
  return segment;
}

function lastWithoutGap(segments: readonly Segment[]): number {
  const seen = new Map<number, Segment>();
  const newest = new Map<StoreName, number>();
  for (const segment of segments) {
    for (const { stored } of segment.lines) {
      const other = seen.get(stored.seq);
      const place = `${segment.store}/${segment.name}`;
      if (other)
        throw corrupt(`${place}: line ${stored.seq} stands in ${other.store}/${other.name} as well.`);
      if (stored.seq < (newest.get(segment.store) ?? 0)) {
        throw corrupt(`${place}: line ${stored.seq} is out of order.`);
      }
      seen.set(stored.seq, segment);
      newest.set(segment.store, stored.seq);
    }
  }
  let last = 0;
  while (seen.has(last + 1)) last += 1;
  return last;
}

function collectLines(
  segments: readonly Segment[],
  seq: number,
): Pick<SessionScan, "events" | "conversation" | "auditHead"> {
  const counted = (store: StoreName) =>
    segments
      .filter((segment) => segment.store === store)
      .flatMap((segment) => segment.lines.map((line) => line.stored))
      .filter((line) => line.seq <= seq);
  return {
    events: counted("events").map(toEvent),
    conversation: counted("conversation").map(toConversationLine),
    auditHead: counted("audit").at(-1)?.hash ?? FIRST_PREV,
  };
}

function findCuts(segments: readonly Segment[], seq: number): Cut[] {
  const cuts: Cut[] = [];
  for (const { store, name, lines, tornAt } of segments) {
    const behind = lines.filter((line) => line.stored.seq > seq);
    const offset = behind[0]?.offset ?? tornAt;
    if (offset === undefined) continue;
    cuts.unshift({ store, name, offset, lines: behind.length + (tornAt === undefined ? 0 : 1) });
  }
  return cuts;
}

function corrupt(message: string): LoopliaError {
  return new LoopliaError("store-corrupt", message, {
    hint: "Restore the file from a copy, or begin a fresh session; nothing was changed.",
  });
}
