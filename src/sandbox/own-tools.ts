// Resolves git, bubblewrap and the hook once, outside every folder that a command can write to.
import { accessSync, constants, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { errnoOf, LoopliaError, quietly } from "../core/errors.ts";
import { isInside, realOrExpected } from "./visible.ts";

export type OwnTool = {
  /**
   * Returns its real path before each start. Throws `config-invalid` if an unisolated command has changed the
   * file.
   */
  path(): string;
};

const found = new Map<string, { real: string; tool: OwnTool }>();
let bareCommands = 0;

/** Call before each unisolated command: from then on tools are compared before they start. */
export function noteBareCommand(): void {
  bareCommands += 1;
}

/** How many commands have run without isolation. */
export function countBareCommands(): number {
  return bareCommands;
}

const checkouts = new Set<string>();

/** A checkout beside the worktrees: from now on its programs are not started either, whoever wrote them. */
export function noteCheckout(folder: string): void {
  checkouts.add(folder);
}

/**
 * Real folders that commands of a run in `root`, or of other runs in the same repository, can write to, and the noted
 * checkouts.
 */
export function writableFolders(root: string): string[] {
  return [...new Set([root, ...checkouts].flatMap(foldersOf))];
}

function foldersOf(root: string): string[] {
  const git = findGit(root);
  if (!git) return [root];
  const { top, common } = git;
  const checkout = basename(common) === ".git" ? [dirname(common)] : [];
  const all = new Set([root, top, ...checkout, ...worktreesOf(common)].map(realOrExpected));
  return [...all].filter((folder) => folder !== "/");
}

function worktreesOf(common: string): string[] {
  const records = join(common, "worktrees");
  const names = quietly(() => readdirSync(records)) ?? [];
  // Without that file it is no worktree.
  const files = names.map((name) => quietly(() => readFileSync(join(records, name, "gitdir"), "utf8")));
  return files.flatMap((text) => (text === undefined ? [] : [dirname(text.trim())].filter(isAbsolute)));
}

/** The folders of a search path that no command can write to, with their given names. */
export function ownSearchPath(searchPath: string, writable: readonly string[]): string {
  return searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWritable(folder, writable) && !isOfProject(folder))
    .join(delimiter);
}

/**
 * The tool of this name on the search path; undefined if it is only in writable folders. Searched once per
 * process, so that a later file is never used.
 */
export function findOwnTool(
  name: string,
  searchPath: string,
  writable: readonly string[],
): OwnTool | undefined {
  const own = ownSearchPath(searchPath, writable);
  const key = `${name}\0${own}`;
  const known = found.get(key);
  if (known && !isWritable(known.real, writable)) return known.tool;
  for (const folder of own.split(delimiter)) {
    const real = folder && programAt(join(folder, name));
    if (!real || isWritable(real, writable)) continue;
    const tool = pinTool(real);
    found.set(key, { real, tool });
    return tool;
  }
  return undefined;
}

/** The tool at this real path, in its present version. */
export function pinTool(path: string): OwnTool {
  const first = markOf(path);
  const since = bareCommands;
  return {
    path() {
      if (bareCommands === since || markOf(path) === first) return path;
      throw new LoopliaError(
        "config-invalid",
        `${path} was not started: a command without isolation may have changed it.`,
        { hint: "Check the file, reinstall it if you did not change it, and run again" },
      );
    },
  };
}

/** Checks the link itself and its target. */
function isWritable(path: string, writable: readonly string[]): boolean {
  const real = realOrExpected(path);
  return writable.some((folder) => isInside(folder, path) || isInside(folder, real));
}

/** Folders that package runners and virtual environments put first: they belong to a project. */
function isOfProject(folder: string): boolean {
  if (/[\\/]node_modules[\\/]\.bin[\\/]*$/.test(folder)) return true;
  // A folder that cannot be searched, such as root's after `sudo -u`, has no program to run either.
  return quietly(() => statSync(join(dirname(folder), "pyvenv.cfg"))) !== undefined;
}

function programAt(path: string): string | undefined {
  return quietly(() => {
    const real = realpathSync(path);
    accessSync(real, constants.X_OK);
    return statSync(real).isFile() ? real : undefined;
  });
}

function markOf(path: string): string {
  const now = statSync(path, { throwIfNoEntry: false, bigint: true });
  return now ? `${now.dev}:${now.ino}:${now.ctimeNs}` : "gone";
}

// The repository that a folder belongs to.

/** The git folders of a worktree: its own (`folder`) and the shared one (`common`). */
type GitFolders = {
  /** The top folder of the worktree, which contains `.git`. */
  top: string;
  folder: string;
  common: string;
  isFile: boolean;
};

/** The readable repository of this folder or of the nearest folder above it; undefined if there is none. */
export function findGit(root: string): GitFolders | undefined {
  for (let top = root; ; top = dirname(top)) {
    const found = statOf(join(top, ".git"));
    const git = found && describe(top, found.isFile());
    if (git) return git;
    if (top === dirname(top)) return undefined;
  }
}

function describe(top: string, isFile: boolean): GitFolders | undefined {
  try {
    const named = isFile ? /^gitdir: (.+)$/m.exec(readFileSync(join(top, ".git"), "utf8"))?.[1] : ".git";
    if (named === undefined) return undefined;
    const folder = realpathSync(resolve(top, named));
    const shared = statOf(join(folder, "commondir"));
    const common = shared ? readFileSync(join(folder, "commondir"), "utf8").trim() : ".";
    if (!statOf(join(folder, "HEAD"))) return undefined;
    return { top, folder, common: realpathSync(resolve(folder, common)), isFile };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

function statOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}
