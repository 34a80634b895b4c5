// What of a line may hold a secret before it is stored. What the program finds things by stays as it is. Pure.
import type { StoreLine } from "./events.ts";
import { type Redact, redactNothing, redactValue } from "./redaction.ts";

/** Made by the program or by the API; another value would be looked up in vain. */
const KEYS = new Set(
  [
    "interactionId shortId taskId conversationId toolCallId toolCallIds callId commentId authorActorId actorId",
    "agent outputs inputs frozen provider model response kind purpose fingerprint bindings isolation conflict",
    "selectedOptionId permission answeredAt expiresAt startedBy at decision outcome resultHash contentHash",
  ]
    .join(" ")
    .split(" "),
);

/**
 * The line as it may be stored. A model's own message is kept to the byte: its thinking is bound to what stands there
 * (PLATFORM, "thinking blocks"), and the model was told no secret, for all that it reads went through here.
 */
export function redactLine(line: StoreLine, redact: Redact): StoreLine {
  if (redact === redactNothing) return line;
  if (line.type === "Message" && line.payload.message.role === "assistant") return line;
  const payload = Object.entries(line.payload).map(([key, value]: [string, unknown]) => [
    key,
    KEYS.has(key) ? value : redactValue(value, redact),
  ]);
  return { ...line, payload: Object.fromEntries(payload) } as StoreLine;
}
