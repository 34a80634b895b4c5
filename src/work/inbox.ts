// What came in for a work, and what the wake therefore runs.

// Reads the inbox: judges each new comment and letter once and stores its effects.
import { slashWordOf } from "../approval/comment.ts";
import {
  type CommentVerdict,
  type Effect,
  isAllowedBot,
  judgeComment,
  judgeDispatch,
  mayStillDecide,
} from "../approval/judge.ts";
import type { SessionToRun } from "../content/items.ts";
import { canGoOn } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { HandledComment } from "../core/events.ts";
import { loginOf } from "../core/json.ts";
import type { Discussion, Letter, PullComment } from "../core/ports-host.ts";
import { waitsForConflict } from "../core/state.ts";
import { afterConflict, followAnswers, redoOf } from "./asked/conflicts.ts";
import { stateRefsOf } from "./find.ts";
import type { Trigger } from "./handle.ts";
import {
  attemptsAt,
  cancelSessions,
  circumstances,
  type FailedChange,
  findRetry,
  type Judging,
  type Retry,
  recordAnswers,
  revokeApproval,
} from "./people.ts";
import type { StoredSession, WakeRun, WorkInHand, WorkRecord } from "./run.ts";
import { readLetter, type Wake, writeLetter } from "./trigger.ts";

// Stores the effects of an accepted command.

type Said = { commentId?: number; createdAt: string; actorId: string; permission?: string };
type Done = Pick<HandledComment, "interactionIds" | "retry" | "runsAll">;

/** What the effects of a command need from its surroundings. */
type Deciding = Pick<Judging, "now" | "outputsOf"> & {
  minApprovals: number;
  /** Whether a person who approved earlier still may. */
  mayDecide(actorId: string): Promise<boolean>;
};

function decidingBy({ settings, discussion, now, outputsOf }: Judging): Deciding {
  const { minApprovals } = settings;
  return { minApprovals, now, outputsOf, mayDecide: (one) => mayStillDecide(one, settings, discussion) };
}

const WHOLE: FailedChange = {
  reason: "the state of this work is intact, so there is nothing to set aside",
  whatToDo: "/looplia run continues, /retry makes something again, /cancel ends the work",
};

/** Stores the effects of an accepted command: either only answers, or one other effect. */
export async function carryOut(
  work: WorkRecord,
  effects: readonly Effect[],
  said: Said,
  { minApprovals, mayDecide, now, outputsOf }: Deciding,
): Promise<Done | FailedChange> {
  const { commentId, createdAt: answeredAt, actorId, permission } = said;
  const answers = effects.filter((effect) => effect.type === "answer");
  if (answers.length > 0) {
    const given = {
      ...{ actorId, answeredAt },
      ...(commentId === undefined ? {} : { commentId }),
      ...(permission === undefined ? {} : { permission }),
    };
    const problem = await recordAnswers(work, answers, given, { minApprovals, mayDecide });
    if (problem) return problem;
    const interactionIds = answers.map(({ interactionId }) => interactionId);
    await followAnswers(work, interactionIds, given);
    return { interactionIds };
  }
  const [effect] = effects;
  switch (effect?.type) {
    case "message":
      if (commentId === undefined) return {};
      await work.note({ type: "MessageLeft", payload: { commentId, actorId, text: effect.text } });
      return {};
    case "revoke":
      return (await revokeApproval(work, effect.number, actorId)) ?? {};
    case "cancel": {
      const reason = `canceled by ${loginOf(actorId)}`;
      const canceled = { reason, actorId, at: now().toISOString() };
      return (await cancelSessions(work, effect.session, canceled)) ?? {};
    }
    case "retry": {
      const found = await findRetry(work, effect, outputsOf);
      return "reason" in found ? found : { retry: found };
    }
    case "run":
      return { runsAll: true };
    case "restart":
      return WHOLE;
    default:
      return {};
  }
}

/** The result of one look at the inbox. */
export type Inbox = {
  /** Accepted or refused commands; already stored. */
  handled: HandledComment[];
  /** Comments ignored silently; stored with the next checkpoint, if there is one. */
  ignored: HandledComment[];
};

