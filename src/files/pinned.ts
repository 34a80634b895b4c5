// Opens, writes and removes files below a root without following links.
import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFile,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { errnoOf, LoopliaError, quietly } from "../core/errors.ts";
import { hashContent, sha256Of } from "../core/json.ts";
import { isInside } from "../sandbox/visible.ts";
import { allDone, removeIfThere, renameFile, syncDescriptor } from "../store/durable.ts";
import { isLiveProcess } from "../store/lock.ts";
import { refusal, showPath, splitPath, TEMPORARY_PREFIX } from "./names.ts";

// Opens files so that no link leads out of the root, even if a link is swapped between check and use. On
// Linux, /proc gives a descriptor's real place, and folders are entered through their descriptor. Names are
// looked up synchronously, because a hop to another thread for each would take longer than all look-ups.

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Where a path leads: `real` exists and has no links; `missing` are the names below it that do not exist yet. */
export type PinnedPlace = { real: string; missing: string[] };

/** An open folder; `at` gives the path of an entry in this very folder, even if the folder is renamed. */
type PinnedFolder = { descriptor: number; at(name: string): string };

/** Resolves names below `root` (a real path). Refuses paths that lead out of it, and dangling links. */
export function locate(root: string, parts: readonly string[]): PinnedPlace {
  const shown = () => showPath(parts.join("/"));
  const below = root.endsWith("/") ? root.slice(0, -1) : root;
  const missing: string[] = [];
  for (let depth = parts.length; ; depth -= 1) {
    // `join` looks at every character again.
    const path = depth === 0 ? root : [below, ...parts.slice(0, depth)].join("/");
    const real = realPath(path, shown);
    if (real !== undefined) {
      if (isInside(root, real)) return { real, missing };
      throw refusal(
        `${shown()} was refused: a link on it leads out of the repository.`,
        "Name the file itself.",
      );
    }
    if (depth === 0) throw new LoopliaError("config-invalid", `The folder ${root} is gone.`);
    if (isLink(path)) {
      throw refusal(`${shown()} was refused: a link on it leads to nothing.`, "Name another path.");
    }
    missing.unshift(parts[depth - 1] ?? "");
  }
}

/** Opens a place without following links; refuses a link swapped in meanwhile. The caller closes the descriptor. */
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
 * Opens the parent folder of a located path, creates missing folders, and returns the last name. Opens
 * exactly what was checked, without a second look-up. The caller closes the descriptor. New folders are
 * durable when `made` resolves.
 */
