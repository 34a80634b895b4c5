// One run of the task loop: the open session, the to-do file as it was last seen, and what this run has tried.
import type { OpenWork } from "../agent/asking.ts";
import type { Journal } from "../agent/journal.ts";
import type { Mailbox } from "../agent/messages.ts";
import type { AgentSession, Asking } from "../agent/session.ts";
import { formatDiagnostic, throwIfErrors } from "../config/diagnostics.ts";
import { LoopliaError } from "../errors.ts";
import type { Workspace } from "../ports.ts";
import { dependencyDiagnostics, type TodoDocument } from "./document.ts";
import type { TaskAgent, TodoPorts, TodoSettings } from "./ports.ts";
import { loadTodo, type StoredTodo, saveTodo } from "./todo-file.ts";

/** A work that is open for this process, its questions, and what people left to say. */
export type TodoWork = OpenWork & { mailbox: Mailbox };

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
