// The life of an attempt at any task: its start is recorded, its conversation begins once, it runs, is
// reminded once, and its end is recorded together with everything that must be durable at the same moment.

import { type AgentDefinition, type Configuration, type Prompts, skillsOf } from "../config/definitions.ts";
import {
  coversTool,
  type DomainEvent,
  type FrozenPrefix,
  type Message,
  type ToolDefinition,
} from "../core/events.ts";
import type { Host, WorkLog } from "../core/ports.ts";
import { callKey, isOpen, type TaskState } from "../core/state.ts";
import { foldWork, type WorkState } from "../core/work-state.ts";
import { CUT, runConversation, userMessage } from "./loop.ts";
import {
  type AgentRun,
  type AgentSession,
  asOne,
  type FailureCode,
  isEndedByPeople,
  type Journal,
  modelFailure,
  type NextStep,
  type Outcome,
  type SubagentCall,
  type SubagentOutcome,
} from "./session.ts";

/** An attempt as data: the agent, how the attempt starts, what its agent delivers and how it ends. */
type Attempt = {
  session: AgentSession;
  /** The recorded start; a subagent shares its parent's task but has its own conversation. */
  task: Pick<TaskState, "taskId" | "agent" | "conversationId">;
  /** 0 for an agent that no other agent started. */
  depth: number;
  /** The agent whose instructions and tools the conversation begins with. Called once. */
  definition(): AgentDefinition | Promise<AgentDefinition>;
  /** Prepares what the conversation needs; a returned outcome ends the attempt without a conversation. */
  before?(): Promise<Outcome | undefined>;
  /** The message that starts the conversation, with its attachments. Called once. */
  opening(): string | Promise<string | readonly string[]>;
  /** Messages from people; they are added to the opening. */
  mailbox?: Mailbox;
  /**
   * Marks the attempt as started where people see it. Called at every start, while the conversation is
   * prepared.
   */
  mark?(): Promise<void>;
  accept: AgentRun["accept"];
  /** The JSON Schema of the answer, when the agent answers in one message and without tools. */
  answer?: Record<string, unknown> | undefined;
  /** Names of the agents that `Task` may start. */
  subagents: string[];
  /** Replaces running a subagent as the effect of `Task`. */
  delegate?: AgentRun["runSubagent"];
  isDone: AgentRun["isDone"];
  news?: AgentRun["news"];
  /**
   * Examines the agent's last text first: it may end the attempt, send the agent a reply, or return nothing.
   */
  readText?(text: string): Promise<NextStep | undefined>;
  /** What is still missing when the agent ends its turn; undefined: the work is complete. */
  debt?(): Debt | undefined;
  /**
   * Turns the outcome into the events to record. `isOpen`: the model was unreachable, and a later run may
   * resume. An attempt without this function is part of another attempt, which fails with it.
   */
  end?(outcome: Outcome, isOpen: boolean): Ending | Promise<Ending>;
};

/** The agent is reminded once with `prompt`; after that the attempt fails for this reason. */
type Debt = { prompt: string; variables: Record<string, unknown>; reasonCode: FailureCode; failure: string };

/** `before` and `after` become durable at the same moment as `event`. */
export type Ending = {
  outcome: Outcome;
  event?: DomainEvent | undefined;
  before?: () => Promise<void>;
  after?: () => Promise<void>;
};

/**
 * The open attempt at a task, or a new one, which is recorded before anything else happens in it. `isNoted`: only before
 * its conversation is, for callers that find their way without the start.
 */
export async function openAttempt(
  journal: Journal,
  start: Pick<TaskState, "taskId" | "agent" | "outputs" | "inputs"> & {
    conversationId?: string;
    from?: string;
    isNoted?: true;
  },
): Promise<TaskState> {
  const { taskId, agent, outputs, inputs, from } = start;
  const known = journal.state.tasks.get(taskId);
  if (isOpen(known)) return known;
  const conversationId = start.conversationId ?? `${taskId}#${(known?.attempt ?? 0) + 1}`;
  const payload = { taskId, agent, outputs, inputs, conversationId, ...(from === undefined ? {} : { from }) };
  const lines = [
    { store: "events", type: "TaskCreated", payload },
    { store: "events", type: "TaskStarted", payload: { taskId } },
  ] as const;
  if (start.isNoted) journal.note(...lines);
  else await journal.append(...lines);
  const task = journal.state.tasks.get(taskId);
  if (!task) throw new Error(`task ${taskId} was not folded`);
  return task;
}

