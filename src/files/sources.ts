// Uploads a folder as a workflow artifact. The package is large and is loaded at the upload only.

import { readdirSync, readFileSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { errnoOf, LoopliaError, messageOf } from "../core/errors.ts";
import type { TrustedFiles } from "../core/ports.ts";
import { isDraft } from "../store/durable.ts";

/**
 * Uploads the regular files below `folder` under `name`, which must be new in this run. The artifact's id, or undefined
 * when there is no file. Fails with `host-failed`, on servers without this service (GHES) as well.
 */
export async function uploadFolder(upload: {
  name: string;
  folder: string;
  retentionDays: number;
  /** Gives up after this many milliseconds. */
  timeoutMs: number;
}): Promise<number | undefined> {
  const files = await regularFiles(upload.folder);
  if (files.length === 0) return undefined;
  const { DefaultArtifactClient } = await import("@actions/artifact");
  const options = { retentionDays: upload.retentionDays };
  const request = new DefaultArtifactClient().uploadArtifact(upload.name, files, upload.folder, options);
  try {
    const { id } = await withTimeout(request, upload.timeoutMs);
    return id;
  } catch (cause) {
    throw new LoopliaError("host-failed", `the artifact could not be uploaded: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Without drafts: they are gone in a moment, and the package uploads nothing where a file is gone. */
async function regularFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !isDraft(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

// The files that the program is installed with: prompts and pipelines.

/** The program's own files: nobody else writes there, so they are read straight, without a look at links. */
export function installedFolder(root: string): TrustedFiles {
  const orNothing = <Found>(look: () => Found): Found | undefined => {
    try {
      return look();
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "EISDIR"].includes(errnoOf(error) ?? "")) return undefined;
      throw error;
    }
  };
  // Synchronous: many small reads in a row, which the pool of threads would only slow down.
  return {
    label: "",
    read: async (path) => orNothing(() => readFileSync(join(root, path), "utf8")),
    list: async (folder) => orNothing(() => readdirSync(join(root, folder)))?.sort() ?? [],
  };
}

// Content items on the command line: files that the person named, in the repository or anywhere else.

/** One byte more than an item may have, so that the reader can tell that it is too large. */
const MAX_BYTES = 10 * 1024 * 1024 + 1;

/** How a file is called: relative to the root with `/` where it is inside, else its absolute path. */
export function sourceName(root: string, path: string): string {
  const inside = relative(root, resolve(root, path));
  return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)
    ? resolve(root, path)
    : inside;
}

/** At most 10 MiB and a byte of a file, or undefined when it is not there. Throws `config-invalid` for a folder. */
export async function readSourceFile(root: string, source: string): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(resolve(root, source));
    const info = await file.stat();
    if (!info.isFile()) throw notAFile(source);
    const bytes = new Uint8Array(Math.min(info.size, MAX_BYTES));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return undefined;
    if (error instanceof LoopliaError) throw error;
    throw new LoopliaError("config-invalid", `${source} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function notAFile(source: string): LoopliaError {
  return new LoopliaError("config-invalid", `${source} is not a file.`, { hint: "Name one content item." });
}
