// Finds works, sessions and interactions on disk. Takes no lock and changes nothing.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import { isObject, parseJson } from "../core/json.ts";
import type { Stores } from "../core/ports.ts";
import { foldEvents, openInteractions } from "../core/state.ts";
import { foldWork, type StandingApproval, standingApprovals } from "../core/work-state.ts";
import { namesIn, readWhole } from "./durable.ts";
import { readHeader, refuseNewerWork, scanSession, scanWorkLog, storeFolder } from "./scan.ts";
import { overSegments } from "./segments.ts";

/** The work that contains the session, or undefined. */
export async function findSessionWork(stateFolder: string, sessionId: string): Promise<string | undefined> {
  if (!/^[a-z0-9][a-z0-9-]{0,80}$/.test(sessionId)) return undefined;
  for (const workId of namesIn(stateFolder)) {
    if (await isFolder(join(stateFolder, workId, "sessions", sessionId))) return workId;
  }
  return undefined;
}

/** The work's newest session; undefined if it has none. */
export function newestSession(workFolder: string): string | undefined {
  return namesIn(join(workFolder, "sessions")).sort(byDay).at(-1);
}

/** Sessions of all to-do works, newest first, with their work. */
export function listTaskSessions(stateFolder: string): { sessionId: string; workId: string }[] {
  const works = namesIn(stateFolder).filter((name) => /^tasks-[0-9a-f]{6}(?:-\d+)?$/.test(name));
  return works
    .flatMap((workId) =>
      namesIn(join(stateFolder, workId, "sessions")).map((sessionId) => ({ sessionId, workId })),
    )
    .sort((one, other) => byDay(other.sessionId, one.sessionId));
}

/** The path of a work's to-do file; undefined if the work has none or its header can't be read. */
export async function findTodo(stateFolder: string, workId: string): Promise<string | undefined> {
  const header = await readHeader(join(stateFolder, workId)).catch(() => undefined);
  const key = header?.kind === "tasks" ? parseJson(header.key) : undefined;
  return isObject(key) && typeof key.todo === "string" ? key.todo : undefined;
}

/** By the day in the id, then alphabetically. */
function byDay(one: string, other: string): number {
  const dayOf = (id: string) => /(\d{4}-\d\d-\d\d)-[0-9a-f]{6}$/.exec(id)?.[1] ?? "";
  return dayOf(one).localeCompare(dayOf(other)) || (one < other ? -1 : 1);
}

type FoundInteraction = { workId: string; sessionId: string; interactionId: string };

/**
 * Finds the session that raised an interaction, by interaction id or short id; an exact interaction id wins.
 * An unreadable store does not hide others.
 */
export async function findInteraction(
  stateFolder: string,
  id: string,
): Promise<FoundInteraction | undefined> {
  let byShortId: FoundInteraction | undefined;
  const failures: unknown[] = [];
  for await (const { workId, sessionId, request } of requestsIn(stateFolder, id, failures)) {
    const found = { workId, sessionId, interactionId: String(request.interactionId) };
    if (found.interactionId === id) return found;
    if (request.shortId === id) byShortId ??= found;
  }
  if (!byShortId && failures.length > 0) throw failures[0];
  return byShortId;
}

type Found = { workId: string; sessionId: string; request: Record<string, unknown> };

async function* requestsIn(stateFolder: string, id: string, failures: unknown[]): AsyncIterable<Found> {
  for (const workId of namesIn(stateFolder)) {
    const requests = requestsOfWork(join(stateFolder, workId), JSON.stringify(id), (error) =>
      failures.push(error),
    );
    for await (const found of requests) yield { workId, ...found };
  }
}

/** Requests on lines that contain `needle`; the text is searched first because parsing every line is slow. */
export async function* requestsOfWork(
  workFolder: string,
  needle: string,
  whenUnreadable: (error: unknown) => void = rethrow,
): AsyncIterable<Omit<Found, "workId">> {
  if (!(await isFolder(workFolder))) return;
  const sessions = join(workFolder, "sessions");
  try {
    await refuseNewerWork(workFolder);
  } catch (error) {
    return whenUnreadable(error);
  }
  if (!(await isFolder(sessions))) return;
  for (const sessionId of namesIn(sessions)) {
    const lines = await linesWith(join(sessions, sessionId), needle).catch((error: unknown) => {
      whenUnreadable(error);
      return [];
    });
    for (const line of lines) {
      const request = requestOf(line);
      if (request) yield { sessionId, request };
    }
  }
}

async function linesWith(session: string, needle: string): Promise<string[]> {
  if (!(await isFolder(join(session, "events")))) return [];
  return overSegments(session, "events", async (names) => {
    const lines: string[] = [];
    for (const name of names) {
      const text = (await readWhole(join(session, "events", name))).toString("utf8");
      if (text.includes(needle)) lines.push(...text.split("\n").filter((line) => line.includes(needle)));
    }
    return lines;
  });
}

function rethrow(error: unknown): never {
  throw error;
}

function requestOf(line: string): Record<string, unknown> | undefined {
  // A torn line was never shown to anyone; opening the session reports it.
  const { type, payload } = Object(parseJson(line));
  return type === "UserInteractionRequested" && isObject(payload) ? payload : undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

// Finds a work's open questions by reading only; takes no lock and changes nothing.

/**
 * The open questions of all sessions of the work in `folder` (absolute). Reads only valid lines and skips
 * sessions with damaged stores: opening those reports the damage.
 */
export async function findOpenQuestions(folder: string): ReturnType<Stores["openQuestions"]> {
  const asking = new Set<string>();
  // Most sessions never asked, so their lines need no parsing.
  for await (const { sessionId } of requestsOfWork(folder, '"UserInteractionRequested"', () => {})) {
    asking.add(sessionId);
  }
  return (await Promise.all([...asking].map((sessionId) => openIn(folder, sessionId)))).flat();
}

async function openIn(folder: string, sessionId: string): ReturnType<Stores["openQuestions"]> {
  try {
    const { events } = await scanSession(storeFolder(folder, sessionId), { stores: ["events"] });
    return openInteractions(foldEvents(events)).map((request) => ({ ...request, sessionId }));
  } catch (error) {
    if (error instanceof LoopliaError) return [];
    throw error;
  }
}

/** Works with standing approvals. An unreadable work is left out: its next run reports the error. */
export async function listStanding(
  stateFolder: string,
): Promise<{ workId: string; approvals: StandingApproval[] }[]> {
  const works: { workId: string; approvals: StandingApproval[] }[] = [];
  for (const workId of namesIn(stateFolder)) {
    const log = await scanWorkLog(join(stateFolder, workId)).catch((error: unknown) => {
      if (!(error instanceof LoopliaError)) throw error;
    });
    const approvals = log ? standingApprovals(foldWork(log.events)) : [];
    if (approvals.length > 0) works.push({ workId, approvals });
  }
  return works;
}
