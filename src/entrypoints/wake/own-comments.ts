// Our own comments among those of a pull request. A marker only locates: whoever else wrote one is nobody. Pure.
import type { CommentAuthor, PullComment } from "../../ports/discussion.ts";
import { readMarker } from "../../publish/markers.ts";
import { isShownWhole } from "../../publish/request-comment.ts";
import type { InteractionRequest } from "../../session/interaction.ts";
import type { WorkEvent } from "../../session/work-events.ts";
import type { WorkState } from "../../session/work-state.ts";

/** The account that the job's own token comments as. */
const ACTIONS_BOT = { id: 41_898_282, login: "github-actions[bot]" };

/** Whether we are the author: by the id that an earlier comment of ours told, else by the job's own account. */
export function isOurs(author: CommentAuthor, known: Pick<WorkState, "authorId">): boolean {
  if (author === null) return false;
  if (known.authorId !== undefined) return author.id === known.authorId;
  return author.isBot && author.login === ACTIONS_BOT.login && author.id === ACTIONS_BOT.id;
}

/**
 * Whether we wrote it. With a person's token we share their account: then ours are what we posted and what bears our
 * marker, which all that we say begins with (`own-voice.ts`). What else that account writes is the person's.
 */
export function isOurComment(
  { id, author, body }: Pick<PullComment, "id" | "author" | "body">,
  state: WorkState,
): boolean {
  if (author === null || !isOurs(author, state)) return false;
  return author.isBot || readMarker(body) !== undefined || isPosted(id, state);
}

function isPosted(id: number, state: WorkState): boolean {
  const { statusComment, requestComments, changedComments, refusals } = state;
  const requests = [...requestComments.values()].map(({ commentId }) => commentId);
  return [statusComment, ...requests, ...changedComments.values(), ...refusals.values()].includes(id);
}

/** Events for comments of ours that the state does not know: their acknowledgement was lost. */
export function adoptComments(
  workId: string,
  state: WorkState,
  comments: readonly PullComment[],
  requests: readonly InteractionRequest[],
): WorkEvent[] {
  const adopted: WorkEvent[] = [];
  const seen = new Set<string>();
  for (const comment of comments) {
    const marker = readMarker(comment.body);
    if (!marker || marker.workId !== workId || !comment.author || !isOurs(comment.author, state)) continue;
    const about = describe(marker, state);
    const key = JSON.stringify(about?.event);
    if (about.isKnown || seen.has(key)) continue;
    // Whoever has write access can edit our comments: an open question's is never edited by us.
    if (about.event.role === "request" && comment.updatedAt !== comment.createdAt) continue;
    seen.add(key);
    const { id: commentId, createdAt, body } = comment;
    const request = requests.find(({ interactionId }) => interactionId === about.event.interactionId);
    const isCut = request !== undefined && !isShownWhole(request, body);
    adopted.push({
      type: "CommentPosted",
      payload: {
        ...about.event,
        commentId,
        authorId: comment.author.id,
        createdAt,
        ...(isCut ? { isCut } : {}),
      },
    });
  }
  return adopted;
}

/** A list may lack what was posted a moment ago. */
const SURELY_LISTED_MS = 60_000;

/** Events for open requests whose comment is gone from `comments`, or does not say any more what we wrote. */
export function findLostRequests(
  state: WorkState,
  comments: readonly PullComment[],
  open: readonly InteractionRequest[],
  now: Date,
): WorkEvent[] {
  const listed = new Map(comments.map((comment) => [comment.id, comment]));
  return open.flatMap(({ interactionId }): WorkEvent[] => {
    const posted = state.requestComments.get(interactionId);
    if (!posted) return [];
    const found = listed.get(posted.commentId);
    const isChanged = found !== undefined && found.updatedAt !== found.createdAt;
    const isGone = !found && now.getTime() - Date.parse(posted.createdAt) > SURELY_LISTED_MS;
    if (!isChanged && !isGone) return [];
    const changed = isChanged ? { changedComment: posted.commentId } : {};
    return [{ type: "RequestLost", payload: { interactionId, ...changed } }];
  });
}

type About = {
  event: { role: "status" | "request" | "refusal"; interactionId?: string; answers?: number };
  isKnown: boolean;
};

function describe(marker: NonNullable<ReturnType<typeof readMarker>>, state: WorkState): About {
  switch (marker.role) {
    case "status":
      return { event: { role: "status" }, isKnown: state.statusComment !== undefined };
    case "request": {
      const { interactionId } = marker;
      return {
        event: { role: "request", interactionId },
        isKnown: state.requestComments.has(interactionId),
      };
    }
    case "reply": {
      const { commentId: answers } = marker;
      return { event: { role: "refusal", answers }, isKnown: state.refusals.has(answers) };
    }
  }
}
