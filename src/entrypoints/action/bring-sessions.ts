// Sessions that stand on the base only are brought into the worktree, so that they are gone on with.

import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseManifest } from "../../content/parse-manifest.ts";
import { LoopliaError } from "../../errors.ts";
import type { Repository } from "../../ports/repository.ts";

const SESSIONS = ".looplia/contentItem";

type Entry = { path: string; oid: string; size: number };

/**
 * Copies from the base the sessions of sources that have none on the branch (same source and pipeline). Nothing is
 * committed by it; what is on the branch is left as it is. `folder`: the working directory.
 */
export async function bringSessions(from: {
  repository: Repository;
  base: string;
  branch: string;
  folder: string;
  root: string;
}): Promise<void> {
  const below = from.folder === "" ? SESSIONS : `${from.folder}/${SESSIONS}`;
  const [onBase, onBranch] = await Promise.all([
    from.repository.listFiles(from.base, below),
    from.repository.listFiles(from.branch, below),
  ]);
  const sessionOf = (path: string) => path.slice(below.length + 1).split("/")[0] ?? "";
  const standing = new Set(onBranch.map((file) => sessionOf(file.path)));
  const missing = onBase.filter((file) => !standing.has(sessionOf(file.path)));
  if (missing.length === 0) return;
  const taken = new Set((await readKeys(from.repository, onBranch)).map(({ key }) => key));
  const wanted = (await readKeys(from.repository, missing)).filter(({ key }) => !taken.has(key));
  const folders = new Set(wanted.map(({ path }) => sessionOf(path)));
  const files = missing.filter((file) => folders.has(sessionOf(file.path)));
  const blobs = await from.repository.readBlobs(files.map((file) => file.oid));
  for (const [index, file] of files.entries()) {
    const target = join(from.root, file.path);
    await refuseLinks(from.root, dirname(file.path));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, blobs[index] ?? "", { flag: "wx" });
  }
}

/** The branch may hold a link where the base has a folder: nothing is ever written through one. */
async function refuseLinks(root: string, folder: string): Promise<void> {
  if (folder === ".") return;
  await refuseLinks(root, dirname(folder));
  const found = await lstat(join(root, folder)).catch(() => undefined);
  if (!found || found.isDirectory()) return;
  throw new LoopliaError("config-invalid", `${folder} on the work branch is not a folder`, {
    hint: "remove it there: sessions of the base are brought to this place",
  });
}

/** What a session is for, by its manifest; those that cannot be read are for nothing. */
async function readKeys(
  repository: Repository,
  files: readonly Entry[],
): Promise<{ path: string; key: string }[]> {
  const manifests = files.filter((file) => file.path.endsWith("/session.json"));
  const blobs = await repository.readBlobs(manifests.map((file) => file.oid));
  return manifests.flatMap(({ path }, index) => {
    try {
      const { manifest } = parseManifest(new TextDecoder().decode(blobs[index]), path);
      return [{ path, key: JSON.stringify([manifest.source, manifest.pipeline]) }];
    } catch (error) {
      if (error instanceof LoopliaError) return [];
      throw error;
    }
  });
}
