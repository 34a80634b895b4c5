// Asks about finished steps that a force push removed from the branch.
import { MAX_OPEN_QUESTIONS } from "../../agent/session.ts";
import { createRewritten } from "../../approval/request.ts";
import { loginOf } from "../../core/json.ts";
import { isPending } from "../../core/state.ts";
import type { WorkClaim } from "../claim.ts";
import { cancelSessions } from "../people.ts";
import type { WakeRun, WorkInHand, WorkQuestion } from "../run.ts";
import { isInFolder, originOf } from "./conflicts.ts";

/** The latest question, unless its answer was carried out: then the steps were removed again after it. */
async function findAsked(work: WorkInHand): Promise<WorkQuestion | undefined> {
  const last = (await work.questions()).findLast(({ request }) => request.isRewritten);
  if (!last || work.state.settledSteps.has(last.request.interactionId)) return undefined;
  return last.closed ? undefined : last;
}

/** True if the question must be asked: it was never asked, or it expired. */
export async function owesRewritten(work: WorkInHand): Promise<boolean> {
  return work.stateRef.removed.length > 0 && (await findAsked(work)) === undefined;
}

/** True while nobody has decided: until then nothing of the work continues. */
export function isRewritten({ stateRef }: WorkInHand): boolean {
  return stateRef.removed.length > 0;
}

/** Raises the question in the session whose steps are missing, and saves it. */
export async function askRewritten(run: WakeRun, work: WorkInHand, claim: WorkClaim): Promise<void> {
  if (!(await owesRewritten(work)) || (await work.openQuestions()).length >= MAX_OPEN_QUESTIONS) return;
  const { removed } = work.stateRef;
  const living = (await work.sessions()).filter(({ state }) => !state.canceled);
  const owner =
    living.find(({ sessionId }) => removed.some((file) => isInFolder(file, sessionId))) ?? living.at(-1);
  await claim.take();
  // No session remains, so the branch stays as it was pushed.
  if (!owner) return work.stateRef.settleRemoved("keep");
  const payload = createRewritten(await originOf(run, work, owner.sessionId), removed);
  await work.change(owner.sessionId, [{ store: "events", type: "UserInteractionRequested", payload }]);
  await work.checkpoint("chore: save a question");
}

/**
 * Carries out the decision: restores the steps, or cancels the sessions whose folders are missing. Durable
 * with the next checkpoint; a second call changes nothing.
 */
export async function settleRewritten(work: WorkInHand, claim: WorkClaim): Promise<void> {
  if (!isRewritten(work)) return;
  const asked = await findAsked(work);
  if (!asked || isPending(asked)) return;
  const { interactionId } = asked.request;
  const isBack = asked.response?.selectedOptionId === "restore";
  const { removed } = work.stateRef;
  await claim.take();
  if (!isBack) {
    const { authorActorId: actorId = "", answeredAt: at = "" } = asked.response ?? {};
    const reason = `${loginOf(actorId)} keeps the branch without its steps`;
    for (const { sessionId } of await work.sessions()) {
      if (!removed.some((file) => isInFolder(file, sessionId))) continue;
      await cancelSessions(work, sessionId, { reason, actorId, at });
    }
  }
  await work.stateRef.settleRemoved(isBack ? "restore" : "keep");
  await work.note({ type: "StepsSettled", payload: { interactionId } });
  await work.checkpoint(isBack ? "chore: put steps back" : "chore: leave steps out");
}
