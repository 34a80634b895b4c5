// What the processes of a run execute and open, as `strace` sees it, and which of them are isolated.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { onTestFinished } from "vitest";
import { skipWithout } from "./needed.ts";

/** `by`: the program that the process had last executed; `own`: the traced process itself, with its threads. */
export type Touch = { what: "execute" | "open"; path: string; by: string; own: boolean; isFolder: boolean };

export type Trace = {
  /** Precede the words of the program. */
  words: string[];
  /** What processes outside isolation executed and opened with success, in no order. */
  outside(): Touch[];
  /** How many processes were isolated. */
  isolated(): number;
};

const CALLS = "trace=execve,execveat,open,openat,openat2,creat,clone,clone3,fork,vfork";

/** Skips the running test where nothing can be traced. */
export function traceProcesses(): Trace {
  const folder = mkdtempSync(join(tmpdir(), "looplia-trace-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const words = [
    "strace",
    "-ff",
    "-qq",
    "-y",
    "--pidns-translation",
    "--seccomp-bpf",
    "-s",
    "4096",
    "-e",
    CALLS,
  ];
  // A container may forbid it.
  if (spawnSync("strace", ["-f", "-o", "/dev/null", "--seccomp-bpf", "true"]).status !== 0)
    skipWithout("strace");
  const read = () => readTrace(folder);
  return {
    words: [...words, "-o", join(folder, "t")],
    outside: () => read().flatMap(({ touches, isIsolated }) => (isIsolated ? [] : touches)),
    isolated: () => read().filter(({ isIsolated }) => isIsolated).length,
  };
}

/** A process from one `execve` to the next. */
type Stretch = { touches: Touch[]; isIsolated: boolean };
type Inherited = { by: string; own: boolean; isIsolated: boolean };

function readTrace(folder: string): Stretch[] {
  const files = new Map(readdirSync(folder).map((name) => [Number(name.slice(2)), join(folder, name)]));
  const lines = new Map([...files].map(([pid, path]) => [pid, readFileSync(path, "utf8").split("\n")]));
  const children = new Set(
    [...lines.values()].flatMap((list) => list.flatMap((line) => childOf(line) ?? [])),
  );
  const roots = [...lines.keys()].filter((pid) => !children.has(pid));
  const walk = (pid: number, inherited: Inherited): Stretch[] => {
    const found: Stretch[] = [];
    let now = inherited;
    let stretch: Stretch = { touches: [], isIsolated: now.isIsolated };
    for (const line of lines.get(pid) ?? []) {
      const child = childOf(line);
      if (child !== undefined) found.push(...walk(child, { ...now, own: now.own }));
      const touch = touchOf(line, now);
      if (!touch) continue;
      stretch.touches.push(touch);
      if (touch.what !== "execute") continue;
      found.push(stretch);
      // What bubblewrap starts is isolated, and so is all that comes of it.
      const isIsolated = now.isIsolated || basename(touch.path) === "bwrap";
      now = { by: touch.path, own: now.own && roots.includes(pid), isIsolated };
      stretch = { touches: [], isIsolated };
    }
    return [...found, stretch];
  };
  return roots.flatMap((pid) => walk(pid, { by: "", own: true, isIsolated: false }));
}

/** The process that a call made, by its number outside of every namespace. */
function childOf(line: string): number | undefined {
  const [, inside, outside] =
    /^(?:clone3?|v?fork)\(.* = (\d+)(?: \/\* (\d+) in strace's PID NS \*\/)?/.exec(line) ?? [];
  return inside === undefined ? undefined : Number(outside ?? inside);
}

function touchOf(line: string, { by, own }: Inherited): Touch | undefined {
  const [, program] = /^execve(?:at)?\((?:[^"]*, )?"([^"]*)".* = 0$/.exec(line) ?? [];
  if (program !== undefined) return { what: "execute", path: program, by, own, isFolder: false };
  const [, path] = /^(?:open|openat|openat2|creat)\(.* = \d+<(.*)>$/.exec(line) ?? [];
  // A file that is only written is not obeyed.
  if (path === undefined || !isAbsolute(path) || line.includes("O_WRONLY")) return undefined;
  return { what: "open", path, by, own, isFolder: line.includes("O_DIRECTORY") };
}
