// Runs a command in a shell, in its own process group. Whatever the command leaves behind in its group is ended.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { LoopliaError, messageOf } from "../errors.ts";
import type { CommandResult } from "../ports.ts";

/** Between SIGTERM and SIGKILL. A cancelled job has 7.5 s for everything (PLATFORM). */
const TERM_GRACE_MS = 1_000;
/** How long output may still come after the shell has ended or was killed: a stray process may hold the pipe for ever. */
const DRAIN_MS = 200;
/** One pipe for both streams keeps their order. */
const MERGE_STREAMS = 'exec "$0" -c "$1" 2>&1';

/** Resolves when the command has ended, was stopped by the signal (`exitCode` null) or timed out. Times in ms. */
export async function runCommand(
  command: string,
  place: { folder: string; environment: Record<string, string> },
  options: { timeoutMs: number; maxOutput: number; signal: AbortSignal },
): Promise<CommandResult> {
  if (options.signal.aborted) return { exitCode: null, output: "", timedOut: false };
  const child = startShell(command, place);
  const output = collectOutput(child, options.maxOutput);
  let timedOut = false;
  let forced: NodeJS.Timeout | undefined;
  const stop = () => {
    if (forced !== undefined) return;
    killGroup(child, "SIGTERM");
    forced = setTimeout(() => killGroup(child, "SIGKILL"), TERM_GRACE_MS);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, options.timeoutMs);
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    const code = await ended(child);
    const isStopped = timedOut || options.signal.aborted;
    return { exitCode: isStopped ? null : code, output: output(), timedOut };
  } finally {
    clearTimeout(timer);
    clearTimeout(forced);
    options.signal.removeEventListener("abort", stop);
  }
}

function startShell(
  command: string,
  place: { folder: string; environment: Record<string, string> },
): ChildProcess {
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  try {
    return spawn("/bin/sh", ["-c", MERGE_STREAMS, shell, command], {
      cwd: place.folder,
      env: place.environment,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (error) {
    throw notStarted(error);
  }
}

/** The exit code, or null after a signal. Settles although strays hold the pipe, and kills what is left of the group. */
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(notStarted(error)));
    child.once("exit", (code) => {
      const finish = () => {
        clearTimeout(drain);
        killGroup(child, "SIGKILL");
        child.stdout?.destroy();
        resolve(code);
      };
      const drain = setTimeout(finish, DRAIN_MS);
      child.once("close", finish);
    });
  });
}

function killGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended already.
  }
}

/** Keeps the first and the last half of `limit` characters, whatever the amount. */
function collectOutput(child: ChildProcess, limit: number): () => string {
  const decoder = new StringDecoder("utf8");
  const half = Math.floor(limit / 2);
  let head = "";
  let tail = "";
  let total = 0;
  const take = (text: string) => {
    total += text.length;
    const room = Math.max(half - head.length, 0);
    head += text.slice(0, room);
    tail += text.slice(room);
    // Cut seldom: each cut copies the tail.
    if (tail.length > 4 * limit) tail = tail.slice(-(limit - half));
  };
  child.stdout?.on("data", (chunk: Buffer) => take(decoder.write(chunk)));
  return () => {
    take(decoder.end());
    if (total <= limit) return head + tail;
    const kept = tail.slice(-(limit - half)).toWellFormed();
    return `${head.toWellFormed()}\n[… ${total - limit} of ${total} characters left out …]\n${kept}`;
  };
}

function notStarted(error: unknown): LoopliaError {
  return new LoopliaError("config-invalid", `The command could not be started: ${messageOf(error)}.`, {
    hint: "Write what is long into a file, and leave NUL characters out.",
    cause: error,
  });
}
