// Runs a command in the worktree, or a hook, with limits and its own environment.
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { LoopliaError, messageOf, quietly } from "../core/errors.ts";
import type { CommandResult, PutBack, Workspace } from "../core/ports.ts";
import { REDACTION_MARGIN, type Redact } from "../core/redaction.ts";
import type { Isolator, Launch } from "./isolation.ts";
import {
  endMarked,
  groupPlace,
  keeperBefore,
  markedProcesses,
  newMark,
  openControlGroup,
  processesBelow,
  signalAll,
  standardLimits,
  watchLimits,
} from "./limits.ts";
import { findOwnTool, noteBareCommand, writableFolders } from "./own-tools.ts";
import type { openRuleFiles } from "./rule-files.ts";
import type { Started } from "./trusted-programs.ts";

// Runs a command in a shell, in its own process group. Kills processes that remain in the group.

/** Between SIGTERM and SIGKILL. A cancelled job has 7.5 s for everything (PLATFORM). */
const TERM_GRACE_MS = 1_000;
/** How long to read output after the shell has ended: a stray process may hold the pipe forever. */
const DRAIN_MS = 200;
/**
 * One pipe for both streams keeps their order; only the wrapper around a command uses standard error. If
 * memory runs out, the kernel kills the command before the runner.
 */
const MERGE_STREAMS = '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; exec "$0" -c "$1" 2>&1';
const MAX_COMPLAINT = 2_000;

type CommandPlace = { folder: string; launch: Launch; redact: Redact };

/**
 * Resolves when the command has ended, was stopped by the signal (`exitCode` null), timed out, or took too much. Times in ms.
 * Throws `config-invalid` for a command that could not be started, or not isolated.
 */
async function runCommand(
  command: string,
  place: CommandPlace,
  options: { timeoutMs: number; maxOutput: number; signal: AbortSignal },
): Promise<CommandResult> {
  if (options.signal.aborted) return { exitCode: null, output: "", timedOut: false };
  const isBare = place.launch.before.length === 0;
  const keeper = isBare ? findKeeper(place) : [];
  if (isBare) noteBareCommand();
  const group = openControlGroup(place.launch.limits, groupPlace());
  const mark = isBare ? newMark() : undefined;
  try {
    const child = startShell(command, place, { group, mark, keeper });
    const processes = () => {
      const below = processesBelow(child.pid ?? 0);
      return mark ? [...new Set([...below, ...markedProcesses(mark)])] : below;
    };
    const result = await watchCommand(child, { ...place, processes, isKept: keeper.length > 0 }, options);
    return group?.isExceeded() && result.exitCode !== 0 ? { ...result, exceeded: "memory" } : result;
  } finally {
    if (mark) endMarked(mark);
    group?.close();
  }
}

/** Empty where there is no Perl: processes that replace their environment are missed then. */
function findKeeper({ folder, launch }: CommandPlace): string[] {
  const { PATH = "" } = launch.environment;
  // Throws if a command has changed it.
  const perl = quietly(() => findOwnTool("perl", PATH, writableFolders(folder))?.path());
  return perl === undefined ? [] : keeperBefore(perl);
}

type WorktreePlace = {
  root: string;
  environment: Record<string, string>;
  redact: Redact;
  /** Without it commands run with this process's rights. */
  isolator: Isolator | undefined;
  /** Without it a command may change every file. */
  rules: ReturnType<typeof openRuleFiles> | undefined;
};

/** Runs a command as `Workspace.run` promises. However it ends, `notify` learns which files were restored. */
export async function runInWorktree(
  command: string,
  limits: Parameters<Workspace["run"]>[1],
  place: WorktreePlace,
  notify: (putBack: PutBack) => void,
): Promise<CommandResult> {
  const { root, environment, isolator, rules } = place;
  // Before the first command, so that no file of a command is taken for git.
  findOwnTool("git", environment.PATH ?? "", writableFolders(root));
  const held = rules?.hold(isolator?.isolation.kind === "bubblewrap");
  const release = (): PutBack | undefined => {
    const putBack = held?.release();
    if (putBack) notify(putBack);
    return putBack;
  };
  let result: CommandResult;
  try {
    result = await runLaunched(command, limits, place, held?.mounts ?? []);
  } catch (error) {
    release();
    throw error;
  }
  const putBack = release();
  return putBack ? { ...result, putBack } : result;
}

