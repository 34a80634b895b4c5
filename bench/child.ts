// Processes that a benchmark starts and watches from outside.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";

export type Surroundings = {
  /** The command line's bundle. */
  script: string;
  /** A temporary folder for anything. */
  folder: string;
  /** Measurements of each thing in turn, after one that does not count. */
  runs: number;
};

export type Started = {
  pid: number;
  startedAt: number;
  ended: Promise<{ code: number | null; output: string }>;
};

/** Starts Node with nothing of this process's environment but PATH. `startedAt` is `performance.now()`. */
export function startNode(words: readonly string[], environment: Record<string, string> = {}): Started {
  return startProcess([process.execPath, ...words], environment);
}

/** As `startNode`, any program. */
export function startProcess(
  words: readonly string[],
  environment: Record<string, string>,
  cwd?: string,
): Started {
  const startedAt = performance.now();
  const child = spawn(words[0] ?? "", words.slice(1), {
    cwd,
    env: { PATH: process.env.PATH, CI: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === null && signal !== "SIGKILL")
        reject(new Error(`${words[0]} ended by ${signal}: ${errors}`));
      else resolve({ code, output: output === "" ? errors : output });
    });
  });
  return { pid: child.pid ?? 0, startedAt, ended };
}

/** The most memory that a live process has held, in MB of a million bytes. NaN where there is no /proc. */
export async function peakMemory(pid: number | "self"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return (Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
}

/** The provider's environment for a local server. */
export function providerAt(url: string): Record<string, string> {
  return { ANTHROPIC_API_KEY: "sk-bench", ANTHROPIC_BASE_URL: url };
}