async function openParent(
  place: PinnedPlace,
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

/** The opened file is not the one that was looked up: a name on the path was swapped meanwhile. */
class MovedError extends LoopliaError {
  constructor(path: string) {
    super("config-invalid", `${showPath(path)} was refused: it changed while it was being opened.`, {
      hint: "Try again.",
    });
  }
}

function pin(descriptor: number, path: string): PinnedFolder {
  const base = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : path;
  return { descriptor, at: (name) => `${base}/${name}` };
}

/** The present path of an open file; undefined if unknown. */
function placeOf(descriptor: number, path: string): string | undefined {
  if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${descriptor}`);
  const [opened, named, real] = [fstatSync(descriptor), statSync(path), realpathSync.native(path)];
  return opened.ino === named.ino && opened.dev === named.dev ? real : undefined;
}

function realPath(path: string, shown: () => string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw refusal(`${shown()} was refused: ${reasonOf(error)}.`, "Name another path.", error);
  }
}

function isLink(path: string): boolean {
  return quietly(() => lstatSync(path))?.isSymbolicLink() === true;
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
  ["ELOOP", "its links form a loop, or it became a link in the meantime"],
  ["ENOENT", "a folder of the path is missing"],
  ["ENXIO", "it is not a regular file"],
]);

/** The reason of a failed system call, in words. */
export function reasonOf(error: unknown): string {
  const code = errnoOf(error);
  return REASONS.get(code ?? "") ?? (error instanceof Error ? error.message : String(error));
}

// Replaces a whole file: writes beside it, syncs, renames. A crash leaves the old file or the new one.

const writing = new Set<string>();

/** Whether the name is a temporary file's that this process is not writing now. */
export function isStrayTemporary(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX) && !writing.has(name);
}

/** Writes, fsyncs, renames, fsyncs the folder. Keeps the mode of an existing file; refuses to replace a non-file. */
async function replaceInFolder(
  folder: PinnedFolder,
  name: string,
  bytes: string | Uint8Array,
): Promise<void> {
  const mode = modeOf(folder, name);
  const prefix = `${TEMPORARY_PREFIX}${sha256Of(name).slice(0, 12)}-`;
  removeLeftovers(folder, prefix);
  const temporary = `${prefix}${process.pid}-${randomBytes(4).toString("hex")}`;
  writing.add(temporary);
  try {
    await writeNew(folder.at(temporary), bytes, mode);
    await renameFile(folder.at(temporary), folder.at(name));
    await syncDescriptor(folder.descriptor);
  } catch (error) {
    removeIfThere(folder.at(temporary));
    throw error;
  } finally {
    writing.delete(temporary);
  }
}

async function writeNew(path: string, bytes: string | Uint8Array, mode: number | undefined): Promise<void> {
  const descriptor = openSync(path, "wx");
  try {
    writeFileSync(descriptor, bytes);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    await syncDescriptor(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function modeOf(folder: PinnedFolder, name: string): number | undefined {
  try {
    const found = lstatSync(folder.at(name));
    if (found.isFile()) return found.mode & 0o777;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
  throw refusal(`${showPath(name)} was refused: it is not a regular file.`, "Write to another name.");
}

/** Keeps files that this or another live process is writing. */
function removeLeftovers(folder: PinnedFolder, prefix: string): void {
  for (const entry of readdirSync(folder.at("."))) {
    if (!entry.startsWith(prefix) || writing.has(entry)) continue;
    const pid = Number(entry.slice(prefix.length).split("-")[0]);
    if (pid === process.pid || !isLiveProcess(pid)) removeIfThere(folder.at(entry));
  }
}

/** Bytes of a regular file, or undefined when there is none. `check` sees the real place before it is opened. */
export async function readInside(
  root: string,
  parts: readonly string[],
  limit: number,
  check: (place: PinnedPlace) => void = () => {},
): Promise<Uint8Array | undefined> {
  const path = parts.join("/");
  for (let attempt = 1; ; attempt += 1) {
    const place = locate(root, parts);
    check(place);
    if (place.missing.length > 0) return undefined;
    try {
      return await readAll(openPinned(place.real, constants.O_RDONLY), path, limit);
    } catch (error) {
      // A file that is being replaced looks like a swapped one, so look again before refusing.
      if (error instanceof MovedError && attempt < 3) continue;
      if (errnoOf(error) === "ENOENT") return undefined;
      if (error instanceof LoopliaError) throw error;
      throw refusal(`${showPath(path)} can't be read: ${reasonOf(error)}.`, "Name another file.", error);
    }
  }
}

/** Hashes of several files in one folder, by name; missing files are absent. No name may be a link. */
export async function hashSeveralInside(
  root: string,
  { folder: parts, names }: { folder: readonly string[]; names: readonly string[] },
  limit: number,
  check: (path: string) => (place: PinnedPlace) => void,
): Promise<Map<string, string>> {
  const path = parts.join("/");
  const place = locate(root, parts);
  check(path)(place);
  const hashes = new Map<string, string>();
  if (place.missing.length > 0) return hashes;
  // Other systems have no path through a descriptor, so each file is looked up in full.
  const folder = process.platform === "linux" ? openFolder(place.real) : undefined;
  try {
    for (const name of names) {
      const known = folder && !name.includes("/") ? hashEntry(folder, name) : undefined;
      const whole = `${path}/${name}`;
      const bytes = known ?? (await readInside(root, splitPath(whole), limit, check(whole)));
      if (bytes !== undefined) hashes.set(name, typeof bytes === "string" ? bytes : hashContent(bytes));
    }
  } finally {
    if (folder) closeSync(folder.descriptor);
  }
  return hashes;
}

/** Undefined if it is no folder or was moved: reading the whole path then reports the error. */
function openFolder(real: string): PinnedFolder | undefined {
  return quietly(() => pin(openPinned(real, O_RDONLY | O_DIRECTORY), real));
}

let scratch: Uint8Array | undefined;

