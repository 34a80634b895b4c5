// Types of a run of the Action and its works, and the outcome of several works.

import type { Budget } from "../agent/budget.ts";
import type { Cancellations } from "../agent/session.ts";
import type { Settings } from "../config/settings-table.ts";
import { type AnswerFate, fateOf, type VoidApproval, voidApprovalOf } from "../core/answer-fate.ts";
import { LoopliaError } from "../core/errors.ts";
import type { DomainEvent, WorkEvent } from "../core/events.ts";
import type { InteractionRequest } from "../core/interaction.ts";
import { inTurn } from "../core/json.ts";
import type { AuditHead } from "../core/lines.ts";
import type { Clock, Host, Observer, TrustedFiles, WorkStore } from "../core/ports.ts";
import type {
  CheckpointOptions,
  CodeHost,
  Discussion,
  Repository,
  SessionWorktrees,
  StateRef,
  StateTip,
} from "../core/ports-host.ts";
import { type Redact, redactValue } from "../core/redaction.ts";
import { type End, mostSerious, type Result, type RunResult } from "../core/result.ts";
import { applyEvent, type InteractionState, type State } from "../core/state.ts";
import { applyWorkEvent, foldWork, type WorkState } from "../core/work-state.ts";
import type { RunReport } from "../publish/report.ts";
import type { Environment, Items, RunnerFacts, RunSettings, Work, WorkKind } from "./find.ts";
import type { Trigger } from "./handle.ts";
import type { EventFacts } from "./trigger.ts";

// How a run of the Action ends: an expected failure is an outcome, anything else is a bug, and says so. Pure.

export type ActionOutcome = End & Pick<RunReport, "isIdle">;

/** The outcome that a thrown error stands for. */
export function outcomeOf(thrown: unknown): ActionOutcome {
  if (thrown instanceof LoopliaError) {
    const message = thrown.hint ? `${thrown.message}\n${thrown.hint}` : thrown.message;
    return { status: statusOf(thrown), reasonCode: thrown.code, message };
  }
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return {
      status: "stopped",
      reasonCode: "interrupted",
      message: "stopped on request; what was done is saved",
    };
  }
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return {
    status: "failed",
    reasonCode: "bug",
    message: `This is a bug in looplia, please report it:\n${stack}`,
  };
}

/** The outcome of the work, or the one that its error stands for. */
export async function settle<T>(work: () => Promise<T>, rescue: (thrown: unknown) => T): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    return rescue(thrown);
  }
}

/** The more serious of two, the first of equals. A run whose work is over or another run's is ignored unless it failed. */
export function graver(ran: ActionOutcome, published: ActionOutcome | undefined): ActionOutcome {
  if (!published) return ran;
  if (published.status === "ignored" && ran.status !== "failed") return published;
  return mostSerious([ran, published]) ?? ran;
}

function statusOf(error: LoopliaError): ActionOutcome["status"] {
  switch (error.code) {
    case "busy":
    case "lost-race":
    case "closed":
      return "ignored";
    case "interrupted":
    case "deadline":
    case "cost-limit":
      return "stopped";
    default:
      return "failed";
  }
}

// What the Action needs of the rest of the program. `wire.ts` provides it, tests make it up.

/** Where a trigger is handled. Folders are absolute. */
type ActionPlace = {
  /** The working directory inside the worktree of the work branch. */
  root: string;
  stateFolder: string;
  /** `provider` is decided. */
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  trusted: TrustedFiles;
  host: Host;
  observe: Observer;
  /** Its reason is `"interrupted"`; the deadline is the callee's. */
  signal: AbortSignal;
  readSource(path: string): Promise<Uint8Array | undefined>;
  /** Who led to what this run asks, its starter first (`startersOf`). */
  startedBy: readonly string[];
  /** The work's stores, which stay open: asked for when the first session has something to do. */
  openStore(): Promise<WorkStore>;
  /** Sessions that people end while they run. */
  cancellations: Cancellations;
  /** Worktrees of single sessions; absent where all work in one. */
  sessions?: SessionWorktrees;
  /** What this run, and the month, may cost. */
  budget?: Budget;
};

/** Where the stores of a work are on this machine. */
export type StorePlace = {
  /** Absolute, named by the work's id. */
  folder: string;
  workId: string;
  kind: WorkKind;
  /** What makes the work this one; of an existing work it stays as it is. */
  key: string;
  stateKey: string | undefined;
};

