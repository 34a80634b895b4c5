// What of a worktree is committed: all that git does not ignore, but what the program must not or cannot push.
import { lstat, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "../errors.ts";
import { NO_OBJECT, rowsOf } from "./git-commit.ts";
import type { Git, GitCall } from "./git-process.ts";
import { TEMPORARY_PREFIX } from "./write-atomic.ts";

/** GitHub refuses a push with a larger file. */
const MAX_BYTES = 100 * 1024 * 1024;
const WORKFLOWS = /^\.github\/workflows(\/|$)/i;
const STATE = /(^|\/)\.looplia\/state(\/|$)/i;

export type Place = NonNullable<GitCall["worktree"]>;

/** A path that differs from the index: gone, a regular file, or another thing that git can keep (a link). */
export type Change = { path: string; kind: "removed" | "file" | "other" };

/** `leftOut`: a sentence for each path that is not committed though it changed. */
export async function listChanges(
  git: Git,
  place: Place,
): Promise<{ changes: Change[]; leftOut: Map<string, string> }> {
  const rows = await listPaths(git, place);
  const changes: Change[] = [];
  const leftOut = new Map<string, string>();
  for (const path of new Set(rows)) {
    if (STATE.test(path) || basename(path).startsWith(TEMPORARY_PREFIX)) continue;
    if (WORKFLOWS.test(path)) {
      leftOut.set(path, "was left out: the job's token may not change workflows");
      continue;
    }
    if (path.includes("\ufffd")) {
      leftOut.set(path, "was left out: its name is not UTF-8");
      continue;
    }
    const found = await lstat(join(place.root, path)).catch(() => undefined);
    if (!found) changes.push({ path, kind: "removed" });
    else if (found.isDirectory()) {
      if (await isSubmoduleOrRepository(git, place, path))
        leftOut.set(path, "was left out: it is a repository of its own");
      else changes.push({ path, kind: "removed" });
    } else if (found.isFile() && found.size > MAX_BYTES)
      leftOut.set(path, "was left out: it is over 100 MiB");
    else changes.push({ path, kind: found.isFile() ? "file" : "other" });
  }
  return { changes, leftOut };
}

async function listPaths(git: Git, place: Place): Promise<string[]> {
  const args = "ls-files -z --modified --deleted --others --exclude-per-directory=.gitignore".split(" ");
  const list = () => git(args, { worktree: place });
  return rowsOf((await tryAgain(list, wasCut)).stdout);
}

/** Writes files as the index has them, whatever is in their place. */
export async function checkOut(git: Git, place: Place, paths: readonly string[]): Promise<void> {
  const args = ["checkout-index", "--force", "-u", "-z", "--stdin"];
  const input = paths.map((path) => `${path}\0`).join("");
  await tryAgain(
    async () => {
      await unlockIndex(place);
      return git(args, { worktree: place, input });
    },
    () => true,
  );
}

/** As often as commands may change files under git. */
const TRIES = 5;

async function tryAgain<T>(work: () => Promise<T>, mayHelp: (thrown: unknown) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (tries === TRIES || !mayHelp(thrown)) throw thrown;
    }
  }
}

/** A folder that git lists as one path: a repository inside, or where a committed file or submodule was. */
async function isSubmoduleOrRepository(git: Git, place: Place, path: string): Promise<boolean> {
  if (path.endsWith("/")) return true;
  const listed = await git(["--literal-pathspecs", "ls-files", "-s", "-z", "--", path], { worktree: place });
  return rowsOf(listed.stdout).some((row) => row.startsWith("160000 ") && row.endsWith(`\t${path}`));
}

/** Brings changes into the index. What can't be read now is returned, and left as it was committed. */
export async function stageChanges(git: Git, place: Place, changes: readonly Change[]): Promise<string[]> {
  const removed = changes.filter(({ kind }) => kind === "removed");
  const rows = removed.map(({ path }) => `0 ${NO_OBJECT}\t${path}\0`);
  if (rows.length > 0) {
    await git(["update-index", "-z", "--index-info"], { worktree: place, input: rows.join("") });
  }
  return addPaths(
    git,
    place,
    changes.filter(({ kind }) => kind !== "removed").map(({ path }) => path),
  );
}

/** Those that git could not read: a command may change files at this moment. */
async function addPaths(git: Git, place: Place, paths: readonly string[]): Promise<string[]> {
  const unreadable: string[] = [];
  for (let left = paths; left.length > 0; ) {
    const failed = await tryPaths(git, place, left);
    if (failed === undefined) break;
    if (failed === "cut") return [...unreadable, ...(await addHalves(git, place, left))];
    unreadable.push(failed.path);
    left = left.filter((path) => path !== failed.path);
  }
  return unreadable;
}

/** One of them was cut short while git read it. */
async function addHalves(git: Git, place: Place, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 1) return [...paths];
  const middle = Math.ceil(paths.length / 2);
  const first = await addPaths(git, place, paths.slice(0, middle));
  return [...first, ...(await addPaths(git, place, paths.slice(middle)))];
}

/** The path that could not be read; `cut` where git does not say which it was. */
async function tryPaths(
  git: Git,
  place: Place,
  paths: readonly string[],
): Promise<{ path: string } | "cut" | undefined> {
  const input = paths.map((path) => `${path}\0`).join("");
  const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  try {
    await unlockIndex(place);
    await git(args, { worktree: place, input });
    return undefined;
  } catch (thrown) {
    const path = /Unable to process path (.*)$/m.exec(messageOf(thrown))?.[1];
    if (path !== undefined && paths.includes(path)) return { path };
    if (wasCut(thrown)) return "cut";
    throw thrown;
  }
}

/** Git reads through a map of a file: where the file is cut short meanwhile it does not survive that. */
function wasCut(thrown: unknown): boolean {
  return / failed: SIGBUS$/.test(messageOf(thrown));
}

/** Only one git at a time has the program's index: a lock that is there is a killed one's. */
export async function unlockIndex({ index }: Pick<Place, "index">): Promise<void> {
  await rm(`${index}.lock`, { force: true });
}
