// `status` and `ls`: sessions and task lists as stored on disk. Takes no lock, changes nothing.
import type { Colors } from "picocolors/types.js";
import { type Diagnostic, formatDiagnostic, suggestName } from "../config/diagnostics.ts";
import { parseManifest } from "../content/manifest.ts";
import { type Totals, viewSession } from "../core/conversation.ts";
import { explain, LoopliaError } from "../core/errors.ts";
import { askedLines, type InteractionRequest } from "../core/interaction.ts";
import { loginOf, printedJson, toPlainLine } from "../core/json.ts";
import type { LoadedSession, TrustedFiles } from "../core/ports.ts";
import { isOpen, openInteractions, type TaskState, taskEnd } from "../core/state.ts";
import { formatCost, formatTokens, isFree } from "../publish/markdown.ts";
import type { TodoTask } from "../todo/document.ts";
import { compareIds } from "../todo/locate.ts";
import type { CommandLine } from "./arguments.ts";
import { padText } from "./live/view.ts";
import { answerCommands, keptArguments, questionJson, resumeCommand } from "./result.ts";
import { openPlace } from "./run.ts";
import { type CliPlace, colorsFor, type StandingInWork, type Surface, type Wiring } from "./surface.ts";

// `ls <status>`: the tasks of the task list that have a status.

/** Prints id, priority and title of each, or whole tasks as JSON. */
export async function lsCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const { topic } = line;
  if (topic === undefined || !STATUSES.some((status) => status === topic)) {
    const message =
      topic === undefined ? "`ls` needs a status." : `There is no status ${JSON.stringify(topic)}.`;
    const near = topic === undefined ? undefined : suggestName(topic, STATUSES);
    const hint = near ?? `write \`looplia ls ${STATUSES.join("|")} [<folder>]\``;
    throw new LoopliaError("config-invalid", message, { hint });
  }
  const place = await openPlace(surface, line);
  const { trusted } = await wiring.readFiles(place.root);
  const all = await requireTasks(trusted, place.settings.todo);
  const tasks = all
    .filter((task) => task.status === topic)
    .sort((one, other) => one.priority - other.priority || compareIds(one.id, other.id));
  if (line.isJson) {
    surface.stdout.write(printedJson(tasks));
    return 0;
  }
  const { dim } = colorsFor(surface, surface.stdout);
  const width = Math.max(0, ...tasks.map((task) => toPlainLine(task.id).length));
  const { waitsFor } = await import("../todo/tasks-result.ts");
  const lines = tasks.map((task) => taskLine(task, { width, waits: waitsFor(task, all) }, dim));
  surface.stdout.write(lines.join(""));
  return 0;
}

type SessionSummary = {
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
type DamagedSession = { sessionId: string; status: "damaged"; message: string; hint?: string };

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
  const { state, totals } = viewSession(sessionId, stores ?? { events: [], conversation: [] });
  const interactions = openInteractions(state);
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
    totals,
  };
}

/** Sessions with their to-do files; an unknown file counts as `todo`. */
function readTaskSessions(
  listed: readonly { sessionId: string; source: string | undefined }[],
  readStores: (sessionId: string) => Promise<LoadedSession | undefined>,
  { todo, readList }: { todo: string; readList(source: string): Promise<TaskList | undefined> },
): Promise<SessionsRead> {
  return readEach(listed, async ({ sessionId, source = todo }) => {
    const stored = await readStores(sessionId);
    return stored && summaryOf({ sessionId, source, list: await readList(source) }, stored);
  });
}

