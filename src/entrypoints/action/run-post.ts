// The post step: uploads what main did not get to, gives back the work that it had, shows how the work stands.
import type { EventFacts } from "../../trigger/event.ts";
import { leaveWork } from "../wake/leave.ts";
import { StatusEdits } from "../wake/status-edits.ts";
import type { Around, Told } from "./around.ts";
import { kindOf } from "./choose-work.ts";
import { setScene } from "./start.ts";
import type { Upload } from "./wiring.ts";

const UPLOAD_MS = 120_000;

/** What main left: an upload, and the work that it may have claimed. */
export type PostLeft = {
  upload?: Upload | undefined;
  workId?: string | undefined;
  branch?: string | undefined;
};

/** Never runs an agent. Throws LoopliaError for what it can't do; the rest of it was done. */
export async function runPost(around: Around & { event: EventFacts }, left: PostLeft): Promise<void> {
  const { upload, workId, branch } = left;
  const uploaded = upload && around.wiring.uploadFolder({ ...upload, timeoutMs: UPLOAD_MS });
  const leaving = workId === undefined || branch === undefined ? undefined : leave(around, workId, branch);
  for (const ended of await Promise.allSettled([uploaded, leaving])) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

async function leave(around: Around, workId: string, branch: string): Promise<void> {
  const told: Told = { pipeline: "", isRehearsal: false, items: [], workId, branch: "" };
  const scene = await setScene(around, told);
  const pullRequests = await scene.host.pullRequestsOf(branch);
  const pullRequest = pullRequests.find((one) => one.state === "open") ?? pullRequests[0];
  if (pullRequest) told.pullRequest = pullRequest;
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
