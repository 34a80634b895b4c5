// Limits the total resources of a command's processes, and ends the processes that it leaves behind.
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statfsSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import { quietly } from "../core/errors.ts";

const GIB = 1024 ** 3;

/** Totals for all processes of one command; sizes in bytes. */
export type CommandLimits = {
  memory: number;
  /** The number of processes, without their threads. */
  processes: number;
  /** The command ends if less is free on the worktree's disk; no limit if less was free before. */
  freeDisk: number;
};

/** Three quarters of the machine's memory. */
export function standardLimits(): CommandLimits {
  return { memory: Math.floor((totalMemory() * 3) / 4), processes: 4_096, freeDisk: GIB / 4 };
}

/** In bytes; in a container, the limit of its control group. */
function totalMemory(): number {
  for (const file of ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]) {
    const limit = Number(read(file));
    if (limit > 0 && limit < totalmem()) return limit;
  }
  return totalmem();
}

/** Empty if it is missing, gone by now, or another user's. */
function read(path: string): string {
  return quietly(() => readFileSync(path, "utf8")) ?? "";
}

// The processes of a command: the descendants of its first process or, without isolation, those with its
// mark.

/** A variable of unisolated commands: a process keeps it even after leaving its group and its parent. */
const MARK = "_LOOPLIA_COMMAND";

/** A variable that is unique to one command. */
export function newMark(): { name: string; value: string } {
  return { name: MARK, value: randomBytes(16).toString("hex") };
}

/** Processes that inherited the mark. Misses one that replaced its environment. */
export function markedProcesses({ name, value }: { name: string; value: string }): number[] {
  const wanted = `${name}=${value}`;
  const all = (quietly(() => readdirSync("/proc")) ?? []).filter((entry) => /^\d+$/.test(entry));
  return all.filter((pid) => read(`/proc/${pid}/environ`).includes(wanted)).map(Number);
}

/** All descendants of a process, nearest first. Threads also start processes. */
export function processesBelow(pid: number): number[] {
  const found = childrenOf(pid);
  for (let next = 0; next < found.length; next += 1) found.push(...childrenOf(found[next] ?? 0));
  return found;
}

function childrenOf(pid: number): number[] {
  const threads = quietly(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return threads.flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
}

/** Ignores processes that have ended. */
export function signalAll(pids: readonly number[], signal: "SIGTERM" | "SIGKILL"): void {
  for (const pid of pids) quietly(() => process.kill(pid, signal));
}

const MOST_ROUNDS = 20;

/** Kills all processes with the mark, including ones started meanwhile. */
export function endMarked(mark: { name: string; value: string }): void {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    // A zombie has no environment any more.
    const left = markedProcesses(mark);
    if (left.length === 0) return;
    signalAll(left, "SIGKILL");
  }
}

// A parent process for a command without isolation: it adopts the processes that the command leaves behind.

/** The number of the system call `prctl`, by `process.arch`. */
const PRCTL: Record<string, number> = {
  x64: 157,
  arm64: 167,
  loong64: 167,
  ppc64: 171,
  riscv64: 167,
  s390x: 172,
};

/**
 * Adopts orphans (PR_SET_CHILD_SUBREAPER), ignores signals meant for the command, kills the remaining processes once
 * the command has ended, and exits with the command's status.
 */
const KEEPER = `syscall(shift() + 0, 36, 1, 0, 0, 0);
my @signals = qw(TERM INT HUP QUIT);
$SIG{$_} = "IGNORE" for @signals;
my $command = fork;
unless ($command) { $SIG{$_} = "DEFAULT" for @signals; exec { $ARGV[0] } @ARGV; exit 127 }
my $status = 0;
while ((my $pid = wait) > 0) { if ($pid == $command) { $status = $?; last } }
while (open my $list, "<", "/proc/$$/task/$$/children") {
  my @left = split " ", <$list> // "";
  last unless @left;
  kill "KILL", @left;
  waitpid $_, 0 for @left;
}
kill "KILL", $$ if $status & 127;
exit $status >> 8;`;

/** Words to put before a command, given Perl's path. Also catches processes that replaced their environment. */
export function keeperBefore(perl: string): string[] {
  const number = process.platform === "linux" ? PRCTL[process.arch] : undefined;
  return number === undefined ? [] : [perl, "-e", KEEPER, String(number)];
}

// The watchdog. Best effort: it misses memory peaks between two checks.

