// A real pseudo terminal around a program, by util-linux `script`: what a person would see and type.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export type Terminal = {
  /** Everything shown so far, terminal sequences and all. */
  screen(): string;
  /** Resolves when the text or pattern is on the screen; fails after a while with what was there. */
  shows(expected: string | RegExp): Promise<void>;
  type(keys: string): void;
  /** As if a person changed the window: the program gets SIGWINCH. */
  resize(columns: number, rows: number): void;
  /** Exit code of the program. */
  ended(): Promise<number>;
  process: ChildProcess;
};

export const KEYS = { enter: "\r", down: "\u001b[B", up: "\u001b[A", ctrlC: "\u0003", backspace: "\u007f" };

const PATIENCE_MS = 60_000;

type Options = { cwd?: string; environment?: Record<string, string>; columns?: number; rows?: number };

/** Starts a program in a terminal until the test ends. */
export function openTerminal(command: readonly string[], options: Options = {}): Terminal {
  const terminal = startTerminal(command, options);
  onTestFinished(() => void terminal.process.kill("SIGKILL"));
  return terminal;
}

/** A terminal of 80 columns and 40 rows unless told. The program gets `environment`, PATH and TERM alone. */
export function startTerminal(command: readonly string[], options: Options = {}): Terminal {
  const { columns = 80, rows = 40 } = options;
  const folder = mkdtempSync(join(tmpdir(), "looplia-terminal-"));
  const [log, device] = [join(folder, "log"), join(folder, "device")];
  const line = `tty > ${device}; stty cols ${columns} rows ${rows}; exec ${command.map(quote).join(" ")}`;
  const child = spawn("script", ["-q", "-e", "-f", "-c", line, log], {
    stdio: ["pipe", "pipe", "inherit"],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { PATH: process.env.PATH, TERM: "xterm-256color", SHELL: "/bin/sh", ...options.environment },
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    shown += chunk;
  });
  let isClosed = false;
  const closed = once(child, "close").finally(() => {
    isClosed = true;
  });
  return {
    process: child,
    screen: () => shown,
    type: (keys) => void child.stdin.write(keys),
    resize(width, height) {
      const path = readFileSync(device, "utf8").trim();
      execFileSync("stty", ["-F", path, "cols", String(width), "rows", String(height)]);
    },
    async shows(expected) {
      const until = Date.now() + PATIENCE_MS;
      while (typeof expected === "string" ? !shown.includes(expected) : !expected.test(shown)) {
        if (Date.now() > until || isClosed) {
          throw new Error(`the terminal never showed ${String(expected)}, but:\n${shown}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async ended() {
      const [code] = (await closed) as [number];
      return code;
    },
  };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
