// Lists folders and walks trees of files without following a link.
import { closeSync, constants, type Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf, LoopliaError } from "../errors.ts";
import { openPinned } from "./pinned-files.ts";
import { TEMPORARY_PREFIX } from "./write-atomic.ts";

/** Entries seen before a walk gives up, so that a huge tree can't hold the run. */
const MAX_ENTRIES = 200_000;

/** Entries of a real folder that was checked; files that are being written are left out. */
export async function listFolder(real: string): Promise<Dirent[]> {
  const descriptor = openPinned(real, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const path = process.platform === "linux" ? `/proc/self/fd/${descriptor}` : real;
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => !entry.name.startsWith(TEMPORARY_PREFIX));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Paths of regular files below a real folder, relative to it, in the order of their code units. `enter` says of each
 * relative path whether it is of interest. Folders that can't be read are left out.
 */
export async function* walkFiles(real: string, enter: (path: string) => boolean): AsyncGenerator<string> {
  let seen = 0;
  const stack: { path: string; isFolder: boolean }[] = [{ path: "", isFolder: true }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!next.isFolder) {
      yield next.path;
      continue;
    }
    const { path: folder } = next;
    const below = (await readableEntries(join(real, folder)))
      .filter((entry) => entry.isDirectory() || entry.isFile())
      .map((entry) => ({
        path: folder ? `${folder}/${entry.name}` : entry.name,
        isFolder: entry.isDirectory(),
      }))
      .filter((entry) => enter(entry.path));
    seen += below.length;
    if (seen > MAX_ENTRIES) {
      throw new LoopliaError(
        "config-invalid",
        `There are more than ${MAX_ENTRIES} files below this folder.`,
        {
          hint: "Give a folder further down.",
        },
      );
    }
    stack.push(...below.sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1)));
  }
}

/** With its slash a folder sorts where its files sort. */
function sortKey(entry: { path: string; isFolder: boolean }): string {
  return entry.isFolder ? `${entry.path}/` : entry.path;
}

async function readableEntries(real: string): Promise<Dirent[]> {
  try {
    return await listFolder(real);
  } catch (error) {
    if (
      error instanceof LoopliaError ||
      ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")
    ) {
      return [];
    }
    throw error;
  }
}
