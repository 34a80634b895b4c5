// Replaces a file as a whole: written beside, made durable, renamed. A crash leaves the old file or the new one.

import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, lstatSync, openSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { errnoOf } from "../errors.ts";
import { sha256Of } from "../session/hash.ts";
import { removeIfThere, syncDescriptor } from "./durable-file.ts";
import { isLive } from "./live-process.ts";
import { refusal, showPath } from "./path-rules.ts";
import type { PinnedFolder } from "./pinned-files.ts";

/** Files being written have this prefix; one that a crash left behind goes at the next write of the same file. */
export const TEMPORARY_PREFIX = ".looplia-write-";

const writing = new Set<string>();

/** Writes, fsyncs, renames, fsyncs the folder. Keeps the mode of an existing file; refuses to replace a non-file. */
export async function replaceFile(
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
    renameSync(folder.at(temporary), folder.at(name));
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

/** Leaves alone what this process or another living one is writing just now. */
function removeLeftovers(folder: PinnedFolder, prefix: string): void {
  for (const entry of readdirSync(folder.at("."))) {
    if (!entry.startsWith(prefix) || writing.has(entry)) continue;
    const pid = Number(entry.slice(prefix.length).split("-")[0]);
    if (pid === process.pid || !isLive(pid)) removeIfThere(folder.at(entry));
  }
}
