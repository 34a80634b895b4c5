// What observers are notified of the list and of an iteration.

import { cancelAttempt, type Mailbox, openAttempt } from "../agent/attempt.ts";
import type { Budget } from "../agent/budget.ts";
import { Journal } from "../agent/journal.ts";
import {
  type AgentSession,
  type Asking,
  type Cancellations,
  createAsking,
  type Limits,
  type QuestionSettings,
  type WorkQuestions,
} from "../agent/session.ts";
import type { GateRules } from "../approval/gate.ts";
import type { Configuration } from "../config/definitions.ts";
import { formatDiagnostic, throwIfErrors } from "../config/diagnostics.ts";
import { type SessionView, viewSession } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { Clock, Host, Ids, Model, Observer, RunEvent, Stores, Workspace } from "../core/ports.ts";
import type { Redact } from "../core/redaction.ts";
import { isOpen, type TaskState } from "../core/state.ts";
import type { Tool } from "../tools/tool.ts";
import {
  dependencyDiagnostics,
  findTask,
  loadTodo,
  type StoredTodo,
  saveTodo,
  type TodoDocument,
  type TodoTask,
  taskDigest,
  writeWhole,
} from "./document.ts";
import { editTask } from "./edit.ts";
import { agentAt, isEndMarker, type Schedule } from "./select.ts";

// What the task loop needs from outside, and the settings that matter to it.

/** An agent of the settings with what it works with. */
export type TaskAgent = {
  name: string;
  provider: string;
  model: Model;
  modelName: string;
  fallbackModel?: string;
  limits: Limits;
  /** For one task. */
  timeoutMs?: number;
};

/** What is kept of iterations beside the stores, for people and hooks. */
interface TaskLog {
  /** Keeps the last message of an iteration and gives its absolute path. */
  keepLast(iteration: number, message: unknown): Promise<string>;
  /** Keeps a text for the session and gives its absolute path. */
  keepText(sessionId: string, name: string, text: string): Promise<string>;
  /** A text that was kept for the session, or undefined. */
  readText(sessionId: string, name: string): Promise<string | undefined>;
  /** Calls the hook of the settings, if there is one. Never fails: what went wrong, in words. */
  runHook(words: readonly string[]): Promise<string | undefined>;
}

export type TodoPorts = {
  clock: Clock;
  workspace: Workspace;
  host: Host;
  observe: Observer;
  signal: AbortSignal;
  configuration: Configuration;
  tools: ReadonlyMap<string, Tool>;
  /** Who led to what this run asks, its starter first (`startersOf`). */
  startedBy?: readonly string[];
  /** What this run, and the month, may cost. */
  budget?: Budget;
  /** Sessions that are canceled while they run. */
  cancellations?: Cancellations;
  ids: Ids;
  stores: Stores;
  /** Cuts secrets out of texts before a model, a store or a person gets them. */
  redact: Redact;
  /** The agent of that name. Throws `config-invalid` when it can't work here, e.g. without a key. */
  agent(name: string): Promise<TaskAgent>;
  log: TaskLog;
};

export type TodoSettings = {
  /** Relative to the workspace root. */
  todo: string;
  /** Only this task. */
  task?: string;
  sourceFiles: readonly string[];
  schedule: Schedule;
  reviewAgent?: string;
  repairAgent?: string;
  /** Whether files and blockers of a summary are written; its status always is. */
  applySummary: boolean;
  /** Maximum number of tasks per run. */
  maxIterations: number;
  dryRun: boolean;
  people: QuestionSettings;
  gate: GateRules;
};

// One run of the task loop: the open session, the to-do file as it was last seen, and what this run has tried.

/** A work that is open for this process, its questions, and what people left to say. */
export type TodoWork = WorkQuestions & { mailbox: Mailbox };

