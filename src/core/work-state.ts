// The state of a work: claims, comments and cursors. It is computed from the work's log and never stored. And the events
// that an answer adds to its session and to the work. Pure.
import type { BaseList, DomainEvent, HandledComment, WorkEvent } from "./events.ts";
import {
  type ConflictFile,
  type InteractionAnswer,
  type InteractionRequest,
  type InteractionResponse,
  letsCallsRun,
} from "./interaction.ts";
import { githubAccountOf } from "./json.ts";
import type { StoredWork } from "./ports-host.ts";
import { type InteractionState, isPending } from "./state.ts";

/** An approval as stored in `ApprovalStands`. */
export type StandingApproval = Extract<WorkEvent, { type: "ApprovalStands" }>["payload"];

/** Model requests that were sent together; without `batchId`, nobody knows whether the service has them. */
export type SentBatch = { name: string; at: string; customIds: readonly string[]; batchId?: string };

export type WorkState = {
  /** The claim that has not been released. */
  claim?: { run: string; actorId: string };
  /** The last run could not show how it ended. */
  isBehind?: true;
  closed?: { reason: string; isShown?: true };
  pullRequest?: { number: number; url: string };
  /** The pull request whose labels, reviewers and assignees are set. */
  reviewRequested?: number;
  /** Known once a comment was posted. */
  authorId?: number;
  statusComment?: number;
  /** Comments of requests by interaction id. */
  requestComments: Map<
    string,
    { commentId: number; createdAt: string; isCut?: true; editedAt?: string; shows?: string }
  >;
  /** Comments of requests that were edited from outside, by interaction id. */
  changedComments: Map<string, number>;
  /** Files that a person changed too, oldest first. */
  conflicts: ConflictFile[];
  /** How the comments of requests show their ends, by interaction id. */
  settled: Map<string, { inVain?: string }>;
  /** Questions about which people were reminded. */
  reminded: Set<string>;
  refusals: Map<number, number>;
  handled: Map<number, HandledComment>;
  acknowledged: Set<number>;
  /** Letters that were applied. */
  letters: Set<string>;
  /** When the newest handled comment was created. */
  cursor?: string;
  /** Actors who influenced the work: the one who took it first, and those who left its agents messages. */
  leaders: Set<string>;
  /** Standing approvals, by number. */
  standing: Map<number, StandingApproval & { revokedBy?: string }>;
  /** Batches of model requests that are not closed, by name. */
  batches: Map<string, SentBatch>;
  /** Questions about removed steps whose answers were carried out. */
  settledSteps: Set<string>;
  /** Not delivered yet, oldest first. */
  messages: { commentId: number; actorId: string; text: string }[];
  check?: { checkId: number; headSha: string; shows?: string | undefined };
  /** The base's to-do file when the work began. */
  baseList?: BaseList;
};

/** The state after all events of a work, in order. */
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
    standing: new Map(),
    batches: new Map(),
    settledSteps: new Set(),
    reminded: new Set(),
    messages: [],
  };
  for (const event of events) applyWorkEvent(state, event);
  return state;
}

/** The approvals that were not revoked, oldest first. */
export function standingApprovals({ standing }: WorkState): StandingApproval[] {
  return [...standing.values()].filter(({ revokedBy }) => revokedBy === undefined);
}

/** How each event type changes the work's state. */
const WORK_CHANGES: {
  [T in WorkEvent["type"]]: (state: WorkState, payload: Extract<WorkEvent, { type: T }>["payload"]) => void;
} = {
  WorkClaimed(state, payload) {
    state.claim = payload;
    if (state.leaders.size === 0) noteLeaders(state, payload);
  },
  WorkReleased(state, payload) {
    if (state.claim?.run !== payload.run) return;
    delete state.claim;
    if (payload.isBehind) state.isBehind = true;
    else delete state.isBehind;
  },
  WorkClosed(state, payload) {
    state.closed = payload;
  },
  WorkReopened(state) {
    delete state.closed;
  },
  PullRequestOpened(state, payload) {
    state.pullRequest = payload;
  },
  ReviewRequested(state, { number }) {
    state.reviewRequested = number;
  },
  CommentPosted(state, payload) {
    notePosted(state, payload);
  },
  ConflictMet(state, payload) {
    state.conflicts.push(...payload.files);
  },
  RequestLost(state, payload) {
    const { interactionId, changedComment } = payload;
    state.requestComments.delete(interactionId);
    state.settled.delete(interactionId);
    if (changedComment !== undefined) state.changedComments.set(interactionId, changedComment);
  },
  RequestEdited(state, payload) {
    state.settled.delete(payload.interactionId);
    Object.assign(state.requestComments.get(payload.interactionId) ?? {}, {
      editedAt: payload.editedAt,
      shows: payload.shows,
    });
  },
  CommentHandled(state, payload) {
    state.handled.set(payload.commentId, payload);
    if (state.cursor === undefined || payload.createdAt > state.cursor) {
      state.cursor = payload.createdAt;
    }
  },
  RequestSettled(state, payload) {
    state.settled.set(payload.interactionId, payload);
  },
  CommentAcknowledged(state, payload) {
    state.acknowledged.add(payload.commentId);
  },
  ApprovalStands(state, payload) {
    state.standing.set(payload.number, payload);
  },
  ApprovalRevoked(state, payload) {
    const approval = state.standing.get(payload.number);
    if (approval) approval.revokedBy ??= payload.actorId;
  },
  LetterHandled(state, payload) {
    state.letters.add(payload.id);
  },
  MessageLeft(state, payload) {
    state.messages.push(payload);
    state.leaders.add(payload.actorId);
  },
  MessageDelivered(state, payload) {
    state.messages = state.messages.filter(({ commentId }) => commentId !== payload.commentId);
  },
  PeopleReminded(state, payload) {
    state.reminded.add(payload.interactionId);
  },
  BatchIntended(state, payload) {
    state.batches.set(payload.name, payload);
  },
  BatchSent(state, { name, batchId }) {
    const batch = state.batches.get(name);
    if (batch) state.batches.set(name, { ...batch, batchId });
  },
  BatchClosed(state, payload) {
    state.batches.delete(payload.name);
  },
  StepsSettled(state, payload) {
    state.settledSteps.add(payload.interactionId);
  },
  CheckSaved(state, payload) {
    state.check = payload;
  },
  BaseListSettled(state, payload) {
    state.baseList = payload;
  },
  BaseListSeen(state, payload) {
    state.baseList ??= payload;
  },
};

