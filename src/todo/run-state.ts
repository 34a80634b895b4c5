// The state of a task loop, and the events for its observers.

import type { ClaimedWork, OpenSession, SessionPorts } from "../agent/job.ts";
import type { AgentSession, Asking, Journal, Limits, QuestionSettings } from "../agent/session.ts";
import type { GateRules } from "../approval/gate.ts";
import { formatDiagnostic, throwIfErrors } from "../config/diagnostics.ts";
import { LoopliaError } from "../core/errors.ts";
import type { Model, RunEvent, Workspace } from "../core/ports.ts";
import type { RunbookStep } from "../core/runbook.ts";
import type { TaskState } from "../core/state.ts";
import {
  dependencyDiagnostics,
  findTask,
  loadTodo,
  type Schedule,
  type StoredTodo,
  saveTodo,
  type TodoDocument,
  type TodoTask,
} from "./document.ts";
import { editTask } from "./edit.ts";

// The ports and settings of the task loop.

/** An agent from the settings, ready to run. */
export type TaskAgent = {
  name: string;
  provider: string;
  model: Model;
  modelName: string;
  fallbackModel?: string;
  limits: Limits;
  /** Per task. */
  timeoutMs?: number;
};

/** What is kept of iterations beside the stores, for people and hooks. */
interface TaskLog {
  /** Stores the last message of an iteration and returns its absolute path. */
  keepLast(iteration: number, message: unknown): Promise<string>;
  /** Stores a text for the session and returns its absolute path. */
  keepText(sessionId: string, name: string, text: string): Promise<string>;
  /** A stored text of the session, or undefined. */
  readText(sessionId: string, name: string): Promise<string | undefined>;
  /** Calls the configured hook, if any. Never throws; returns the error message. */
  runHook(words: readonly string[]): Promise<string | undefined>;
}

export type TodoPorts = SessionPorts & {
  /** The agent of that name. Throws `config-invalid` if it can't work here, e.g. without a key. */
  agent(name: string): Promise<TaskAgent>;
  log: TaskLog;
};

export type TodoSettings = {
  /** Relative to the workspace root. */
  todo: string;
  /** Run only this task. */
  task?: string;
  sourceFiles: readonly string[];
  schedule: Schedule;
  reviewAgent?: string;
  repairAgent?: string;
  /** Whether a summary's files and blockers are written into the list; its status always is. */
  applySummary: boolean;
  /** Maximum number of tasks per run. */
  maxIterations: number;
  dryRun: boolean;
  people: QuestionSettings;
  gate: GateRules;
};

// One run of the task loop: the open session, the last known to-do file, and this run's attempts.

export type TodoRun = {
  ports: TodoPorts;
  settings: TodoSettings;
  work: ClaimedWork;
  opened: OpenSession;
  journal: Journal;
  /** One per run, so that questions are raised one at a time. */
  asking: Asking;
  /** As the program last read or wrote it. */
  stored: StoredTodo | undefined;
  /** Ids that this run does not choose again. */
  tried: { skipped: Set<string> };
  /** The schedule's models, once they are known. */
  models?: string;
  /** Conversations that this run continued: what their commands left is still there. */
  ranHere: Set<string>;
  /** Chosen before all others if possible. */
  first?: string;
  /** The path of the schema, once stored. */
  schemaPath?: string;
  /** Tasks that ran in this run. */
  iterations: number;
  /** Tasks in a row whose agent failed. */
  failures: number;
};

/** What an edit of the list needs. */
export type Editing = Pick<TodoRun, "ports" | "settings" | "stored">;

/** The session of one agent; its files are guarded, and `signal` may end it before the run ends. */
export function sessionFor(
  run: TodoRun,
  agent: TaskAgent,
  workspace: Workspace,
  signal: AbortSignal,
): AgentSession {
  const { model, modelName, fallbackModel, limits } = agent;
  return {
    ...{ ...run.opened, workspace, signal, model, modelName, limits, gate: run.settings.gate },
    ...(fallbackModel === undefined ? {} : { fallbackModel }),
  };
}

