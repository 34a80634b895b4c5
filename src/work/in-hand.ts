// Fetches a work from its state ref, opens its stores on this machine, and claims it.
import { join, posix } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import type { WorkEvent } from "../core/events.ts";
import type { InteractionRequest } from "../core/interaction.ts";
import { isObject } from "../core/json.ts";
import type { WorkStore } from "../core/ports.ts";
import type { Checkpoint, CommentAuthor, Discussion, PullComment, Repository } from "../core/ports-host.ts";
import { listFiles } from "../core/state.ts";
import type { WorkState } from "../core/work-state.ts";
import { readMarker } from "../publish/report.ts";
import { isShownWhole } from "../publish/request.ts";
import { letThrough } from "./asked/own-questions.ts";
import { findItems, type RunSettings, stateRefsOf } from "./find.ts";
import { claimIdOf, runIdOf, type WakeRun, WorkInHand } from "./run.ts";
import { isBranchName } from "./trigger.ts";

// A comment only identifies its work: the work's settings come from its header, not from the answering job's
// inputs.

/**
 * Returns the run with the globs and pipeline (or task list), base and folder that the work began with;
 * unchanged if the header does not record them.
 */
async function adoptKey(run: WakeRun, key: string | undefined): Promise<WakeRun> {
  const known = key === undefined ? undefined : parse(key);
  if (run.kind !== "respond" || !known) return run;
  const { base, workingDirectory: folder } = known;
  const { found, repository, told, work } = run;
  const own =
    known.kind === "tasks" ? { todo: known.todo } : { content: known.globs, pipeline: known.pipeline };
  const settings = { ...found.settings, ...own, workingDirectory: folder || "." };
  const tip = base === found.base ? {} : { base, ...(await tipOf(run, base)) };
  const place = { ...tip, folder, trusted: found.trustedAt(folder) };
  const adopted: RunSettings = { ...found, ...place, settings };
  told.pipeline = known.kind === "tasks" ? known.kind : known.pipeline;
  work.kind = known.kind;
  return { ...run, found: adopted, items: await findItems(repository, adopted) };
}

async function tipOf({ repository }: WakeRun, base: string): Promise<{ baseCommit?: string }> {
  const tip = await repository.tipOf(base);
  if (tip === undefined) return {};
  await repository.fetchCommit(tip, base);
  return { baseCommit: tip };
}

type Key = { base: string; workingDirectory: string } & (
  | { kind: "content"; globs: string[]; pipeline: string }
  | { kind: "tasks"; todo: string }
);

/**
 * Anyone who can write the state ref could have written this key, so a path that leads outside the repository
 * is refused.
 */
function parse(key: string): Key | undefined {
  if (!key.startsWith("{")) return undefined;
  const value = parseJson(key);
  if (!isObject(value)) return undefined;
  const { kind, globs, pipeline, todo, base, workingDirectory } = value;
  if (typeof base !== "string" || typeof workingDirectory !== "string") return undefined;
  if (!isBranchName(base) || !isInside(workingDirectory)) throw damaged();
  if (kind === "tasks" && typeof todo === "string") {
    if (todo === "" || !isInside(todo)) throw damaged();
    return { kind, todo, base, workingDirectory };
  }
  const isList = Array.isArray(globs) && globs.every((glob) => typeof glob === "string");
  if (!isList || typeof pipeline !== "string") return undefined;
  return { kind: "content", globs, pipeline, base, workingDirectory };
}

/**
 * The key in a checkpoint's header; undefined if looplia did not write one. Throws if the header can't be
 * parsed.
 */
export async function readKeyText(
  { trustedFiles }: Pick<Repository, "trustedFiles">,
  commit: string,
): Promise<string | undefined> {
  const header = parseJson((await trustedFiles(commit, "", "").read("header.json")) ?? "");
  const key = isObject(header) ? header.key : undefined;
  return typeof key === "string" && parse(key) ? key : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(cause);
  }
}

function isInside(folder: string): boolean {
  return folder === "" || !(posix.isAbsolute(folder) || folder.split("/").includes(".."));
}

function damaged(cause?: unknown): LoopliaError {
  return new LoopliaError(
    "store-corrupt",
    "header.json of the work's state: its key was not written by looplia.",
    {
      hint: "Somebody else wrote to the state ref. Reset it to one of its earlier commits, or delete it.",
      cause,
    },
  );
}

export type OpenWork = {
  /** The run, with the settings from the work's header. */
  run: WakeRun;
  work: WorkInHand;
  /** Aborted once this run may no longer write. */
  fence: AbortSignal;
  /** Why the run may no longer write: `lost-race` or `closed`. */
  lost(): LoopliaError | undefined;
  /** The folder of all work states on this machine; this work's state is in the subfolder named by its id. */
  stateFolder: string;
  close(): Promise<void>;
};

