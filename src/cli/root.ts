// Finds the repository's root for a person who stands anywhere in it.
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, parse } from "node:path";
import { quietly } from "../core/errors.ts";

/**
 * The outermost folder within the git root that has the settings file, else the git root, else `cwd` (absolute). The home folder
 * and the file system's root are never found. Lists and state never decide: a command can put them anywhere.
 */
export function findRoot(cwd: string, settingsFile: string, home = homedir()): string {
  const within = foldersToGitRoot(cwd, realOf(home));
  const [outermost] = within;
  if (outermost === undefined) return cwd;
  return within.find((folder) => existsSync(join(folder, settingsFile))) ?? outermost;
}

/** From the git root down to `cwd`; empty outside a repository. */
function foldersToGitRoot(cwd: string, home: string): string[] {
  const folders: string[] = [];
  for (let at = cwd; at !== parse(at).root && realOf(at) !== home; at = dirname(at)) {
    folders.unshift(at);
    if (existsSync(join(at, ".git"))) return folders;
  }
  return [];
}

function realOf(path: string): string {
  return quietly(() => realpathSync(path)) ?? path;
}
