// Ports to everything else outside: models, stores, workspace, clock. Adapters implement them.
import type {
  ConversationLine,
  DomainEvent,
  Effort,
  FrozenPrefix,
  Message,
  StopReason,
  StoreLine,
  TaskSummary,
  ToolDefinition,
  Usage,
  WorkEvent,
} from "./events.ts";
import type { InteractionAnswer, InteractionRequest, Network, RuleChange } from "./interaction.ts";
import type { AuditHead } from "./lines.ts";
import type { Redact } from "./redaction.ts";

// What is kept of a work as a whole, beside its sessions.

/** A work's own log, and what concerns all of its stores. */
export interface WorkLog {
  /** What happened to the work, in order. */
  workEvents(): Promise<WorkEvent[]>;
  /** Durable when it resolves. */
  appendWorkEvents(events: readonly WorkEvent[]): Promise<void>;
  /** The number of the next question of the work, over all its sessions, from 1; each call another one. */
  nextOrdinal(): Promise<number>;
  /**
   * Ends every segment: what is appended later begins new ones, so what stands now is never changed. Appends wait until
   * `whileSealed` is done (it must not append itself): what it copies is one moment of all stores. Fails when an earlier
   * append failed, or `whileSealed` does.
   */
  seal(whileSealed?: () => Promise<void>): Promise<void>;
  /** Where the audit log of each session stands that was opened here, by session id; sessions without a line are missing. */
  auditHeads(): ReadonlyMap<string, AuditHead>;
}

/** A work as it stands, for those who only look; sessions by their ids. */
export type WorkReading = {
  /** Of the work's own log. */
  events: WorkEvent[];
  sessions: Map<string, SessionReading>;
};

type SessionReading = {
  events: DomainEvent[];
  /** Of the audit log: its lines and the hash of the last one. */
  auditHead: AuditHead;
};

export interface Clock {
  now(): Date;
  /** Monotonic milliseconds. */
  elapsed(): number;
}

export interface Ids {
  /** `bytes` random bytes as lower-case hex. */
  hex(bytes: number): string;
}

// ---- models ---------------------------------------------------------------------------------------------------

export type ModelRequest = {
  /** Unique over all sessions. */
  conversationId: string;
  model: string;
  /** How much it shall think, where its agent says so and the model can be told. */
  effort?: Effort;
  prefix: FrozenPrefix;
  messages: readonly Message[];
  /** What an agent program left when it was last released from this conversation. */
  memory?: string;
};
export type ModelReply = { message: Message; stopReason: StopReason; usage: Usage; model: string };

/** Where turns come from. Fails only with LoopliaError `model-failed` (after its own retries) or an AbortError. */
export interface Model {
  readonly provider: string;
  /** What must be said wherever its work is shown, e.g. that no language model was used. */
  readonly notice?: string;
  /** How many requests the service takes at once, as far as it has said; absent where nothing limits that. */
  readonly atOnce?: number;
  /** Tokens that one answer has at most. */
  readonly maxOutputTokens?: number;
  /** Characters of an item that it can work with; absent for one that reads a long item in sections. */
  readonly longestItem?: number;
  /** US dollars for a response, or null when the model has no known price. */
  priceOf(model: string, usage: Usage): number | null;
  respond(
    request: ModelRequest,
    options: { signal: AbortSignal; onText?: (delta: string) => void },
  ): Promise<ModelReply>;
  /** Of an agent program, whose process lives from one request to the next and hears there what its calls did. */
  readonly program?: {
    /** It can wait for a person only where the call is the only one of its turn. */
    readonly asksAlone: boolean;
    /** Ends its process and all that this started. With `keep`, which cuts secrets out: what another needs to resume. */
    release(conversationId: string, keep?: Redact): Promise<string | undefined>;
  };
}

// ---- people ---------------------------------------------------------------------------------------------------

/** `later`: the run must end and wait for an answer. `nobody`: here nobody can ever be asked. */
export type AskResult = { answer: InteractionAnswer; actorId: string } | "later" | "nobody";

