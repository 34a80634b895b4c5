// Starts a run: content, task list or answers, then the sweep over other open works.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Budget } from "../agent/budget.ts";
import { LoopliaError } from "../core/errors.ts";
import { valueAt } from "../core/json.ts";
import type { RunEvent } from "../core/ports.ts";
import type { CodeHost, PullRequestDetails } from "../core/ports-host.ts";
import { mostSerious } from "../core/result.ts";
import { areRehearsals, type RunReport } from "../publish/report.ts";
import { uploadOf } from "./claim.ts";
import {
  chooseWork,
  findItems,
  findSettings,
  kindOf,
  type RunSettings,
  readEarly,
  requireItems,
  requireTaskList,
  statePrefixesOf,
  type Work,
  type WorkKind,
} from "./find.ts";
import { ENDED, forgetStates } from "./finish.ts";
import { isTasksSession } from "./handle.ts";
import { leaveLetter } from "./inbox.ts";
import {
  type ActionOutcome,
  graver,
  type Job,
  type LeftWork,
  outcomeOf,
  type RunFacts,
  StatusEdits,
  settle,
  type Upload,
  type WakeRun,
} from "./run.ts";
import { workToStart } from "./shards/carried.ts";
import {
  chooseSwept,
  type EventFacts,
  type EventRefusal,
  findWork,
  refuseEvent,
  rerunnerOf,
  respondTo,
  starterOf,
  type Wake,
} from "./trigger.ts";
import { leaveWork, wake } from "./wake.ts";

// Wakes one work of a run.

/** Everything but the work. */
type RunScene = Omit<WakeRun, "work" | "kind" | "statusEdits"> & {
  /** The pull request that the event is about, asked for before its settings were read. */
  ahead?: Promise<PullRequestDetails | undefined>;
};

