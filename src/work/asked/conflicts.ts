// Asks about files that a person pushed while a run changed them.
import { posix } from "node:path";
import { MAX_OPEN_QUESTIONS } from "../../agent/session.ts";
import { createConflict, createRewritten } from "../../approval/request.ts";
import type { SessionToRun } from "../../content/items.ts";
import { type ConflictFile, isInvalidEdit } from "../../core/interaction.ts";
import { loginOf, PROGRAM } from "../../core/json.ts";
import {
  authorsOf,
  isOpen,
  isPending,
  listFiles,
  type TaskState,
  unaskedFiles,
  waitsForConflict,
} from "../../core/state.ts";
import type { WorkKind } from "../find.ts";
import { cancelSessions, type PersonAnswer } from "../people.ts";
import type { StoredSession, WakeRun, WorkInHand, WorkQuestion, WorkRecord } from "../run.ts";

/** The claim on a work, which a question takes first (`createClaim`). */
export type Takable = { take(): Promise<void> };

// Which steps to repeat if a person pushed over a session's files but wants the session's version. Pure.

/**
 * `names`: the outputs or tasks to repeat; empty if all files are in the session's own folder, because a step
 * with a changed artifact repeats anyway. `isGuess`: the author of some files is unknown, so `names` includes
 * the latest step.
 */
type Redo = { names: string[]; isGuess: boolean };

export function redoOf(
  { sessionId, state }: Pick<StoredSession, "sessionId" | "state">,
  files: readonly ConflictFile[],
  kind: WorkKind,
): Redo {
  const elsewhere = files.filter((file) => !isInFolder(file, sessionId));
  if (elsewhere.length === 0) return { names: [], isGuess: false };
  if (elsewhere.every(({ steps }) => steps?.length)) {
    return { names: [...new Set(elsewhere.flatMap(({ steps = [] }) => steps))], isGuess: false };
  }
  // The session's own tasks, such as the one that writes the list, are no steps.
  const isStep = ({ outputs }: TaskState) => outputs.length > 0 === (kind === "content");
  const { tasks, unknown } = authorsOf(state, elsewhere);
  const isGuess = unknown || !tasks.every(isStep);
  const all = [...state.tasks.values()].filter(isStep);
  const chosen = all.filter((task) => tasks.includes(task) || (isGuess && task === all.at(-1)));
  return { names: chosen.map(({ taskId, outputs: [first] }) => first ?? taskId), isGuess };
}

/** Whether a file is in a session's own folder, with its artifacts. */
function isInFolder({ path }: Pick<ConflictFile, "path">, sessionId: string): boolean {
  return path.split("/").slice(0, -1).includes(sessionId);
}

/** Files without a question yet, by the id of the session to ask in. */
export async function findUnasked(run: WakeRun, work: WorkInHand): Promise<Map<string, ConflictFile[]>> {
  const sessions = await work.sessions();
  const states = sessions.map(({ state }) => state);
  const shares = new Map<string, ConflictFile[]>();
  for (const file of unaskedFiles(states, work.state.conflicts)) {
    if (isList(run, file)) continue;
    const owner = ownerOf(file, sessions);
    if (owner && !owner.state.canceled) {
      shares.set(owner.sessionId, [...(shares.get(owner.sessionId) ?? []), file]);
    }
  }
  return shares;
}

/**
 * The program reapplies its own changes to a to-do file (`todo/end.ts`), so the file needs no
 * question.
 */
function isList({ work, found }: WakeRun, { path }: ConflictFile): boolean {
  return work.kind === "tasks" && path === posix.join(found.folder, found.settings.todo);
}

/** The session whose folder has the file, else the session that was at work. */
function ownerOf(file: ConflictFile, sessions: readonly StoredSession[]): StoredSession | undefined {
  const living = sessions.filter(({ state }) => !state.canceled);
  const atWork = living.find(({ state }) => [...state.tasks.values()].some(isOpen)) ?? living.at(-1);
  const owner = sessions.find(({ sessionId }) => sessionId === file.session || isInFolder(file, sessionId));
  return owner ?? atWork;
}

/**
 * Raises the missing questions, up to the limit of open questions, and saves them. If another session made
 * the present version, no person is asked: the step is repeated, and its agent learns why.
 */
export async function askConflicts(run: WakeRun, work: WorkInHand, claim: Takable): Promise<void> {
  const room = MAX_OPEN_QUESTIONS - (await work.openQuestions()).length;
  const shares = [...(await findUnasked(run, work))].slice(0, Math.max(0, room));
  if (shares.length === 0) return;
  await claim.take();
  const sessions = await work.sessions();
  for (const [sessionId, files] of shares) {
    const session = sessions.find((one) => one.sessionId === sessionId);
    if (!session) throw new Error(`${sessionId} owns files and is not there`);
    const origin = await originOf(run, work, sessionId);
    const payload = createConflict(origin, files, redoOf(session, files, run.work.kind));
    await work.change(sessionId, [{ store: "events", type: "UserInteractionRequested", payload }]);
    if (files.some(({ session: own }) => own === undefined)) continue;
    const { interactionId, taskId } = payload;
    const answer = { interactionId, taskId, authorActorId: PROGRAM, selectedOptionId: "redo" };
    await work.change(sessionId, [{ store: "events", type: "UserInteractionResponded", payload: answer }]);
    const text = `${BY_SESSION} ${namesOf(files)}. ${AGAIN}`;
    await work.note({ type: "MessageLeft", payload: { commentId: 0, actorId: PROGRAM, text } });
  }
  await work.checkpoint("chore: save a question");
}

