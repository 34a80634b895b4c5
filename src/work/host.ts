// Runs the sessions of a work with the pull request as their host.

import { join, posix } from "node:path";
import { approvedKeys } from "../agent/kept.ts";
import { Cancellation, Cancellations } from "../agent/session.ts";
import { type Effect, judgeComment } from "../approval/judge.ts";
import { SESSIONS } from "../content/folder.ts";
import { loginOf } from "../core/json.ts";
import type { EndedTask, Host } from "../core/ports.ts";
import type { Worktree } from "../core/ports-host.ts";
import { mostSerious, type Result, summarizeResults } from "../core/result.ts";
import { isAskedMeanwhile, openInteractions, waitsForConflict } from "../core/state.ts";
import { writeCommitMessage, writeTodoMessage } from "../publish/pull-request.ts";
import { isRewritten } from "./asked/conflicts.ts";
import { rememberBaseList, reportBaseEdits, settleBaseEdits } from "./asked/own-questions.ts";
import { bringSessions } from "./carried.ts";
import { minutesOf, type OpenWork, unreadComments, type WorkClaim } from "./in-hand.ts";
import { type TriggerFacts, triggerOf, type WorkTrigger } from "./inbox.ts";
import { circumstances, createMayDecide, revokeApproval } from "./people.ts";
import { openPullRequest, project } from "./project.ts";
import { type ActionOutcome, outcomeOf, runIdOf, settle, type WakeRun, type WorkInHand } from "./run.ts";
import { startersOf } from "./trigger.ts";

/**
 * The host of a run of the Action. Calls `whenAsked` for each new question and `whenEnded` for each ended
 * task.
 */
export function createPullRequestHost(options: {
  work: Pick<WorkInHand, "checkpoint" | "stateRef" | "state" | "sessions">;
  worktree: Pick<Worktree, "allowKeys" | "commit" | "commitAll" | "hold" | "editorOf">;
  /** The working directory in the repository; may be empty. */
  folder: string;
  isRehearsal: boolean;
  /** `<run id>.<attempt>` */
  run: string;
  /** Commit messages are public: removes what must not be told. */
  redact(message: string): Promise<string>;
  /** Asks GitHub for the present permission. */
  mayDecide(actorId: string): Promise<boolean>;
  hearRevocations(): Promise<void>;
  whenAsked(): void;
  whenEnded(task: EndedTask): void;
}): Host {
  const { work, worktree, folder, isRehearsal, run } = options;
  return {
    canAsk: true,
    answersLater: true,
    async ask() {
      options.whenAsked();
      return "later";
    },
    hearRevocations: () => options.hearRevocations(),
    async whoMayNot(actorIds) {
      const gone: string[] = [];
      for (const actorId of actorIds) if (!(await options.mayDecide(actorId))) gone.push(actorId);
      return gone;
    },
    overruled: (path) =>
      work.state.conflicts
        .filter((file) => file.path === posix.join(folder, path))
        .map(({ commit }) => commit),
    // A failed look-up must not stop the run.
    editorOf: (path) => worktree.editorOf(posix.join(folder, path)).catch(() => undefined),
    hold: (path) => worktree.hold(posix.join(folder, path)),
    bringIn: () => work.stateRef.bringIn(),
    together: (record) => work.stateRef.together(record),
    async secure() {
      await work.checkpoint("chore: save before running a command");
    },
    async taskEnded(task: EndedTask) {
      const { sessionId, outputs, status, title, todo } = task;
      const stored = (await work.sessions()).find((one) => one.sessionId === sessionId);
      if (stored) worktree.allowKeys(approvedKeys(stored.state.interactions.values()));
      if (todo) {
        const [id = ""] = outputs;
        const message = await options.redact(writeTodoMessage({ ...todo, sessionId, id, title, run }));
        // A commit of work in progress may already contain the task's changes, but each task gets its own
        // commit.
        const { repeatedIn: list } = todo;
        const how = list === undefined ? { always: true } : { notFor: posix.join(folder, list) };
        await worktree.commitAll(message, { sessionId, ...how });
      } else {
        const path = folder === "" ? task.folder : `${folder}/${task.folder}`;
        const message = writeCommitMessage({ sessionId, outputs, status, isRehearsal, run });
        await worktree.commit(path, message);
      }
      work.stateRef.checkpointSoon("chore: save a finished task");
      options.whenEnded(task);
    },
  };
}

// While a run is at work it reads two commands early: `/cancel`, and `/revoke` when a standing approval is
// about to be used. All other commands wait for the look at the end.

