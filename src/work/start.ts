// Starts a run: content, task list or answers, then the sweep over other open works.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { budgetOf } from "../agent/budget.ts";
import { LoopliaError } from "../core/errors.ts";
import { valueAt } from "../core/json.ts";
import type { RunEvent } from "../core/ports.ts";
import type { CodeHost, PullRequestDetails } from "../core/ports-host.ts";
import { mostSerious } from "../core/result.ts";
import { ENDED } from "../core/work-state.ts";
import { areRehearsals, type RunReport } from "../publish/report.ts";
import { workToStart } from "./carried.ts";
import {
  chooseWork,
  findItems,
  findReopened,
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
import { continueRun, forgetStates } from "./finish.ts";
import { isTasksSession } from "./handle.ts";
import { leaveLetter } from "./inbox.ts";
import { uploadOf } from "./project.ts";
import {
  type ActionOutcome,
  graver,
  type Job,
  type Leftovers,
  type LeftWork,
  outcomeOf,
  type RunFacts,
  StatusEdits,
  settle,
  type WakeRun,
} from "./run.ts";
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

/** A run without its work. */
type RunScene = Omit<WakeRun, "work" | "kind" | "statusEdits"> & {
  /** The event's pull request, requested before the settings were read. */
  ahead?: Promise<PullRequestDetails | undefined>;
  /** Whether `dry-run` was set: then even the plan of shards is not stored. */
  isDryRun: boolean;
  /** Ids of the works that this run has woken: it wakes each once, whoever asks for it. */
  woken: Set<string>;
};

/** Fills in `told`. Throws LoopliaError for errors that end the wake. `wasOver` as in `WakeResult`. */
async function wakeWork(
  scene: RunScene,
  work: Work,
  kind: WakeRun["kind"],
): Promise<ActionOutcome & { wasOver: boolean }> {
  const { told } = scene;
  told.workId = work.workId;
  scene.woken.add(work.workId);
  const reopened = await findReopened(scene.host, scene.found.settings, work);
  if (work.kind === "tasks") told.pipeline = work.kind;
  if (work.pullRequest) told.pullRequest = work.pullRequest;
  const own = reopened ? { ...work, reopened } : work;
  const run: WakeRun = { ...scene, work: own, kind, statusEdits: new StatusEdits(scene.clock) };
  const upload = uploadOf(run, join(run.temporary, "state"));
  const folder = join(run.temporary, "state", work.workId);
  const { workId, branch, shard } = work;
  const left = { workId, branch, folder, ...(shard ? { shard } : {}) };
  run.unshown.push(left);
  run.remember({ works: run.unshown, ...(upload ? { upload } : {}) });
  const { outcome, isShown, wasOver } = await wake(run);
  const isNextDue = wasOver && !reopened;
  // `post` shows an outcome that was interrupted or could not be shown here.
  if (run.signal.aborted) return { ...outcome, wasOver: isNextDue };
  if (isShown) run.unshown.splice(run.unshown.indexOf(left), 1);
  run.remember({ works: run.unshown });
  return { ...outcome, wasOver: isNextDue };
}

/** The same scene with a clone in a folder of this name: each clone opens a work only once. */
async function inFolderOfItsOwn(scene: RunScene, name: string): Promise<RunScene> {
  const temporary = join(scene.temporary, name);
  await mkdir(temporary);
  const repository = await scene.openRepository(temporary);
  await repository.fetchCommit(scene.found.baseCommit, scene.found.base);
  return { ...scene, temporary, repository };
}

// Every scheduled run looks at all works of the repository for expired questions, interrupted runs, unread
// comments, and merged or closed pull requests. It finds them by their state refs, so it also finds works
// without a pull request.

/** Wakes the works one after the other and adds their results to `told`; a failure stops no other. */
async function sweep(scene: RunScene): Promise<ActionOutcome> {
  const { found, woken, repository, host } = scene;
  const stored = await repository.storedWorks(statePrefixesOf(found.settings));
  // A work with an `ENDED` checkpoint never changes again, so the sweep skips it without a request.
  const open = stored.filter(({ workId, message }) => !woken.has(workId) && message !== ENDED);
  await forgetStates(scene, stored);
  const chosen = chooseSwept(open, Number(scene.facts.runNumber) || 0);
  if (chosen.length < open.length) {
    const message = `${open.length} works are open: ${chosen.length} of them are checked now, the others by the next scheduled runs`;
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
    mostSerious(outcomes) ?? {
      status: "ignored",
      reasonCode: "no-command",
      message: "there is nothing to do",
    }
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

/** The run's own work comes first; without one, the outputs describe a swept work. */
function add(told: RunFacts, swept: RunFacts): void {
  const items = [...told.items, ...swept.items];
  const questions = [...(told.questions ?? []), ...(swept.questions ?? [])];
  if (told.branch === "") Object.assign(told, swept);
  Object.assign(told, { items, questions, isRehearsal: areRehearsals(items) });
}

/** Fills in `told`. Throws LoopliaError for errors that end the run before a work exists. */
async function start(job: Job, told: RunFacts): Promise<ActionOutcome> {
  const scene = await setScene(job, told);
  const budget = budgetOf(scene);
  try {
    const outcome = await settle(() => goAhead(budget ? { ...scene, budget } : scene), outcomeOf);
    await continueRun(scene, outcome);
    return outcome;
  } finally {
    // The next run settles a lease that could not be closed here.
    await budget?.close().catch((thrown: unknown) => {
      const { message = "" } = outcomeOf(thrown);
      scene.observe({ type: "notice", level: "warning", message });
    });
  }
}

async function goAhead(scene: RunScene): Promise<ActionOutcome> {
  const { event, found } = scene;
  if (found.settings.mode === "collect") return collect(scene);
  const wanted = respondTo(event, found.settings);
  const kind = kindToStart(found.settings, wanted !== undefined);
  if (kind) return event.name === "schedule" ? startAndSweep(scene, kind) : startWork(scene, kind);
  if (!wanted) return sweep(scene);
  return "pullRequest" in wanted ? respond(scene, wanted) : { status: "ignored", ...wanted };
}

/** Sets up the repository, the settings and the API clients for a run. */
async function setScene(job: Job, told: RunFacts): Promise<RunScene> {
  const token = await requireToken(job);
  const api = { ...job.facts, token };
  const host = job.wiring.codeHost(api);
  const ahead = askAhead(job.event, host);
  const openRepository = (temporary: string) =>
    job.wiring.openRepository({ ...job.facts, environment: job.environment, token, temporary });
  const repository = await openRepository(job.temporary);
  const finding = findSettings(repository, job.event, job.environment);
  job.wiring.loadAhead("start");
  const found = await finding;
  const { settings } = found;
  const isDryRun = settings.dryRun;
  // Mode `plan` changes nothing either, except that it leaves the plan of shards.
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
  job.wiring.spareMemory(items);
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
    isDryRun,
    told,
    host,
    ...(ahead ? { ahead } : {}),
    discussion,
    items,
    startedAt: job.clock.now().toISOString(),
    unshown: [],
    woken: new Set(),
    startedBy,
    ...(rerunBy === undefined ? {} : { rerunBy }),
  };
}

/** Requests the pull request while git reads the settings: nearly every comment that gets here needs it. */
function askAhead(event: EventFacts, host: CodeHost): Promise<PullRequestDetails | undefined> | undefined {
  const wanted = respondTo(event, { allowedBots: [] });
  if (!wanted || !("pullRequest" in wanted)) return undefined;
  const asked = host.pullRequest(wanted.pullRequest);
  asked.catch(() => undefined); // reported where the result is used
  return asked;
}

/** How many works that turn out to be over a run skips before it gives up. */
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
    // The next work has a pull request of its own.
    delete scene.told.pullRequest;
  }
}