/** The origin of a question that the program itself asks in a session. */
export async function originOf(
  run: WakeRun,
  work: WorkInHand,
  sessionId: string,
): Promise<Parameters<typeof createConflict>[0]> {
  const { answerTtlHours, workingDirectory } = run.found.settings;
  const expiresAt = new Date(run.clock.now().getTime() + answerTtlHours * 3_600_000).toISOString();
  const ordinal = await work.store.nextOrdinal();
  return { workId: work.workId, sessionId, ordinal, workingDirectory, expiresAt };
}

/**
 * Carries out answers about such files: ends a session, or leaves the next agent a message on what to repeat.
 */
export async function followAnswers(
  work: WorkRecord,
  interactionIds: readonly string[],
  { actorId, commentId: saidIn, answeredAt: at }: PersonAnswer,
): Promise<void> {
  const named = (await work.questions()).filter(({ request }) =>
    interactionIds.includes(request.interactionId),
  );
  for (const { request, response, sessionId } of named) {
    if (!request.conflict || !response || isInvalidEdit(request)) continue;
    const { selectedOptionId: answer, comment = "" } = response;
    if (answer === "stop")
      await cancelSessions(work, sessionId, { reason: `ended by ${loginOf(actorId)}`, actorId, at });
    // A dispatched answer has no comment, so its message takes the id of the question's comment.
    const commentId = saidIn ?? work.state.requestComments.get(request.interactionId)?.commentId;
    if (answer !== "redo" || commentId === undefined) continue;
    const text = `${CHANGED} ${namesOf(request.conflict)}. ${AGAIN} ${comment}`.trim();
    await work.note({ type: "MessageLeft", payload: { commentId, actorId, text } });
  }
}

/** The most characters of file names in a message to an agent. */
const NAMES_ROOM = 4_000;

function namesOf(files: readonly ConflictFile[]): string {
  const { shown, more } = listFiles(files, NAMES_ROOM);
  const rest = more ? [`and ${more.count} more (all of them are in ${more.commits.join(", ")})`] : [];
  return [...shown, ...rest].join(", ");
}

const BY_SESSION = "Another session of this work changed files at the same time, and its version is kept:";
const CHANGED = "A person changed files at the same time as an agent here, and the person's version is kept:";
const AGAIN = "Check them, and redo whatever is missing from the agent's work.";

/**
 * The session to continue after such an answer, if any; `force`: steps that also changed files outside the
 * session's folder.
 */
export function afterConflict(
  { sessionId, state }: Pick<StoredSession, "sessionId" | "state">,
  answered: ReadonlySet<string>,
): SessionToRun | undefined {
  if (waitsForConflict(state)) return undefined;
  if (state.redo) {
    const { names: force } = redoOf({ sessionId, state }, state.redo, "content");
    return { sessionId, ...(force.length > 0 ? { force } : {}) };
  }
  const wasAnswered = [...state.interactions.values()].some(
    ({ request }) => (request.conflict ?? request.baseList) && answered.has(request.interactionId),
  );
  return wasAnswered ? { sessionId } : undefined;
}

// Asks about finished steps that a force push removed from the branch.

/** The latest question, unless its answer was carried out: then the steps were removed again after it. */
async function findAsked(work: WorkInHand): Promise<WorkQuestion | undefined> {
  const last = (await work.questions()).findLast(({ request }) => request.isRewritten);
  if (!last || work.state.settledSteps.has(last.request.interactionId)) return undefined;
  return last.closed ? undefined : last;
}

/** True if the question must be asked: it was never asked, or it expired. */
export async function owesRewritten(work: WorkInHand): Promise<boolean> {
  return work.stateRef.removed.length > 0 && (await findAsked(work)) === undefined;
}

/** True while nobody has decided: until then nothing of the work continues. */
export function isRewritten({ stateRef }: WorkInHand): boolean {
  return stateRef.removed.length > 0;
}

/** Raises the question in the session whose steps are missing, and saves it. */
export async function askRewritten(run: WakeRun, work: WorkInHand, claim: Takable): Promise<void> {
  if (!(await owesRewritten(work)) || (await work.openQuestions()).length >= MAX_OPEN_QUESTIONS) return;
  const { removed } = work.stateRef;
  const living = (await work.sessions()).filter(({ state }) => !state.canceled);
  const owner =
    living.find(({ sessionId }) => removed.some((file) => isInFolder(file, sessionId))) ?? living.at(-1);
  await claim.take();
  // No session remains, so the branch stays as it was pushed.
  if (!owner) return work.stateRef.settleRemoved("keep");
  const payload = createRewritten(await originOf(run, work, owner.sessionId), removed);
  await work.change(owner.sessionId, [{ store: "events", type: "UserInteractionRequested", payload }]);
  await work.checkpoint("chore: save a question");
}

/**
 * Carries out the decision: restores the steps, or cancels the sessions whose folders are missing. Durable
 * with the next checkpoint; a second call changes nothing.
 */
export async function settleRewritten(work: WorkInHand, claim: Takable): Promise<void> {
  if (!isRewritten(work)) return;
  const asked = await findAsked(work);
  if (!asked || isPending(asked)) return;
  const { interactionId } = asked.request;
  const isBack = asked.response?.selectedOptionId === "restore";
  const { removed } = work.stateRef;
  await claim.take();
  if (!isBack) {
    const { authorActorId: actorId = "", answeredAt: at = "" } = asked.response ?? {};
    const reason = `${loginOf(actorId)} keeps the branch without its steps`;
    for (const { sessionId } of await work.sessions()) {
      if (!removed.some((file) => isInFolder(file, sessionId))) continue;
      await cancelSessions(work, sessionId, { reason, actorId, at });
    }
  }
  await work.stateRef.settleRemoved(isBack ? "restore" : "keep");
  await work.note({ type: "StepsSettled", payload: { interactionId } });
  await work.checkpoint(isBack ? "chore: put steps back" : "chore: leave steps out");
}
