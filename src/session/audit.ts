// The audit log's hash chain: each line names the one before, so that a change, removal or reordering shows.

import canonicalize from "canonicalize";
import type { StoredLine } from "./events.ts";
import { sha256Of } from "./hash.ts";
import { isObject } from "./json.ts";

/** What the first line names as the one before it. */
export const FIRST_PREV = "0".repeat(64);

/** How many lines a chain has, and the last one's hash: whoever knows it sees a tail that was cut off. */
export type AuditHead = { count: number; hash: string };

export type ChainResult =
  | { ok: true; count: number; head: string }
  | { ok: false; index: number; reason: string };

/**
 * The line with `prev` and `hash`. Lone surrogates in its strings become U+FFFD, for RFC 8785 has no form for them.
 * Fails where JSON does (cycles, BigInt).
 */
export function chainLine(line: StoredLine, prev: string): StoredLine & { prev: string; hash: string } {
  const plain = toPlainJson({ ...line, prev }) as StoredLine & { prev: string };
  return { ...plain, hash: hashLine(plain) };
}

/** SHA-256 (hex) over the RFC 8785 form of a stored line without its `hash`. */
export function hashLine(line: StoredLine): string {
  const { hash: _, ...unsigned } = line;
  return sha256Of(canonicalize(unsigned) ?? "");
}

/** Checks a whole chain, oldest line first; says the first line (from 0) that does not fit. Never throws. */
export function verifyChain(lines: readonly StoredLine[], firstPrev: string = FIRST_PREV): ChainResult {
  let head = firstPrev;
  for (const [index, line] of lines.entries()) {
    const reason = faultOf(line, head);
    if (reason !== undefined) return { ok: false, index, reason };
    head = line.hash ?? head;
  }
  return { ok: true, count: lines.length, head };
}

function faultOf(line: StoredLine, prev: string): string | undefined {
  if (typeof line.hash !== "string") return "the line has no hash";
  if (line.prev !== prev) return "the line does not follow the one before it";
  try {
    return hashLine(line) === line.hash ? undefined : "the line was changed";
  } catch {
    return "the line has no canonical form";
  }
}

function toPlainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) => {
    if (typeof item === "string") return item.toWellFormed();
    return isObject(item) && Object.keys(item).some((key) => !key.isWellFormed())
      ? withWellFormedKeys(item)
      : item;
  });
}

function withWellFormedKeys(item: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key.toWellFormed(), value]));
}
