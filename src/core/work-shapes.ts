// Schemas of the lines in a work's log. The types of its events are derived from them.
import { z } from "zod";
import { lazily } from "./json.ts";
import { conflictFile } from "./line-shapes.ts";

const text = z.string().min(1);
const id = z.int().min(0);
const may = z.exactOptional;

/** Payloads of a work's log by type: claims, comments, messages. */
export const workPayloads = {
  /**
   * A run takes the work; `actorId` started it, `rerunBy` ran it again. `run`: `<run
   * id>.<attempt>.<claimant>`.
   */
  WorkClaimed: lazily(() => z.object({ run: text, actorId: text, rerunBy: may(text) })),
  /** `isBehind`: the pull request does not show how the run ended. */
  WorkReleased: lazily(() => z.object({ run: text, isBehind: may(z.literal(true)) })),
  /**
   * The pull request was merged or closed, or its branch deleted: the work ends. `isShown`: the pull request
   * says so.
   */
  WorkClosed: lazily(() => z.object({ reason: text, isShown: may(z.literal(true)) })),
  /** The pull request was closed without merging and is open again. */
  WorkReopened: lazily(() => z.object({ at: text })),
  PullRequestOpened: lazily(() => z.object({ number: id, url: text })),
  /** Labels, reviewers and assignees were set, which happens once. */
  ReviewRequested: lazily(() => z.object({ number: id })),
  CommentPosted: lazily(() =>
    z.object({
      role: z.enum(["status", "request", "refusal"]),
      commentId: id,
      /** The program's account on this pull request. */
      authorId: id,
      /** ISO 8601, by the server's clock. */
      createdAt: text,
      interactionId: may(text),
      /** The request was too long for the comment and could not be attached: it may only be declined. */
      isCut: may(z.literal(true)),
      /** Refusal: the comment that was refused. */
      answers: may(id),
    }),
  ),
  /**
   * A person pushed changes to files that this run changed too; theirs win. Part of the checkpoint that
   * merges them.
   */
  ConflictMet: lazily(() => z.object({ files: z.array(conflictFile()) })),
  /** An open request's comment was deleted or rewritten: people can no longer read the request. */
  RequestLost: lazily(() => z.object({ interactionId: text, changedComment: may(id) })),
  /** A comment was processed and is never read again. The newest one is the cursor. */
  CommentHandled: lazily(() =>
    z.object({
      commentId: id,
      createdAt: text,
      verdict: z.enum(["accepted", "refused", "ignored"]),
      /** `no-command`, `not-permitted`, or the reason for the refusal in words. */
      reason: z.string(),
      actorId: may(z.string()),
      permission: may(z.string()),
      /** The command's line. */
      command: may(z.string()),
      interactionIds: may(z.array(text)),
      /** Refused: what to do instead, and commands to copy. */
      whatToDo: may(z.string()),
      copy: may(z.array(z.string())),
      /** `/retry`: the output to make again, and how often it was attempted before. */
      retry: may(z.object({ sessionId: text, output: text, attempts: id })),
      /** `/looplia run` */
      runsAll: may(z.literal(true)),
      /** `/looplia restart`: where the damaged state is kept, if there was one. */
      restart: may(z.object({ ref: may(text), commit: may(text) })),
    }),
  ),
  /**
   * The program edited an open request's comment, at this server time. `shows`: the progress that it displays
   * now.
   */
  RequestEdited: lazily(() => z.object({ interactionId: text, editedAt: text, shows: z.string() })),
  /** Half of the time for an answer was over, and people were reminded. */
  PeopleReminded: lazily(() => z.object({ interactionId: text })),
  /** A request's comment shows how the request ended. `inVain`: no call ran under its approval. */
  RequestSettled: lazily(() => z.object({ interactionId: text, inVain: may(text) })),
  /** The reactions and replies due for a handled comment were made. */
  CommentAcknowledged: lazily(() => z.object({ commentId: id })),
  /** `/looplia <text>`: delivered only to the next task's agent. */
  MessageLeft: lazily(() => z.object({ commentId: id, actorId: text, text: z.string() })),
  MessageDelivered: lazily(() => z.object({ commentId: id, taskId: text })),
  /**
   * All required approvers said `always` for these command lines: this work does not ask about them again.
   */
  ApprovalStands: lazily(() =>
    z.object({
      /** The number for `/revoke`. */
      number: z.int().min(1),
      interactionId: text,
      /** The actors who gave it, and when (ISO 8601). */
      actorIds: z.array(text).min(1),
      at: text,
      folder: z.string(),
      commands: z.array(text).min(1),
      /** How the commands were isolated; always without network. */
      isolation: text,
    }),
  ),
  ApprovalRevoked: lazily(() => z.object({ number: z.int().min(1), actorId: text })),
  /** A dispatched answer was applied; it is never applied again, even if its letter can't be removed. */
  LetterHandled: lazily(() => z.object({ id: z.string() })),
  /** Requests are about to be sent as one batch, named by its first request. */
  BatchIntended: lazily(() => z.object({ name: text, at: text, customIds: z.array(text).min(1) })),
  /** The service accepted the batch under this id. */
  BatchSent: lazily(() => z.object({ name: text, batchId: text })),
  /** Nothing more is expected of the batch: its results are stored, or it was never accepted. */
  BatchClosed: lazily(() => z.object({ name: text })),
  /** The decision about steps that a rewrite of the branch removed was carried out. */
  StepsSettled: lazily(() => z.object({ interactionId: text })),
  /** `shows`: the digest of what the check says, apart from times and runs. */
  CheckSaved: lazily(() => z.object({ checkId: id, headSha: text, shows: may(text) })),
  /**
   * The base's to-do file when the work began, as the hash of its bytes (empty: no file), and the base's
   * commit, which is missing in works of earlier versions.
   */
  BaseListSeen: lazily(() => z.object({ hash: z.string(), commit: may(text) })),
  /** A person decided whether to take that version of the base's list. */
  BaseListSettled: lazily(() => z.object({ hash: z.string(), commit: may(text) })),
};
