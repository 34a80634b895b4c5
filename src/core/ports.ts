// Ports to everything outside the program: models, stores, workspace, clock. Adapters implement them.
import type {
  ConversationLine,
  DomainEvent,
  Effort,
  FrozenPrefix,
  Message,
  StopReason,
  StoreLine,
  TaskSummary,
  Usage,
  WorkEvent,
} from "./events.ts";
import type { InteractionAnswer, InteractionRequest, Network, RuleChange } from "./interaction.ts";
import type { AuditHead } from "./lines.ts";
import type { Redact } from "./redaction.ts";
import type { EndedItem } from "./result.ts";

/** A work's own log, and operations on all of its stores. */
export interface WorkLog {
  /** The work's events, in order. */
  workEvents(): Promise<WorkEvent[]>;
  /** Durable when it resolves. */
  appendWorkEvents(events: readonly WorkEvent[]): Promise<void>;
  /** A new number for the work's next question, counted from 1 over all its sessions. */
  nextOrdinal(): Promise<number>;
  /**
   * Ends every segment: later appends begin new segments, so stored bytes never change again. Appends wait
   * until `whileSealed` is done, so it copies all stores at one moment; it must not append itself. Fails when
   * an earlier append failed or `whileSealed` fails.
   */
  seal(whileSealed?: () => Promise<void>): Promise<void>;
  /** The head of each audit log opened here, by session id; sessions without lines are missing. */
  auditHeads(): ReadonlyMap<string, AuditHead>;
}

export interface Clock {
  now(): Date;
  /** Monotonic milliseconds. */
  elapsed(): number;
}

export interface Ids {
  /** `bytes` random bytes as lower-case hex. */
  hex(bytes: number): string;
}

// ---- models -----------------------------------------------------------------------------------------------

export type ModelRequest = {
  /** Unique over all sessions. */
  conversationId: string;
  model: string;
  /** How much the model should think, if its agent sets it and the model supports it. */
  effort?: Effort;
  prefix: FrozenPrefix;
  messages: readonly Message[];
  /** The memory that an agent program left when it was last released from this conversation. */
  memory?: string;
};
/** Counts the requests of a turn, whoever makes them: an agent program makes as many as it likes. */
export interface Meter {
  /** Before a request of so many bytes is sent. False: a limit is reached, and the turn ends without a reply. */
  admit(bytes: number): Promise<boolean>;
  /** What a request that was sent used; of a reply of a model over HTTP, only what is not in its own usage. */
  note(model: string, usage: Usage): void;
}

export type RespondOptions = { signal: AbortSignal; onText?: (delta: string) => void; meter?: Meter };

export type ModelReply = { message: Message; stopReason: StopReason; usage: Usage; model: string };

/** A language model. Fails only with LoopliaError `model-failed` (after its own retries) or an AbortError. */
export interface Model {
  readonly provider: string;
  /** A notice to show wherever this model's output is shown, for example that no language model was used. */
  readonly notice?: string;
  /** How many requests the service accepts at once, as far as known; absent without such a limit. */
  readonly atOnce?: number;
  /** Maximum number of tokens in one answer. */
  readonly maxOutputTokens?: number;
  /** Characters of an item that it can process (absent: any, in sections), and why it can't make artifacts of an item. */
  readonly longestItem?: number;
  whyUnreadable?(item: string, artifacts: readonly string[]): Promise<string | undefined>;
  /** US dollars for a response, or null when the model has no known price. */
  priceOf(model: string, usage: Usage): number | null;
  respond(request: ModelRequest, options: RespondOptions): Promise<ModelReply>;
  /** Requests that may wait for a day, at a lower price; absent where the service has none. */
  readonly batches?: BatchService;
  /** Present for an agent program: its process lives across requests and receives its calls' results. */
  readonly program?: {
    /** The program can wait for a person only when the call is the only one of its turn. */
    readonly asksAlone: boolean;
    /** Says that these calls of the last turn run and wait for nobody: the program may ask for their results. */
    expect(conversationId: string, toolCallIds: readonly string[]): void;
    /** Ends the process and its children. With `keep`, which redacts secrets: the memory needed to resume. */
    release(conversationId: string, keep?: Redact): Promise<string | undefined>;
  };
}
export type Batch = { id: string; isEnded: boolean; count: number; createdAt: string };

/** Answers many requests together, within a day and at a lower price. Its methods fail as `respond` does. */
export interface BatchService {
  /** The part of the usual price that is charged. */
  readonly share: number;
  /** Returns the batch's id. After a failure `network` or `server-error` the batch may exist nevertheless. */
  send(entries: readonly { customId: string; request: ModelRequest }[], signal: AbortSignal): Promise<string>;
  /** The account's batches since then. */
  list(since: Date, signal: AbortSignal): Promise<Batch[]>;
  /** Undefined when the service no longer has it. */
  find(id: string, signal: AbortSignal): Promise<Batch | undefined>;
  /** Of an ended batch, in any order; without `reply` where the request expired or failed, at no charge. */
  results(id: string, signal: AbortSignal): AsyncIterable<{ customId: string; reply?: ModelReply }>;
}

