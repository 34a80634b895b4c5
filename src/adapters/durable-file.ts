// Files that are whole or not there at all: written beside, synced, then given their name.
import { randomBytes } from "node:crypto";
import {
  access,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  unlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LoopliaError } from "../errors.ts";

const LEFTOVER = /^\..+\.[0-9a-f]{8}\.looplia-new$/;

/**
 * Creates `path` by link(2), durable when it resolves, and returns its handle, ready to append.
 * Undefined when the file is there already: then nothing is changed.
 */
export async function createOpenFile(
  path: string,
  bytes: string | Uint8Array,
): Promise<FileHandle | undefined> {
  const { handle, draft } = await writeDraft(path, bytes);
  const refused = await linkDraft(draft, path).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  if (refused === undefined) {
    await syncFolder(dirname(path));
    return handle;
  }
  await handle.close();
  if (refused === "EEXIST") return undefined;
  // Somebody took the draft for a dead process's leftover.
  return createOpenFile(path, bytes);
}

/** As `createOpenFile`; false when the file is there already. */
export async function createFile(path: string, bytes: string | Uint8Array): Promise<boolean> {
  if (await exists(path)) return false;
  const handle = await createOpenFile(path, bytes);
  await handle?.close();
  return handle !== undefined;
}

/** As `createFile`, but a power cut may undo it. */
export async function createPassingFile(path: string, bytes: string): Promise<boolean> {
  const draft = draftOf(path);
  await writeFile(draft, bytes, { flag: "wx" }).catch((error: unknown) => {
    throw diskError(error, path);
  });
  return (await linkDraft(draft, path)) === undefined;
}

/** Replaces a file by rename(2); durable when it resolves. */
export async function replaceFile(path: string, bytes: string | Uint8Array): Promise<void> {
  const { handle, draft } = await writeDraft(path, bytes);
  await handle.close();
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Removes a file; durable when it resolves. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path);
  await syncFolder(dirname(path));
}

/** Creates a folder and those above it; durable when it resolves. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw diskError(error, folder);
  });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Removes drafts that a killed process left; a live one whose draft is taken writes it again. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) if (LEFTOVER.test(name)) await discard(join(folder, name));
}

/** All of a file's bytes. */
export async function readWhole(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw diskError(error, path);
  });
}

/** The names in a folder, sorted; none when it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw diskError(error, folder);
  }
}

/** The code of a system error, or undefined. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What the disk refused, as an error that says what to do; anything else comes back as it was. */
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
const NO_LINKS = {
  code: "config-invalid",
  text: "the file system has no hard links or forbids the change",
  hint: "Set LOOPLIA_STATE_DIR to a folder on a local disk.",
} as const;
type DiskReason = { code: "config-invalid" | "host-failed" | "store-corrupt"; text: string; hint: string };
const DISK_REASONS = new Map<string, DiskReason>([
  ["EACCES", { code: "config-invalid", text: "permission denied", hint: ELSEWHERE }],
  ["EROFS", { code: "config-invalid", text: "the file system is read-only", hint: ELSEWHERE }],
  ["ENOTDIR", { code: "config-invalid", text: "a part of the path is a file", hint: ELSEWHERE }],
  ["EEXIST", { code: "config-invalid", text: "a file has the name of a folder", hint: ELSEWHERE }],
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

async function writeDraft(
  path: string,
  bytes: string | Uint8Array,
): Promise<{ handle: FileHandle; draft: string }> {
  const draft = draftOf(path);
  const handle = await open(draft, "wx").catch((error: unknown) => {
    throw diskError(error, path);
  });
  try {
    await handle.writeFile(bytes);
    await handle.datasync();
    return { handle, draft };
  } catch (error) {
    await handle.close();
    await discard(draft);
    throw diskError(error, path);
  }
}

function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(4).toString("hex")}.looplia-new`);
}

/** Undefined when linked; else why not: the name is taken, or the draft is gone. */
async function linkDraft(draft: string, path: string): Promise<"EEXIST" | "ENOENT" | undefined> {
  try {
    await link(draft, path);
    return undefined;
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST" || code === "ENOENT") return code;
    throw diskError(error, path);
  } finally {
    await discard(draft);
  }
}

async function discard(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (errnoOf(error) !== "ENOENT") throw error;
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