/** The most characters of file names in one log line. */
const NOTICE_ROOM = 1_000;

/** Opens the work in an empty folder, as its state ref has it now. The caller closes it. */
export async function openWork(run: WakeRun): Promise<OpenWork> {
  const { work, found, wiring, observe } = run;
  const { stateKey } = found.settings;
  const [ref, ...formerRefs] = stateRefsOf(found.settings, work.workId, work.shard);
  const stateFolder = join(run.temporary, "state");
  const folder = join(stateFolder, work.workId);
  const fence = new AbortController();
  let lost: LoopliaError | undefined;
  const opened: { store?: WorkStore; work?: WorkInHand } = {};
  const stateRef = await run.repository.openStateRef({
    ref,
    formerRefs,
    branch: work.branch,
    base: work.shard?.from ?? found.baseCommit,
    ...(run.takes ? { takes: run.takes } : {}),
    ...(run.trees ? { trees: run.trees } : {}),
    folder,
    run: runIdOf(run),
    seal: async (whileSealed) => opened.store?.seal(whileSealed),
    auditHeads: () => opened.store?.auditHeads() ?? new Map(),
    whenConflict: async (files) => {
      const { shown, more } = listFiles(files, NOTICE_ROOM);
      const paths = [...shown, ...(more ? [`and ${more.count} more`] : [])].join(", ");
      const message = `somebody changed the same files on ${work.branch}, and their version is kept: ${paths}`;
      observe({ type: "notice", level: "warning", message });
      await opened.work?.note({ type: "ConflictMet", payload: { files: [...files] } });
    },
    whenLost: (error) => {
      lost ??= error;
      fence.abort("interrupted");
    },
    notice: (message) => observe({ type: "notice", level: "warning", message }),
    ...(found.settings.commits === "api" ? { makeCommit: run.host.makeCommit } : {}),
  });
  await run.bring?.(folder);
  const newKey = run.restart && work.key;
  const adopted = await adoptKey(run, (await wiring.readKey({ folder })) ?? newKey);
  const { workingDirectory } = adopted.found.settings;
  const { workId, kind, key } = work;
  const place = { folder, workId, kind, key, workingDirectory, stateKey };
  const { store, sessions } = await wiring.openWorkStore(place);
  opened.store = store;
  const readSessions = () => wiring.readSessions(place);
  const inHand = await WorkInHand.open({ stateRef, store, sessions, readSessions, redact: wiring.redact });
  opened.work = inHand;
  wiring.keys.take();
  await letThrough(run, inHand);
  return {
    run: adopted,
    work: inHand,
    fence: fence.signal,
    lost: () => lost,
    stateFolder,
    close: () => store.close(),
  };
}

// Finds our own comments on a pull request. A marker only locates a comment and proves no authorship. Pure.

/**
 * Whether we are the author: by the account id of an earlier comment of ours, else by the job's own account.
 */
export function isOurs(author: CommentAuthor, known: Pick<WorkState, "authorId">): boolean {
  if (author === null) return false;
  if (known.authorId !== undefined) return author.id === known.authorId;
  return author.isBot && author.login === ACTIONS_BOT.login && author.id === ACTIONS_BOT.id;
}

/** The account that comments with the job's own token. */
const ACTIONS_BOT = { id: 41_898_282, login: "github-actions[bot]" };

/**
 * Whether we wrote the comment. With a person's token we share the person's account: then our comments are
 * those we posted and those that begin with our marker (`own-voice.ts`). All other comments of the account
 * are the person's.
 */
export function isOurComment(
  { id, author, body }: Pick<PullComment, "id" | "author" | "body">,
  state: WorkState,
): boolean {
  if (author === null || !isOurs(author, state)) return false;
  return author.isBot || readMarker(body) !== undefined || isPosted(id, state);
}

function isPosted(id: number, state: WorkState): boolean {
  const { statusComment, requestComments, changedComments, refusals } = state;
  const requests = [...requestComments.values()].map(({ commentId }) => commentId);
  return [statusComment, ...requests, ...changedComments.values(), ...refusals.values()].includes(id);
}

