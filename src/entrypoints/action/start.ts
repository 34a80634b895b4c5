// What an event starts: content items, the task list, or the wake of works that people spoke to.
import { LoopliaError } from "../../errors.ts";
import { isTasksSession } from "../../handle-tasks.ts";
import type { CodeHost, PullRequestDetails } from "../../ports/repository.ts";
import type { RunEvent } from "../../ports.ts";
import { valueAt } from "../../session/json.ts";
import type { EventFacts } from "../../trigger/event.ts";
import { findWork, respondTo, type Wake } from "../../trigger/respond.ts";
import { rerunnerOf, starterOf } from "../../trigger/starters.ts";
import { leaveLetter } from "../wake/letters.ts";
import { chooseWork, kindOf, type WorkKind } from "./choose-work.ts";
import { type Found, findSettings, readEarly } from "./find-settings.ts";
import { findItems, requireItems, requireTasks } from "./items.ts";
import type { Job, Told } from "./job.ts";
import { type Outcome, outcomeOf, settle } from "./outcome.ts";
import { sweep } from "./sweep.ts";
import { type Scene, wakeWork } from "./wake-work.ts";

/** Fills in `told`. Throws LoopliaError for what ends the run before there is a work. */
export async function start(job: Job, told: Told): Promise<Outcome> {
  const scene = await setScene(job, told);
  const { event, found } = scene;
  const wanted = respondTo(event, found.settings);
  const kind = kindToStart(found.settings, wanted !== undefined);
  if (kind) return event.name === "schedule" ? startAndSweep(scene, kind) : startWork(scene, kind);
  if (!wanted) return sweep(scene);
  return "pullRequest" in wanted ? respond(scene, wanted) : { status: "ignored", ...wanted };
}

/** Repository, settings and the other side of the API, for whoever goes on with a work. */
export async function setScene(job: Job, told: Told): Promise<Scene> {
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
  told.pipeline = settings.pipeline;
  if (isPublic(job.event.payload) && settings.stateKey === undefined) told.isStatePublic = true;
  const warnings: string[] = [];
  told.warnings = warnings;
  const observe = (event: RunEvent): void => {
    if (event.type === "notice" && event.level === "warning") warnings.push(event.message);
    job.observe(event);
  };
  for (const message of found.warnings) observe({ type: "notice", level: "warning", message });
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
    items: await findItems(repository, found),
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

async function startWork(scene: Scene, kind: WorkKind): Promise<Outcome> {
  if (kind === "content") requireItems(scene.items, scene.found);
  for (let skipped = 0; ; skipped += 1) {
    const work = await chooseWork(scene.repository, scene.host, scene.found, { kind, skipped });
    const isBegun = kind === "content" || (await scene.repository.tipOf(work.branch)) !== undefined;
    if (!isBegun) requireTasks(scene.items, scene.found);
    const outcome = await wakeWork(scene, work, kind);
    if (!outcome.wasOver || skipped === NEXT_WORKS) return outcome;
    // The next one has a pull request of its own.
    delete scene.told.pullRequest;
  }
}

/** Its own work first; of the others only a failure makes it another end. */
async function startAndSweep(scene: Scene, kind: WorkKind): Promise<Outcome> {
  const own = await settle(() => startWork(scene, kind), outcomeOf);
  if (scene.signal.aborted || scene.found.settings.dryRun) return own;
  const swept = await settle(() => sweep(scene), outcomeOf);
  return own.status !== "failed" && swept.status === "failed" ? swept : own;
}

/** What a run begins or goes on with by itself; undefined: it acts on what people said. */
function kindToStart(
  { mode, content, sessionId }: Found["settings"],
  isSpokenTo: boolean,
): WorkKind | undefined {
  if (mode === "content" || mode === "tasks") return mode;
  if (mode === "respond" || isSpokenTo) return undefined;
  const isOfContent = sessionId !== undefined && !isTasksSession(sessionId);
  return content.length > 0 || isOfContent ? "content" : "tasks";
}

async function respond(scene: Scene, { pullRequest: number, dispatched }: Wake): Promise<Outcome> {
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
