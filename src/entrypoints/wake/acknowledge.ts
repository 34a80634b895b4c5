// What the author of a command gets to see: eyes when it was accepted, a rocket when it is done; confused and one comment
// that says why when it was refused. Only people with permission ever come here.
import type { PullRequest } from "../../ports/repository.ts";
import { renderRefusal } from "../../publish/reply-comment.ts";
import { loginOf } from "../../session/actor.ts";
import type { HandledComment } from "../../session/work-events.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** Says that it was read; once more does no harm. */
export async function greet({ discussion }: WakeRun, handled: readonly HandledComment[]): Promise<void> {
  for (const { commentId, verdict } of handled) {
    if (verdict === "accepted") await discussion.react(commentId, "eyes");
  }
}

/** Tells how a command ended. One that was accepted is told when the run `isOver`. */
export async function acknowledge(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  handled: HandledComment,
  isOver: boolean,
): Promise<void> {
  const { commentId, verdict } = handled;
  if (verdict === "accepted" && !isOver) return;
  await run.discussion.react(commentId, verdict === "accepted" ? "rocket" : "confused");
  if (verdict === "refused" && !work.state.refusals.has(commentId))
    await refuse(run, work, pullRequest, handled);
  await work.note({ type: "CommentAcknowledged", payload: { commentId } });
}

async function refuse(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  handled: HandledComment,
): Promise<void> {
  const { commentId: answers, actorId, command = "", reason, whatToDo = "", copy = [] } = handled;
  const author = actorId === undefined ? null : loginOf(actorId);
  const reply = { workId: work.workId, commentId: answers, author };
  const body = renderRefusal(reply, { command, reason, whatToDo, copy });
  const posted = await run.discussion.postComment(pullRequest.number, body);
  const { id: commentId, createdAt, author: us } = posted;
  await work.note({
    type: "CommentPosted",
    payload: { role: "refusal", answers, commentId, createdAt, authorId: us?.id ?? 0 },
  });
}
