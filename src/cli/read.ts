// Reads sessions, task lists and logs for commands that only display them.
import { type Diagnostic, formatDiagnostic } from "../config/diagnostics.ts";
import { parseManifest } from "../content/manifest.ts";
import {
  applyConversationLine,
  type Conversation,
  noUsage,
  type Totals,
  viewSession,
} from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { InteractionRequest } from "../core/interaction.ts";
import { isObject, parseJson, printedJson, toPlainLine } from "../core/json.ts";
import type { LoadedSession, TrustedFiles } from "../core/ports.ts";
import { foldEvents, isOpen, openInteractions, type TaskState, taskEnd } from "../core/state.ts";
import { formatCost, formatDuration } from "../publish/markdown.ts";
import type { TodoTask } from "../todo/document.ts";
import type { CommandLine } from "./arguments.ts";
import { openPlace } from "./run.ts";
import { colorsFor, type Surface, type Wiring } from "./surface.ts";

const SHOWN = 300;

/** `12:03:04 runCommand npm test (3 s)`; undefined if the text is no log line. */
export function logLine(text: string): string | undefined {
  const line = parseJson(text);
  if (!isObject(line) || typeof line.at !== "string" || !isObject(line.payload)) return undefined;
  const said = toPlainLine(sayLine(String(line.type), line.payload));
  const cut = said.length > SHOWN ? `${said.slice(0, SHOWN).toWellFormed()}…` : said;
  return `${line.at.slice(11, 19)} ${cut}`;
}

function sayLine(type: string, payload: Record<string, unknown>): string {
  const text = (field: string) => (payload[field] === undefined ? "" : String(payload[field]));
  switch (type) {
    case "assistant_message":
      return `${text("agent")}: ${text("text")}`;
    case "tool":
    case "command": {
      if (payload.refused !== undefined) {
        return `${text("toolName")} ${text("summary")} refused: ${text("refused")}`;
      }
      const duration = formatDuration(Number(payload.durationMs ?? 0));
      const [how] = text("ending").split("\n");
      if (how) return `${text("toolName")} ${text("summary")}: ${how} (${duration})`;
      return `${text("toolName")} ${text("summary")}${payload.isError === true ? " failed" : ""} (${duration})`;
    }
    case "usage":
      return `${text("model")} answered${Number(payload.costUsd ?? 0) > 0 ? ` for ${formatCost(Number(payload.costUsd))}` : ""}`;
    case "error":
      return `error ${text("code")}: ${text("taskId") && `${text("taskId")}: `}${text("message")} ${listOf(payload.validationErrors)}`;
    case "summary": {
      const summary = isObject(payload.summary) ? payload.summary : {};
      const status = String(summary.status ?? text("status"));
      const message = text("message");
      return `${text("taskId")} ${message.startsWith(status) ? message : `${status}: ${message}`}`;
    }
    default:
      return sayProgress(text("event"), payload, text);
  }
}

function sayProgress(
  event: string,
  payload: Record<string, unknown>,
  text: (field: string) => string,
): string {
  const more = text("message") && `: ${text("message")}`;
  switch (event) {
    case "session":
      return `session ${text("sessionId")}: ${text("source")} through ${text("pipeline")}`;
    case "iteration": {
      const who = `(agent ${text("agent")}, model ${text("model")}, schedule ${text("schedule")})`;
      return `iteration ${text("iteration")} ${text("status")}: ${text("taskId")}: ${text("title")} ${who}`;
    }
    case "ended":
      return `session ${text("sessionId")} ${text("status")} (${text("reasonCode")})${more}`;
    case "step":
      return `step ${text("output")} ${text("status")}${more}`;
    case "question":
    case "answered": {
      const request = isObject(payload.request) ? payload.request : {};
      const display = isObject(request.display) ? request.display : {};
      return `${event} ${String(request.shortId ?? "")}: ${String(display.title ?? "")}`;
    }
    case "notice":
      return `${text("level")}${more}`;
    default:
      return event;
  }
}

function listOf(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join("; ") : "";
}

// The sessions of a workspace as stored on disk: takes no lock, changes nothing.

export type SessionSummary = {
  sessionId: string;
  source: string;
  pipeline: string;
  status: "completed" | "waiting" | "failed" | "unfinished";
  createdAt: string;
  updatedAt: string;
  /** `title`: of a task that the list still contains. */
  steps: { output: string; status: string; title?: string; message?: string }[];
  interactions: InteractionRequest[];
  totals: Totals;
};

