// When the list is made, repaired and reviewed, and by whom.
import { runConversation, runSubagent } from "../agent/loop.ts";
import { type AgentRun, modelFailure, type Outcome } from "../agent/session.ts";
import { formatDiagnostic } from "../config/diagnostics.ts";
import { LoopliaError } from "../core/errors.ts";
import { hashContent } from "../core/json.ts";
import { isOpen, type TaskState } from "../core/state.ts";
import type { ToolReply } from "../tools/tool.ts";
import { beginPhase, type Phase } from "./begin-phase.ts";
import { type BrokenTodo, loadTodo, type TodoReading } from "./document.ts";
import { guardFor } from "./guard.ts";
import {
  countIterations,
  refresh,
  sessionFor,
  type TaskAgent,
  type TodoPorts,
  type TodoRun,
  type TodoSettings,
} from "./run-state.ts";
import { agentAt } from "./select.ts";
import { writeFirst, writeNewTasks, writeRepaired } from "./write.ts";

// Bootstrap, repair and review: an agent reads the repository and writes the list through `writeArtifact("to-do")`.

const OUTPUT = "to-do";
/** Refusals of one attempt, after which it is over. */
const MAX_REFUSALS = 5;
/** Runs or goes on with a phase until its agent ended, waits or stopped. */
async function runPhase(run: TodoRun, phase: Phase): Promise<Outcome> {
  const state = await openPhase(run, phase);
  const { journal } = run;
  try {
    const workspace = guardFor(run, undefined, state);
    const session = sessionFor(run, phase.agent, workspace, run.ports.signal);
    if (!journal.hasBegun(state.conversationId)) await beginPhase(run, phase, state);
    const self: AgentRun = {
      conversationId: state.conversationId,
      taskId: state.taskId,
      agent: state.agent,
      depth: 0,
      artifacts: { write: (output, content, callId) => take(run, phase, state, { output, content, callId }) },
      subagents: [],
      runSubagent: (name, prompt, id) => runSubagent(session, self, name, prompt, id),
      isDone: () => phaseOutcome(run, phase, state),
      whenEnded: (text) => endOfTurn(run, phase, state, text),
    };
    const outcome = await runConversation(session, self);
    const { taskId } = state;
    if (outcome.kind === "completed") {
      await journal.append({ store: "events", type: "TaskCompleted", payload: { taskId } });
      if (state.accepted.has(OUTPUT)) await tellHost(run, phase);
    }
    if (outcome.kind === "failed") {
      const { reasonCode, message } = outcome;
      await journal.append({ store: "events", type: "TaskFailed", payload: { taskId, reasonCode, message } });
    }
    return outcome;
  } catch (error) {
    return modelFailure(error);
  }
}

const TITLES = {
  bootstrap: "Write the task list",
  repair: "Repair the task list",
  review: "Add to the task list what its review found",
};

function tellHost(run: TodoRun, { name }: Phase): Promise<void> {
  const { sessionId } = run.journal;
  const todo = { label: "done", tags: [], said: "" } as const;
  const ended = { sessionId, folder: "", title: TITLES[name], outputs: [OUTPUT], todo };
  return run.ports.host.taskEnded({ ...ended, status: "completed" });
}

async function openPhase(run: TodoRun, phase: Phase): Promise<TaskState> {
  const { journal } = run;
  const taskId = `${OUTPUT}:${phase.name}`;
  const known = journal.state.tasks.get(taskId);
  const source = hashContent(phase.source);
  if (isOpen(known) && known.inputs.source === source && known.agent === phase.agent.name) return known;
  if (isOpen(known)) {
    const reason = "it was begun from another list, or by another agent";
    await journal.append({ store: "events", type: "TaskCanceled", payload: { taskId, reason } });
  }
  const payload = {
    taskId,
    agent: phase.agent.name,
    outputs: [OUTPUT],
    inputs: { source, agent: "", profile: "" },
    conversationId: `${taskId}#${(known?.attempt ?? 0) + 1}`,
  };
  await journal.append(
    { store: "events", type: "TaskCreated", payload },
    { store: "events", type: "TaskStarted", payload: { taskId } },
  );
  const state = journal.state.tasks.get(taskId);
  if (!state) throw new Error(`${taskId} was not folded`);
  return state;
}

