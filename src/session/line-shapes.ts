// What a line of each store must look like. Loaded only when the first line is read: it takes long, and a new session has
// none.
import { z } from "zod";
import type { ConversationLine, DomainEvent } from "./events.ts";
import { workPayloads } from "./work-shapes.ts";

export type LineShapes = {
  frame: z.ZodType;
  auditFrame: z.ZodType;
  /** Payloads by the type of their line. */
  events: ReadonlyMap<string, z.ZodType>;
  conversation: ReadonlyMap<string, z.ZodType>;
  work: ReadonlyMap<string, z.ZodType>;
};

/** What a stored line must look like, by its store and type. */
export function makeLineShapes(): LineShapes {
  const id = z.string().min(1);
  const hash = z.string().regex(/^[0-9a-f]{64}$/);
  const frame = z.object({ seq: z.int().min(1), at: z.string().min(1), type: id, payload: z.unknown() });
  return {
    frame,
    auditFrame: frame.extend({ prev: hash, hash }),
    events: eventPayloads(id),
    conversation: conversationPayloads(id, hash),
    work: workPayloads(),
  };
}

function eventPayloads(id: z.ZodString): Map<string, z.ZodType> {
  const names = z.array(z.string());
  const call = z.object({ conversationId: id, toolCallId: id, toolName: z.string() });
  return new Map<string, z.ZodType>(
    Object.entries({
      TaskCreated: z.object({
        taskId: id,
        agent: id,
        outputs: names,
        inputs: z.looseObject({ source: z.string(), agent: z.string(), profile: z.string() }),
        conversationId: id,
      }),
      EndsReapplied: z.object({ commits: z.array(z.string()) }),
      ActAhead: z.object({ taskId: id, tree: z.string(), list: z.string() }),
      SummaryReported: z.object({
        taskId: id,
        summary: z.looseObject({
          task_id: z.string().nullable(),
          status: z.enum(["done", "blocked", "skipped"]),
        }),
      }),
      TaskStarted: z.object({ taskId: id }),
      TaskCompleted: z.object({ taskId: id }),
      TaskFailed: z.object({
        taskId: id,
        reasonCode: id,
        message: z.string(),
        blocker: z.string().optional(),
      }),
      TaskCanceled: z.object({ taskId: id, reason: z.string() }),
      SessionCanceled: z.object({ reason: z.string() }),
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
      ApprovalGiven: z.object({ interactionId: id, taskId: id, actorId: id }),
      InteractionExpired: z.object({ interactionId: id, taskId: id, at: id }),
      ToolCallStarted: call.extend({ image: z.object({ before: id, after: id }).optional() }),
      ToolCallWithdrawn: call,
      ToolCallSettled: call.extend({
        outcome: z.enum(["done", "failed", "denied", "unknown"]),
        resultHash: z.string(),
        notRun: z.string().optional(),
      }),
      ArtifactAccepted: z.object({ taskId: id, output: id, contentHash: id }),
      ArtifactAdopted: z.object({ output: id, contentHash: id, editedBy: id }),
      ArtifactKept: z.object({ output: id, path: id, contentHash: id }),
      ArtifactRefused: z.object({ taskId: id, output: id, callId: id.optional(), errors: names }),
    } satisfies Record<DomainEvent["type"], z.ZodType>),
  );
}

function conversationPayloads(id: z.ZodString, hash: z.ZodString): Map<string, z.ZodType> {
  const block = z.looseObject({ type: z.string() });
  return new Map<string, z.ZodType>(
    Object.entries({
      ConversationStarted: z.object({
        conversationId: id,
        taskId: id,
        agent: id,
        frozen: hash,
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
}
