// The lock of a work, and whether its owner is still alive.
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { errnoOf, LoopliaError, quietly } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import { createPassingFile, makePassingFolder, namesIn, removeIfThere, removeLeftovers } from "./durable.ts";

/** True for any existing process, also of another user and also a zombie. */
export function isLiveProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}

// One live process per work. Locks are numbered, and the highest number counts: a lock file `000007` names
// its owner, `000007.free` was released. The next owner links the next number. The highest is never removed,
// so two processes can't both win.

type Owner = { pid: number; startedAt: string | null };
type Entry = { name: string; number: number; isFree: boolean };

export type WorkLock = { release(): void };

/** Takes the lock of a work, also from a dead owner. Throws `busy` with the owner's pid. */
export async function takeLock(workFolder: string): Promise<WorkLock> {
  const folder = join(workFolder, "lock");
  makePassingFolder(folder);
  const owner = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) } satisfies Owner);
  for (;;) {
    const last = entriesOf(folder).at(-1);
    const holder = last && !last.isFree ? readOwner(join(folder, last.name)) : undefined;
    if (holder === "gone") continue;
    if (holder && isAlive(holder)) throw busyError(holder.pid);
    const number = (last?.number ?? 0) + 1;
    const name = String(number).padStart(6, "0");
    if (createPassingFile(join(folder, name), owner) && keepIfHighest(folder, name, number)) {
      return { release: () => giveBack(join(folder, name)) };
    }
  }
}

/** If the work's folder was removed meanwhile, there is no lock to release. */
function giveBack(path: string): void {
  try {
    renameSync(path, `${path}.free`);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** A slow process may have linked a number that was used and removed before: then it gives up the lock. */
function keepIfHighest(folder: string, name: string, number: number): boolean {
  const others = entriesOf(folder).filter((entry) => entry.name !== name);
  if (others.some((entry) => entry.number >= number)) {
    removeIfThere(join(folder, name));
    return false;
  }
  for (const entry of others) removeIfThere(join(folder, entry.name));
  removeLeftovers(folder);
  return true;
}

function entriesOf(folder: string): Entry[] {
  const entries: Entry[] = [];
  for (const name of namesIn(folder)) {
    const match = /^(\d{6,})(\.free)?$/.exec(name);
    if (match) entries.push({ name, number: Number(match[1]), isFree: match[2] !== undefined });
  }
  return entries.sort((a, b) => a.number - b.number || Number(a.isFree) - Number(b.isFree));
}

/** `gone` if it was just released. Undefined for a damaged file, which has no owner. */
function readOwner(path: string): Owner | "gone" | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isOwner(owner) ? owner : undefined;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "gone";
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isOwner(value: unknown): value is Owner {
  return isObject(value) && Number.isSafeInteger(value.pid);
}

function isAlive(owner: Owner): boolean {
  if (!isLiveProcess(owner.pid)) return false;
  // The pid may belong to another process by now, or to a zombie.
  const start = startOf(owner.pid);
  return start === null || (start !== "dead" && (owner.startedAt === null || start === owner.startedAt));
}

/**
 * Start of a process in ticks since boot (proc(5), stat field 22), `dead` for a zombie, null if unreadable.
 */
function startOf(pid: number): string | null {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === undefined) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "dead" : (fields[19] ?? null);
}

function busyError(pid: number): LoopliaError {
  const who = pid === process.pid ? `this process (pid ${pid})` : `another looplia (pid ${pid})`;
  return new LoopliaError("busy", `This work is in use by ${who}.`, {
    hint: `Wait until it has ended, or end it: kill ${pid}.`,
  });
}
