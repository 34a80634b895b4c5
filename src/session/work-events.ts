// What happens to a work as a whole: claims, comments, messages. Lines of `work/<n>.jsonl` beside the sessions' stores.
import type { ConflictFile } from "./interaction.ts";

export type WorkEvent =
  /** A run takes the work; `actorId` started it, `rerunBy` had it run again. `run`: `<run id>.<attempt>.<claimant>`. */
  | { type: "WorkClaimed"; payload: { run: string; actorId: string; rerunBy?: string } }
  /** `isBehind`: the pull request does not show how the run ended. */
  | { type: "WorkReleased"; payload: { run: string; isBehind?: true } }
  /** Merged, closed, or its branch deleted: nothing of it goes on. `isShown`: the pull request says so. */
  | { type: "WorkClosed"; payload: { reason: string; isShown?: true } }
  | { type: "PullRequestOpened"; payload: { number: number; url: string } }
  | {
      type: "CommentPosted";
      payload: {
        role: "status" | "request" | "refusal";
        commentId: number;
        /** Who the program is on this pull request. */
        authorId: number;
        /** ISO 8601, by the server's clock. */
        createdAt: string;
        interactionId?: string;
        /** The request was too long for it and could not be attached: it may only be declined. */
        isCut?: true;
        /** Refusal: the comment that was refused. */
        answers?: number;
      };
    }
  /** A person pushed to the branch what this run changed as well: theirs stand. Part of the checkpoint that merges it. */
  | { type: "ConflictMet"; payload: { files: ConflictFile[] } }
  /** Somebody deleted an open request's comment, or wrote something else into it: nobody has seen the request. */
  | { type: "RequestLost"; payload: { interactionId: string; changedComment?: number } }
  /** A comment was read; nothing reads it again. The newest is the cursor. */
  | { type: "CommentHandled"; payload: HandledComment }
  /** A request's comment tells how the request ended; `inVain`: that its approval let nothing run. */
  | { type: "RequestSettled"; payload: { interactionId: string; inVain?: string } }
  /** The reactions and comments that a handled comment is owed were made. */
  | { type: "CommentAcknowledged"; payload: { commentId: number } }
  /** `/looplia <text>`: told to the next task's agent, and to no other. */
  | { type: "MessageLeft"; payload: { commentId: number; actorId: string; text: string } }
  | { type: "MessageDelivered"; payload: { commentId: number; taskId: string } }
  /** A dispatched answer was carried out; nothing does so again, even where its letter can't be removed. */
  | { type: "LetterHandled"; payload: { id: string } }
  | { type: "CheckSaved"; payload: { checkId: number; headSha: string } }
  /** What the base's to-do file was when the work began (empty: there was none), and where the base was. */
  | { type: "BaseListSeen"; payload: BaseList };

/** `hash` of the file's bytes; `commit`: missing in works of earlier versions. */
export type BaseList = { hash: string; commit?: string };

export type HandledComment = {
  commentId: number;
  createdAt: string;
  verdict: "accepted" | "refused" | "ignored";
  /** `no-command`, `not-permitted`, or why it was refused, in words. */
  reason: string;
  actorId?: string;
  permission?: string;
  /** The command's line. */
  command?: string;
  interactionIds?: string[];
  /** Refused: what to do instead, and commands to copy. */
  whatToDo?: string;
  copy?: string[];
  /** `/retry`: what is made again, and how often it was begun before. */
  retry?: { sessionId: string; output: string; attempts: number };
  /** `/looplia run` */
  runsAll?: true;
};