export type ActionWiring = {
  /** Loads what nearly every run needs, while git and GitHub are waited for. */
  loadAhead(): void;
  runTrigger(place: ActionPlace, trigger: Trigger): Promise<RunResult>;
  openRepository(place: {
    /** Folder of the checkout, if there is one: it tells the remote. Never changed. */
    checkout: string;
    serverUrl: string;
    /** `owner/name` */
    repository: string;
    token: string;
    temporary: string;
    environment: Readonly<Record<string, string | undefined>>;
  }): Promise<Repository>;
  codeHost(place: ActionGithub): CodeHost;
  discussion(place: ActionGithub): Discussion;
  /** Cuts known secrets out of a text. */
  redact: Redact;
  /** With every session as it is stored. Fails with `store-corrupt` where something of it would not count. */
  openWorkStore(place: StorePlace): Promise<{ store: WorkStore; sessions: StoredSession[] }>;
  /** Every session as it is stored, for those who only look. */
  readSessions(place: Pick<StorePlace, "folder">): Promise<StoredSession[]>;
  /** What makes the work this one, as its header says; undefined for a new one. */
  readKey(place: Pick<StorePlace, "folder">): Promise<string | undefined>;
  /** Writes a report of each session into the work's folder, beside what goes into its state. */
  writeReports(place: Pick<StorePlace, "folder" | "stateKey">, sessionIds: readonly string[]): Promise<void>;
  /** The artifact's id, or undefined when the folder has no file. */
  uploadFolder(upload: Upload & { timeoutMs: number }): Promise<number | undefined>;
};

/** What happened in a session. */
export type StoredSession = { sessionId: string; state: State; auditHead: AuditHead };

type ActionGithub = { apiUrl: string; repository: string; token: string };

export type Upload = { name: string; folder: string; retentionDays: number };

export type Job = {
  wiring: ActionWiring;
  environment: Environment;
  facts: RunnerFacts;
  event: EventFacts;
  /** Tells this job's steps from other jobs of the same run: what is in a claim behind the run attempt. */
  claimant: string;
  /** An empty folder of this run's own. */
  temporary: string;
  clock: Clock;
  observe: Observer;
  /** Its reason is `"interrupted"`. */
  signal: AbortSignal;
  /** Told what `post` has to do should this process not get there. */
  remember(left: Leftovers): void;
};

/** What would be left behind: an upload, and works that this run may have claimed, or that do not show how it ended. */
export type Leftovers = { upload?: Upload; works?: readonly LeftWork[] };

export type LeftWork = { workId: string; branch: string };

/** What is known of the run so far; it is told whatever happens later. */
export type RunFacts = Omit<RunReport, keyof ActionOutcome> & { workId: string; branch: string };

// How often a run edits the status comment of a work: eight times at most, spread over the run, and its last word always.

/** The eighth is for `post`. */
const MOST = 7;
/** The others are for the ends of rounds. */
const WHILE_RUNNING = 4;
/** Each wait is longer than the one before: a run may last for hours. */
const FIRST_WAIT_MS = 20_000;
const LONGER = 3;