async function take(
  run: TodoRun,
  phase: Phase,
  { taskId }: TaskState,
  sent: { output: string; content: unknown; callId: string },
): Promise<ToolReply> {
  const { journal } = run;
  const { observe, configuration } = run.ports;
  if (sent.output !== OUTPUT) {
    return { text: `Not written: the only output here is "${OUTPUT}".`, isError: true };
  }
  if (journal.state.tasks.get(taskId)?.accepted.has(OUTPUT))
    return { text: "Written already: it stays as it is." };
  const written = await phase.write(sent.content);
  if (written.ok) {
    const contentHash = hashContent(written.stored.bytes);
    const payload = { taskId, output: OUTPUT, contentHash };
    await journal.append({ store: "events", type: "ArtifactAccepted", payload });
    return { text: `Accepted. ${written.said}` };
  }
  const { problems: errors } = written;
  const payload = { taskId, output: OUTPUT, callId: sent.callId, errors };
  await journal.append({ store: "events", type: "ArtifactRefused", payload });
  const recoverable = (journal.state.tasks.get(taskId)?.refusals.get(OUTPUT)?.count ?? 0) < MAX_REFUSALS;
  const { sessionId } = journal;
  observe({
    type: "validation-failed",
    ...{ sessionId, output: OUTPUT, artifact: run.settings.todo, errors, hint: "", recoverable },
  });
  const output = { name: OUTPUT, artifact: run.settings.todo };
  return {
    text: await configuration.prompts.render("retry.md", { output, errors, hint: "" }),
    isError: true,
  };
}

function phaseOutcome(run: TodoRun, phase: Phase, { taskId }: TaskState): Outcome | undefined {
  const state = run.journal.state.tasks.get(taskId);
  if (state?.accepted.has(OUTPUT)) return { kind: "completed", text: "" };
  const refusal = state?.refusals.get(OUTPUT);
  if (!refusal || refusal.count < MAX_REFUSALS) return undefined;
  const message = `the ${phase.name} was refused ${refusal.count} times; last: ${refusal.errors.join("; ")}`;
  return { kind: "failed", reasonCode: "invalid-artifact", message };
}

/** How often an agent that stops without a list is told so. */
const REMINDERS = 1;

async function endOfTurn(
  run: TodoRun,
  phase: Phase,
  state: TaskState,
  text: string,
): Promise<{ tell: string } | { outcome: Outcome }> {
  const isRefused = (run.journal.state.tasks.get(state.taskId)?.refusals.size ?? 0) > 0;
  if (phase.isOptional && !isRefused) return { outcome: { kind: "completed", text } };
  const { messages } = run.journal.conversation(state.conversationId);
  const said = messages.filter(
    ({ role, content }) => role === "user" && content.some(({ type }) => type === "text"),
  );
  const { prompts } = run.ports.configuration;
  if (said.length <= REMINDERS) return { tell: await prompts.render("unfinished.md", { missing: [OUTPUT] }) };
  const last = run.journal.redact(text).trim().slice(0, 500).toWellFormed() || "nothing";
  const message = `the ${phase.name} ended without a list; its agent said: ${last}`;
  return { outcome: { kind: "failed", reasonCode: "invalid-artifact", message } };
}

const DONE: Outcome = { kind: "completed", text: "" };

/** Sees to it that there is a valid list: made where there is none, repaired where it is broken. */
export async function ensureList(run: TodoRun): Promise<Outcome> {
  const { todo } = run.settings;
  const reading = await loadTodo(run.ports.workspace, todo);
  const outcome = !reading
    ? await bootstrap(run)
    : reading.kind === "broken"
      ? await repair(run, { ...reading.broken, bytes: reading.bytes })
      : DONE;
  if (outcome.kind === "completed") await refresh(run);
  return outcome;
}