/**
 * Judges the comments and stores their effects. Throws as `Discussion` does; then nothing of the failed
 * comment is stored.
 */
export async function handleComments(
  work: WorkInHand,
  comments: readonly PullComment[],
  judging: Judging,
): Promise<Inbox> {
  const inbox: Inbox = { handled: [], ignored: [] };
  const asks = rememberRoles(judging.discussion);
  for (const comment of comments) {
    const verdict = await judgeComment(comment, work.state.authorId, {
      ...(await circumstances(work, judging)),
      asks,
    });
    const handled = await handleComment(work, comment, verdict, judging);
    if (handled.verdict === "ignored") {
      inbox.ignored.push(handled);
      const who = comment.author?.login ?? "an account that is gone";
      if (handled.reason === "not-permitted") judging.log(`not-permitted: a command by ${who} was ignored`);
      continue;
    }
    await work.note({ type: "CommentHandled", payload: handled });
    inbox.handled.push(handled);
  }
  return inbox;
}

/** A handled comment without effect. */
export function passOver({ id: commentId, createdAt }: PullComment): HandledComment {
  return { commentId, createdAt, verdict: "ignored", reason: "no-command" };
}

async function handleComment(
  work: WorkInHand,
  comment: PullComment,
  verdict: CommentVerdict,
  judging: Judging,
): Promise<HandledComment> {
  const { id: commentId, createdAt } = comment;
  if (verdict.verdict === "ignored") {
    return { commentId, createdAt, verdict: "ignored", reason: verdict.reason };
  }
  const { actorId, permission } = verdict;
  const command = comment.body.trim().split("\n")[0] ?? slashWordOf(verdict.command);
  const said = { commentId, createdAt, actorId, permission, command };
  if (judging.over) return { ...said, verdict: "refused", ...judging.over };
  if (verdict.verdict === "refused") {
    const { reason, whatToDo, copy } = verdict.refusal;
    return { ...said, verdict: "refused", reason, whatToDo, copy };
  }
  const done = await carryOut(work, verdict.effects, said, decidingBy(judging));
  if ("reason" in done) return { ...said, verdict: "refused", ...done };
  return { ...said, verdict: "accepted", reason: "", ...done };
}

/** Asks for the role of an account only once per look at the inbox. */
function rememberRoles(discussion: Discussion): Pick<Discussion, "permissionOf" | "isTeamMember"> {
  const known = new Map<string, ReturnType<Discussion["permissionOf"]>>();
  return {
    permissionOf(login) {
      const asked = known.get(login) ?? discussion.permissionOf(login);
      known.set(login, asked);
      return asked;
    },
    isTeamMember: (team, login) => discussion.isTeamMember(team, login),
  };
}

// Answers that a bot dispatched exist only in their event, and the state has one writer. So each is first
// stored as a letter, and the run that holds the work reads it like a comment.

type LetterVerdict = "accepted" | "not-permitted" | "no-command";

/** The results of all letters; `verdict` is the one with the most effect. */
export type ReadLetters = {
  letters: readonly Letter[];
  verdict?: LetterVerdict;
  actorIds: string[];
  /** The questions that the letters answered. */
  interactionIds: string[];
};

/**
 * Stores a dispatched answer as a letter. The letter is durable when this resolves, even if another run holds
 * the work.
 */
export async function leaveLetter(
  { repository, found, wiring, clock }: Pick<WakeRun, "repository" | "found" | "wiring" | "clock">,
  workId: string,
  dispatched: NonNullable<Wake["dispatched"]>,
): Promise<void> {
  const letter = writeLetter({ ...dispatched, at: clock.now().toISOString() });
  await repository.letters(stateRefsOf(found.settings, workId)).leave(wiring.redact(letter));
}

/** Lists the letters of a work. One request to the remote. */
export function listLetters({ repository, found, work }: WakeRun): Promise<Letter[]> {
  return repository.letters(stateRefsOf(found.settings, work.workId)).list();
}

