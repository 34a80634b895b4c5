// Answers and refusals of the local Messages API on the wire, with every trouble a script asks for.
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Refusal } from "./messages-api-script.ts";
import { type ApiEvent, type ApiMessage, eventsOf } from "./messages-api-stream.ts";

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const error = {
    type: refusal.type ?? TYPES.get(refusal.status) ?? "invalid_request_error",
    message: refusal.message ?? `status ${refusal.status}`,
  };
  response.writeHead(refusal.status, {
    "content-type": "application/json",
    "request-id": "req_local",
    ...(refusal.retryAfter === undefined ? {} : { "retry-after": String(refusal.retryAfter) }),
    ...(refusal.retryAfterMs === undefined ? {} : { "retry-after-ms": String(refusal.retryAfterMs) }),
    ...refusal.headers,
  });
  response.end(JSON.stringify({ type: "error", error, request_id: "req_local" }));
}

const TYPES = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [529, "overloaded_error"],
]);

/** Streams the message (`asStream`), or sends it as one JSON document. */
export async function sendAnswer(
  response: ServerResponse,
  said: Answer,
  message: ApiMessage,
  asStream: boolean,
): Promise<void> {
  if (said.delayMs) await sleep(said.delayMs);
  if (!asStream) {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
    return;
  }
  const events = withTrouble(eventsOf(message, said), said);
  await sendEvents(
    response,
    said,
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

/** Sends the events of a stream as they are, with the delays and cuts that the script asks for. */
export async function sendEvents(
  response: ServerResponse,
  said: Answer,
  events: readonly string[],
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "request-id": "req_local" });
  for (const [index, event] of events.entries()) {
    if (response.destroyed || index === said.hangAfter) return;
    if (index === said.cutAfter) {
      // What was written has to leave first, or the cut comes before the headers.
      await sleep(5);
      response.destroy();
      return;
    }
    if (said.eventDelayMs && index > 0) await sleep(said.eventDelayMs);
    await writeChunks(response, event, said.chunkBytes);
  }
  response.end();
}

function withTrouble(events: ApiEvent[], said: Answer): ApiEvent[] {
  if (said.streamError !== undefined) {
    const error = { type: said.streamError, message: `${said.streamError} in mid-stream` };
    return [...events.slice(0, said.errorAfter ?? 1), { type: "error", error }];
  }
  const { pingEvery } = said;
  if (!pingEvery) return events;
  return events.flatMap((event, index) => (index % pingEvery === 0 ? [event, { type: "ping" }] : [event]));
}

async function writeChunks(response: ServerResponse, text: string, size: number | undefined): Promise<void> {
  if (!size) {
    response.write(text);
    return;
  }
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    // One write a segment: else the kernel puts them together again.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
