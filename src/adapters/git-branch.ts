// One work branch in a worktree: commits by plumbing alone (no filters, no hooks), pushes with an explicit lease.
import { LoopliaError } from "../errors.ts";
import { RUN_TRAILER, type WorkBranch } from "../ports/repository.ts";
import { inTurn } from "../session/in-turn.ts";
import { commitTree, EMAIL, isRefusal, MERGE_MESSAGE, textOf } from "./git-commit.ts";
import { mergeTrees } from "./git-merge.ts";
import type { Git } from "./git-process.ts";
import { GitWorktree } from "./git-worktree.ts";

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
/** `remoteTip`: what the remote had when we last knew; undefined: no such branch. */
type Branch = Place & { worktree: GitWorktree; remoteTip: string | undefined };

/** Checks the commit out, byte for byte, into a worktree below `temporary`. */
export async function openWorkBranch(place: Place): Promise<WorkBranch> {
  const worktree = await GitWorktree.open(place.git, place.temporary, place.commit, () => {});
  const branch: Branch = { ...place, worktree, remoteTip: place.onRemote ? place.commit : undefined };
  return {
    name: place.branch,
    root: worktree.root,
    commit: (folder, message) => inTurn(branch, () => worktree.commitTask(folder, message)),
    commitAll: (message, options) => inTurn(branch, () => worktree.commitAll(message, options)),
    hold: (path) => worktree.hold(path),
    push: () => inTurn(branch, () => pushBranch(branch)),
  };
}

async function pushBranch(branch: Branch): Promise<void> {
  for (let merges = 0; ; merges++) {
    const { tip } = branch.worktree;
    if (tip === branch.remoteTip) return;
    const found = await tryPush(branch);
    if (found === tip) {
      branch.remoteTip = tip;
      return;
    }
    if (found === undefined) throw deleted(branch.branch);
    if (merges === MERGES) throw conflict(branch.branch, "it keeps changing");
    await mergeRemote(branch, found);
  }
}

/** Pushes, with two more tries when the remote did not answer. The remote's tip afterwards. */
async function tryPush(branch: Branch): Promise<string | undefined> {
  const { worktree, remoteTip, remote } = branch;
  const reference = `refs/heads/${branch.branch}`;
  const lease = `--force-with-lease=${reference}:${remoteTip ?? ""}`;
  const args = ["push", "--quiet", "--no-verify", lease, "--", remote, `${worktree.tip}:${reference}`];
  for (let attempt = 0; ; attempt++) {
    try {
      await branch.git(args, { authorized: true });
      return worktree.tip;
    } catch (thrown) {
      const wait = WAITS_MS[attempt];
      // The acknowledgement may be what was lost, so the remote is asked before anything is judged.
      const found = await branch.tipOf(branch.branch).catch(() => remoteTip);
      if (found !== remoteTip) return found;
      if (wait === undefined || isRefusal(thrown)) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

async function mergeRemote(branch: Branch, theirs: string): Promise<void> {
  const { git, worktree, remoteTip, commit } = branch;
  const shallow = (await textOf(git, ["rev-parse", "--is-shallow-repository"])) === "true";
  const depth = shallow ? ["--unshallow"] : [];
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", ...depth];
  await git([...fetch, "--", branch.remote, `refs/heads/${branch.branch}`], { authorized: true });
  if (await isOfAnotherRun(git, worktree.tip, theirs)) throw lostRace(branch.branch);
  const trees = { base: remoteTip ?? commit, ours: worktree.tip, theirs };
  const { tree, conflicts } = await mergeTrees(git, branch.temporary, trees);
  if (conflicts.length > 0) throw conflict(branch.branch, "the same files were changed there meanwhile");
  await worktree.moveTo(await commitTree(git, tree, [worktree.tip, theirs], MERGE_MESSAGE));
  branch.remoteTip = theirs;
}

/** Only the branch's own line counts: what a merge of the base brought is an earlier work's. */
async function isOfAnotherRun(git: Git, tip: string, theirs: string): Promise<boolean> {
  const format = `--format=%ce %(trailers:key=${RUN_TRAILER},valueonly,separator=%x2C)`;
  const line = await textOf(git, ["log", "--first-parent", format, theirs, "--not", tip]);
  return line.split("\n").some((row) => row.startsWith(`${EMAIL} `) && row.length > EMAIL.length + 1);
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
