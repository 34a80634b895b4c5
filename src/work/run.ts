// Types of a run of the Action and its works, and the outcome of several works.
import type { Budget } from "../agent/budget.ts";
import type { Cancellations } from "../agent/session.ts";
import type { Settings } from "../config/settings-table.ts";
import type { ItemFiles } from "../content/item.ts";
import { type AnswerFate, fateOf, type VoidApproval, voidApprovalOf } from "../core/answer-fate.ts";
import { LoopliaError } from "../core/errors.ts";
import type { DomainEvent, SpendingLost, WorkEvent } from "../core/events.ts";
import type { InteractionRequest, WithheldKeys } from "../core/interaction.ts";
import type { AuditHead } from "../core/lines.ts";
import type { Clock, Host, Observer, TrustedFiles, TrustedTree, WorkStore } from "../core/ports.ts";
import type {
  CheckpointOptions,
  CodeHost,
  Discussion,
  Repository,
  SessionWorktrees,
  StateRef,
  StateRefPlace,
  StateTip,
  TreePair,
} from "../core/ports-host.ts";
import { type Redact, redactValue } from "../core/redaction.ts";
import { type End, mostSerious, type Result, type RunResult } from "../core/result.ts";
import { applyEvent, type InteractionState, openInteractions, type State } from "../core/state.ts";
import { applyWorkEvent, foldWork, type WorkState } from "../core/work-state.ts";
import type { RunReport } from "../publish/report.ts";
import type { Environment, Items, RunnerFacts, RunSettings, Work, WorkKind } from "./find.ts";
import type { Trigger } from "./handle.ts";
import type { EventFacts } from "./trigger.ts";

// How a run of the Action ends: an expected failure is an outcome, any other error is a bug and is labeled as
// one. Pure.

export type ActionOutcome = End & Pick<RunReport, "isIdle">;

/** The outcome of a thrown error. */
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

/** The result of the work, or of `rescue` if the work throws. */
export async function settle<T>(work: () => Promise<T>, rescue: (thrown: unknown) => T): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    return rescue(thrown);
  }
}

/** The more serious of two, else the first. A work that is over or held is ignored unless the run failed. */
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

// The parts of the program that the Action needs. `wire.ts` provides them; tests use fakes.

/** The surroundings of a trigger. Folders are absolute. */
export type ActionPlace = {
  /** The working directory inside the worktree of the work branch. */
  root: string;
  stateFolder: string;
  /** `provider` is never `auto`. */
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  trusted: TrustedFiles;
  trustedTree: TrustedTree;
  host: Host;
  observe: Observer;
  /** Aborted with `"interrupted"`; the callee adds the deadline. */
  signal: AbortSignal;
  readSource: ItemFiles["readSource"];
  matchSources: ItemFiles["matchSources"];
  /** The people behind this run's questions, its starter first (`startersOf`). */
  startedBy: readonly string[];
  /** Returns the work's open stores; called when the first session starts. */
  openStore(): Promise<WorkStore>;
  /** Cancellations of sessions while they run. */
  cancellations: Cancellations;
  /** Worktrees of single sessions; absent if all share one. */
  sessions?: SessionWorktrees;
  /** The cost limits of this run and of the month. */
  budget?: Budget;
};

/** The place of a work's stores on this machine. */
export type StorePlace = {
  /** Absolute; its name is the work's id. */
  folder: string;
  workId: string;
  kind: WorkKind;
  /** The key of a new work; an existing work keeps its own. */
  key: string;
  stateKey: string | undefined;
};