/** Where people are: a pull request, or the terminal. */
export interface Host {
  /** False where nobody can be asked: then no request is raised at all. */
  readonly canAsk: boolean;
  /** Answers are there before a run begins, or not at all: a session that only waits is left alone. */
  readonly answersLater?: true;
  ask(request: InteractionRequest, signal: AbortSignal): Promise<AskResult>;
  /**
   * Asked just before a call runs that people approved hours ago: those of these actors who may not decide any longer.
   * Absent where nobody's permission can change.
   */
  whoMayNot?(actorIds: readonly string[]): Promise<string[]>;
  /** Asked just before a standing approval is used: stores what people revoked by now. Absent where nobody can meanwhile. */
  hearRevocations?(): Promise<void>;
  /**
   * Called before calls whose effect may outlive the runner: what is recorded is durable beyond this machine when it
   * resolves. On a local disk it is so already. Fails with `lost-race` where another run has taken over.
   */
  secure(): Promise<void>;
  /** Called once a task's outputs are complete or failed and its file (manifest, list) says so: the Action commits here. */
  taskEnded(task: EndedTask): Promise<void>;
  /**
   * What `work` records and tells (`taskEnded`) becomes durable at one moment; never called within another `work`. Absent
   * where nothing dies with a runner.
   */
  together?(work: () => Promise<void>): Promise<void>;
  /**
   * Called before a task of a list ends: what others pushed to the branch is in the worktree when it resolves. Never fails;
   * the next checkpoint tries again. Absent where nobody else brings changes.
   */
  bringIn?(): Promise<void>;
  /** Called while an agent may change a file that is the program's. Absent where nobody else brings changes. */
  hold?(path: string): HeldFile;
  /** Who last changed a file, as people call that person. Absent, or undefined, where nothing tells. */
  editorOf?(path: string): Promise<string | undefined>;
  /** Commits of others whose version of a file took the place of the program's. Absent where nobody else brings changes. */
  overruled?(path: string): readonly string[];
}

/** A file that commits have as it was when it was held, until it is released. */
export interface HeldFile {
  /** What others brought of it meanwhile (`bytes` undefined: they removed it); undefined: nothing. */
  brought(): { bytes: Uint8Array | undefined } | undefined;
  release(): void;
}
export type EndedTask = {
  sessionId: string;
  /** Folder of the session, relative to the workspace root; empty where there is none. */
  folder: string;
  title: string;
  outputs: string[];
  status: "completed" | "failed";
  /** Of a to-do file: what may have changed is not one folder. */
  todo?: TodoEnd;
};
/** How a task of a to-do file ended; `said` is its summary, or why it did not get done. */
export type TodoEnd = {
  label: "done" | "blocked" | "skipped" | "todo" | "removed";
  tags: readonly string[];
  said: string;
  /** It ended so the last time as well: only what was changed is worth a commit, and of the list (this file) not even that. */
  repeatedIn?: string;
};

// ---- files and commands -----------------------------------------------------------------------------------------

/** Read-only files of the trusted ref: settings, pipelines, agents, skills, instructions, profile. */
export interface TrustedFiles {
  /** Shown in diagnostics before the path, e.g. `main:` or empty for the working tree. */
  readonly label: string;
  /** UTF-8 text, or undefined when no file is there (nothing, or a folder). Never follows a link out of the repository. */
  read(path: string): Promise<string | undefined>;
  /** Names of the entries of a folder, sorted; empty when no folder is there (nothing, or a file). */
  list(folder: string): Promise<string[]>;
}

/** What stands between a command and this machine. */
export type Isolation = {
  kind: "bubblewrap" | "none";
  /** What commands can reach; without isolation all that this machine reaches. */
  network: Network;
  /** `kind: none`: why there is none, and what to do. */
  reason?: string;
  /** The settings say `sandbox: off`: commands need no more approval for want of isolation. */
  isOff?: true;
};

export type CommandResult = {
  exitCode: number | null;
  /** Standard output and error as they came, cut at `maxOutput` with a note of how much there was. */
  output: string;
  timedOut: boolean;
  /** It was ended because its processes together took more of this than they may. */
  exceeded?: "memory" | "processes" | "disk";
  /** What the command changed of the files that decide what runs or who has permission: all of it is as it was before. */
  putBack?: PutBack;
};

/**
 * `paths` are relative to the worktree, folders for all in them; `copy` is the folder with what they had become. `changes`:
 * the files that a person could take over, texts of moderate size.
 */
export type PutBack = { paths: string[]; failed: string[]; copy: string; changes: RuleChange[] };

/**
 * The worktree. Paths are relative to `root` with `/`. Program methods (`read`, `writeAtomic`) refuse to leave the
 * root and follow no link; `forTools` adds what a model may not touch (`.git`, state, other sessions' files).
 */
