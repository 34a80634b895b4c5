// Copies files of a stored state from one state folder to another.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Repository } from "../../core/ports-host.ts";

/** A file of a state; `sessionId` is undefined for files that all sessions share. */
export type Entry = { path: string; oid: string; sessionId: string | undefined };

const SEGMENT =
  /^sessions\/([a-z0-9][a-z0-9-]{0,80})\/(?:(?:events|conversation|audit)\/\d{6}\.jsonl|packed\/\d{6}\.br)$/;
const SHARED = /^(?:header\.json|frozen\/[0-9a-f]{64})$/;
const AT_ONCE = 500;

type Reading = Pick<Repository, "listFiles" | "readBlobs">;

/** The segments and packs of sessions and their shared files, without the work's own log and unfinished worktrees. */
export async function listStored(repository: Reading, state: string): Promise<Entry[]> {
  const files = await repository.listFiles(state, "");
  return files.flatMap((file) => {
    const sessionId = SEGMENT.exec(file.path)?.[1];
    return sessionId !== undefined || SHARED.test(file.path) ? [{ ...file, sessionId }] : [];
  });
}

/** Writes files of a state into a folder; never overwrites an existing file. */
export async function writeStored(
  repository: Reading,
  state: string,
  folder: string,
  isWanted: (entry: Entry) => boolean,
): Promise<void> {
  await writeBlobs(repository, (await listStored(repository, state)).filter(isWanted), {
    root: folder,
    flag: "wx",
  });
}

/** Writes blobs below a folder, a few at a time; with `wx`, existing files are kept. */
export async function writeBlobs(
  repository: Reading,
  files: readonly { path: string; oid: string }[],
  { root, flag }: { root: string; flag: "w" | "wx" },
): Promise<void> {
  for (let next = 0; next < files.length; next += AT_ONCE) {
    const some = files.slice(next, next + AT_ONCE);
    const blobs = await repository.readBlobs(some.map(({ oid }) => oid));
    for (const [at, { path }] of some.entries()) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), blobs[at] ?? "", { flag }).catch((error: unknown) => {
        if (!(flag === "wx" && error instanceof Error && "code" in error && error.code === "EEXIST"))
          throw error;
      });
    }
  }
}
