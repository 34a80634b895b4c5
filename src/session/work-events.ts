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
  | {
      type: "CommentHandled";
      payload: {
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
    }
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

export type WorkState = {
  /** The claim that was not released. */
  claim?: { run: string; actorId: string };
  /** The last run could not show how it ended. */
  isBehind?: true;
  closed?: { reason: string; isShown?: true };
  pullRequest?: { number: number; url: string };
  /** Known once a comment was posted. */
  authorId?: number;
  statusComment?: number;
  /** Comments of requests by interaction id. */
  requestComments: Map<string, { commentId: number; createdAt: string; isCut?: true }>;
  /** Comments of requests that somebody changed, by interaction id. */
  changedComments: Map<string, number>;
  /** Files that a person changed as well, oldest first. */
  conflicts: ConflictFile[];
  /** What the comments of requests tell of their ends, by interaction id. */
  settled: Map<string, { inVain?: string }>;
  refusals: Map<number, number>;
  handled: Map<number, Extract<WorkEvent, { type: "CommentHandled" }>["payload"]>;
  acknowledged: Set<number>;
  /** Letters that were carried out. */
  letters: Set<string>;
  /** When the newest handled comment was created. */
  cursor?: string;
  /** Who led the work to where it is, as actors: who took it first, and who told its agents something. */
  leaders: Set<string>;
  /** Not delivered yet, oldest first. */
  messages: { commentId: number; actorId: string; text: string }[];
  check?: { checkId: number; headSha: string };
  /** The base's to-do file when the work began. */
  baseList?: BaseList;
};

/** State is a fold: never stored. */
export function foldWork(events: Iterable<WorkEvent>): WorkState {
  const state: WorkState = {
    requestComments: new Map(),
    changedComments: new Map(),
    conflicts: [],
    settled: new Map(),
    refusals: new Map(),
    handled: new Map(),
    acknowledged: new Set(),
    letters: new Set(),
    leaders: new Set(),
    messages: [],
  };
  for (const event of events) applyWorkEvent(state, event);
  return state;
}

/** Applies one event in place. */
export function applyWorkEvent(state: WorkState, event: WorkEvent): void {
  switch (event.type) {
    case "WorkClaimed":
      state.claim = event.payload;
      if (state.leaders.size === 0) noteLeaders(state, event.payload);
      return;
    case "WorkReleased":
      if (state.claim?.run !== event.payload.run) return;
      delete state.claim;
      if (event.payload.isBehind) state.isBehind = true;
      else delete state.isBehind;
      return;
    case "WorkClosed":
      state.closed = event.payload;
      return;
    case "PullRequestOpened":
      state.pullRequest = event.payload;
      return;
    case "CommentPosted":
      notePosted(state, event.payload);
      return;
    case "ConflictMet":
      state.conflicts.push(...event.payload.files);
      return;
    case "RequestLost": {
      const { interactionId, changedComment } = event.payload;
      state.requestComments.delete(interactionId);
      if (changedComment !== undefined) state.changedComments.set(interactionId, changedComment);
      return;
    }
    case "CommentHandled":
      state.handled.set(event.payload.commentId, event.payload);
      if (state.cursor === undefined || event.payload.createdAt > state.cursor) {
        state.cursor = event.payload.createdAt;
      }
      return;
    case "RequestSettled":
      state.settled.set(event.payload.interactionId, event.payload);
      return;
    case "CommentAcknowledged":
      state.acknowledged.add(event.payload.commentId);
      return;
    case "LetterHandled":
      state.letters.add(event.payload.id);
      return;
    case "MessageLeft":
      state.messages.push(event.payload);
      state.leaders.add(event.payload.actorId);
      return;
    case "MessageDelivered":
      state.messages = state.messages.filter(({ commentId }) => commentId !== event.payload.commentId);
      return;
    case "CheckSaved":
      state.check = event.payload;
      return;
    case "BaseListSeen":
      state.baseList ??= event.payload;
  }
}

function noteLeaders(
  { leaders }: WorkState,
  { actorId, rerunBy }: { actorId: string; rerunBy?: string },
): void {
  leaders.add(actorId);
  if (rerunBy !== undefined) leaders.add(rerunBy);
}

function notePosted(
  state: WorkState,
  posted: Extract<WorkEvent, { type: "CommentPosted" }>["payload"],
): void {
  const { role, commentId, authorId, createdAt, interactionId, isCut, answers } = posted;
  state.authorId = authorId;
  if (role === "status") state.statusComment = commentId;
  if (interactionId !== undefined) {
    state.requestComments.set(interactionId, { commentId, createdAt, ...(isCut ? { isCut } : {}) });
  }
  if (answers !== undefined) state.refusals.set(answers, commentId);
}