/** A last look at what was done: new tasks may come of it. Without a language model there is none. */
export async function reviewList(run: TodoRun): Promise<Outcome> {
  const agent = await phaseAgent(run, run.settings.reviewAgent);
  if (agent.provider === "offline") return DONE;
  const { document } = await refresh(run);
  const done = document.file.tasks.map(({ id, title, files = [] }) => ({ id, title, files }));
  return runPhase(run, {
    name: "review",
    agent,
    source: document.text,
    variables: { facts: JSON.stringify({ sourceFiles: document.file.source_files, done }) },
    write: (sent) => writeNewTasks(run, sent),
    isOptional: true,
  });
}

/** Throws where a first run could neither make nor repair the list: `config-invalid` or `no-items`. */
export async function requireMaker(
  ports: TodoPorts,
  settings: TodoSettings,
  reading: TodoReading | undefined,
): Promise<void> {
  const first = agentAt(settings.schedule, 1);
  if (!reading) return requireSources({ ports, settings }, await ports.agent(first)).then(() => undefined);
  if (reading.kind === "broken")
    requireMending(await ports.agent(settings.repairAgent ?? first), reading.broken);
}

type Around = Pick<TodoRun, "ports" | "settings">;

/** What a first list can be made from. */
async function requireSources({ ports, settings }: Around, agent: TaskAgent): Promise<string[]> {
  const { todo } = settings;
  const sources = await findSources({ ports, settings });
  if (sources.length === 0 && !ports.host.canAsk) {
    throw new LoopliaError("no-items", `There is no ${todo}, and no file that it could be made from.`, {
      hint: "Write it, or name documents with source-files.",
    });
  }
  requireModel(
    agent,
    `There is no ${todo}, and to make one takes a language model.`,
    "Write it yourself: `looplia init` makes an example.",
  );
  return sources;
}

function requireMending(agent: TaskAgent, { diagnostics }: BrokenTodo): string[] {
  const problems = diagnostics.map(formatDiagnostic);
  requireModel(agent, problems.join("\n"), "Mend them by hand: a repair takes a language model.");
  return problems;
}

async function bootstrap(run: TodoRun): Promise<Outcome> {
  const agent = await phaseAgent(run, undefined);
  const sources = await requireSources(run, agent);
  return runPhase(run, {
    name: "bootstrap",
    agent,
    source: sources.join("\n"),
    variables: { sources, facts: JSON.stringify({ sources }) },
    write: (sent) => writeFirst(run, sent),
    isOptional: false,
  });
}

async function repair(run: TodoRun, broken: BrokenTodo & { bytes: Uint8Array }): Promise<Outcome> {
  const agent = await phaseAgent(run, run.settings.repairAgent);
  const problems = requireMending(agent, broken);
  return runPhase(run, {
    name: "repair",
    agent,
    source: broken.text,
    variables: { problems },
    write: (sent) => writeRepaired(run, broken, sent),
    isOptional: false,
  });
}

/** Files that the settings name for the first list, as far as they are there. */
async function findSources({ ports, settings }: Around): Promise<string[]> {
  const found = new Set<string>();
  for (const glob of settings.sourceFiles) {
    for await (const path of ports.workspace.forTools.walk("", glob)) found.add(path);
  }
  return [...found].sort();
}

/** The agent that the settings name, else the one whose turn is next. */
function phaseAgent(run: TodoRun, named: string | undefined): Promise<TaskAgent> {
  return run.ports.agent(named ?? agentAt(run.settings.schedule, countIterations(run) + 1));
}

function requireModel({ provider }: TaskAgent, message: string, hint: string): void {
  if (provider === "offline") throw new LoopliaError("config-invalid", message, { hint });
}
