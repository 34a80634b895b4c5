// Calls the hook of the settings: a program, never a shell. Nothing that it does or leaves behind holds up the run.
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { messageOf } from "../errors.ts";
import type { OwnTool } from "./own-tools.ts";

export type HookPlace = {
  root: string;
  /** As the settings name it. */
  hook: string;
  /** What is started; undefined where there is no such program. */
  tool: OwnTool | undefined;
  /** Its text as the run found it on the trusted ref, where it is a file below `root`: agents work there. */
  expected?: { text: string | undefined };
  /** All that the hook sees of the environment. */
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** After how many milliseconds it is ended, with all that it has started. */
  timeoutMs: number;
};

/** How long output may still come after its end: what it left running may hold the pipe. */
const DRAIN_MS = 200;
const MAX_SAID = 2_000;

/** The words are the program's arguments as they are. Never fails: what went wrong, in words. */
export async function runHook(words: readonly string[], place: HookPlace): Promise<string | undefined> {
  const { root, hook, tool, environment, signal, timeoutMs } = place;
  const stopped = { why: "" };
  try {
    if (!tool)
      return `it was not called: there is no ${hook} on the PATH outside of folders that commands can write to`;
    const program = tool.path();
    if (place.expected && (await readFile(program, "utf8")) !== place.expected.text) {
      return `it was not called: ${hook} is not what it was when the run began, or not the trusted ref's`;
    }
    // Nothing may come between this and the listener below.
    if (signal.aborted) return "it was not called: the run is being stopped";
    const child = spawn(program, [...words], {
      cwd: root,
      env: environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = (why: string) => {
      stopped.why = why;
      killGroup(child);
    };
    const onAbort = () => stop("it was ended together with the run");
    signal.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => stop(`it took longer than ${timeoutMs / 1000} s`), timeoutMs);
    try {
      const end = await ended(child);
      return stopped.why || end;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  } catch (error) {
    return messageOf(error);
  }
}

/** Undefined when all is well; rejects when the program could not be started. */
function ended(child: ChildProcess): Promise<string | undefined> {
  let said = "";
  const listen = (chunk: Buffer) => {
    if (said.length < MAX_SAID) said += chunk.toString("utf8");
  };
  child.stdout?.resume();
  child.stderr?.on("data", listen);
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      const finish = () => {
        clearTimeout(drain);
        child.stdout?.destroy();
        child.stderr?.destroy();
        done(code === 0 ? undefined : `it ended with ${signal ?? code}: ${said.trim().slice(0, MAX_SAID)}`);
      };
      const drain = setTimeout(finish, DRAIN_MS);
      child.once("close", finish);
    });
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
