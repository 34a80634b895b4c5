// One work branch in a worktree: commits by plumbing alone (no filters, no hooks), pushes with an explicit lease.
import { lstat, readdir, readFile, realpath, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { LoopliaError } from "../errors.ts";
import { RUN_TRAILER, type WorkBranch } from "../ports/repository.ts";
import type { Git } from "./git-process.ts";

const AUTHOR = "github-actions[bot]";
const EMAIL = "41898282+github-actions[bot]@users.noreply.github.com";
const IDENTITY = ["-c", `user.name=${AUTHOR}`, "-c", `user.email=${EMAIL}`];
const WAITS_MS = [500, 2_000];
const MERGES = 3;

type Place = {
  git: Git;
  remote: string;
  tipOf(branch: string): Promise<string | undefined>;
  branch: string;
  commit: string;
  onRemote: boolean;
  temporary: string;
};
/** `tip`: our newest commit. `remoteTip`: what the remote had when we last knew; undefined: no such branch. */
type Heads = { tip: string; remoteTip: string | undefined };

/** Checks the commit out, byte for byte, into a worktree below `temporary`. */
export async function openWorkBranch(place: Place): Promise<WorkBranch> {
  const root = join(place.temporary, "worktree");
  await place.git(["worktree", "add", "--quiet", "--force", "--detach", root, place.commit]);
  const heads: Heads = { tip: place.commit, remoteTip: place.onRemote ? place.commit : undefined };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
  return {
    name: place.branch,
    root,
    commit: (folder, message) => inTurn(() => commitFolder(place, root, heads, folder, message)),
    push: () => inTurn(() => pushBranch(place, root, heads)),
  };
}

async function commitFolder(
  place: Place,
  root: string,
  heads: Heads,
  folder: string,
  message: string,
): Promise<boolean> {
  const { git } = place;
  const inRoot = await checkedFolder(root, folder);
  const present = await regularFiles(join(root, inRoot));
  const rows: string[] = [];
  const kept = new Set<string>();
  for (const file of present) {
    const path = `${inRoot}/${file}`;
    const hashed = await git(["hash-object", "-w", "--no-filters", "--stdin"], {
      input: await readFile(join(root, path)),
    });
    kept.add(path);
    rows.push(`100644 ${hashed.stdout.toString("utf8").trim()}\t${path}\0`);
  }
  const listed = await git(["--literal-pathspecs", "ls-files", "-z", "--", `${inRoot}/`], { cwd: root });
  for (const path of listed.stdout.toString("utf8").split("\0")) {
    // What is there but not ours to write, a person's hidden file or link, stays as it was committed.
    if (path === "" || kept.has(path) || (await isThere(join(root, path)))) continue;
    rows.push(`0 ${"0".repeat(40)}\t${path}\0`);
  }
  await git(["update-index", "-z", "--index-info"], { cwd: root, input: rows.join("") });
  const tree = await textOf(git, ["write-tree"], root);
  if (tree === (await textOf(git, ["rev-parse", `${heads.tip}^{tree}`], root))) return false;
  heads.tip = await commitTree(git, root, tree, [heads.tip], message);
  return true;
}

/** The folder as git names it; refuses what leaves the worktree, links on the way, and the state folder. */
async function checkedFolder(root: string, folder: string): Promise<string> {
  const real = await realpath(join(root, folder));
  const path = relative(await realpath(root), real)
    .split(sep)
    .join("/");
  const asked = folder.replace(/\/+$/, "");
  if (
    path === asked &&
    path !== "" &&
    !/^\.\.(\/|$)/.test(path) &&
    !/(^|\/)(\.git|\.looplia\/state)(\/|$)/i.test(path)
  ) {
    return path;
  }
  throw new LoopliaError(
    "host-failed",
    `refused to commit ${folder}: only a session's own folder is committed`,
  );
}

async function regularFiles(folder: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await regularFiles(folder, path)));
    // Hidden names are half-written files of an atomic write.
    else if (entry.isFile() && !entry.name.startsWith(".")) found.push(path);
  }
  return found.sort();
}

async function commitTree(
  git: Git,
  root: string,
  tree: string,
  parents: string[],
  message: string,
): Promise<string> {
  const by = parents.flatMap((parent) => ["-p", parent]);
  const made = await git([...IDENTITY, "commit-tree", tree, ...by, "-F", "-"], { cwd: root, input: message });
  const commit = made.stdout.toString("utf8").trim();
  await git(["update-ref", "--no-deref", "HEAD", commit], { cwd: root });
  return commit;
}