async function runLaunched(
  command: string,
  limits: Parameters<Workspace["run"]>[1],
  { root, environment, redact, isolator }: WorktreePlace,
  kept: readonly string[],
): Promise<CommandResult> {
  const bare = { before: [], environment, setUp: "", limits: standardLimits(), finish: () => {} };
  const launch = (await isolator?.launch(limits.network, { kept })) ?? bare;
  try {
    const own = { ...launch, environment: { ...launch.environment, ...limits.variables } };
    return await runCommand(command, { folder: root, launch: own, redact }, limits);
  } finally {
    launch.finish();
  }
}

type Running = CommandPlace & {
  /** All processes of the command at this moment. */
  processes(): number[];
  /** The child ends what the command leaves behind, and then itself. */
  isKept: boolean;
};

async function watchCommand(
  child: ChildProcess,
  { folder, launch, redact, processes, isKept }: Running,
  options: { timeoutMs: number; maxOutput: number; signal: AbortSignal },
): Promise<CommandResult> {
  const output = collectOutput(child, options.maxOutput, redact);
  const complaint = collectComplaint(child);
  let timedOut = false;
  let exceeded: CommandResult["exceeded"] | undefined;
  let forced: NodeJS.Timeout | undefined;
  const end = () => {
    signalAll(
      processes().filter((pid) => pid !== child.pid),
      "SIGKILL",
    );
    if (isKept) forced = setTimeout(() => killGroup(child, "SIGKILL"), TERM_GRACE_MS);
    else killGroup(child, "SIGKILL");
  };
  const stop = () => {
    if (forced !== undefined) return;
    if (launch.before.length === 0 || !terminateInside(child)) killGroup(child, "SIGTERM");
    forced = setTimeout(end, TERM_GRACE_MS);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, options.timeoutMs);
  const unwatch = watchLimits(launch.limits, { folder, processes }, (what) => {
    exceeded = what;
    clearTimeout(forced);
    end();
  });
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    const { code } = await exitOf(child).catch((error) => {
      throw notStarted(error);
    });
    // Strays of the command.
    killGroup(child, "SIGKILL");
    const isStopped = timedOut || exceeded !== undefined || options.signal.aborted;
    // Output after the start of the command is the command's own.
    if (code !== 0 && complaint().startsWith("bwrap: ")) throw notIsolated(complaint());
    const result = { exitCode: isStopped ? null : code, output: output(), timedOut };
    return exceeded === undefined ? result : { ...result, exceeded };
  } finally {
    clearTimeout(timer);
    clearTimeout(forced);
    unwatch();
    options.signal.removeEventListener("abort", stop);
  }
}

type Around = {
  group: ReturnType<typeof openControlGroup> | undefined;
  mark: { name: string; value: string } | undefined;
  keeper: readonly string[];
};

function startShell(
  command: string,
  { folder, launch }: CommandPlace,
  { group, mark, keeper }: Around,
): ChildProcess {
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const first = launch.setUp === "" ? "/bin/sh" : shell;
  const inner = [first, "-c", `${launch.setUp}${MERGE_STREAMS}`, shell, command];
  const [file = "", ...args] = [...(group?.before ?? []), ...keeper, ...launch.before, ...inner];
  // Not imported at the top: loading it takes time, and most runs reach the model without a process.
  const { spawn } = process.getBuiltinModule("node:child_process");
  try {
    return spawn(file, args, {
      cwd: folder,
      env: { ...launch.environment, ...(mark ? { [mark.name]: mark.value } : {}) },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    throw notStarted(error);
  }
}

/**
 * Isolated processes die with their namespace, so each gets SIGTERM first. False if the kernel does not list
 * them.
 */
function terminateInside(child: ChildProcess): boolean {
  const [, ...inside] = child.pid === undefined ? [] : processesBelow(child.pid);
  signalAll(inside, "SIGTERM");
  return inside.length > 0;
}

/** How a process ended; rejects if it could not be started. Settles even if strays hold the pipe. */
function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      const finish = () => {
        clearTimeout(drain);
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve({ code, signal });
      };
      const drain = setTimeout(finish, DRAIN_MS);
      child.once("close", finish);
    });
  });
}

function killGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  const { pid } = child;
  if (pid !== undefined) signalAll([-pid], signal);
}

