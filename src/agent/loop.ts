// The agent loop: settle the last turn, then ask the model, until the task completes, waits, stops or fails.

import { createHash } from "node:crypto";
import { type Conversation, messagesToSend, unansweredCalls } from "../core/conversation.ts";
import { LoopliaError, type ModelFailure } from "../core/errors.ts";
import {
  type ConversationLine,
  type Message,
  messageText,
  type StopReason,
  toolCallsOf,
} from "../core/events.ts";
import { inTurn, isShallow } from "../core/json.ts";
import type { Meter, ModelReply, ModelRequest } from "../core/ports.ts";
import { callKey } from "../core/state.ts";
import { reachedTurns, reserveForBatch, reserveTurn } from "./limits.ts";
import { type Paid, priceOfReply, TurnMeter } from "./meter.ts";
import {
  type AgentRun,
  type AgentSession,
  hasOpenApproval,
  IN_BATCH,
  type Outcome,
  stoppedBySignal,
} from "./session.ts";

// Sends one request to the model, and to the fallback model if the first one can't answer now.

/**
 * The model's reply to the conversation. Fails as `Model` does, if the fallback model fails or none is
 * configured.
 */
async function requestReply(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
  meter: Meter,
): Promise<ModelReply> {
  const memory = session.model.program ? await session.journal.memoryOf(conversation) : undefined;
  const request = async () =>
    session.model.respond(
      {
        ...(await requestOf(session, run, conversation)),
        ...(memory === undefined ? {} : { memory }),
      },
      {
        signal: session.signal,
        meter,
        onText: (delta) =>
          session.observe({ type: "text", sessionId: session.journal.sessionId, agent: run.agent, delta }),
      },
    );
  try {
    return await request();
  } catch (error) {
    if (!(await switchModel(session, run, conversation, error))) throw error;
    return await request();
  }
}

