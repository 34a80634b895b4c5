// What a wake has to run, and how the list changed on the base.

import { posix } from "node:path";
import type { SessionToRun } from "../content/items.ts";
import { canGoOn } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { BaseList } from "../core/events.ts";
import { hashContent } from "../core/json.ts";
import type { Result } from "../core/result.ts";
import { waitsForConflict } from "../core/state.ts";
import { readTodo, type TodoReading, type TodoTask, taskDigest } from "../todo/document.ts";
import { afterConflict, redoOf } from "./asked/conflicts.ts";
import type { Trigger } from "./handle.ts";
import { attemptsAt, type Retry } from "./people.ts";
import { type StoredSession, settle, type WakeRun, type WorkInHand } from "./run.ts";

type Tasks = readonly TodoTask[];

/** A phrase for each task. `before`: the base's when the work began; undefined where that can't be had any longer. */
export function baseEdits(lists: { before: Tasks | undefined; theirs: Tasks; ours: Tasks }): string[] {
  const { theirs } = lists;
  const ours = byId(lists.ours);
  const before = lists.before && byId(lists.before);
  const edits = theirs.flatMap((task) => {
    const { id } = task;
    const [own, was] = [ours.get(id), before?.get(id)];
    if (!own) return was ? [] : [`${id} is new there`];
    const differs = before && was ? isEdited(was, task, own) : taskDigest(own) !== taskDigest(task);
    return differs ? [`${id} reads differently there`] : [];
  });
  const there = byId(theirs);
  const gone = [...(before?.keys() ?? [])].filter((id) => !there.has(id) && ours.has(id));
  return [...edits, ...gone.map((id) => `${id} is gone there`)];
}

/** True where a field is neither as it was nor as we have it. */
function isEdited(was: TodoTask, theirs: TodoTask, own: TodoTask): boolean {
  const fields = new Set([...Object.keys(was), ...Object.keys(theirs)]);
  fields.delete("updated_at");
  return [...fields].some((field) => {
    const text = JSON.stringify(theirs[field]);
    return text !== JSON.stringify(was[field]) && text !== JSON.stringify(own[field]);
  });
}

function byId(tasks: Tasks): Map<string, TodoTask> {
  return new Map(tasks.map((task) => [task.id, task]));
}

// The to-do file of the base while a work is open: what people change there is reported, never merged by the program.

/** Remembers how the list was when the work began. */
export async function rememberBaseList(run: WakeRun, work: WorkInHand): Promise<void> {
  if (run.work.kind !== "tasks" || work.state.baseList !== undefined) return;
  const hash = hashOf(await listOf(run));
  await work.note({ type: "BaseListSeen", payload: { hash, commit: run.found.baseCommit } });
}

/** Warns of what people changed in the base's list since the work began, and the work's own list has not. */
export async function reportBaseEdits(run: WakeRun, work: WorkInHand): Promise<void> {
  const { baseList } = work.state;
  const { stateRef } = work;
  if (run.work.kind !== "tasks" || baseList === undefined || stateRef.branchTip === undefined) return;
  const base = await listOf(run);
  if (hashOf(base) === baseList.hash) return;
  const [before, theirs, ours] = await Promise.all([
    tasksThen(run, baseList),
    baseTasks(run, base),
    baseTasks(run, await listAt(run, stateRef.branchTip)),
  ]);
  const edits = theirs ? baseEdits({ before, theirs, ours: ours ?? [] }) : ["it can't be read there"];
  if (edits.length === 0) return;
  const { base: name, settings } = run.found;
  const said = `${edits.slice(0, SHOWN).join(", ")}${edits.length > SHOWN ? ", …" : ""}`;
  const message = `${settings.todo} was changed on ${name} since this work began, and nothing of it is merged: ${said}. Merge ${name} into ${run.work.branch}, or change the list there.`;
  run.observe({ type: "notice", level: "warning", message });
}

const SHOWN = 10;

async function listOf({ items, found }: WakeRun): Promise<Uint8Array | undefined> {
  return items.read(posix.normalize(found.settings.todo));
}

async function listAt({ repository, found }: WakeRun, commit: string): Promise<Uint8Array | undefined> {
  const path = posix.join(found.folder, found.settings.todo);
  const file = (await repository.listFiles(commit, found.folder)).find((one) => one.path === path);
  return file && (await repository.readBlobs([file.oid]))[0];
}

