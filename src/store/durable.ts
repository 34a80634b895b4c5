// Durable file operations: fsync, rename, link, and readable disk errors.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fdatasync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rename,
  rmdir,
  unlink,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { errnoOf, LoopliaError } from "../core/errors.ts";

/** A disk error with advice on what to do; other errors are returned unchanged. */
export function diskError(error: unknown, path: string): unknown {
  const code = errnoOf(error);
  const reason = code === undefined ? undefined : DISK_REASONS.get(code);
  if (!reason) return error;
  return new LoopliaError(reason.code, `Cannot use ${path}: ${reason.text} (${code}).`, {
    hint: reason.hint,
    cause: error,
  });
}

const ELSEWHERE = "Make the folder writable, or set LOOPLIA_STATE_DIR to one that is.";
const MOVE_FILE = "Move that file away, or set LOOPLIA_STATE_DIR to another folder.";
const NO_LINKS = {
  code: "config-invalid",
  text: "the file system has no hard links or forbids the change",
  hint: "Set LOOPLIA_STATE_DIR to a folder on a local disk.",
} as const;
type DiskReason = { code: "config-invalid" | "host-failed" | "store-corrupt"; text: string; hint: string };
const DISK_REASONS = new Map<string, DiskReason>([
  ["EACCES", { code: "config-invalid", text: "permission denied", hint: ELSEWHERE }],
  ["EROFS", { code: "config-invalid", text: "the file system is read-only", hint: ELSEWHERE }],
  ["ENOTDIR", { code: "config-invalid", text: "a part of the path is a file", hint: MOVE_FILE }],
  ["EEXIST", { code: "config-invalid", text: "a file has the name of a folder", hint: MOVE_FILE }],
  [
    "EISDIR",
    {
      code: "store-corrupt",
      text: "a folder has the name of a file",
      hint: "Move it away, or restore the file from a copy.",
    },
  ],
  ["EPERM", NO_LINKS],
  ["ENOTSUP", NO_LINKS],
  ["ENOSPC", { code: "host-failed", text: "the disk is full", hint: "Free some space and run again." }],
  [
    "EDQUOT",
    { code: "host-failed", text: "the disk quota is used up", hint: "Free some space and run again." },
  ],
]);

/** Runs `action`; converts its disk errors by `diskError`. */
function onDisk<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw diskError(error, path);
  }
}

// Files that exist completely or not at all: written as a draft, synced, then given their name. What may wait for the
// disk runs asynchronously, so that other sessions go on: beside another session's sync, a rename or an unlink takes a
// millisecond.

const DRAFT = /^\..+\.[0-9a-f]{8}\.looplia-new$/;

/** Resolves when an open file or folder, with its metadata, is on the disk. */
export const syncDescriptor = promisify(fsync);

/** As `syncDescriptor`, for a file's content and length only. */
export const syncBytes = promisify(fdatasync);

/** rename(2) */
export const renameFile: (from: string, to: string) => Promise<void> = promisify(rename);
const unlinkFile = promisify(unlink);
const removeEmptyFolder = promisify(rmdir);

/**
 * Creates `path` by link(2), with missing parent folders. Durable when it resolves; returns the descriptor,
 * ready to append. Undefined if the file already exists: then it is unchanged.
 */
export async function createOpenFile(path: string, bytes: string | Uint8Array): Promise<number | undefined> {
  const above = makeFolder(dirname(path));
  const created = createIn(path, bytes);
  try {
    await allDone([above, created]);
  } catch (error) {
    const descriptor = await created.catch(() => undefined);
    if (descriptor !== undefined) closeSync(descriptor);
    throw error;
  }
  return created;
}

async function createIn(path: string, bytes: string | Uint8Array): Promise<number | undefined> {
  const { descriptor, draft } = await writeDraft(path, bytes);
  const refused = closingOnError(descriptor, () => linkDraft(draft, path));
  const removed = removeSoon(draft);
  if (refused === undefined) {
    await allDone([removed, syncFolder(dirname(path))]);
    return descriptor;
  }
  closeSync(descriptor);
  await removed;
  if (refused === "EEXIST") return undefined;
  // Another process removed the draft as a dead process's leftover.
  return createIn(path, bytes);
}

