// The claim on a work: taken with the first checkpoint, released with the last.
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Budget } from "../agent/budget.ts";
import { SESSIONS } from "../content/folder.ts";
import { manifestsAmong } from "../content/manifest.ts";
import { LoopliaError } from "../core/errors.ts";
import type { WorkEvent } from "../core/events.ts";
import type { Checkpoint, Repository } from "../core/ports-host.ts";
import type { Result } from "../core/result.ts";
import type { WorkState } from "../core/work-state.ts";
import { artifactName } from "../publish/report.ts";
import { claimIdOf, outcomeOf, runUrlOf, type Upload, type WakeRun, type WorkInHand } from "./run.ts";
import { ACTIONS_BOT } from "./trigger.ts";

/** If it is unknown whether a run is alive, it counts as alive for this long after its last checkpoint. */
const SILENCE_MS = 15 * 60_000;

/** `live`: another run is at work. `dead`: the run that held the claim died, so this run may take over. */
export type Claim = { kind: "free" } | { kind: "ours" | "live" | "dead"; run: string };

/**
 * `run` is the id of this job's claims (`<run id>.<attempt>.<claimant>`). `isLive`: whether the claim's
 * attempt is running; undefined if unknown. An earlier attempt of this run is a different run, and has ended
 * according to GitHub. Another job of this attempt is also a different one, and as live as the run.
 */
export function claimOf(
  work: Pick<WorkState, "claim">,
  about: {
    run: string;
    last: Pick<Checkpoint, "at"> | undefined;
    isLive: boolean | undefined;
    now: Date;
  },
): Claim {
  const holder = work.claim?.run;
  if (holder === undefined) return { kind: "free" };
  if (holder === about.run) return { kind: "ours", run: holder };
  const isHeld = about.isLive ?? isRecent(about.last, about.now);
  return { kind: isHeld ? "live" : "dead", run: holder };
}

/** The clocks of two runners differ, so a checkpoint in the future is recent. */
function isRecent(last: Pick<Checkpoint, "at"> | undefined, now: Date): boolean {
  return last !== undefined && now.getTime() - Date.parse(last.at) < SILENCE_MS;
}

// One run at a time holds a work: it claims the work with its first checkpoint and releases it with its last.

export type WorkClaim = {
  readonly isTaken: boolean;
  /**
   * Resolves when the claim is on the remote; the first call makes it. Throws `lost-race` if another run was
   * faster.
   */
  take(): Promise<void>;
  /** Resolves when `whenTaken` has ended, or failed. */
  whenShown(): Promise<void>;
  /** Releases the work. `isUrgent`: only seconds remain. `isBehind`: a later wake must show the outcome. */
  release(how: { isUrgent?: boolean; isBehind: boolean }): Promise<void>;
};

/**
 * `alongside` is stored with the claim; `whenTaken` runs after it. A claim that this run already has counts
 * as taken.
 */
export function createClaim(
  run: WakeRun,
  work: WorkInHand,
  options: { alongside: readonly WorkEvent[]; whenTaken(): Promise<void> },
): WorkClaim {
  const id = claimIdOf(run);
  let taking = work.state.claim?.run === id ? Promise.resolve() : undefined;
  let showing: Promise<void> = Promise.resolve();
  const claim = async (): Promise<void> => {
    const { startedBy: actorId, rerunBy } = run;
    const payload = { run: id, actorId, ...(rerunBy === undefined ? {} : { rerunBy }) };
    await work.note({ type: "WorkClaimed", payload }, ...options.alongside);
    // No other run competes for a shard, so its first push may wait its turn among the other shards.
    if (run.work.shard) work.stateRef.checkpointSoon("chore: take the shard");
    else {
      run.wiring.loadAhead("session");
      await work.checkpoint("chore: take the work");
    }
    // Nothing waits for this display, because the end of the run shows it again.
    showing = options.whenTaken().catch(() => undefined);
  };
  return {
    get isTaken() {
      return taking !== undefined;
    },
    take() {
      taking ??= claim();
      return taking;
    },
    whenShown: () => showing,
    async release({ isUrgent = false, isBehind }) {
      await work.note({ type: "WorkReleased", payload: { run: id, ...(isBehind ? { isBehind } : {}) } });
      await work.checkpoint("chore: give the work back", { isUrgent });
    },
  };
}

