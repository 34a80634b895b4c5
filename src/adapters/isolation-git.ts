// What an isolated command sees of the repository: history and index to read, no configuration, nothing to write.
import { lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errnoOf } from "../errors.ts";
import { isInside } from "./inside.ts";

/** Where a worktree's git is: its own folder, and the one that worktrees share. */
export type GitPlace = {
  /** Of the worktree, with `.git` in it. */
  top: string;
  folder: string;
  common: string;
  isFile: boolean;
};

/** All else (configuration, hooks, logs, fetched addresses) may hold a key, or would run. */
const READABLE = "HEAD commondir gitdir index info objects packed-refs refs shallow".split(" ");
/** Of the configuration: what git must know to read the rest. */
const SAFE_SETTINGS =
  /^\s*(?:repositoryformatversion|filemode|bare|ignorecase|objectformat|refstorage)\s*=\s*[\w-]+\s*$/i;

/** The git of the folder or of the nearest one above it; undefined where there is none, or none that can be read. */
export function findGit(root: string): GitPlace | undefined {
  for (let top = root; ; top = dirname(top)) {
    const found = statOf(join(top, ".git"));
    const git = found && describe(top, found.isFile());
    if (git) return git;
    if (top === dirname(top)) return undefined;
  }
}

/** Arguments that show it: to be given after the worktree's own. `scratch`: a folder for a configuration without keys. */
export function showGit(git: GitPlace, scratch: string): string[] {
  const config = join(scratch, "git-config");
  mkdirSync(scratch, { recursive: true });
  writeFileSync(config, safeConfig(join(git.common, "config")));
  const folders = [...new Set([git.common, git.folder])];
  const covered = folders.filter(
    (folder) => !folders.some((other) => other !== folder && isInside(other, folder)),
  );
  return [
    ...covered.flatMap((folder) => ["--tmpfs", folder]),
    ...folders.flatMap((folder) =>
      READABLE.map((name) => join(folder, name)).flatMap((path) => ["--ro-bind-try", path, path]),
    ),
    ...["--ro-bind", config, join(git.common, "config")],
    ...covered.flatMap((folder) => ["--remount-ro", folder]),
    ...(git.isFile ? ["--ro-bind", join(git.top, ".git"), join(git.top, ".git")] : []),
  ];
}

function describe(top: string, isFile: boolean): GitPlace | undefined {
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

function safeConfig(path: string): string {
  const kept: string[] = [];
  let isSafe = false;
  for (const line of statOf(path) ? readFileSync(path, "utf8").split("\n") : []) {
    if (/^\s*\[/.test(line)) {
      isSafe = /^\s*\[(?:core|extensions)\]\s*$/i.test(line);
      if (isSafe) kept.push(line);
    } else if (isSafe && SAFE_SETTINGS.test(line)) kept.push(line);
  }
  return `${kept.join("\n")}\n`;
}

function statOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}