/** Intervals grow because each look is a request to GitHub. */
const FIRST_MS = 20_000;
const RARER = 3;

/** Aborts canceled sessions. The look at the end handles the command itself and replies to it. */
function listenForCancel(
  run: WakeRun,
  work: WorkInHand,
  cancellations: Cancellations,
): { stop(): Promise<void> } {
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const later = (wait: number): void => {
    timer = setTimeout(() => {
      // The next look makes up for a failed one.
      looking = looking.then(() => look(run, work, cancellations)).catch(() => undefined);
      later(wait * RARER);
    }, wait);
    timer.unref();
  };
  later(FIRST_MS);
  return {
    async stop() {
      clearTimeout(timer);
      await looking;
    },
  };
}

async function look(run: WakeRun, work: WorkInHand, cancellations: Cancellations): Promise<void> {
  for (const { actorId, effect } of await heard(run, work, /^\s*\/cancel\b/i)) {
    if (effect.type !== "cancel") continue;
    cancellations.cancel(new Cancellation(`canceled by ${loginOf(actorId)}`, actorId), effect.session);
  }
}

/**
 * The look at the end handles the command again: a second revocation of the same approval changes nothing.
 */
async function hearRevocations(run: WakeRun, work: WorkInHand): Promise<void> {
  for (const { actorId, effect } of await heard(run, work, /^\s*\/revoke\b/i)) {
    if (effect.type === "revoke") await revokeApproval(work, effect.number, actorId);
  }
}

/** Effects of accepted but not yet handled commands whose text matches `word`. */
async function heard(
  run: WakeRun,
  work: WorkInHand,
  word: RegExp,
): Promise<{ actorId: string; effect: Effect }[]> {
  const { pullRequest } = run.work;
  if (!pullRequest) return [];
  const unread = await unreadComments(work, run.discussion, pullRequest.number);
  const effects: { actorId: string; effect: Effect }[] = [];
  for (const comment of unread.filter(({ body }) => word.test(body))) {
    const judging = await circumstances(work, { ...run, settings: run.found.settings });
    const verdict = await judgeComment(comment, work.state.authorId, judging);
    if (verdict.verdict !== "accepted") continue;
    for (const effect of verdict.effects) effects.push({ actorId: verdict.actorId, effect });
  }
  return effects;
}

// Runs what can continue in a work, and reports the state of the rest.

export type WorkRunResult = {
  outcome: ActionOutcome;
  /** Every item and session of the work. */
  all: readonly Result[];
  /** The results of this run; if nothing ran, the results of the whole work. */
  reported: readonly Result[];
  hasRun: boolean;
};

/** Steps are missing on the branch, and nobody has decided about them yet. */
const UNDECIDED: WorkRunResult = {
  outcome: { status: "waiting", reasonCode: "open-questions" },
  all: [],
  reported: [],
  hasRun: false,
};

/** Claims the work when the first session starts. A failure of the run becomes its outcome. */
export async function runWork(
  run: WakeRun,
  opened: OpenWork,
  claim: WorkClaim,
  how: TriggerFacts,
): Promise<WorkRunResult> {
  const { work, fence, stateFolder } = opened;
  if (isRewritten(work)) return UNDECIDED;
  const { settings, folder, trusted, trustedTree, baseCommit } = run.found;
  const worktree = await work.stateRef.openWorktree();
  const { filesTip: branch } = work.stateRef;
  if (branch !== undefined && run.work.kind === "content") {
    await bringSessions({ ...run, base: baseCommit, branch, folder, root: worktree.root });
  }
  await takeIn(run, opened, claim, worktree);
  await settleBaseEdits(run, work, worktree.root);
  await reportBaseEdits(run, work);
  const trigger = await triggerOf(run, work, how);
  const progress = followProgress(run, work, claim);
  const host = hostOf(run, work, worktree, progress);
  const openStore = async () => {
    await claim.take();
    progress.soon();
    await rememberBaseList(run, work);
    return work.store;
  };
  const cancellations = new Cancellations();
  const listening = listenForCancel(run, work, cancellations);
  let all: readonly Result[] = [];
  const outcome = await settle(async (): Promise<ActionOutcome> => {
    const result = await run.wiring.runTrigger(
      {
        root: join(worktree.root, folder),
        stateFolder,
        settings: { ...settings, timeoutMinutes: await minutesOf(run, work.state.authorId) },
        environment: run.environment,
        ...{ trusted, trustedTree, host },
        startedBy: startersOf(work.state, [...ledBy(run), ...(how.spokenBy ?? [])]),
        observe: (event) => {
          if (event.type === "usage") progress.spent(event.costUsd ?? 0);
          run.observe(event);
        },
        signal: AbortSignal.any([run.signal, fence]),
        readSource: run.items.read,
        matchSources: async (globs) => run.items.match(globs),
        openStore,
        cancellations,
        sessions: worktree.sessions(programFiles(run)),
        ...(run.budget === undefined ? {} : { budget: run.budget }),
      },
      trigger,
    );
    all = result.items.map(endedInTime);
    if (result.plan) run.told.plan = result.plan;
    return result;
  }, outcomeOf);
  const month = run.budget?.figures();
  if (month) run.told.month = month;
  work.forget();
  await Promise.all([progress.stop(), listening.stop()]);
  return summarize(trigger, all, outcome);
}

