// Opens files so that no link leads out of the root, also when links are swapped between check and use.
// On Linux a descriptor's real place is read from /proc and folders are entered through their descriptor.
// Names are looked up at once: a hop to another thread for each would take longer than all of them together.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errnoOf, LoopliaError } from "../errors.ts";
import { allDone, syncDescriptor } from "./durable-file.ts";
import { isInside } from "./inside.ts";
import { refusal, showPath } from "./path-rules.ts";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Where a path leads: `real` exists and has no links; `missing` are the names below it that do not exist yet. */
export type Place = { real: string; missing: string[] };

/** An open folder; `at` gives the path of an entry that stays in this very folder whatever happens to its name. */
export type PinnedFolder = { descriptor: number; at(name: string): string };

/** Resolves names below `root` (a real path). Refuses what leads out of it, and links to nothing. */
export function locate(root: string, parts: readonly string[]): Place {
  const shown = showPath(parts.join("/"));
  const missing: string[] = [];
  for (let depth = parts.length; ; depth -= 1) {
    const path = join(root, ...parts.slice(0, depth));
    const real = realPath(path, shown);
    if (real !== undefined) {
      if (isInside(root, real)) return { real, missing };
      throw refusal(
        `${shown} was refused: a link on it leads out of the repository.`,
        "Name the file itself.",
      );
    }
    if (depth === 0) throw new LoopliaError("config-invalid", `The folder ${root} is gone.`);
    if (isLink(path)) {
      throw refusal(`${shown} was refused: a link on it leads to nothing.`, "Name another path.");
    }
    missing.unshift(parts[depth - 1] ?? "");
  }
}

/** Opens a place without following anything; whoever swaps a link in between gets a refusal. The caller closes it. */
export function openPinned(real: string, flags: number): number {
  const descriptor = openSync(real, flags | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (placeOf(descriptor, real) === real) return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  throw new MovedError(real);
}

/**
 * Opens the folder that a located path is in, making what is missing, and names the last part. The place is not
 * looked up again: what was checked is what is opened. The caller closes the descriptor. What was made is durable when
 * `made` resolves.
 */
export async function openParent(
  place: Place,
): Promise<{ folder: PinnedFolder; name: string; made: Promise<void> }> {
  const { real, missing } = place;
  const start = missing.length === 0 ? dirname(real) : real;
  const name = missing.at(-1) ?? basename(real);
  const folder = pin(openPinned(start, O_RDONLY | O_DIRECTORY), start);
  return { name, ...(await enterFolders(folder, start, missing.slice(0, -1))) };
}

async function enterFolders(
  start: PinnedFolder,
  real: string,
  names: readonly string[],
): Promise<{ folder: PinnedFolder; made: Promise<void> }> {
  const syncs: Promise<void>[] = [];
  let folder = start;
  let path = real;
  try {
    for (const name of names) {
      path = join(path, name);
      const entered = enterFolder(folder, name);
      syncs.push(syncDescriptor(folder.descriptor).finally(closing(folder)));
      folder = pin(entered, path);
    }
  } catch (error) {
    closeSync(folder.descriptor);
    await Promise.allSettled(syncs);
    throw error;
  }
  return { folder, made: allDone(syncs) };
}

function closing({ descriptor }: PinnedFolder): () => void {
  return () => closeSync(descriptor);
}

function enterFolder(folder: PinnedFolder, name: string): number {
  try {
    mkdirSync(folder.at(name));
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
  return openSync(folder.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/** What was opened is not what was looked up: something on the path was swapped meanwhile. */
export class MovedError extends LoopliaError {
  constructor(path: string) {
    super("config-invalid", `${showPath(path)} was refused: it changed while it was being opened.`, {
      hint: "Try again.",
    });
  }
}

function pin(descriptor: number, path: string): PinnedFolder {
  const base = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : path;
  return { descriptor, at: (name) => join(base, name) };
}

/** The path under which an open file is to be found now; undefined when that can't be said. */
function placeOf(descriptor: number, path: string): string | undefined {
  if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${descriptor}`);
  const [opened, named, real] = [fstatSync(descriptor), statSync(path), realpathSync.native(path)];
  return opened.ino === named.ino && opened.dev === named.dev ? real : undefined;
}

function realPath(path: string, shown: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw refusal(`${shown} was refused: ${reasonOf(error)}.`, "Name another path.", error);
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

const REASONS = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "not permitted"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "no space is left on the disk"],
  ["EDQUOT", "the disk quota is used up"],
  ["ENAMETOOLONG", "the name is too long"],
  ["ENOTDIR", "a part of the path is a file, not a folder"],
  ["EISDIR", "it is a folder"],
  ["ELOOP", "its links lead in a circle, or it became a link meanwhile"],
  ["ENOENT", "a folder of the path is missing"],
  ["ENXIO", "it is no regular file"],
]);

/** Why a system call failed, in words. */
export function reasonOf(error: unknown): string {
  const code = errnoOf(error);
  return REASONS.get(code ?? "") ?? (error instanceof Error ? error.message : String(error));
}
