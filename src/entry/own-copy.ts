// Where this installation lies in the worktree, as in its `node_modules`, a command could rewrite it while it runs. Then the
// program continues from a copy that no isolated command sees. (A read-only mount does not do: the folder above it can be
// moved, and `npm ci` breaks.) Needs Node's own modules only, because nothing else may be loaded from the first place.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

/** These start no command in the worktree. */
const LOOKS = new Set("demo version help init doctor status ls tail report audit plan expire".split(" "));
/** What the program reads of its installation. */
const PARTS = "package.json dist examples isolation pipelines prompts looplia.schema.json".split(" ");

/**
 * The folders that commands of this start may write to: those that arguments name, else the current one, and the checkouts
 * around them.
 */
export function worktreesOf(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const words = [...argv, environment.LOOPLIA_WORKING_DIRECTORY ?? ""].map((word) =>
    word.replace(/^--[\w-]+=/, ""),
  );
  const named = words.flatMap((word) => (word === "" ? [] : realOf(resolve(word)))).filter(isFolder);
  const [before = "", last = ""] = argv.slice(-2);
  // The last word may be a flag's.
  const isGiven = argv.length > 1 && isFolder(resolve(last)) && !before.startsWith("--");
  const folders = isGiven ? named : [...named, ...realOf(".")];
  return [...new Set(folders.flatMap((folder) => [folder, ...checkoutsOf(folder)]))];
}

/** Whether a path, which need not exist, is below one of these folders. */
export function isBelowAny(folders: readonly string[], path: string): boolean {
  const [real = path] = realOf(path);
  if (folders.some((folder) => isBelow(folder, real))) return true;
  return real === path && dirname(path) !== path && !existsSync(path) && isBelowAny(folders, dirname(path));
}

/** The folder of a copy, which is removed when the process ends; undefined where none is needed. */
export function copyOutside(
  /** The folder of this installation, without links. */
  installed: string,
  [command = ""]: readonly string[],
  worktrees: readonly string[],
): string | undefined {
  if (LOOKS.has(command) || !isBelowAny(worktrees, installed)) return undefined;
  const isOutside = (folder: string) => !worktrees.includes(folder) && !isBelowAny(worktrees, folder);
  const parent = [tmpdir(), "/tmp", "/var/tmp", homedir()].flatMap(realOf).find(isOutside);
  if (parent === undefined) {
    throw new Error(
      `${installed} is in the worktree, where commands could change this program, and there is no temporary folder outside: install looplia outside the repository, or set TMPDIR`,
    );
  }
  removeLeft(parent);
  const copy = mkdtempSync(join(parent, `looplia-program-${process.pid}-`));
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  for (const part of PARTS) {
    if (existsSync(join(installed, part)))
      cpSync(join(installed, part), join(copy, part), { recursive: true });
  }
  return copy;
}

/** Whether an installation is such a copy. */
export function isCopy(installed: string): boolean {
  return /[\\/]looplia-program-\d+-[^\\/]+[\\/]?$/.test(installed);
}

/** The folders around this one that have a `.git`; of a linked worktree the main one as well. */
function checkoutsOf(folder: string): string[] {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, ".git");
    if (existsSync(git)) found.push(at, ...mainOf(git));
    if (at === dirname(at)) return found;
  }
}

function mainOf(git: string): string[] {
  if (isFolder(git)) return [];
  const [, main] = /^gitdir: (.+)[\\/]\.git[\\/]worktrees[\\/]/.exec(readFileSync(git, "utf8")) ?? [];
  return main === undefined ? [] : realOf(resolve(dirname(git), main));
}

/** Empty for what does not exist: any text may be an argument. */
function realOf(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isBelow(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return !rest.startsWith("..") && rest !== path;
}

/** Copies of processes that were killed. */
function removeLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^looplia-program-(\d+)-/.exec(name) ?? [];
    const path = join(parent, name);
    if (pid === undefined || isLive(Number(pid))) continue;
    if (statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

function isLive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