/** The edits of one run at one work, over all of its rounds. */
export class StatusEdits {
  readonly #clock: Pick<Clock, "elapsed">;
  #used = 0;
  #next = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.#clock = clock;
  }

  /** False: another round could not show how it ended. */
  get isLeft(): boolean {
    return this.#used < MOST;
  }

  /** True where the comment may be edited now; that is counted. How a round ended may always be shown. */
  take({ isRunning }: { isRunning: boolean }): boolean {
    const now = this.#clock.elapsed();
    if (isRunning && (this.#used >= WHILE_RUNNING || now < this.#next)) return false;
    this.#next = now + FIRST_WAIT_MS * LONGER ** this.#used;
    this.#used += 1;
    return true;
  }
}

/** How the shards of a work are brought together. */
export type Collecting = {
  /** Writes what they made over the worktree of the branch's `tip`; the commit's message. Undefined: nothing is new. */
  writeFiles(root: string, tip: string): Promise<string | undefined>;
  /** Takes their states and branches away: the work has all of it. */
  finish(): Promise<void>;
  /** Where some of them died. */
  outcome: ActionOutcome | undefined;
};

// What a wake has in hand: the surroundings of the run, the repository, and the work that it is about.

export type WakeRun = Job & {
  repository: Repository;
  /** Another clone in a folder of its own: a work is opened once in each. */
  openRepository(temporary: string): Promise<Repository>;
  host: CodeHost;
  discussion: Discussion;
  found: RunSettings;
  work: Work;
  /** `content` runs the items, `tasks` the list; `respond` only what people or crashes left to continue with. */
  kind: "content" | "tasks" | "respond";
  items: Items;
  told: RunFacts;
  /** ISO 8601 */
  startedAt: string;
  /** Who started the run, as an actor. */
  startedBy: string;
  /** Who else had it run again. */
  rerunBy?: string;
  statusEdits: StatusEdits;
  /** Somebody has the work begin anew, with an empty state. */
  restart?: Restart;
  /** What this run, and the month, may cost. */
  budget?: Budget;
  /** Writes sessions that are stored elsewhere into the work's state folder, before it is opened. */
  bring?(folder: string): Promise<void>;
  /** Brings in what shards made. */
  collects?: Collecting;
  /** Works of this process whose pull requests do not show yet how it ended, its current one last. */
  unshown: LeftWork[];
};

/** The `/looplia restart` that this run carries out; `kept`: where the state before is, if there was one. */
export type Restart = {
  commentId: number;
  createdAt: string;
  actorId: string;
  permission: string;
  kept?: StateTip;
};

/** What a projection tells beside what is stored. */
export type Telling = {
  report: RunReport;
  /** ISO 8601, while the run is still at work. */
  runningSince?: string;
};

/** How one round of a wake ended. */
export type Round = {
  outcome: ActionOutcome;
  /** What ran, or where nothing did what there is. */
  reported: readonly Result[];
  /** False: commands were read, and nothing could continue. */
  hasRun: boolean;
  /** False: it could not be shown, or the work could not be given back. */
  hasEnded: boolean;
  /** Something came in while this round was at work. */
  hasNews: boolean;
};

/** `<run id>.<attempt>` */
export function runIdOf({ facts }: Pick<WakeRun, "facts">): string {
  return `${facts.runId}.${facts.attempt}`;
}

/** Who holds a claim: `<run id>.<attempt>.<claimant>`; two jobs of one run are two. */
export function claimIdOf(run: Pick<WakeRun, "facts" | "claimant">): string {
  return `${runIdOf(run)}.${run.claimant}`;
}

/** The page of the run on GitHub. */
export function runUrlOf({ facts }: Pick<WakeRun, "facts">): string {
  return `${facts.serverUrl}/${facts.repository}/actions/runs/${facts.runId}`;
}

// A work as a run holds it: what is stored of it on this machine, what that folds to, and the state ref behind it.

/** A question of the work with what became of it. */
export type WorkQuestion = InteractionState &
  Omit<StoredSession, "state"> & {
    inVain?: VoidApproval;
    /** What became of the answer that this comment gave. */
    fateOf(commentId?: number): AnswerFate;
  };

/** An open work: its state, its sessions as they are stored, and how a wake adds to them and makes them durable. */
export class WorkInHand {
  readonly workId: string;
  readonly state: WorkState;
  readonly stateRef: StateRef;
  readonly store: WorkStore;
  readonly #readSessions: () => Promise<StoredSession[]>;
  #sessions: Promise<StoredSession[]> | undefined;
  readonly #redact: Redact;

  private constructor(parts: WorkParts, state: WorkState) {
    this.workId = parts.store.workId;
    this.store = parts.store;
    this.stateRef = parts.stateRef;
    this.state = state;
    this.#readSessions = parts.readSessions;
    if (parts.sessions) this.#sessions = Promise.resolve(parts.sessions);
    this.#redact = parts.redact;
  }

  static async open(parts: WorkParts): Promise<WorkInHand> {
    return new WorkInHand(parts, foldWork(await parts.store.workEvents()));
  }

  /** Every session of the work as it is stored now. */
  sessions(): Promise<StoredSession[]> {
    this.#sessions ??= this.#readSessions();
    return this.#sessions;
  }

  /** Questions of all sessions, oldest first in each. */
  async questions(): Promise<WorkQuestion[]> {
    return (await this.sessions()).flatMap(({ state, ...session }) =>
      [...state.interactions.values()].map((interaction) => {
        const inVain = voidApprovalOf(state, interaction);
        const fate = (commentId?: number) => fateOf(state, interaction, commentId);
        return { ...interaction, ...session, fateOf: fate, ...(inVain ? { inVain } : {}) };
      }),
    );
  }

  async openQuestions(): Promise<(InteractionRequest & { sessionId: string })[]> {
    const open = (await this.questions()).filter(({ response, closed }) => !response && !closed);
    return open.map(({ request, sessionId }) => ({ ...request, sessionId }));
  }

  /** Stores events of the work. */
  async note(...events: WorkEvent[]): Promise<void> {
    if (events.length === 0) return;
    const safe = redactValue(events, this.#redact);
    await this.store.appendWorkEvents(safe);
    for (const event of safe) applyWorkEvent(this.state, event);
  }

  /** Stores events of a session that nobody has open. */
  async change(sessionId: string, events: readonly DomainEvent[]): Promise<void> {
    if (events.length === 0) return;
    const safe = redactValue(events, this.#redact);
    const known = await this.#sessions;
    this.forget();
    const session = await this.store.session(sessionId);
    try {
      await session.append(safe);
    } finally {
      await session.close();
    }
    const changed = known?.find((one) => one.sessionId === sessionId);
    if (!known || !changed) return;
    for (const event of safe) applyEvent(changed.state, event);
    this.#sessions = Promise.resolve(known);
  }

  /** One projection after the other: what one posted the next knows. */
  inTurn<T>(show: () => Promise<T>): Promise<T> {
    return inTurn(this, show);
  }

  /** What was read of the sessions counts no more: a run went on with them. */
  forget(): void {
    this.#sessions = undefined;
  }

  /** One checkpoint of everything. Fails as `StateRef.checkpoint`. */
  async checkpoint(message: string, options: CheckpointOptions = {}): Promise<void> {
    await this.stateRef.checkpoint(message, options);
  }
}

type WorkParts = {
  stateRef: StateRef;
  store: WorkStore;
  /** What is stored of every session, where that was read already. */
  sessions?: StoredSession[];
  /** Reads what is stored of every session. */
  readSessions(): Promise<StoredSession[]>;
  /** Keeps secrets out of what people said. */
  redact: Redact;
};
