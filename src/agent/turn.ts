// Settles the calls of a turn in order, using only stored data.
import { createDoubt, type ShownCall } from "../approval/request.ts";
import { type Conversation, unansweredCalls } from "../core/conversation.ts";
import { type StoreLine, type ToolUseBlock, toolCallsOf } from "../core/events.ts";
import { type InteractionRequest, letsCallsRun } from "../core/interaction.ts";
import { inTurn, isObject, loginOf } from "../core/json.ts";
import { callKey } from "../core/state.ts";
import type { ToolReply } from "../tools/tool.ts";
import { decideCalls, executeCall, nextBatch, refuseTogether, settleCall } from "./call.ts";
import { raiseKept, raiseKeys, settleKept } from "./kept.ts";
import {
  askPerson,
  confirmCall,
  type DecidedCall,
  findConfirm,
  findStanding,
  hasDecidedCalls,
  isHeld,
  type RunnableCall,
  showCalls,
  waitsForNobody,
  wasApproved,
  whyNotNow,
} from "./people.ts";
import {
  type AgentRun,
  type AgentSession,
  callReference,
  type Outcome,
  replyToFailure,
  stoppedBySignal,
  summaryOf,
} from "./session.ts";

// A call that an earlier process started and that has no result: look at the file, else ask a person.

/** `again`: run the call; `fresh`: it had no effect, so decide about it like any other call. */
type DoubtSettlement =
  | { kind: "again" | "fresh" }
  | { kind: "happened"; reply: ToolReply }
  /** `notRun`: why the call was not run although a person allowed it. */
  | { kind: "unknown"; reply: ToolReply; notRun?: string }
  | { kind: "interrupted"; outcome: Outcome };

/** The result for the model when the outcome can't be determined. */
const OUTCOME_UNKNOWN =
  "This call was started before an interruption and has no result: its outcome is unknown. It was not run again. Check what is there before you decide what to do.";

/** Never runs the call. Reuses the open question until it is answered; an answer is valid for one start. */
async function settleDoubt(
  session: AgentSession,
  run: AgentRun,
  decided: RunnableCall,
): Promise<DoubtSettlement> {
  const seen = await lookAtFile(session, run, decided);
  if (seen) return seen;
  if (!session.host.canAsk) return unknown();
  const { call } = decided;
  const starts = String(session.journal.state.calls.get(callKey(run.conversationId, call.id))?.starts ?? 1);
  const isOwn = (request: InteractionRequest) =>
    letsCallsRun(request) && request.bindings?.[call.id]?.starts === starts;
  const isRaised = [...session.journal.state.interactions.values()].some(({ request }) => isOwn(request));
  const shown = isRaised ? undefined : (await showCalls(session, [decided])).get(call.id);
  if (shown && "problem" in shown) return unknown(shown.problem);
  const { kind, network } = session.workspace.isolation;
  const asked = await askPerson(session, run, isOwn, (origin) => {
    if (!shown) throw new Error(`the question about call ${call.id} was there and is not`);
    const bound: ShownCall = { ...shown, binding: { ...shown.binding, starts } };
    return createDoubt(origin, bound, { kind, network });
  });
  if (asked.kind === "unanswered") return { kind: "interrupted", outcome: asked.outcome };
  return settleAnswered(session, run, decided, asked);
}

async function settleAnswered(
  session: AgentSession,
  run: AgentRun,
  decided: RunnableCall,
  {
    request,
    answer,
  }: { request: InteractionRequest; answer: { selectedOptionId?: string; comment?: string } },
): Promise<DoubtSettlement> {
  const said = answer.comment ? ` They said: ${answer.comment}` : "";
  switch (answer.selectedOptionId) {
    case "happened":
      return {
        kind: "happened",
        reply: {
          text: `A person checked: this call did run. Its output is lost.${said}`,
          isPersons: true,
        },
      };
    case "run": {
      const reason = await whyNotNow(session, run, decided, request);
      if (reason === undefined) return { kind: "again" };
      return { ...unknown(`A person let it run again, but ${reason}.`), notRun: reason };
    }
    case "stop": {
      const message = `a person ended the task because it is not known what ${summaryOf(session, decided)} did.${said}`;
      return { kind: "interrupted", outcome: { kind: "failed", reasonCode: "rejected", message } };
    }
    default:
      return unknown(`A person was asked and did not decide.${said}`);
  }
}