// ---- people -----------------------------------------------------------------------------------------------

/** `later`: the run must end and wait for an answer. `nobody`: no person can ever be asked here. */
export type AskResult = { answer: InteractionAnswer; actorId: string } | "later" | "nobody";

/** Where people answer: a pull request, or the terminal. */
export interface Host {
  /** False when no person can be asked: then no request is raised at all. */
  readonly canAsk: boolean;
  /** Answers exist before a run begins or not at all, so a run skips sessions that only wait. */
  readonly answersLater?: true;
  ask(request: InteractionRequest, signal: AbortSignal): Promise<AskResult>;
  /**
   * Called just before an approved call runs, perhaps hours later: returns the given actors who may no longer
   * approve it. Absent if permissions can't change.
   */
  whoMayNot?(actorIds: readonly string[]): Promise<string[]>;
  /** Called just before a standing approval is used: stores revocations. Absent if none can arrive. */
  hearRevocations?(): Promise<void>;
  /**
   * Called before calls whose effect may outlive the runner: resolves when all records are durable outside
   * this machine; on a local disk they are. Fails with `lost-race` when another run has taken over.
   */
  secure(): Promise<void>;
  /** Called once a task's outcome is recorded in its file (manifest or list). The Action commits here. */
  taskEnded(task: EndedTask): Promise<void>;
  /**
   * Makes everything that `work` records and reports (`taskEnded`) durable at one moment. Calls don't nest.
   * Absent if no record is lost with a runner.
   */
  together?(work: () => Promise<void>): Promise<void>;
  /**
   * Called before a task of a list ends: merges what others pushed into the worktree. Never fails; the next
   * checkpoint tries again. Absent when nobody else pushes.
   */
  bringIn?(): Promise<void>;
  /** Called while an agent may change a file that the program writes. Absent when nobody else pushes. */
  hold?(path: string): HeldFile;
  /** Display name of the last person who changed a file. Absent or undefined when unknown. */
  editorOf?(path: string): Promise<string | undefined>;
  /** Commits by others whose version of a file replaced the program's. Absent when nobody else pushes. */
  overruled?(path: string): readonly string[];
}

/** While held, a file is committed as it was when the hold began. */
export interface HeldFile {
  /** Others' version (`bytes` undefined: they removed the file); undefined: they did not change it. */
  brought(): { bytes: Uint8Array | undefined } | undefined;
  release(): void;
}
export type EndedTask = {
  sessionId: string;
  /** The session's folder, relative to the workspace root; empty if it has none. */
  folder: string;
  title: string;
  outputs: string[];
  status: "completed" | "failed";
  /** To-do files only: the changes may be anywhere, not just in one folder. */
  todo?: TodoEnd;
};
/** How a task of a to-do file ended; `said` is its summary, or why it is not done. */
export type TodoEnd = {
  label: "done" | "blocked" | "skipped" | "todo" | "removed";
  tags: readonly string[];
  said: string;
  /** Set when the previous attempt ended alike: then only changes beside this list are committed. */
  repeatedIn?: string;
};

// ---- files and commands -----------------------------------------------------------------------------------

/** Read-only files of the trusted ref: settings, pipelines, agents, skills, instructions, profile. */
export interface TrustedFiles {
  /** Prefix of paths in diagnostics, e.g. `main:`, or empty for the working tree. */
  readonly label: string;
  /** UTF-8 text; undefined for a missing path or a folder. Never follows a link out of the repository. */
  read(path: string): Promise<string | undefined>;
  /** Names of the entries of a folder, sorted; empty when the path is missing or a file. */
  list(folder: string): Promise<string[]>;
}

/** The whole tree of the trusted ref. */
export interface TrustedTree {
  /** Writes it into an empty folder. */
  copyTo(folder: string): Promise<void>;
  /** The working directory in it. */
  readonly folder: string;
}

/** How commands are isolated from this machine. */
export type Isolation = {
  kind: "bubblewrap" | "none";
  /** What commands can reach; without isolation, everything that this machine reaches. */
  network: Network;
  /** `kind: none`: why commands are not isolated, and what to do. */
  reason?: string;
  /** The settings say `sandbox: off`: missing isolation alone needs no approval. */
  isOff?: true;
};
export type CommandResult = {
  exitCode: number | null;
  /** Interleaved standard output and error, cut at `maxOutput` with a note of the full length. */
  output: string;
  timedOut: boolean;
  /** The resource limit for which the command's processes were killed. */
  exceeded?: "memory" | "processes" | "disk";
  /** Changes to files that decide what runs or who has permission; all were reverted. */
  putBack?: PutBack;
};

