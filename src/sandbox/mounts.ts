// What an isolated command sees of the disk.
import { randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errnoOf } from "../core/errors.ts";
import { isLiveProcess } from "../store/lock.ts";
import { isInside } from "./paths.ts";
import { isThere, outermost, showCaches, showMachine } from "./visible.ts";

const MARK = /^looplia-cover-(\d+)-[0-9a-f]{8}$/;
/** Nobody makes a folder with this mode by chance: it says whose it is before its first mark is there. */
const MODE = 0o1700;
/** As often as others may take the folder away in between. */
const TRIES = 5;

export type Cover = {
  /** Before a command; gives what is to be called when it has ended. A folder that is somebody's is left alone. */
  hold(): () => void;
  /** Takes away what processes left that were killed. */
  clean(): void;
};

/** `folder`: absolute, where the repository would be. */
export function openCover(folder: string): Cover {
  let holders = 0;
  let mark: string | undefined;
  return {
    hold() {
      mark ??= cover(folder);
      if (mark === undefined) return () => {};
      holders += 1;
      return () => {
        holders -= 1;
        if (holders > 0 || mark === undefined) return;
        remove(mark);
        mark = undefined;
        removeEmpty(folder);
      };
    },
    clean() {
      if (holders === 0 && marksIn(folder)?.every(isGone)) removeEmpty(folder);
    },
  };
}

/** The path of this process's mark; undefined where the folder is not ours, or can't be made. */
function cover(folder: string): string | undefined {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const isMade = quietly(() => mkdirSync(folder, { mode: MODE }));
    const marks = isMade ? [] : marksIn(folder);
    if (!marks) return undefined;
    marks.forEach(isGone);
    const mark = join(folder, `looplia-cover-${process.pid}-${randomBytes(4).toString("hex")}`);
    if (quietly(() => writeFileSync(mark, "", { flag: "wx" }))) return mark;
  }
  return undefined;
}

/** The marks of a folder that has nothing else; undefined for any other folder. */
function marksIn(folder: string): string[] | undefined {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory()) return undefined;
    const names = readdirSync(folder);
    if (names.length === 0 && (found.mode & 0o1777) !== MODE) return undefined;
    return names.every((name) => MARK.test(name)) ? names.map((name) => join(folder, name)) : undefined;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** True where the process of a mark is no more; its mark goes as well. */
function isGone(mark: string): boolean {
  const pid = Number(/-(\d+)-[0-9a-f]+$/.exec(mark)?.[1]);
  if (isLiveProcess(pid)) return false;
  remove(mark);
  return true;
}

function remove(mark: string): void {
  quietly(() => unlinkSync(mark));
}

function removeEmpty(folder: string): void {
  quietly(() => rmdirSync(folder));
}

