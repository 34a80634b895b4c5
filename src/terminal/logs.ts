// Writes the log of a run, for people and `tail`.
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock, Observer, RunEvent } from "../core/ports.ts";
import { runHook } from "../sandbox/run.ts";

const FLUSH_MS = 250;
const FLUSH_CHARACTERS = 64 * 1024;

type LogType = "assistant_message" | "tool" | "command" | "error" | "summary" | "progress" | "usage";

/** The payload of an `error` line. */
type LoggedError = {
  code: string;
  message: string;
  recoverable: boolean;
  retryHint?: string;
  validationErrors?: string[];
  artifact?: string;
  /** The session or source with the error. */
  sessionId?: string;
  source?: string;
};

export type RunLog = {
  readonly path: string;
  /** Never throws and never waits. */
  observe: Observer;
  /** Logs the failure of the run or of one item. */
  error(error: LoggedError): void;
  /** Whether anything was logged yet. */
  readonly hasBegun: boolean;
  /** Writes pending lines. Never throws: a log that can't be written is abandoned. */
  close(): Promise<void>;
};

/** A log in `folder`, which is created with the first line; without a line there is no file. */
export function openRunLog(options: { folder: string; clock: Clock; pid: number }): RunLog {
  const { folder, clock, pid } = options;
  const path = join(folder, `${clock.now().toISOString().replaceAll(/[:.]/g, "-")}-${pid}.jsonl`);
  let waiting = "";
  let seq = 0;
  let timer: NodeJS.Timeout | undefined;
  let written: Promise<void> = Promise.resolve();

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    written = written.then(() => appendTo(folder, path, text));
  };
  const add = (type: LogType, payload: unknown): void => {
    seq += 1;
    waiting += `${JSON.stringify({ v: 1, seq, at: clock.now().toISOString(), type, payload })}\n`;
    if (waiting.length >= FLUSH_CHARACTERS) flush();
    else timer ??= setTimeout(flush, FLUSH_MS).unref();
  };
  return {
    path,
    observe(event) {
      const line = lineOf(event);
      if (line) add(line.type, line.payload);
    },
    error: (error) => add("error", error),
    get hasBegun() {
      return seq > 0;
    },
    close() {
      flush();
      return written;
    },
  };
}

async function appendTo(folder: string, path: string, text: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await appendFile(path, text);
  } catch {
    // The stores are authoritative, so a run does not fail because of its log.
  }
}

/** Omits text deltas and starts of tools: the whole message and the tools' ends follow. */
function lineOf(event: RunEvent): { type: LogType; payload: unknown } | undefined {
  switch (event.type) {
    case "text":
    case "tool-started":
      return undefined;
    case "message":
      return { type: "assistant_message", payload: payloadOf(event) };
    case "tool-ended":
      return { type: event.toolName === "runCommand" ? "command" : "tool", payload: payloadOf(event) };
    case "iteration":
      return event.errorCode === undefined
        ? {
            type: event.summary ? "summary" : "progress",
            payload: { event: event.type, ...payloadOf(event) },
          }
        : { type: "error", payload: iterationError(event, event.errorCode) };
    case "usage":
      return { type: "usage", payload: payloadOf(event) };
    case "validation-failed":
      return { type: "error", payload: validationError(event) };
    case "notice":
      return { type: event.level === "error" ? "error" : "progress", payload: noticePayload(event) };
    default:
      return { type: "progress", payload: { event: event.type, ...payloadOf(event) } };
  }
}

function payloadOf<E extends RunEvent>(event: E): Omit<E, "type"> {
  const { type: _, ...payload } = event;
  return payload;
}

function validationError(
  event: Extract<RunEvent, { type: "validation-failed" }>,
): LoggedError & { sessionId: string; output: string } {
  return {
    sessionId: event.sessionId,
    output: event.output,
    code: "invalid-artifact",
    message: `The artifact of ${event.output} is not valid.`,
    recoverable: event.recoverable,
    retryHint: event.hint,
    validationErrors: event.errors,
    artifact: event.artifact,
  };
}

/** The agent failed at one task; the loop continues. */
function iterationError(event: Extract<RunEvent, { type: "iteration" }>, code: string): LoggedError {
  const { errorCode: _, message = "", ...iteration } = payloadOf(event);
  const told = { event: event.type, ...iteration };
  return { ...told, code, message, recoverable: true };
}

function noticePayload(event: Extract<RunEvent, { type: "notice" }>): unknown {
  if (event.level !== "error") return { event: "notice", ...payloadOf(event) };
  const { message, sessionId } = event;
  return { code: "notice", message, recoverable: false, ...(sessionId === undefined ? {} : { sessionId }) };
}

// Stores texts of iterations: last messages for people and hooks, texts of a session; also calls the hook.

const HOOK_MS = 30_000;

type TaskLogPlace = {
  /** Path of the run's log. */
  logPath(): string;
  /** Folder of a session's stores. */
  sessionFolder(sessionId: string): Promise<string>;
  /** Starts the hook, if there is one. */
  startHook?: Parameters<typeof runHook>[1]["start"];
  signal: AbortSignal;
  /** Time limit of a hook in milliseconds, for tests. */
  hookMs?: number;
};

/** Its files are derived from the stores, so a lost one does no harm. */
export function createTaskLog(place: TaskLogPlace) {
  return {
    async keepLast(iteration: number, message: unknown): Promise<string> {
      const path = place.logPath().replace(/\.jsonl$/, `-iter-${iteration}.last.json`);
      return write(path, `${JSON.stringify(message, null, 2)}\n`);
    },
    async keepText(sessionId: string, name: string, text: string): Promise<string> {
      return write(join(await place.sessionFolder(sessionId), name), text);
    },
    async readText(sessionId: string, name: string): Promise<string | undefined> {
      return readFile(join(await place.sessionFolder(sessionId), name), "utf8").catch(() => undefined);
    },
    async runHook(words: readonly string[]): Promise<string | undefined> {
      const { startHook: start, signal, hookMs: timeoutMs = HOOK_MS } = place;
      return start && runHook(words, { start, signal, timeoutMs });
    },
  };
}

async function write(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}
