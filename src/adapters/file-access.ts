// Reads, writes and removes files below a root. What a caller checked is what is opened.
import { accessSync, closeSync, constants, fstatSync, readFile, rmSync } from "node:fs";
import { promisify } from "node:util";
import { errnoOf, LoopliaError } from "../errors.ts";
import { allDone } from "./durable-file.ts";
import { refusal, showPath } from "./path-rules.ts";
import { locate, MovedError, openParent, openPinned, type Place, reasonOf } from "./pinned-files.ts";
import { replaceFile } from "./write-atomic.ts";

/** Bytes of a regular file, or undefined when there is none. `check` sees the real place before it is opened. */
export async function readInside(
  root: string,
  parts: readonly string[],
  limit: number,
  check: (place: Place) => void = () => {},
): Promise<Uint8Array | undefined> {
  const path = parts.join("/");
  for (let attempt = 1; ; attempt += 1) {
    const place = locate(root, parts);
    check(place);
    if (place.missing.length > 0) return undefined;
    try {
      return await readAll(openPinned(place.real, constants.O_RDONLY), path, limit);
    } catch (error) {
      // A file that is replaced at this moment looks like a swapped one: look again before refusing.
      if (error instanceof MovedError && attempt < 3) continue;
      if (errnoOf(error) === "ENOENT") return undefined;
      if (error instanceof LoopliaError) throw error;
      throw refusal(`${showPath(path)} can't be read: ${reasonOf(error)}.`, "Name another file.", error);
    }
  }
}

/** Writes atomically at a path below the root, making folders. `check` sees the real place before anything is opened. */
export async function writeInside(
  root: string,
  parts: readonly string[],
  bytes: string | Uint8Array,
  check: (place: Place) => void = () => {},
): Promise<void> {
  await changing(parts, async () => {
    const place = locate(root, parts);
    check(place);
    const { folder, name, made } = await openParent(place);
    await allDone([made, replaceFile(folder, name, bytes).finally(() => closeSync(folder.descriptor))]);
  });
}

/** Removes what is there, a link itself, a folder with all in it; nothing is fine. */
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

const readDescriptor = promisify(readFile);

/** Throws where a folder, or the nearest one above it that exists, can't be written. `check` sees the real place. */
export function requireWritable(
  root: string,
  parts: readonly string[],
  check: (place: Place) => void = () => {},
): void {
  const place = locate(root, parts);
  check(place);
  try {
    // With the dot it must be a folder.
    accessSync(`${place.real}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = `${showPath(parts.join("/"))} can't be written: ${reasonOf(error)}.`;
    throw refusal(why, "Make it writable.", error);
  }
}

async function readAll(descriptor: number, path: string, limit: number): Promise<Uint8Array> {
  try {
    const found = fstatSync(descriptor);
    if (found.isDirectory())
      throw refusal(`${showPath(path)} is a folder.`, "List it, or name a file in it.");
    if (!found.isFile())
      throw refusal(`${showPath(path)} was refused: it is no regular file.`, "Name another file.");
    if (found.size > limit) {
      const mebibytes = `${Math.floor(limit / 1024 / 1024)} MiB`;
      throw refusal(
        `${showPath(path)} was refused: it is larger than ${mebibytes}.`,
        "Search it, or use a command.",
      );
    }
    return await readDescriptor(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(errnoOf(error) ?? "");
}

/** Translates what the system says of a change into an error that names path and reason. */
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
