// Store lines as they stand on disk: one JSON object a line. Whole lines are checked, payloads are kept as they were.
import { z } from "zod";
import { LoopliaError } from "../errors.ts";
import type { ConversationLine, DomainEvent, StoredLine, StoreName } from "./events.ts";

const VERSION = 1;
const id = z.string().min(1);
const names = z.array(z.string());
const call = z.object({ conversationId: id, toolCallId: id, toolName: z.string() });
const block = z.looseObject({ type: z.string() });

const EVENT_PAYLOADS = new Map<string, z.ZodType>(
  Object.entries({
    TaskCreated: z.object({
      taskId: id,
      agent: id,
      outputs: names,
      inputs: z.looseObject({ source: z.string(), agent: z.string(), profile: z.string() }),
      conversationId: id,
    }),
    TaskStarted: z.object({ taskId: id }),
    TaskCompleted: z.object({ taskId: id }),
    TaskFailed: z.object({ taskId: id, reasonCode: id, message: z.string() }),
    TaskCanceled: z.object({ taskId: id, reason: z.string() }),
    UserInteractionRequested: z.object({
      interactionId: id,
      shortId: id,
      taskId: id,
      conversationId: id,
      toolCallIds: names,
      authorActorId: id,
      kind: z.enum(["Select", "Confirm", "Input", "Composite"]),
      purpose: id,
      display: z.looseObject({ title: z.string() }),
      fingerprint: id,
    }),
    UserInteractionResponded: z.object({ interactionId: id, taskId: id, authorActorId: id }),
    ToolCallStarted: call,
    ToolCallSettled: call.extend({
      outcome: z.enum(["done", "failed", "denied", "unknown"]),
      resultHash: z.string(),
    }),
    ArtifactAccepted: z.object({ taskId: id, output: id, contentHash: id }),
    ArtifactRefused: z.object({ taskId: id, output: id, errors: names }),
  } satisfies Record<DomainEvent["type"], z.ZodType>),
);

const CONVERSATION_PAYLOADS = new Map<string, z.ZodType>(
  Object.entries({
    ConversationStarted: z.object({
      conversationId: id,
      taskId: id,
      agent: id,
      frozen: z.string().regex(/^[0-9a-f]{64}$/),
      provider: id,
      model: id,
      depth: z.int().min(0),
    }),
    Message: z.object({
      conversationId: id,
      message: z.object({ role: z.enum(["user", "assistant"]), content: z.array(block) }),
      response: z.looseObject({ model: id, stopReason: id, usage: z.looseObject({}) }).optional(),
    }),
    ToolResult: z.object({
      conversationId: id,
      block: z.object({ type: z.literal("tool_result"), tool_use_id: id, content: z.string() }),
    }),
    ModelSwitched: z.object({ conversationId: id, from: id, to: id, reason: z.string() }),
  } satisfies Record<ConversationLine["type"], z.ZodType>),
);

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const frame = z.object({ seq: z.int().min(1), at: z.string().min(1), type: id, payload: z.unknown() });
const auditFrame = frame.extend({ prev: hash, hash });

/** One line of the store, with its line feed. */
export function encodeLine(line: StoredLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * Reads one stored line. Undefined when it is no JSON object, as a torn write leaves it. Fails with `store-corrupt`,
 * naming `place`, when it is whole but not ours: another version, type or shape. The payload is what was written,
 * nothing added, stripped or reordered; an audit line's payload is not looked at.
 */
export function decodeLine(store: StoreName, text: string, place: string): StoredLine | undefined {
  const parsed = parseObject(text);
  if (!parsed) return undefined;
  checkVersion(parsed, place);
  checkShape(store === "audit" ? auditFrame : frame, parsed, place);
  const line = parsed as StoredLine;
  if (store === "audit") return line;
  const payload = (store === "events" ? EVENT_PAYLOADS : CONVERSATION_PAYLOADS).get(line.type);
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
