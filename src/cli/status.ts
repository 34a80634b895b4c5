// `status`, `ls`, `tail`, `report` and `version`.

import { open, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Colors } from "picocolors/types.js";
import { formatDiagnostic, suggestName } from "../config/diagnostics.ts";
import { findLogFolder } from "../config/settings.ts";
import { type SessionView, viewSession } from "../core/conversation.ts";
import { explain, LoopliaError } from "../core/errors.ts";
import { askedLines } from "../core/interaction.ts";
import { isObject, parseJson, printedJson, toPlainLine } from "../core/json.ts";
import type { LoadedSession, TrustedFiles } from "../core/ports.ts";
import { formatCost, formatTokens, isFree } from "../publish/markdown.ts";
import { reportMarkdown, reportOf } from "../publish/session-report.ts";
import type { TodoTask } from "../todo/document.ts";
import { compareIds } from "../todo/locate.ts";
import type { CommandLine } from "./arguments.ts";
import { watchSignals } from "./live/progress.ts";
import { padText } from "./live/view.ts";
import {
  countByStatus,
  type DamagedSession,
  logLine,
  readSessions,
  readTaskSessions,
  readTasks,
  requireTasks,
  type SessionSummary,
  STATUSES,
} from "./read.ts";
import { answerCommands, keptArguments, questionJson, resumeCommand } from "./result.ts";
import { findPlace, openPlace } from "./run.ts";
import { standingLines } from "./standing.ts";
import { type CliPlace, colorsFor, type Surface, type Wiring } from "./surface.ts";

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

// `report [<session-id>]`: a complete session as Markdown, HTML or JSON.

/** Throws LoopliaError `config-invalid` when there is no such session. */
export async function reportCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const { place, sessionId, stored } = await requireSession(line, surface, wiring);
  const view = viewSession(sessionId, stored);
  if (line.isHtml) {
    const { htmlReport } = await import("../publish/html-report.ts");
    const { stateFolder, settings } = place;
    const read = await wiring.readLines(stateFolder, sessionId, settings.stateKey);
    const current = await readResults(place, view, wiring);
    const { usage, costUsd, unpriced } = view.totals;
    surface.stdout.write(
      htmlReport({ sessionId, ...read, ...current, usage, costUsd: unpriced ? null : costUsd }),
    );
    return 0;
  }
  const report = reportOf(view, await readTitles(place, sessionId, wiring));
  surface.stdout.write(line.isJson ? printedJson(report) : reportMarkdown(report));
  return 0;
}

/** The artifacts of a session as they are now, or its task list; the title is the item's or the list's path. */
async function readResults(
  { root, stateFolder, settings }: CliPlace,
  { sessionId, state }: SessionView,
  wiring: Wiring,
): Promise<{ title?: string; results: ReadonlyMap<string, unknown> }> {
  const { trusted } = await wiring.readFiles(root);
  const read = async (path: string) => parseJson((await trusted.read(path).catch(() => undefined)) ?? "");
  const list = (await wiring.taskSessions(stateFolder)).find((one) => one.sessionId === sessionId);
  const outputs = new Set([...state.tasks.values()].flatMap((task) => [...task.accepted.keys()]));
  const folder = `.looplia/contentItem/${sessionId}`;
  const paths = list
    ? [list.source ?? settings.todo]
    : [...outputs].map((output) => `${folder}/${output}.json`);
  const results = new Map<string, unknown>();
  for (const path of paths) {
    const value = await read(path);
    if (value !== undefined) results.set(path.split("/").at(-1) ?? path, value);
  }
  const manifest = list ?? (await read(`${folder}/session.json`));
  const title = isObject(manifest) ? manifest.source : undefined;
  return { ...(typeof title === "string" ? { title } : {}), results };
}

/** For a session with a to-do file: the titles of its tasks, and a summary of the unfinished ones. */
async function readTitles(
  { root, stateFolder, settings }: CliPlace,
  sessionId: string,
  wiring: Wiring,
): Promise<{ titles: ReadonlyMap<string, string>; left?: string }> {
  const listed = await wiring.taskSessions(stateFolder);
  const own = listed.find((one) => one.sessionId === sessionId);
  const { trusted } = await wiring.readFiles(root);
  const list = own && (await readTasks(trusted, own.source ?? settings.todo).catch(() => undefined));
  if (!list) return { titles: new Map() };
  const titles = new Map(list.tasks.map(({ id, title }) => [id, title]));
  const isLeft = list.tasks.some(({ status }) => status !== "done");
  const { whatIsLeft } = await import("../todo/tasks-result.ts");
  return { titles, ...(isLeft ? { left: whatIsLeft(list.tasks) } : {}) };
}

async function requireSession(
  line: CommandLine,
  surface: Surface,
  wiring: Wiring,
): Promise<{ place: CliPlace; sessionId: string; stored: LoadedSession }> {
  const place = await openPlace(surface, line);
  const { stateFolder, settings } = place;
  const sessionId = line.topic ?? (await lastSession(place, wiring));
  const stored = await wiring.readStores(stateFolder, settings.stateKey)(sessionId);
  if (!stored)
    throw new LoopliaError("config-invalid", `There is no session ${sessionId} in ${stateFolder}.`, {
      hint: "`looplia status` lists the sessions",
    });
  return { place, sessionId, stored };
}

/** The session that changed last. Throws LoopliaError `config-invalid` if there is none. */
async function lastSession(place: CliPlace, wiring: Wiring): Promise<string> {
  const { sessions } = await readAllSessions(place, wiring);
  const [last] = sessions.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
  if (last) return last.sessionId;
  throw new LoopliaError("config-invalid", `There is no session in ${place.stateFolder}.`, {
    hint: "`looplia run` starts one",
  });
}

