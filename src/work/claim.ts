// The claim on a work: taken with the first checkpoint, given back with the last.
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SESSIONS } from "../content/folder.ts";
import { parseManifest } from "../content/manifest.ts";
import { LoopliaError } from "../core/errors.ts";
import type { WorkEvent } from "../core/events.ts";
import type { Checkpoint, Repository } from "../core/ports-host.ts";
import type { WorkState } from "../core/work-state.ts";
import { artifactName } from "../publish/report.ts";
import { claimIdOf, outcomeOf, runUrlOf, type Upload, type WakeRun, type WorkInHand } from "./run.ts";

/** Where nobody can tell whether a run is at work, it is believed to be for so long after its last checkpoint. */
const SILENCE_MS = 15 * 60_000;

/** `live`: another run is at work. `dead`: one died with it, and it may be taken over. */
export type Claim = { kind: "free" } | { kind: "ours" | "live" | "dead"; run: string };

/**
 * `run` is what this job's own claims say (`<run id>.<attempt>.<claimant>`), `isLive` whether the claim's attempt is at
 * work, undefined where that can't be read. An earlier attempt of this run is another: its process is gone once this one
 * runs, and GitHub says so. Another job of this attempt is another as well, and as live as the run itself.
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

/** The clocks of two runners differ: a checkpoint of the future is recent. */
function isRecent(last: Pick<Checkpoint, "at"> | undefined, now: Date): boolean {
  return last !== undefined && now.getTime() - Date.parse(last.at) < SILENCE_MS;
}

// One run at a time has a work: it says so with its first checkpoint, and gives it back with its last.

export type WorkClaim = {
  readonly isTaken: boolean;
  /** Resolves when the claim is on the remote; the first call makes it. `lost-race`: somebody was faster. */
  take(): Promise<void>;
  /** Resolves when what follows the claim is done, or has failed. */
  whenShown(): Promise<void>;
  /** Gives the work back. `isUrgent`: seconds count. `isBehind`: a later wake has to show how it ended. */
  release(how: { isUrgent?: boolean; isBehind: boolean }): Promise<void>;
};

/** `alongside` is stored with the claim; `whenTaken` follows it. A claim that this run made before is taken already. */
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
    // Nobody else has a shard; its first push has to wait for its turn among those of the others.
    if (run.work.shard) work.stateRef.checkpointSoon("chore: take the shard");
    else await work.checkpoint("chore: take the work");
    // Nothing waits for what is only shown; the end of the run shows it again.
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

/** What `post` uploads should this process not get there; undefined where nothing is to be uploaded. */
export function uploadOf(run: WakeRun, folder: string): Upload | undefined {
  const { settings } = run.found;
  if (!settings.uploadAudit) return undefined;
  const { workId: id, shard } = run.work;
  const workId = shard ? `${id}-${shard.name}` : id;
  return { name: artifactName({ workId, ...run.facts }), folder, retentionDays: settings.retentionDays };
}

/** Uploads once a run, with a report of what the run had to do with; each failure is a warning. */
export async function uploadState(
  run: WakeRun,
  folder: string,
  sessionIds: readonly string[],
): Promise<void> {
  const upload = uploadOf(run, folder);
  if (!upload || run.told.artifactUrl !== undefined) return;
  await orWarn(run, () => {
    const place = { folder: join(folder, run.work.workId), stateKey: run.found.settings.stateKey };
    return run.wiring.writeReports(place, sessionIds);
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

// Sessions that stand on the base only are brought into the worktree, so that they are gone on with.

type Entry = { path: string; oid: string; size: number };

/**
 * Copies from the base the sessions of sources that have none on the branch (same source and pipeline). Nothing is
 * committed by it; what is on the branch is left as it is. `folder`: the working directory.
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

/** The branch may hold a link where the base has a folder: nothing is ever written through one. */
async function refuseLinks(root: string, folder: string): Promise<void> {
  if (folder === ".") return;
  await refuseLinks(root, dirname(folder));
  const found = await lstat(join(root, folder)).catch(() => undefined);
  if (!found || found.isDirectory()) return;
  throw new LoopliaError("config-invalid", `${folder} on the work branch is not a folder`, {
    hint: "remove it there: sessions of the base are brought to this place",
  });
}

/** What a session is for, by its manifest; those that cannot be read are for nothing. */
async function readKeys(
  repository: Repository,
  files: readonly Entry[],
): Promise<{ path: string; key: string }[]> {
  const manifests = files.filter((file) => file.path.endsWith("/session.json"));
  const blobs = await repository.readBlobs(manifests.map((file) => file.oid));
  return manifests.flatMap(({ path }, index) => {
    try {
      const { manifest } = parseManifest(new TextDecoder().decode(blobs[index]), path);
      return [{ path, key: JSON.stringify([manifest.source, manifest.pipeline]) }];
    } catch (error) {
      if (error instanceof LoopliaError) return [];
      throw error;
    }
  });
}
