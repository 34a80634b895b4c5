// Which session's output a `/retry` names.
import type { StoredSession } from "../action/wiring.ts";
import type { NotDone } from "./change-sessions.ts";
import type { WorkInHand } from "./work-in-hand.ts";

export type Retry = { sessionId: string; output: string; attempts: number };

/**
 * Which session's output is made again; a name alone must be one session's only. What was not begun yet is one of
 * `outputsOf` the session that was named.
 */
export async function findRetry(
  work: WorkInHand,
  wanted: { session?: string; target: string },
  outputsOf: (sessionId: string) => Promise<readonly string[]>,
): Promise<Retry | NotDone> {
  const stored = await work.sessions();
  const sessions = stored.filter(({ state }) => !state.canceled);
  if (sessions.length === 0 && stored.length > 0) {
    return { reason: "what was begun here was canceled", whatToDo: "Write /looplia run to begin anew." };
  }
  const withSlash = wanted.session === undefined ? [] : findWhole(sessions, wanted);
  if (withSlash[0] && withSlash.length === 1) return withSlash[0];
  const { session, target } = wanted;
  const named = sessions.filter(({ sessionId }) => session === undefined || sessionId === session);
  const having = named.filter((one) => attemptsAt(one, target) > 0);
  if (having.length > 1) {
    const list = having.map(({ sessionId }) => `${sessionId}/${target}`).join(", ");
    return { reason: `${target} is an output of several sessions`, whatToDo: `Name one: ${list}.` };
  }
  const [only = session === undefined ? undefined : named[0]] = having;
  const isKnown = only && (having.length > 0 || (await outputsOf(only.sessionId)).includes(target));
  return isKnown
    ? { sessionId: only.sessionId, output: target, attempts: attemptsAt(only, target) }
    : notBegun(session === undefined || named.length > 0 ? target : `${session}/${target}`, sessions);
}

function notBegun(target: string, sessions: readonly StoredSession[]): NotDone {
  const begun = sessions.flatMap(({ state }) =>
    [...state.tasks.values()].flatMap(({ taskId, outputs }) => (outputs.length === 0 ? taskId : outputs)),
  );
  return {
    reason: `no session here has begun ${target}`,
    whatToDo:
      begun.length > 0
        ? `Begun so far: ${[...new Set(begun)].join(", ")}.`
        : "There is nothing to make again.",
  };
}

/** The id of a task may have a slash: what looks like a session is the beginning of it. */
function findWhole(
  sessions: readonly StoredSession[],
  wanted: { session?: string; target: string },
): Retry[] {
  const output = `${wanted.session}/${wanted.target}`;
  return sessions
    .map((session) => ({ sessionId: session.sessionId, output, attempts: attemptsAt(session, output) }))
    .filter(({ attempts }) => attempts > 0);
}

/** How often tasks that make this output, or the to-do task of this id, were begun. */
export function attemptsAt({ state }: StoredSession, output: string): number {
  return [...state.tasks.values()]
    .filter(({ taskId, outputs }) => (outputs.length === 0 ? taskId === output : outputs.includes(output)))
    .reduce((sum, task) => sum + task.attempt, 0);
}