export interface Workspace {
  readonly root: string;
  read(path: string): Promise<Uint8Array | undefined>;
  /** `hashContent` of several files of one folder, by name and without those that are missing; keeps none of their bytes. */
  hashSeveral(folder: string, names: readonly string[]): Promise<Map<string, string>>;
  /** Writes beside, fsyncs, renames, fsyncs the folder. Creates missing folders. */
  writeAtomic(path: string, bytes: string | Uint8Array): Promise<void>;
  /** Removes what is there, a link itself, a folder with all in it; nothing is fine. */
  remove(path: string): Promise<void>;
  /** Throws `config-invalid` where nothing can be written in a folder, or below it once it is made. Changes nothing. */
  requireWritable(folder: string): Promise<void>;
  /** Entries of a folder (name, isFolder), sorted; empty when missing. */
  list(folder: string): Promise<{ name: string; isFolder: boolean }[]>;
  readonly forTools: ToolFiles;
  readonly isolation: Isolation;
  /** What commands of agents get in their environment beside what all get; people are shown it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Those of them that were chosen from a list or held against a pattern: commands are judged by their values. */
  readonly checkedVariables?: Readonly<Record<string, string>>;
  /**
   * Runs in a shell in its own process group with an allow-listed environment, isolated as `isolation` says; abort and
   * time-out kill all that it started.
   */
  run(
    command: string,
    options: {
      timeoutMs: number;
      maxOutput: number;
      signal: AbortSignal;
      /** For this command alone, whatever `isolation` says. */
      network?: boolean;
      /** Added to its environment. */
      variables?: Readonly<Record<string, string>>;
    },
  ): Promise<CommandResult>;
  /**
   * A hash over path, kind and bytes of every file that git does not ignore, without state and session folders.
   * `pending`: texts that files would have instead. `like`: what an earlier call told; the same kind of hash is taken.
   * Changes no file.
   */
  snapshot(pending?: ReadonlyMap<string, string>, like?: string): Promise<string>;
  /** Of a session that has a worktree of its own as soon as it edits or runs commands (on a runner). */
  readonly own?: OwnTree;
}

/** What of a session's own worktree is stored, and when others' changes reach it. */
export interface OwnTree {
  /** Where commands run, absolute. */
  readonly root: string;
  /** Whether the work's state had the session's files when this run began: what a call without a result did is gone. */
  readonly isStored: boolean;
  /** What is in it and can't be stored, a sentence each. */
  readonly leftOut: readonly string[];
  /** `snapshot` of the files as a call left them; undefined before the first use. */
  now(): Promise<string | undefined>;
  /** Stores these files (`now`) with the next checkpoint. */
  keep(tree: string): void;
  /** Brings in what others changed; never while an approval of the session is open. */
  refresh(): Promise<void>;
  /** The session goes no further in this run. `isNeeded`: an approval is open. */
  leave(isNeeded: boolean): Promise<void>;
}

/** Files as a model's tools see them. Refusals are LoopliaErrors whose message goes to the model. */
export interface ToolFiles {
  /** Text of a file; refuses binary and files over 10 MiB. */
  readText(path: string): Promise<string>;
  /**
   * Writes text atomically; refuses what only the program may write, and a path that is really elsewhere than at `place`
   * (as `locate` says).
   */
  writeText(path: string, text: string, place?: string): Promise<void>;
  /** Where a path really is, relative to the root, links resolved; the same refusals as `writeText`. */
  locate(path: string): Promise<string>;
  /** Undefined when the file is missing; the same refusals as `writeText`. For previews and pre-images. */
  readForEdit(path: string): Promise<string | undefined>;
  /** Regular files below `folder` matching `glob`, sorted, without `.git`, `node_modules` and state. */
  walk(folder: string, glob?: string): AsyncIterable<string>;
}

// ---- MCP servers ---------------------------------------------------------------------------------------------------

