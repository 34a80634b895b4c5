// The trusted export: the whole tree of the trusted ref in a folder of the program's own, which no command can write
// to. What starts outside of commands' isolation, or with keys of its own, starts there.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { chmod, lstat, readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError, quietly } from "../core/errors.ts";
import { removeScratch } from "./isolation.ts";
import { countBareCommands } from "./own-tools.ts";
import { isInside, realOrExpected } from "./visible.ts";

export type TrustedExport = {
  /** The folder of the whole tree. */
  readonly top: string;
  /** A folder beside it, for more that no command can write to; it does not exist yet. */
  readonly beside: string;
  /** Copies the tree, if that has not happened. */
  begin(): Promise<void>;
  /** Resolves once the tree is copied and prepared. Throws `config-invalid` where a command has changed it since. */
  ready(): Promise<void>;
  close(): Promise<void>;
};

/** Makes the folder, which is empty until `begin` or `ready`. */
export function openTrustedExport(place: {
  /** Folders that the export may be made in, the best first. */
  parents: readonly string[];
  /** Folders that commands can write to. */
  writable: readonly string[];
  copyTo(folder: string): Promise<void>;
  /** Runs the setup in the copied tree. */
  prepare(): Promise<void>;
}): TrustedExport {
  const parent = mkdtempSync(join(parentOf(place), "looplia-export-"));
  const top = join(parent, "tree");
  mkdirSync(top);
  let copied: Promise<Mark> | undefined;
  let prepared: Promise<Mark> | undefined;
  const copy = async (): Promise<Mark> => {
    await place.copyTo(top);
    await removeLinksOut(top);
    return markOf(top);
  };
  const prepare = async (): Promise<Mark> => {
    copied ??= copy();
    requireSame(await isAsMarked(top, await copied));
    await place.prepare();
    await makeReadOnly(top);
    return markOf(top);
  };
  return {
    top,
    beside: join(parent, "more"),
    async begin() {
      copied ??= copy();
      await copied;
    },
    async ready() {
      prepared ??= prepare();
      requireSame(await isAsMarked(top, await prepared));
    },
    async close() {
      await Promise.allSettled([copied, prepared]);
      await removeScratch(parent);
    },
  };
}

function parentOf({
  parents,
  writable,
}: {
  parents: readonly string[];
  writable: readonly string[];
}): string {
  const outside = parents.find((folder) => {
    const real = quietly(() => realpathSync(folder));
    return real !== undefined && !writable.some((one) => isInside(one, real));
  });
  if (outside !== undefined) return realOrExpected(outside);
  throw new LoopliaError(
    "config-invalid",
    "A hook or an MCP server needs a temporary folder outside the repository, and there is none.",
    { hint: "Set TMPDIR to a folder outside the repository." },
  );
}

/** A link that leads out would lead to bytes that nobody trusted. */
async function removeLinksOut(top: string): Promise<void> {
  for (const entry of await readdir(top, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || !isInside(top, real)) await rm(path);
  }
}

// Commands without isolation can write anywhere, so after one the tree is compared.

type Mark = { hash: string; bareCommands: number };

async function markOf(top: string): Promise<Mark> {
  return { hash: await hashOf(top), bareCommands: countBareCommands() };
}

async function isAsMarked(top: string, { hash, bareCommands }: Mark): Promise<boolean> {
  return bareCommands === countBareCommands() || hash === (await hashOf(top));
}

function requireSame(isSame: boolean): void {
  if (isSame) return;
  throw new LoopliaError(
    "config-invalid",
    "The trusted files are not used: a command without isolation has changed them.",
    { hint: "Look at what that command does, and run again." },
  );
}

/** Of names, inodes and times of change, but for the top itself: covers of `.git` come and go there. */
async function hashOf(top: string): Promise<string> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  const paths = entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !isCover(top, path));
  const hash = createHash("sha256");
  for (const path of paths.sort()) {
    const { ino, ctimeNs, mode } = await lstat(path, { bigint: true });
    hash.update(`${path}\0${ino} ${ctimeNs} ${mode}\0`);
  }
  return hash.digest("hex");
}

function isCover(top: string, path: string): boolean {
  return isInside(join(top, ".git"), path);
}

/** The top stays writable for covers of `.git`. */
async function makeReadOnly(top: string): Promise<void> {
  for (const entry of await readdir(top, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mode } = await lstat(path);
    await chmod(path, mode & 0o555);
  }
}
