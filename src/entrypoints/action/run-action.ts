// A run of the Action from its event to its report: refs, settings, items, work, worktree, run, publish.
import { join } from "node:path";
import { LoopliaError } from "../../errors.ts";
import type { Trigger } from "../../handle.ts";
import type { Repository } from "../../ports/repository.ts";
import { artifactName } from "../../publish/artifact-name.ts";
import { areRehearsals, type Report } from "../../publish/report.ts";
import { refuseEvent } from "../../trigger/event.ts";
import { selectItems } from "../../trigger/select-items.ts";
import type { Around, Told } from "./around.ts";
import { bringSessions } from "./bring-sessions.ts";
import { chooseWork, type Work } from "./choose-work.ts";
import { type Found, findSettings, readEarly } from "./find-settings.ts";
import { graver, type Outcome, outcomeOf, settle } from "./outcome.ts";
import { publishWork } from "./publish-work.ts";
import { createPublisher } from "./publisher.ts";
import type { RunnerFacts } from "./runner-facts.ts";
import type { Upload } from "./wiring.ts";

/** Never throws: what goes wrong is in the report. */
export async function runAction(around: Around): Promise<{ report: Report; workId: string; branch: string }> {
  const told: Told = { pipeline: "", isRehearsal: false, items: [], workId: "", branch: "" };
  const refusal = refuseEvent(around.event);
  const outcome: Outcome = refusal
    ? { status: "ignored", reasonCode: refusal.reasonCode, message: refusal.message }
    : await settle(() => runContent(around, told), outcomeOf);
  const { workId, branch, ...rest } = told;
  return { report: { ...rest, ...outcome }, workId, branch };
}

async function runContent(around: Around, told: Told): Promise<Outcome> {
  const repository = await openRepository(around);
  const found = await findSettings(repository, around.event, around.environment);
  const { settings } = found;
  told.pipeline = settings.pipeline;
  for (const message of found.warnings) around.observe({ type: "notice", level: "warning", message });
  const items = await findItems(repository, found);
  const host = around.wiring.codeHost({ ...around.facts, token: settings.githubToken ?? "" });
  const work = await chooseWork(repository, host, found);
  told.workId = work.workId;
  const commit = work.tip ?? found.baseCommit;
  await repository.fetchCommit(commit, work.branch);
  const branch = await repository.openBranch(work.branch, commit, work.tip !== undefined);
  const { folder } = found;
  if (work.tip) {
    await bringSessions({ repository, base: found.baseCommit, branch: commit, folder, root: branch.root });
  }
  const fence = new AbortController();
  const publisher = createPublisher({
    branch,
    onRemote: work.tip !== undefined,
    folder,
    isRehearsal: settings.provider === "offline",
    run: `${around.facts.runId}.${around.facts.attempt}`,
    clock: around.clock,
    giveUp: () => fence.abort("interrupted"),
  });
  const stateFolder = join(around.temporary, "state");
  const upload = settings.uploadAudit ? uploadOf(around.facts, work, stateFolder, found) : undefined;
  around.remember(upload);
  const ran = await settle(async (): Promise<Outcome> => {
    const result = await around.wiring.runTrigger(
      {
        root: join(branch.root, folder),
        stateFolder,
        settings,
        environment: around.environment,
        trusted: found.trusted,
        host: publisher.host,
        observe: around.observe,
        signal: AbortSignal.any([around.signal, fence.signal]),
        readSource: items.read,
      },
      triggerOf(found, work, items.sources),
    );
    told.items = result.items;
    told.isRehearsal = areRehearsals(result.items);
    return result;
  }, outcomeOf);
  const published = await publishWork({ ...around, host, work, found, publisher, upload, told, ran });
  const ended = graver(ran, published);
  if (published && ended !== published) {
    const message = `${published.reasonCode}: ${published.message}`;
    around.observe({ type: "notice", level: "warning", message });
  }
  return ended;
}

async function openRepository({ wiring, environment, facts, temporary }: Around): Promise<Repository> {
  const token = (await readEarly(environment)).githubToken;
  if (token === undefined) {
    throw new LoopliaError("config-invalid", "github-token is empty", {
      hint: "leave the input out: the job's own token is its default",
    });
  }
  return wiring.openRepository({ ...facts, token, temporary, environment });
}

/** Items as they are at the tip of the base. Throws `no-items` where the globs match nothing. */
async function findItems(repository: Repository, found: Found) {
  const { content, sessionId } = found.settings;
  if (content.length === 0 && sessionId === undefined) {
    throw new LoopliaError("config-invalid", "there is nothing to do: `content` is not set", {
      hint: "give globs of content items, one a line, for example content/**/*.md",
    });
  }
  const prefix = found.folder === "" ? "" : `${found.folder}/`;
  const files = await repository.listFiles(found.baseCommit, found.folder);
  const byPath = new Map(files.map((file) => [file.path.slice(prefix.length), file]));
  const sources = selectItems([...byPath.keys()], content);
  if (sources.length === 0 && sessionId === undefined) {
    throw new LoopliaError("no-items", `no file on ${found.base} matches ${content.join(", ")}`, {
      hint: "check the globs and working-directory",
    });
  }
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const file = byPath.get(path);
    if (!file) return undefined;
    // Only the length of what is too large is looked at.
    if (file.size > MAX_BYTES) return new Uint8Array(MAX_BYTES + 1);
    return (await repository.readBlobs([file.oid]))[0];
  };
  return { sources, read };
}

const MAX_BYTES = 10 * 1024 * 1024;

function triggerOf(found: Found, work: Work, sources: string[]): Trigger {
  const { sessionId } = found.settings;
  if (sessionId !== undefined) return { kind: "session", sessionId };
  return { kind: "items", workId: work.workId, key: work.key, sources };
}

function uploadOf(facts: RunnerFacts, { workId }: Work, folder: string, { settings }: Found): Upload {
  return { name: artifactName({ workId, ...facts }), folder, retentionDays: settings.retentionDays };
}