/** Commits the results of shards to the work's branch. */
async function takeIn(run: WakeRun, { work }: OpenWork, claim: WorkClaim, worktree: Worktree): Promise<void> {
  if (!run.collects) return;
  await claim.take();
  const tip = work.stateRef.branchTip ?? run.found.baseCommit;
  const message = await run.collects.writeFiles(worktree.root, tip);
  if (message === undefined) return;
  await worktree.commitAll(message);
  await work.checkpoint("chore: collect shards");
}

function hostOf(run: WakeRun, work: WorkInHand, worktree: Worktree, { soon, ended }: StatusProgress): Host {
  return createPullRequestHost({
    work,
    worktree,
    folder: run.found.folder,
    isRehearsal: run.found.settings.provider === "offline",
    run: runIdOf(run),
    redact: (message) => run.wiring.keys.withhold(run.wiring.redact(message), "a commit message"),
    mayDecide: createMayDecide(run),
    hearRevocations: () => hearRevocations(run, work),
    whenAsked: soon,
    whenEnded: ended,
  });
}

/** Session folders and the task list: agents' worktrees do not contain them. */
function programFiles({ work, found: { folder, settings } }: WakeRun): string[] {
  const list = work.kind === "tasks" ? [posix.join(folder, settings.todo)] : [];
  return [`${posix.join(folder, SESSIONS)}/`, ...list];
}

function ledBy({ startedBy, rerunBy }: WakeRun): string[] {
  return rerunBy === undefined ? [startedBy] : [startedBy, rerunBy];
}

function summarize(trigger: WorkTrigger, all: readonly Result[], outcome: ActionOutcome): WorkRunResult {
  if (all.length === 0) return { outcome, all, reported: [], hasRun: false };
  const ran = all.filter((item) => mayRun(trigger, item));
  if (ran.length > 0) return { outcome: summarizeResults(ran), all, reported: ran, hasRun: true };
  return { outcome: idleOutcome(all), all, reported: all, hasRun: false };
}

/** A question that expired is no failure of the run that notices it. */
function endedInTime(item: Result): Result {
  return item.status === "failed" && item.reasonCode === "expired" ? { ...item, status: "stopped" } : item;
}

/** The outcome of a run without work to do: the state of the work, computed from its items. */
function idleOutcome(all: readonly Result[]): ActionOutcome {
  const { status, reasonCode } = summarizeResults(all);
  const message = reasonCode === "closed" ? all.find((item) => item.status === status)?.message : undefined;
  return { status, reasonCode, isIdle: true, ...(message === undefined ? {} : { message }) };
}

// No run is over while a question of its work is open, also one that was asked after the sessions ended.

/**
 * The results of a run, with sessions marked as waiting if a question about files that were pushed over theirs is open
 * now; the outcome waits for every open question of the work.
 */
export async function tellOpen(work: WorkInHand, ran: WorkRunResult): Promise<WorkRunResult> {
  const told = await tellConflicts(work, ran);
  const isIgnored = told.outcome.status === "ignored";
  if (isIgnored || (await work.openQuestions()).length === 0) return told;
  const waits = { status: "waiting", reasonCode: "open-questions" } as const;
  return mostSerious([waits, told.outcome]) === waits
    ? { ...told, outcome: { ...told.outcome, ...waits } }
    : told;
}

async function tellConflicts(work: WorkInHand, ran: WorkRunResult): Promise<WorkRunResult> {
  const waiting = (await work.sessions()).filter(
    ({ state }) => waitsForConflict(state) || isAskedMeanwhile(state),
  );
  if (waiting.length === 0) return ran;
  const tell = (item: Result): Result => {
    const session = waiting.find(({ sessionId }) => sessionId === item.sessionId);
    if (!session || item.status === "failed") return item;
    const interactions = openInteractions(session.state);
    return { ...item, status: "waiting", reasonCode: "open-questions", interactions };
  };
  const [all, reported] = [ran.all.map(tell), ran.reported.map(tell)];
  const outcome = ran.outcome.status === "completed" ? summarizeResults(reported) : ran.outcome;
  return { ...ran, all, reported, outcome };
}

