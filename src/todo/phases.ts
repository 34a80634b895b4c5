// When and by which agent the list is made, repaired and reviewed.
import { cancelAttempt, judgeOutputs, openAttempt, owedOutputs, runAttempt } from "../agent/attempt.ts";
import type { Delivery, Outcome } from "../agent/session.ts";
import { formatDiagnostic } from "../config/diagnostics.ts";
import { LoopliaError } from "../core/errors.ts";
import { hashContent } from "../core/json.ts";
import { isOpen, type TaskState } from "../core/state.ts";
import type { ToolReply } from "../tools/tool.ts";
import { agentAt, type BrokenTodo, loadTodo, type TodoReading } from "./document.ts";
import { guardFor } from "./revise.ts";
import {
  countIterations,
  refresh,
  sessionFor,
  type TaskAgent,
  type TodoPorts,
  type TodoRun,
  type TodoSettings,
} from "./run-state.ts";
import { writeFirst, writeNewTasks, writeRepaired } from "./write.ts";

// Bootstrap, repair and review: an agent reads the repository and writes the list through `writeArtifact("to-do")`.

const OUTPUT = "to-do";
const SCHEMA = "to-do.json";
const TOOLS = ["readFile", "listFiles", "grep", "searchCode", "writeArtifact", "askUser"];
/** An attempt ends after this many refused writes. */
const MAX_REFUSALS = 5;

type Phase = {
  name: "bootstrap" | "repair" | "review";
  agent: TaskAgent;
  /** The input of the phase: an attempt that began from another input starts over. */
  source: string;
  /** More variables for its prompt. */
  variables: Record<string, unknown>;
  write(sent: unknown): ReturnType<typeof writeFirst>;
  /** The agent may end without writing. */
  isOptional: boolean;
};

/** Runs or resumes a phase until its agent ends, waits or stops. */
async function runPhase(run: TodoRun, phase: Phase): Promise<Outcome> {
  const task = await openPhase(run, phase);
  const session = sessionFor(run, phase.agent, guardFor(run, undefined, task), run.ports.signal);
  return runAttempt({
    ...{ session, task, depth: 0, subagents: [] },
    definition: async () => ({
      name: "planner",
      description: "Keeps the to-do list.",
      instructions: await run.ports.configuration.prompts.render("planner.md", {}),
      tools: TOOLS,
      file: "prompts/planner.md",
    }),
    opening: () => renderPhase(run, phase),
    accept: (delivery) => take(run, phase, task, delivery),
    isDone: () => judgeOutputs(task, () => MAX_REFUSALS - 1),
    debt: () => (phase.isOptional && task.refusals.size === 0 ? undefined : owedOutputs(task)),
    end: (outcome) => {
      const isWritten = outcome.kind === "completed" && task.accepted.has(OUTPUT);
      return { outcome, ...(isWritten ? { after: () => tellHost(run, phase) } : {}) };
    },
  });
}

/** Stores the list's schema as a file for commands, beside the session; returns its path. */
export async function keepSchema(run: TodoRun): Promise<string> {
  const { log } = run.ports;
  run.schemaPath ??= await log.keepText(run.journal.sessionId, "to-do.schema.json", `${schemaOf(run)}\n`);
  return run.schemaPath;
}

function schemaOf({ ports }: TodoRun): string {
  return ports.configuration.artifactSchemas.get(SCHEMA) ?? "";
}

/** The message that starts a phase. */
async function renderPhase(run: TodoRun, phase: Phase): Promise<string> {
  const { configuration, workspace, clock } = run.ports;
  const schema = schemaOf(run);
  return configuration.prompts.render(`${phase.name}.md`, {
    TodoPath: run.settings.todo,
    SchemaPath: await keepSchema(run),
    WorkDir: workspace.own?.root ?? workspace.root,
    Schedule: run.settings.schedule.shown,
    Now: clock.now().toISOString(),
    schema,
    ...phase.variables,
  });
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
  if (isOpen(known))
    await cancelAttempt(journal, taskId, "it was started from another list, or by another agent");
  const inputs = { source, agent: "", profile: "" };
  return openAttempt(journal, { taskId, agent: phase.agent.name, outputs: [OUTPUT], inputs });
}

