// Which comments of its pull request nobody has handled for a work.
import type { Discussion, PullComment } from "../../ports/discussion.ts";
import type { WorkState } from "../../session/work-state.ts";
import { adoptComments, findLostRequests, isOurComment } from "./own-comments.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** A list may lack a comment for a moment and have newer ones: so far before the cursor it is read again. */
const OVERLAP_MS = 10 * 60_000;

/**
 * Comments that are not handled: created ten minutes before the cursor or later, ours left out. One request to GitHub.
 * With `now`, questions whose comment somebody deleted or changed count as not asked.
 */
export async function unreadComments(
  work: WorkInHand,
  discussion: Pick<Discussion, "comments">,
  pullRequest: number,
  now?: Date,
): Promise<PullComment[]> {
  const { state, workId } = work;
  const requests = (await work.questions()).map(({ request }) => request);
  const open = await work.openQuestions();
  // A comment of ours whose acknowledgement was lost may be older than the cursor.
  const posted = open.map(({ interactionId }) => state.requestComments.get(interactionId)?.createdAt);
  const isWhole = posted.includes(undefined) || state.statusComment === undefined || !state.cursor;
  // From the oldest open question on: whether its comment still stands is seen by the way.
  const since = isWhole ? undefined : [...posted, readFrom(state)].flatMap((at) => at ?? []).sort()[0];
  const comments = await discussion.comments(pullRequest, since);
  await work.note(...adoptComments(workId, state, comments, requests));
  if (now) await work.note(...findLostRequests(state, comments, open, now));
  return comments.filter((comment) => isUnread(comment, state));
}

function isUnread(comment: PullComment, state: WorkState): boolean {
  const { id, createdAt } = comment;
  if (state.handled.has(id) || isOurComment(comment, state)) return false;
  const from = readFrom(state);
  return from === undefined || Date.parse(createdAt) >= Date.parse(from);
}

function readFrom({ cursor }: WorkState): string | undefined {
  return cursor === undefined ? undefined : new Date(Date.parse(cursor) - OVERLAP_MS).toISOString();
}
