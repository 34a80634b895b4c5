// After the run: branch, artifact, pull request, in this order. What fails is told; the rest is still done.
import type { CodeHost } from "../../ports/repository.ts";
import { writePullRequest } from "../../publish/pull-request.ts";
import type { Around, Told } from "./around.ts";
import type { Work } from "./choose-work.ts";
import type { Found } from "./find-settings.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { Publisher } from "./publisher.ts";
import type { Upload } from "./wiring.ts";

const UPLOAD_MS = 60_000;

type Published = Around & {
  host: CodeHost;
  work: Work;
  found: Found;
  publisher: Publisher;
  upload: Upload | undefined;
  told: Told;
  ran: Outcome;
};

/** The first failure, or undefined. Fills in `told` what came to be. */
export async function publishWork(run: Published): Promise<Outcome | undefined> {
  let failure: Outcome | undefined;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      failure ??= outcomeOf(thrown);
    }
  };
  await attempt(() => run.publisher.finish());
  if (run.publisher.isPublished()) run.told.branch = run.work.branch;
  await uploadState(run);
  await attempt(() => publishPullRequest(run));
  return failure;
}

/** Seconds count once the runner wants us gone: then `post` uploads. */
async function uploadState({
  upload,
  signal,
  wiring,
  facts,
  told,
  remember,
  observe,
}: Published): Promise<void> {
  if (!upload || signal.aborted) return;
  try {
    const id = await wiring.uploadFolder({ ...upload, timeoutMs: UPLOAD_MS });
    remember(undefined);
    if (id === undefined) return;
    told.artifactUrl = `${facts.serverUrl}/${facts.repository}/actions/runs/${facts.runId}/artifacts/${id}`;
  } catch (thrown) {
    const { message = "" } = outcomeOf(thrown);
    observe({ type: "notice", level: "warning", message });
  }
}

async function publishPullRequest({ host, work, found, publisher, told, ran }: Published): Promise<void> {
  const existing = work.pullRequest;
  if (existing) told.pullRequest = existing;
  if (!publisher.isPublished() || found.settings.dryRun) return;
  if (existing && !publisher.isChanged()) return;
  const text = writePullRequest(work.workId, { ...told, ...ran }, existing);
  const fresh = existing
    ? await host.updatePullRequest(existing.number, text)
    : await host.openPullRequest({ branch: work.branch, base: found.base, ...text });
  if (fresh) told.pullRequest = fresh;
}