/** If the file equals the edit's result or its original, the outcome is known and no person is asked. */
async function lookAtFile(
  session: AgentSession,
  run: AgentRun,
  { call, tool, input }: RunnableCall,
): Promise<DoubtSettlement | undefined> {
  const recorded = session.journal.state.calls.get(callKey(run.conversationId, call.id))?.image;
  if (!recorded || !tool.fileHash) return undefined;
  try {
    const now = await tool.fileHash(input, session.workspace);
    if (now === recorded.after)
      return { kind: "happened", reply: { text: `Done: ${summaryOf(session, { tool, input })}.` } };
    return now === recorded.before ? { kind: "fresh" } : undefined;
  } catch (error) {
    // An unreadable file does not show whether the edit happened.
    return unknown(replyToFailure(error).text);
  }
}

function unknown(more?: string): Extract<DoubtSettlement, { kind: "unknown" }> {
  const text = more === undefined ? OUTCOME_UNKNOWN : `${OUTCOME_UNKNOWN} ${more}`;
  return { kind: "unknown", reply: { text, isError: true, isPersons: true } };
}

// Calls whose effect may outlive this machine are recorded before the first one runs (DURABILITY, class X).

/** The recorded intents of one turn. Those that never began are withdrawn when the turn is interrupted. */
class Intents {
  readonly #session: AgentSession;
  readonly #run: AgentRun;
  readonly #open = new Map<string, RunnableCall>();

  constructor(session: AgentSession, run: AgentRun) {
    this.#session = session;
    this.#run = run;
  }

