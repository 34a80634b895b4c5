// Stores questions before people see them, and answers before they take effect.
import { requireAsShown } from "../approval/fingerprint.ts";
import { checkAnswer } from "../approval/questions.ts";
import { createConfirm, type RequestOrigin, type ShownCall } from "../approval/request.ts";
import { type DomainEvent, messageText, type ToolUseBlock, toolCallsOf } from "../core/events.ts";
import {
  type InteractionAnswer,
  type InteractionRequest,
  isSameNetwork,
  letsCallsRun,
} from "../core/interaction.ts";
import { inTurn, loginOf } from "../core/json.ts";
import { callKey, type InteractionState, isPending } from "../core/state.ts";
import {
  expiryOf,
  foldWork,
  type GivenAnswer,
  recordable,
  type StandingApproval,
  standingApprovals,
  standsAfter,
} from "../core/work-state.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import { type AgentRun, type AgentSession, type Outcome, replyToFailure } from "./session.ts";

/** A call and the decision about it. */
export type DecidedCall = { call: ToolUseBlock } & (
  | {
      kind: "allow" | "ask";
      tool: Tool;
      input: unknown;
      facts: ToolContext["facts"];
      dangers: string[];
      /** The program made the call, about a file that a command changed; the model did not. */
      isProgram?: true;
      /** The call would need an approval, but people approved its command line for the whole work. */
      stands?: true;
    }
  | { kind: "deny"; reason: string; summary?: string }
);

/** A call that is not forbidden. */
export type RunnableCall = Extract<DecidedCall, { kind: "ask" | "allow" }>;

/** The agent that asks in its conversation, or the program in the task's conversation. */
type Asker = Pick<AgentRun, "conversationId" | "taskId" | "agent">;

/** Without an answer the call stays suspended, or its task ends. */
type AskResponse =
  | { kind: "answered"; request: InteractionRequest; answer: InteractionAnswer }
  | { kind: "unanswered"; outcome: Outcome };

const WAITING: AskResponse = { kind: "unanswered", outcome: { kind: "waiting" } };

/**
 * Asks the request that `find` returns, or a new one from `create`. A repeated call always finds the same
 * request. At the work's cap of open questions no request is raised, and the call waits without one.
 */
export async function askPerson(
  session: AgentSession,
  run: Asker,
  find: (request: InteractionRequest) => boolean,
  create: (origin: RequestOrigin) => InteractionRequest,
): Promise<AskResponse> {
  const interaction = findInteraction(session, run, find) ?? (await raiseRequest(session, run, create));
  if (!interaction) return WAITING;
  const { request } = interaction;
  const { response } = interaction;
  if (response && !(await isTakenBack(session, interaction)))
    return { kind: "answered", request, answer: response };
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
 * Stores a checked answer. True when it closes the request; false when more people must approve, or when the
 * request was no longer open.
 */
async function recordAnswer(
  session: Pick<AgentSession, "journal" | "observe" | "asking" | "clock">,
  interaction: InteractionState,
  given: GivenAnswer,
): Promise<boolean> {
  const { answer, actorId } = given;
  const { request } = interaction;
  const events = recordable(interaction, given, session.asking.minApprovals);
  await session.journal.append(...events);
  await recordStanding(session, interaction, events);
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

async function recordStanding(
  { asking: { log }, clock }: Pick<AgentSession, "asking" | "clock">,
  interaction: InteractionState,
  events: readonly DomainEvent[],
): Promise<void> {
  if (!log || !interaction.request.standing) return;
  const state = foldWork(await log.workEvents());
  const stands = standsAfter(state, interaction, events, clock.now().toISOString());
  if (stands.length > 0) await log.appendWorkEvents(stands);
}

/**
 * The approval that lets a command run without a question. Revocations and permissions are read again each
 * time. Only isolated commands without network and danger can have one.
 */
export async function findStanding(
  session: AgentSession,
  { facts: { command }, dangers }: RunnableCall,
): Promise<StandingApproval | undefined> {
  const { asking, host, workspace } = session;
  const { log, workingDirectory, minApprovals } = asking;
  if (!log || command === undefined || dangers.length > 0) return undefined;
  const { kind, network } = workspace.isolation;
  if (kind === "none" || network || Object.keys(workspace.variables ?? {}).length > 0) return undefined;
  const find = async () =>
    standingApprovals(foldWork(await log.workEvents())).filter(
      (approval) =>
        approval.folder === workingDirectory &&
        approval.isolation === kind &&
        approval.commands.includes(command) &&
        approval.actorIds.length >= minApprovals,
    );
  if ((await find()).length === 0) return undefined;
  await host.hearRevocations?.();
  for (const approval of await find()) {
    const gone = (await host.whoMayNot?.(approval.actorIds)) ?? [];
    if (gone.length === 0) return approval;
  }
  return undefined;
}

/** True when the request's time is over; the first call that notices records it. */
async function isExpired(session: AgentSession, { request, closed }: InteractionState): Promise<boolean> {
  if (closed) return true;
  const expiry = expiryOf(request, session.clock.now());
  if (!expiry) return false;
  await session.journal.append(expiry);
  session.asking.open.settle(request.interactionId);
  return true;
}

function expired({ shortId, display, expiresAt = "its time" }: InteractionRequest): Outcome {
  const message = `nobody answered ${shortId} (${display.title}) before ${expiresAt}`;
  return { kind: "failed", reasonCode: "expired", message };
}

function findInteraction(
  session: AgentSession,
  run: Asker,
  find: (request: InteractionRequest) => boolean,
): InteractionState | undefined {
  for (const interaction of session.journal.state.interactions.values()) {
    const { request } = interaction;
    if (request.conversationId === run.conversationId && find(request)) return interaction;
  }
  return undefined;
}

/**
 * Raises one request at a time per work, so that two sessions can't both take the last slot. Undefined at the
 * cap of open questions.
 */
export function raiseRequest(
  session: AgentSession,
  run: Asker,
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
      redact: journal.redact,
    });
    asking.open.raise(request.interactionId);
    await journal.append({ store: "events", type: "UserInteractionRequested", payload: request });
    return journal.state.interactions.get(request.interactionId);
  };
  return inTurn(asking.open, raise);
}