export type ActionWiring = {
  /** Loads modules that the next part of nearly every run needs, while git and GitHub answer. */
  loadAhead(what: "start" | "session" | "upload"): void;
  spareMemory(items: Pick<Items, "sources">): void;
  runTrigger(place: ActionPlace, trigger: Trigger): Promise<RunResult>;
  /** `checkout`, if there is one, names the remote; it is never changed. */
  openRepository(
    place: Pick<RunnerFacts, "checkout" | "serverUrl" | "repository" | "temporary"> & {
      token: string;
      environment: Environment;
    },
  ): Promise<Repository>;
  codeHost(place: ActionGithub): CodeHost;
  discussion(place: ActionGithub): Discussion;
  /** Removes known secrets from a text. */
  redact: Redact;
  keys: WithheldKeys;
  /** Opens the stores and reads all sessions. Throws `store-corrupt` if a part of them would not count. */
  /** `workingDirectory`: the path from the settings, which approvals are bound to. */
  openWorkStore(
    place: StorePlace & { workingDirectory: string },
  ): Promise<{ store: WorkStore; sessions: StoredSession[] }>;
  /** Reads all sessions without opening them for writing. */
  readSessions(place: Pick<StorePlace, "folder">): Promise<StoredSession[]>;
  /** What responses of the saved sessions cost that are only in `diedIn`, where a run died. */
  readLost(
    saved: Pick<StorePlace, "folder" | "stateKey">,
    diedIn: string,
  ): Promise<Map<string, SpendingLost[]>>;
  /** Sets aside torn lines of a dead process's stores, and reads their sessions. */
  mendWork(place: StorePlace): Promise<StoredSession[]>;
  /** The key in the work's header; undefined for a new work. */
  readKey(place: Pick<StorePlace, "folder">): Promise<string | undefined>;
  /** Writes a report of each result's session into the work's folder, outside the saved state. */
  writeReports(place: Pick<StorePlace, "folder" | "stateKey">, results: readonly Result[]): Promise<void>;
  /** The artifact's id, or undefined when the folder has no file. */
  uploadFolder(upload: Upload & { timeoutMs: number }): Promise<number | undefined>;
};

export type StoredSession = { sessionId: string; state: State; auditHead: AuditHead };

type ActionGithub = { apiUrl: string; repository: string; token: string };

type Upload = { name: string; folder: string; retentionDays: number };

export type Job = {
  wiring: ActionWiring;
  environment: Environment;
  facts: RunnerFacts;
  event: EventFacts;
  /** Distinguishes this job from other jobs of the same run: the part of a claim after the attempt. */
  claimant: string;
  /** An empty folder of this run's own. */
  temporary: string;
  clock: Clock;
  observe: Observer;
  /** Aborted with `"interrupted"`. */
  signal: AbortSignal;
  /** Tells the `post` step what to do if this process dies. */
  remember(left: Leftovers): void;
};

/** What `post` must handle: an upload, and works that may be held or whose outcome is not shown yet. */
export type Leftovers = { upload?: Upload; works?: readonly LeftWork[] };

/** `folder`: its state on this machine, as the run that died left it. `failure`: why that could not be pushed. */
export type LeftWork = Pick<Work, "workId" | "branch" | "shard"> & { folder: string; failure?: string };

/** The known facts of the run; the report contains them however the run ends. */
export type RunFacts = Omit<RunReport, keyof ActionOutcome> & { workId: string; branch: string };

// How often a run edits the status comment: at most eight times over the run, always including the outcome.

/** The eighth edit is for `post`. */
const MOST = 7;
/** The other edits are for the ends of rounds. */
const WHILE_RUNNING = 4;
/** Each wait is longer than the last, because a run may take hours. */
const FIRST_WAIT_MS = 20_000;
const LONGER = 3;

