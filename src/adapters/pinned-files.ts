// Opens files so that no link leads out of the root, also when links are swapped between check and use.
// On Linux a descriptor's real place is read from /proc and folders are entered through their descriptor.
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { LoopliaError } from "../errors.ts";
import { refusal, showPath } from "./path-rules.ts";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Where a path leads: `real` exists and has no links; `missing` are the names below it that do not exist yet. */
export type Place = { real: string; missing: string[] };

/** An open folder; `at` gives the path of an entry that stays in this very folder whatever happens to its name. */
export type PinnedFolder = { handle: FileHandle; at(name: string): string };

/** Resolves names below `root` (a real path). Refuses what leads out of it, and links to nothing. */
export async function locate(root: string, parts: readonly string[]): Promise<Place> {
  const shown = showPath(parts.join("/"));
  const missing: string[] = [];
  for (let depth = parts.length; ; depth -= 1) {
    const path = join(root, ...parts.slice(0, depth));
    const real = await realPath(path, shown);
    if (real !== undefined) {
      if (isInside(root, real)) return { real, missing };
      throw refusal(
        `${shown} was refused: a link on it leads out of the repository.`,
        "Name the file itself.",
      );
    }
    if (depth === 0) throw new LoopliaError("config-invalid", `The folder ${root} is gone.`);
    if (await isLink(path)) {
      throw refusal(`${shown} was refused: a link on it leads to nothing.`, "Name another path.");
    }
    missing.unshift(parts[depth - 1] ?? "");
  }
}

/** Opens a place without following anything; whoever swaps a link in between gets a refusal. */
export async function openPinned(real: string, flags: number): Promise<FileHandle> {
  const handle = await open(real, flags | O_NOFOLLOW | O_NONBLOCK);
  try {
    if ((await placeOf(handle, real)) === real) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw new MovedError(real);
}

/**
 * Opens the folder that a located path is in, making what is missing, and names the last part. The place is not
 * looked up again: what was checked is what is opened. The caller closes the handle.
 */
export async function openParent(place: Place): Promise<{ folder: PinnedFolder; name: string }> {
  const { real, missing } = place;
  const start = missing.length === 0 ? dirname(real) : real;
  const name = missing.at(-1) ?? basename(real);
  const folder = await openPinned(start, O_RDONLY | O_DIRECTORY);
  return { folder: await enterFolders(pin(folder, start), start, missing.slice(0, -1)), name };
}

async function enterFolders(
  start: PinnedFolder,
  real: string,
  names: readonly string[],
): Promise<PinnedFolder> {
  let folder = start;
  let path = real;
  for (const name of names) {
    path = join(path, name);
    const entered = await enterFolder(folder, name).finally(() => folder.handle.close());
    folder = pin(entered, path);
  }
  return folder;
}

async function enterFolder(folder: PinnedFolder, name: string): Promise<FileHandle> {
  try {
    await mkdir(folder.at(name));
    await folder.handle.sync();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  return open(folder.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

/** What was opened is not what was looked up: something on the path was swapped meanwhile. */
export class MovedError extends LoopliaError {
  constructor(path: string) {
    super("config-invalid", `${showPath(path)} was refused: it changed while it was being opened.`, {
      hint: "Try again.",
    });
  }
}

/** True for the folder itself and what lies below it. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function pin(handle: FileHandle, path: string): PinnedFolder {
  const base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : path;
  return { handle, at: (name) => join(base, name) };
}

/** The path under which an open file is to be found now; undefined when that can't be said. */
async function placeOf(handle: FileHandle, path: string): Promise<string | undefined> {
  if (process.platform === "linux") return readlink(`/proc/self/fd/${handle.fd}`);
  const [opened, named, real] = await Promise.all([handle.stat(), stat(path), realpath(path)]);
  return opened.ino === named.ino && opened.dev === named.dev ? real : undefined;
}

async function realPath(path: string, shown: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw refusal(`${shown} was refused: ${reasonOf(error)}.`, "Name another path.", error);
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The real path of what may not exist yet: that of its nearest existing folder, and the rest as it is. */
export async function realOrExpected(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realOrExpected(parent), path.slice(parent.length));
  }
}

/** The system's code of a failed call, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
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
  const code = codeOf(error);
  return REASONS.get(code ?? "") ?? (error instanceof Error ? error.message : String(error));
}