/**
 * `paths` are relative to the worktree; a folder stands for everything in it. `copy` is the folder with the
 * command's versions. `changes`: those that a person may accept.
 */
export type PutBack = { paths: string[]; failed: string[]; copy: string; changes: RuleChange[] };

/**
 * The worktree. Paths are relative to `root` with `/`. `read` and `writeAtomic` never leave the root and
 * follow no link; `forTools` also refuses what a model may not touch (`.git`, state, other sessions' files).
 */
export interface Workspace {
  readonly root: string;
  read(path: string): Promise<Uint8Array | undefined>;
  /** `hashContent` by name for files in a folder, without missing ones. Keeps none of their bytes. */
  hashSeveral(folder: string, names: readonly string[]): Promise<Map<string, string>>;
  modifiedAt(path: string): Promise<Date | undefined>;
  /** Writes a temporary file, fsyncs, renames, and fsyncs the folder. Creates missing folders. */
  writeAtomic(path: string, bytes: string | Uint8Array): Promise<void>;
  /** Removes a file, a link itself, or a folder with its contents; a missing path is fine. */
  remove(path: string): Promise<void>;
  /** Throws `config-invalid` when `folder` is not writable or could not be created. Changes nothing. */
  requireWritable(folder: string): Promise<void>;
  /** Entries of a folder (name, isFolder), sorted; empty when missing. */
  list(folder: string): Promise<{ name: string; isFolder: boolean }[]>;
  readonly forTools: ToolFiles;
  readonly isolation: Isolation;
  /** Additional environment variables of agents' commands; shown to people. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The subset restricted by a list or pattern: rules for commands may rely on these values. */
  readonly checkedVariables?: Readonly<Record<string, string>>;
  /**
   * Runs a command in a shell in its own process group, with an allow-listed environment and isolated as
   * `isolation` says. Abort and time-out kill all its processes.
   */
  run(
    command: string,
    options: {
      timeoutMs: number;
      maxOutput: number;
      signal: AbortSignal;
      /** Network access for this command alone, overriding `isolation`. */
      network?: boolean;
      /** Added to the command's environment. */
      variables?: Readonly<Record<string, string>>;
    },
  ): Promise<CommandResult>;
  /**
   * A hash over path, kind and bytes of every file that git does not ignore, without state and session
   * folders. `pending`: texts that replace file contents. `like`: an earlier result, whose kind of hash is
   * used again. Changes no file.
   */
  snapshot(pending?: ReadonlyMap<string, string>, like?: string): Promise<string>;
  /** On a runner: a separate worktree for a session that edits files or runs commands. */
  readonly own?: OwnTree;
}

/** What in a file of a worktree looks like a key that the file's version on the branch has not. `id`: the key's hash. */
export type FileKey = { path: string; kind: string; id: string };

/** What is stored of a session's own worktree, and when it receives others' changes. */
export interface OwnTree {
  /** Absolute folder in which commands run. */
  readonly root: string;
  /** The state had the session's files at the start of this run: a call without a result left no effect. */
  readonly isStored: boolean;
  /** Files that can't be stored, one sentence each. */
  readonly leftOut: readonly string[];
  /** The `snapshot` as the last call left the files; undefined before the first use. */
  now(): Promise<string | undefined>;
  /** Stores these files (`now`) with the next checkpoint. */
  keep(tree: string): void;
  /** In the files of the last `keep`: keys that nobody let into the branch. Their files are left out of commits. */
  newKeys(approved: readonly string[]): Promise<FileKey[]>;
  /** Merges others' changes; never while an approval of the session is open. */
  refresh(): Promise<void>;
  /** Called when the session stops for this run. `isNeeded`: an approval is open. */
  leave(isNeeded: boolean): Promise<void>;
}

/** Files as a model's tools see them. Refusals are LoopliaErrors whose message goes to the model. */
export type PlacedFile = { bytes: Uint8Array; isExecutable: boolean } | { link: string };

export interface ToolFiles {
  /** Text of a file; refuses binary files and files over 10 MiB. */
  readText(path: string): Promise<string>;
  /**
   * Writes text atomically. Refuses files that only the program may write, and paths that no longer resolve
   * to `place` (from `locate`).
   */
  writeText(path: string, text: string, place?: string): Promise<void>;
  /** The real path relative to the root, with links resolved; refuses the same paths as `writeText`. */
  locate(path: string): Promise<string>;
  /** Undefined when missing; refuses the same paths as `writeText`. For previews and pre-images. */
  readForEdit(path: string): Promise<string | undefined>;
  /** What is at the path itself, no link followed; refuses the same paths as `writeText`. */
  lookAt(path: string): Promise<PlacedFile | "folder" | undefined>;
  /** Puts a file or a link in its place, or removes it. Refuses folders with files, and links that lead outside. */
  replace(path: string, made: PlacedFile | undefined): Promise<void>;
  /** Regular files below `folder` matching `glob`, sorted, without `.git`, `node_modules` and state. */
  walk(folder: string, glob?: string): AsyncIterable<string>;
}

