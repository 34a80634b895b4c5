// Decides what a wake runs.

import type { SessionToRun } from "../content/items.ts";
import { canGoOn } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { Result } from "../core/result.ts";
import { waitsForConflict } from "../core/state.ts";
import { afterConflict, redoOf } from "./asked/conflicts.ts";
import type { Trigger } from "./handle.ts";
import { attemptsAt, type Retry } from "./people.ts";
import type { StoredSession, WakeRun, WorkInHand } from "./run.ts";

// The part of a work that a wake runs: items and sessions of content, or a to-do list.

export type WorkTrigger = Extract<Trigger, { kind: "items" | "tasks" }>;

/**
 * `wasDead`: the run that held the work died. `onlyTells`: nothing runs. `spokenBy`: authors of the letters
 * to carry out; `answered`: the questions that those answered.
 */
export type TriggerFacts = {
  wasDead?: boolean;
  onlyTells?: boolean;
  /** Interrupted work waits for the next run. */
  onlyAnswered?: boolean;
  spokenBy?: readonly string[];
  answered?: readonly string[];
};

/** Runs what the event starts, what people asked for, and what can continue; the rest is only reported. */
export async function triggerOf(run: WakeRun, work: WorkInHand, how: TriggerFacts): Promise<WorkTrigger> {
  const pending = [...work.state.handled.values()].filter(
    ({ commentId, verdict }) => verdict === "accepted" && !work.state.acknowledged.has(commentId),
  );
  const views = await work.sessions();
  // A run died before its first session, so all its work remains to be done.
  const isUnbegun = how.wasDead === true && views.length === 0;
  const answered = new Set([
    ...(how.answered ?? []),
    ...pending.flatMap(({ interactionIds = [] }) => interactionIds),
  ]);
  const asksForAll =
    isUnbegun || pending.some((handled) => handled.runsAll) || isLimitRaised(views, answered);
  const isLeftEnded = !asksForAll && isEndedForSchedule(run, views);
  const asked: Asked = {
    views,
    retries: pending.flatMap(({ retry }) => (retry ? [retry] : [])),
    answered,
    runsAll: !how.onlyTells && !isLeftEnded && (run.kind !== "respond" || asksForAll),
    isByClock: !asksForAll && run.event.name === "schedule",
    only: run.kind === "respond" ? undefined : run.found.settings.sessionId,
  };
  return run.work.kind === "tasks" ? tasksOf(run, asked, how) : itemsOf(run, asked, how);
}

/** True if a limit shared by all sessions was raised: then items without a session continue as well. */
function isLimitRaised(views: readonly StoredSession[], answered: ReadonlySet<string>): boolean {
  const interactions = views.flatMap(({ state }) => [...state.interactions.values()]);
  return interactions.some(
    ({ request: { interactionId, budget }, response }) =>
      answered.has(interactionId) &&
      budget !== undefined &&
      budget.of !== "session" &&
      response?.selectedOptionId === "approve",
  );
}

/** True if a person canceled the list: a schedule does not restart it, but a person can. */
function isEndedForSchedule({ event, work }: WakeRun, views: readonly StoredSession[]): boolean {
  const isEnded = views.length > 0 && views.every(({ state }) => state.canceled?.actorId !== undefined);
  return isEnded && work.kind === "tasks" && event.name === "schedule";
}

/** False for items that are only reported. */
export function mayRun(trigger: WorkTrigger, item: Pick<Result, "source" | "sessionId">): boolean {
  if (trigger.kind === "tasks") return !trigger.isLeftAlone;
  const alone = (trigger.sessions ?? []).filter((one) => one.isLeftAlone).map((one) => one.sessionId);
  return trigger.sources.includes(item.source) || !alone.includes(item.sessionId);
}

type Asked = {
  views: readonly StoredSession[];
  retries: readonly Retry[];
  /** Questions whose authors have no reply on the outcome yet. */
  answered: ReadonlySet<string>;
  /** Everything that remains is to run. */
  runsAll: boolean;
  /** Nobody asked for it: what is left to people does not begin again. */
  isByClock: boolean;
  /** Only this session is to run. */
  only: string | undefined;
};

