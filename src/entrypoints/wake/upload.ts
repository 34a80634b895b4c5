// The audit log and the stores as an artifact of the run.
import { join } from "node:path";
import { artifactName } from "../../publish/artifact-name.ts";
import { outcomeOf } from "../action/outcome.ts";
import type { Upload } from "../action/wiring.ts";
import { runUrlOf, type WakeRun } from "./wake-run.ts";

const UPLOAD_MS = 60_000;

/** What `post` uploads should this process not get there; undefined where nothing is to be uploaded. */
export function uploadOf(run: WakeRun, folder: string): Upload | undefined {
  const { settings } = run.found;
  if (!settings.uploadAudit) return undefined;
  const { workId } = run.work;
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
