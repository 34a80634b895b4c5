// What one work carries for the next.

// Finds the open work that already carries an item, so that a corrected glob neither pays twice nor leaves an orphan.
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { SESSIONS } from "../content/folder.ts";
import { isSessionId } from "../content/item.ts";
import { manifestsAmong } from "../content/manifest.ts";
import { LoopliaError } from "../core/errors.ts";
import { type CodeHost, type Repository, RUN_TRAILER } from "../core/ports-host.ts";
import type { RunReport } from "../publish/report.ts";
import { chooseWork, keyOf, type RunSettings, type Work, type WorkKind } from "./find.ts";
import {
  type ActionOutcome,
  outcomeOf,
  runIdOf,
  StatusEdits,
  settle,
  type WakeRun,
  type WorkInHand,
} from "./run.ts";

/** The work of a run: a new one only if no open work carries any of its items. */
export async function workToStart(
  { repository, host, found, items }: Pick<WakeRun, "repository" | "host" | "found" | "items">,
  choice: { kind: WorkKind; skipped: number },
): Promise<Work> {
  const isShared = choice.kind === "content" && choice.skipped === 0;
  // Nearly every run that begins a work needs both lists, so they are requested together.
  const listing = isShared ? host.openPullRequests(found.settings.branchPrefix) : undefined;
  listing?.catch(() => undefined); // reported where the list is used
  const chosen = await chooseWork(repository, host, found, choice);
  if (chosen.pullRequest || !listing) return chosen;
  return (await findCarrier(repository, await listing, found, items.sources)) ?? chosen;
}

/**
 * The newest open work of the same pipeline that started a session of one of these sources. Sessions that its branch has
 * from the base do not count.
 */
async function findCarrier(
  repository: Repository,
  open: Awaited<ReturnType<CodeHost["openPullRequests"]>>,
  { settings, folder, baseCommit }: RunSettings,
  sources: readonly string[],
): Promise<Work | undefined> {
  const { branchPrefix, pipeline } = settings;
  const wanted = new Set(sources);
  const below = posix.join(folder, SESSIONS);
  const onBase = new Set((await repository.listFiles(baseCommit, below)).map(({ path }) => path));
  for (const pullRequest of open) {
    const { branch } = pullRequest;
    const workId = branch.slice(branchPrefix.length);
    if (!isSessionId(workId) || !workId.startsWith(`${pipeline}-`)) continue;
    const tip = await repository.tipOf(branch);
    if (tip === undefined) continue;
    await repository.fetchCommit(tip, branch);
    const own = (await repository.listFiles(tip, below)).filter(({ path }) => !onBase.has(path));
    const isCarried = (await manifestsAmong(repository, own)).some(
      ({ manifest }) => manifest.pipeline === pipeline && wanted.has(manifest.source),
    );
    if (isCarried) return { workId, kind: "content", key: workId, branch, pullRequest };
  }
  return undefined;
}

// A pull request was merged before a run's last commits: what the merge lacks comes on the next one. No agent runs.

/** Wakes another work in this run: `prepare` makes its run of a fresh one. */
export type WakeNext = (
  run: WakeRun,
  name: string,
  prepare: (next: WakeRun) => Promise<WakeRun>,
) => Promise<ActionOutcome>;

/** Maximum number of files that are named. */
const MOST_NAMED = 10;

/** The end of a merged work: names what the merge lacks, and brings it to the next work where it is a run's own. */
export async function withUnmerged(closing: {
  run: WakeRun;
  work: WorkInHand;
  over: ActionOutcome;
  wakeNext: WakeNext;
}): Promise<ActionOutcome> {
  const { run, work, over } = closing;
  const { pullRequest, branch } = run.work;
  const { branchTip, madeTree, last } = work.stateRef;
  const isGone = branchTip === undefined;
  if (!pullRequest || !last || (isGone && !run.isCutOff)) return over;
  const details = await run.host.pullRequest(pullRequest.number);
  const made = branchTip ?? madeTree;
  if (!details?.isMerged || made === undefined || details.headSha === made) return over;
  await run.repository.fetchCommit(details.headSha, isGone ? undefined : branch);
  const changed = await listChanged(run, details.headSha, made);
  if (changed.length === 0) return over;
  const names = changed.slice(0, MOST_NAMED).map(({ path }) => path);
  const more = changed.length > names.length ? [`${changed.length - names.length} more`] : [];
  const lacks = `pull request ${details.number} was merged before the run's last commits, and lacks ${[...names, ...more].join(", ")}`;
  const sessionIds = (await work.sessions()).map(({ sessionId }) => sessionId);
  const late = sessionIds.filter((id) => changed.some(({ path }) => path.includes(`/${id}/`)));
  const takes = { base: details.headSha, worktree: made, sessionIds: late };
  const holder = isGone ? { commit: last.commit } : { commit: made, branch };
  // Commits that a person added to the branch after the merge are that person's matter.
  const isOwn = isGone || branchTip === last.work;
  const carried = isOwn ? await carryOver(run, { takes, holder }, closing.wakeNext) : undefined;
  if (carried)
    return { ...over, message: `${lacks}. Pull request ${carried.number} brings that: ${carried.url}` };
  const whatToDo = isGone
    ? "Run again to have it made again"
    : `Open a pull request from the branch ${branch} to keep it, or run again to have it made again`;
  return { ...over, message: `${lacks}. ${whatToDo}.` };
}

