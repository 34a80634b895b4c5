// What a line of a work's log must look like.
import { z } from "zod";
import type { WorkEvent } from "./work-events.ts";

/** Payloads by the type of their line. */
export function workPayloads(): Map<string, z.ZodType> {
  const text = z.string().min(1);
  const id = z.int().min(0);
  return new Map<string, z.ZodType>(
    Object.entries({
      WorkClaimed: z.object({ run: text, actorId: text, rerunBy: text.optional() }),
      WorkReleased: z.object({ run: text, isBehind: z.literal(true).optional() }),
      WorkClosed: z.object({ reason: text, isShown: z.literal(true).optional() }),
      PullRequestOpened: z.object({ number: id, url: text }),
      CommentPosted: z.object({
        role: z.enum(["status", "request", "refusal"]),
        commentId: id,
        authorId: id,
        createdAt: text,
        interactionId: text.optional(),
        isCut: z.literal(true).optional(),
        answers: id.optional(),
      }),
      CommentHandled: z.object({
        commentId: id,
        createdAt: text,
        verdict: z.enum(["accepted", "refused", "ignored"]),
        reason: z.string(),
        interactionIds: z.array(text).optional(),
        whatToDo: z.string().optional(),
        copy: z.array(z.string()).optional(),
        retry: z.object({ sessionId: text, output: text, attempts: id }).optional(),
        runsAll: z.literal(true).optional(),
      }),
      ConflictMet: z.object({
        files: z.array(
          z.object({ path: text, commit: text, sha256: text.optional(), ours: text.optional() }),
        ),
      }),
      RequestLost: z.object({ interactionId: text, changedComment: id.optional() }),
      RequestSettled: z.object({ interactionId: text, inVain: text.optional() }),
      CommentAcknowledged: z.object({ commentId: id }),
      MessageLeft: z.object({ commentId: id, actorId: text, text: z.string() }),
      MessageDelivered: z.object({ commentId: id, taskId: text }),
      LetterHandled: z.object({ id: z.string() }),
      CheckSaved: z.object({ checkId: id, headSha: text }),
      BaseListSeen: z.object({ hash: z.string(), commit: text.optional() }),
    } satisfies Record<WorkEvent["type"], z.ZodType>),
  );
}
