// Cost limits of a model request, for the session, the run and the month; people may raise each.
import { type Conversation, messagesToSend, noUsage, type Totals } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { FrozenPrefix, Usage } from "../core/events.ts";
import type { BudgetLimit } from "../core/interaction.ts";
import type { Model } from "../core/ports.ts";
import type { State } from "../core/state.ts";
import type { Exhausted } from "./budget.ts";
import { type AgentRun, type AgentSession, IN_BATCH, type Limits, type Outcome, stopped } from "./session.ts";

/** A limit in dollars needs a price. Throws `config-invalid` for a model without one. */
export function requirePrice(limits: Limits, model: Model, names: readonly string[]): void {
  const setting = limits.maxCostUsd === undefined ? limits.sharedUsd : "max-cost-usd";
  if (setting === undefined) return;
  const unpriced = names.find((name) => model.priceOf(name, noUsage()) === null);
  if (unpriced === undefined) return;
  throw new LoopliaError(
    "config-invalid",
    `${setting} is set, but there is no price for the model ${unpriced}.`,
    { hint: "Use max-tokens instead, or a model whose price is listed." },
  );
}

/** Settles a reservation with what was paid; null: nobody knows the price, `undefined`: the request failed. */
export type Settle = (costUsd: number | null | undefined) => void;

/**
 * Reserves an upper estimate of the next request. At a limit a person is asked whether to raise it; the
 * outcome then says that the conversation waits or has stopped.
 */
