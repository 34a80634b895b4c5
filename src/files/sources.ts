// Reads trusted and installed files, and uploads the workflow artifact.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errnoOf, LoopliaError, messageOf, quietly } from "../core/errors.ts";
import type { TrustedFiles } from "../core/ports.ts";
import { isDraft } from "../store/durable.ts";
import { splitPath } from "./names.ts";
import { locate, readInside, reasonOf } from "./pinned.ts";
import { walkFiles } from "./walk.ts";
import { listInside, realRoot } from "./workspace.ts";

/**
 * More files are stored as they are: the package keeps 16 kB of every file that it compressed, and the stores of so many
 * sessions are packed already.
 */
const MOST_COMPRESSED = 1_000;

/**
 * Uploads the regular files below `folder` under `name`, which must be new in this run. Returns the
 * artifact's id, or undefined without files. Throws `host-failed`, also on servers without this service
 * (GHES).
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
  const compressionLevel = files.length > MOST_COMPRESSED ? 0 : 6;
  const options = { retentionDays: upload.retentionDays, compressionLevel };
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

/** Without drafts and locks: they disappear soon, and the package uploads nothing if a file is missing. */
async function regularFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !isDraft(entry.name) && basename(entry.parentPath) !== "lock")
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

/** The program's own files: no other program writes there, so they are read without checks for links. */
export function installedFolder(root: string): TrustedFiles {
  const orNothing = <Found>(look: () => Found): Found | undefined => {
    try {
      return look();
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "EISDIR"].includes(errnoOf(error) ?? "")) return undefined;
      throw error;
    }
  };
  // Synchronous, because the thread pool would slow down many small reads in a row.
  return {
    label: "",
    read: async (path) => orNothing(() => readFileSync(join(root, path), "utf8")),
    list: async (folder) => orNothing(() => readdirSync(join(root, folder)))?.sort() ?? [],
  };
}

// Content items on the command line: files that the person named, in the repository or anywhere else.

/** One byte more than an item may have, so that the reader can tell that it is too large. */
const MAX_BYTES = 10 * 1024 * 1024 + 1;

/** The name of a file: relative to the root with `/` if it is inside, else its absolute path. */
export function sourceName(root: string, path: string): string {
  const inside = relative(root, resolve(root, path));
  return inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)
    ? resolve(root, path)
    : inside;
}

const { O_RDONLY, O_NONBLOCK } = constants;

/**
 * Paths of the regular files and of the links below the root, relative to it, except in `.git`, `.looplia`
 * and `node_modules`. Follows no link.
 */
export async function listItemFiles(root: string): Promise<{ files: string[]; links: string[] }> {
  const files: string[] = [];
  const links: string[] = [];
  const isOpen = (path: string): boolean => !CLOSED.has(path.slice(path.lastIndexOf("/") + 1));
  const walk = walkFiles(realpathSync.native(root), isOpen, (path) => links.push(path));
  for await (const path of walk) files.push(path);
  return { files, links: links.sort() };
}

const CLOSED: ReadonlySet<string> = new Set([".git", ".looplia", "node_modules"]);

/**
 * The first 10 MiB plus one byte of a file; undefined if it does not exist. Throws `config-invalid` for a
 * folder.
 */
export async function readSourceFile(root: string, source: string): Promise<Uint8Array | undefined> {
  try {
    const file = openSync(resolve(root, source), O_RDONLY | O_NONBLOCK);
    try {
      const info = fstatSync(file);
      if (!info.isFile()) throw notAFile(source);
      const bytes = new Uint8Array(Math.min(info.size, MAX_BYTES));
      let length = 0;
      while (length < bytes.length) {
        const count = readSync(file, bytes, length, bytes.length - length, null);
        if (count === 0) break;
        length += count;
      }
      return bytes.subarray(0, length);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return undefined;
    if (error instanceof LoopliaError) throw error;
    throw new LoopliaError("config-invalid", `${source} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function notAFile(source: string): LoopliaError {
  return new LoopliaError("config-invalid", `${source} is not a file.`, {
    hint: "Name one content item; for a folder, give globs as `content` in looplia.yml.",
  });
}

/**
 * Writes a file that a person named. Throws `config-invalid` where it can't be written, or where another file than
 * an earlier one of this kind, which begins with `start`, is there.
 */
export async function writeNamed(path: string, text: string, start: string): Promise<void> {
  const isFile = quietly(() => statSync(path))?.isFile() === true;
  const there = isFile ? await readFile(path, "utf8").catch(() => "") : "";
  if (there !== "" && !there.startsWith(start)) {
    throw new LoopliaError("config-invalid", `${path} was not written: another file is there.`, {
      hint: "Name another path, or move that file away.",
    });
  }
  await writeFile(path, text).catch((cause: unknown) => {
    throw new LoopliaError("config-invalid", `${path} was not written: ${reasonOf(cause)}.`, {
      hint: "Name a file in an existing folder that you can write to.",
      cause,
    });
  });
}

type Install = { installFolder: string; version: string };

/** The installed program. `folder` may be a link. */
export async function readInstall(folder: string): Promise<Install> {
  const installFolder = await realpath(folder);
  const { version } = JSON.parse(await readFile(join(installFolder, "package.json"), "utf8")) as {
    version: string;
  };
  return { installFolder, version };
}

// Read-only files of the trusted ref on disk; `git/repository.ts` reads them from a commit.

export const MAX_TRUSTED_BYTES = 10 * 1024 * 1024;

/** The working tree, or a folder of the program. Diagnostics show `label` before each path. */
export async function trustedFolder(root: string, label: string): Promise<TrustedFiles> {
  const base = realRoot(root);
  return {
    label,
    async read(path) {
      if (isFolder(base, path)) return undefined;
      const bytes = await readInside(base, splitPath(path), MAX_TRUSTED_BYTES);
      return bytes === undefined ? undefined : decodeTrusted(`${label}${path}`, bytes);
    },
    async list(folder) {
      if (!isFolder(base, folder)) return [];
      return (await listInside(base, folder)).map((entry) => entry.name);
    },
  };
}

/**
 * Callers that list a skill's folder need this to tell files from folders: a file has no entries and is no
 * error.
 */
function isFolder(root: string, path: string): boolean {
  const { real, missing } = locate(root, splitPath(path));
  return missing.length === 0 && statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Throws `config-invalid` if the bytes are not UTF-8. */
export function decodeTrusted(shown: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable(shown, "is not UTF-8 text", error);
  }
}

/** Why a trusted file cannot be used. */
export function unreadable(shown: string, why: string, cause?: unknown): LoopliaError {
  return new LoopliaError("config-invalid", `${shown} ${why}.`, {
    hint: "Replace it with a UTF-8 text file.",
    ...(cause === undefined ? {} : { cause }),
  });
}