  /**
   * Called before `decided` runs. Records it together with those of `rest` that need not wait, and resolves
   * when the record is durable outside this machine.
   */
  async record(decided: RunnableCall, rest: readonly DecidedCall[]): Promise<void> {
    if (!this.#reachesOutside(decided) || this.#open.has(decided.call.id)) return;
    const calls = [decided, ...this.#certainOf(rest)];
    const lines = calls.map(
      (call): StoreLine => ({
        store: "events",
        type: "ToolCallStarted",
        payload: callReference(this.#run, call.call),
      }),
    );
    await this.#session.journal.append(...lines);
    for (const call of calls) this.#open.set(call.call.id, call);
    await this.#session.host.secure();
  }

  /** True when the call's start was already recorded; from now on the call counts as begun. */
  begin(toolCallId: string): boolean {
    return this.#open.delete(toolCallId);
  }

  /** Withdraws the calls that never began, so that no person is asked whether they happened. */
  async withdraw(): Promise<void> {
    const { calls } = this.#session.journal.state;
    const left = [...this.#open.values()].filter(
      ({ call }) => calls.get(callKey(this.#run.conversationId, call.id))?.outcome === undefined,
    );
    this.#open.clear();
    if (left.length === 0) return;
    const lines = left.map(
      ({ call }): StoreLine => ({
        store: "events",
        type: "ToolCallWithdrawn",
        payload: callReference(this.#run, call),
      }),
    );
    await this.#session.journal.append(...lines);
  }

  /** The calls before the first one that may have to wait: approved ones, and those that need no approval. */
  #certainOf(rest: readonly DecidedCall[]): RunnableCall[] {
    const certain: RunnableCall[] = [];
    for (const decided of rest) {
      if (decided.kind === "deny") continue;
      if (decided.tool.effect === "reentrant" || !this.#isSettledWith(decided)) break;
      if (this.#reachesOutside(decided)) certain.push(decided);
    }
    return certain;
  }

  #isSettledWith(decided: RunnableCall): boolean {
    const { journal } = this.#session;
    if (journal.state.calls.has(callKey(this.#run.conversationId, decided.call.id))) return false;
    return findConfirm(this.#session, this.#run, decided)
      ? wasApproved(this.#session, this.#run, decided)
      : decided.kind === "allow";
  }

  #reachesOutside({ tool }: RunnableCall): boolean {
    return tool.effect === "once" && (tool.reachesOutside?.(this.#session.workspace.isolation) ?? false);
  }
}

/** Returns the outcome that interrupts the turn, or undefined when every call has its result. */
export async function settleTurn(
  session: AgentSession,
  run: AgentRun,
  conversation: Conversation,
): Promise<Outcome | undefined> {
  const prefix = await session.journal.prefixOf(conversation);
  const open = unansweredCalls(conversation);
  const last = conversation.messages.findLast(({ role }) => role === "assistant");
  const all = last ? toolCallsOf(last) : [];
  const each = await decideCalls(session, prefix, conversation.lastStop, open);
  const calls: DecidedCall[] = [];
  for (const decided of refuseTogether(session, each, all.length)) {
    const stands =
      decided.kind === "ask" && !findConfirm(session, run, decided) && (await findStanding(session, decided));
    calls.push(stands ? { ...decided, kind: "allow", stands: true } : decided);
  }
  const steps = all.filter(({ input }) => isObject(input) && input.stopOnFailure === true);
  const turn: Turn = { session, run, intents: new Intents(session, run), steps };
  const interruption = await runCalls(turn, calls);
  if (interruption) await turn.intents.withdraw();
  return interruption;
}

type Turn = {
  session: AgentSession;
  run: AgentRun;
  intents: Intents;
  /** Calls whose failure ends the rest of the turn. */
  steps: readonly ToolUseBlock[];
};

async function runCalls(turn: Turn, calls: readonly DecidedCall[]): Promise<Outcome | undefined> {
  const { signal, journal } = turn.session;
  for (let next = 0; next < calls.length; ) {
    if (signal.aborted) return stoppedBySignal(signal);
    if (hasFailedStep(turn)) return skipCalls(turn, calls.slice(next));
    const group = nextGroup(calls, next);
    next += group.length;
    const rest = calls.slice(next);
    const run = () => (group.some(isReentrant) ? enter(turn, group, rest) : runInOrder(turn, group, rest));
    // Acts get exclusive use of the worktree, including their question, so that no sibling acts in between.
    const interruption = await (group.some(isAct) ? inTurn(journal, run) : run());
    if (interruption) return interruption;
  }
  return undefined;
}

/** The group at `start`: adjacent calls that run side by side, or all calls up to the next such call. */
function nextGroup(calls: readonly DecidedCall[], start: number): DecidedCall[] {
  const first = calls[start];
  const isSideBySide = (call: DecidedCall) => isReentrant(call) && call.kind === "allow";
  const goesOn = (call: DecidedCall) =>
    first && isSideBySide(first) ? isSideBySide(call) : !isReentrant(call);
  const end = calls.findIndex((call, at) => at > start && !goesOn(call));
  const isAlone = first !== undefined && isReentrant(first) && !isSideBySide(first);
  return calls.slice(start, isAlone ? start + 1 : end < 0 ? calls.length : end);
}

function isReentrant(decided: DecidedCall): boolean {
  return decided.kind !== "deny" && decided.tool.effect === "reentrant";
}

function isAct(decided: DecidedCall): boolean {
  return decided.kind !== "deny" && decided.tool.effect === "once";
}

async function runInOrder(
  turn: Turn,
  group: readonly DecidedCall[],
  after: readonly DecidedCall[],
): Promise<Outcome | undefined> {
  const { signal } = turn.session;
  for (let next = 0; next < group.length; ) {
    if (signal.aborted) return stoppedBySignal(signal);
    if (hasFailedStep(turn)) return skipCalls(turn, group.slice(next));
    const batch = nextBatch(group, next);
    next += batch.length;
    const rest = [...group.slice(next), ...after];
    const outcomes = await Promise.all(batch.map((decided) => runCall(turn, decided, rest)));
    const interruption = outcomes.find((outcome) => outcome !== undefined);
    if (interruption) return interruption;
  }
  return undefined;
}

/**
 * Runs questions and subagents side by side, so that people are asked in one round. A subagent with an
 * approval goes first: the preview of its calls must still be correct when they run.
 */
async function enter(
  turn: Turn,
  group: readonly DecidedCall[],
  rest: readonly DecidedCall[],
): Promise<Outcome | undefined> {
  const { session, run } = turn;
  const isDecided = ({ call }: DecidedCall) => hasDecidedCalls(session, `${run.conversationId}/${call.id}`);
  const outcomes = new Map<DecidedCall, Outcome | undefined>();
  const first = group.filter(isDecided);
  for (const decided of first) outcomes.set(decided, await runCall(turn, decided, rest));
  let others = group.filter((decided) => !first.includes(decided));
  while (others.length > 0) {
    const ended = await Promise.allSettled(others.map((decided) => runCall(turn, decided, rest)));
    for (const [at, decided] of others.entries()) {
      const end = ended[at];
      if (end?.status === "rejected") throw end.reason;
      outcomes.set(decided, end?.value);
    }
    // A call that a sibling held back continues once people have decided about the sibling.
    const isFree = ({ call }: DecidedCall) => waitsForNobody(session, run, call.id);
    const free = group.filter((decided) => outcomes.get(decided)?.kind === "waiting" && isFree(decided));
    others = free.length < others.length ? free : [];
  }
  const all = [...outcomes.values()];
  return SEVERITY.flatMap((kind) => all.find((outcome) => outcome?.kind === kind) ?? [])[0];
}

/** The outcome of several interruptions is the first kind in this list that occurs. */
const SEVERITY = ["failed", "stopped", "waiting", "completed"] as const;

/** True also if the step failed in an earlier process. */
function hasFailedStep({ session, run, steps }: Turn): boolean {
  const outcomes = steps.map(({ id }) => session.journal.state.calls.get(callKey(run.conversationId, id)));
  return outcomes.some((call) => call?.outcome !== undefined && call.outcome !== "done");
}

async function skipCalls({ session, run, intents }: Turn, calls: readonly DecidedCall[]): Promise<undefined> {
  for (const { call } of calls) {
    intents.begin(call.id);
    await settleCall(session, run, call, { reply: { text: SKIPPED, isError: true }, outcome: "denied" });
  }
}

const SKIPPED = "Not run: an earlier step failed.";

async function runCall(
  turn: Turn,
  decided: DecidedCall,
  rest: readonly DecidedCall[],
): Promise<Outcome | undefined> {
  const { session, run } = turn;
  const { call } = decided;
  const isInDoubt = session.journal.isInDoubt(callKey(run.conversationId, call.id));
  if (decided.kind === "deny") {
    const text = isInDoubt ? `${OUTCOME_UNKNOWN} ${decided.reason}` : decided.reason;
    const more = wasApproved(session, run, decided) ? { notRun: decided.reason } : {};
    observeRefusal(turn, call, decided.reason, decided.summary);
    const outcome = isInDoubt ? "unknown" : "denied";
    await settleCall(session, run, call, { reply: { text, isError: true }, outcome, ...more });
    return undefined;
  }
  if (isAct(decided) && isHeld(session, run)) return { kind: "waiting" };
  if (isInDoubt && decided.tool.effect === "once" && !isUndone(session, decided)) {
    const settled = await settleDoubt(session, run, decided);
    if (settled.kind === "interrupted") return settled.outcome;
    if ("reply" in settled) {
      const outcome = settled.kind === "happened" ? "done" : "unknown";
      const more = "notRun" in settled ? { notRun: settled.notRun } : {};
      await settleCall(session, run, call, { reply: settled.reply, outcome, ...more });
      return undefined;
    }
    if (settled.kind === "again") return startCall(turn, decided, rest);
  }
  if (decided.stands) {
    const approval = await findStanding(session, decided);
    if (!approval) return runCall(turn, asAsked(decided), rest);
    const people = approval.actorIds.map(loginOf).join(", ");
    const message = `${summaryOf(session, decided)}: runs by the standing approval ${approval.number} of ${people}`;
    session.observe({ type: "notice", level: "info", sessionId: session.journal.sessionId, message });
  }
  // If a person was ever asked about the call, their decision applies, whatever the rules say now.
  if (decided.kind !== "ask" && !findConfirm(session, run, decided)) return startCall(turn, decided, rest);
  const verdict = await confirmCall(session, run, decided, rest);
  if (verdict.kind === "unanswered") return verdict.outcome;
  if (verdict.kind === "refused") return refuseCall(turn, decided, verdict.reason);
  return startCall(turn, decided, rest, () => whyNotNow(session, run, decided, verdict.request));
}

/** True for a call whose only possible effect, on the session's own worktree, is gone: it may run again. */
function isUndone({ workspace }: AgentSession, { tool }: RunnableCall): boolean {
  return workspace.own?.isStored === true && tool.reachesOutside?.(workspace.isolation) === false;
}

/** Used when the standing approval of the call has ended meanwhile. */
function asAsked({ stands: _, ...decided }: RunnableCall): DecidedCall {
  return { ...decided, kind: "ask" };
}

/** Calls that change the worktree run one at a time, so that it can't change after the final check. */
async function startCall(
  turn: Turn,
  decided: RunnableCall,
  rest: readonly DecidedCall[],
  lookAgain: () => Promise<string | undefined> = async () => undefined,
): Promise<Outcome | undefined> {
  const { session, run, intents } = turn;
  const start = async () => {
    session.signal.throwIfAborted();
    const notRun = await lookAgain();
    if (notRun !== undefined) return refuseCall(turn, decided, approvedInVain(notRun), notRun);
    await intents.record(decided, rest);
    const ended = await executeCall(session, run, decided, intents.begin(decided.call.id));
    if (ended.changes) await raiseKept(session, run, decided, ended.changes);
    await raiseKeys(session, run, decided);
    return ended.interruption;
  };
  const interruption = await (decided.tool.effect === "once" ? inTurn(session.workspace, start) : start());
  return interruption ?? settleKept(session, run);
}

/** `notRun`: why an approved call was not run. */
async function refuseCall(turn: Turn, { call, tool, input }: RunnableCall, reason: string, notRun?: string) {
  const { session, run, intents } = turn;
  intents.begin(call.id);
  observeRefusal(turn, call, reason, summaryOf(session, { tool, input }));
  const more = notRun === undefined ? {} : { notRun };
  const reply = { text: reason, isError: true, isPersons: true } as const;
  await settleCall(session, run, call, { reply, outcome: "denied", ...more });
  return undefined;
}

/** Observers also see calls that were not run. */
function observeRefusal(
  { session, run }: Turn,
  { id, name }: ToolUseBlock,
  reason: string,
  summary = "",
): void {
  const { taskId, agent } = run;
  const call = { taskId, agent, toolName: name.toWellFormed(), toolCallId: id, summary };
  const { sessionId, redact } = session.journal;
  const refused = redact(reason);
  session.observe({ type: "tool-ended", sessionId, ...call, isError: true, durationMs: 0, refused });
}

function approvedInVain(reason: string): string {
  return `Approved, but not run: ${reason}. Check again and make a new call.`;
}
