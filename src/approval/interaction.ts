// Makes the requests of the interaction protocol (UIP). Pure: who asks and who answers is elsewhere.
import type { InteractionRequest } from "../session/interaction.ts";
import { type BoundCall, fingerprintOf } from "./fingerprint.ts";

/** Where a request comes from. */
export type RequestOrigin = {
  workId: string;
  sessionId: string;
  taskId: string;
  conversationId: string;
  agent: string;
  /** The number of this request in its work, from 1. */
  ordinal: number;
  /** As the settings name it. */
  workingDirectory: string;
  /** ISO 8601. */
  expiresAt: string;
  startedBy?: string;
};

/** A risky call as a person sees it. */
export type ShownCall = BoundCall & { title: string; content: string; contentKind: "PlainText" | "Diff" };

type Asked = Pick<InteractionRequest, "kind" | "purpose" | "display" | "options" | "validation" | "fields">;

/** One Confirm for all asked calls of a turn, in order, numbered. */
export function createConfirm(origin: RequestOrigin, calls: readonly ShownCall[]): InteractionRequest {
  const [first] = calls;
  const isSingle = calls.length === 1;
  const asked: Asked = {
    kind: "Confirm",
    purpose: "confirm_risky_action",
    display: {
      title: isSingle && first ? first.title : `${calls.length} actions need your approval`,
      content: calls.map((call, index) => (isSingle ? call.content : numbered(call, index + 1))).join("\n"),
      contentKind: calls.every((call) => call.contentKind === "Diff") ? "Diff" : "PlainText",
    },
    options: [
      { id: "approve", label: "Approve", style: "primary" },
      { id: "reject", label: "Reject", style: "danger", isDefault: true },
    ],
  };
  return {
    ...createRequest(origin, asked, calls),
    bindings: Object.fromEntries(calls.map((call) => [call.toolCallId, call.binding])),
  };
}

/** The request of one call that asks by itself (`askUser`, `Task` without an agent). */
export function createQuestion(origin: RequestOrigin, call: BoundCall, asked: Asked): InteractionRequest {
  return createRequest(origin, asked, [call]);
}

function createRequest(origin: RequestOrigin, asked: Asked, calls: readonly BoundCall[]): InteractionRequest {
  const { agent, taskId, expiresAt, startedBy, ...bound } = origin;
  const fingerprint = fingerprintOf({ ...bound, calls, question: asked });
  const shortId = `q${origin.ordinal}-${fingerprint.slice(0, 6)}`;
  return {
    interactionId: `${origin.sessionId}.${shortId}`,
    shortId,
    taskId,
    conversationId: origin.conversationId,
    toolCallIds: calls.map((call) => call.toolCallId),
    authorActorId: `agent:${agent}`,
    ...asked,
    expiresAt,
    ...(startedBy === undefined ? {} : { startedBy }),
    fingerprint,
  };
}

/** Plain text is indented, so that no line of a command can pass for the next call; in a diff every line has its sign. */
function numbered({ title, content, contentKind }: ShownCall, number: number): string {
  return `${number}. ${title}\n${contentKind === "Diff" ? content : content.replace(/^/gm, "   ")}`;
}
