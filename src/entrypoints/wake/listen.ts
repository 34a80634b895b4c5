// While a run is at work one word is heard at once: `/cancel`. Everything else waits for the look at its end.
import { Cancellation, type Cancellations } from "../../agent/cancellations.ts";
import { loginOf } from "../../session/actor.ts";
import { judgeComment } from "../../trigger/judge.ts";
import { circumstances } from "./judging.ts";
import { unreadComments } from "./unread.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** Looks become rarer: each is a request to GitHub. */
const FIRST_MS = 20_000;
const RARER = 3;

/** Aborts what people canceled. The command itself is handled, and told, by the look at the end. */
export function listenForCancel(
  run: WakeRun,
  work: WorkInHand,
  cancellations: Cancellations,
): { stop(): Promise<void> } {
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const later = (wait: number): void => {
    timer = setTimeout(() => {
      // A look that failed is made up for by the next.
      looking = looking.then(() => look(run, work, cancellations)).catch(() => undefined);
      later(wait * RARER);
    }, wait);
    timer.unref();
  };
  later(FIRST_MS);
  return {
    async stop() {
      clearTimeout(timer);
      await looking;
    },
  };
}

async function look(run: WakeRun, work: WorkInHand, cancellations: Cancellations): Promise<void> {
  const { pullRequest } = run.work;
  if (!pullRequest) return;
  for (const comment of await unreadComments(work, run.discussion, pullRequest.number)) {
    if (!/^\s*\/cancel\b/i.test(comment.body)) continue;
    const judging = await circumstances(work, { ...run, settings: run.found.settings });
    const verdict = await judgeComment(comment, work.state.authorId, judging);
    const effect = verdict.verdict === "accepted" ? verdict.effects[0] : undefined;
    if (verdict.verdict !== "accepted" || effect?.type !== "cancel") continue;
    const { actorId } = verdict;
    cancellations.cancel(new Cancellation(`canceled by ${loginOf(actorId)}`, actorId), effect.session);
  }
}