/** Reads the file again if it has changed. Throws `config-invalid` if it can't be run. */
export async function refresh(run: Editing): Promise<StoredTodo> {
  const { todo } = run.settings;
  const bytes = await run.ports.workspace.read(todo);
  if (run.stored && bytes && Buffer.compare(bytes, run.stored.bytes) === 0) return run.stored;
  const reading = await loadWhole(run);
  if (!reading) throw new LoopliaError("config-invalid", `${todo} no longer exists.`);
  if (reading.kind === "broken") {
    const lines = reading.broken.diagnostics.map(formatDiagnostic).join("\n");
    throw new LoopliaError("config-invalid", lines, { hint: "The next run repairs it." });
  }
  const { document } = reading;
  throwIfErrors(dependencyDiagnostics(document));
  run.stored = { document, bytes: reading.bytes };
  return run.stored;
}

/** How long an editor may take to save a file, and how often to wait for it. */
const SAVING_MS = 150;
const WAITS = 3;

/** A file that was valid before may be half saved: then it is read again. */
async function loadWhole({ ports, settings, stored }: Editing): ReturnType<typeof loadTodo> {
  for (let waits = stored ? 0 : WAITS; waits < WAITS; waits += 1) {
    const reading = await loadTodo(ports.workspace, settings.todo).catch(() => undefined);
    if (reading?.kind === "valid") return reading;
    await new Promise((resolve) => setTimeout(resolve, SAVING_MS));
  }
  return loadTodo(ports.workspace, settings.todo);
}

/** How often another writer may come between reading and writing. */
const MAX_TRIES = 5;

/**
 * Applies an edit to the present file and makes it durable. Writes nothing if the document does not change.
 * Repeats the edit after another writer's change.
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
    `${run.settings.todo} was not written: another program keeps changing it.`,
    {
      hint: "Run again when no other program writes to it.",
    },
  );
}

/** Applies an edit to a task in the present file; false if the task is gone. */
export async function changeTask(
  run: Editing,
  id: string,
  edit: (task: TodoTask) => Parameters<typeof editTask>[2],
): Promise<boolean> {
  let isThere = true;
  await change(run, (document) => {
    const task = findTask(document, id);
    isThere = task !== undefined;
    return task ? editTask(document, id, edit(task)) : document;
  });
  return isThere;
}

/** Notifies the session's observers. */
export function notify(run: TodoRun, level: "info" | "warning", message: string): void {
  run.ports.observe({ type: "notice", level, message, sessionId: run.journal.sessionId });
}

type Event = Extract<RunEvent, { type: "iteration" }>;

/** Why an attempt was canceled: its task is no longer in the list. */
export const TASK_GONE = "the task is gone";

/** Warns that a task was removed from the list while it was under way. */
export function notifyRemoval(run: TodoRun, { taskId, agent }: Pick<TaskState, "taskId" | "agent">): void {
  const what = `${taskId} was removed from ${run.settings.todo} while ${agent} worked on it`;
  notify(run, "warning", `${what}: the task is over, and its changes are kept`);
}

/** Reports an iteration, and the task as a step of the session. */
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

// Begins an attempt at a to-do task: records the task's earlier status, then marks the task.

/** Attempts at to-do tasks so far: the number of the newest iteration. */
export function countIterations(run: TodoRun): number {
  const tasks = [...run.journal.state.tasks.values()].filter((task) => task.outputs.length === 0);
  return tasks.reduce((sum, task) => sum + task.attempt, 0);
}

// A runbook: a to-do task whose steps are commands, questions and notes, so that it needs no model. Pure.

/**
 * `? name: Question?`, optionally followed by options `[a | b]` or a pattern between slashes. Without a name,
 * the answer only lets the next step begin.
 */
const QUESTION = /^\?\s*(?:([a-z][a-z0-9_-]{0,39})\s*:\s*)?(\S[\s\S]*)$/i;

/** The steps of a task in order. A step that is no command and no question is a note. */
export function readRunbook({ steps = [] }: Pick<TodoTask, "steps">): RunbookStep[] {
  return steps.map((text): RunbookStep => {
    const command = /^\$\s+(\S[\s\S]*)$/.exec(text)?.[1];
    if (command !== undefined) return { kind: "command", command };
    const [, name, rest] = QUESTION.exec(text) ?? [];
    if (rest === undefined) return { kind: "note", text };
    return { kind: "question", ...(name === undefined ? {} : { name }), ...readQuestion(rest.trim()) };
  });
}

/**
 * A text ends with its options or its pattern. Parsed by hand, because a regular expression takes hours for
 * some long texts.
 */
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
