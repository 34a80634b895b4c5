// The summary that an agent sends of a to-do task: taken, or sent back once.

import { buildPrefix, runConversation, runSubagent, startConversation, withMessages } from "../agent/loop.ts";
import { type AgentRun, type AgentSession, modelFailure, type Outcome } from "../agent/session.ts";
import type { AgentDefinition } from "../config/definitions.ts";
import type { TaskSummary } from "../core/events.ts";
import { letsCallsRun } from "../core/interaction.ts";
import { isObject, loginOf, parseJson, toPlainLine } from "../core/json.ts";
import type { TaskState } from "../core/state.ts";
import { inputProblems } from "../tools/registry.ts";
import { SUMMARY_OUTPUT, summarySchema } from "../tools/run-command.ts";
import type { ToolReply } from "../tools/tool.ts";
import { keepSchema } from "./begin-phase.ts";
import type { TodoStatus, TodoTask } from "./document.ts";
import type { TaskChange } from "./edit.ts";
import { guardFor, hasChanged } from "./guard.ts";
import {
  markDoing,
  observeIteration,
  openIteration,
  readRunbook,
  sessionFor,
  type TaskAgent,
  type TodoRun,
} from "./run-state.ts";

// Summaries: found in a text, checked, and turned into a change of the task. Pure.

/** A summary by its schema, or all that is wrong with it. */
export function checkSummary(value: unknown): { summary: TaskSummary } | { problems: string } {
  const parsed = summarySchema.safeParse(value);
  if (!parsed.success) return { problems: inputProblems(parsed.error) };
  const { task_id, status, summary, files, blockers } = parsed.data;
  return {
    summary: {
      task_id,
      status,
      ...(summary === undefined ? {} : { summary }),
      ...(files === undefined ? {} : { files }),
      ...(blockers === undefined ? {} : { blockers }),
    },
  };
}

/** The summary that a last message is or holds: the whole text, else a fenced block, else from brace to brace. */
export function findSummary(text: string): TaskSummary | undefined {
  const fenced = [...text.matchAll(/^ {0,3}```[^\n`]*\n([\s\S]*?)^ {0,3}```/gm)].map(([, body = ""]) => body);
  const braces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const candidate of [text, ...fenced.reverse(), braces]) {
    const value = parseJson(candidate);
    if (!isObject(value)) continue;
    const checked = checkSummary(value);
    if ("summary" in checked) return checked.summary;
  }
  return undefined;
}

/**
 * What a summary changes: status, union of files and blockers, `updated_at`. Nothing else of the task. A summary that
 * was applied already changes nothing, whenever that was.
 */
export function changeFor(
  task: TodoTask,
  end: {
    status: TodoStatus;
    files?: readonly string[];
    blockers?: readonly string[];
    /** A blocker that these take the place of. */
    outdated?: string;
    /** Nothing is new: the task becomes what it was, its time as well. */
    isRepeated?: true;
  },
  now: string,
): TaskChange {
  const { status, files = [], blockers = [], outdated } = end;
  const isThere = (list: readonly string[] | undefined, value: string) => list?.includes(value) === true;
  const haveFiles = files.every((file) => isThere(task.files, file));
  if (status === "done") return changeWhenDone(task, { ...end, haveFiles }, now);
  const isKnown = haveFiles && blockers.every((blocker) => isThere(task.blockers, blocker));
  if (isKnown && task.status === status) return {};
  if (isKnown && end.isRepeated) return { set: { status } };
  // What is said today stands last, where it is read as the reason.
  const isNews = status === "blocked" && !blockers.includes(task.blockers?.at(-1) ?? "");
  const again = isNews ? blockers : [];
  const old = outdated === undefined || blockers.includes(outdated) ? again : [outdated, ...again];
  const remove = old.length === 0 ? {} : { remove: { blockers: old } };
  return { set: { status, updated_at: now }, ...remove, add: { files, blockers } };
}

/** Nothing stands in the way of what is done; where the settings keep summaries out of the list, its blockers stay too. */
function changeWhenDone(
  task: TodoTask,
  {
    files = [],
    blockers,
    haveFiles,
    isRepeated,
  }: Pick<Parameters<typeof changeFor>[1], "files" | "blockers" | "isRepeated"> & { haveFiles: boolean },
  now: string,
): TaskChange {
  const gone = blockers === undefined ? [] : (task.blockers ?? []);
  if (haveFiles && (task.status === "done" || (isRepeated && gone.length === 0))) {
    return task.status === "done" ? {} : { set: { status: "done" } };
  }
  const remove = gone.length === 0 ? {} : { remove: { blockers: gone } };
  return { set: { status: "done", updated_at: now }, ...remove, add: { files } };
}

/** Records the first acceptable summary of an attempt. After `done` without change or reason it asks once. */
async function acceptSummary(
  run: TodoRun,
  task: TodoTask,
  state: TaskState,
  content: unknown,
  callId: string | undefined,
): Promise<ToolReply> {
  const known = run.journal.state.tasks.get(task.id);
  if (known?.summary) return { text: "Taken already: the first summary counts." };
  const checked = checkSummary(content);
  if ("problems" in checked) return { text: checked.problems, isError: true };
  const { summary } = checked;
  const isOwn = summary.task_id === task.id;
  const isEmpty = summary.status === "done" && !summary.summary?.trim();
  const wasAsked = (known?.refusals.get(SUMMARY_OUTPUT)?.count ?? 0) > 0;
  if (isOwn && isEmpty && !wasAsked && !(await hasChanged(run, state))) {
    await run.journal.append({
      store: "events",
      type: "ArtifactRefused",
      payload: {
        taskId: task.id,
        output: SUMMARY_OUTPUT,
        errors: [NO_CHANGE],
        ...(callId ? { callId } : {}),
      },
    });
    return { text: NO_CHANGE, isError: true };
  }
  const approved = approvalsOf(run, state);
  const whole =
    approved === "" ? summary : { ...summary, summary: `${summary.summary ?? ""}\n${approved}`.trim() };
  const payload = { taskId: task.id, summary: whole, ...(callId === undefined ? {} : { callId }) };
  await run.journal.append({ store: "events", type: "SummaryReported", payload });
  return { text: "Taken." };
}

const NO_CHANGE =
  "Done, but nothing was changed and no reason is given. Do what is missing, or report again and say in `summary` why nothing had to change.";

/** Who approved commands: a runbook's summary says it. Empty for a model's. */
function approvalsOf(run: TodoRun, { conversationId }: TaskState): string {
  if (run.journal.conversation(conversationId).provider !== "offline") return "";
  const confirmed = [...run.journal.state.interactions.values()].filter(
    ({ request, response }) =>
      request.conversationId === conversationId &&
      letsCallsRun(request) &&
      response?.selectedOptionId === "approve",
  );
  return confirmed
    .map(
      ({ request, response }) =>
        `Approved by ${loginOf(response?.authorActorId ?? "nobody")}: ${request.shortId}`,
    )
    .join("\n");
}

// One iteration: a to-do task is marked, its agent runs in a conversation of its own and says how it ended.

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
