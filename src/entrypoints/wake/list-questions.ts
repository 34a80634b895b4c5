// The open questions of a work as its pull request, its status comment and its check tell them.
import type { Report } from "../../publish/report.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** What waits for people, with links to the comments. */
export async function listQuestions(
  run: WakeRun,
  work: WorkInHand,
): Promise<NonNullable<Report["questions"]>> {
  const url = run.work.pullRequest?.url;
  return (await work.openQuestions()).map((request) => {
    const { interactionId, shortId, sessionId, display, expiresAt } = request;
    const comment = work.state.requestComments.get(interactionId);
    return {
      interactionId,
      shortId,
      sessionId,
      title: display.title,
      ...(comment && url !== undefined ? { commentUrl: `${url}#issuecomment-${comment.commentId}` } : {}),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
  });
}
