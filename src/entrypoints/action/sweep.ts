// Every scheduled run looks at the works of the repository: what has expired, what a killed run left, what nobody read,
// whose pull request was merged or closed. The state refs tell which there are, so none is missed that has no pull request
// yet, or none any more.
import { areRehearsals } from "../../publish/report.ts";
import { chooseSwept } from "../../trigger/sweep.ts";
import { ENDED } from "../wake/close-work.ts";
import { kindOf, type Work } from "./choose-work.ts";
import type { Told } from "./job.ts";
import { gravest, type Outcome, outcomeOf, settle } from "./outcome.ts";
import { statePrefixesOf } from "./state-refs.ts";
import { inFolderOfItsOwn, type Scene, wakeWork } from "./wake-work.ts";

/** Wakes them one after the other and adds to `told` what they did; what fails in one keeps no other from its turn. */
export async function sweep(scene: Scene): Promise<Outcome> {
  const { found, told, repository, host } = scene;
  const stored = await repository.storedWorks(statePrefixesOf(found.settings));
  // What was settled when it ended stays as it is for ever, and is not even asked about.
  const open = stored.filter(({ workId, message }) => workId !== told.workId && message !== ENDED);
  const chosen = chooseSwept(open, Number(scene.facts.runNumber) || 0);
  if (chosen.length < open.length) {
    const message = `${open.length} works are open: ${chosen.length} of them are looked at now, the others by the next scheduled runs`;
    scene.observe({ type: "notice", level: "warning", message });
  }
  const requests = chosen.length === 0 ? [] : await host.openPullRequests(found.settings.branchPrefix);
  const outcomes: Outcome[] = [];
  for (const { workId } of chosen) {
    if (scene.signal.aborted) break;
    const branch = `${found.settings.branchPrefix}${workId}`;
    const known = requests.find((request) => request.branch === branch);
    outcomes.push(await settle(() => wakeStored(scene, { workId, branch, known }), outcomeOf));
  }
  return (
    gravest(outcomes) ?? { status: "ignored", reasonCode: "no-command", message: "nothing is to be done" }
  );
}

async function wakeStored(
  scene: Scene,
  { workId, branch, known }: { workId: string; branch: string; known: Work["pullRequest"] },
): Promise<Outcome> {
  const [pullRequest] = known ? [known] : await scene.host.pullRequestsOf(branch);
  const work = { workId, kind: kindOf(workId), key: workId, branch, pullRequest };
  const own = await inFolderOfItsOwn(scene, workId);
  const told: Told = { pipeline: scene.told.pipeline, isRehearsal: false, items: [], workId, branch: "" };
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
function add(told: Told, swept: Told): void {
  const items = [...told.items, ...swept.items];
  const questions = [...(told.questions ?? []), ...(swept.questions ?? [])];
  if (told.branch === "") Object.assign(told, swept);
  Object.assign(told, { items, questions, isRehearsal: areRehearsals(items) });
}