function isPerItem({ found: { settings } }: RunScene): boolean {
  const { pullRequest, mode, sessionId, dryRun } = settings;
  return pullRequest === "per-item" && mode !== "plan" && sessionId === undefined && !dryRun;
}

/** Plans once, then runs each planned item as a work of its own. */
async function startPerItem(scene: RunScene): Promise<ActionOutcome> {
  const { runPerItem } = await import("./shards/per-item.ts");
  const { told, found } = scene;
  const planned: RunFacts = { ...told, items: [] };
  const settings = { ...found.settings, mode: "plan", dryRun: true } as const;
  const work = await chooseWork(scene.repository, scene.host, found);
  const looked = await inFolderOfItsOwn(scene, "plan");
  const rehearsal = { ...looked, told: planned, found: { ...found, settings }, woken: new Set<string>() };
  const seen = await wakeWork(rehearsal, work, "content");
  if (!planned.plan) return seen;
  const ran = await runPerItem(scene, planned.plan, async (item, kind) => {
    const { workId } = item.work;
    const own = await inFolderOfItsOwn(scene, kind === "content" ? workId : `${workId}-again`);
    const facts: RunFacts = { ...told, items: [], workId, branch: "" };
    const { work: one, ...place } = item;
    const itsScene = { ...own, ...place, told: facts, looksLater: true } as const;
    const outcome = await settle(() => wakeWork(itsScene, one, kind), outcomeOf);
    add(told, facts);
    return { outcome, told: facts };
  });
  told.items = ran.items;
  return ran.outcome;
}

/** Runs the whole work, one shard of it, or the planning of shards. */
async function wakeChosen(
  scene: RunScene,
  work: Work,
  kind: WorkKind,
): Promise<ActionOutcome & { wasOver: boolean }> {
  const { mode, shard } = scene.found.settings;
  if (kind === "tasks" || (mode !== "plan" && shard === undefined)) return wakeWork(scene, work, kind);
  const { runShard, planShards } = await import("./shards/plan.ts");
  if (mode !== "plan" && shard !== undefined) {
    const run = (part: Work, own: object) => wakeWork({ ...scene, ...own }, part, kind);
    const ran = await runShard(scene, { work, shard }, run);
    return ran ?? { status: "completed", reasonCode: "up-to-date", wasOver: false };
  }
  const outcome = await wakeWork(scene, work, kind);
  if (scene.told.plan) scene.told.matrix = await planShards(scene, work, scene.told.plan);
  return outcome;
}

