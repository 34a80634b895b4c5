// Asks about files that a person pushed while a run changed them.
import { posix } from "node:path";
import { MAX_OPEN_QUESTIONS } from "../../agent/session.ts";
import { createConflict, isInvalidEdit } from "../../approval/request.ts";
import type { SessionToRun } from "../../content/items.ts";
import type { ConflictFile } from "../../core/interaction.ts";
import { loginOf, PROGRAM } from "../../core/json.ts";
import {
  authorsOf,
  isOpen,
  listFiles,
  type TaskState,
  unaskedFiles,
  waitsForConflict,
} from "../../core/state.ts";
import type { WorkClaim } from "../claim.ts";
import type { WorkKind } from "../find.ts";
import { cancelSessions, type PersonAnswer } from "../people.ts";
import type { StoredSession, WakeRun, WorkInHand } from "../run.ts";

// What is done again where a person pushed over the files of a session and wants the session's work there. Pure.

/**
 * `names`: outputs, or tasks of a list, to be made again; none where all of it is in the session's own folder, for a step
 * whose artifact was changed runs again by itself. `isGuess`: which of them made some of the files is not known, so the
 * one begun last is among them.
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
  // What leads a session, or makes the list itself, is no step of it.
  const isStep = ({ outputs }: TaskState) => outputs.length > 0 === (kind === "content");
  const { tasks, unknown } = authorsOf(state, elsewhere);
  const isGuess = unknown || !tasks.every(isStep);
  const all = [...state.tasks.values()].filter(isStep);
  const chosen = all.filter((task) => tasks.includes(task) || (isGuess && task === all.at(-1)));
  return { names: chosen.map(({ taskId, outputs: [first] }) => first ?? taskId), isGuess };
}

/** Whether a file is in a session's own folder, where its artifacts are. */
export function isInFolder({ path }: Pick<ConflictFile, "path">, sessionId: string): boolean {
  return path.split("/").slice(0, -1).includes(sessionId);
}

/** The files that nobody was asked about, by the id of the session to ask in. */
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

/** What the program wrote of a to-do file is written again by itself (`todo/reapply-ends.ts`). */
function isList({ work, found }: WakeRun, { path }: ConflictFile): boolean {
  return work.kind === "tasks" && path === posix.join(found.folder, found.settings.todo);
}

/** Whose folder it is in; else the session that was at work. */
function ownerOf(file: ConflictFile, sessions: readonly StoredSession[]): StoredSession | undefined {
  const living = sessions.filter(({ state }) => !state.canceled);
  const atWork = living.find(({ state }) => [...state.tasks.values()].some(isOpen)) ?? living.at(-1);
  const owner = sessions.find(({ sessionId }) => sessionId === file.session || isInFolder(file, sessionId));
  return owner ?? atWork;
}

/**
 * Raises the questions that are owed, as many as may be open, and makes them durable. Where other sessions made the version
 * that stands, nobody is asked: the step is done again, and its agent is told why.
 */
export async function askConflicts(run: WakeRun, work: WorkInHand, claim: WorkClaim): Promise<void> {
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

/** Of a question of the program's own in a session. */
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

/** What answers about such files bring with them: a session ends, or the next agent is told what to do again. */
export async function followAnswers(
  work: WorkInHand,
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
    // What a bot dispatched is in no comment: the question's own is as good a name for the message.
    const commentId = saidIn ?? work.state.requestComments.get(request.interactionId)?.commentId;
    if (answer !== "redo" || commentId === undefined) continue;
    const text = `${CHANGED} ${namesOf(request.conflict)}. ${AGAIN} ${comment}`.trim();
    await work.note({ type: "MessageLeft", payload: { commentId, actorId, text } });
  }
}

/** Characters that the names of files take in a message to an agent. */
const NAMES_ROOM = 4_000;

function namesOf(files: readonly ConflictFile[]): string {
  const { shown, more } = listFiles(files, NAMES_ROOM);
  const rest = more ? [`and ${more.count} more (all of them are in ${more.commits.join(", ")})`] : [];
  return [...shown, ...rest].join(", ");
}

const BY_SESSION = "Another session of this work changed files at the same time, and its version stands:";
const CHANGED = "A person changed files at the same time as an agent here, and the person's version stands:";
const AGAIN = "Look at them, and do again what of the agent's work is missing there.";

/** Whether the session continues because of such an answer; `force`: the steps that left other files than artifacts. */
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