/** As `createOpenFile`; false if the file already exists. */
export async function createFile(path: string, bytes: string | Uint8Array): Promise<boolean> {
  if (existsSync(path)) return false;
  const descriptor = await createOpenFile(path, bytes);
  if (descriptor !== undefined) closeSync(descriptor);
  return descriptor !== undefined;
}

/** As `createFile`, but a power cut may undo it. */
export function createPassingFile(path: string, bytes: string | Uint8Array): boolean {
  const draft = draftOf(path);
  onDisk(path, () => writeFileSync(draft, bytes, { flag: "wx" }));
  try {
    return linkDraft(draft, path) === undefined;
  } finally {
    removeIfThere(draft);
  }
}

/** Replaces a file by rename(2); durable when it resolves. */
export async function replaceFile(path: string, bytes: string | Uint8Array): Promise<void> {
  const { descriptor, draft } = await writeDraft(path, bytes);
  closeSync(descriptor);
  await renameFile(draft, path);
  await syncFolder(dirname(path));
}

/** Removes a file; durable when it resolves. */
export async function removeFile(path: string): Promise<void> {
  unlinkSync(path);
  await syncFolder(dirname(path));
}

/** Creates a folder and its parents: they exist at once and are durable when it resolves. */
export async function makeFolder(folder: string): Promise<void> {
  const first = onDisk(folder, () => mkdirSync(folder, { recursive: true }));
  if (first === undefined) return;
  const parents: string[] = [];
  for (let made = folder; made.length >= first.length; made = dirname(made)) parents.push(dirname(made));
  await Promise.all(parents.map(syncFolder));
}

/** As `makeFolder`, but a power cut may undo it. */
export function makePassingFolder(folder: string): void {
  onDisk(folder, () => mkdirSync(folder, { recursive: true }));
}

/** Removes a file if it exists; a power cut may undo this. */
export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** As `removeIfThere`, beside other work. */
export async function removeSoon(path: string): Promise<void> {
  await unlinkFile(path).catch((error: unknown) => {
    if (errnoOf(error) !== "ENOENT") throw error;
  });
}

/** Removes a folder that is empty; leaves one that is not, or is not there. A power cut may undo this. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await removeEmptyFolder(folder).catch((error: unknown) => {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(errnoOf(error) ?? "")) throw error;
  });
}

/** Waits for all promises, then throws the first failure in their order: none continues unobserved. */
export async function allDone(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(promises)) if (one.status === "rejected") throw one.reason;
}

/** Whether the name is a draft's, of a live or a killed process. */
export function isDraft(name: string): boolean {
  return DRAFT.test(name);
}

/** Removes drafts of killed processes; a live process that loses its draft writes it again. */
export function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder)) if (isDraft(name)) removeIfThere(join(folder, name));
}

/** Reads a whole file. */
export async function readWhole(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw diskError(error, path);
  });
}

/** The sorted names in a folder; empty if it does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw diskError(error, folder);
  }
}

async function writeDraft(
  path: string,
  bytes: string | Uint8Array,
): Promise<{ descriptor: number; draft: string }> {
  const draft = draftOf(path);
  const descriptor = onDisk(path, () => openSync(draft, "wx"));
  try {
    writeFileSync(descriptor, bytes);
    await syncBytes(descriptor);
    return { descriptor, draft };
  } catch (error) {
    closeSync(descriptor);
    removeIfThere(draft);
    throw diskError(error, path);
  }
}

function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(4).toString("hex")}.looplia-new`);
}

/** The draft stays, unless it throws. Undefined if linked; else the reason: the name is taken, or the draft is gone. */
function linkDraft(draft: string, path: string): "EEXIST" | "ENOENT" | undefined {
  try {
    linkSync(draft, path);
    return undefined;
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST" || code === "ENOENT") return code;
    removeIfThere(draft);
    throw diskError(error, path);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const descriptor = openSync(folder, "r");
  try {
    await syncDescriptor(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function closingOnError<Result>(descriptor: number, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