/** Events for our comments that the state lacks because the run died before it recorded them. */
export function adoptComments(
  workId: string,
  state: WorkState,
  comments: readonly PullComment[],
  requests: readonly InteractionRequest[],
): WorkEvent[] {
  const adopted: WorkEvent[] = [];
  const seen = new Set<string>();
  for (const comment of comments) {
    const marker = readMarker(comment.body);
    if (!marker || marker.workId !== workId || !comment.author || !isOurs(comment.author, state)) continue;
    const about = describe(marker, state);
    const key = JSON.stringify(about?.event);
    if (about.isKnown || seen.has(key)) continue;
    // Anyone with write access can edit our comments, but we never edit the comment of an open question.
    if (about.event.role === "request" && comment.updatedAt !== comment.createdAt) continue;
    seen.add(key);
    const { id: commentId, createdAt, body } = comment;
    const request = requests.find(({ interactionId }) => interactionId === about.event.interactionId);
    const isCut = request !== undefined && !isShownWhole(request, body);
    adopted.push({
      type: "CommentPosted",
      payload: {
        ...about.event,
        commentId,
        authorId: comment.author.id,
        createdAt,
        ...(isCut ? { isCut } : {}),
      },
    });
  }
  return adopted;
}

/** A comment posted within this time may still be missing from GitHub's list. */
const SURELY_LISTED_MS = 60_000;

/** Events for open requests whose comment was deleted from `comments` or edited by someone else. */
function findLostRequests(
  state: WorkState,
  comments: readonly PullComment[],
  open: readonly InteractionRequest[],
  now: Date,
): WorkEvent[] {
  const listed = new Map(comments.map((comment) => [comment.id, comment]));
  return open.flatMap(({ interactionId }): WorkEvent[] => {
    const posted = state.requestComments.get(interactionId);
    if (!posted) return [];
    const found = listed.get(posted.commentId);
    const isChanged = found !== undefined && ![found.createdAt, posted.editedAt].includes(found.updatedAt);
    const isGone = !found && now.getTime() - Date.parse(posted.createdAt) > SURELY_LISTED_MS;
    if (!isChanged && !isGone) return [];
    const changed = isChanged ? { changedComment: posted.commentId } : {};
    return [{ type: "RequestLost", payload: { interactionId, ...changed } }];
  });
}

type About = {
  event: { role: "status" | "request" | "refusal"; interactionId?: string; answers?: number };
  isKnown: boolean;
};

function describe(marker: NonNullable<ReturnType<typeof readMarker>>, state: WorkState): About {
  switch (marker.role) {
    case "status":
      return { event: { role: "status" }, isKnown: state.statusComment !== undefined };
    case "request": {
      const { interactionId } = marker;
      return {
        event: { role: "request", interactionId },
        isKnown: state.requestComments.has(interactionId),
      };
    }
    case "reply": {
      const { commentId: answers } = marker;
      return { event: { role: "refusal", answers }, isKnown: state.refusals.has(answers) };
    }
  }
}

// Which comments on the pull request of a work are not handled yet.

/**
 * GitHub's list may briefly lack a comment while it has newer ones, so we reread this long before the cursor.
 */
const OVERLAP_MS = 10 * 60_000;

/**
 * Unhandled comments created up to ten minutes before the cursor or later, without ours. One request to
 * GitHub. With `now`, a question whose comment was deleted or edited counts as not asked.
 */
export async function unreadComments(
  work: WorkInHand,
  discussion: Pick<Discussion, "comments">,
  pullRequest: number,
  now?: Date,
): Promise<PullComment[]> {
  const { state, workId } = work;
  const requests = (await work.questions()).map(({ request }) => request);
  const open = await work.openQuestions();
  // A comment that we posted but did not record may be older than the cursor.
  const posted = open.map(({ interactionId }) => state.requestComments.get(interactionId)?.createdAt);
  const isWhole = posted.includes(undefined) || state.statusComment === undefined || !state.cursor;
  // Reading from the oldest open question on also shows whether its comment still exists unchanged.
  const since = isWhole ? undefined : [...posted, readFrom(state)].flatMap((at) => at ?? []).sort()[0];
  const comments = await discussion.comments(pullRequest, since);
  await work.note(...adoptComments(workId, state, comments, requests));
  if (now) await work.note(...findLostRequests(state, comments, open, now));
  return comments.filter((comment) => isUnread(comment, state));
}

function isUnread(comment: PullComment, state: WorkState): boolean {
  const { id, createdAt } = comment;
  if (state.handled.has(id) || isOurComment(comment, state)) return false;
  const from = readFrom(state);
  return from === undefined || Date.parse(createdAt) >= Date.parse(from);
}

function readFrom({ cursor }: WorkState): string | undefined {
  return cursor === undefined ? undefined : new Date(Date.parse(cursor) - OVERLAP_MS).toISOString();
}

// The claim on a work: one run at a time takes it with its first checkpoint, and releases it with its last.

