// One iteration: a to-do task is marked, its agent runs in a conversation of its own and says how it ended.
import { runConversation, startConversation } from "../agent/loop.ts";
import { withMessages } from "../agent/messages.ts";
import { modelFailure, type Outcome } from "../agent/outcome.ts";
import { buildPrefix } from "../agent/prefix.ts";
import type { AgentRun, AgentSession } from "../agent/session.ts";
import { runSubagent } from "../agent/subagent.ts";
import type { AgentDefinition } from "../config/definitions.ts";
import { toPlainLine } from "../session/plain-text.ts";
import type { TaskState } from "../session/state.ts";
import { SUMMARY_OUTPUT } from "../tools/report-summary.ts";
import type { ToolReply } from "../tools/tool.ts";
import { acceptSummary } from "./accept-summary.ts";
import { keepSchema } from "./begin-phase.ts";
import { guardFor } from "./guard-run.ts";
import { observeIteration } from "./observe-iteration.ts";
import { markDoing, openIteration } from "./open-iteration.ts";
import type { TaskAgent } from "./ports.ts";
import { readRunbook } from "./runbook.ts";
import type { TodoTask } from "./schema.ts";
import { findSummary } from "./summary.ts";
import { sessionFor, type TodoRun } from "./todo-run.ts";

/** How the agent's conversation ended, with what is recorded of the attempt. */
export type Iteration = { number: number; agent: TaskAgent; state: TaskState; outcome: Outcome };

/**
 * Runs or goes on with a task until its agent ended, waits or stopped. What it said is recorded, not yet applied.
 * Undefined where somebody took the task out of the list just now.
 */
export async function runIteration(run: TodoRun, task: TodoTask): Promise<Iteration | undefined> {
  const { number, agent, state } = await openIteration(run, task);
  if (!(await markDoing(run, task.id))) return undefined;
  observeIteration(run, task, { number, agent }, { status: "started" });
  const outcome = await withTimeout(run, agent, async (signal) => {
    const session = sessionFor(run, agent, guardFor(run, task, state), signal);
    if (!run.journal.hasBegun(state.conversationId))
      await openConversation(run, session, { task, state, agent, number });
    return runConversation(session, agentRun(run, session, task, state));
  });
  return { number, agent, state, outcome };
}

/** What a worker may use: everything but what belongs to other jobs. */
const NOT_FOR_WORKERS = new Set(["writeArtifact"]);

/** The agent of to-do tasks: the program's own instructions, whatever model stands behind it. */
async function workerDefinition(run: TodoRun): Promise<AgentDefinition> {
  const { configuration, tools } = run.ports;
  return {
    name: "worker",
    description: "Works on one task of a to-do list.",
    instructions: await configuration.prompts.render("worker.md", {}),
    tools: [...tools.keys()].filter((name) => !NOT_FOR_WORKERS.has(name)),
    file: "prompts/worker.md",
  };
}

type Opening = { task: TodoTask; state: TaskState; agent: TaskAgent; number: number };

async function openConversation(run: TodoRun, session: AgentSession, opening: Opening): Promise<void> {
  const { state, agent } = opening;
  const { conversationId, taskId } = state;
  const start = { conversationId, taskId, agent: agent.name, depth: 0, model: agent.modelName };
  const { mailbox } = run.work;
  const prefix = await buildPrefix(session, await workerDefinition(run));
  const messages = mailbox.take();
  const task = await renderIteration(run, { ...opening, schemaPath: await keepSchema(run) });
  const text = await withMessages(run.ports.configuration.prompts, task, messages);
  await mailbox.deliver(session.host, taskId, messages, () =>
    startConversation(session, start, prefix, text),
  );
}

