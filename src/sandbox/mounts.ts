// Builds the file system that an isolated command sees.
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
import { dirname, join } from "node:path";
import { errnoOf } from "../core/errors.ts";
import { isLiveProcess } from "../store/lock.ts";
import { findGit } from "./own-tools.ts";
import { isInside, isThere, outermost, showCaches, showMachine } from "./visible.ts";

const MARK = /^looplia-cover-(\d+)-[0-9a-f]{8}$/;
/** No other program makes a folder with this mode: the mode identifies our folder until its first mark exists. */
const MODE = 0o1700;
/** Another process may remove the folder between `mkdir` and the mark; this many attempts are made. */
const TRIES = 5;

type Cover = {
  /** Call before a command, and the returned function after it. Never touches a folder that has other files. */
  hold(): () => void;
  /** Removes the folder if killed processes left it behind. */
  clean(): void;
};

/** `folder`: the absolute path where git would look for a repository. */
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

/** The path of this process's mark; undefined if the folder is not ours or cannot be created. */
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

/** The marks in a folder that contains only marks; undefined for any other folder. */
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

/** True if the process of a mark has ended; then also removes the mark. */
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

/** False if the system refused. The caller reports a failed creation; a failed removal leaves the file in place. */
function quietly(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

// The part of the repository that an isolated command sees: history and index, read-only, without configuration.

/** Other entries (configuration, hooks, logs, fetched addresses) may contain keys or would be executed. */
const READABLE = "HEAD commondir gitdir index info objects packed-refs refs shallow".split(" ");
/** The only settings that git needs to read the repository. */
const SAFE_SETTINGS =
  /^\s*(?:repositoryformatversion|filemode|bare|ignorecase|objectformat|refstorage)\s*=\s*[\w-]+\s*$/i;

/** Arguments that show the repository; they follow the worktree's own. `scratch` gets a configuration without keys. */
function showGit(git: NonNullable<ReturnType<typeof findGit>>, scratch: string): string[] {
  const config = join(scratch, "git-config");
  mkdirSync(scratch, { recursive: true });
  writeFileSync(config, safeConfig(join(git.common, "config")));
  const folders = [...new Set([git.common, git.folder])];
  const covered = outermost(folders);
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

function safeConfig(path: string): string {
  const kept: string[] = [];
  let isSafe = false;
  for (const line of lstatSync(path, { throwIfNoEntry: false })
    ? readFileSync(path, "utf8").split("\n")
    : []) {
    if (/^\s*\[/.test(line)) {
      isSafe = /^\s*\[(?:core|extensions)\]\s*$/i.test(line);
      if (isSafe) kept.push(line);
    } else if (isSafe && SAFE_SETTINGS.test(line)) kept.push(line);
  }
  return `${kept.join("\n")}\n`;
}

// The disk that an isolated command sees, as arguments of bubblewrap. Later mounts cover earlier ones.

/** Root can write to these files even without capabilities, and some of them start programs outside the sandbox. */
const KERNEL = [
  "/proc/sys",
  "/proc/sysrq-trigger",
  "/proc/irq",
  "/proc/bus",
  "/proc/fs",
  "/proc/scsi",
  "/proc/acpi",
];

/** `closed`: paths that no command may read, the state and the runner's files. Missing paths are ignored. */
type MountPlan = Parameters<typeof showMachine>[0] & {
  /** Read-only paths in the worktree. An earlier command may have removed some of them. */
  kept: readonly string[];
  /** True if the command downloads packages: then the package caches are not mounted. */
  isFetching: boolean;
  /** Paths that are mounted read-only, at another path or at their own. */
  moved: readonly (readonly [from: string, to: string])[];
  /** True if the worktree is mounted read-only. */
  isReadOnly: boolean;
  /** Paths in a read-only worktree that the command can write. */
  written: readonly string[];
  /** Where the command starts. */
  folder: string;
};

/** Throws a TypeError with the reason if this root cannot be isolated. */
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
    ...(plan.isFetching || plan.isBare ? [] : showCaches(home)),
    ...outermost(covered).flatMap((path) => hide(path, scratch)),
    ...(isTopShown ? ["--ro-bind", git.top, git.top] : []),
    ...["--bind", root, root],
    // These mounts come first because each one exposes everything below its folder.
    ...foldersAbove(root, [...inside, ...kept]).flatMap((folder) => ["--bind", folder, folder]),
    ...inside.flatMap((path) => [...hide(path, scratch), "--remount-ro", path]),
    ...kept.flatMap((path) => ["--ro-bind", path, path]),
    ...(git ? showGit(git, scratch) : []),
    // Commands must not create a repository here: its hooks would run the next time a person uses git.
    ...(git?.top === root
      ? []
      : [...["--tmpfs", join(root, ".git")], ...["--remount-ro", join(root, ".git")]]),
    ...plan.moved.flatMap(([from, to]) => ["--ro-bind", from, to]),
    ...(plan.isReadOnly ? ["--remount-ro", root] : []),
    ...plan.written.flatMap((path) => ["--bind", path, path]),
    ...["--remount-ro", "/", "--chdir", plan.folder],
  ];
}

/** The folders between the root and these paths, topmost first. A command cannot rename a folder that is a mount. */
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
