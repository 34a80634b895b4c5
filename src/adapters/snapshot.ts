// One hash for all that a command may find in the worktree. Nothing is written, no filter or hook of git runs, and only
// the .gitignore files, which the hash covers, say what is left out. Paths are latin1: names need not be UTF-8.
import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { relative } from "node:path";
import { errnoOf, LoopliaError, messageOf } from "../errors.ts";
import { sha256Of } from "../session/hash.ts";
import { createGit, gitEnvironment } from "./git-process.ts";
import { isInside } from "./inside.ts";
import { writableFolders } from "./own-tools.ts";
import { TEMPORARY_PREFIX } from "./write-atomic.ts";

/** Beyond these, hashing would hold the run for minutes. */
const MAX_FILES = 200_000;
const AT_ONCE = 16;

/**
 * SHA-256 (hex) over path, kind and bytes of every file below `root` (a real path) but what git ignores; without git,
 * of every file outside `node_modules`. `closed` are real folders left out; `pending` are texts that files would have.
 */
export async function takeSnapshot(
  root: string,
  place: { environment: Record<string, string>; closed: readonly string[] },
  pending: ReadonlyMap<string, string> = new Map(),
): Promise<string> {
  const closed = place.closed.map((folder) => toBytes(relative(root, folder)));
  const listed = (await listWithGit(root, place.environment)) ?? (await listBelow(root, ""));
  const entries = new Map<string, string>();
  for (let next = 0; next < listed.length; next += AT_ONCE) {
    const some = listed.slice(next, next + AT_ONCE).filter((path) => isCovered(path, closed));
    const described = await Promise.all(some.map((path) => describePath(root, path)));
    for (const [path, entry] of described.flat()) if (isCovered(path, closed)) entries.set(path, entry);
  }
  for (const [name, text] of pending) {
    const path = toBytes(name);
    const mode = entries.get(path)?.split(" ")[0] ?? "file";
    entries.set(path, `${mode} ${sha256Of(text)}`);
  }
  const whole = createHash("sha256");
  for (const path of [...entries.keys()].sort()) whole.update(`${entries.get(path)} ${path}\0`, "latin1");
  return whole.digest("hex");
}

/** What git tracks and what no .gitignore names; undefined where there is no git, or git knows nothing of the folder. */
async function listWithGit(root: string, environment: Record<string, string>): Promise<string[] | undefined> {
  const writable = writableFolders(root);
  const git = createGit({
    folder: root,
    home: "/dev/null",
    remote: "",
    token: undefined,
    environment: { ...gitEnvironment(environment, writable), GIT_ALLOW_PROTOCOL: "none" },
    writable,
  });
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-per-directory=.gitignore"];
  const listed = await git(args).catch(() => undefined);
  const paths = listed?.stdout.toString("latin1").split("\0").filter(Boolean) ?? [];
  return paths.length > 0 ? [...new Set(paths)] : undefined;
}

/** Every file and link below a folder, in repositories inside it too: git lists only the name of such a folder. */
async function listBelow(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await entriesOf(root, next)) {
      const name = entry.name.toString("latin1");
      if (name === ".git" || name === "node_modules") continue;
      const path = next === "" ? name : `${next}/${name}`;
      if (entry.isDirectory()) folders.push(path);
      else found.push(path);
    }
    if (found.length + folders.length > MAX_FILES) {
      throw new LoopliaError("config-invalid", `There are more than ${MAX_FILES} files in this folder.`, {
        hint: "Work in a git repository that ignores what is made.",
      });
    }
  }
  return found;
}

async function entriesOf(root: string, folder: string) {
  try {
    return await readdir(onDisk(root, folder), { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    if (["EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return [];
    throw error;
  }
}

/** A path with its kind and hash; a folder's files one by one; nothing for what is gone. */
async function describePath(root: string, listed: string): Promise<[string, string][]> {
  const path = listed.replace(/\/$/, "");
  try {
    const found = await lstat(onDisk(root, path));
    if (!found.isDirectory()) return [[path, await describeFile(onDisk(root, path), found)]];
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return [];
    return [[path, `unreadable ${errnoOf(error) ?? messageOf(error)}`]];
  }
  const below = await listBelow(root, path);
  const described: [string, string][] = [];
  for (const file of below) described.push(...(await describePath(root, file)));
  return described;
}

async function describeFile(path: Buffer, found: Stats): Promise<string> {
  if (found.isSymbolicLink()) {
    return `link ${(await readlink(path, { encoding: "buffer" })).toString("hex")}`;
  }
  if (!found.isFile()) return "other";
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(Math.min(found.size + 1, 1024 * 1024));
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
    }
    return `${(found.mode & 0o100) === 0 ? "file" : "executable"} ${hash.digest("hex")}`;
  } finally {
    await handle.close();
  }
}

function isCovered(path: string, closed: readonly string[]): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return !name.startsWith(TEMPORARY_PREFIX) && !closed.some((folder) => isInside(folder, path));
}

function onDisk(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

function toBytes(path: string): string {
  return Buffer.from(path).toString("latin1");
}
