// A to-do task as an attempt: its opening, its summary, its end.

import { cancelAttempt, openAttempt, runAttempt } from "../agent/attempt.ts";
import type { Delivery, NextStep, Outcome } from "../agent/session.ts";
import type { AgentDefinition } from "../config/definitions.ts";
import { answersBefore } from "../core/answer-fate.ts";
import { LoopliaError } from "../core/errors.ts";
import type { TaskSummary } from "../core/events.ts";
import { letsCallsRun } from "../core/interaction.ts";
import { endOfObject, isObject, loginOf, parseJson, toPlainLine } from "../core/json.ts";
import { isOpen, type TaskState } from "../core/state.ts";
import { inputProblems } from "../tools/registry.ts";
import { SUMMARY_OUTPUT, summarySchema } from "../tools/run-command.ts";
import type { ToolReply } from "../tools/tool.ts";
import { agentAt, findTask, type TodoTask, taskDigest } from "./document.ts";
import { endingOf, judgeEnd, type TaskEnd, tellEnd } from "./end.ts";
import { keepSchema } from "./phases.ts";
import { guardFor, hasChanged, runbookOf } from "./revise.ts";
import {
  changeTask,
  countIterations,
  notify,
  notifyRemoval,
  observeIteration,
  refresh,
  sessionFor,
  TASK_GONE,
  type TaskAgent,
  type TodoRun,
} from "./run-state.ts";

// Finds and checks summaries in a text. Pure.

/** A valid summary, or all its problems. */
export function checkSummary(value: unknown): { summary: TaskSummary } | { problems: string } {
  const parsed = summarySchema().safeParse(value);
  return parsed.success ? { summary: parsed.data } : { problems: inputProblems(parsed.error) };
}

/**
 * The summary in a last message: the whole text, else a fenced block, else the last object that is a summary.
 */
