// Requests as they are stored, for tests of what is done with them.
import type { InteractionRequest } from "../../src/core/interaction.ts";

const APPROVE_OR_REJECT = [
  { id: "approve", label: "Approve" },
  { id: "reject", label: "Reject" },
];

/** A Confirm about a command; `changes` make it another request. */
export function makeRequest(changes: Partial<InteractionRequest> = {}): InteractionRequest {
  return {
    interactionId: "s-1.q1-abcdef",
    shortId: "q1-abcdef",
    taskId: "t",
    conversationId: "t#1",
    toolCallIds: ["1"],
    authorActorId: "agent:writer",
    kind: "Confirm",
    purpose: "confirm_risky_action",
    display: { title: "Run a command", content: "npm test", contentKind: "PlainText" },
    ...(changes.kind === undefined || changes.kind === "Confirm" ? { options: APPROVE_OR_REJECT } : {}),
    fingerprint: "abcdef".padEnd(64, "0"),
    bindings: { 1: {} },
    ...changes,
  };
}
