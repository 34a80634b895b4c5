// What is kept of iterations beside the stores: last messages for people and hooks, texts of a session, the hook itself.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { messageOf } from "../errors.ts";

const HOOK_MS = 30_000;

export type TaskLogPlace = {
  root: string;
  /** Path of the run's log. */
  logPath(): string;
  /** Folder of a session's stores. */
  sessionFolder(sessionId: string): Promise<string>;
  hook?: string;
  /** All that the hook sees of the environment. */
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
};

/** Files are derived: a lost one is no harm. */
export function createTaskLog(place: TaskLogPlace) {
  return {
    async keepLast(iteration: number, message: unknown): Promise<string> {
      const path = place.logPath().replace(/\.jsonl$/, `-iter-${iteration}.last.json`);
      return write(path, `${JSON.stringify(message, null, 2)}\n`);
    },
    async keepText(sessionId: string, name: string, text: string): Promise<string> {
      return write(join(await place.sessionFolder(sessionId), name), text);
    },
    async runHook(words: readonly string[]): Promise<string | undefined> {
      return place.hook === undefined ? undefined : runHook(place.hook, words, place);
    },
  };
}

async function write(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

/** Without a shell: the words are the program's arguments as they are. */
function runHook(hook: string, words: readonly string[], place: TaskLogPlace): Promise<string | undefined> {
  const { root, environment, signal } = place;
  const program = hook.includes("/") ? resolve(root, hook) : hook;
  const options = { cwd: root, env: environment, timeout: HOOK_MS, killSignal: "SIGKILL", signal } as const;
  return new Promise((done) => {
    const child = execFile(program, [...words], { ...options, maxBuffer: 1024 * 1024 }, (error) => {
      const isLate = error?.killed === true && !signal.aborted;
      done(
        error ? (isLate ? `it took longer than ${HOOK_MS / 1000} s` : messageOf(error).trim()) : undefined,
      );
    });
    child.stdin?.end();
  });
}
