// The post step: uploads what main did not get to, gives back the work that it had, shows how the work stands.
import { leaveWork } from "../wake/leave.ts";
import { StatusEdits } from "../wake/status-edits.ts";
import { kindOf } from "./choose-work.ts";
import type { Job, LeftWork, Told } from "./job.ts";
import { setScene } from "./start.ts";
import { inFolderOfItsOwn, type Scene } from "./wake-work.ts";
import type { Upload } from "./wiring.ts";

const UPLOAD_MS = 120_000;

/** So many works are looked at: each is a clone and some requests, and the others wait for the next scheduled run. */
const MOST = 5;

/** What main left: an upload, and the works that it may have claimed, or that do not show how it ended. */
export type PostLeft = { upload?: Upload | undefined; works?: readonly LeftWork[] };

/** Never runs an agent. Throws LoopliaError for what it can't do; the rest of it was done. */
export async function runPost(job: Job, { upload, works = [] }: PostLeft): Promise<void> {
  const uploaded = upload && job.wiring.uploadFolder({ ...upload, timeoutMs: UPLOAD_MS });
  const leaving = works.length > 0 ? leaveAll(job, works.slice(-MOST)) : undefined;
  for (const ended of await Promise.allSettled([uploaded, leaving])) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

/** One after the other; one that fails keeps no other from its turn. */
async function leaveAll(job: Job, works: readonly LeftWork[]): Promise<void> {
  const told: Told = { pipeline: "", isRehearsal: false, items: [], workId: "", branch: "" };
  const scene = await setScene(job, told);
  const failures: unknown[] = [];
  for (const work of works) {
    try {
      const own = works.length === 1 ? scene : await inFolderOfItsOwn(scene, work.workId);
      await leave({ ...own, told: { ...told, workId: work.workId } }, work);
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function leave(scene: Scene, { workId, branch }: LeftWork): Promise<void> {
  const pullRequests = await scene.host.pullRequestsOf(branch);
  const pullRequest = pullRequests.find((one) => one.state === "open") ?? pullRequests[0];
  if (pullRequest) scene.told.pullRequest = pullRequest;
  const settings = { ...scene.found.settings, uploadAudit: false };
  const found = { ...scene.found, settings };
  await leaveWork({
    ...scene,
    found,
    work: { workId, kind: kindOf(workId), key: workId, branch, pullRequest },
    kind: "respond",
    statusEdits: new StatusEdits(scene.clock),
  });
}