/** The beginning of bubblewrap's error output. */
function collectComplaint(child: ChildProcess): () => string {
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    if (said.length < MAX_COMPLAINT) said += chunk.toString("utf8");
  });
  return () => said;
}

/**
 * Keeps the first and the last half of `limit` characters of any output. Removes secrets before cutting out
 * the middle, so that no part of one remains.
 */
function collectOutput(child: ChildProcess, limit: number, redact: Redact): () => string {
  const decoder = new StringDecoder("utf8");
  const half = Math.floor(limit / 2);
  const most = limit + 2 * REDACTION_MARGIN;
  let head = "";
  let tail = "";
  let total = 0;
  const take = (text: string) => {
    total += text.length;
    const room = Math.max(half + REDACTION_MARGIN - head.length, 0);
    head += text.slice(0, room);
    tail += text.slice(room);
    // Cut seldom, because each cut copies the tail.
    if (tail.length > 4 * most) tail = tail.slice(-most);
  };
  child.stdout?.on("data", (chunk: Buffer) => take(decoder.write(chunk)));
  return () => {
    take(decoder.end());
    const isWhole = total === head.length + tail.length;
    const text = isWhole ? redact(head + tail) : "";
    if (isWhole && text.length <= limit) return text;
    const kept = isWhole
      ? { head: text, tail: text, total: text.length }
      : {
          head: redact(head).slice(0, -REDACTION_MARGIN),
          tail: redact(tail).slice(REDACTION_MARGIN),
          total,
        };
    const [first, last] = [kept.head.slice(0, half), kept.tail.slice(-(limit - half))];
    const note = `[… ${kept.total - limit} of ${kept.total} characters left out …]`;
    return `${first.toWellFormed()}\n${note}\n${last.toWellFormed()}`;
  };
}

function notStarted(error: unknown): LoopliaError {
  return new LoopliaError("config-invalid", `The command could not be started: ${messageOf(error)}.`, {
    hint: "Put long text into a file, and remove NUL characters.",
    cause: error,
  });
}

function notIsolated(complaint: string): LoopliaError {
  const said = complaint.trim().slice(0, MAX_COMPLAINT);
  return new LoopliaError(
    "config-invalid",
    `The command was not run because it could not be isolated: ${said}.`,
    {
      hint: "Continue without it; `looplia doctor` says what to do on this machine.",
    },
  );
}

// Calls the configured hook: a program, never a shell. Neither the hook nor its children delay the run.

type HookPlace = {
  /** Starts it with these words, unchanged. */
  start(words: readonly string[]): Promise<Started>;
  signal: AbortSignal;
  /** The time limit for the hook and its children, in milliseconds. */
  timeoutMs: number;
};

const MAX_SAID = 2_000;

/** The words are the program's arguments, unchanged. Never throws; returns the error message. */
export async function runHook(words: readonly string[], place: HookPlace): Promise<string | undefined> {
  let started: Started | undefined;
  try {
    started = await place.start(words);
    // No await between this check and the listener in `watchHook`.
    if (place.signal.aborted) return "it was not called: the run is being stopped";
    return await watchHook(started, place);
  } catch (error) {
    return `it was not called: ${messageOf(error)}`;
  } finally {
    started?.finish();
  }
}

async function watchHook(
  { words: [file = "", ...args], folder, environment }: Started,
  { signal, timeoutMs }: HookPlace,
): Promise<string | undefined> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(file, args, {
    ...{ cwd: folder, env: environment, detached: true },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stopped: string | undefined;
  const stop = (why: string) => {
    stopped = why;
    killGroup(child, "SIGKILL");
  };
  const onAbort = () => stop("it was stopped together with the run");
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => stop(`it took longer than ${timeoutMs / 1000} s`), timeoutMs);
  try {
    const end = await hookEnded(child);
    return stopped ?? end;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Undefined on success; rejects if the program could not be started. */
async function hookEnded(child: ChildProcess): Promise<string | undefined> {
  let said = "";
  const listen = (chunk: Buffer) => {
    if (said.length < MAX_SAID) said += chunk.toString("utf8");
  };
  child.stdout?.resume();
  child.stderr?.on("data", listen);
  const { code, signal } = await exitOf(child);
  // The first line is of its isolation.
  const own = said
    .replace(/^started\n/, "")
    .trim()
    .slice(0, MAX_SAID);
  return code === 0 ? undefined : `it ended with ${signal ?? code}: ${own}`;
}