/** Merges the shards of this run, and those left by earlier runs, into the work. */
async function collect(scene: RunScene): Promise<ActionOutcome> {
  const { collectShards } = await import("./shards/plan.ts");
  const work = await workToStart(scene, { kind: "content", skipped: 0 });
  const found = await collectShards(scene, work);
  if (!found) return wakeWork(scene, work, "respond");
  if ("status" in found) return found;
  const outcome = await wakeWork({ ...scene, ...found }, work, "respond");
  return graver(outcome, found.collects.outcome);
}

/** Runs its own work first. Of the swept works only a failure changes the outcome. */
async function startAndSweep(scene: RunScene, kind: WorkKind): Promise<ActionOutcome> {
  const own = await settle(() => startWork(scene, kind), outcomeOf);
  const { dryRun, shard } = scene.found.settings;
  // What else is open is left to the job that collects: several shards at once would wake the same works.
  if (scene.signal.aborted || dryRun || shard !== undefined) return own;
  const swept = await settle(() => sweep(scene), outcomeOf);
  return own.status !== "failed" && swept.status === "failed" ? swept : own;
}

/** What a run starts without being asked; undefined: it only acts on comments and answers. */
function kindToStart(
  { mode, content, sessionId }: RunSettings["settings"],
  isSpokenTo: boolean,
): WorkKind | undefined {
  if (mode === "plan") return "content";
  // A comment wakes the work of its pull request and starts nothing, whatever the mode.
  if (mode === "respond" || isSpokenTo) return undefined;
  if (mode === "content" || mode === "tasks") return mode;
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
    hint: "remove the input: the job's own token is the default",
  });
}

/** True only if the event says that the repository is public. */
function isPublic(payload: unknown): boolean {
  return valueAt(payload, "repository", "private") === false;
}

// A run of the Action, from its event to its report.

/** Never throws: the report contains any failure. */
export async function runAction(job: Job): Promise<{ report: RunReport; workId: string; branch: string }> {
  const told: RunFacts = { pipeline: "", isRehearsal: false, items: [], workId: "", branch: "" };
  const refusal = refuse(job.event);
  const outcome: ActionOutcome = refusal
    ? { status: "ignored", reasonCode: refusal.reasonCode, message: refusal.message }
    : await settle(() => start(job, told), outcomeOf);
  const { workId, branch, ...rest } = told;
  // The outcome may be a whole run result: only these three fields count, the items come from `told`.
  const { status, reasonCode, message } = outcome;
  const report = { ...rest, status, reasonCode, ...(message === undefined ? {} : { message }) };
  return { report, workId, branch };
}

/** Decides from the event alone. The allowed bots are only known after the settings are read. */
function refuse(event: EventFacts): EventRefusal | undefined {
  const spoken = respondTo(event, { allowedBots: [] });
  if (!spoken) return refuseEvent(event);
  return "reasonCode" in spoken && spoken.reasonCode === "no-command" ? spoken : undefined;
}

// The post step: uploads what the main step could not, releases its claims, and updates the pull requests.

const UPLOAD_MS = 120_000;

/** How many works `post` handles: each needs a clone and requests. A scheduled run does the others. */
const MOST = 5;

/** Never runs an agent. Throws LoopliaError for the first part that failed, after trying all parts. */
export async function runPost(job: Job, { upload, works = [] }: Leftovers): Promise<void> {
  const uploaded = upload && job.wiring.uploadFolder({ ...upload, timeoutMs: UPLOAD_MS });
  const leaving = works.length > 0 ? leaveAll(job, works.slice(-MOST)) : undefined;
  for (const ended of await Promise.allSettled([uploaded, leaving])) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

/** Leaves the works one after the other. A failure in one does not stop the others. */
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

async function leave(
  scene: RunScene,
  { workId, branch, folder: diedIn, shard, failure }: LeftWork,
): Promise<void> {
  if (shard) scene.repository.sharePushes(shard);
  const pullRequests = shard ? [] : await scene.host.pullRequestsOf(branch);
  const pullRequest = pullRequests.find((one) => one.state === "open") ?? pullRequests[0];
  if (pullRequest) scene.told.pullRequest = pullRequest;
  const settings = { ...scene.found.settings, uploadAudit: false };
  const found = { ...scene.found, settings };
  await leaveWork({
    ...scene,
    found,
    diedIn,
    ...(failure === undefined ? {} : { failure }),
    work: { workId, kind: kindOf(workId), key: workId, branch, pullRequest, ...(shard ? { shard } : {}) },
    kind: "respond",
    statusEdits: new StatusEdits(scene.clock),
  });
}
