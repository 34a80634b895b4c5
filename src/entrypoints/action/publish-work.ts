// After the run: branch, artifact, pull request, in this order.
import { LoopliaError } from "../../errors.ts";
import type { CodeHost } from "../../ports/repository.ts";
import { writePullRequest } from "../../publish/pull-request.ts";
import type { Around, Told } from "./around.ts";
import type { Work } from "./choose-work.ts";
import type { Found } from "./find-settings.ts";
import { type Outcome, outcomeOf, settle } from "./outcome.ts";
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

/** What it failed of, or undefined. Fills in `told` what came to be. */
export async function publishWork(run: Published): Promise<Outcome | undefined> {
  const { told, work, publisher } = run;
  if (work.pullRequest) told.pullRequest = work.pullRequest;
  const failure = await failureOf(() => publisher.finish());
  if (publisher.isPublished()) told.branch = work.branch;
  await uploadState(run);
  // A pull request never tells of what is not on its branch.
  return failure ?? failureOf(() => publishPullRequest(run));
}

function failureOf(work: () => Promise<void>): Promise<Outcome | undefined> {
  return settle<Outcome | undefined>(async () => {
    await work();
    return undefined;
  }, outcomeOf);
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
  if (!publisher.isPublished() || found.settings.dryRun) return;
  if (existing && !publisher.isChanged()) return;
  const text = writePullRequest(work.workId, { ...told, ...ran }, existing);
  const fresh = existing
    ? await host.updatePullRequest(existing.number, text)
    : await host.openPullRequest({ branch: work.branch, base: found.base, ...text });
  if (fresh) told.pullRequest = fresh;
  if (fresh?.state !== "closed") return;
  throw new LoopliaError("closed", `pull request ${fresh.number} was closed while the run was at work`, {
    hint: `the results are on ${work.branch}; the next run begins a new work from ${found.base}`,
  });
}