/** The base's when the work began; undefined where its commit can't be had any longer. */
function tasksThen(run: WakeRun, { commit }: BaseList): Promise<readonly TodoTask[] | undefined> {
  if (commit === undefined) return Promise.resolve(undefined);
  return settle(
    async () => {
      await run.repository.fetchCommit(commit, run.found.base);
      return baseTasks(run, await listAt(run, commit));
    },
    () => undefined,
  );
}

/** None where there is no list; undefined where it can't be read. */
async function baseTasks(
  { found }: WakeRun,
  bytes: Uint8Array | undefined,
): Promise<readonly TodoTask[] | undefined> {
  if (!bytes) return [];
  const reading = await settle<TodoReading | undefined>(
    () => readTodo(bytes, found.settings.todo),
    () => undefined,
  );
  return reading?.kind === "valid" ? reading.document.file.tasks : undefined;
}

function hashOf(bytes: Uint8Array | undefined): string {
  return bytes ? hashContent(bytes) : "";
}

// What a wake runs of its work: items and sessions of content, or the list of a to-do file.

export type WorkTrigger = Extract<Trigger, { kind: "items" | "tasks" }>;

/**
 * `wasDead`: a run was killed at it. `onlyTells`: nothing runs. `spokenBy`: whose letters are carried out; `answered`: which
 * questions those answered.
 */
export type TriggerFacts = {
  wasDead?: boolean;
  onlyTells?: boolean;
  spokenBy?: readonly string[];
  answered?: readonly string[];
};

/** What the run started, what people asked for, and what can continue; the rest is told as it stands. */
export async function triggerOf(run: WakeRun, work: WorkInHand, how: TriggerFacts): Promise<WorkTrigger> {
  const pending = [...work.state.handled.values()].filter(
    ({ commentId, verdict }) => verdict === "accepted" && !work.state.acknowledged.has(commentId),
  );
  const views = await work.sessions();
  // The run was killed before its first session: what it was for is all still to do.
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
    only: run.kind === "respond" ? undefined : run.found.settings.sessionId,
  };
  return run.work.kind === "tasks" ? tasksOf(run, asked, how) : itemsOf(run, asked, how);
}

/** What a limit that all sessions share kept from running, items without a session too, goes on once it is raised. */
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

/** A list that a person canceled: a clock does not ask the same questions again, whoever starts a run does. */
function isEndedForSchedule({ event, work }: WakeRun, views: readonly StoredSession[]): boolean {
  const isEnded = views.length > 0 && views.every(({ state }) => state.canceled?.actorId !== undefined);
  return isEnded && work.kind === "tasks" && event.name === "schedule";
}

/** False for what is only told. */
export function mayRun(trigger: WorkTrigger, item: Pick<Result, "source" | "sessionId">): boolean {
  if (trigger.kind === "tasks") return !trigger.isLeftAlone;
  const alone = (trigger.sessions ?? []).filter((one) => one.isLeftAlone).map((one) => one.sessionId);
  return trigger.sources.includes(item.source) || !alone.includes(item.sessionId);
}

type Asked = {
  views: readonly StoredSession[];
  retries: readonly Retry[];
  /** Questions that nobody was told the end of yet. */
  answered: ReadonlySet<string>;
  /** All that there is to do. */
  runsAll: boolean;
  /** Nothing but this session. */
  only: string | undefined;
};

function itemsOf(run: WakeRun, asked: Asked, how: TriggerFacts): WorkTrigger {
  const { views, runsAll, only } = asked;
  if (run.found.settings.mode === "plan") {
    const { workId, key } = run.work;
    return { kind: "items", workId, key, sources: run.items.sources, isPlan: true };
  }
  const known = views.map((view) => sessionToRun(view, asked, how));
  return {
    kind: "items",
    workId: run.work.workId,
    key: run.work.key,
    sources: runsAll && only === undefined ? run.items.sources : [],
    sessions:
      only === undefined || views.some((view) => view.sessionId === only)
        ? known
        : [...known, { sessionId: only }],
  };
}

/** After a crash every session is looked at: it may have been between two tasks. */
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
  return how.wasDead || canGoOn(state) ? { sessionId } : { sessionId, isLeftAlone: true };
}

/** The newest session that nobody canceled; where a run begins and there is none, a new one. */
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

/** What a person wants made again, and has not been begun since. */
function findRetry(view: StoredSession, retries: readonly Retry[]): Retry | undefined {
  return retries.find(
    (one) => one.sessionId === view.sessionId && attemptsAt(view, one.output) <= one.attempts,
  );
}

function noSession(sessionId: string): LoopliaError {
  return new LoopliaError("config-invalid", `session-id: this task list has no session ${sessionId}`, {
    hint: "leave session-id out to go on with the newest",
  });
}