/**
 * Removes letters whose effect is stored. If the server forbids it they stay, and no effect happens twice.
 */
export async function removeLetters(
  { repository, found, work, observe }: WakeRun,
  letters: readonly Letter[],
): Promise<void> {
  try {
    await repository.letters(stateRefsOf(found.settings, work.workId)).remove(letters);
  } catch {
    observe({ type: "notice", level: "info", message: "a letter that was read could not be removed" });
  }
}

/** Judges each letter and stores its effects. Throws as `Discussion` does. */
export async function handleLetters(
  work: WorkInHand,
  letters: readonly Letter[],
  judging: Judging & { settings: { allowedBots: readonly string[] } },
): Promise<ReadLetters> {
  const read: ReadLetters = { letters, actorIds: [], interactionIds: [] };
  for (const { id, text } of letters) {
    if (work.state.letters.has(id)) continue;
    const { verdict, actorId, interactionIds = [] } = await handleLetter(work, text, judging);
    if (verdict === "accepted") await work.note({ type: "LetterHandled", payload: { id } });
    read.interactionIds.push(...interactionIds);
    if (actorId !== undefined) read.actorIds.push(actorId);
    if (read.verdict !== "accepted" && (verdict !== "no-command" || !read.verdict)) read.verdict = verdict;
  }
  return read;
}

/** A letter may only answer, cancel or ask for the status. */
async function handleLetter(
  work: WorkInHand,
  text: string,
  judging: Judging,
): Promise<{ verdict: LetterVerdict; actorId?: string; interactionIds?: string[] }> {
  const answer = readLetter(text);
  if (!answer) return { verdict: "no-command" };
  const { command, sender, bot, at: createdAt } = answer;
  // The bot was allowed when it wrote the letter, but the present settings count.
  if (!isAllowedBot({ author: { ...bot, isBot: true } }, judging.settings.allowedBots)) {
    return { verdict: "not-permitted" };
  }
  const verdict = await judgeDispatch({ command, sender, createdAt }, await circumstances(work, judging));
  if (verdict.verdict === "ignored") return { verdict: verdict.reason };
  const refuse = (reason: string) => {
    judging.log(`a command of ${sender} was refused: ${reason}`);
    return { verdict: "no-command" } as const;
  };
  if (verdict.verdict === "refused") return refuse(verdict.refusal.reason);
  if (verdict.effects.some(({ type }) => type !== "answer" && type !== "cancel" && type !== "status")) {
    return refuse("it must be written as a comment");
  }
  const { actorId, permission } = verdict;
  const done = await carryOut(work, verdict.effects, { createdAt, actorId, permission }, decidingBy(judging));
  return "reason" in done ? refuse(done.reason) : { ...done, verdict: "accepted", actorId };
}

// Decides what a wake runs: items and sessions of content, or a to-do list.

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
  const retry = retryToBegin(view, retries);
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
  const retry = current && !how.onlyTells ? retryToBegin(current, retries) : undefined;
  if (retry) return { ...trigger, ...session, retry: [retry.output] };
  const after = current && !how.onlyTells ? afterConflict(current, answered) : undefined;
  const redone = after && current?.state.redo && redoOf(current, current.state.redo, "tasks").names;
  if (redone && redone.length > 0) return { ...trigger, ...session, retry: redone };
  if (current && waitsForConflict(current.state)) return { ...trigger, ...session, isLeftAlone: true };
  const goesOn = current && !how.onlyTells && (how.wasDead || after || canGoOn(current.state));
  return runsAll || goesOn ? { ...trigger, ...session } : { ...trigger, ...session, isLeftAlone: true };
}

/** The retry of this session that has not begun yet. */
function retryToBegin(view: StoredSession, retries: readonly Retry[]): Retry | undefined {
  return retries.find(
    (one) => one.sessionId === view.sessionId && attemptsAt(view, one.output) <= one.attempts,
  );
}

function noSession(sessionId: string): LoopliaError {
  return new LoopliaError("config-invalid", `session-id: this task list has no session ${sessionId}`, {
    hint: "remove session-id to resume the newest session",
  });
}