/** The MCP servers that the settings name. They start at the first question about them. */
export interface ToolServers {
  readonly names: readonly string[];
  /** What they offer now, in a fixed order. A server that can't be reached is left out, and people are told. */
  definitions(): Promise<readonly ToolDefinition[]>;
  /** Where a call of the tool goes, for people: an address or a command. Undefined where the settings name no such server. */
  placeOf(tool: string): string | undefined;
  /** `isError` also where the server died, took too long or offers the tool no longer. Throws an AbortError alone. */
  call(
    tool: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
}

// ---- the three stores ---------------------------------------------------------------------------------------------

export type LoadedSession = {
  events: DomainEvent[];
  conversation: ConversationLine[];
  /** What was set aside when opened (torn tail, gap), one sentence each. */
  setAside: string[];
  /** ISO 8601: when the first and the last line were written. */
  written?: { first: string; last: string } | undefined;
};

/** The stores of one session, open for one writer. */
export interface SessionStore {
  readonly sessionId: string;
  load(): Promise<LoadedSession>;
  /** Durable when it resolves; lines become durable in the order given. Never glues to an older segment. */
  append(lines: readonly StoreLine[]): Promise<void>;
  /** Stores frozen bytes by their SHA-256, returned as hex. */
  freeze(bytes: string): Promise<string>;
  readFrozen(sha256: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens the stores of a work. Fails with `busy` (another live process), `lost-race` or `store-corrupt`. */
export interface WorkStore extends WorkLog {
  readonly workId: string;
  session(sessionId: string): Promise<SessionStore>;
  close(): Promise<void>;
}

/** Where the stores of works are. */
export interface Stores {
  /** Opens a work, making it when it is new. `key` says what makes the work this one. */
  open(work: { workId: string; kind: "content" | "tasks"; key: string }): Promise<WorkStore>;
  /** What is stored of a session, for those who only look: takes no lock, fixes nothing. Undefined: nothing is. */
  look(sessionId: string): Promise<LoadedSession | undefined>;
  /** The work whose stores hold this session. */
  findSession(sessionId: string): Promise<string | undefined>;
  /** Where a question was raised; `id` is an interaction id or its short id. */
  findInteraction(
    id: string,
  ): Promise<{ workId: string; sessionId: string; interactionId: string } | undefined>;
  /** Ids of the questions of a work that wait for an answer, over all its sessions. */
  openInteractions(workId: string): Promise<string[]>;
}

// What happens in a run, for those who watch.

export type RunEvent =
  | {
      type: "session";
      sessionId: string;
      source: string;
      pipeline: string;
      folder: string;
      /** `title`: of a to-do task. */
      steps: { output: string; due: boolean; reason: string; title?: string }[];
    }
  | {
      type: "step";
      sessionId: string;
      output: string;
      agent: string;
      status: "started" | "completed" | "failed" | "waiting";
      message?: string;
      /** Of a to-do task. */
      title?: string;
    }
  /** A to-do task began or ended; `step` events of the same task come beside it. */
  | {
      type: "iteration";
      sessionId: string;
      /** Counts over the session, from 1. */
      iteration: number;
      taskId: string;
      title: string;
      agent: string;
      model: string;
      /** As the settings call it. */
      schedule: string;
      status: "started" | "completed" | "failed" | "waiting";
      message?: string;
      summary?: TaskSummary;
      /** Why, where the agent itself failed: the reason code. */
      errorCode?: string;
    }
  | {
      type: "tool-started";
      sessionId: string;
      taskId: string;
      agent: string;
      toolName: string;
      toolCallId: string;
      summary: string;
    }
  | {
      type: "tool-ended";
      sessionId: string;
      taskId: string;
      agent: string;
      toolName: string;
      toolCallId: string;
      summary: string;
      isError: boolean;
      durationMs: number;
      /** Why it was not run at all. */
      refused?: string;
      /** Of a command: how it ended, and below that the last lines of what it printed. */
      ending?: string;
    }
  | {
      type: "validation-failed";
      sessionId: string;
      output: string;
      artifact: string;
      errors: string[];
      hint: string;
      recoverable: boolean;
    }
  | { type: "usage"; sessionId: string; model: string; usage: Usage; costUsd: number | null }
  | { type: "text"; sessionId: string; agent: string; delta: string }
  | { type: "message"; sessionId: string; agent: string; text: string }
  | { type: "question"; sessionId: string; request: InteractionRequest }
  | {
      type: "answered";
      sessionId: string;
      request: InteractionRequest;
      answer: InteractionAnswer;
      actorId: string;
    }
  /** A run is over with an item or a list that did not fail; for logs. */
  | { type: "ended"; sessionId: string; status: string; reasonCode: string; message?: string }
  | { type: "notice"; level: "info" | "warning" | "error"; message: string; sessionId?: string };

/** Told of everything, decides nothing. Must not throw. */
export type Observer = (event: RunEvent) => void;
