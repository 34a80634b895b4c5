// One request to the model, and once more to another model where this one can't answer now.
import { LoopliaError, type ModelFailure } from "../errors.ts";
import type { ModelReply } from "../ports.ts";
import { type Conversation, messagesToSend } from "../session/conversation.ts";
import type { AgentRun, AgentSession } from "./session.ts";

/** The answer to a conversation as it stands. Fails as `Model` does, where the fallback model fails or there is none. */
export async function requestReply(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<ModelReply> {
  const prefix = await session.journal.prefixOf(conversation);
  const request = () =>
    session.model.respond(
      {
        conversationId: `${session.journal.sessionId}/${run.conversationId}`,
        model: conversation.model,
        prefix,
        messages: messagesToSend(conversation),
      },
      {
        signal: session.signal,
        onText: (delta) =>
          session.observe({ type: "text", sessionId: session.journal.sessionId, agent: run.agent, delta }),
      },
    );
  try {
    return await request();
  } catch (error) {
    if (!(await switchModel(session, run, conversation, error))) throw error;
    return request();
  }
}

/** Failures that another model may not have. */
const SWITCHABLE: ReadonlySet<ModelFailure> = new Set(["overloaded", "rate-limit", "unavailable"]);

async function switchModel(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
  error: unknown,
): Promise<boolean> {
  const to = session.fallbackModel;
  if (!(error instanceof LoopliaError) || !error.modelFailure || !SWITCHABLE.has(error.modelFailure))
    return false;
  if (to === undefined || to === conversation.model) return false;
  const from = conversation.model;
  await session.journal.append({
    store: "conversation",
    type: "ModelSwitched",
    payload: { conversationId: run.conversationId, from, to, reason: error.message },
  });
  session.observe({
    type: "notice",
    level: "warning",
    sessionId: session.journal.sessionId,
    message: `${from} failed (${error.message}); ${run.agent} goes on with ${to}`,
  });
  return true;
}
