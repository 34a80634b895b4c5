// A copy of the files of a worktree as they are now: its trusted bytes, if no command has run yet.
import { constants, realpathSync } from "node:fs";
import { copyFile, lstat, mkdir, readlink, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../core/errors.ts";
import { isInside, realOrExpected } from "../sandbox/visible.ts";
import { listWorktree, onDisk } from "./walk.ts";

const AT_ONCE = 16;

/**
 * Copies what git tracks or does not ignore (without git, every file outside `node_modules`) into an empty folder.
 * Leaves out the folders `closed`, and whatever is no plain file or link: also nested repositories.
 */
export async function copyFiles(
  root: string,
  folder: string,
  place: { environment: Record<string, string>; closed: readonly string[] },
): Promise<void> {
  const real = realpathSync(root);
  const closed = [...place.closed, join(real, ".looplia", "state")].map(realOrExpected);
  const listed = (await listWorktree(real, place.environment)).filter(
    (path) =>
      !closed.some((one) =>
        isInside(one, Buffer.concat([Buffer.from(`${real}/`), Buffer.from(path, "latin1")]).toString()),
      ),
  );
  for (let next = 0; next < listed.length; next += AT_ONCE) {
    const some = listed.slice(next, next + AT_ONCE);
    await Promise.all(some.map((path) => copyOne(onDisk(real, path), onDisk(folder, path))));
  }
}

/** A file that is gone, or can't be read, is left out. */
async function copyOne(from: Buffer, to: Buffer): Promise<void> {
  try {
    const found = await lstat(from);
    if (!found.isFile() && !found.isSymbolicLink()) return;
    await mkdir(Buffer.from(dirname(to.toString("latin1")), "latin1"), { recursive: true });
    if (found.isSymbolicLink()) await symlink(await readlink(from, { encoding: "buffer" }), to);
    else await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "EACCES", "EPERM"].includes(errnoOf(error) ?? "")) throw error;
  }
}
