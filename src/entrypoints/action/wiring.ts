// What the Action needs of the rest of the program. `wire.ts` provides it, tests make it up.
import type { Cancellations } from "../../agent/cancellations.ts";
import type { Settings } from "../../config/settings-table.ts";
import type { RunResult } from "../../content/item-result.ts";
import type { Trigger } from "../../handle.ts";
import type { Discussion } from "../../ports/discussion.ts";
import type { CodeHost, Repository } from "../../ports/repository.ts";
import type { Host, Observer, TrustedFiles, WorkStore } from "../../ports.ts";
import type { AuditHead } from "../../session/audit.ts";
import type { Redact } from "../../session/redaction.ts";
import type { State } from "../../session/state.ts";
import type { WorkKind } from "./choose-work.ts";

/** Where a trigger is handled. Folders are absolute. */
export type ActionPlace = {
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
  codeHost(place: GithubPlace): CodeHost;
  discussion(place: GithubPlace): Discussion;
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

export type GithubPlace = { apiUrl: string; repository: string; token: string };

export type Upload = { name: string; folder: string; retentionDays: number };
