// The fingerprint that an answer is bound to: made when a person is asked, and made again from what is about to run. Pure.
import canonicalize from "canonicalize";
import { LoopliaError } from "../core/errors.ts";
import { type InteractionRequest, letsCallsRun } from "../core/interaction.ts";
import { sha256Of } from "../core/json.ts";
import { callKey, type State } from "../core/state.ts";

/** Where a request stands. `ordinal`: its number in the work; `workingDirectory`: the path from the settings. */
export type AskedPlace = {
  workId: string;
  sessionId: string;
  workingDirectory: string;
};

/** `binding`: what a call is bound to besides its input, for example the file's hash before and after. */
type BoundCall = { toolCallId: string; toolName: string; input: unknown; binding: Record<string, string> };

const ASKED = ["kind", "purpose", "display", "options", "validation", "fields"] as const;
/** What people are asked. */
export type Asked = Pick<InteractionRequest, (typeof ASKED)[number]>;

/**
 * SHA-256 (hex) over the RFC 8785 form of everything that the answer is bound to. `isolation`: how commands would run.
 */
export function fingerprintOf(
  { workId, sessionId, workingDirectory }: AskedPlace,
  at: { conversationId: string; ordinal: number },
  calls: readonly BoundCall[],
  {
    asked,
    isolation,
  }: { asked: Partial<Record<keyof Asked, unknown>>; isolation: InteractionRequest["isolation"] },
): string {
  const bound = {
    ...{ workId, sessionId, conversationId: at.conversationId, ordinal: at.ordinal, workingDirectory },
    calls: calls.map(({ toolCallId, toolName, input, binding }) => ({
      toolCallId,
      toolName,
      input,
      binding,
    })),
    question: asked,
    ...(isolation === undefined ? {} : { isolation }),
  };
  return sha256Of(canonicalize(JSON.parse(JSON.stringify(bound))) ?? "");
}

/**
 * Throws `store-corrupt` unless the calls, which are about to run, are those that a person was shown: the stored request,
 * the stored conversation and the folder must give the fingerprint again that the request and its comment hold.
 */
export function requireAsShown(
  request: InteractionRequest,
  place: AskedPlace,
  calls: readonly { id: string; name: string; input: unknown }[],
): void {
  if (!letsCallsRun(request)) return;
  const { conversationId, shortId } = request;
  const bound = request.toolCallIds.flatMap((toolCallId): BoundCall[] => {
    const call = calls.find(({ id }) => id === toolCallId);
    if (!call) return [];
    return [
      { toolCallId, toolName: call.name, input: call.input, binding: request.bindings?.[toolCallId] ?? {} },
    ];
  });
  const found = fingerprintOf(place, { conversationId, ordinal: ordinalOf(shortId) }, bound, {
    asked: Object.fromEntries(ASKED.map((name) => [name, request[name]])),
    isolation: request.isolation,
  });
  if (found === request.fingerprint && shortId.endsWith(`-${found.slice(0, 6)}`)) return;
  throw new LoopliaError(
    "store-corrupt",
    `What ${shortId} would run is not what was shown: the stored conversation ${conversationId} or the stored question was changed. Nothing ran.`,
  );
}

/** From `q<ordinal>-<six hex digits>`. */
function ordinalOf(shortId: string): number {
  return Number(/^q(\d+)-/.exec(shortId)?.[1] ?? Number.NaN);
}

/** The same for each request of a session whose calls have not all run yet. `calls`: of one conversation. */
export function requireAllAsShown(
  { interactions, calls: states }: Pick<State, "interactions" | "calls">,
  place: AskedPlace,
  calls: (conversationId: string) => readonly { id: string; name: string; input: unknown }[],
): void {
  for (const { request } of interactions.values()) {
    const { conversationId, toolCallIds, kept } = request;
    const isOver = toolCallIds.every((id) => states.get(callKey(conversationId, id))?.outcome !== undefined);
    if (!isOver && kept === undefined) requireAsShown(request, place, calls(conversationId));
  }
}