/** The edits by one run on one work, over all rounds. */
export class StatusEdits {
  readonly #clock: Pick<Clock, "elapsed">;
  #used = 0;
  #next = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "elapsed">) {
    this.#clock = clock;
  }

  /** False: another round could not show its outcome. */
  get isLeft(): boolean {
    return this.#used < MOST;
  }

  /** True if the comment may be edited now, and counts that. The outcome of a round may always be shown. */
  take({ isRunning }: { isRunning: boolean }): boolean {
    const now = this.#clock.elapsed();
    if (isRunning && (this.#used >= WHILE_RUNNING || now < this.#next)) return false;
    this.#next = now + FIRST_WAIT_MS * LONGER ** this.#used;
    this.#used += 1;
    return true;
  }
}

/** How a run merges what was made elsewhere into a work; `finish` deletes it there. */
export type Collecting = {
  /** Writes the files over the worktree of the branch's `tip`. Returns the commit message if any changed. */
  writeFiles(root: string, tip: string): Promise<string | undefined>;
  finish(): Promise<void>;
  /** Set if some of them died. */
  outcome: ActionOutcome | undefined;
};

// The context of a wake: the run, the repository and the work.

export type WakeRun = Job &
  Pick<LeftWork, "failure"> & {
    repository: Repository;
    /** Another clone in its own folder: each clone opens a work only once. */
    openRepository(temporary: string): Promise<Repository>;
    host: CodeHost;
    discussion: Discussion;
    found: RunSettings;
    work: Work;
    /** `content` runs the items, `tasks` the list; `respond` only continues after answers, commands, crashes. */
    kind: "content" | "tasks" | "respond";
    items: Items;
    told: RunFacts;
    isCutOff?: true;
    /** ISO 8601 */
    startedAt: string;
    /** The actor who started the run. */
    startedBy: string;
    /** The actor who started it again, if another one. */
    rerunBy?: string;
    statusEdits: StatusEdits;
    /** The caller reads the first comments of pull requests that this run opens, of all works together. */
    looksLater?: true;
    /** Set if a person restarts the work with an empty state. */
    restart?: Restart;
    /** The cost limits of this run and of the month. */
    budget?: Budget;
    /** Writes sessions stored elsewhere into the work's state folder before the work is opened. */
    bring?(folder: string): Promise<void>;
    /** The unfinished files of these sessions. */
    trees?: NonNullable<StateRefPlace["trees"]>;
    /** Merges the results of shards, or those that a merge lacks. */
    collects?: Collecting;
    /** Files of the former work that this one takes over, and the sessions that made them. */
    takes?: TreePair & { sessionIds: readonly string[] };
    /** In `post`: the work's state on this machine, as the run that died left it. */
    diedIn?: string;
    /** Works of this process whose pull requests do not show the outcome yet, the current work last. */
    unshown: LeftWork[];
  };

/** The `/looplia restart` that this run carries out; `kept`: where the old state is, if there was one. */
export type Restart = {
  commentId: number;
  createdAt: string;
  actorId: string;
  permission: string;
  kept?: StateTip;
};

/** The outcome of one round of a wake. */
export type Round = {
  outcome: ActionOutcome;
  /** The results of this round; if nothing ran, the results of the whole work. */
  reported: readonly Result[];
  /** False: the round read commands, but nothing could continue. */
  hasRun: boolean;
  /** False: the outcome could not be shown, or the claim could not be released. */
  hasEnded: boolean;
  /** New comments arrived during this round. */
  hasNews: boolean;
};

/** `<run id>.<attempt>` */
export function runIdOf({ facts }: Pick<WakeRun, "facts">): string {
  return `${facts.runId}.${facts.attempt}`;
}

/** The id of a claim's holder: `<run id>.<attempt>.<claimant>`. Two jobs of one run are two holders. */
export function claimIdOf(run: Pick<WakeRun, "facts" | "claimant">): string {
  return `${runIdOf(run)}.${run.claimant}`;
}

/** The page of the run on GitHub. */
export function runUrlOf({ facts }: Pick<WakeRun, "facts">): string {
  return `${facts.serverUrl}/${facts.repository}/actions/runs/${facts.runId}`;
}

// The record of an open work, and the work in the hands of a run: its record and its state ref.

export type SessionState = Pick<StoredSession, "sessionId" | "state">;

/** A question of the work, with its outcome. */
export type WorkQuestion<Session extends SessionState = StoredSession> = InteractionState &
  Omit<Session, "state"> & {
    inVain?: VoidApproval;
    /** The outcome of the answer in this comment. */
    fateOf(commentId?: number): AnswerFate;
  };

type RecordParts<Session> = {
  store: WorkStore;
  /** The stored sessions, if they were already read. */
  sessions?: Session[];
  /** Reads all stored sessions. */
  readSessions(): Promise<Session[]>;
  /** Removes secrets from what people wrote. */
  redact: Redact;
};

/** The state and the stored sessions of an open work, and how a wake from anywhere adds to them. */
export class WorkRecord<Session extends SessionState = SessionState> {
  readonly workId: string;
  readonly state: WorkState;
  readonly store: WorkStore;
  readonly #readSessions: () => Promise<Session[]>;
  #sessions: Promise<Session[]> | undefined;
  readonly #redact: Redact;

  protected constructor(parts: RecordParts<Session>, state: WorkState) {
    this.workId = parts.store.workId;
    this.store = parts.store;
    this.state = state;
    this.#readSessions = parts.readSessions;
    if (parts.sessions) this.#sessions = Promise.resolve(parts.sessions);
    this.#redact = parts.redact;
  }

  static async openRecord(parts: RecordParts<SessionState>): Promise<WorkRecord> {
    return new WorkRecord(parts, foldWork(await parts.store.workEvents()));
  }

  /** All sessions of the work as stored now. */
  sessions(): Promise<Session[]> {
    this.#sessions ??= this.#readSessions();
    return this.#sessions;
  }

  /** Questions of all sessions, the oldest of each session first. */
  async questions(): Promise<WorkQuestion<Session>[]> {
    return (await this.sessions()).flatMap(({ state, ...session }) =>
      [...state.interactions.values()].map((interaction) => {
        const inVain = voidApprovalOf(state, interaction);
        const fate = (commentId?: number) => fateOf(state, interaction, commentId);
        return { ...interaction, ...session, fateOf: fate, ...(inVain ? { inVain } : {}) };
      }),
    );
  }

  async openQuestions(): Promise<(InteractionRequest & { sessionId: string })[]> {
    return (await this.sessions()).flatMap(({ sessionId, state }) =>
      openInteractions(state).map((request) => ({ ...request, sessionId })),
    );
  }

  /** Stores events of the work and applies them to its state. */
  async note(...events: WorkEvent[]): Promise<void> {
    if (events.length === 0) return;
    const safe = redactValue(events, this.#redact);
    await this.store.appendWorkEvents(safe);
    for (const event of safe) applyWorkEvent(this.state, event);
  }

  /** Stores lines of a session that is not open. */
  async change(sessionId: string, lines: readonly (DomainEvent | SpendingLost)[]): Promise<void> {
    if (lines.length === 0) return;
    const safe = redactValue(lines, this.#redact);
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
    for (const line of safe) if (line.store === "events") applyEvent(changed.state, line);
    this.#sessions = Promise.resolve(known);
  }

  /** Drops the cached sessions after a run changed them. */
  forget(): void {
    this.#sessions = undefined;
  }
}

/** A work that a run of the Action has open: its record, and how it becomes durable. */
export class WorkInHand extends WorkRecord<StoredSession> {
  readonly stateRef: StateRef;
  /** The branch's commit when the work was opened. */
  readonly openedTip: string | undefined;
  /** The branch's commit when the pull request was last seen. */
  seenTip: string | undefined;

  private constructor(parts: RecordParts<StoredSession> & { stateRef: StateRef }, state: WorkState) {
    super(parts, state);
    this.stateRef = parts.stateRef;
    this.openedTip = parts.stateRef.branchTip;
    this.seenTip = this.openedTip;
  }

  static async open(parts: RecordParts<StoredSession> & { stateRef: StateRef }): Promise<WorkInHand> {
    return new WorkInHand(parts, foldWork(await parts.store.workEvents()));
  }

  /** Saves one checkpoint of everything. Throws as `StateRef.checkpoint`. */
  async checkpoint(message: string, options: CheckpointOptions = {}): Promise<void> {
    await this.stateRef.checkpoint(message, options);
  }
}