export type TodoRun = {
  ports: TodoPorts;
  settings: TodoSettings;
  work: TodoWork;
  journal: Journal;
  /** One for the whole run: questions are raised one at a time. */
  asking: Asking;
  /** As the program last read or wrote it. */
  stored: StoredTodo | undefined;
  /** Ids that this run does not choose again. */
  tried: { blocked: Set<string>; skipped: Set<string> };
  /** Chosen before all others, if it may be chosen at all. */
  first?: string;
  /** Where the schema lies, once it was kept. */
  schemaPath?: string;
  /** Tasks that ran in this run. */
  iterations: number;
  /** Tasks in a row whose agent failed. */
  failures: number;
};

/** What an edit of the list takes. */
export type Editing = Pick<TodoRun, "ports" | "settings" | "stored">;

/** The agent session of one agent; its files are guarded, and `signal` may end it before the run ends. */
export function sessionFor(
  run: TodoRun,
  agent: TaskAgent,
  workspace: Workspace,
  signal: AbortSignal,
): AgentSession {
  const { configuration, host, tools, clock, observe } = run.ports;
  const { model, modelName, fallbackModel, limits } = agent;
  return {
    ...{ configuration, host, tools, clock, observe, workspace, signal },
    ...{ model, modelName, limits, gate: run.settings.gate, asking: run.asking, journal: run.journal },
    ...(fallbackModel === undefined ? {} : { fallbackModel }),
    ...(run.ports.budget === undefined ? {} : { budget: run.ports.budget }),
  };
}

/** Reads the file again if it is no longer what the program knows. Throws `config-invalid` when it can't be run. */
export async function refresh(run: Editing): Promise<StoredTodo> {
  const { todo } = run.settings;
  const bytes = await run.ports.workspace.read(todo);
  if (run.stored && bytes && Buffer.compare(bytes, run.stored.bytes) === 0) return run.stored;
  const reading = await loadWhole(run);
  if (!reading) throw new LoopliaError("config-invalid", `There is no ${todo} any more.`);
  if (reading.kind === "broken") {
    const lines = reading.broken.diagnostics.map(formatDiagnostic).join("\n");
    throw new LoopliaError("config-invalid", lines, { hint: "The next run has it repaired." });
  }
  const { document } = reading;
  throwIfErrors(dependencyDiagnostics(document));
  run.stored = { document, bytes: reading.bytes };
  return run.stored;
}

/** How long editors that do not write at once may take, and how often they are waited for. */
const SAVING_MS = 150;
const WAITS = 3;

/** What was valid before and no longer is may be half of what somebody is just saving. */
async function loadWhole({ ports, settings, stored }: Editing): ReturnType<typeof loadTodo> {
  for (let waits = stored ? 0 : WAITS; waits < WAITS; waits += 1) {
    const reading = await loadTodo(ports.workspace, settings.todo).catch(() => undefined);
    if (reading?.kind === "valid") return reading;
    await new Promise((resolve) => setTimeout(resolve, SAVING_MS));
  }
  return loadTodo(ports.workspace, settings.todo);
}

/** As often as somebody may get between reading and writing. */
const MAX_TRIES = 5;

/**
 * Makes an edit of the file as it stands now durable. An edit that gives the same document writes nothing. Somebody
 * else's change is read and edited in its turn.
 */
export async function change(run: Editing, edit: (document: TodoDocument) => TodoDocument): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = await refresh(run);
    const edited = edit(before.document);
    if (edited.text === before.document.text) return;
    const saved = await saveTodo(run.ports.workspace, before, edited);
    if (saved === "changed") continue;
    run.stored = saved;
    return;
  }
  throw new LoopliaError(
    "host-failed",
    `${run.settings.todo} was not written: somebody else keeps changing it.`,
    {
      hint: "Run again when nobody else writes it.",
    },
  );
}

/** Tells whoever watches the session. */
export function notify(run: TodoRun, level: "info" | "warning", message: string): void {
  run.ports.observe({ type: "notice", level, message, sessionId: run.journal.sessionId });
}

type Event = Extract<RunEvent, { type: "iteration" }>;

/** Why an attempt ended whose task nobody wants any longer. */
export const TASK_GONE = "the task is gone";

