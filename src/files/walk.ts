// Globs in linear time, folder walks and snapshots.
import { createHash } from "node:crypto";
import { closeSync, constants, type Dirent, type Stats } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { errnoOf, LoopliaError, messageOf } from "../core/errors.ts";
import { sha256Of } from "../core/json.ts";
import { writableFolders } from "../sandbox/own-tools.ts";
import { isInside } from "../sandbox/visible.ts";
import { refusal, showPath, TEMPORARY_PREFIX } from "./names.ts";
import { openPinned } from "./pinned.ts";

/** A test for paths: `*`, `?`, `**`, `[a-z]`, `{a,b}`. A glob without `/` only matches the last name. */
export async function compileGlob(glob: string): Promise<(path: string) => boolean> {
  const { RE2JS } = await import("re2js");
  let pattern: InstanceType<typeof RE2JS>;
  try {
    pattern = RE2JS.compile(toPattern(glob), RE2JS.DOTALL);
  } catch (error) {
    throw refusal(
      `The glob ${showPath(glob)} was refused: ${messageOf(error)}.`,
      "Write it as src/**/*.ts.",
      error,
    );
  }
  const isName = !glob.includes("/");
  return (path) => pattern.testExact(isName ? path.slice(path.lastIndexOf("/") + 1) : path);
}

/** The RE2 syntax of a glob; unmatched brackets and braces are literal. */
function toPattern(glob: string): string {
  const tokens = glob.replace(/^\.?\//, "").match(/\*\*\/|\*+|\?|\[[!^]?[^/\]]+\]|\\.|./gsu) ?? [];
  let open = 0;
  let closable = glob.split("}").length - 1;
  const translated = tokens.map((token) => {
    if (token === "**/") return "(?:.*/)?";
    if (/^\*/.test(token)) return token.length > 1 ? ".*" : "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 1 && token.startsWith("[")) return toClass(token);
    if (token === "{" && closable > 0) {
      open += 1;
      closable -= 1;
      return "(?:";
    }
    if (token === "}" && open > 0) {
      open -= 1;
      return ")";
    }
    if (token === "," && open > 0) return "|";
    return quote(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
  });
  return translated.join("") + ")".repeat(open);
}

function toClass(token: string): string {
  const isNegated = /^\[[!^]/.test(token);
  const inner = token.slice(isNegated ? 2 : 1, -1).replace(/[\\^[\]&~]/g, "\\$&");
  return `[${isNegated ? "^/" : ""}${inner}]`;
}

function quote(token: string): string {
  return token.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
}

// Lists folders and walks trees of files without following a link.

/** A walk gives up after this many entries, so that a huge tree can't block the run. */
const MAX_ENTRIES = 200_000;

/** Entries of a real folder that was checked; without unfinished files. */
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
 * Paths of regular files below a real folder, relative to it, in code unit order. `enter` decides whether a
 * relative path is of interest, `passLink` gets the path of each link. Skips unreadable folders.
 */
export async function* walkFiles(
  real: string,
  enter: (path: string) => boolean,
  passLink: (path: string) => void = () => {},
): AsyncGenerator<string> {
  let seen = 0;
  const stack: { path: string; isFolder: boolean }[] = [{ path: "", isFolder: true }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!next.isFolder) {
      yield next.path;
      continue;
    }
    const { path: folder } = next;
    const pathOf = ({ name }: Dirent) => (folder ? `${folder}/${name}` : name);
    const entries = await readableEntries(join(real, folder));
    for (const entry of entries) if (entry.isSymbolicLink()) passLink(pathOf(entry));
    const below = entries
      .filter((entry) => entry.isDirectory() || entry.isFile())
      .map((entry) => ({ path: pathOf(entry), isFolder: entry.isDirectory() }))
      .filter((entry) => enter(entry.path));
    seen += below.length;
    if (seen > MAX_ENTRIES) {
      throw new LoopliaError(
        "config-invalid",
        `There are more than ${MAX_ENTRIES} files below this folder.`,
        {
          hint: "Name a folder further down.",
        },
      );
    }
    stack.push(...below.sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1)));
  }
}

/** With its slash, a folder sorts among its files. */
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

// One hash of all files that a command may see in the worktree. Writes nothing and runs no filter or hook of
// git. Only .gitignore files, which the hash covers, exclude files. Paths are latin1, because names need not
// be UTF-8.

/** Hashing more would block the run for minutes. */
const MAX_FILES = 200_000;
const AT_ONCE = 16;

/**
 * SHA-256 (hex) of path, kind and bytes of every file below `root` (a real path) that git does not ignore;
 * without git, of every file outside `node_modules`. Leaves out the real folders `closed`; `pending` texts
 * replace files.
 */
export async function takeSnapshot(
  root: string,
  place: { environment: Record<string, string>; closed: readonly string[] },
  pending: ReadonlyMap<string, string> = new Map(),
): Promise<string> {
  const closed = place.closed.map((folder) => toBytes(relative(root, folder)));
  const listed = await listWorktree(root, place.environment);
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

/**
 * The files of a snapshot, relative to `root`, with names as latin1: bytes, which need not be UTF-8. A nested
 * repository is one path.
 */
export async function listWorktree(root: string, environment: Record<string, string>): Promise<string[]> {
  return (await listWithGit(root, environment)) ?? (await listBelow(root, ""));
}

/**
 * Tracked files, and untracked ones that no .gitignore names; undefined without git or outside a repository.
 */
async function listWithGit(root: string, environment: Record<string, string>): Promise<string[] | undefined> {
  const { createGit, gitEnvironment } = await import("../sandbox/git-process.ts");
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

/**
 * Every file and link below a folder, including nested repositories, for which git lists only the folder's
 * name. Their packages are included: they run as likely as the code that imports them, and no .gitignore
 * excludes them.
 */
async function listBelow(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [{ path: folder, isNested: folder !== "" }];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await entriesOf(root, next.path);
    const names = entries.map((entry) => entry.name.toString("latin1"));
    const isNested = next.isNested || (next.path !== "" && names.includes(".git"));
    for (const [at, entry] of entries.entries()) {
      const name = names[at] ?? "";
      if (name === ".git" || (name === "node_modules" && !isNested)) continue;
      const path = next.path === "" ? name : `${next.path}/${name}`;
      if (entry.isDirectory()) folders.push({ path, isNested });
      else found.push(path);
    }
    if (found.length + folders.length > MAX_FILES) {
      throw new LoopliaError("config-invalid", `There are more than ${MAX_FILES} files in this folder.`, {
        hint: "Work in a git repository whose .gitignore covers generated files.",
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

/** A path with its kind and hash; for a folder, each of its files; empty for a missing path. */
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

export function onDisk(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

function toBytes(path: string): string {
  return Buffer.from(path).toString("latin1");
}