// The preview of calls for people, and the check whether it is still correct.

/** Throws `store-corrupt` unless the approved calls, as the conversation has them now, are those that were shown. */
export function requireShownCalls(
  { journal, asking: { workingDirectory } }: AgentSession,
  request: InteractionRequest,
  calls: readonly ToolUseBlock[] = journal.conversation(request.conversationId).messages.flatMap(toolCallsOf),
): void {
  const { workId, sessionId } = journal;
  requireAsShown(request, { workId, sessionId, workingDirectory }, calls);
}

/**
 * Approvals may be hours old, so the preview is made again and compared. Returns the reason not to run, or
 * undefined. Throws `store-corrupt` as `requireShownCalls` does.
 */
export async function whyNotNow(
  session: AgentSession,
  run: AgentRun,
  decided: RunnableCall,
  request: InteractionRequest,
): Promise<string | undefined> {
  if (request.kept === undefined) requireShownCalls(session, request);
  const gone = await whoMayNot(session, request);
  if (gone.length > 0)
    return `people who approved it may no longer decide here: ${gone.map(loginOf).join(", ")}`;
  const { isolation } = session.workspace;
  const shown = request.isolation;
  if (shown && (shown.kind !== isolation.kind || !isSameNetwork(shown.network, isolation.network))) {
    return "commands would not run as shown";
  }
  if (decided.dangers.some((danger) => !request.dangers?.includes(danger))) {
    return "it is more dangerous than shown";
  }
  // The number of earlier starts does not affect what would run.
  const { starts: _, ...bound } = request.bindings?.[decided.call.id] ?? {};
  if (bound.follows !== undefined) {
    const { outcome } = session.journal.state.calls.get(callKey(run.conversationId, bound.follows)) ?? {};
    if (outcome !== "done" && outcome !== "failed") return "the previous command did not finish";
    const left = session.journal.state.trees?.get(run.conversationId);
    if (left !== undefined && left !== (await session.workspace.snapshot(undefined, left))) return CHANGED;
  }
  const before = { last: bound.follows, bound };
  const now = (await showCalls(session, [decided], before)).get(decided.call.id);
  if (now === undefined) return "it can't be shown again";
  if ("problem" in now) return now.problem;
  return whatChanged(now.binding, bound);
}

