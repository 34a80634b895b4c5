// Store lines as they stand on disk: one JSON object a line. Whole lines are checked, payloads are kept as they were.
import type { z } from "zod";
import { LoopliaError } from "../errors.ts";
import type { ConversationLine, DomainEvent, StoredLine, StoreName } from "./events.ts";
import type { LineShapes } from "./line-shapes.ts";

const VERSION = 1;
let shapes: Promise<LineShapes> | undefined;

/** One line of the store, with its line feed. */
export function encodeLine(line: StoredLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * Reads one stored line. Undefined when it is no JSON object, as a torn write leaves it. Fails with `store-corrupt`,
 * naming `place`, when it is whole but not ours: another version, type or shape. The payload is what was written,
 * nothing added, stripped or reordered; an audit line's payload is not looked at.
 */
export type LineDecoder = (store: StoreName, text: string, place: string) => StoredLine | undefined;

/** Loads the shapes that lines are checked by: a new session has no lines and needs none. */
export async function loadLineDecoder(): Promise<LineDecoder> {
  shapes ??= import("./line-shapes.ts").then(({ makeLineShapes }) => makeLineShapes());
  const known = await shapes;
  return (store, text, place) => decodeLine(known, store, text, place);
}

function decodeLine(
  shapes: LineShapes,
  store: StoreName,
  text: string,
  place: string,
): StoredLine | undefined {
  const parsed = parseObject(text);
  if (!parsed) return undefined;
  checkVersion(parsed, place);
  checkShape(store === "audit" ? shapes.auditFrame : shapes.frame, parsed, place);
  const line = parsed as StoredLine;
  if (store === "audit") return line;
  const payload = shapes[store].get(line.type);
  if (!payload) {
    throw new LoopliaError("store-corrupt", `${place}: unknown line type ${JSON.stringify(line.type)}.`, {
      hint: "A newer looplia wrote it. Go on with that version.",
    });
  }
  checkShape(payload, line.payload, place);
  return line;
}

/** A decoded line of the events store. */
export function toEvent(line: StoredLine): DomainEvent {
  return { store: "events", type: line.type, payload: line.payload } as DomainEvent;
}

/** A decoded line of the conversation store. */
export function toConversationLine(line: StoredLine): ConversationLine {
  return { store: "conversation", type: line.type, payload: line.payload } as ConversationLine;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function checkVersion(line: Record<string, unknown>, place: string): void {
  const version = line.v;
  if (version === VERSION) return;
  if (typeof version === "number" && version > VERSION) {
    throw new LoopliaError(
      "store-corrupt",
      `${place}: written by a newer version (line format ${version}, this looplia reads ${VERSION}).`,
      { hint: "Go on with the newer looplia." },
    );
  }
  throw new LoopliaError("store-corrupt", `${place}: no store line (\`v\` is missing or not ${VERSION}).`, {
    hint: RESTORE,
  });
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
