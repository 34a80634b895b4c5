// Decides a tool call, runs it and makes its result durable in all three stores.
import { decideCall } from "../approval/gate.ts";
import { createQuestion } from "../approval/request.ts";
import { LoopliaError } from "../core/errors.ts";
import {
  type AuditLine,
  type CallOutcome,
  type FileImage,
  type FrozenPrefix,
  isServerTool,
  type StopReason,
  type StoreLine,
  TEXT_CALL_FORM,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../core/events.ts";
import { type InteractionRequest, letsCallsRun, type RuleChange } from "../core/interaction.ts";
import { auditable, changedLines, hashContent, isObject, isWellFormedJson, PROGRAM } from "../core/json.ts";
import { redactValue } from "../core/redaction.ts";
import { callKey } from "../core/state.ts";
import { inputProblems, serverTool } from "../tools/registry.ts";
import { SUSPENDED, type Tool, type ToolContext, type ToolReply } from "../tools/tool.ts";
import { askPerson, type DecidedCall, type RunnableCall } from "./people.ts";
import {
  type AgentRun,
  type AgentSession,
  asOne,
  callReference,
  type Outcome,
  replyToFailure,
  summaryOf,
} from "./session.ts";

/** Decides each call separately. After any stop reason but `tool_use` no call may run (Messages API). */
export async function decideCalls(
  session: AgentSession,
  prefix: FrozenPrefix,
  stopReason: StopReason | undefined,
  calls: readonly ToolUseBlock[],
): Promise<DecidedCall[]> {
  if (stopReason !== "tool_use") {
    const reason = stopReason === "max_tokens" ? CUT_CALL : "Not run: the response was incomplete.";
    return calls.map((call) => ({ call, kind: "deny", reason }));
  }
  const known = new Set(prefix.tools.map((tool) => tool.name));
  return Promise.all(calls.map((call) => decideOne(session, known, call)));
}

/**
 * Denies calls that may wait for a person when several were made in one turn (`together`) and the model is a
 * program that can stop only at a single call: it must make them one at a time.
 */
export function refuseTogether(
  { model }: AgentSession,
  decided: readonly DecidedCall[],
  together: number,
): DecidedCall[] {
  if (!model.program?.asksAlone || together < 2) return [...decided];
  return decided.map((one) =>
    one.kind === "ask" ? { call: one.call, kind: "deny", reason: ONE_AT_A_TIME } : one,
  );
}

const ONE_AT_A_TIME =
  "Not run: a person must approve this call, and it came together with others. Repeat it as the only call of your message; send one message per call that needs approval.";

const CUT_CALL =
  "Not run: your response was cut at the limit of one response, so this call may be incomplete. Repeat it, with less text before it.";

const UNREADABLE = `Not run: this call can't be parsed. Its input must be one JSON object. In text, the right form, without a code fence around it, is:\n\n${TEXT_CALL_FORM}`;

/** Decides a call that the program proposes, whether or not the agent has the tool. */
export async function decideOwn(session: AgentSession, call: ToolUseBlock, own?: Tool): Promise<DecidedCall> {
  const tool = own ?? findTool(session, call.name);
  const decided = tool ? await decideWith(session, call, tool) : noTool(call, [call.name]);
  return decided.kind === "deny" ? decided : { ...decided, isProgram: true };
}

async function decideOne(
  session: AgentSession,
  known: ReadonlySet<string>,
  call: ToolUseBlock,
): Promise<DecidedCall> {
  if (typeof call.input === "string") return { call, kind: "deny", reason: UNREADABLE };
  const tool = known.has(call.name) ? findTool(session, call.name) : undefined;
  return tool ? decideWith(session, call, tool) : noTool(call, [...known]);
}

function noTool(call: ToolUseBlock, known: readonly string[]): DecidedCall {
  const reason = `There is no tool ${JSON.stringify(call.name)} here. Your tools: ${known.join(", ")}.`;
  return { call, kind: "deny", reason };
}

async function decideWith(session: AgentSession, call: ToolUseBlock, tool: Tool): Promise<DecidedCall> {
  if (!isWellFormedJson(call.input)) {
    return { call, kind: "deny", reason: "The input contains text that is not well-formed Unicode." };
  }
  const parsed = tool.input().safeParse(call.input);
  if (!parsed.success) return { call, kind: "deny", reason: inputProblems(parsed.error) };
  const input = parsed.data;
  try {
    const facts = (await tool.facts?.(input, session.workspace)) ?? {};
    const name = tool.ruledAs ?? tool.name;
    const gated = { tool: name, risk: tool.risk, asksItself: tool.effect === "reentrant", ...facts };
    const decision = decideCall(gated, session.gate, session.workspace);
    if (decision.kind === "deny") return { call, ...decision, summary: summaryOf(session, { tool, input }) };
    const dangers = decision.kind === "ask" ? decision.dangers : [];
    return { call, kind: decision.kind, tool, input, facts, dangers };
  } catch (error) {
    return { call, kind: "deny", reason: replyToFailure(error).text };
  }
}

/**
 * An MCP tool stays available as long as the conversation's prefix names it, whatever the server offers now.
 */
function findTool({ tools, configuration: { servers } }: AgentSession, name: string): Tool | undefined {
  return tools.get(name) ?? (isServerTool(name) ? serverTool(name, servers) : undefined);
}

/** The audit lines of a turn: every call is logged as requested before any question or run. */
export function requestedLines(
  session: AgentSession,
  run: AgentRun,
  decided: readonly DecidedCall[],
): AuditLine[] {
  return decided.map(({ call, ...decision }) => ({
    store: "audit",
    type: "ToolCallRequested",
    payload: {
      toolCallId: call.id,
      toolName: call.name.toWellFormed(),
      authorActorId: decision.kind !== "deny" && decision.isProgram ? PROGRAM : `agent:${run.agent}`,
      taskId: run.taskId,
      conversationId: run.conversationId,
      input: auditable(call.input),
      decision: decision.kind,
      ...(decision.kind !== "deny" && decision.facts.command !== undefined
        ? { isolation: session.workspace.isolation.kind }
        : {}),
      ...(decision.kind === "ask" && decision.dangers.length > 0 ? { dangers: decision.dangers } : {}),
      timestamp: session.clock.now().getTime(),
    },
  }));
}

/** True for a call that changes nothing and waits for nobody. */
export function isRead(decided: DecidedCall | undefined): boolean {
  return decided?.kind === "allow" && decided.tool.effect === "read";
}

/** The calls from `start` that may run together: adjacent reads, else a single call. */
export function nextBatch(calls: readonly DecidedCall[], start: number): DecidedCall[] {
  let end = start + 1;
  if (isRead(calls[start])) while (isRead(calls[end])) end += 1;
  return calls.slice(start, end);
}

/**
 * Runs a decided call; `isStarted`: its start is already recorded. Resolves with the outcome that interrupts
 * the turn, if any, or once the call has its result, with the reverted changes that a person must be asked
 * about.
 */
export async function executeCall(
  session: AgentSession,
  run: AgentRun,
  { call, tool, input, facts, isProgram }: RunnableCall,
  isStarted: boolean,
): Promise<{ interruption?: Outcome; changes?: RuleChange[] }> {
  if (!isStarted) await recordStart(session, run, { call, tool, input });
  const began = session.clock.elapsed();
  const shown = {
    sessionId: session.journal.sessionId,
    taskId: run.taskId,
    agent: run.agent,
    toolName: tool.name,
  };
  const summary = summaryOf(session, { tool, input });
  session.observe({ type: "tool-started", ...shown, toolCallId: call.id, summary });
  const interruption: { outcome?: Outcome } = {};
  const reply = await runTool(
    session,
    tool,
    input,
    createContext(session, run, { call, facts }, interruption),
  );
  const durationMs = Math.round(session.clock.elapsed() - began);
  if ("suspended" in reply) return { interruption: interruption.outcome ?? { kind: "waiting" } };
  session.observe({
    type: "tool-ended",
    ...shown,
    toolCallId: call.id,
    summary,
    isError: reply.isError === true,
    durationMs,
    ...(facts.command === undefined ? {} : { ending: shortEnding(session.journal.redact(reply.text)) }),
    ...(reply.isError === true ? {} : changeOf(input, session.journal.redact)),
  });
  const tree = tool.effect === "once" ? await session.workspace.own?.now() : undefined;
  const outcome = reply.isError ? "failed" : "done";
  await settleCall(session, run, call, {
    reply,
    outcome,
    durationMs,
    ...(tree === undefined ? {} : { tree }),
    ...(isProgram ? { isProgram } : {}),
  });
  if (reply.fatal) throw new LoopliaError("host-failed", reply.fatal.message, { hint: reply.fatal.hint });
  return reply.changes === undefined ? {} : { changes: reply.changes };
}

const ENDING_LINES = 3;
const ENDING_COLUMNS = 200;

/** The first line, which says how a command ended, and the last lines of its output. */
function shortEnding(text: string): string {
  const [how = "", ...output] = text.trimEnd().split("\n");
  const shown = output.filter((line) => line.trim() !== "").slice(-ENDING_LINES);
  return [how, ...shown].map((line) => line.slice(0, ENDING_COLUMNS).toWellFormed()).join("\n");
}

const CHANGE_LINES = 200;

/** What an edit replaces, or what an artifact contains, for the views of a run. */
function changeOf(input: unknown, redact: (text: string) => string): { change?: string } {
  if (!isObject(input)) return {};
  const change = isObject(input.content)
    ? changedLines("", JSON.stringify(input.content, null, 2))
    : editLines(input);
  if (change === undefined) return {};
  const lines = redact(change).split("\n");
  const more = lines.length > CHANGE_LINES ? [`  … ${lines.length - CHANGE_LINES} more lines`] : [];
  return { change: [...lines.slice(0, CHANGE_LINES), ...more].join("\n") };
}

/** `notRun`: why an approved call did not run. `tree`: the session's worktree after the call. */
type SettledCall = {
  reply: ToolReply;
  outcome: CallOutcome;
  durationMs?: number;
  notRun?: string;
  tree?: string;
  /** The program made the call, not the model: the conversation gets no result. */
  isProgram?: true;
};

/**
 * Stores a call's result: first the audit line, then the model's view, then the settlement that recovery
 * reads.
 */
export async function settleCall(
  session: AgentSession,
  run: AgentRun,
  call: ToolUseBlock,
  { reply, outcome, durationMs = 0, notRun, tree, isProgram }: SettledCall,
): Promise<void> {
  const text = session.journal.redact(reply.text.toWellFormed());
  const content = (reply.isPersons ? text : cutText(text, call.id)) || "(no output)";
  const block: ToolResultBlock = {
    type: "tool_result",
    tool_use_id: call.id,
    content,
    ...(reply.isError ? { is_error: true } : {}),
  };
  const resultHash = hashContent(JSON.stringify(block));
  const lines: StoreLine[] = [
    {
      store: "audit",
      type: "ToolCallCompleted",
      payload: {
        toolCallId: call.id,
        authorActorId: isProgram ? PROGRAM : `agent:${run.agent}`,
        taskId: run.taskId,
        conversationId: run.conversationId,
        output: auditable({ text: reply.whole ?? reply.text }),
        isError: reply.isError === true,
        durationMs,
        timestamp: session.clock.now().getTime(),
      },
    },
    ...(isProgram
      ? []
      : [
          {
            store: "conversation" as const,
            type: "ToolResult" as const,
            payload: { conversationId: run.conversationId, block },
          },
        ]),
    {
      store: "events",
      type: "ToolCallSettled",
      payload: {
        ...callReference(run, call),
        outcome,
        resultHash,
        ...(notRun === undefined ? {} : { notRun }),
        ...(tree === undefined ? {} : { tree }),
      },
    },
  ];
  if (tree === undefined) return session.journal.append(...lines);
  // No checkpoint may contain the call's effect without its record, or the record without the effect.
  await asOne(session.host, async () => {
    await session.journal.append(...lines);
    session.workspace.own?.keep(tree);
  });
}

/**
 * `reentrant` and repeatable calls are resumed under their first start, so theirs need not be durable before they run: the
 * reply that makes them is.
 */
async function recordStart(
  session: AgentSession,
  run: AgentRun,
  { call, tool, input }: Pick<RunnableCall, "call" | "tool" | "input">,
): Promise<void> {
  const isKnown = session.journal.state.calls.has(callKey(run.conversationId, call.id));
  if (isKnown && tool.effect !== "once") return;
  const image = await imageOf(session, tool, input);
  const payload = { ...callReference(run, call), ...(image === undefined ? {} : { image }) };
  const started = { store: "events", type: "ToolCallStarted", payload } as const;
  if (tool.effect === "once") await session.journal.append(started);
  else session.journal.note(started);
}

/** Undefined also if the call will be refused anyway. */
async function imageOf(session: AgentSession, tool: Tool, input: unknown): Promise<FileImage | undefined> {
  try {
    return await tool.image?.(input, session.workspace);
  } catch (error) {
    replyToFailure(error);
    return undefined;
  }
}

async function runTool(
  session: AgentSession,
  tool: Tool,
  input: unknown,
  context: ToolContext,
): Promise<ToolReply | typeof SUSPENDED> {
  try {
    return await tool.run(input, context);
  } catch (error) {
    if (session.signal.aborted) throw error;
    return replyToFailure(error);
  }
}

function createContext(
  session: AgentSession,
  run: AgentRun,
  { call, facts }: Pick<RunnableCall, "call" | "facts">,
  interruption: { outcome?: Outcome },
): ToolContext {
  const asks = { toolCallId: call.id, toolName: call.name, input: call.input, binding: {} };
  return {
    call: { toolCallId: call.id, conversationId: run.conversationId, taskId: run.taskId, agent: run.agent },
    workspace: session.workspace,
    facts,
    signal: session.signal,
    skills: session.configuration.skills,
    artifacts: {
      write: (output, content) =>
        run.accept({
          output,
          content: redactValue(content, session.journal.redact),
          callId: callKey(run.conversationId, call.id),
        }),
    },
    ask: async ({ title, description, content, contentKind, ...question }) => {
      if (!session.host.canAsk) return "nobody";
      const display = {
        title,
        ...(description === undefined ? {} : { description }),
        ...(content === undefined ? {} : { content }),
        ...(contentKind === undefined ? {} : { contentKind }),
      };
      const isOwn = (request: InteractionRequest) =>
        !letsCallsRun(request) && request.toolCallIds.includes(call.id);
      const create = (origin: Parameters<typeof createQuestion>[0]) =>
        createQuestion(origin, asks, { ...question, display });
      const asked = await askPerson(session, run, isOwn, create);
      if (asked.kind === "answered") return asked.answer;
      interruption.outcome = asked.outcome;
      return SUSPENDED;
    },
    subagents: {
      names: run.subagents,
      run: async (agent, prompt) => {
        const ended = await run.runSubagent({
          agent,
          prompt,
          conversationId: `${run.conversationId}/${call.id}`,
        });
        if ("reply" in ended) return ended.reply;
        interruption.outcome = ended.outcome;
        return SUSPENDED;
      },
    },
  };
}

/** Maximum characters of a result that a model sees; the audit log has the full result. */
const RESULT_LIMIT = 30_000;

function cutText(text: string, toolCallId: string): string {
  if (text.length <= RESULT_LIMIT) return text;
  const kept = text.slice(0, RESULT_LIMIT).toWellFormed();
  return `${kept}\n[cut after ${RESULT_LIMIT} of ${text.length} characters; the whole result is in the audit log, call ${toolCallId}]`;
}

/** The lines that an edit replaces; undefined for the input of any other call. */
function editLines({ oldStr, newStr }: Record<string, unknown>): string | undefined {
  if (typeof oldStr !== "string" || typeof newStr !== "string") return undefined;
  return changedLines(oldStr, newStr);
}