/** Tells people that a task is no longer in the list while it is under way. */
export function notifyRemoval(run: TodoRun, { taskId, agent }: Pick<TaskState, "taskId" | "agent">): void {
  const what = `${taskId} was removed from ${run.settings.todo} while ${agent} worked on it`;
  notify(run, "warning", `${what}: the task is over, and what was changed for it stays`);
}

/** Tells of an iteration, and of the task as a step of the session. */
export function observeIteration(
  run: TodoRun,
  task: Pick<TodoTask, "id" | "title">,
  { number, agent }: { number: number; agent: TaskAgent },
  end: Pick<Event, "status" | "message" | "summary" | "errorCode">,
): void {
  const { sessionId } = run.journal;
  run.ports.observe({
    type: "iteration",
    sessionId,
    iteration: number,
    taskId: task.id,
    title: task.title,
    agent: agent.name,
    model: agent.modelName,
    schedule: run.settings.schedule.shown,
    ...end,
  });
  const { status, message } = end;
  const said = message === undefined ? {} : { message };
  const step = { output: task.id, title: task.title, agent: agent.name, status };
  run.ports.observe({ type: "step", sessionId, ...step, ...said });
}

/** The list as a session of steps. A long list is told by what is open of it. */
export function observeList(run: TodoRun): void {
  const tasks = run.stored?.document.file.tasks.filter((task) => !isEndMarker(task)) ?? [];
  const { sessionId } = run.journal;
  run.ports.observe({
    type: "session",
    sessionId,
    source: run.settings.todo,
    pipeline: "tasks",
    folder: "",
    steps: tasks
      .filter((task) => tasks.length <= SHOWN_STEPS || task.status === "doing")
      .map(({ id, title, status }) => ({
        output: id,
        title,
        due: status !== "done",
        reason: status,
      })),
  });
}

const SHOWN_STEPS = 30;

// An attempt at a to-do task begins: it is recorded with the state that the task had, then the task is marked.

/** Puts `doing` into the list. False where somebody took the task out of it just now: the attempt is over then. */
export async function markDoing(run: TodoRun, taskId: string): Promise<boolean> {
  let isThere = true;
  await change(run, (document) => {
    isThere = findTask(document, taskId) !== undefined;
    return isThere ? editTask(document, taskId, { set: { status: "doing" } }) : document;
  });
  if (isThere) return true;
  const state = run.journal.state.tasks.get(taskId);
  await cancelAttempt(run.journal, taskId, TASK_GONE);
  if (state) notifyRemoval(run, state);
  return false;
}

/** Attempts at to-do tasks so far: the number of the newest iteration. */
export function countIterations(run: TodoRun): number {
  const tasks = [...run.journal.state.tasks.values()].filter((task) => task.outputs.length === 0);
  return tasks.reduce((sum, task) => sum + task.attempt, 0);
}

/** The attempt that is open, else a new one by the agent whose turn it is. */
export async function openIteration(
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

// Opens the session of a to-do file, or only looks at it.

/** What is stored of the session, where a run may have nothing to do. */
export async function lookFirst(
  { sessionId, isLeftAlone }: { sessionId: string; isLeftAlone?: true },
  { host, stores }: TodoPorts,
  document: TodoDocument | undefined,
): Promise<SessionView | undefined> {
  if (document && !host.answersLater && !isLeftAlone) return undefined;
  const lines = await stores.look(sessionId);
  return lines && viewSession(sessionId, lines);
}

/** The run of a session whose work is open. */
export async function openRun(
  { ports, settings, work }: Pick<TodoRun, "ports" | "settings" | "work">,
  sessionId: string,
): Promise<TodoRun> {
  const store = await work.store.session(sessionId);
  const { journal, setAside } = await Journal.open(work.store.workId, store, ports.redact);
  for (const message of setAside) ports.observe({ type: "notice", level: "warning", message, sessionId });
  const canceled = ports.cancellations?.signalOf(sessionId);
  const signal = canceled ? AbortSignal.any([ports.signal, canceled]) : ports.signal;
  const tried = { blocked: new Set<string>(), skipped: new Set<string>() };
  const asking = createAsking(settings.people, work, ports.startedBy);
  const fresh = { stored: undefined, tried, iterations: 0, failures: 0 };
  return { ports: { ...ports, signal }, settings, work, journal, asking, ...fresh };
}

// What is in the list's place, whatever an agent made of it, and the list put back there.

type Files = Pick<Workspace, "read" | "writeAtomic" | "remove" | "list">;

/** Bytes of the file; undefined: there is none; `strange`: a folder, a link or another thing that is not to be read. */
export async function look(
  files: Pick<Files, "read">,
  path: string,
): Promise<Uint8Array | "strange" | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof LoopliaError && error.code === "config-invalid") return "strange";
    throw error;
  }
}