// The audit log and the stores as an artifact of the run.

const UPLOAD_MS = 60_000;

/** What `post` uploads if this process dies; undefined if no upload is wanted. */
export function uploadOf(run: WakeRun, folder: string): Upload | undefined {
  const { settings } = run.found;
  if (!settings.uploadAudit) return undefined;
  const { workId: id, shard } = run.work;
  const workId = shard ? `${id}-${shard.name}` : id;
  return { name: artifactName({ workId, ...run.facts }), folder, retentionDays: settings.retentionDays };
}

/** Uploads once per run, with a report of this run's sessions; a failure is only a warning. */
export async function uploadState(run: WakeRun, folder: string, results: readonly Result[]): Promise<void> {
  const upload = uploadOf(run, folder);
  if (!upload || run.told.artifactUrl !== undefined) return;
  await orWarn(run, () => {
    const place = { folder: join(folder, run.work.workId), stateKey: run.found.settings.stateKey };
    return run.wiring.writeReports(place, results);
  });
  await orWarn(run, async () => {
    const id = await run.wiring.uploadFolder({ ...upload, timeoutMs: UPLOAD_MS });
    run.remember({ works: run.unshown });
    if (id !== undefined) run.told.artifactUrl = `${runUrlOf(run)}/artifacts/${id}`;
  });
}

async function orWarn(run: WakeRun, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const { message = "" } = outcomeOf(thrown);
    run.observe({ type: "notice", level: "warning", message });
  }
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

// What a run may spend.

type BudgetScene = Pick<WakeRun, "found" | "repository" | "discussion" | "facts" | "claimant" | "clock">;

/** The cost limits of this run and of the month. The month's ledger is on the remote, beside the states. */
export function budgetOf({
  found,
  repository,
  discussion,
  facts,
  claimant,
  clock,
}: BudgetScene): Budget | undefined {
  const { maxRunCostUsd: runUsd, maxMonthCostUsd: limitUsd, dryRun, stateRefPrefix } = found.settings;
  if (dryRun || (runUsd === undefined && limitUsd === undefined)) return undefined;
  const month =
    limitUsd === undefined ? undefined : { limitUsd, ledger: repository.monthLedger(stateRefPrefix) };
  const by = `${facts.runId}.${facts.attempt}`;
  const isLive = async (run: string, at: string): Promise<boolean> => {
    const [id = "", attempt = ""] = run.split(".");
    const told = await discussion.isRunLive(id, attempt);
    return told ?? clock.now().getTime() - Date.parse(at) < LONGEST_RUN_MS;
  };
  return new Budget({ runUsd, month, clock, id: `${by}.${claimant}`, by, isLive });
}

/** GitHub's limit for a hosted job: an older lease counts as dead if GitHub does not report its run. */
const LONGEST_RUN_MS = 6 * 3_600_000;

// How long a run may take.

/** An installation token's life, from before the process started. */
const APP_TOKEN_MINUTES = 60;
/** Saving and showing the end need the token, too. */
const SPARE_MINUTES = 5;

/**
 * `timeout-minutes`, or less if the token ends before. Of an app's token GitHub tells no end; its hour is known once the app
 * has commented here, because the job's own token (of `github-actions`) lives as long as the job.
 */
export async function minutesOf(
  { found, host, clock, facts }: Pick<WakeRun, "found" | "host" | "clock" | "facts">,
  authorId: number | undefined,
): Promise<number> {
  const { endsAt, isApp } = await host.tokenLife();
  const isOther = authorId !== undefined && authorId !== ACTIONS_BOT.id;
  const isHour = isApp && isOther && facts.serverUrl === "https://github.com";
  const limit = isHour ? APP_TOKEN_MINUTES : Number.POSITIVE_INFINITY;
  const ends = endsAt && (endsAt.getTime() - clock.now().getTime() + clock.elapsed()) / 60_000;
  return Math.min(found.settings.timeoutMinutes, (ends ?? limit) - SPARE_MINUTES);
}