async function pushBranch(place: Place, root: string, heads: Heads): Promise<void> {
  for (let merges = 0; ; merges++) {
    if (heads.tip === heads.remoteTip) return;
    const found = await tryPush(place, heads);
    if (found === heads.tip) {
      heads.remoteTip = heads.tip;
      return;
    }
    if (found === undefined) throw deleted(place.branch);
    if (merges === MERGES) throw conflict(place.branch, "it keeps changing");
    await mergeRemote(place, root, heads, found);
  }
}

/** Pushes, with two more tries when the remote did not answer. The remote's tip afterwards. */
async function tryPush(place: Place, heads: Heads): Promise<string | undefined> {
  const reference = `refs/heads/${place.branch}`;
  const lease = `--force-with-lease=${reference}:${heads.remoteTip ?? ""}`;
  const args = ["push", "--quiet", "--no-verify", lease, "--", place.remote, `${heads.tip}:${reference}`];
  for (let attempt = 0; ; attempt++) {
    try {
      await place.git(args, { authorized: true });
      return heads.tip;
    } catch (thrown) {
      const wait = WAITS_MS[attempt];
      // The acknowledgement may be what was lost, so the remote is asked before anything is judged.
      const found = await place.tipOf(place.branch).catch(() => heads.remoteTip);
      if (found !== heads.remoteTip) return found;
      if (wait === undefined || refused(thrown)) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function refused(thrown: unknown): boolean {
  return thrown instanceof LoopliaError && thrown.hint !== undefined;
}

async function mergeRemote(place: Place, root: string, heads: Heads, theirs: string): Promise<void> {
  const { git } = place;
  const shallow = (await textOf(git, ["rev-parse", "--is-shallow-repository"], root)) === "true";
  const depth = shallow ? ["--unshallow"] : [];
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", ...depth];
  await git([...fetch, "--", place.remote, `refs/heads/${place.branch}`], { authorized: true });
  if (await isOfAnotherRun(git, root, heads.tip, theirs)) throw lostRace(place.branch);
  const merged = await git([...IDENTITY, "merge-tree", "--write-tree", heads.tip, theirs], {
    cwd: root,
    answers: [1],
  });
  if (merged.exitCode === 1) throw conflict(place.branch, "the same files were changed there meanwhile");
  const tree = merged.stdout.toString("utf8").split("\n")[0] ?? "";
  const changed = await git(["diff-tree", "-r", "-z", "--name-status", "--no-renames", heads.tip, tree], {
    cwd: root,
  });
  heads.tip = await commitTree(
    git,
    root,
    tree,
    [heads.tip, theirs],
    `chore: merge what was pushed to the branch\n`,
  );
  heads.remoteTip = theirs;
  await git(["read-tree", tree], { cwd: root });
  await takeOver(git, root, changed.stdout.toString("utf8").split("\0"));
}

/** Only the branch's own line counts: what a merge of the base brought is an earlier work's. */
async function isOfAnotherRun(git: Git, root: string, tip: string, theirs: string): Promise<boolean> {
  const format = `--format=%ce %(trailers:key=${RUN_TRAILER},valueonly,separator=%x2C)`;
  const line = await textOf(git, ["log", "--first-parent", format, theirs, "--not", tip], root);
  return line.split("\n").some((row) => row.startsWith(`${EMAIL} `) && row.length > EMAIL.length + 1);
}

/** Brings the merged files into the worktree. `rows`: status and path in turn. */
async function takeOver(git: Git, root: string, rows: string[]): Promise<void> {
  const present: string[] = [];
  for (let index = 0; index + 1 < rows.length; index += 2) {
    const path = rows[index + 1] ?? "";
    if (rows[index] !== "D") present.push(path);
    else if (await isRegular(join(root, path))) await rm(join(root, path));
  }
  await git(["checkout-index", "--force", "-z", "--stdin"], {
    cwd: root,
    input: present.map((path) => `${path}\0`).join(""),
  });
}

async function isRegular(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() ?? false;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

async function textOf(git: Git, args: string[], cwd: string): Promise<string> {
  return (await git(args, { cwd })).stdout.toString("utf8").trim();
}

function conflict(branch: string, why: string): LoopliaError {
  return new LoopliaError("host-failed", `branch ${branch} could not be updated: ${why}`, {
    hint: "what was pushed there stands; run again to go on from it, the results of this run are in its artifact",
  });
}

function deleted(branch: string): LoopliaError {
  return new LoopliaError("closed", `branch ${branch} was deleted while the run was at work`, {
    hint: "run again to begin a new one; the results of this run are in its artifact",
  });
}

function lostRace(branch: string): LoopliaError {
  return new LoopliaError("lost-race", `another run pushed to ${branch} first, so this one gave way`, {
    hint: "let one run at a time work on it: give the workflow a concurrency group",
  });
}