// The three stores.
export type LoadedSession = {
  events: DomainEvent[];
  conversation: ConversationLine[];
  /** What was set aside at opening (torn tail, gap), one sentence each. */
  setAside: string[];
  /** ISO 8601 times of the first and the last line. */
  written?: { first: string; last: string } | undefined;
};

/** The stores of one session, open for one writer. */
export interface SessionStore {
  readonly sessionId: string;
  load(): Promise<LoadedSession>;
  /** Durable when it resolves, in the given order. Never appends to an older segment. */
  append(lines: readonly StoreLine[]): Promise<void>;
  /** Stores bytes under their SHA-256 and returns it as hex. */
  freeze(bytes: string): Promise<string>;
  readFrozen(sha256: string): Promise<string>;
  close(): Promise<void>;
}

/** A work's open stores. Opening fails with `busy` (another process), `lost-race` or `store-corrupt`. */
export interface WorkStore extends WorkLog {
  readonly workId: string;
  session(sessionId: string): Promise<SessionStore>;
  close(): Promise<void>;
}

/** Finds and opens the stores of works. */
export interface Stores {
  /** Opens a work, creating it if it is new. `key` identifies the work by its content. */
  open(work: { workId: string; kind: "content" | "tasks"; key: string }): Promise<WorkStore>;
  /** Reads a session without locking or repairing its stores. Undefined: nothing is stored. */
  look(sessionId: string): Promise<LoadedSession | undefined>;
  /** The work whose stores hold this session. */
  findSession(sessionId: string): Promise<string | undefined>;
  /** Where a question was raised; `id` is an interaction id or its short id. */
  findInteraction(
    id: string,
  ): Promise<{ workId: string; sessionId: string; interactionId: string } | undefined>;
  /** A work's unanswered questions, over all its sessions. */
  openQuestions(workId: string): Promise<(InteractionRequest & { sessionId: string })[]>;
}

// Events of a run, for observers.

export type RunEvent =
  | {
      type: "session";
      sessionId: string;
      source: string;
      pipeline: string;
      folder: string;
      /** `title`: to-do tasks only. */
      steps: { output: string; due: boolean; reason: string; title?: string }[];
    }
  | {
      type: "step";
      sessionId: string;
      output: string;
      agent: string;
      status: "started" | "completed" | "failed" | "waiting";
      message?: string;
      /** To-do tasks only. */
      title?: string;
    }
  /** A to-do task began or ended; the same task also has `step` events. */
  | {
      type: "iteration";
      sessionId: string;
      /** Counts over the session, from 1. */
      iteration: number;
      taskId: string;
      title: string;
      agent: string;
      model: string;
      /** The schedule's name in the settings. */
      schedule: string;
      status: "started" | "completed" | "failed" | "waiting";
      message?: string;
      summary?: TaskSummary;
      /** The reason code when the agent itself failed. */
      errorCode?: string;
    }
  | ({ type: "tool-started" } & CallFacts)
  | (CallFacts & {
      type: "tool-ended";
      isError: boolean;
      durationMs: number;
      /** Why the call was not run at all. */
      refused?: string;
      /** Commands only: the exit status, followed by the last lines of output. */
      ending?: string;
      /** Edits and artifacts only: the first removed (`- `) and added (`+ `) lines. */
      change?: string;
    })
  | {
      type: "validation-failed";
      sessionId: string;
      output: string;
      artifact: string;
      errors: string[];
      hint: string;
      recoverable: boolean;
    }
  | { type: "usage"; sessionId: string; taskId: string; model: string; usage: Usage; costUsd: number | null }
  | { type: "text"; sessionId: string; agent: string; delta: string }
  | { type: "message"; sessionId: string; taskId: string; agent: string; text: string }
  | { type: "question"; sessionId: string; request: InteractionRequest }
  | {
      type: "answered";
      sessionId: string;
      request: InteractionRequest;
      answer: InteractionAnswer;
      actorId: string;
    }
  /** A run ended an item or a list without failure; for logs. */
  | { type: "ended"; sessionId: string; status: string; reasonCode: string; message?: string }
  | { type: "item"; count: number; ended?: EndedItem }
  | { type: "notice"; level: "info" | "warning" | "error"; message: string; sessionId?: string };

type CallFacts = {
  sessionId: string;
  taskId: string;
  agent: string;
  toolName: string;
  toolCallId: string;
  summary: string;
};

/** Receives all run events and influences nothing. Must not throw. */
export type Observer = (event: RunEvent) => void;