type SessionSources = {
  files: TrustedFiles;
  /** The stores of a session; undefined if there are none. */
  readStores(sessionId: string): Promise<LoadedSession | undefined>;
};

const FOLDER = ".looplia/contentItem";

/** A session with an unreadable manifest or store. */
export type DamagedSession = { sessionId: string; status: "damaged"; message: string; hint?: string };

type SessionsRead = { sessions: SessionSummary[]; damaged: DamagedSession[] };

/** Sessions of content, newest first. */
export async function readSessions(sources: SessionSources): Promise<SessionsRead> {
  const ids = (await sources.files.list(FOLDER)).map((sessionId) => ({ sessionId }));
  const read = await readEach(ids, ({ sessionId }) => readSession(sources, sessionId));
  read.sessions.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  return read;
}

/** Unreadable sessions are reported as damaged; those that `read` returns nothing for are left out. */
async function readEach<Listed extends { sessionId: string }>(
  listed: readonly Listed[],
  read: (one: Listed) => Promise<SessionSummary | undefined>,
): Promise<SessionsRead> {
  const sessions: SessionSummary[] = [];
  const damaged: DamagedSession[] = [];
  for (const one of listed) {
    try {
      const report = await read(one);
      if (report) sessions.push(report);
    } catch (thrown) {
      if (!(thrown instanceof LoopliaError)) throw thrown;
      const { message, hint } = thrown;
      const { sessionId } = one;
      damaged.push({ sessionId, status: "damaged", message, ...(hint === undefined ? {} : { hint }) });
    }
  }
  return { sessions, damaged };
}

async function readSession(
  { files, readStores }: SessionSources,
  sessionId: string,
): Promise<SessionSummary | undefined> {
  const file = `${FOLDER}/${sessionId}/session.json`;
  const text = await files.read(file);
  if (text === undefined) return undefined;
  const { manifest } = parseManifest(text, file);
  const stores = await readStores(sessionId);
  const interactions = stores ? openInteractions(foldEvents(stores.events)) : [];
  const steps = [...manifest.steps].map(([output, { status, errorMessage }]) => ({
    output,
    status,
    ...(errorMessage === undefined ? {} : { message: errorMessage }),
  }));
  const isDone = manifest.steps.get(manifest.desiredOutput)?.status === "completed";
  const hasFailed = steps.some((step) => step.status === "failed");
  return {
    sessionId,
    source: manifest.source,
    pipeline: manifest.pipeline,
    status: interactions.length > 0 ? "waiting" : isDone ? "completed" : hasFailed ? "failed" : "unfinished",
    createdAt: manifest.createdAt,
    updatedAt: manifest.updatedAt,
    steps,
    interactions,
    totals: totalsOf(stores),
  };
}

function totalsOf(stores: LoadedSession | undefined): Totals {
  const totals: Totals = { usage: noUsage(), costUsd: 0, unpriced: false };
  const conversations = new Map<string, Conversation>();
  for (const line of stores?.conversation ?? []) applyConversationLine(conversations, totals, line);
  return totals;
}

// The sessions of to-do files, from their stores: takes no lock, changes nothing.

/** Sessions with their to-do files; an unknown file counts as `todo`. */
export function readTaskSessions(
  listed: readonly { sessionId: string; source: string | undefined }[],
  readStores: (sessionId: string) => Promise<LoadedSession | undefined>,
  { todo, readList }: { todo: string; readList(source: string): Promise<TaskList | undefined> },
): Promise<SessionsRead> {
  return readEach(listed, async ({ sessionId, source = todo }) => {
    const stored = await readStores(sessionId);
    return stored && reportOf({ sessionId, source, list: await readList(source) }, stored);
  });
}

function reportOf(
  { sessionId, source, list }: { sessionId: string; source: string; list: TaskList | undefined },
  stored: LoadedSession,
): SessionSummary {
  const { state, totals } = viewSession(sessionId, stored);
  const tasks = [...state.tasks.values()];
  const interactions = openInteractions(state);
  return {
    sessionId,
    source,
    pipeline: "tasks",
    // A blocked task is retried, so it does not end the list.
    status: interactions.length > 0 ? "waiting" : list?.isOver ? "completed" : "unfinished",
    createdAt: stored.written?.first ?? "",
    updatedAt: stored.written?.last ?? "",
    steps: tasks.map((task) => {
      const { title } = list?.tasks.find(({ id }) => id === task.taskId) ?? {};
      return { output: task.taskId, status: statusOf(task), ...(title === undefined ? {} : { title }) };
    }),
    interactions,
    totals,
  };
}