async function requestOf(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<ModelRequest> {
  return {
    conversationId: nameForModel(session, run),
    model: conversation.model,
    ...(conversation.effort === undefined ? {} : { effort: conversation.effort }),
    prefix: await session.journal.prefixOf(conversation),
    messages: messagesToSend(conversation),
  };
}

/**
 * Stores the reply that a batch brought, or adds the request to the next batch: then the conversation waits.
 * False: the request is sent by itself.
 */
async function throughBatch(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<Outcome | boolean> {
  const { wave, journal } = session;
  if (!wave) return false;
  const request = await requestOf(session, run, conversation);
  if (!request.prefix.answer) return false;
  const customId = customIdOf(request);
  const standing = wave.standingOf(customId);
  if (standing === "waiting") return IN_BATCH;
  if (standing === "lost" || (standing === "unsent" && !wave.sends)) return false;
  if (standing === "unsent") {
    const reserved = await reserveForBatch(session, run, conversation);
    if (typeof reserved !== "number") return reserved;
    await wave.add(customId, request, reserved);
    return IN_BATCH;
  }
  const { reply } = standing;
  const price = priceOfReply(session.model, conversation, reply);
  const paid = { usage: reply.usage, costUsd: price === null ? null : price * wave.share };
  await journal.turn(run.taskId, () => storeReply(session, run, reply, paid));
  wave.taken(customId, standing.batch);
  return true;
}

/** Unique over all sessions. */
function nameForModel({ journal }: AgentSession, { conversationId }: AgentRun): string {
  return `${journal.sessionId}/${conversationId}`;
}

/** Failures after which another model may succeed. */
const SWITCHABLE: ReadonlySet<ModelFailure> = new Set([
  "overloaded",
  "rate-limit",
  "unavailable",
  "server-error",
]);

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
  const dropped = boundBlocks(conversation);
  const loss = dropped === 0 ? "" : `; its reasoning so far is left out (blocks: ${dropped})`;
  const reason = `${error.message}${loss}`;
  await session.journal.append({
    store: "conversation",
    type: "ModelSwitched",
    payload: { conversationId: run.conversationId, from, to, reason },
  });
  session.observe({
    type: "notice",
    level: "warning",
    sessionId: session.journal.sessionId,
    message: `${from} failed (${error.message}); ${run.agent} continues with ${to}${loss}`,
  });
  return true;
}

/** The number of blocks that only the model which wrote them may receive. */
function boundBlocks(conversation: Conversation): number {
  const count = (messages: readonly Message[]) => messages.flatMap(({ content }) => content).length;
  const { messages } = conversation;
  const left = messagesToSend({ ...conversation, switchedAt: messages.length });
  return count(messagesToSend(conversation)) - count(left);
}

/**
 * Runs a conversation until it ends, and ends its agent program's process too. Never throws for a limit, an
 * interruption or a question.
 */
export async function runConversation(session: AgentSession, run: AgentRun): Promise<Outcome> {
  const { program } = session.model;
  if (!program) return takeTurns(session, run);
  let outcome: Outcome;
  try {
    outcome = await takeTurns(session, run);
  } catch (error) {
    // The first error is more informative than a failure to clean up after it.
    await leaveProgram(session, run).catch(() => undefined);
    throw error;
  }
  const isOver = outcome.kind === "completed" || outcome.kind === "failed";
  await (isOver ? program.release(nameForModel(session, run)) : leaveProgram(session, run));
  return outcome;
}

async function takeTurns(session: AgentSession, run: AgentRun): Promise<Outcome> {
  const conversation = session.journal.conversation(run.conversationId);
  try {
    for (;;) {
      const outcome = await runTurn(session, run, conversation);
      if (outcome) return outcome;
    }
  } catch (error) {
    if (session.signal.aborted) return stoppedBySignal(session.signal);
    throw error;
  }
}

async function runTurn(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<Outcome | undefined> {
  if (session.signal.aborted) return stoppedBySignal(session.signal);
  if (session.journal.state.interactions.size > 0) {
    const { settleKept } = await import("./kept.ts");
    const waiting = await settleKept(session, run);
    if (waiting) return waiting;
  }
  if (unansweredCalls(conversation).length > 0) {
    const { settleTurn } = await import("./turn.ts");
    const interruption = await settleTurn(session, run, conversation);
    if (interruption) return interruption;
  }
  await refreshTree(session);
  const outcome =
    run.isDone() ?? ENDS.get(conversation.lastStop) ?? (await goOnAfterText(session, run, conversation));
  if (outcome) return outcome;
  const news = await run.news?.();
  if (news && "outcome" in news) return news.outcome;
  if (news) await session.journal.append(userMessage(run.conversationId, news.tell));
  const throughIt = reachedTurns(session, run) ?? (await throughBatch(session, run, conversation));
  if (throughIt === true) return undefined;
  const reserved = throughIt || (await reserveTurn(session, run, conversation));
  // Subagents of the task may have begun turns meanwhile.
  const reached = typeof reserved === "function" ? reachedTurns(session, run) : reserved;
  if (typeof reserved !== "function" || reached) {
    if (typeof reserved === "function") reserved(undefined);
    return reached && conversation.lastStop === "max_tokens" ? afterCut(reached) : reached;
  }
  await session.journal.turn(run.taskId, (open) => {
    const meter = new TurnMeter({ session, run, conversation }, open, reserved);
    return takeTurn(session, run, { conversation, meter });
  });
  return undefined;
}

/** Asks the model, and stores its reply. At a limit there is none, and the loop says what follows. */
async function takeTurn(
  session: AgentSession,
  run: AgentRun,
  { conversation, meter }: { conversation: Conversation; meter: TurnMeter },
): Promise<void> {
  const meanwhile = setTimeout(loadNext, ASKED_MS);
  let reply: ModelReply;
  try {
    reply = await requestReply(session, run, conversation, meter);
  } catch (error) {
    // The first error is more informative than a failure of the store, which every later line meets too.
    await meter.lose().catch(() => undefined);
    if (!meter.isRefused || session.signal.aborted) throw error;
    await leaveProgram(session, run);
    return;
  } finally {
    clearTimeout(meanwhile);
  }
  await storeReply(session, run, reply, meter.settle(reply));
}

/** Ends the agent program's process, and keeps the memory that it resumes from. */
async function leaveProgram(session: AgentSession, run: AgentRun): Promise<void> {
  const { journal, model } = session;
  const memory = await model.program?.release(nameForModel(session, run), journal.redact);
  if (memory !== undefined) await journal.keepMemory(run.conversationId, memory);
}

/** By then a request has been sent, and no model has answered. */
const ASKED_MS = 100;

/** Loads the code that handles an answer, which no first request waits for. */
function loadNext(): void {
  void Promise.all([import("./call.ts"), import("./turn.ts")]);
}

/**
 * Merges others' changes into the session's own worktree between two turns, but never while one of its
 * approvals is open.
 */
async function refreshTree({ workspace, journal }: AgentSession): Promise<void> {
  const { own } = workspace;
  if (own) await inTurn(workspace, async () => (hasOpenApproval(journal.state) ? undefined : own.refresh()));
}

/**
 * Decides what follows a response without tool calls. It reads only stored data, so a crash in between
 * changes nothing.
 */
async function goOnAfterText(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<Outcome | undefined> {
  const last = conversation.messages.at(-1);
  if (last?.role !== "assistant") return undefined;
  switch (conversation.lastStop) {
    case "pause_turn":
      return undefined;
    case "max_tokens":
      await session.journal.append(userMessage(run.conversationId, CUT));
      return undefined;
    default: {
      const next = await run.whenEnded(messageText(last));
      if ("outcome" in next) return next.outcome;
      await session.journal.append(userMessage(run.conversationId, next.tell));
      return undefined;
    }
  }
}

async function storeReply(
  session: AgentSession,
  run: AgentRun,
  reply: ModelReply,
  paid: Paid,
): Promise<void> {
  requireUsableCalls(session, run, reply.message);
  const { stopReason, model } = reply;
  const { usage, costUsd } = paid;
  const conversation = session.journal.conversation(run.conversationId);
  const text = messageText(reply.message);
  const prefix = await session.journal.prefixOf(conversation);
  const calls = toolCallsOf(reply.message);
  const { decideCalls, isRead, refuseTogether, requestedLines } = await import("./call.ts");
  const each = await decideCalls(session, prefix, stopReason, calls);
  const decided = refuseTogether(session, each, calls.length);
  await session.journal.append(...requestedLines(session, run, decided), {
    store: "conversation",
    type: "Message",
    payload: {
      conversationId: run.conversationId,
      message: reply.message.content.length > 0 ? reply.message : EMPTY,
      response: { model, stopReason, ...paid },
    },
  });
  const reads = decided.filter(isRead).map(({ call }) => call.id);
  session.model.program?.expect(nameForModel(session, run), reads);
  const { sessionId } = session.journal;
  const { agent, taskId } = run;
  session.observe({ type: "usage", sessionId, taskId, model, usage, costUsd });
  if (stopReason === "max_tokens") {
    const message = `${agent}'s answer was cut at the limit of one response; the agent is asked to continue more briefly`;
    session.observe({ type: "notice", level: "warning", sessionId, message });
  }
  if (text) session.observe({ type: "message", sessionId, taskId, agent, text });
}

/** Stop reasons after which no request can follow. */
const ENDS: ReadonlyMap<StopReason | undefined, Outcome> = new Map([
  ["refusal", { kind: "failed", reasonCode: "model-failed", message: "the model refused to answer" }],
  [
    "model_context_window_exceeded",
    {
      kind: "failed",
      reasonCode: "model-failed",
      message: "the conversation is longer than the model can read",
    },
  ],
]);

/** Adds to a limit's message that the last answer was cut. */
function afterCut(limit: Outcome): Outcome {
  if (limit.kind !== "stopped") return limit;
  return { ...limit, message: `${limit.message}; the last answer was cut at the limit of one response` };
}

export const CUT =
  "Your answer was cut at the limit of one response. Continue from where it stopped, more briefly.";
/** The API refuses a history with an empty message. */
const EMPTY: Message = { role: "assistant", content: [{ type: "text", text: "(no answer)" }] };

/** The form of call ids in the Messages API; a call's id becomes part of conversation names. */
const CALL_ID = /^[\w-]{1,200}$/;

/**
 * Refuses a message before it is stored if one of its calls can't be used: a call without an id can't be
 * answered, a call that repeats an earlier id would get that call's result, and an input nested too deep
 * can't be stored.
 */
function requireUsableCalls(session: AgentSession, run: AgentRun, message: Message): void {
  const calls = toolCallsOf(message);
  const { calls: known } = session.journal.state;
  const isOwn = (id: string) => CALL_ID.test(id) && !known.has(callKey(run.conversationId, id));
  const areOwn =
    calls.every(({ id }) => isOwn(id)) && new Set(calls.map(({ id }) => id)).size === calls.length;
  const problem = areOwn ? "nested too deep" : "without ids of their own";
  if (areOwn && calls.every((call) => isShallow(call.input))) return;
  throw new LoopliaError("model-failed", `The model sent tool calls ${problem}.`, {
    modelFailure: "bad-request",
    hint: "Run again, or use another model.",
  });
}

/** A message from the program in a conversation, with its attachments. */
export function userMessage(conversationId: string, text: string, attached: readonly string[] = []) {
  const content = [text, ...attached].map((part) => ({ type: "text" as const, text: part }));
  return {
    store: "conversation",
    type: "Message",
    payload: { conversationId, message: { role: "user", content } },
  } as const satisfies ConversationLine;
}

/** Names a request by its conversation (which names the item) and by the hash of everything that is sent. */
function customIdOf({ conversationId, ...sent }: ModelRequest): string {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  return `${hash(conversationId).slice(0, 20)}-${hash(JSON.stringify(sent)).slice(0, 40)}`;
}