/** The files of commit `now` that commit `before` has not, or has with another content. */
export async function listChanged(
  { repository }: WakeRun,
  before: string,
  now: string,
): Promise<{ path: string; oid: string }[]> {
  const [then, there] = await Promise.all([before, now].map((one) => repository.listFiles(one, "")));
  const known = new Map(then?.map(({ path, oid }) => [path, oid]));
  return (there ?? []).filter(({ path, oid }) => known.get(path) !== oid);
}

/** `holder`: a commit that holds what is taken over. */
type Unmerged = { takes: NonNullable<WakeRun["takes"]>; holder: { commit: string; branch?: string } };

/** The pull request of the next work. Undefined: that work is over or held, or GitHub refuses; the run warns. */
function carryOver(
  run: WakeRun,
  { takes, holder }: Unmerged,
  wakeNext: WakeNext,
): Promise<RunReport["pullRequest"]> {
  const { found, host, clock } = run;
  const [, first = run.work.workId, ordinal = "1"] = /^(.+)-(\d{1,4})$/.exec(run.work.workId) ?? [];
  const workId = `${first}-${Number(ordinal) + 1}`;
  const branch = `${found.settings.branchPrefix}${workId}`;
  const told: WakeRun["told"] = {
    pipeline: run.told.pipeline,
    isRehearsal: false,
    items: [],
    workId,
    branch,
  };
  const message = `feat: what the merge of pull request ${run.work.pullRequest?.number} lacks`;
  const collects = {
    writeFiles: async () => `${message}\n\n${RUN_TRAILER}: ${runIdOf(run)}\n`,
    finish: async () => {},
    outcome: undefined,
  };
  const carry = async (): Promise<RunReport["pullRequest"]> => {
    const [pullRequest] = await host.pullRequestsOf(branch);
    if (pullRequest?.state === "closed") return undefined;
    if (pullRequest) told.pullRequest = pullRequest;
    const work = { ...run.work, workId, branch, pullRequest };
    work.key = keyOf(found, work) ?? workId;
    const { status } = await wakeNext(run, workId, async (next) => {
      const { repository } = next;
      const baseCommit = (await repository.fetchBranch(found.base)) ?? found.baseCommit;
      await repository.fetchCommit(takes.base);
      await repository.fetchCommit(holder.commit, holder.branch);
      const statusEdits = new StatusEdits(clock);
      return { ...next, told, work, takes, collects, statusEdits, found: { ...found, baseCommit } };
    });
    return status === "failed" || status === "ignored" ? undefined : told.pullRequest;
  };
  return settle(carry, (thrown) => {
    const { reasonCode, message: why } = outcomeOf(thrown);
    run.observe({ type: "notice", level: "warning", message: `${reasonCode}: ${why}` });
    return undefined;
  });
}

// Copies sessions that exist only on the base into the worktree, so that the run can continue them.

type Entry = { path: string; oid: string };

/**
 * Copies sessions from the base if the branch has none for the same source and pipeline. Commits nothing and
 * leaves files of the branch unchanged. `folder`: the working directory.
 */
export async function bringSessions(from: {
  repository: Repository;
  base: string;
  branch: string;
  folder: string;
  root: string;
}): Promise<void> {
  const below = from.folder === "" ? SESSIONS : `${from.folder}/${SESSIONS}`;
  const [onBase, onBranch] = await Promise.all([
    from.repository.listFiles(from.base, below),
    from.repository.listFiles(from.branch, below),
  ]);
  const sessionOf = (path: string) => path.slice(below.length + 1).split("/")[0] ?? "";
  const standing = new Set(onBranch.map((file) => sessionOf(file.path)));
  const missing = onBase.filter((file) => !standing.has(sessionOf(file.path)));
  if (missing.length === 0) return;
  const taken = new Set((await readKeys(from.repository, onBranch)).map(({ key }) => key));
  const wanted = (await readKeys(from.repository, missing)).filter(({ key }) => !taken.has(key));
  const folders = new Set(wanted.map(({ path }) => sessionOf(path)));
  const files = missing.filter((file) => folders.has(sessionOf(file.path)));
  const blobs = await from.repository.readBlobs(files.map((file) => file.oid));
  for (const [index, file] of files.entries()) {
    const target = join(from.root, file.path);
    await refuseLinks(from.root, dirname(file.path));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, blobs[index] ?? "", { flag: "wx" });
  }
}

/** The branch may have a link where the base has a folder: never write through a link. */
async function refuseLinks(root: string, folder: string): Promise<void> {
  if (folder === ".") return;
  await refuseLinks(root, dirname(folder));
  const found = await lstat(join(root, folder)).catch(() => undefined);
  if (!found || found.isDirectory()) return;
  throw new LoopliaError("config-invalid", `${folder} on the work branch is not a folder`, {
    hint: "remove it there: sessions of the base branch go into this folder",
  });
}

/** The source and pipeline of each session, from its manifest; unreadable manifests are skipped. */
async function readKeys(
  repository: Repository,
  files: readonly Entry[],
): Promise<{ path: string; key: string }[]> {
  const manifests = await manifestsAmong(repository, files);
  return manifests.map(({ path, manifest: { source, pipeline } }) => ({
    path,
    key: JSON.stringify([source, pipeline]),
  }));
}