/** Ends an open attempt that no run will resume and closes its questions. */
export function cancelAttempt(journal: Journal, taskId: string, reason: string, at?: string): Promise<void> {
  const payload = { taskId, reason, ...(at === undefined ? {} : { at }) };
  return journal.append({ store: "events", type: "TaskCanceled", payload });
}

/** Starts or resumes an attempt and runs it until it completes, fails, waits or stops. */
export async function runAttempt(attempt: Attempt): Promise<Outcome> {
  const { session, task, end } = attempt;
  if (!end) return converse(attempt);
  let isResumable = false;
  const outcome = await converse(attempt).catch((error: unknown) => {
    isResumable = true;
    return modelFailure(error);
  });
  const ending = await end(outcome, isResumable);
  const event = ending.event ?? (isResumable ? undefined : eventOf(task.taskId, ending.outcome));
  await recordEnd(session, { ...ending, event });
  return ending.outcome;
}

/** Makes an end durable: the event and its companions, in one checkpoint if the host has checkpoints. */
export async function recordEnd(
  { host, journal }: { host: Host; journal: Journal },
  { before, event, after }: Omit<Ending, "outcome">,
): Promise<void> {
  const record = async () => {
    await before?.();
    if (event) await journal.append(event);
    await after?.();
  };
  await (before || after ? asOne(host, record) : record());
}

function eventOf(taskId: string, outcome: Outcome): DomainEvent | undefined {
  if (outcome.kind === "completed") return { store: "events", type: "TaskCompleted", payload: { taskId } };
  if (outcome.kind !== "failed") return undefined;
  const { reasonCode, message } = outcome;
  return { store: "events", type: "TaskFailed", payload: { taskId, reasonCode, message } };
}

/**
 * Runs the attempt's conversation to its end, starting it if necessary. Throws when the model is unreachable.
 */
async function converse(attempt: Attempt): Promise<Outcome> {
  const { session, task } = attempt;
  const isNew = !session.journal.hasBegun(task.conversationId);
  const isLate = isNew && (attempt.before !== undefined || attempt.isDone() !== undefined);
  if (isLate) {
    await attempt.mark?.();
    const outcome = attempt.isDone() ?? (await attempt.before?.());
    if (outcome) return outcome;
  }
  // In parallel: neither needs the other to be durable.
  const [marked, begun] = await Promise.allSettled([
    isLate ? undefined : attempt.mark?.(),
    isNew ? begin(attempt) : undefined,
  ]);
  if (marked.status === "rejected") throw marked.reason;
  if (begun.status === "rejected") throw begun.reason;
  return runConversation(session, agentRun(attempt));
}

/** Records the beginning of the conversation, and that people's messages are in it. */
async function begin(attempt: Attempt): Promise<void> {
  const { session, task, mailbox, depth } = attempt;
  const { taskId, agent, conversationId } = task;
  const { opening, attached, messages, model, effort, frozen } = await prepare(attempt);
  const { provider } = session.model;
  const told = effort === undefined ? {} : { effort };
  const payload = { conversationId, taskId, agent, depth, model, frozen, provider, ...told };
  const start = () =>
    session.journal.append(
      { store: "conversation", type: "ConversationStarted", payload },
      userMessage(conversationId, opening, attached),
    );
  await (mailbox ? mailbox.deliver(session.host, taskId, messages, start) : start());
}

/** The first message of the conversation and its prefix, which is frozen already. */
async function prepare(attempt: Attempt) {
  const { session, mailbox } = attempt;
  const definition = await attempt.definition();
  const messages = mailbox?.take() ?? [];
  const [first = "", ...attached] = [await attempt.opening()].flat();
  const opening = await withMessages(session.configuration.prompts, first, messages);
  const frozen = await session.journal.freeze(await buildPrefix(session, definition, attempt.answer));
  const { effort } = definition;
  return { opening, attached, messages, model: modelFor(session, definition), effort, frozen };
}