export async function reserveTurn(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<Settle | Outcome> {
  const refused = await keepOwnLimits(session, run);
  if (refused) return refused;
  if (!session.budget) return () => undefined;
  const { estimate, heard } = await estimateOf(session, conversation);
  const reserved = await reserveShared(session, run, estimate, true);
  if (typeof reserved !== "function") return reserved;
  return (costUsd) => {
    // The cost of an aborted request is unknown: count at least the tokens that were sent.
    if (costUsd === undefined) return reserved(session.signal.aborted ? heard : 0);
    return reserved(costUsd ?? estimate);
  };
}

/** The outcome if `max-turns` forbids the task another request, else undefined. */
export function reachedTurns({ limits, journal }: AgentSession, { taskId }: AgentRun): Outcome | undefined {
  if (journal.turnsOf(taskId) < limits.maxTurns) return undefined;
  return stopped("max-turns", `reached max-turns (${limits.maxTurns}); raise the limit to continue`);
}

/** True when the session's own limits forbid another request; nobody is asked. */
export function isSpent(session: AgentSession, run: AgentRun): boolean {
  const { limits, journal } = session;
  const isOver = reachedTurns(session, run) ?? reachedCost(limits, journal.state, journal.spent);
  return isOver !== undefined;
}

/** Reserves a further request of a turn, of so many bytes. Undefined at a limit of the run or the month. */
export async function reserveFurther(
  { budget, model }: AgentSession,
  { model: name }: Conversation,
  bytes: number,
): Promise<Settle | undefined> {
  if (!budget) return () => undefined;
  const estimate = model.priceOf(name, mostUsageOf(bytes, model)) ?? 0;
  const reserved = await budget.reserve(estimate);
  return typeof reserved === "function" ? (costUsd) => reserved(costUsd ?? 0) : undefined;
}

/**
 * The same for a request that a batch will answer after this run: its estimate in dollars, which counts as spent. At
 * a limit of the run or the month nobody is asked while others can be sent: the request waits for a later batch.
 */
export async function reserveForBatch(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<number | Outcome> {
  const refused = await keepOwnLimits(session, run);
  if (refused) return refused;
  if (!session.budget || !session.wave) return 0;
  const { estimate } = await estimateOf(session, conversation);
  const shared = estimate * session.wave.share;
  const reserved = await reserveShared(session, run, shared, !session.wave.isBegun);
  if (typeof reserved !== "function") return reserved;
  reserved(shared);
  return shared;
}

async function keepOwnLimits(session: AgentSession, run: AgentRun): Promise<Outcome | undefined> {
  for (;;) {
    const reached = reachedCost(session.limits, session.journal.state, session.journal.spent);
    if (!reached) return undefined;
    const raised = "kind" in reached ? reached : await askToRaise(session, run, reached);
    if ("kind" in raised) return raised;
  }
}

type Reached = { budget: BudgetLimit; used: number };

/** The session's own limit, including what people added to it. */
function reachedCost(limits: Limits, state: State, totals: Totals): Reached | Outcome | undefined {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = totals.usage;
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  const { maxTokens, maxCostUsd } = limits;
  if (maxTokens !== undefined) {
    const limit = raisedLimit(state, "tokens", maxTokens);
    if (tokens >= limit) return { budget: ofSession("tokens", limit, maxTokens), used: tokens };
  }
  if (maxCostUsd === undefined) return undefined;
  if (totals.unpriced) {
    return stopped(
      "cost-limit",
      "max-cost-usd can't be enforced: a model without a known price answered here",
    );
  }
  const limit = raisedLimit(state, "usd", maxCostUsd);
  if (totals.costUsd < limit) return undefined;
  return { budget: ofSession("usd", limit, maxCostUsd), used: totals.costUsd };
}

function ofSession(unit: BudgetLimit["unit"], limit: number, step: number): BudgetLimit {
  return { of: "session", unit, limit, raiseTo: limit + step };
}

function raisedLimit(state: State, unit: BudgetLimit["unit"], limit: number): number {
  const raised = [...state.interactions.values()].flatMap(({ request, response }) => {
    const { budget } = request;
    const isRaised = budget?.of === "session" && budget.unit === unit;
    return isRaised && response?.selectedOptionId === "approve" ? [budget.raiseTo] : [];
  });
  return Math.max(limit, ...raised);
}

/** The approved question, or how the conversation ends for now. */
async function askToRaise(
  session: AgentSession,
  run: AgentRun,
  { budget, used }: Reached,
): Promise<{ interactionId: string } | Outcome> {
  if (!session.host.canAsk)
    return stopped("cost-limit", `${reachedText(budget, used)}; raise the limit to continue`);
  const [{ askPerson }, { createBudgetQuestion }] = await Promise.all([
    import("./people.ts"),
    import("../approval/request.ts"),
  ]);
  const asked = await askPerson(
    session,
    run,
    (request) => isSame(request.budget, budget),
    (origin) => createBudgetQuestion(origin, budget, used),
  );
  if (asked.kind === "unanswered") return asked.outcome;
  if (asked.answer.selectedOptionId !== "approve") {
    return stopped("cost-limit", `${reachedText(budget, used)}, and a person left it unchanged`);
  }
  return { interactionId: asked.request.interactionId };
}

function isSame(asked: BudgetLimit | undefined, now: BudgetLimit): boolean {
  return (
    asked?.of === now.of && asked.unit === now.unit && asked.limit === now.limit && asked.name === now.name
  );
}

const SETTINGS = { session: "max-cost-usd", run: "max-run-cost-usd", month: "max-month-cost-usd" } as const;

function reachedText({ of, unit, limit }: BudgetLimit, used: number): string {
  if (unit === "tokens") return `used ${used} of max-tokens ${limit}`;
  return `spent $${used.toFixed(4)} of ${SETTINGS[of]} ${limit}`;
}

// The limits that all sessions of a run share.

/** `estimate`: at most this much; `heard`: what sending alone costs. In dollars. */
async function estimateOf(
  { journal, model }: AgentSession,
  conversation: Conversation,
): Promise<{ estimate: number; heard: number }> {
  const most = mostUsage(await journal.prefixOf(conversation), conversation, model);
  const estimate = model.priceOf(conversation.model, most) ?? 0;
  return { estimate, heard: model.priceOf(conversation.model, { ...most, outputTokens: 0 }) ?? 0 };
}

async function reserveShared(
  session: AgentSession,
  run: AgentRun,
  estimate: number,
  mayAsk: boolean,
): Promise<((costUsd: number) => void) | Outcome> {
  for (;;) {
    const reserved = (await session.budget?.reserve(estimate)) ?? (() => undefined);
    if (typeof reserved === "function") return reserved;
    if (!mayAsk) return IN_BATCH;
    const ended = await raiseShared(session, run, reserved);
    if (ended !== true) return ended;
  }
}

/** One session of the run asks, and the others share its answer. */
async function raiseShared(
  session: AgentSession,
  run: AgentRun,
  reached: Exhausted,
): Promise<true | Outcome> {
  const { budget, journal } = session;
  const { of, limitUsd: limit, spentUsd, month } = reached;
  const shared: BudgetLimit = {
    ...{ of, unit: "usd", limit },
    raiseTo: limit + (budget?.stepUsd(of) ?? 0),
    name: month ?? budget?.runId ?? "",
  };
  if (!budget || reached.isShared) {
    const message = `${reachedText(shared, spentUsd)}, and other runs have leased the rest of the month's`;
    return stopped("cost-limit", message);
  }
  let own: Outcome | undefined;
  const isRaised = await budget.decide(reached, journal.sessionId, async () => {
    const raised = await askToRaise(session, run, { budget: shared, used: spentUsd });
    if ("kind" in raised) own = raised;
    else await budget.raise(reached, raised.interactionId);
    return own === undefined;
  });
  if (own !== undefined) return own;
  if (isRaised) return true;
  return stopped("cost-limit", `${reachedText(shared, spentUsd)}; another session asks whether to raise it`);
}

/** Lowest number of JSON bytes per token in any script. */
const BYTES_PER_TOKEN = 2;

/**
 * An upper bound for a request: the whole input is written to the cache and the answer has maximum length.
 */
function mostUsage(prefix: FrozenPrefix, conversation: Conversation, model: Model): Usage {
  return mostUsageOf(Buffer.byteLength(JSON.stringify([prefix, messagesToSend(conversation)])), model);
}

function mostUsageOf(bytes: number, model: Model): Usage {
  const cacheWriteTokens = Math.ceil(bytes / BYTES_PER_TOKEN);
  return { ...noUsage(), cacheWriteTokens, outputTokens: model.maxOutputTokens ?? MOST_OUTPUT };
}

/** Assumed maximum answer length when the model does not state one. */
const MOST_OUTPUT = 32_000;