/** Fills in `told`. Throws LoopliaError for what ends the wake. `wasOver` as in `Woken`. */
async function wakeWork(
  scene: RunScene,
  work: Work,
  kind: WakeRun["kind"],
): Promise<ActionOutcome & { wasOver: boolean }> {
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
async function inFolderOfItsOwn(scene: RunScene, name: string): Promise<RunScene> {
  const temporary = join(scene.temporary, name);
  await mkdir(temporary);
  const repository = await scene.openRepository(temporary);
  await repository.fetchCommit(scene.found.baseCommit, scene.found.base);
  return { ...scene, temporary, repository };
}

// Every scheduled run looks at the works of the repository: what has expired, what a killed run left, what nobody read,
// whose pull request was merged or closed. The state refs tell which there are, so none is missed that has no pull request
// yet, or none any longer.

/** Wakes them one after the other and adds to `told` what they did; what fails in one keeps no other from its turn. */
async function sweep(scene: RunScene): Promise<ActionOutcome> {
  const { found, told, repository, host } = scene;
  const stored = await repository.storedWorks(statePrefixesOf(found.settings));
  // What was settled when it ended stays as it is forever, and is not even asked about.
  const open = stored.filter(({ workId, message }) => workId !== told.workId && message !== ENDED);
  await forgetStates(scene, stored);
  const chosen = chooseSwept(open, Number(scene.facts.runNumber) || 0);
  if (chosen.length < open.length) {
    const message = `${open.length} works are open: ${chosen.length} of them are looked at now, the others by the next scheduled runs`;
    scene.observe({ type: "notice", level: "warning", message });
  }
  const requests = chosen.length === 0 ? [] : await host.openPullRequests(found.settings.branchPrefix);
  const outcomes: ActionOutcome[] = [];
  for (const { workId } of chosen) {
    if (scene.signal.aborted) break;
    const branch = `${found.settings.branchPrefix}${workId}`;
    const known = requests.find((request) => request.branch === branch);
    outcomes.push(await settle(() => wakeStored(scene, { workId, branch, known }), outcomeOf));
  }
  return (
    mostSerious(outcomes) ?? { status: "ignored", reasonCode: "no-command", message: "nothing is to be done" }
  );
}

async function wakeStored(
  scene: RunScene,
  { workId, branch, known }: { workId: string; branch: string; known: Work["pullRequest"] },
): Promise<ActionOutcome> {
  const [pullRequest] = known ? [known] : await scene.host.pullRequestsOf(branch);
  const work = { workId, kind: kindOf(workId), key: workId, branch, pullRequest };
  const own = await inFolderOfItsOwn(scene, workId);
  const told: RunFacts = { pipeline: scene.told.pipeline, isRehearsal: false, items: [], workId, branch: "" };
  try {
    const outcome = await wakeWork({ ...own, told }, work, "respond");
    if (outcome.status === "ignored") return outcome;
    scene.observe({
      type: "notice",
      level: "info",
      message: `${workId}: ${outcome.status} (${outcome.reasonCode})`,
    });
    return outcome;
  } finally {
    add(scene.told, told);
  }
}

/** The run's own work comes first; where it has none, the outputs are the last one's. */
function add(told: RunFacts, swept: RunFacts): void {
  const items = [...told.items, ...swept.items];
  const questions = [...(told.questions ?? []), ...(swept.questions ?? [])];
  if (told.branch === "") Object.assign(told, swept);
  Object.assign(told, { items, questions, isRehearsal: areRehearsals(items) });
}

/** Fills in `told`. Throws LoopliaError for what ends the run before there is a work. */
async function start(job: Job, told: RunFacts): Promise<ActionOutcome> {
  const scene = await setScene(job, told);
  const budget = budgetOf(scene);
  if (!budget) return goAhead(scene);
  try {
    return await goAhead({ ...scene, budget });
  } finally {
    // What stays leased is settled by the next run.
    await budget.close().catch((thrown: unknown) => {
      const { message = "" } = outcomeOf(thrown);
      scene.observe({ type: "notice", level: "warning", message });
    });
  }
}

/** What this run, and the month, may cost; the month's figures are on the remote, beside the states. */
function budgetOf({ found, repository, discussion, facts, claimant, clock }: RunScene): Budget | undefined {
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

/** What GitHub lets a job run on its own machines: where it does not tell, an older lease is a dead run's. */
const LONGEST_RUN_MS = 6 * 3_600_000;

async function goAhead(scene: RunScene): Promise<ActionOutcome> {
  const { event, found } = scene;
  if (found.settings.mode === "collect") return collect(scene);
  const wanted = respondTo(event, found.settings);
  const kind = kindToStart(found.settings, wanted !== undefined);
  if (kind) return event.name === "schedule" ? startAndSweep(scene, kind) : startWork(scene, kind);
  if (!wanted) return sweep(scene);
  return "pullRequest" in wanted ? respond(scene, wanted) : { status: "ignored", ...wanted };
}

/** Repository, settings and the other side of the API, for whoever continues with a work. */
async function setScene(job: Job, told: RunFacts): Promise<RunScene> {
  const token = await requireToken(job);
  const api = { ...job.facts, token };
  const host = job.wiring.codeHost(api);
  const ahead = askAhead(job.event, host);
  job.wiring.loadAhead();
  const openRepository = (temporary: string) =>
    job.wiring.openRepository({ ...job.facts, environment: job.environment, token, temporary });
  const repository = await openRepository(job.temporary);
  const found = await findSettings(repository, job.event, job.environment);
  const { settings } = found;
  // A plan changes nothing, either.
  if (settings.mode === "plan") settings.dryRun = true;
  told.pipeline = settings.pipeline;
  if (isPublic(job.event.payload) && settings.stateKey === undefined) told.isStatePublic = true;
  const warnings: string[] = [];
  told.warnings = warnings;
  const observe = (event: RunEvent): void => {
    if (event.type === "notice" && event.level === "warning") warnings.push(event.message);
    job.observe(event);
  };
  for (const message of found.warnings) observe({ type: "notice", level: "warning", message });
  const items = await findItems(repository, found);
  for (const message of items.odd) observe({ type: "notice", level: "warning", message });
  const discussion = job.wiring.discussion(api);
  const startedBy = starterOf(job.event, job.facts.actorId);
  const idOf = async (login: string) => (await discussion.permissionOf(login)).userId;
  const rerunBy = await rerunnerOf({ ...job.facts, startedBy }, idOf);
  return {
    ...job,
    observe,
    repository,
    openRepository,
    found,
    told,
    host,
    ...(ahead ? { ahead } : {}),
    discussion,
    items,
    startedAt: job.clock.now().toISOString(),
    unshown: [],
    startedBy,
    ...(rerunBy === undefined ? {} : { rerunBy }),
  };
}

/** While git reads the settings: nearly every comment that gets here is answered. */
function askAhead(event: EventFacts, host: CodeHost): Promise<PullRequestDetails | undefined> | undefined {
  const wanted = respondTo(event, { allowedBots: [] });
  if (!wanted || !("pullRequest" in wanted)) return undefined;
  const asked = host.pullRequest(wanted.pullRequest);
  asked.catch(() => undefined); // told where it is needed
  return asked;
}

/** How often a work that turns out to be over is left for the next of its kind. */
const NEXT_WORKS = 3;

async function startWork(scene: RunScene, kind: WorkKind): Promise<ActionOutcome> {
  if (kind === "content") requireItems(scene.items, scene.found);
  if (kind === "content" && isPerItem(scene)) return startPerItem(scene);
  for (let skipped = 0; ; skipped += 1) {
    const work = await workToStart(scene, { kind, skipped });
    const isBegun = kind === "content" || (await scene.repository.tipOf(work.branch)) !== undefined;
    if (!isBegun) requireTaskList(scene.items, scene.found);
    const outcome = await wakeChosen(scene, work, kind);
    if (!outcome.wasOver || skipped === NEXT_WORKS) return outcome;
    // The next one has a pull request of its own.
    delete scene.told.pullRequest;
  }
}

function isPerItem({ found: { settings } }: RunScene): boolean {
  const { pullRequest, mode, sessionId, dryRun } = settings;
  return pullRequest === "per-item" && mode !== "plan" && sessionId === undefined && !dryRun;
}

/** What is due is planned once; then each of it is a work of its own. */
async function startPerItem(scene: RunScene): Promise<ActionOutcome> {
  const { runPerItem } = await import("./shards/per-item.ts");
  const { told, found } = scene;
  const planned: RunFacts = { ...told, items: [] };
  const settings = { ...found.settings, mode: "plan", dryRun: true } as const;
  const work = await chooseWork(scene.repository, scene.host, found);
  const looked = await inFolderOfItsOwn(scene, "plan");
  const seen = await wakeWork({ ...looked, told: planned, found: { ...found, settings } }, work, "content");
  if (!planned.plan) return seen;
  const ran = await runPerItem(scene, planned.plan, async (item) => {
    const { workId } = item.work;
    const own = await inFolderOfItsOwn(scene, workId);
    const facts: RunFacts = { ...told, items: [], workId, branch: "" };
    const { work: one, ...place } = item;
    const outcome = await settle(
      () => wakeWork({ ...own, ...place, told: facts }, one, "content"),
      outcomeOf,
    );
    add(told, facts);
    return { outcome, told: facts };
  });
  told.items = ran.items;
  return ran.outcome;
}

/** All of the work, a part of it, or a look at how to divide it. */
async function wakeChosen(
  scene: RunScene,
  work: Work,
  kind: WorkKind,
): Promise<ActionOutcome & { wasOver: boolean }> {
  const { mode, shard } = scene.found.settings;
  if (kind === "tasks" || (mode !== "plan" && shard === undefined)) return wakeWork(scene, work, kind);
  const { openShard, planShards } = await import("./shards/plan.ts");
  if (mode !== "plan" && shard !== undefined) {
    const { work: part, ...own } = await openShard(scene, work, shard);
    return wakeWork({ ...scene, ...own }, part, kind);
  }
  const outcome = await wakeWork(scene, work, kind);
  if (scene.told.plan) scene.told.matrix = await planShards(scene, work, scene.told.plan);
  return outcome;
}

/** Brings the shards of this run, and those that earlier ones left, into the work. */
async function collect(scene: RunScene): Promise<ActionOutcome> {
  const { collectShards } = await import("./shards/collect.ts");
  const work = await workToStart(scene, { kind: "content", skipped: 0 });
  const found = await collectShards(scene, work);
  if (!found) return wakeWork(scene, work, "respond");
  const outcome = await wakeWork({ ...scene, ...found }, work, "respond");
  return graver(outcome, found.collects.outcome);
}

/** Its own work first; of the others only a failure makes it another end. */
async function startAndSweep(scene: RunScene, kind: WorkKind): Promise<ActionOutcome> {
  const own = await settle(() => startWork(scene, kind), outcomeOf);
  if (scene.signal.aborted || scene.found.settings.dryRun) return own;
  const swept = await settle(() => sweep(scene), outcomeOf);
  return own.status !== "failed" && swept.status === "failed" ? swept : own;
}

/** What a run begins or continues with by itself; undefined: it acts on what people said. */
function kindToStart(
  { mode, content, sessionId }: RunSettings["settings"],
  isSpokenTo: boolean,
): WorkKind | undefined {
  if (mode === "content" || mode === "tasks") return mode;
  if (mode === "plan") return "content";
  if (mode === "respond" || isSpokenTo) return undefined;
  const isOfContent = sessionId !== undefined && !isTasksSession(sessionId);
  return content.length > 0 || isOfContent ? "content" : "tasks";
}

async function respond(scene: RunScene, { pullRequest: number, dispatched }: Wake): Promise<ActionOutcome> {
  const { branchPrefix } = scene.found.settings;
  const pullRequest = await (scene.ahead ?? scene.host.pullRequest(number));
  const found = findWork(pullRequest, { repository: scene.facts.repository, branchPrefix });
  if (!pullRequest || !("workId" in found)) {
    return { status: "ignored", reasonCode: "no-command", message: "", ...found };
  }
  const { branch } = pullRequest;
  const { workId } = found;
  const work = { workId, kind: kindOf(workId), key: workId, branch, pullRequest };
  const isLeft = dispatched && pullRequest.state === "open" && !scene.found.settings.dryRun;
  if (isLeft) await leaveLetter(scene, workId, dispatched);
  return wakeWork(scene, work, "respond");
}

async function requireToken({ environment }: Job): Promise<string> {
  const token = (await readEarly(environment)).githubToken;
  if (token !== undefined) return token;
  throw new LoopliaError("config-invalid", "github-token is empty", {
    hint: "leave the input out: the job's own token is its default",
  });
}

/** As the event says; where it does not, nothing is claimed. */
function isPublic(payload: unknown): boolean {
  return valueAt(payload, "repository", "private") === false;
}

// A run of the Action from its event to its report.

/** Never throws: what goes wrong is in the report. */
export async function runAction(job: Job): Promise<{ report: RunReport; workId: string; branch: string }> {
  const told: RunFacts = { pipeline: "", isRehearsal: false, items: [], workId: "", branch: "" };
  const refusal = refuse(job.event);
  const outcome: ActionOutcome = refusal
    ? { status: "ignored", reasonCode: refusal.reasonCode, message: refusal.message }
    : await settle(() => start(job, told), outcomeOf);
  const { workId, branch, ...rest } = told;
  // What a run brought may say more of itself; which items there are is told.
  const { status, reasonCode, message } = outcome;
  const report = { ...rest, status, reasonCode, ...(message === undefined ? {} : { message }) };
  return { report, workId, branch };
}

/** What can be told from the event alone. Which bots may answer is in the settings. */
function refuse(event: EventFacts): EventRefusal | undefined {
  const spoken = respondTo(event, { allowedBots: [] });
  if (!spoken) return refuseEvent(event);
  return "reasonCode" in spoken && spoken.reasonCode === "no-command" ? spoken : undefined;
}

// The post step: uploads what main did not get to, gives back the work that it had, shows how the work stands.

const UPLOAD_MS = 120_000;

/** So many works are looked at: each is a clone and some requests, and the others wait for the next scheduled run. */
const MOST = 5;

/** What main left: an upload, and the works that it may have claimed, or that do not show how it ended. */
type PostLeftovers = { upload?: Upload | undefined; works?: readonly LeftWork[] };

/** Never runs an agent. Throws LoopliaError for what it can't do; the rest of it was done. */
export async function runPost(job: Job, { upload, works = [] }: PostLeftovers): Promise<void> {
  const uploaded = upload && job.wiring.uploadFolder({ ...upload, timeoutMs: UPLOAD_MS });
  const leaving = works.length > 0 ? leaveAll(job, works.slice(-MOST)) : undefined;
  for (const ended of await Promise.allSettled([uploaded, leaving])) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

/** One after the other; one that fails keeps no other from its turn. */
async function leaveAll(job: Job, works: readonly LeftWork[]): Promise<void> {
  const told: RunFacts = { pipeline: "", isRehearsal: false, items: [], workId: "", branch: "" };
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

async function leave(scene: RunScene, { workId, branch }: LeftWork): Promise<void> {
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
