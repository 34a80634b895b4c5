// Schemas of the lines in a work's log. The types of its events are derived from them.
import { z } from "zod";
import { conflictFile } from "./line-shapes.ts";

const text = z.string().min(1);
const id = z.int().min(0);
const may = z.exactOptional;

/** Payloads of a work's log by type: claims, comments, messages. */
export const workPayloads = {
  /** A run takes the work; `actorId` started it, `rerunBy` had it run again. `run`: `<run id>.<attempt>.<claimant>`. */
  WorkClaimed: z.object({ run: text, actorId: text, rerunBy: may(text) }),
  /** `isBehind`: the pull request does not show how the run ended. */
  WorkReleased: z.object({ run: text, isBehind: may(z.literal(true)) }),
  /** Merged, closed, or its branch deleted: nothing of it continues. `isShown`: the pull request says so. */
  WorkClosed: z.object({ reason: text, isShown: may(z.literal(true)) }),
  /** Its pull request was only closed, and is open again. */
  WorkReopened: z.object({ at: text }),
  PullRequestOpened: z.object({ number: id, url: text }),
  /** Labels, reviewers and assignees were set, which happens once. */
  ReviewRequested: z.object({ number: id }),
  CommentPosted: z.object({
    role: z.enum(["status", "request", "refusal"]),
    commentId: id,
    /** Who the program is on this pull request. */
    authorId: id,
    /** ISO 8601, by the server's clock. */
    createdAt: text,
    interactionId: may(text),
    /** The request was too long for it and could not be attached: it may only be declined. */
    isCut: may(z.literal(true)),
    /** Refusal: the comment that was refused. */
    answers: may(id),
  }),
  /** A person pushed to the branch what this run changed as well: theirs stand. Part of the checkpoint that merges it. */
  ConflictMet: z.object({ files: z.array(conflictFile) }),
  /** Somebody deleted an open request's comment, or wrote something else into it: nobody has seen the request. */
  RequestLost: z.object({ interactionId: text, changedComment: may(id) }),
  /** A comment was read; nothing reads it again. The newest is the cursor. */
  CommentHandled: z.object({
    commentId: id,
    createdAt: text,
    verdict: z.enum(["accepted", "refused", "ignored"]),
    /** `no-command`, `not-permitted`, or why it was refused, in words. */
    reason: z.string(),
    actorId: may(z.string()),
    permission: may(z.string()),
    /** The command's line. */
    command: may(z.string()),
    interactionIds: may(z.array(text)),
    /** Refused: what to do instead, and commands to copy. */
    whatToDo: may(z.string()),
    copy: may(z.array(z.string())),
    /** `/retry`: what is made again, and how often it was begun before. */
    retry: may(z.object({ sessionId: text, output: text, attempts: id })),
    /** `/looplia run` */
    runsAll: may(z.literal(true)),
    /** `/looplia restart`: where the damaged state is kept, if there was one. */
    restart: may(z.object({ ref: may(text), commit: may(text) })),
  }),
  /** We changed an open request's comment ourselves, by the server's clock; `shows`: what it tells now of how it stands. */
  RequestEdited: z.object({ interactionId: text, editedAt: text, shows: z.string() }),
  /** Half of the time for an answer was over, and people were told again. */
  PeopleReminded: z.object({ interactionId: text }),
  /** A request's comment tells how the request ended; `inVain`: that its approval let nothing run. */
  RequestSettled: z.object({ interactionId: text, inVain: may(text) }),
  /** The reactions and comments that a handled comment is owed were made. */
  CommentAcknowledged: z.object({ commentId: id }),
  /** `/looplia <text>`: told to the next task's agent, and to no other. */
  MessageLeft: z.object({ commentId: id, actorId: text, text: z.string() }),
  MessageDelivered: z.object({ commentId: id, taskId: text }),
  /** Everybody who had to approve these command lines said `always`: no further question about them in this work. */
  ApprovalStands: z.object({
    /** What `/revoke` takes. */
    number: z.int().min(1),
    interactionId: text,
    /** Who gave it, as actors, and when (ISO 8601). */
    actorIds: z.array(text).min(1),
    at: text,
    folder: z.string(),
    commands: z.array(text).min(1),
    /** How the commands ran isolated; without network. */
    isolation: text,
  }),
  ApprovalRevoked: z.object({ number: z.int().min(1), actorId: text }),
  /** A dispatched answer was carried out; nothing does so again, even where its letter can't be removed. */
  LetterHandled: z.object({ id: z.string() }),
  /** What was decided of steps that were taken from the branch was done. */
  StepsSettled: z.object({ interactionId: text }),
  CheckSaved: z.object({ checkId: id, headSha: text }),
  /**
   * What the base's to-do file was when the work began, as the hash of its bytes (empty: there was none), and where the base
   * was; `commit` is missing in works of earlier versions.
   */
  BaseListSeen: z.object({ hash: z.string(), commit: may(text) }),
  /** A person has decided what becomes of that version of the base's list. */
  BaseListSettled: z.object({ hash: z.string(), commit: may(text) }),
};