function summaryOf(
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

const STATUSES = ["todo", "doing", "blocked", "done"] as const satisfies readonly TodoTask["status"][];

/**
 * `isOver`: the list ends with the end marker, which is not in `tasks`. `diagnostics`: all problems; with
 * errors `tasks` is empty or can't be run.
 */
type TaskList = { tasks: TodoTask[]; isOver: boolean; diagnostics: Diagnostic[] };

/** Undefined without the file. Throws LoopliaError `config-invalid` if it is no JSON object. */
export async function readTasks(files: TrustedFiles, path: string): Promise<TaskList | undefined> {
  const text = await files.read(path);
  if (text === undefined) return undefined;
  const { dependencyDiagnostics, isEndMarker, isProjectDone, readTodo } = await import("../todo/document.ts");
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
async function requireTasks(files: TrustedFiles, path: string): Promise<TodoTask[]> {
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

function taskLine(
  task: TodoTask,
  { width, waits }: { width: number; waits: string | undefined },
  dim: (text: string) => string,
): string {
  const why = (task.status === "blocked" ? task.blockers?.at(-1) : undefined) ?? waits;
  const more = why === undefined ? "" : dim(`  ${toPlainLine(why)}`);
  const id = padText(toPlainLine(task.id), width);
  return `${id}  ${dim(`p${task.priority}`)}  ${toPlainLine(task.title)}${more}\n`;
}

export async function readAllSessions({ root, stateFolder, settings }: CliPlace, wiring: Wiring) {
  const { trusted } = await wiring.readFiles(root);
  const readStores = wiring.readStores(stateFolder, settings.stateKey);
  const content = await readSessions({ files: trusted, readStores });
  const readList = (source: string) => readTasks(trusted, source).catch(() => undefined);
  const listed = await wiring.taskSessions(stateFolder);
  const tasks = await readTaskSessions(listed, readStores, { todo: settings.todo, readList });
  return {
    sessions: [...tasks.sessions, ...content.sessions],
    damaged: [...tasks.damaged, ...content.damaged],
  };
}

/** Lists all sessions or shows one. Throws LoopliaError `config-invalid` for an unknown session. */
export async function statusCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const place = await openPlace(surface, line);
  const { root, stateFolder } = place;
  const { sessions, damaged } = await readAllSessions(place, wiring);
  const isShown = ({ sessionId }: { sessionId: string }) => [undefined, sessionId].includes(line.topic);
  const shown = [...sessions, ...damaged].filter(isShown);
  if (line.topic !== undefined && shown.length === 0) {
    throw new LoopliaError("config-invalid", `There is no session ${line.topic} in ${root}.`, {
      hint: "`looplia status` lists the sessions",
    });
  }
  const kept = keptArguments(line);
  if (line.isJson) {
    surface.stdout.write(
      printedJson(shown.map((one) => (one.status === "damaged" ? one : sessionJson(one, kept)))),
    );
    return 0;
  }
  const colors = colorsFor(surface, surface.stdout);
  if (line.topic === undefined) {
    const { trusted } = await wiring.readFiles(root);
    await showTasks(place.settings.todo, trusted, surface);
  }
  if (shown.length === 0) surface.stdout.write(`No sessions in ${root}.\n`);
  const view = { kept, isWhole: line.topic !== undefined, now: new Date() };
  const texts = shown.map((one) =>
    one.status === "damaged" ? damagedLines(one, colors) : sessionLines(one, view, colors),
  );
  if (line.topic === undefined) {
    const standing = standingLines(await wiring.standingApprovals(stateFolder), kept, colors);
    if (standing.length > 0) texts.push(standing);
  }
  surface.stdout.write(texts.map((lines) => `${lines.join("\n")}\n`).join("\n"));
  return 0;
}

function damagedLines({ sessionId, status, message, hint }: DamagedSession, colors: Colors): string[] {
  const told = [message, hint ?? ""].filter((text) => text !== "").map((text) => `  ${toPlainLine(text)}`);
  return [`${mark("failed", colors)} ${colors.bold(sessionId)}  ${status}`, ...told];
}

/** Prints the task counts if there is a task list; problems of the list become warnings. */
async function showTasks(path: string, files: TrustedFiles, surface: Surface): Promise<void> {
  const warn = (text: string) => surface.stderr.write(`warning: ${toPlainLine(text)}\n`);
  const list = await readTasks(files, path).catch((thrown: unknown) => {
    if (!(thrown instanceof LoopliaError)) throw thrown;
    warn(explain(thrown));
  });
  if (!list) return;
  for (const diagnostic of list.diagnostics) warn(formatDiagnostic(diagnostic));
  if (list.tasks.length === 0) return;
  const { whatIsLeft } = await import("../todo/tasks-result.ts");
  const isLeft = list.tasks.some(({ status }) => status !== "done");
  const left = isLeft ? `  ${toPlainLine(whatIsLeft(list.tasks))}\n` : "";
  surface.stdout.write(`${path}: ${countByStatus(list.tasks)}\n${left}\n`);
}

/**
 * A session for people: a heading, its steps, its open questions and the command that resumes it. `isWhole`: includes the
 * full text of the questions. An expired question shows how to resume the session instead.
 */
function sessionLines(
  session: SessionSummary,
  { kept, isWhole, now }: { kept: string; isWhole: boolean; now: Date },
  colors: Colors,
): string[] {
  const { dim, bold } = colors;
  const { usage, costUsd, unpriced } = session.totals;
  const cost = isFree(usage) ? "" : ` · ${formatTokens(usage)} · ${formatCost(unpriced ? null : costUsd)}`;
  const width = Math.max(0, ...session.steps.map((step) => step.output.length));
  const titleOf = (id: string) => toPlainLine(session.steps.find(({ output }) => output === id)?.title ?? "");
  const lines = [
    `${mark(session.status, colors)} ${bold(session.sessionId)}  ${session.status}`,
    dim(
      `  ${toPlainLine(session.source)} through ${toPlainLine(session.pipeline)} · ${session.updatedAt}${cost}`,
    ),
    ...session.steps.map((step) => {
      const message = step.message ? `  ${toPlainLine(step.message)}` : "";
      const id = padText(toPlainLine(step.output), width);
      const title = step.title === undefined ? "" : `  ${toPlainLine(step.title)}`;
      return `  ${mark(step.status, colors)} ${id}${title}  ${dim(step.status)}${message}`;
    }),
  ];
  for (const request of session.interactions) {
    const [title = "", ...details] = askedLines(request);
    const about = `${toPlainLine(request.taskId)} ${titleOf(request.taskId)}`.trimEnd();
    lines.push(`  question: ${title} (${request.shortId}, ${about})`);
    if (isWhole) lines.push(...details.map((detail) => `  ${detail}`));
    const { expiresAt } = request;
    const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();
    const commands = isExpired
      ? [`expired at ${expiresAt}; to end the waiting step, run:`, resumeCommand(session.sessionId, kept)]
      : answerCommands(request, kept);
    lines.push(...commands.map((command) => `    ${command}`));
  }
  if (session.status === "failed" || session.status === "unfinished") {
    lines.push(`  resume: ${resumeCommand(session.sessionId, kept)}`);
  }
  return lines;
}

function mark(status: string, { green, red, yellow, dim }: Colors): string {
  switch (status) {
    case "completed":
      return green("✓");
    case "failed":
      return red("✗");
    case "waiting":
      return yellow("?");
    case "in_progress":
    case "unfinished":
      return yellow("■");
    default:
      return dim("○");
  }
}

function sessionJson({ totals, interactions, ...session }: SessionSummary, kept: string): unknown {
  return {
    ...session,
    interactions: interactions.map((request) => questionJson(request, kept)),
    usage: totals.usage,
    costUsd: totals.unpriced ? null : totals.costUsd,
  };
}

/** The standing approvals, each with the command that revokes it; empty if there are none. */
function standingLines(works: readonly StandingInWork[], kept: string, { bold, dim }: Colors): string[] {
  if (works.length === 0) return [];
  const isAlone = works.length === 1;
  const lines = works.flatMap(({ workId, approvals }) =>
    approvals.flatMap(({ number, commands, actorIds, at }) => [
      `  ${number}  ${commands.map(toPlainLine).join(", ")}  ${dim(`by ${actorIds.map(loginOf).join(", ")}, ${at}`)}`,
      `     looplia answer revoke ${isAlone ? "" : `${workId}/`}${number}${kept}`,
    ]),
  );
  return [bold("Standing approvals: these commands run without another question"), ...lines];
}