/** By call id. A `problem` says why a call can't be previewed, and therefore not asked about. */
type CallPreview = Map<string, ShownCall | { problem: string }>;

/**
 * Previews the first call and the later ones that need approval; allowed calls between them count for their
 * effect on files. `before`: the command that the first call follows, and what the first call was bound to in
 * its preview.
 */
export async function showCalls(
  session: AgentSession,
  calls: readonly DecidedCall[],
  before: { last?: string | undefined; bound?: Record<string, string> } = {},
): Promise<CallPreview> {
  const pending = new Map<string, string>();
  let follows = before.last;
  const shown: CallPreview = new Map();
  for (const decided of calls) {
    if (decided.kind === "deny") continue;
    const isShown = decided.kind === "ask" || decided === calls[0];
    if (!isShown && !decided.tool.preview) continue;
    const { call, tool, input, dangers, facts } = decided;
    try {
      const preview = await tool.preview?.(input, {
        workspace: session.workspace,
        pending,
        redact: session.journal.redact,
        ...(follows === undefined ? {} : { follows }),
        ...(before.bound === undefined ? {} : { bound: before.bound }),
      });
      const summary = {
        title: tool.name,
        content: JSON.stringify(input, null, 2),
        contentKind: "PlainText",
        binding: {},
      } as const;
      const { id: toolCallId, name: toolName } = call;
      const keyHashes = (facts.keys ?? []).map(({ hash }) => hash);
      const given = { toolCallId, toolName, input: call.input, dangers, keyHashes };
      const part = { ...given, ...(preview ?? summary) };
      if (isShown) shown.set(call.id, part);
      // A call that is not bound to one file may change any file.
      if (tool.effect === "once" && preview?.binding.path === undefined) follows = call.id;
    } catch (error) {
      if (isShown) shown.set(call.id, { problem: replyToFailure(error).text });
    }
  }
  return shown;
}

function whatChanged(now: Record<string, string>, bound: Record<string, string>): string | undefined {
  const names = new Set([...Object.keys(now), ...Object.keys(bound)]);
  const changed = [...names].filter((name) => now[name] !== bound[name]);
  if (changed.length === 0) return undefined;
  return changed.includes("worktree") ? CHANGED : "what was shown has changed since";
}

const CHANGED = "a file has changed since it was shown";

// One Confirm covers the risky calls of a turn; each call is compared with its preview just before it runs.

type ConfirmVerdict =
  /** `whyNotNow` checks just before the run whether the preview is still correct. */
  | { kind: "approved"; request: InteractionRequest }
  | { kind: "unanswered"; outcome: Outcome }
  | { kind: "refused"; reason: string };

/** Asks for `decided` together with the risky calls after it in the turn. */
export async function confirmCall(
  session: AgentSession,
  run: AgentRun,
  decided: RunnableCall,
  rest: readonly DecidedCall[],
): Promise<ConfirmVerdict> {
  if (!session.host.canAsk) {
    return { kind: "refused", reason: await session.configuration.prompts.render("nobody.md", {}) };
  }
  const raised = findConfirm(session, run, decided);
  const shown: CallPreview = raised ? new Map() : await showCalls(session, [decided, ...rest]);
  const own = shown.get(decided.call.id);
  if (own && "problem" in own) return { kind: "refused", reason: own.problem };
  const calls = [...shown.values()].filter((call): call is ShownCall => !("problem" in call));
  const isRaised = (request: InteractionRequest) => request === raised;
  const { kind, network } = session.workspace.isolation;
  const asked = await askPerson(session, run, isRaised, (origin) =>
    createConfirm(origin, calls, { kind, network }, { said: wordsBefore(session, run) }),
  );
  if (asked.kind === "unanswered") return asked;
  const { request, answer } = asked;
  if (answer.selectedOptionId !== "approve") {
    const reason = answer.comment ? ` They said: ${answer.comment}` : "";
    return { kind: "refused", reason: `A person rejected this call, so it was not run.${reason}` };
  }
  return { kind: "approved", request };
}

/** The agent's text in the turn whose calls need approval. Secrets are removed before the text is cut. */
function wordsBefore({ journal }: AgentSession, { conversationId }: AgentRun): string {
  const last = journal.conversation(conversationId).messages.findLast(({ role }) => role === "assistant");
  return last ? journal.redact(messageText(last)) : "";
}

