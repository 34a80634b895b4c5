// Reports of sessions as files beside the logs: what `looplia report` prints, for whoever opens the workflow artifact.
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { storeCiphers } from "../adapters/store-cipher.ts";
import { readSession } from "../adapters/store-scan.ts";
import { reportMarkdown, reportOf } from "../publish/session-report.ts";
import { viewSession } from "../session/session-view.ts";

/** Writes `logs/report-<session-id>.md` for each session that has begun into the work's folder, anew where there is one. */
export async function writeReports(
  { folder, stateKey }: { folder: string; stateKey: string | undefined },
  sessionIds: readonly string[],
): Promise<void> {
  const cipher = await storeCiphers(stateKey)(basename(folder));
  await mkdir(join(folder, "logs"), { recursive: true });
  const begun = new Set(await readdir(join(folder, "sessions")).catch(() => []));
  for (const sessionId of sessionIds.filter((id) => begun.has(id))) {
    const stored = await readSession(folder, sessionId, cipher);
    const report = reportMarkdown(reportOf(viewSession(sessionId, stored)));
    await writeFile(join(folder, "logs", `report-${sessionId}.md`), report);
  }
}