async function take(
  run: TodoRun,
  phase: Phase,
  task: TaskState,
  { output: sent, content, callId }: Delivery,
): Promise<ToolReply> {
  const { journal } = run;
  const { taskId } = task;
  const { observe, configuration } = run.ports;
  if (sent !== OUTPUT) {
    return { text: `Not written: the only output here is "${OUTPUT}".`, isError: true };
  }
  if (task.accepted.has(OUTPUT)) return { text: "Written already: it stays as it is." };
  const written = await phase.write(content);
  if (written.ok) {
    const contentHash = hashContent(written.stored.bytes);
    const payload = { taskId, output: OUTPUT, contentHash };
    await journal.append({ store: "events", type: "ArtifactAccepted", payload });
    return { text: `Accepted. ${written.said}` };
  }
  const { problems: errors } = written;
  const payload = { taskId, output: OUTPUT, callId, errors };
  await journal.append({ store: "events", type: "ArtifactRefused", payload });
  const recoverable = (task.refusals.get(OUTPUT)?.count ?? 0) < MAX_REFUSALS;
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

const DONE: Outcome = { kind: "completed", text: "" };

/** Makes the list if it is missing and repairs it if it is broken. */
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

/** Reviews the finished list, which may add tasks. Needs a language model. */
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

/** Throws `config-invalid` or `no-items` if a first run could neither make nor repair the list. */
export async function requireMaker(
  ports: TodoPorts,
  settings: TodoSettings,
  reading: TodoReading | undefined,
): Promise<void> {
  const first = agentAt(settings.schedule, 1);
  if (!reading) return requireSources({ ports, settings }, await ports.agent(first)).then(() => undefined);
  if (reading.kind === "broken")
    requireRepair(await ports.agent(settings.repairAgent ?? first), reading.broken);
}

type Around = Pick<TodoRun, "ports" | "settings">;

/** The files to make a first list from. */
async function requireSources({ ports, settings }: Around, agent: TaskAgent): Promise<string[]> {
  const { todo } = settings;
  const sources = await findSources({ ports, settings });
  if (sources.length === 0 && !ports.host.canAsk) {
    throw new LoopliaError("no-items", `There is no ${todo}, and no document to make one from.`, {
      hint: "Write the list, or name documents with source-files.",
    });
  }
  requireModel(
    agent,
    `There is no ${todo}, and making one takes a language model.`,
    "Write it yourself: `looplia init` makes an example.",
  );
  return sources;
}

function requireRepair(agent: TaskAgent, { diagnostics }: BrokenTodo): string[] {
  const problems = diagnostics.map(formatDiagnostic);
  requireModel(agent, problems.join("\n"), "Fix them by hand: only a language model can repair them.");
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
  const problems = requireRepair(agent, broken);
  return runPhase(run, {
    name: "repair",
    agent,
    source: broken.text,
    variables: { problems },
    write: (sent) => writeRepaired(run, broken, sent),
    isOptional: false,
  });
}

/** The existing files that the settings name for the first list. */
async function findSources({ ports, settings }: Around): Promise<string[]> {
  const found = new Set<string>();
  for (const glob of settings.sourceFiles) {
    for await (const path of ports.workspace.forTools.walk("", glob)) found.add(path);
  }
  return [...found].sort();
}

/** The agent from the settings, else the next one of the schedule. */
function phaseAgent(run: TodoRun, named: string | undefined): Promise<TaskAgent> {
  return run.ports.agent(named ?? agentAt(run.settings.schedule, countIterations(run) + 1));
}

function requireModel({ provider }: TaskAgent, message: string, hint: string): void {
  if (provider === "offline") throw new LoopliaError("config-invalid", message, { hint });
}
