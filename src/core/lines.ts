// Encodes and decodes stored lines, and links audit lines into a hash chain. Pure.
import canonicalize from "canonicalize";
import type { z } from "zod";
import { LoopliaError } from "./errors.ts";
import type { ConversationLine, DomainEvent, StoredLine, StoreName, WorkEvent } from "./events.ts";
import { isObject, parseJson, sha256Of } from "./json.ts";
import { auditFrame, conversationPayloads, eventPayloads, lineFrame } from "./line-shapes.ts";
import { workPayloads } from "./work-shapes.ts";

/** The `prev` of the first line. */
export const FIRST_PREV = "0".repeat(64);

/**
 * The number of lines in a chain and the last one's hash. Comparing it with the chain reveals a cut-off tail.
 */
export type AuditHead = { count: number; hash: string };

export type ChainResult =
  | { ok: true; count: number; head: string }
  | { ok: false; index: number; reason: string };

/**
 * The line with `prev` and `hash`. Lone surrogates in its strings become U+FFFD, because RFC 8785 has no form
 * for them. Fails where JSON fails (cycles, BigInt).
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

/**
 * Checks a whole chain, oldest line first, and returns the index (from 0) of the first wrong line. Never
 * throws.
 */
export function verifyChain(lines: readonly StoredLine[]): ChainResult {
  let head = FIRST_PREV;
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

// Store lines on disk: one JSON object per line. Decoding validates whole lines and returns payloads
// unchanged.

const VERSION = 1;
/** Payload schemas by line type. */
const PAYLOADS: Record<Exclude<LogName, "audit">, ReadonlyMap<string, () => z.ZodType>> = {
  events: new Map(Object.entries(eventPayloads)),
  conversation: new Map(Object.entries(conversationPayloads)),
  work: new Map(Object.entries(workPayloads)),
};

/** One line of the store, with its line feed. */
export function encodeLine(line: StoredLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Folders of lines: a session's three stores, and the log of a work. */
export type LogName = StoreName | "work";

/** Restores a payload to its form before storage; by default payloads are stored unchanged. */
export type PayloadReader = (line: StoredLine, place: string) => unknown;

/**
 * Reads one stored line. Undefined when it is no JSON object, as a torn write leaves it. Fails with
 * `store-corrupt`, naming `place`, when a complete line has another version, type or shape. The payload is
 * returned as written, without additions, omissions or reordering. Payloads of audit lines are not checked,
 * and none is when `read` is `"skip"`.
 */
export function decodeLine(
  store: LogName,
  text: string,
  place: string,
  read?: PayloadReader | "skip",
): StoredLine | undefined {
  const parsed = parseObject(text);
  if (!parsed) return undefined;
  checkVersion(parsed, place);
  checkShape(store === "audit" ? auditFrame() : lineFrame(), parsed, place);
  const line = parsed as StoredLine;
  if (store === "audit" || read === "skip") return line;
  const payload = PAYLOADS[store].get(line.type);
  if (!payload) {
    throw new LoopliaError("store-corrupt", `${place}: unknown line type ${JSON.stringify(line.type)}.`, {
      hint: "Upgrade looplia: a newer looplia wrote the line.",
    });
  }
  if (read) line.payload = read(line, place);
  checkShape(payload(), line.payload, place);
  return line;
}

/** Events that close a task's questions. Their time decides what a bare command may mean. */
const CLOSING: readonly string[] = [
  "TaskCompleted",
  "TaskFailed",
  "TaskCanceled",
] satisfies DomainEvent["type"][];

/** A decoded line of the events store. Closing events get a time: their own, else the time of storage. */
export function toEvent({ type, at, payload }: StoredLine): DomainEvent {
  const told = CLOSING.includes(type) ? { at, ...(payload as object) } : payload;
  return { store: "events", type, payload: told } as DomainEvent;
}

/** A decoded line of the conversation store. */
export function toConversationLine(line: StoredLine): ConversationLine {
  return { store: "conversation", type: line.type, payload: line.payload } as ConversationLine;
}

/** A decoded line of a work's log. */
export function toWorkEvent(line: StoredLine): WorkEvent {
  return { type: line.type, payload: line.payload } as WorkEvent;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

function checkVersion(line: Record<string, unknown>, place: string): void {
  const version = line.v;
  if (version === VERSION) return;
  if (typeof version === "number" && version > VERSION) {
    throw new LoopliaError(
      "store-corrupt",
      `${place}: written by a newer version (line format ${version}, this looplia reads ${VERSION}).`,
      { hint: "Upgrade looplia to that version or a later one." },
    );
  }
  throw new LoopliaError(
    "store-corrupt",
    `${place}: not a store line (\`v\` is missing or not ${VERSION}).`,
    {
      hint: RESTORE,
    },
  );
}

function checkShape(schema: z.ZodType, value: unknown, place: string): void {
  const result = schema.safeParse(value);
  if (result.success) return;
  const issue = result.error.issues[0];
  const field = issue?.path.join(".") || "the line";
  throw new LoopliaError("store-corrupt", `${place}: ${field}: ${issue?.message ?? "wrong shape"}.`, {
    hint: RESTORE,
  });
}

const RESTORE = "Restore the file from a copy, or begin a fresh session; nothing was changed.";