/**
 * Makes the file these bytes, durably, or takes it away; what is no file goes first, on its way what is no folder. What was
 * moved elsewhere stays there.
 */
export async function putBack(files: Files, path: string, bytes: Uint8Array | undefined): Promise<void> {
  const inTheWay = await findInTheWay(files, path);
  if (inTheWay !== undefined) await files.remove(inTheWay);
  else if (!bytes || (await look(files, path)) === "strange") await files.remove(path);
  if (bytes) await writeWhole(files, path, bytes);
}

/** The first name above the path that is a link, a file or another thing that is no folder. */
async function findInTheWay(files: Pick<Files, "list">, path: string): Promise<string | undefined> {
  const names = path.split("/").slice(0, -1);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const entries = await files.list(names.slice(0, depth - 1).join("/"));
    const entry = entries.find(({ name }) => name === names[depth - 1]);
    if (!entry) return undefined;
    if (!entry.isFolder) return names.slice(0, depth).join("/");
  }
  return undefined;
}

// A runbook: a to-do task whose steps are commands, questions and notes, so that no model is needed. Pure.

export type RunbookStep =
  | { kind: "command"; command: string }
  /** The answer is in `$LOOPLIA_<NAME>` for the commands after it. */
  | { kind: "question"; name: string; question: string; options?: string[]; regex?: string; answer?: string }
  | { kind: "note"; text: string };

/** `? name: Question?`, then options between brackets `[a | b]` or a pattern between slashes. */
const QUESTION = /^\?\s*([a-z][a-z0-9_-]{0,39})\s*:\s*(.+)$/is;

/** The steps of a task in order. What is neither a command nor a question is a note. */
export function readRunbook({ steps = [] }: Pick<TodoTask, "steps">): RunbookStep[] {
  return steps.map((text): RunbookStep => {
    const command = /^\$\s+(\S[\s\S]*)$/.exec(text)?.[1];
    if (command !== undefined) return { kind: "command", command };
    const [, name, rest] = QUESTION.exec(text) ?? [];
    if (name === undefined || rest === undefined) return { kind: "note", text };
    return { kind: "question", name, ...readQuestion(rest.trim()) };
  });
}

/** A text ends with its options or its pattern. Read by hand: expressions for it take hours for some long texts. */
function readQuestion(text: string): { question: string; options?: string[]; regex?: string } {
  const bracket = text.lastIndexOf("[");
  const list = text.slice(bracket + 1, -1);
  if (bracket >= 0 && text.endsWith("]") && list.includes("|") && !list.includes("]")) {
    const options = list.split("|").map((option) => option.trim());
    return { question: text.slice(0, bracket).trimEnd(), options: options.filter((option) => option !== "") };
  }
  const slash = text.search(/\s\//);
  const regex = slash >= 0 && text.endsWith("/") ? text.slice(slash + 2, -1) : "";
  return regex === "" ? { question: text } : { question: text.slice(0, slash).trimEnd(), regex };
}

/** `region` → `LOOPLIA_REGION` */
export function variableName(name: string): string {
  return `LOOPLIA_${name.toUpperCase().replaceAll("-", "_")}`;
}