/** False where the system refused: what can't be made is told by the one who needs it, what can't be removed stays. */
function quietly(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

// What an isolated command sees of the repository: history and index to read, no configuration, nothing to write.

/** Where a worktree's git is: its own folder, and the one that worktrees share. */
type GitFolders = {
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
export function findGit(root: string): GitFolders | undefined {
  for (let top = root; ; top = dirname(top)) {
    const found = statOf(join(top, ".git"));
    const git = found && describe(top, found.isFile());
    if (git) return git;
    if (top === dirname(top)) return undefined;
  }
}

/** Arguments that show it: to be given after the worktree's own. `scratch`: a folder for a configuration without keys. */
function showGit(git: GitFolders, scratch: string): string[] {
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

// What an isolated command sees of the disk, as arguments of bubblewrap. Later ones lie over earlier ones.

/** Root writes to them even without capabilities, and some of them start programs outside. */
const KERNEL = [
  "/proc/sys",
  "/proc/sysrq-trigger",
  "/proc/irq",
  "/proc/bus",
  "/proc/fs",
  "/proc/scsi",
  "/proc/acpi",
];

type MountPlan = {
  /** The real folder that the command may write. */
  root: string;
  /** A folder of this run; `tmp` in it becomes `/tmp`. */
  scratch: string;
  /** Closed to commands wherever they are: state, the runner's files. Those that are not there are left out. */
  closed: readonly string[];
  /** To be read all the same. */
  shown: readonly string[];
  /** In the worktree: to be read, never written. An earlier command may have removed some. */
  kept: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** Packages are not shown as they were fetched before. */
  isFetching: boolean;
  /** Files to be read at another path: where they are, where they are shown. */
  moved: readonly (readonly [from: string, to: string])[];
  /** The worktree can only be read. */
  isReadOnly: boolean;
};

/** Throws a TypeError with the reason where nothing sensible can be shown. */
export function mountArguments(plan: MountPlan): string[] {
  const { root, scratch, environment } = plan;
  const { HOME: home = "/root" } = environment;
  const closed = plan.closed.filter(isThere).map((path) => realpathSync(path));
  if (["/", "/tmp", "/dev", "/proc", "/sys", home].includes(root) || closed.includes(root)) {
    throw new TypeError(`${root} is a home or a folder of the system; work in a folder of its own`);
  }
  if (lstatSync(join(root, ".git"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new TypeError(`${root}/.git is a link, which a command could replace`);
  }
  for (const folder of ["tmp/home", "shm"]) mkdirSync(join(scratch, folder), { recursive: true });
  writeFileSync(join(scratch, "empty"), "");
  const machine = showMachine({ ...plan, closed });
  const git = findGit(root);
  const inside = closed.filter((path) => path !== root && isInside(root, path));
  const covered = closed.filter(
    (path) =>
      !isInside(root, path) && machine.folders.some((folder) => isInside(folder, path) && folder !== path),
  );
  const kept = plan.kept.filter((path) => isThere(path) && !inside.some((folder) => isInside(folder, path)));
  const isTopShown =
    git !== undefined &&
    ![root, home, "/"].includes(git.top) &&
    !closed.some((path) => isInside(git.top, path));
  return [
    ...machine.args,
    ...["--proc", "/proc", "--dev", "/dev"],
    ...KERNEL.filter(isThere).flatMap((path) => ["--ro-bind", path, path]),
    ...["--bind", join(scratch, "shm"), "/dev/shm", "--remount-ro", "/dev"],
    ...["--bind", join(scratch, "tmp"), "/tmp"],
    ...(plan.isFetching ? [] : showCaches(home)),
    ...outermost(covered).flatMap((path) => hide(path, scratch)),
    ...(isTopShown ? ["--ro-bind", git.top, git.top] : []),
    ...["--bind", root, root],
    // All of them first: each shows what lies below it as it is on the disk.
    ...foldersAbove(root, [...inside, ...kept]).flatMap((folder) => ["--bind", folder, folder]),
    ...inside.flatMap((path) => [...hide(path, scratch), "--remount-ro", path]),
    ...kept.flatMap((path) => ["--ro-bind", path, path]),
    ...(git ? showGit(git, scratch) : []),
    // Where there is no repository none can be made: its hooks would run whenever a person uses git here.
    ...(git?.top === root
      ? []
      : [...["--tmpfs", join(root, ".git")], ...["--remount-ro", join(root, ".git")]]),
    ...plan.moved.flatMap(([from, to]) => ["--ro-bind", from, to]),
    ...(plan.isReadOnly ? ["--remount-ro", root] : []),
    ...["--remount-ro", "/", "--chdir", root],
  ];
}

/** Folders on the way to these paths: mounted by themselves they can't be moved away. Each once, from the top. */
function foldersAbove(root: string, paths: readonly string[]): string[] {
  const above = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== root; folder = dirname(folder)) above.add(folder);
  }
  return [...above].sort((one, other) => one.length - other.length);
}

function hide(path: string, scratch: string): string[] {
  return statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", join(scratch, "empty"), path];
}
