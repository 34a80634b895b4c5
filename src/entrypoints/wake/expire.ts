// Questions that nobody answered in time.
import type { WorkInHand } from "./work-in-hand.ts";

/** Closes what is due; the task that asked fails as soon as its session goes on. How many there were. */
export async function expireQuestions(work: WorkInHand, now: Date): Promise<number> {
  const due = (await work.openQuestions()).filter(
    ({ expiresAt }) => expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime(),
  );
  for (const { interactionId, taskId, sessionId } of due) {
    const payload = { interactionId, taskId, at: now.toISOString() };
    await work.change(sessionId, [{ store: "events", type: "InteractionExpired", payload }]);
  }
  return due.length;
}