async function readAllSessions({ root, stateFolder, settings }: CliPlace, wiring: Wiring) {
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

// `replay [<session-id>]`: runs a recorded session again.

async function findRecorded(line: CommandLine, surface: Surface, wiring: Wiring) {
  if (!line.topic?.endsWith(".json")) return requireSession(line, surface, wiring);
  const { place } = await findPlace(surface, line.folder, line.overrides);
  return { place, path: resolve(surface.cwd, line.topic) };
}

/** Returns 0 if every result matches the recording, else 1. Throws LoopliaError `config-invalid` for an unknown session. */
export async function replayCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const { place, ...what } = await findRecorded(line, surface, wiring);
  const recordTo = line.recordTo === undefined ? undefined : resolve(surface.cwd, line.recordTo);
  const result = await wiring.replay(place, what, recordTo);
  const { turns, compared, difference, status, message } = result;
  if (line.isJson) surface.stdout.write(printedJson(result));
  else {
    surface.stdout.write(`${turns} recorded turns, ${compared} results compared, ${status}\n`);
    if (message !== undefined) surface.stdout.write(`${toPlainLine(message)}\n`);
    if (difference) {
      const { toolName, toolCallId, conversationId, recorded, now } = difference;
      surface.stdout.write(
        `the first difference is at call ${toPlainLine(toolCallId)} (${toPlainLine(toolName)}) of ${toPlainLine(conversationId)}\n`,
      );
      surface.stdout.write(
        `  recorded  ${toPlainLine(recorded).slice(0, 200)}\n  now       ${toPlainLine(now).slice(0, 200)}\n`,
      );
    }
  }
  return difference === undefined && status !== "failed" ? 0 : 1;
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

// `tail`: the end of the newest log as lines that a person reads, and with --follow what comes after it, from another
// terminal too.

const LINES = 40;
const POLL_MS = 250;
const BLOCK = 256 * 1024;

/** Prints the last lines; with --follow until Ctrl-C, over to a newer log when a run begins one. */
export async function tailCommand(line: CommandLine, surface: Surface): Promise<number> {
  const place = await openPlace(surface, line);
  const { root, stateFolder, settings } = place;
  const logDir = findLogFolder(root, settings.logDir);
  const newest = () => newestLog(stateFolder, logDir);
  const first = await newest();
  if (first === undefined && !line.isFollowing) {
    throw new LoopliaError("config-invalid", `There is no log in ${logDir ?? stateFolder}.`, {
      hint: "`looplia run` writes a log; --log-dir sets its folder",
    });
  }
  const log: Followed = { path: first, offset: 0, rest: "" };
  const begun = (await readOn(log)).slice(-LINES);
  surface.stdout.write(begun.map((text) => `${text}\n`).join(""));
  if (!line.isFollowing) return 0;
  const showMore = async () => {
    surface.stdout.write((await readOn(log)).map((text) => `${text}\n`).join(""));
  };
  const { signal, release } = watchSignals(surface, () => undefined);
  try {
    while (!signal.aborted) {
      await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
      await showMore();
      const path = await newest();
      if (path === log.path) continue;
      // The run before may have said its last words since.
      await showMore();
      Object.assign(log, { path, offset: 0, rest: "" });
    }
    return 0;
  } finally {
    release();
  }
}

type Followed = { path: string | undefined; offset: number; rest: string };

/** What has come since, as far as lines are whole; nothing of a log that somebody has removed. */
async function readOn(log: Followed): Promise<string[]> {
  const file = log.path === undefined ? undefined : await open(log.path, "r").catch(orGone);
  if (!file) return [];
  try {
    const buffer = Buffer.alloc(BLOCK);
    const texts: string[] = [];
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, BLOCK, log.offset);
      if (bytesRead === 0) break;
      // Up to the last whole line, so that no character is cut in two.
      const end = buffer.lastIndexOf("\n", bytesRead - 1) + 1;
      const taken = end > 0 && end <= bytesRead ? end : bytesRead < BLOCK ? 0 : bytesRead;
      if (taken === 0) break;
      texts.push(buffer.toString("utf8", 0, taken));
      log.offset += taken;
    }
    const lines = (log.rest + texts.join("")).split("\n");
    log.rest = lines.pop() ?? "";
    return lines.flatMap((text) => logLine(text) ?? []);
  } finally {
    await file.close();
  }
}

function orGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** Names of logs begin with their time. */
async function newestLog(stateFolder: string, logDir: string | undefined): Promise<string | undefined> {
  const works = logDir === undefined ? await namesIn(stateFolder) : [];
  const folders = logDir === undefined ? works.map((work) => join(stateFolder, work, "logs")) : [logDir];
  const logs: { name: string; path: string }[] = [];
  for (const folder of folders) {
    for (const name of await namesIn(folder)) {
      if (name.endsWith(".jsonl")) logs.push({ name, path: join(folder, name) });
    }
  }
  return logs.sort((one, other) => (one.name < other.name ? -1 : 1)).at(-1)?.path;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

// `version`: what runs here.

/** One `name value` a line, or the same as JSON. */
export function versionCommand(line: CommandLine, surface: Surface, wiring: Wiring): number {
  const models = Object.fromEntries(wiring.defaultModels);
  const fields = { looplia: wiring.version, node: process.version, models };
  if (line.isJson) {
    surface.stdout.write(printedJson(fields));
    return 0;
  }
  const rows = [["looplia", fields.looplia], ["node", fields.node], ...wiring.defaultModels];
  surface.stdout.write(rows.map(([name, value]) => `${name} ${value}\n`).join(""));
  return 0;
}