/** Applies one event in place. */
export function applyWorkEvent(state: WorkState, event: WorkEvent): void {
  const apply = WORK_CHANGES[event.type] as (state: WorkState, payload: WorkEvent["payload"]) => void;
  apply(state, event.payload);
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

/** The message of a work's last checkpoint: nothing remains to be done after it. */
export const ENDED = "chore: keep a work that is over";

/**
 * Works that ended more than `days` ago, by their newest checkpoints; none without `days`. Ending a work closes its
 * questions, so none of these has an open one, unless its pull request was reopened since.
 */
export function findExpired(
  stored: readonly StoredWork[],
  days: number | undefined,
  now: Date,
): StoredWork[] {
  if (days === undefined) return [];
  const before = now.getTime() - days * 24 * 3_600_000;
  return stored.filter(({ at, message }) => message === ENDED && Date.parse(at) < before);
}

// What an answer adds to the stores.

/** An answer that fits its request (`checkAnswer`), by a person who may decide. */
export type GivenAnswer = Pick<InteractionResponse, "commentId" | "permission" | "answeredAt"> & {
  answer: InteractionAnswer;
  actorId: string;
};

/**
 * The events to append, in order. A Confirm is approved by `minApprovals` different people and rejected by
 * one; any other question is answered by one. Empty: the request is closed, or this person has already
 * approved it.
 */
export function recordable(
  interaction: InteractionState,
  given: GivenAnswer,
  minApprovals: number,
): DomainEvent[] {
  if (!isPending(interaction)) return [];
  const { kind, interactionId, taskId } = interaction.request;
  const { answer, actorId, ...circumstances } = given;
  const response: DomainEvent = {
    store: "events",
    type: "UserInteractionResponded",
    payload: { ...answer, interactionId, taskId, authorActorId: actorId, ...circumstances },
  };
  // Approvals that let a call run: a Confirm's, or the permission to repeat a call in doubt.
  const option = answer.selectedOptionId;
  const isApproval =
    (kind === "Confirm" && option === "approve") || (letsCallsRun(interaction.request) && option === "run");
  const needsSeveral = minApprovals > 1 && isApproval;
  if (!needsSeveral) return [response];
  const people = new Set(interaction.approvals.map((approval) => personOf(approval.actorId)));
  if (people.has(personOf(actorId))) return [];
  const approval: DomainEvent = {
    store: "events",
    type: "ApprovalGiven",
    payload: {
      ...{ interactionId, taskId, actorId },
      ...(answer.always ? { always: true as const } : {}),
      ...circumstances,
    },
  };
  return people.size + 1 < minApprovals ? [approval] : [approval, response];
}

/** An account may change its login, never its id: `github:<id>:<login>`. */
function personOf(actorId: string): string {
  return githubAccountOf(actorId)?.id ?? actorId;
}

/** The event that closes a question after its time, or undefined before it. */
export function expiryOf(
  { interactionId, taskId, expiresAt }: Pick<InteractionRequest, "interactionId" | "taskId" | "expiresAt">,
  now: Date,
): DomainEvent | undefined {
  if (expiresAt === undefined || now.getTime() < Date.parse(expiresAt)) return undefined;
  const payload = { interactionId, taskId, at: now.toISOString() };
  return { store: "events", type: "InteractionExpired", payload };
}

/**
 * The events that an answer adds to the work's log if all required approvers said `always`. `events`: what
 * the answer adds to its session.
 */
export function standsAfter(
  state: WorkState,
  { request, approvals }: Pick<InteractionState, "request" | "approvals">,
  events: readonly DomainEvent[],
  at: string,
): WorkEvent[] {
  const { interactionId, standing, isolation } = request;
  const answered = events.find((event) => event.type === "UserInteractionResponded")?.payload;
  if (!standing || !isolation || answered?.selectedOptionId !== "approve" || !answered.always) return [];
  if (!approvals.every(({ always }) => always)) return [];
  const actorIds = [...new Set([...approvals.map(({ actorId }) => actorId), answered.authorActorId])];
  const number = state.standing.size + 1;
  const given = { number, interactionId, actorIds, at, ...standing, isolation: isolation.kind };
  return [{ type: "ApprovalStands", payload: given }];
}
