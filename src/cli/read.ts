// `report`, `replay`, `tail`, `audit`, `version`, `expire` and `answer revoke`: what is not a run or its overview.
import { open, readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findLogFolder } from "../config/settings.ts";
import { type SessionView, viewSession } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import { isObject, parseJson, printedJson, toPlainLine } from "../core/json.ts";
import type { LoadedSession } from "../core/ports.ts";
import { formatCost, formatDuration } from "../publish/markdown.ts";
import { reportMarkdown, reportOf } from "../publish/session-report.ts";
import type { CommandLine } from "./arguments.ts";
import { watchSignals } from "./live/progress.ts";
import { findPlace, openPlace } from "./run.ts";
import { readAllSessions, readTasks } from "./status.ts";
import {
  actorOf,
  type CliPlace,
  colorsFor,
  type StandingInWork,
  type Surface,
  type Wiring,
} from "./surface.ts";

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
  surface.stdout.write(line.isJson ? printedJson(reading) : sayReading(reading, surface));
  return reading.status === "verified" ? 0 : 1;
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

/** The session that changed last, else one whose reading says what is wrong. Throws `config-invalid` without any. */
async function lastSession(place: CliPlace, wiring: Wiring): Promise<string> {
  const { sessions, damaged } = await readAllSessions(place, wiring);
  const [last = damaged[0]] = sessions.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
  if (last) return last.sessionId;
  throw new LoopliaError("config-invalid", `There is no session in ${place.stateFolder}.`, {
    hint: "`looplia run` starts one",
  });
}

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
    surface.stdout.write(
      `${turns} recorded turns, ${compared} ${compared === 1 ? "result" : "results"} compared, ${status}\n`,
    );
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
  const namesIn = (folder: string) => readdir(folder).catch(() => []);
  const works = logDir === undefined ? await namesIn(stateFolder) : [];
  const folders = logDir === undefined ? works.map((work) => join(stateFolder, work, "logs")) : [logDir];
  const paths = folders.map(async (folder) => (await namesIn(folder)).map((name) => join(folder, name)));
  const logs = (await Promise.all(paths)).flat().filter((path) => path.endsWith(".jsonl"));
  return logs.sort((one, other) => (basename(one) < basename(other) ? -1 : 1)).at(-1);
}

/** One `name value` a line, or the same as JSON. */
export function versionCommand(line: CommandLine, surface: Surface, wiring: Wiring): number {
  const models = Object.fromEntries(wiring.defaultModels);
  const fields = { looplia: wiring.version, node: process.version, models };
  const rows = [["looplia", fields.looplia], ["node", fields.node], ...wiring.defaultModels];
  const text = rows.map(([name, value]) => `${name} ${value}\n`).join("");
  surface.stdout.write(line.isJson ? printedJson(fields) : text);
  return 0;
}

// State that outlives a run: standing approvals (`answer revoke <number>`) and stored states (`expire`).

/** Throws LoopliaError `config-invalid` unless exactly one work has an approval with that number. */
export async function revokeCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const place = await openPlace(surface, line);
  const standing = await wiring.standingApprovals(place.stateFolder);
  const { workId, number, commands } = chooseApproval(standing, line);
  await wiring.revokeApproval(place, { workId, number }, actorOf(surface));
  const result = { status: "completed", reasonCode: "done", revoked: { workId, number, commands } };
  const told = `Revoked ${number}: ${toPlainLine(commands.join(", "))}. The next such call needs approval again.`;
  surface.stdout.write(line.isJson ? printedJson(result) : `${told}\n`);
  return 0;
}

function chooseApproval(
  works: readonly StandingInWork[],
  { revoke: wanted }: CommandLine,
): { workId: string; number: number; commands: readonly string[] } {
  const all = works.flatMap(({ workId, approvals }) => approvals.map((one) => ({ workId, ...one })));
  const matching = all.filter(
    ({ workId, number }) => number === wanted?.number && (wanted.workId ?? workId) === workId,
  );
  const [only, ...others] = matching;
  if (only && others.length === 0) return only;
  const commands = (only ? matching : all).map(
    ({ workId, number }) => `looplia answer revoke ${workId}/${number}`,
  );
  const message = only
    ? `Several works have a standing approval ${wanted?.number}.`
    : `There is no standing approval ${wanted?.number}.`;
  const hint =
    commands.length === 0 ? "No standing approval is in force." : `Write one of: ${commands.join(", ")}`;
  throw new LoopliaError("config-invalid", message, { hint });
}

export async function expireCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const place = await openPlace(surface, line);
  const { expired, kept } = await wiring.expireStates(place);
  const result = { status: "completed", reasonCode: "done", expired, kept, dryRun: place.settings.dryRun };
  const verb = place.settings.dryRun ? "would be deleted" : "deleted";
  const told = [
    ...expired.map((workId) => `${verb}: ${toPlainLine(workId)}`),
    `${kept} stored states are kept.`,
  ];
  surface.stdout.write(line.isJson ? printedJson(result) : `${told.join("\n")}\n`);
  return 0;
}
