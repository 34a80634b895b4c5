// Raises a request to a person, durably before anybody sees it, and records the answer before it has an effect.
import { checkAnswer } from "../approval/answer.ts";
import type { RequestOrigin } from "../approval/interaction.ts";
import { type GivenAnswer, recordable } from "../approval/recordable.ts";
import { inTurn } from "../session/in-turn.ts";
import type { InteractionAnswer, InteractionRequest } from "../session/interaction.ts";
import type { InteractionState } from "../session/state.ts";
import type { Outcome } from "./outcome.ts";
import type { AgentRun, AgentSession } from "./session.ts";

/** Without an answer the call stays suspended, or its task ends. */
export type Asked =
  | { kind: "answered"; request: InteractionRequest; answer: InteractionAnswer }
  | { kind: "unanswered"; outcome: Outcome };

const WAITING: Asked = { kind: "unanswered", outcome: { kind: "waiting" } };

/**
 * Asks the request that `find` finds, or a new one from `create`. The same call always meets the same request. A work
 * that has as many open questions as it may have gets no other: the call waits without one.
 */
export async function askPerson(
  session: AgentSession,
  run: AgentRun,
  find: (request: InteractionRequest) => boolean,
  create: (origin: RequestOrigin) => InteractionRequest,
): Promise<Asked> {
  const interaction = findInteraction(session, run, find) ?? (await raiseRequest(session, run, create));
  if (!interaction) return WAITING;
  const { request } = interaction;
  if (interaction.response) return { kind: "answered", request, answer: interaction.response };
  if (await isExpired(session, interaction)) return { kind: "unanswered", outcome: expired(request) };
  session.observe({ type: "question", sessionId: session.journal.sessionId, request });
  const result = await session.host.ask(request, session.signal);
  if (typeof result === "string") {
    session.signal.throwIfAborted();
    return WAITING;
  }
  const checked = await checkAnswer(request, result.answer);
  if (!checked.ok) {
    const message = `That does not answer ${request.shortId}: expected ${checked.expected}. The question stays open.`;
    session.observe({ type: "notice", level: "warning", sessionId: session.journal.sessionId, message });
    return WAITING;
  }
  const { actorId } = result;
  const isAnswered = await recordAnswer(session, interaction, { answer: checked.answer, actorId });
  return isAnswered ? { kind: "answered", request, answer: checked.answer } : WAITING;
}

/**
 * Stores a checked answer. True when the request is closed by it; false when more people must approve, or when it was
 * not open any more.
 */
export async function recordAnswer(
  session: Pick<AgentSession, "journal" | "observe" | "asking">,
  interaction: InteractionState,
  given: GivenAnswer,
): Promise<boolean> {
  const { answer, actorId } = given;
  const { request } = interaction;
  const events = recordable(interaction, given, session.asking.minApprovals);
  await session.journal.append(...events);
  const isAnswered = events.some((event) => event.type === "UserInteractionResponded");
  const { sessionId } = session.journal;
  if (isAnswered) {
    session.asking.open.settle(request.interactionId);
    session.observe({ type: "answered", sessionId, request, answer, actorId });
  } else if (events.length > 0) {
    const message = `${actorId} approved ${request.shortId}; it needs ${session.asking.minApprovals} different people.`;
    session.observe({ type: "notice", level: "info", sessionId, message });
  }
  return isAnswered;
}

/** True when nobody can answer any more; recorded when it is found out. */
async function isExpired(session: AgentSession, interaction: InteractionState): Promise<boolean> {
  const { interactionId, taskId, expiresAt } = interaction.request;
  if (interaction.closed) return true;
  const now = session.clock.now();
  if (expiresAt === undefined || now.getTime() < Date.parse(expiresAt)) return false;
  await session.journal.append({
    store: "events",
    type: "InteractionExpired",
    payload: { interactionId, taskId, at: now.toISOString() },
  });
  session.asking.open.settle(interactionId);
  return true;
}

function expired({ shortId, display, expiresAt = "its time" }: InteractionRequest): Outcome {
  const message = `nobody answered ${shortId} (${display.title}) before ${expiresAt}`;
  return { kind: "failed", reasonCode: "expired", message };
}

function findInteraction(
  session: AgentSession,
  run: AgentRun,
  find: (request: InteractionRequest) => boolean,
): InteractionState | undefined {
  for (const interaction of session.journal.state.interactions.values()) {
    const { request } = interaction;
    if (request.conversationId === run.conversationId && find(request)) return interaction;
  }
  return undefined;
}

/** One at a time in a work: no two of its sessions take the last room. Undefined at the cap of open questions. */
function raiseRequest(
  session: AgentSession,
  run: AgentRun,
  create: (origin: RequestOrigin) => InteractionRequest,
): Promise<InteractionState | undefined> {
  const { asking, journal } = session;
  const raise = async (): Promise<InteractionState | undefined> => {
    if (asking.open.isFull) return undefined;
    const request = create({
      workId: journal.workId,
      sessionId: journal.sessionId,
      taskId: run.taskId,
      conversationId: run.conversationId,
      agent: run.agent,
      ordinal: await asking.nextOrdinal(),
      workingDirectory: asking.workingDirectory,
      expiresAt: new Date(session.clock.now().getTime() + asking.ttlHours * 3_600_000).toISOString(),
      ...(asking.startedBy === undefined ? {} : { startedBy: asking.startedBy }),
    });
    asking.open.raise(request.interactionId);
    await journal.append({ store: "events", type: "UserInteractionRequested", payload: request });
    return journal.state.interactions.get(request.interactionId);
  };
  return inTurn(asking.open, raise);
}
