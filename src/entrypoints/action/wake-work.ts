// Wakes one work of a run.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { PullRequestDetails } from "../../ports/repository.ts";
import { StatusEdits } from "../wake/status-edits.ts";
import { uploadOf } from "../wake/upload.ts";
import { wake } from "../wake/wake.ts";
import type { WakeRun } from "../wake/wake-run.ts";
import type { Work } from "./choose-work.ts";
import type { Outcome } from "./outcome.ts";

/** Everything but the work. */
export type Scene = Omit<WakeRun, "work" | "kind" | "statusEdits"> & {
  /** The pull request that the event is about, asked for before its settings were read. */
  ahead?: Promise<PullRequestDetails | undefined>;
};

/** Fills in `told`. Throws LoopliaError for what ends the wake. `wasOver` as in `Woken`. */
export async function wakeWork(
  scene: Scene,
  work: Work,
  kind: WakeRun["kind"],
): Promise<Outcome & { wasOver: boolean }> {
  const { told } = scene;
  told.workId = work.workId;
  if (work.kind === "tasks") told.pipeline = work.kind;
  if (work.pullRequest) told.pullRequest = work.pullRequest;
  const run: WakeRun = { ...scene, work, kind, statusEdits: new StatusEdits(scene.clock) };
  const upload = uploadOf(run, join(run.temporary, "state"));
  const left = { workId: work.workId, branch: work.branch };
  run.unshown.push(left);
  run.remember({ works: run.unshown, ...(upload ? { upload } : {}) });
  const { outcome, isShown, wasOver } = await wake(run);
  // What was interrupted, or could not show its end, is shown by `post`.
  if (run.signal.aborted) return { ...outcome, wasOver };
  if (isShown) run.unshown.splice(run.unshown.indexOf(left), 1);
  run.remember({ works: run.unshown });
  return { ...outcome, wasOver };
}

/** The same with a clone in a folder of this name: a work is opened once in each. */
export async function inFolderOfItsOwn(scene: Scene, name: string): Promise<Scene> {
  const temporary = join(scene.temporary, name);
  await mkdir(temporary);
  const repository = await scene.openRepository(temporary);
  await repository.fetchCommit(scene.found.baseCommit, scene.found.base);
  return { ...scene, temporary, repository };
}
