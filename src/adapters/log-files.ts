// A log of what happens in a run, for people and `tail`: `logs/<timestamp>-<pid>.jsonl`. Derived and never read back.
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Observer, RunEvent } from "../ports.ts";

const FLUSH_MS = 250;
const FLUSH_CHARACTERS = 64 * 1024;

export type LogType = "assistant_message" | "tool" | "command" | "error" | "summary" | "progress" | "usage";

/** What an `error` line says. */
export type LoggedError = {
  code: string;
  message: string;
  recoverable: boolean;
  retryHint?: string;
  validationErrors?: string[];
  artifact?: string;
  /** What it is about. */
  sessionId?: string;
  source?: string;
};

export type RunLog = {
  readonly path: string;
  /** Never throws, never waits. */
  observe: Observer;
  /** Logs how the run, or an item of it, failed. */
  error(error: LoggedError): void;
  /** Whether anything happened yet. */
  readonly hasBegun: boolean;
  /** Writes what is left. Never fails: a log that can't be written is given up. */
  close(): Promise<void>;
};

/** A log in `folder`, which is made with the first line; nothing happens, no file. */
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
    // What counts stands in the stores: a run does not fail for its log.
  }
}

/** Deltas of text come again as a whole message, starts of tools as their ends. */
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

/** The agent failed at one task; the loop goes on. */
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
