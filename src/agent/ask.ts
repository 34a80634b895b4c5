// Raises a request to a person, durably before anybody sees it, and records the answer before it has an effect.
import { checkAnswer } from "../approval/answer.ts";
import type { RequestOrigin } from "../approval/interaction.ts";
import type { InteractionAnswer, InteractionRequest } from "../session/interaction.ts";
import type { AgentRun, AgentSession } from "./session.ts";

export type Asked = { request: InteractionRequest; answer: InteractionAnswer | undefined };

/**
 * The request that `find` finds, or a new one from `create`, with its answer if there is one. Without an answer the
 * call stays suspended. The same call always meets the same request.
 */
export async function askPerson(
  session: AgentSession,
  run: AgentRun,
  find: (request: InteractionRequest) => boolean,
  create: (origin: RequestOrigin) => InteractionRequest,
): Promise<Asked> {
  const request = findRequest(session, run, find) ?? (await raiseRequest(session, run, create));
  const recorded = session.journal.state.interactions.get(request.interactionId)?.response;
  if (recorded) return { request, answer: recorded };
  session.observe({ type: "question", sessionId: session.journal.sessionId, request });
  const result = await session.host.ask(request, session.signal);
  if (typeof result === "string") {
    session.signal.throwIfAborted();
    return { request, answer: undefined };
  }
  const checked = await checkAnswer(request, result.answer);
  if (!checked.ok) {
    const message = `That does not answer ${request.shortId}: expected ${checked.expected}. The question stays open.`;
    session.observe({ type: "notice", level: "warning", sessionId: session.journal.sessionId, message });
    return { request, answer: undefined };
  }
  await recordAnswer(session, request, checked.answer, result.actorId);
  return { request, answer: checked.answer };
}

/** Stores a checked answer; from then on the request is closed. */
export async function recordAnswer(
  session: Pick<AgentSession, "journal" | "observe">,
  request: InteractionRequest,
  answer: InteractionAnswer,
  actorId: string,
): Promise<void> {
  const { interactionId, taskId } = request;
  await session.journal.append({
    store: "events",
    type: "UserInteractionResponded",
    payload: { ...answer, interactionId, taskId, authorActorId: actorId },
  });
  session.observe({ type: "answered", sessionId: session.journal.sessionId, request, answer, actorId });
}

function findRequest(
  session: AgentSession,
  run: AgentRun,
  find: (request: InteractionRequest) => boolean,
): InteractionRequest | undefined {
  for (const { request } of session.journal.state.interactions.values()) {
    if (request.conversationId === run.conversationId && find(request)) return request;
  }
  return undefined;
}

/** One at a time in a session: the ordinal of a request is the number of those before it. */
function raiseRequest(
  session: AgentSession,
  run: AgentRun,
  create: (origin: RequestOrigin) => InteractionRequest,
): Promise<InteractionRequest> {
  const raise = async (): Promise<InteractionRequest> => {
    const request = create({
      workId: session.journal.workId,
      sessionId: session.journal.sessionId,
      taskId: run.taskId,
      conversationId: run.conversationId,
      agent: run.agent,
      ordinal: session.journal.state.interactions.size,
      workingDirectory: session.workspace.root,
    });
    await session.journal.append({ store: "events", type: "UserInteractionRequested", payload: request });
    return request;
  };
  const raised = session.asking.last.then(raise, raise);
  session.asking.last = raised.catch(() => undefined);
  return raised;
}