export function findSummary(text: string): TaskSummary | undefined {
  const fenced = [...text.matchAll(/^ {0,3}```[^\n`]*\n([\s\S]*?)^ {0,3}```/gm)].map(([, body = ""]) => body);
  for (const candidate of [text, ...fenced.reverse()]) {
    const found = readAsSummary(candidate);
    if (found) return found;
  }
  let start = text.length;
  for (let tries = 0; tries < MOST_BRACES && start > 0; tries += 1) {
    start = text.lastIndexOf("{", start - 1);
    if (start < 0) return undefined;
    const end = endOfObject(text, start);
    const found = end === undefined ? undefined : readAsSummary(text.slice(start, end));
    if (found) return found;
  }
  return undefined;
}

/** How many opening braces to try, from the last one: keeps a text full of braces from taking long. */
const MOST_BRACES = 500;

function readAsSummary(text: string): TaskSummary | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const checked = checkSummary(value);
  return "summary" in checked ? checked.summary : undefined;
}

/**
 * Records the first acceptable summary of an attempt. Asks once after `done` without a change or a reason.
 */
async function acceptSummary(
  run: TodoRun,
  task: TaskState,
  { content, callId }: { content: unknown; callId?: string },
): Promise<ToolReply> {
  const { taskId } = task;
  if (task.summary) return { text: "Taken already: the first summary counts." };
  const checked = checkSummary(content);
  if ("problems" in checked) return { text: checked.problems, isError: true };
  const { summary } = checked;
  const origin = callId === undefined ? {} : { callId };
  const isEmpty = summary.task_id === taskId && summary.status === "done" && !summary.summary?.trim();
  if (isEmpty && !task.refusals.has(SUMMARY_OUTPUT) && !(await hasChanged(run, task))) {
    const payload = { taskId, output: SUMMARY_OUTPUT, errors: [NO_CHANGE], ...origin };
    await run.journal.append({ store: "events", type: "ArtifactRefused", payload });
    return { text: NO_CHANGE, isError: true };
  }
  // Commits that others pushed until now count as well.
  await run.ports.host.bringIn?.();
  const news = await hearChange(run, task);
  if (news && news !== "gone") return { text: news.tell, isError: true };
  const approved = approvalsOf(run, task);
  const whole =
    approved === "" ? summary : { ...summary, summary: `${summary.summary ?? ""}\n${approved}`.trim() };
  const payload = { taskId, summary: whole, ...origin };
  await run.journal.append({ store: "events", type: "SummaryReported", payload });
  return { text: "Taken." };
}

const NO_CHANGE =
  "Done, but nothing was changed and no reason is given. Do what is missing, or report again and say in `summary` why nothing had to change.";

/** Names the approvers of commands in a runbook's summary. Empty for a model's summary. */
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

// One iteration: marks a to-do task and runs its agent in its own conversation until it reports the outcome.

/**
 * Runs or resumes a task until its agent waits, stops or ends, then sets the task's status. Undefined if the
 * task was just removed from the list.
 */
export async function runIteration(
  run: TodoRun,
  task: TodoTask,
): Promise<{ outcome: Outcome; end?: TaskEnd } | undefined> {
  const { number, agent, state } = await openIteration(run, task);
  if (!(await markDoing(run, task.id))) return undefined;
  const again = state.whyBefore === undefined ? {} : { message: `again, because ${state.whyBefore}` };
  observeIteration(run, task, { number, agent }, { status: "started", ...again });
  if (!run.journal.hasBegun(state.conversationId)) run.ranHere.add(state.conversationId);
  const limit = new AbortController();
  const { timeoutMs } = agent;
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => limit.abort("timeout"), timeoutMs);
  const signal = AbortSignal.any([run.ports.signal, limit.signal]);
  const session = sessionFor(run, agent, guardFor(run, task, state), signal);
  let end: TaskEnd | undefined;
  try {
    const outcome = await runAttempt({
      ...{ session, task: state, depth: 0, mailbox: run.work.mailbox },
      subagents: [...run.ports.configuration.agents.keys()],
      definition: () => workerDefinition(run),
      opening: async () => {
        const iteration = { task, agent, number, schemaPath: await keepSchema(run) };
        return (await renderIteration(run, iteration, state)) + (await renderAnswersBefore(run, state));
      },
      news: async () => {
        const news = await hearChange(run, state);
        return news === "gone" ? { outcome: DONE } : news;
      },
      accept: (delivery) => takeSummary(run, state, delivery),
      isDone: () => (state.summary ? DONE : undefined),
      readText: (text) => readSummary(run, state, text),
      debt: () => ({
        ...{ prompt: "unreported.md", variables: { id: task.id }, reasonCode: "model-failed" },
        failure: `${state.agent} ended without reportSummary`,
      }),
      end: (ended) => {
        const isLate = ended.kind === "stopped" && limit.signal.aborted && !run.ports.signal.aborted;
        const outcome = isLate ? tookTooLong(agent) : ended;
        if (outcome.kind === "waiting" || outcome.kind === "stopped") return { outcome };
        // The attempt stays open, so that a later run continues it.
        if (outcome.kind === "failed" && outcome.isAccount) return { outcome };
        const isGone = run.stored !== undefined && !findTask(run.stored.document, task.id);
        end = isGone ? judgeRemoval(run, state) : judgeEnd(run.journal, state, outcome);
        return { outcome, ...endingOf(run, task, end) };
      },
    });
    if (outcome.kind === "failed" && outcome.isAccount) await unmark(run, task);
    if (!end) return { outcome };
    await tellEnd(run, task, { number, agent, state, outcome }, end);
    return { outcome, end };
  } finally {
    clearTimeout(timer);
  }
}

/** An agent's own time-out is a failure of the agent; only the run's signal stops the run. */
function tookTooLong({ name, timeoutMs = 0 }: TaskAgent): Outcome {
  const message = `${name} took longer than its ${timeoutMs / 60_000} minutes`;
  return { kind: "failed", reasonCode: "model-failed", message };
}

/** A worker may not use the tools of other jobs. */
const NOT_FOR_WORKERS = new Set(["writeArtifact"]);

/** The agent of to-do tasks, with the program's own instructions for any model. */
async function workerDefinition(run: TodoRun): Promise<AgentDefinition> {
  const { configuration, tools } = run.ports;
  return {
    name: "worker",
    description: "Works on one task of a to-do list.",
    instructions: await configuration.prompts.render("worker.md", {}),
    tools: [
      ...[...tools.keys()].filter((name) => !NOT_FOR_WORKERS.has(name)),
      ...(configuration.servers?.names ?? []).map((name) => `mcp__${name}`),
    ],
    file: "prompts/worker.md",
  };
}

/** The message that starts a task. It contains all task-specific text, so that the prefix never changes. */
export async function renderIteration(
  run: Pick<TodoRun, "ports" | "settings"> & Partial<Pick<TodoRun, "journal" | "ranHere">>,
  {
    task,
    agent,
    number,
    schemaPath,
  }: { task: TodoTask; agent: TaskAgent; number: number; schemaPath: string },
  begun?: TaskState,
): Promise<string> {
  const { prompts } = run.ports.configuration;
  const { id, title, status } = task;
  const runbook = agent.provider === "offline" ? factsOf(run, task, begun) : {};
  return prompts.render("iteration.md", {
    TodoPath: run.settings.todo,
    SchemaPath: schemaPath,
    WorkDir: run.ports.workspace.own?.root ?? run.ports.workspace.root,
    SelectedTask: { ID: id, Title: toPlainLine(title), Status: status },
    Iteration: number,
    Schedule: run.settings.schedule.shown,
    Now: run.ports.clock.now().toISOString(),
    // One line, which no text in it can end; a runbook also has its parsed steps.
    facts: JSON.stringify({ task, ...runbook }),
  });
}

/** What the offline model reads of a runbook. */
function factsOf(...args: Parameters<typeof runbookOf>): Record<string, unknown> {
  const { steps, choose } = runbookOf(...args);
  return { runbook: steps, choose };
}

const DONE: Outcome = { kind: "completed", text: "" };

async function takeSummary(
  run: TodoRun,
  task: TaskState,
  { output, content, callId }: Delivery,
): Promise<ToolReply> {
  if (output !== SUMMARY_OUTPUT) {
    return { text: `Not written: a to-do task has no output ${JSON.stringify(output)}.`, isError: true };
  }
  if (callId.startsWith(`${task.conversationId}\n`)) return acceptSummary(run, task, { content, callId });
  return {
    text: "Not accepted: the task's own agent reports it. End with a text that says it.",
    isError: true,
  };
}

/** A last text that is or contains a summary counts as one. */
async function readSummary(run: TodoRun, task: TaskState, text: string): Promise<NextStep | undefined> {
  const content = findSummary(text);
  if (!content) return undefined;
  const reply = await acceptSummary(run, task, { content });
  return reply.isError ? { tell: reply.text } : { outcome: DONE };
}

/** Sets the task to `doing`. False if the task was just removed from the list: then the attempt is over. */
async function markDoing(run: TodoRun, taskId: string): Promise<boolean> {
  if (await changeTask(run, taskId, () => ({ set: { status: "doing" } }))) return true;
  const state = run.journal.state.tasks.get(taskId);
  await cancelAttempt(run.journal, taskId, TASK_GONE);
  if (state) notifyRemoval(run, state);
  return false;
}

/** The list is as it was before a task that could not begin or continue: its order stays. */
async function unmark(run: TodoRun, { id, status }: TodoTask): Promise<void> {
  await changeTask(run, id, (now) => (now.status === "doing" ? { set: { status } } : {}));
}

/** A message to the agent about a change of its task that it has not seen; `gone`: the task was removed. */
async function hearChange(run: TodoRun, state: TaskState): Promise<{ tell: string } | "gone" | undefined> {
  const { taskId } = state;
  let task: TodoTask | undefined;
  try {
    task = findTask((await refresh(run)).document, taskId);
  } catch (thrown) {
    // The end of the task reports the list's problems.
    if (thrown instanceof LoopliaError && thrown.code === "config-invalid") return undefined;
    throw thrown;
  }
  if (!task) return "gone";
  const source = taskDigest(task);
  if (source === state.inputs.source) return undefined;
  const payload = { taskId, source };
  await run.journal.append({ store: "events", type: "TaskRevised", payload });
  const isRunbook = run.journal.conversation(state.conversationId).provider === "offline";
  notify(run, "info", `${taskId} was changed while ${state.agent} worked on it; the agent has been told.`);
  return {
    tell: await run.ports.configuration.prompts.render("changed.md", {
      SelectedTask: { ID: task.id },
      facts: JSON.stringify({ task, ...(isRunbook ? factsOf(run, task, state) : {}) }),
    }),
  };
}

/** Earlier answers, for the message that starts the next attempt; empty without answers. */
async function renderAnswersBefore(run: TodoRun, state: TaskState): Promise<string> {
  const answers = answersBefore(run.journal.state, state).map(({ request, response }) => {
    const { selectedOptionId, inputValue, comment, authorActorId = "" } = response ?? {};
    const option = request.options?.find(({ id }) => id === selectedOptionId);
    const said = inputValue ?? option?.label ?? selectedOptionId ?? "";
    const more = comment === undefined ? "" : `: ${comment}`;
    return { question: request.display.title, author: loginOf(authorActorId), answer: `${said}${more}` };
  });
  if (answers.length === 0) return "";
  return `\n\n${await run.ports.configuration.prompts.render("answers.md", { answers })}`;
}

/** The end of an attempt whose task was removed from the list: there is no entry to mark. */
function judgeRemoval({ settings }: TodoRun, { taskId, agent }: TaskState): TaskEnd {
  const message = `it was removed from ${settings.todo} while ${agent} worked on it; its changes are kept`;
  const payload = { taskId, reason: TASK_GONE };
  return {
    ...{ status: "todo", label: "removed", files: [], blockers: [], message, isAgentError: false },
    event: { store: "events", type: "TaskCanceled", payload },
  };
}

/** The open attempt, else a new one by the next agent. */
async function openIteration(
  run: TodoRun,
  task: TodoTask,
): Promise<{ number: number; agent: TaskAgent; state: TaskState }> {
  const { journal, ports, settings } = run;
  const known = journal.state.tasks.get(task.id);
  if (isOpen(known))
    return { number: countIterations(run), agent: await ports.agent(known.agent), state: known };
  const number = countIterations(run) + 1;
  const agent = await ports.agent(agentAt(settings.schedule, number));
  const state = await openAttempt(journal, {
    ...{ taskId: task.id, agent: agent.name, outputs: [] },
    inputs: { source: taskDigest(task), agent: "", profile: "" },
    from: task.status === "doing" ? "todo" : task.status,
  });
  return { number, agent, state };
}