/** If it is unknown whether a run is alive, it counts as alive for this long after its last checkpoint. */
const SILENCE_MS = 15 * 60_000;

/** `live`: another run is at work. `dead`: the run that held the claim died, so this run may take over. */
type Claim = { kind: "free" } | { kind: "ours" | "live" | "dead"; run: string };

/**
 * `run` is the id of this job's claims (`<run id>.<attempt>.<claimant>`). `isLive`: whether the claim's
 * attempt is running; undefined if unknown. An earlier attempt of this run is a different run, and has ended
 * according to GitHub. Another job of this attempt is also a different one, and as live as the run.
 */
export function claimOf(
  work: Pick<WorkState, "claim">,
  about: {
    run: string;
    last: Pick<Checkpoint, "at"> | undefined;
    isLive: boolean | undefined;
    now: Date;
  },
): Claim {
  const holder = work.claim?.run;
  if (holder === undefined) return { kind: "free" };
  if (holder === about.run) return { kind: "ours", run: holder };
  const isHeld = about.isLive ?? isRecent(about.last, about.now);
  return { kind: isHeld ? "live" : "dead", run: holder };
}

/** The clocks of two runners differ, so a checkpoint in the future is recent. */
function isRecent(last: Pick<Checkpoint, "at"> | undefined, now: Date): boolean {
  return last !== undefined && now.getTime() - Date.parse(last.at) < SILENCE_MS;
}

export type WorkClaim = {
  readonly isTaken: boolean;
  /**
   * Resolves when the claim is on the remote; the first call makes it. Throws `lost-race` if another run was
   * faster.
   */
  take(): Promise<void>;
  /** Resolves when `whenTaken` has ended, or failed. */
  whenShown(): Promise<void>;
  /** Releases the work. `isUrgent`: only seconds remain. `isBehind`: a later wake must show the outcome. */
  release(how: { isUrgent?: boolean; isBehind: boolean }): Promise<void>;
};

/**
 * `alongside` is stored with the claim; `whenTaken` runs after it. A claim that this run already has counts
 * as taken.
 */
export function createClaim(
  run: WakeRun,
  work: WorkInHand,
  options: { alongside: readonly WorkEvent[]; whenTaken(): Promise<void> },
): WorkClaim {
  const id = claimIdOf(run);
  let taking = work.state.claim?.run === id ? Promise.resolve() : undefined;
  let showing: Promise<void> = Promise.resolve();
  const claim = async (): Promise<void> => {
    const { startedBy: actorId, rerunBy } = run;
    const payload = { run: id, actorId, ...(rerunBy === undefined ? {} : { rerunBy }) };
    await work.note({ type: "WorkClaimed", payload }, ...options.alongside);
    // No other run competes for a shard, so its first push may wait its turn among the other shards.
    if (run.work.shard) work.stateRef.checkpointSoon("chore: take the shard");
    else {
      run.wiring.loadAhead("session");
      await work.checkpoint("chore: take the work");
    }
    // Nothing waits for this display, because the end of the run shows it again.
    showing = options.whenTaken().catch(() => undefined);
  };
  return {
    get isTaken() {
      return taking !== undefined;
    },
    take() {
      taking ??= claim();
      return taking;
    },
    whenShown: () => showing,
    async release({ isUrgent = false, isBehind }) {
      await work.note({ type: "WorkReleased", payload: { run: id, ...(isBehind ? { isBehind } : {}) } });
      await work.checkpoint("chore: give the work back", { isUrgent });
    },
  };
}

// How long a run may hold its work.

/** An installation token's life, from before the process started. */
const APP_TOKEN_MINUTES = 60;
/** Saving and showing the end need the token, too. */
const SPARE_MINUTES = 5;

/**
 * `timeout-minutes`, or less if the token ends before. Of an app's token GitHub tells no end; its hour is known once the app
 * has commented here, because the job's own token (of `github-actions`) lives as long as the job.
 */
export async function minutesOf(
  { found, host, clock, facts }: Pick<WakeRun, "found" | "host" | "clock" | "facts">,
  authorId: number | undefined,
): Promise<number> {
  const { endsAt, isApp } = await host.tokenLife();
  const isOther = authorId !== undefined && authorId !== ACTIONS_BOT.id;
  const isHour = isApp && isOther && facts.serverUrl === "https://github.com";
  const limit = isHour ? APP_TOKEN_MINUTES : Number.POSITIVE_INFINITY;
  const ends = endsAt && (endsAt.getTime() - clock.now().getTime() + clock.elapsed()) / 60_000;
  return Math.min(found.settings.timeoutMinutes, (ends ?? limit) - SPARE_MINUTES);
}