function itemsOf(run: WakeRun, asked: Asked, how: TriggerFacts): WorkTrigger {
  const { views, runsAll, only } = asked;
  if (run.found.settings.mode === "plan") {
    const { workId, key } = run.work;
    return { kind: "items", workId, key, sources: run.items.sources, isPlan: true };
  }
  const taken = (run.takes?.sessionIds ?? []).filter((id) => !views.some((one) => one.sessionId === id));
  const known = [
    ...views.map((view) => sessionToRun(view, asked, how)),
    ...taken.map((sessionId) => ({ sessionId, isLeftAlone: true as const })),
  ];
  return {
    kind: "items",
    workId: run.work.workId,
    key: run.work.key,
    sources: runsAll && only === undefined ? run.items.sources : [],
    ...(asked.isByClock ? { isByClock: true } : {}),
    sessions:
      only === undefined || views.some((view) => view.sessionId === only)
        ? known
        : [...known, { sessionId: only }],
  };
}

/** After a crash every session runs, because it may have been between two tasks. */
function sessionToRun(
  view: StoredSession,
  { retries, answered, only }: Asked,
  how: TriggerFacts,
): SessionToRun {
  const { sessionId, state } = view;
  if (state.canceled || how.onlyTells) return { sessionId, isLeftAlone: true };
  if (only !== undefined) return sessionId === only ? { sessionId } : { sessionId, isLeftAlone: true };
  const retry = findRetry(view, retries);
  if (retry) return { sessionId, force: [retry.output] };
  const after = afterConflict(view, answered);
  if (after) return after;
  const isAnswered = [...state.interactions.keys()].some((id) => answered.has(id));
  if (how.onlyAnswered && !isAnswered) return { sessionId, isLeftAlone: true };
  return how.wasDead || canGoOn(state) ? { sessionId } : { sessionId, isLeftAlone: true };
}

/** The newest session that is not canceled; a starting run without one begins a new session. */
function tasksOf(run: WakeRun, asked: Asked, how: TriggerFacts): WorkTrigger {
  const { views, retries, answered, runsAll, only } = asked;
  const { workId, key } = run.work;
  const live = views.filter(({ state }) => !state.canceled);
  const current = only === undefined ? live.at(-1) : views.find(({ sessionId }) => sessionId === only);
  if (only !== undefined && !current) throw noSession(only);
  const trigger = { kind: "tasks", workId, key } as const;
  const told = current ?? (runsAll ? undefined : views.at(-1));
  const session = told ? { sessionId: told.sessionId } : {};
  const retry = current && !how.onlyTells ? findRetry(current, retries) : undefined;
  if (retry) return { ...trigger, ...session, retry: [retry.output] };
  const after = current && !how.onlyTells ? afterConflict(current, answered) : undefined;
  const redone = after && current?.state.redo && redoOf(current, current.state.redo, "tasks").names;
  if (redone && redone.length > 0) return { ...trigger, ...session, retry: redone };
  if (current && waitsForConflict(current.state)) return { ...trigger, ...session, isLeftAlone: true };
  const goesOn = current && !how.onlyTells && (how.wasDead || after || canGoOn(current.state));
  return runsAll || goesOn ? { ...trigger, ...session } : { ...trigger, ...session, isLeftAlone: true };
}

/** The retry of this session that has not begun yet. */
function findRetry(view: StoredSession, retries: readonly Retry[]): Retry | undefined {
  return retries.find(
    (one) => one.sessionId === view.sessionId && attemptsAt(view, one.output) <= one.attempts,
  );
}

function noSession(sessionId: string): LoopliaError {
  return new LoopliaError("config-invalid", `session-id: this task list has no session ${sessionId}`, {
    hint: "remove session-id to resume the newest session",
  });
}