const LOOK_MS = 250;

type Exceeded = "memory" | "processes" | "disk";

/**
 * Checks four times per second until the returned function is called; calls `exceed` at most once. Memory is
 * the sum of each process's proportional share (PSS).
 */
export function watchLimits(
  limits: CommandLimits,
  { folder, processes }: { folder: string; processes(): number[] },
  exceed: (what: Exceeded) => void,
): () => void {
  const hasRoom = freeDisk(folder) >= limits.freeDisk;
  const look = (): Exceeded | undefined => {
    const pids = processes();
    if (pids.length > limits.processes) return "processes";
    if (isAbove(pids, limits.memory)) return "memory";
    return hasRoom && freeDisk(folder) < limits.freeDisk ? "disk" : undefined;
  };
  const timer = setInterval(() => {
    const what = look();
    if (what === undefined) return;
    clearInterval(timer);
    exceed(what);
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The cheap sum counts shared memory repeatedly, but is nearly always sufficient. */
function isAbove(pids: readonly number[], limit: number): boolean {
  const sum = (path: string, line: RegExp) => {
    const sizes = pids.map((pid) => Number(line.exec(read(`/proc/${pid}/${path}`))?.[1] ?? 0) * 1024);
    return sizes.reduce((all, one) => all + one, 0);
  };
  if (sum("status", /^VmRSS:\s+(\d+) kB/m) <= limit) return false;
  return sum("smaps_rollup", /^Pss:\s+(\d+) kB/m) > limit;
}

function freeDisk(folder: string): number {
  const disk = quietly(() => statfsSync(folder));
  return disk ? disk.bavail * disk.bsize : Number.POSITIVE_INFINITY;
}

// A control group, if one is delegated: then the kernel enforces the limits.

type ControlGroup = {
  /** Words to put before a program and its arguments, so that it runs in the group. */
  before: string[];
  /** True if the kernel killed a process because memory ran out. */
  isExceeded(): boolean;
  /** Kills all processes in the group and removes it. */
  close(): void;
};

/** The mount point of control groups (version 2), and this process's group. */
type GroupPlace = { root: string; own: string };

export function groupPlace(): GroupPlace {
  const own = /^0::(\/.*)$/m.exec(read("/proc/self/cgroup"))?.[1] ?? "/";
  return { root: "/sys/fs/cgroup", own };
}

/**
 * A new group beside or below this process's own; undefined if it may not make one that limits memory. The
 * command joins as its first act; a failed join does not fail the command.
 */
export function openControlGroup(limits: CommandLimits, { root, own }: GroupPlace): ControlGroup | undefined {
  for (const parent of new Set([join(root, own), dirname(join(root, own))])) {
    if (parent.length < root.length) continue;
    if (!read(join(parent, "cgroup.subtree_control")).split(/\s+/).includes("memory")) continue;
    const folder = join(parent, `looplia-${process.pid}-${randomBytes(4).toString("hex")}`);
    try {
      mkdirSync(folder);
    } catch {
      continue; // Not delegated.
    }
    if (!write(join(folder, "memory.max"), limits.memory)) {
      removeGroup(folder);
      continue;
    }
    for (const [name, value] of [
      ["memory.swap.max", 0],
      ["memory.oom.group", 1],
      ["pids.max", limits.processes],
    ] as const)
      write(join(folder, name), value);
    return groupAt(folder);
  }
  return undefined;
}

const JOIN = '{ echo $$ >"$0/cgroup.procs"; } 2>/dev/null; exec "$@"';

function groupAt(folder: string): ControlGroup {
  return {
    before: ["/bin/sh", "-c", JOIN, folder],
    isExceeded: () => Number(/^oom_kill (\d+)$/m.exec(read(join(folder, "memory.events")))?.[1] ?? 0) > 0,
    close() {
      write(join(folder, "cgroup.kill"), 1);
      removeGroup(folder);
    },
  };
}

function write(path: string, value: number): boolean {
  try {
    writeFileSync(path, String(value));
    return true;
  } catch {
    return false; // No such limit here.
  }
}

/** Its processes may take a moment to end, so this retries a few times; otherwise the empty group stays. */
function removeGroup(folder: string, tries = 10): void {
  try {
    rmdirSync(folder);
  } catch {
    if (tries > 0) setTimeout(() => removeGroup(folder, tries - 1), 100).unref();
  }
}