function statusOf(task: TaskState): string {
  return isOpen(task) ? "in_progress" : taskEnd(task);
}

// The task list on disk, for commands that only display it.

export const STATUSES = ["todo", "doing", "blocked", "done"] as const satisfies readonly TodoTask["status"][];

/**
 * `isOver`: the list ends with the end marker, which is not in `tasks`. `diagnostics`: all problems; with
 * errors `tasks` is empty or can't be run.
 */
type TaskList = { tasks: TodoTask[]; isOver: boolean; diagnostics: Diagnostic[] };

/** Undefined without the file. Throws LoopliaError `config-invalid` if it is no JSON object. */
export async function readTasks(files: TrustedFiles, path: string): Promise<TaskList | undefined> {
  const text = await files.read(path);
  if (text === undefined) return undefined;
  const [{ dependencyDiagnostics, readTodo }, { isEndMarker, isProjectDone }] = await Promise.all([
    import("../todo/document.ts"),
    import("../todo/document.ts"),
  ]);
  const reading = await readTodo(new TextEncoder().encode(text), path);
  if (reading.kind === "broken") {
    return { tasks: [], isOver: false, diagnostics: reading.broken.diagnostics };
  }
  const { document } = reading;
  const all = document.file.tasks;
  const tasks = all.filter((task) => !isEndMarker(task));
  return { tasks, isOver: isProjectDone(all), diagnostics: dependencyDiagnostics(document) };
}

/** As `readTasks`, but throws unless the list exists and matches its schema. */
export async function requireTasks(files: TrustedFiles, path: string): Promise<TodoTask[]> {
  const list = await readTasks(files, path);
  if (!list) {
    throw new LoopliaError("config-invalid", `There is no task list ${path}.`, {
      hint: "name another with --todo",
    });
  }
  if (list.tasks.length > 0 || list.diagnostics.length === 0) return list.tasks;
  throw new LoopliaError("config-invalid", list.diagnostics.map(formatDiagnostic).join("\n"));
}

/** `3 todo, 1 doing, 0 blocked, 8 done` */
export function countByStatus(tasks: readonly Pick<TodoTask, "status">[]): string {
  const count = (status: string) => `${tasks.filter((task) => task.status === status).length} ${status}`;
  return STATUSES.map(count).join(", ");
}

// `audit verify`: checks audit logs and prints the first damaged line of each.

/** Returns 0 if every log is intact, else 1. Throws LoopliaError `config-invalid` without a log. */
export async function auditCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  if (line.topic === undefined) {
    throw new LoopliaError("config-invalid", "`audit verify` needs a source.", {
      hint: "write `looplia audit verify <state folder | artifact zip | exported file | ref>`",
    });
  }
  const place = await openPlace(surface, line);
  const reading = await wiring.readAudit(place, line.topic, surface.cwd, line.exportTo);
  const isWhole = reading.status === "verified";
  if (line.isJson) surface.stdout.write(printedJson(reading));
  else surface.stdout.write(sayReading(reading, surface));
  return isWhole ? 0 : 1;
}

function sayReading(reading: Awaited<ReturnType<Wiring["readAudit"]>>, surface: Surface): string {
  const { green, red, dim } = colorsFor(surface, surface.stdout);
  const lines = reading.sessions.flatMap(({ sessionId, count, hash, onlyHashes, problems }) => [
    `${problems.length === 0 ? green("✓") : red("✗")} ${toPlainLine(sessionId)}: ${count} lines, last hash ${toPlainLine(hash)}`,
    ...(onlyHashes
      ? [
          dim(
            `  ${onlyHashes} encrypted lines: only their hashes were compared; set LOOPLIA_STATE_KEY to check the lines themselves`,
          ),
        ]
      : []),
    ...problems.map(
      ({ kind, place, message }) => `  ${red(kind)} ${toPlainLine(place)}: ${toPlainLine(message)}`,
    ),
  ]);
  const compared =
    reading.compared.length > 0
      ? [`Compared with ${reading.compared.map(toPlainLine).join(", ")}.`]
      : [
          "Not compared with anything outside the log: anyone who can write the whole log could have rewritten it.",
        ];
  return [...lines, ...compared, ...reading.unreached.map((what) => dim(`Not reached: ${toPlainLine(what)}`))]
    .map((text) => `${text}\n`)
    .join("");
}
