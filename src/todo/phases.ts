// When the list is made, repaired and reviewed, and by whom.
import type { Outcome } from "../agent/outcome.ts";
import { formatDiagnostic } from "../config/diagnostics.ts";
import { LoopliaError } from "../errors.ts";
import type { BrokenTodo, TodoReading } from "./document.ts";
import { countIterations } from "./open-iteration.ts";
import type { TaskAgent, TodoPorts, TodoSettings } from "./ports.ts";
import { runPhase } from "./run-phase.ts";
import { agentAt } from "./schedule.ts";
import { loadTodo } from "./todo-file.ts";
import { refresh, type TodoRun } from "./todo-run.ts";
import { writeFirst, writeNewTasks, writeRepaired } from "./write-todo.ts";

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