function agentRun(attempt: Attempt): AgentRun {
  const { session, task, depth, accept, subagents, isDone } = attempt;
  const { taskId, agent, conversationId } = task;
  const run: AgentRun = {
    ...{ taskId, agent, conversationId, depth, accept, subagents, isDone },
    runSubagent: attempt.delegate ?? ((call) => runSubagent(session, run, call)),
    whenEnded: (text) => judgeText(attempt, text),
    ...(attempt.news ? { news: attempt.news } : {}),
  };
  return run;
}

/** Decides what follows the agent's final text: an outcome, or a further message to the agent. */
async function judgeText({ session, task, readText, debt }: Attempt, text: string): Promise<NextStep> {
  const read = await readText?.(text);
  if (read) return read;
  const owed = debt?.();
  if (!owed) return { outcome: { kind: "completed", text } };
  const { prompt, variables, reasonCode, failure } = owed;
  if (!wasReminded(session.journal, task)) {
    return { tell: await session.configuration.prompts.render(prompt, variables) };
  }
  const last = session.journal.redact(text).trim().slice(0, 500).toWellFormed() || "nothing";
  return { outcome: { kind: "failed", reasonCode, message: `${failure}; it said: ${last}` } };
}

/** True after one reminder; each delivery that was refused since then allows another reminder. */
function wasReminded(journal: Journal, { taskId, conversationId }: Attempt["task"]): boolean {
  const { messages } = journal.conversation(conversationId);
  const refusals = [...(journal.state.tasks.get(taskId)?.refusals.values() ?? [])];
  const isRefused = (block: Message["content"][number]) =>
    block.type === "tool_result" &&
    refusals.some(({ callId }) => callId === callKey(conversationId, block.tool_use_id));
  const refused = messages.findLastIndex(({ content }) => content.some(isRefused));
  return messages
    .slice(Math.max(refused, 0) + 1)
    .filter(({ role }) => role === "user")
    .some(({ content }) => content.some((block) => block.type === "text" && block.text !== CUT));
}

// Attempts that owe outputs.

/** Completed when all outputs were accepted; failed when one was refused more often than allowed. */
export function judgeOutputs(
  { outputs, accepted, refusals }: Pick<TaskState, "outputs" | "accepted" | "refusals">,
  retriesOf: (output: string) => number,
): Outcome | undefined {
  for (const name of outputs) {
    const refusal = refusals.get(name);
    if (accepted.has(name) || !refusal || refusal.count <= retriesOf(name)) continue;
    const message = `${name} was invalid ${refusal.count} times; last: ${refusal.errors.join("; ")}`;
    return { kind: "failed", reasonCode: "invalid-artifact", message };
  }
  return outputs.every((name) => accepted.has(name)) ? { kind: "completed", text: "" } : undefined;
}

/** The outputs that have not been accepted yet. */
export function owedOutputs({ agent, outputs, accepted }: TaskState): Debt {
  const missing = outputs.filter((name) => !accepted.has(name));
  const failure = `${agent} ended without writing ${missing.join(", ")}`;
  return { prompt: "unfinished.md", variables: { missing }, reasonCode: "invalid-artifact", failure };
}

// Messages that people left for the next task (`/looplia <text>`): the agent of one task reads them, once.

type PersonMessage = WorkState["messages"][number];
type Log = Pick<WorkLog, "workEvents" | "appendWorkEvents">;

/** The messages of an open work that no agent has received yet. */
export class Mailbox {
  readonly #log: Log;
  #waiting: PersonMessage[];

  private constructor(log: Log, waiting: PersonMessage[]) {
    this.#log = log;
    this.#waiting = waiting;
  }

  static async open(log: Log): Promise<Mailbox> {
    return new Mailbox(log, foldWork(await log.workEvents()).messages);
  }

  /** Returns the waiting messages; no other task gets them. */
  take(): PersonMessage[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  /** `tell` puts the messages into a task's conversation. Their delivery is recorded at the same moment. */
  async deliver(
    host: Host,
    taskId: string,
    messages: readonly PersonMessage[],
    tell: () => Promise<void>,
  ): Promise<void> {
    if (messages.length === 0) return tell();
    await asOne(host, async () => {
      await tell();
      await this.#log.appendWorkEvents(
        messages.map(({ commentId }) => ({ type: "MessageDelivered", payload: { commentId, taskId } })),
      );
    });
  }
}