// While a run is at work it asks its questions and updates its status comment, but shows nothing of a short
// run.

const SOON_MS = 15_000;
/** A run that has worked for this long, and finished a step, opens its pull request before its end. */
const OPENS_AFTER_MS = 30_000;
const EVERY_MS = 5 * 60_000;
/** A runner that dies takes at most this much unsaved spending with it, or a twentieth of `max-cost-usd`. */
const UNSAVED_USD = 0.25;

type StatusProgress = {
  soon(): void;
  /** Ticks off a step in the status comment. */
  ended(task: EndedTask): void;
  /** Saves soon when the run has spent much since the last such save. */
  spent(costUsd: number): void;
  /** Resolves when no update is in progress any longer. */
  stop(): Promise<void>;
};

/** Shows that the run is at work, if there is a pull request. Throws as `project` does. */
async function showProgress(run: WakeRun, work: WorkInHand, underWay: readonly EndedTask[]): Promise<void> {
  const report = { ...run.told, underWay, status: "stopped", reasonCode: "interrupted" } as const;
  const runningSince = run.startedAt;
  await project(run, work, { report, runningSince });
}

/**
 * Saves a checkpoint every five minutes and after much spending. Shows soon after it happened that the run began to work,
 * and each question and finished task: a run that is over before shows only its end.
 */
export function followProgress(run: WakeRun, work: WorkInHand, claim: WorkClaim): StatusProgress {
  let showing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let hasTried = false;
  const underWay: EndedTask[] = [];
  const show = async (): Promise<void> => {
    if (isOver) return;
    work.forget();
    const asks = (await work.openQuestions()).length > 0;
    const opens = asks || (!hasTried && opensEarly(run, underWay));
    if (!opens && !run.work.pullRequest) return;
    if (!asks && !run.work.pullRequest && isYoung(run)) return soon();
    await work.checkpoint("chore: save work in progress");
    const report = { ...run.told, underWay, status: "waiting", reasonCode: "open-questions" } as const;
    // What GitHub refuses once it is asked again only at the end, which reports the refusal.
    hasTried = true;
    if (opens) await openPullRequest(run, work, report);
    await showProgress(run, work, underWay);
  };
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // One after the other, so `stop` waits for the last. A failure is ignored because the end of the run
      // shows it again.
      showing = showing.then(show).catch(() => undefined);
    }, SOON_MS);
    timer.unref();
  };
  let unsavedUsd = 0;
  const every = setInterval(() => {
    if (claim.isTaken) work.stateRef.checkpointSoon("chore: save work in progress");
  }, EVERY_MS);
  every.unref();
  return {
    spent(costUsd) {
      unsavedUsd += costUsd;
      const { maxCostUsd = Number.POSITIVE_INFINITY } = run.found.settings;
      if (unsavedUsd < Math.min(UNSAVED_USD, maxCostUsd / 20) || !claim.isTaken) return;
      unsavedUsd = 0;
      work.stateRef.checkpointSoon("chore: save what was spent");
    },
    soon,
    ended(task) {
      underWay.push(task);
      soon();
    },
    async stop() {
      isOver = true;
      clearInterval(every);
      clearTimeout(timer);
      await showing;
    },
  };
}

/**
 * True once a finished step is worth a pull request. A shard has none, a rehearsal is over soon, and the pull
 * requests of single items are opened at their ends.
 */
function opensEarly({ work, found, looksLater }: WakeRun, underWay: readonly EndedTask[]): boolean {
  if (work.pullRequest || work.shard || looksLater || found.settings.provider === "offline") return false;
  return underWay.some(({ status, todo }) => status === "completed" && (!todo || todo.label === "done"));
}

function isYoung({ clock, startedAt }: WakeRun): boolean {
  return clock.now().getTime() - Date.parse(startedAt) < OPENS_AFTER_MS;
}

/** False for items that are only reported. */
function mayRun(trigger: WorkTrigger, item: Pick<Result, "source" | "sessionId">): boolean {
  if (trigger.kind === "tasks") return !trigger.isLeftAlone;
  const alone = (trigger.sessions ?? []).filter((one) => one.isLeftAlone).map((one) => one.sessionId);
  return trigger.sources.includes(item.source) || !alone.includes(item.sessionId);
}