/** Undefined unless it is a small regular file. Synchronous, so that many files share one buffer. */
function hashEntry(folder: PinnedFolder, name: string): string | undefined {
  const descriptor = quietly(() => openSync(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  if (descriptor === undefined) return undefined;
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
    scratch ??= new Uint8Array(AT_ONCE);
    let length = 0;
    for (;;) {
      const count = readSync(descriptor, scratch, length, scratch.length - length, null);
      if (count === 0) return hashContent(scratch.subarray(0, length));
      length += count;
      if (length === scratch.length) return undefined;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Writes atomically at a path below the root, making folders. `check` sees the real place before anything is opened. */
export async function writeInside(
  root: string,
  parts: readonly string[],
  bytes: string | Uint8Array,
  check: (place: PinnedPlace) => void = () => {},
): Promise<void> {
  await changing(parts, async () => {
    const place = locate(root, parts);
    check(place);
    const { folder, name, made } = await openParent(place);
    await allDone([made, replaceInFolder(folder, name, bytes).finally(() => closeSync(folder.descriptor))]);
  });
}

/** Removes the entry: a link itself, or a folder with its content. Does nothing if there is none. */
export async function removeInside(root: string, parts: readonly string[]): Promise<void> {
  await changing(parts, async () => {
    const { real, missing } = locate(root, parts.slice(0, -1));
    if (missing.length > 0) return;
    const { folder, name } = await openParent({ real, missing: parts.slice(-1) });
    try {
      rmSync(folder.at(name), { recursive: true, force: true });
    } finally {
      closeSync(folder.descriptor);
    }
  });
}

/** Makes a link with exactly this target, and missing folders above it. */
export async function linkInside(root: string, parts: readonly string[], target: string): Promise<void> {
  await changing(parts, async () => {
    const { real, missing } = locate(root, parts.slice(0, -1));
    const { folder, name, made } = await openParent({ real, missing: [...missing, ...parts.slice(-1)] });
    try {
      await made;
      symlinkSync(target, folder.at(name));
    } finally {
      closeSync(folder.descriptor);
    }
  });
}

const readDescriptor = promisify(readFile);

/** Reading this many bytes takes less time than asking another thread. */
const AT_ONCE = 256 * 1024;

/** Throws if a folder, or its nearest existing parent, can't be written. `check` sees the real place. */
export function requireWritable(
  root: string,
  parts: readonly string[],
  check: (place: PinnedPlace) => void = () => {},
): void {
  const place = locate(root, parts);
  check(place);
  try {
    // The dot requires a folder.
    accessSync(`${place.real}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = `${showPath(parts.join("/"))} can't be written: ${reasonOf(error)}.`;
    throw refusal(why, errnoOf(error) === "ENOTDIR" ? "Move that file away." : "Make it writable.", error);
  }
}

async function readAll(descriptor: number, path: string, limit: number): Promise<Uint8Array> {
  try {
    const found = fstatSync(descriptor);
    if (found.isDirectory())
      throw refusal(`${showPath(path)} is a folder.`, "List it, or name a file in it.");
    if (!found.isFile())
      throw refusal(`${showPath(path)} was refused: it is not a regular file.`, "Name another file.");
    if (found.size > limit) {
      const mebibytes = `${Math.floor(limit / 1024 / 1024)} MiB`;
      throw refusal(
        `${showPath(path)} was refused: it is larger than ${mebibytes}.`,
        "Search it, or use a command.",
      );
    }
    return found.size <= AT_ONCE ? readFileSync(descriptor) : await readDescriptor(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(errnoOf(error) ?? "");
}

/** Converts system errors of a change into an error with path and reason. */
async function changing(parts: readonly string[], change: () => Promise<void>): Promise<void> {
  const shown = showPath(parts.join("/"));
  if (parts.length === 0) throw refusal("The root itself can't be changed.", "Give the path of a file.");
  try {
    await change();
  } catch (error) {
    if (error instanceof LoopliaError || errnoOf(error) === undefined) throw error;
    if (isDiskFull(error)) {
      throw new LoopliaError("host-failed", `${shown} can't be written: ${reasonOf(error)}.`, {
        hint: "Free some space and run again.",
        cause: error,
      });
    }
    throw refusal(
      `${shown} can't be written: ${reasonOf(error)}.`,
      "Make it writable or name another place.",
      error,
    );
  }
}