/**
 * Finds the newest matching Confirm: a call that could not be previewed earlier may be in a later one too.
 */
export function findConfirm(
  session: AgentSession,
  run: AgentRun,
  { call }: DecidedCall,
): InteractionRequest | undefined {
  return [...session.journal.state.interactions.values()]
    .map(({ request }) => request)
    .findLast(
      (request) =>
        request.conversationId === run.conversationId &&
        request.kind === "Confirm" &&
        letsCallsRun(request) &&
        request.toolCallIds.includes(call.id),
    );
}

/** True when enough people approved the call, whether or not it may still run. */
export function wasApproved(session: AgentSession, run: AgentRun, decided: DecidedCall): boolean {
  const request = findConfirm(session, run, decided);
  const answered = request && session.journal.state.interactions.get(request.interactionId)?.response;
  return answered?.selectedOptionId === "approve";
}

// Siblings: an approval of one's calls is bound to the worktree, so no other sibling acts there meanwhile.

/**
 * True while a person is asked about calls of a sibling, that is, of a conversation of this task that is
 * neither an ancestor nor a descendant of this one.
 */
export function isHeld({ journal }: AgentSession, { taskId, conversationId }: AgentRun): boolean {
  return [...journal.state.interactions.values()].some(({ request, ...rest }) => {
    if (!letsCallsRun(request) || !isPending(rest) || request.taskId !== taskId) return false;
    const other = request.conversationId;
    return !isWithin(other, conversationId) && !isWithin(conversationId, other);
  });
}

/** True when no question of this call or its subagents is open, and no sibling's question holds them back. */
export function waitsForNobody(session: AgentSession, run: AgentRun, toolCallId: string): boolean {
  const conversationId = `${run.conversationId}/${toolCallId}`;
  const isOwn = (request: InteractionRequest) =>
    isWithin(request.conversationId, conversationId) ||
    (request.conversationId === run.conversationId && request.toolCallIds.includes(toolCallId));
  const open = [...session.journal.state.interactions.values()].filter(isPending);
  return !open.some(({ request }) => isOwn(request)) && !isHeld(session, { ...run, conversationId });
}

/** True when people decided about calls of this conversation, or of one below it, that have no result yet. */
export function hasDecidedCalls({ journal: { state } }: AgentSession, conversationId: string): boolean {
  return [...state.interactions.values()].some(
    ({ request, response }) =>
      response !== undefined &&
      letsCallsRun(request) &&
      isWithin(request.conversationId, conversationId) &&
      request.toolCallIds.some(
        (id) => state.calls.get(callKey(request.conversationId, id))?.outcome === undefined,
      ),
  );
}

function isWithin(conversationId: string, above: string): boolean {
  return `${conversationId}/`.startsWith(`${above}/`);
}

// Approvals by people who may no longer decide when their call is about to run.

/**
 * True when nothing has run under an approval and one of its givers may no longer decide: that approval is
 * dropped, and the question is open again.
 */
async function isTakenBack(session: AgentSession, { request, response }: InteractionState): Promise<boolean> {
  const { host, journal, asking } = session;
  const { interactionId, taskId, conversationId, toolCallIds } = request;
  if (!host.answersLater || request.kind !== "Confirm" || response?.selectedOptionId !== "approve")
    return false;
  if (
    !letsCallsRun(request) ||
    toolCallIds.some((id) => journal.state.calls.has(callKey(conversationId, id)))
  )
    return false;
  const actorIds = await whoMayNot(session, request);
  if (actorIds.length === 0) return false;
  await journal.append({
    store: "events",
    type: "ApprovalReopened",
    payload: { interactionId, taskId, actorIds },
  });
  asking.open.raise(interactionId);
  return true;
}

/** Everyone who approved counts: without one of them there are too few approvals. */
async function whoMayNot(session: AgentSession, { interactionId }: InteractionRequest): Promise<string[]> {
  const { approvals = [], response } = session.journal.state.interactions.get(interactionId) ?? {};
  const people = [...approvals.map(({ actorId }) => actorId), ...(response ? [response.authorActorId] : [])];
  return (await session.host.whoMayNot?.([...new Set(people)])) ?? [];
}
