// Replaces a file as a whole: written beside, made durable, renamed. A crash leaves the old file or the new one.
import { createHash, randomBytes } from "node:crypto";
import { lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { refusal, showPath } from "./path-rules.ts";
import { codeOf, type PinnedFolder } from "./pinned-files.ts";

/** Files being written have this prefix; one that a crash left behind goes at the next write of the same file. */
export const TEMPORARY_PREFIX = ".looplia-write-";

const writing = new Set<string>();

/** Writes, fsyncs, renames, fsyncs the folder. Keeps the mode of an existing file; refuses to replace a non-file. */
export async function replaceFile(
  folder: PinnedFolder,
  name: string,
  bytes: string | Uint8Array,
): Promise<void> {
  const mode = await modeOf(folder, name);
  const prefix = `${TEMPORARY_PREFIX}${createHash("sha256").update(name).digest("hex").slice(0, 12)}-`;
  await removeLeftovers(folder, prefix);
  const temporary = `${prefix}${process.pid}-${randomBytes(4).toString("hex")}`;
  writing.add(temporary);
  try {
    await writeNew(folder.at(temporary), bytes, mode);
    await rename(folder.at(temporary), folder.at(name));
    await folder.handle.sync();
  } catch (error) {
    await removeIfThere(folder.at(temporary));
    throw error;
  } finally {
    writing.delete(temporary);
  }
}

/** Removes a file; a missing one is fine. */
export async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

async function writeNew(path: string, bytes: string | Uint8Array, mode: number | undefined): Promise<void> {
  const handle = await open(path, "wx");
  try {
    await handle.writeFile(bytes);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function modeOf(folder: PinnedFolder, name: string): Promise<number | undefined> {
  try {
    const found = await lstat(folder.at(name));
    if (found.isFile()) return found.mode & 0o777;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  throw refusal(`${showPath(name)} was refused: it is not a regular file.`, "Write to another name.");
}

/** Leaves alone what this process or another living one is writing just now. */
async function removeLeftovers(folder: PinnedFolder, prefix: string): Promise<void> {
  for (const entry of await readdir(folder.at("."))) {
    if (!entry.startsWith(prefix) || writing.has(entry)) continue;
    const pid = Number(entry.slice(prefix.length).split("-")[0]);
    if (pid === process.pid || !isAlive(pid)) await removeIfThere(folder.at(entry));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