/** The message that starts a task. What changes from task to task stands here, so that the prefix never does. */
export async function renderIteration(
  run: Pick<TodoRun, "ports" | "settings">,
  { task, agent, number, schemaPath }: Pick<Opening, "task" | "agent" | "number"> & { schemaPath: string },
): Promise<string> {
  const { prompts } = run.ports.configuration;
  const { id, title, status } = task;
  const runbook = agent.provider === "offline" ? { runbook: readRunbook(task) } : {};
  return prompts.render("iteration.md", {
    TodoPath: run.settings.todo,
    SchemaPath: schemaPath,
    WorkDir: run.ports.workspace.root,
    SelectedTask: { ID: id, Title: toPlainLine(title), Status: status },
    Iteration: number,
    Schedule: run.settings.schedule.shown,
    Now: run.ports.clock.now().toISOString(),
    facts: JSON.stringify({ task, ...runbook }),
  });
}

function agentRun(run: TodoRun, session: AgentSession, task: TodoTask, state: TaskState): AgentRun {
  const { conversationId } = state;
  const self: AgentRun = {
    conversationId,
    taskId: task.id,
    agent: state.agent,
    depth: 0,
    artifacts: {
      write: (output, content, callId) => takeSummary(run, task, state, { output, content, callId }),
    },
    subagents: [...run.ports.configuration.agents.keys()],
    runSubagent: (name, prompt, id) => runSubagent(session, self, name, prompt, id),
    isDone: () => (run.journal.state.tasks.get(task.id)?.summary ? DONE : undefined),
    whenEnded: (text) => endOfTurn(run, task, state, text),
  };
  return self;
}

const DONE: Outcome = { kind: "completed", text: "" };

async function takeSummary(
  run: TodoRun,
  task: TodoTask,
  state: TaskState,
  sent: { output: string; content: unknown; callId: string },
): Promise<ToolReply> {
  if (sent.output !== SUMMARY_OUTPUT) {
    return { text: `Not written: a to-do task has no output ${JSON.stringify(sent.output)}.`, isError: true };
  }
  if (!sent.callId.startsWith(`${state.conversationId}\n`)) {
    return {
      text: "Not taken: the agent of the task reports it. End with a text that says it.",
      isError: true,
    };
  }
  return acceptSummary(run, task, state, sent.content, sent.callId);
}

/** How often an agent that stops without a summary is told so. */
const REMINDERS = 1;

async function endOfTurn(
  run: TodoRun,
  task: TodoTask,
  state: TaskState,
  text: string,
): Promise<{ tell: string } | { outcome: Outcome }> {
  const summary = findSummary(text);
  if (summary) {
    const reply = await acceptSummary(run, task, state, summary, undefined);
    return reply.isError ? { tell: reply.text } : { outcome: DONE };
  }
  const { messages } = run.journal.conversation(state.conversationId);
  const said = messages.filter(
    ({ role, content }) => role === "user" && content.some(({ type }) => type === "text"),
  );
  const { prompts } = run.ports.configuration;
  if (said.length <= REMINDERS) return { tell: await prompts.render("unreported.md", { id: task.id }) };
  const last = run.journal.redact(text).trim().slice(0, 500).toWellFormed() || "nothing";
  const message = `${state.agent} ended without reportSummary; it said: ${last}`;
  return { outcome: { kind: "failed", reasonCode: "model-failed", message } };
}

/** An agent's own time-out is its failure; the run's signal stops the run. */
async function withTimeout(
  run: TodoRun,
  agent: TaskAgent,
  work: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const own = new AbortController();
  const { timeoutMs } = agent;
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => own.abort("timeout"), timeoutMs);
  try {
    const outcome = await work(AbortSignal.any([run.ports.signal, own.signal]));
    if (!own.signal.aborted || run.ports.signal.aborted || outcome.kind !== "stopped") return outcome;
    const message = `${agent.name} took longer than its ${(timeoutMs ?? 0) / 60_000} minutes`;
    return { kind: "failed", reasonCode: "model-failed", message };
  } catch (error) {
    return modelFailure(error);
  } finally {
    clearTimeout(timer);
  }
}