/** The message that starts a task, preceded by people's messages, each labelled with its author. */
async function withMessages(
  prompts: Prompts,
  opening: string,
  messages: readonly PersonMessage[],
): Promise<string> {
  if (messages.length === 0) return opening;
  const said = messages.map(({ actorId, text }) => ({ author: actorId.split(":").at(-1) ?? actorId, text }));
  return `${await prompts.render("messages.md", { messages: said })}\n\n${opening}`;
}

// The bytes that a conversation begins with: system text and tool definitions. They contain no date and
// nothing else that changes.

/**
 * The prefix of an agent's conversation: frame, its instructions, the repository's instructions, skills'
 * metadata. With `answer`, the schema of every answer, there are no tools, and the skills are there in full.
 */
export async function buildPrefix(
  session: Pick<AgentSession, "configuration" | "tools">,
  agent: AgentDefinition,
  answer?: Record<string, unknown>,
): Promise<FrozenPrefix> {
  const { configuration, tools } = session;
  const { prompts, instructions } = configuration;
  const facts = {
    agent: { name: agent.name, description: agent.description, instructions: agent.instructions },
    instructions,
    isSingle: answer !== undefined,
  };
  const skills = skillsOf(configuration, agent);
  if (answer) {
    const texts = { ...facts, skills: [], texts: skills, subagents: [] };
    return { system: await prompts.render("agent-system.md", texts), tools: [], answer };
  }
  const names = new Set(agent.tools ?? tools.keys());
  const own = [...tools.values()].filter((tool) => names.has(tool.name));
  const offered = (await configuration.servers?.definitions()) ?? [];
  const isGiven = ({ name }: ToolDefinition) => agent.tools?.some((named) => coversTool(named, name)) ?? true;
  const system = await prompts.render("agent-system.md", {
    ...facts,
    skills: skills.map(({ name, description }) => ({ name, description })),
    texts: [],
    subagents: names.has("Task")
      ? [...configuration.agents.values()].map(({ name, description }) => ({ name, description }))
      : [],
  });
  const definitions = own.map(({ name }) => definitionOf(configuration, name));
  return { system, tools: [...definitions, ...offered.filter(isGiven)] };
}

function definitionOf({ toolDefinitions }: Configuration, name: string): ToolDefinition {
  const definition = toolDefinitions.get(name);
  if (!definition) throw new Error(`the installation's prompts/tools.json lacks the tool ${name}`);
  return definition;
}

/** Names that mean "the model that the program uses". */
const ALIASES = new Set(["inherit", "default", "sonnet", "opus", "haiku"]);

/** The model that the agent's front matter names, else the one from the settings. */
export function modelFor(session: Pick<AgentSession, "modelName">, agent: AgentDefinition): string {
  return agent.model === undefined || ALIASES.has(agent.model) ? session.modelName : agent.model;
}

// A subagent is an attempt exposed as a tool, with its own conversation and tools, gated call by call.

/** Maximum nesting depth of `Task`. */
const MAX_DEPTH = 3;

/** Runs or resumes the subagent's conversation; its last text is the result of the call. */
async function runSubagent(
  session: AgentSession,
  parent: AgentRun,
  { agent, prompt, conversationId }: SubagentCall,
): Promise<SubagentOutcome> {
  const definition = session.configuration.agents.get(agent);
  if (!definition) return { reply: { text: `There is no agent ${JSON.stringify(agent)}.`, isError: true } };
  const { taskId, accept, subagents } = parent;
  const depth = parent.depth + 1;
  if (depth > MAX_DEPTH) {
    const text = `Not started: subagents nest to depth ${MAX_DEPTH}. Do it yourself.`;
    return { reply: { text, isError: true } };
  }
  const outcome = await runAttempt({
    ...{ session, depth, accept, subagents, task: { taskId, agent, conversationId } },
    definition: () => definition,
    opening: () => prompt,
    isDone: () => undefined,
  });
  if (outcome.kind === "completed") return { reply: { text: outcome.text || "(the subagent said nothing)" } };
  if (outcome.kind === "failed" && !isEndedByPeople(outcome))
    return { reply: { text: `The subagent failed: ${outcome.message}.`, isError: true } };
  return { outcome };
}
