// What is kept of iterations beside the stores: last messages for people and hooks, texts of a session, the hook itself.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { TrustedFiles } from "../ports.ts";
import { isInside } from "./inside.ts";
import { findOwnTool, ownSearchPath, pinTool, writableFolders } from "./own-tools.ts";
import { type HookPlace, runHook } from "./run-hook.ts";

const HOOK_MS = 30_000;

export type TaskLogPlace = {
  root: string;
  /** Path of the run's log. */
  logPath(): string;
  /** Folder of a session's stores. */
  sessionFolder(sessionId: string): Promise<string>;
  hook?: string;
  trusted: Pick<TrustedFiles, "read">;
  /** All that the hook sees of the environment. */
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** After how many milliseconds a hook is ended, for tests. */
  hookMs?: number;
};

/** Files are derived: a lost one is no harm. */
export async function createTaskLog(place: TaskLogPlace) {
  const expected = await readExpected(place);
  const own = findHook(place);
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
      const { hook, hookMs: timeoutMs = HOOK_MS } = place;
      return hook === undefined
        ? undefined
        : runHook(words, { ...place, hook, timeoutMs, ...expected, ...own });
    },
  };
}

/** Found before a command runs. What lies below the root is compared with the trusted ref's at each call. */
function findHook({ root, hook = "", environment }: TaskLogPlace): Pick<HookPlace, "tool" | "environment"> {
  const writable = writableFolders(root);
  const { PATH = "" } = environment;
  const own = { ...environment, PATH: ownSearchPath(PATH, writable) };
  if (!hook.includes("/")) return { tool: findOwnTool(hook, PATH, writable), environment: own };
  const path = resolve(root, hook);
  return { tool: isInside(root, path) ? { path: () => path } : pinTool(path), environment: own };
}

/** Read before an agent acts; empty for a program that is not below the root. */
async function readExpected({ root, hook, trusted }: TaskLogPlace): Promise<Pick<HookPlace, "expected">> {
  if (!hook?.includes("/")) return {};
  const path = relative(root, resolve(root, hook));
  if (isAbsolute(path) || /^\.\.(?:\/|$)/.test(path)) return {};
  return { expected: { text: await trusted.read(path).catch(() => undefined) } };
}

async function write(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}
