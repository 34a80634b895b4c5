// What an event starts: content items, or the wake of works that people spoke to.
import { join } from "node:path";
import { isSessionId } from "../../content/session-id.ts";
import { LoopliaError } from "../../errors.ts";
import type { Repository } from "../../ports/repository.ts";
import type { RunEvent } from "../../ports.ts";
import { findWork, respondTo, type Wake } from "../../trigger/respond.ts";
import { uploadOf } from "../wake/upload.ts";
import { wake } from "../wake/wake.ts";
import type { WakeRun } from "../wake/wake-run.ts";
import type { Around, Told } from "./around.ts";
import { chooseWork, type Work } from "./choose-work.ts";
import { findSettings, readEarly } from "./find-settings.ts";
import { findItems, requireItems } from "./items.ts";
import { graver, type Outcome, outcomeOf, settle } from "./outcome.ts";

/** Everything but the work. */
export type Scene = Omit<WakeRun, "work" | "kind">;

/** Fills in `told`. Throws LoopliaError for what ends the run before there is a work. */
export async function start(around: Around, told: Told): Promise<Outcome> {
  const scene = await setScene(around, told);
  const { event, found } = scene;
  const { mode } = found.settings;
  const wanted = respondTo(event, found.settings);
  if (mode === "content" || (mode === "auto" && !wanted)) return startContent(scene);
  if (!wanted) return sweep(scene);
  return "pullRequest" in wanted ? respond(scene, wanted) : { status: "ignored", ...wanted };
}

/** Repository, settings and the other side of the API, for whoever goes on with a work. */
export async function setScene(around: Around, told: Told): Promise<Scene> {
  const repository = await openRepository(around);
  const found = await findSettings(repository, around.event, around.environment);
  const { settings } = found;
  told.pipeline = settings.pipeline;
  const warnings: string[] = [];
  const observe = (event: RunEvent): void => {
    if (event.type === "notice" && event.level === "warning") warnings.push(event.message);
    around.observe(event);
  };
  for (const message of found.warnings) observe({ type: "notice", level: "warning", message });
  const api = { ...around.facts, token: settings.githubToken ?? "" };
  return {
    ...around,
    observe,
    warnings,
    repository,
    found,
    told,
    host: around.wiring.codeHost(api),
    discussion: around.wiring.discussion(api),
    items: await findItems(repository, found),
    startedAt: around.clock.now().toISOString(),
    startedBy: around.facts.actorId,
  };
}

/** How often a work that turns out to be over is left for the next of its kind. */
const NEXT_WORKS = 3;

async function startContent(scene: Scene): Promise<Outcome> {
  requireItems(scene.items, scene.found);
  for (let after = 0; ; after += 1) {
    const work = await chooseWork(scene.repository, scene.host, scene.found, after);
    const outcome = await wakeWork(scene, work, "content");
    if (outcome.reasonCode !== "closed" || after === NEXT_WORKS || work.pullRequest) return outcome;
  }
}

async function respond(scene: Scene, { pullRequest: number, ...said }: Wake): Promise<Outcome> {
  const { branchPrefix } = scene.found.settings;
  const pullRequest = await scene.host.pullRequest(number);
  const found = findWork(pullRequest, { repository: scene.facts.repository, branchPrefix });
  if (!pullRequest || !("workId" in found)) {
    return { status: "ignored", reasonCode: "no-command", message: "", ...found };
  }
  const { branch } = pullRequest;
  const tip = await scene.repository.tipOf(branch);
  const work = { workId: found.workId, key: found.workId, branch, tip, pullRequest };
  return wakeWork({ ...scene, ...said }, work, "respond");
}

/** Looks at every open work: what has expired, what was left, what nobody read. */
async function sweep(scene: Scene): Promise<Outcome> {
  const { branchPrefix } = scene.found.settings;
  let outcome: Outcome = { status: "ignored", reasonCode: "no-command", message: "nothing is to be done" };
  for (const pullRequest of await scene.host.openPullRequests(branchPrefix)) {
    const workId = pullRequest.branch.slice(branchPrefix.length);
    if (!isSessionId(workId)) continue;
    const tip = await scene.repository.tipOf(pullRequest.branch);
    const work = { workId, key: workId, branch: pullRequest.branch, tip, pullRequest };
    outcome = graver(outcome, await settle(() => wakeWork(scene, work, "respond"), outcomeOf));
  }
  return outcome;
}

async function wakeWork(scene: Scene, work: Work, kind: WakeRun["kind"]): Promise<Outcome> {
  const { told } = scene;
  told.workId = work.workId;
  if (work.pullRequest) told.pullRequest = work.pullRequest;
  const run: WakeRun = { ...scene, work, kind };
  const upload = uploadOf(run, join(run.temporary, "state"));
  run.remember({ work, ...(upload ? { upload } : {}) });
  const outcome = await wake(run);
  // Whoever is interrupted shows nothing any more: `post` does.
  if (!run.signal.aborted) run.remember({});
  return outcome;
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
