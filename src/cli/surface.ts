// What a command sees of its process: streams, colours, size.

import picocolors from "picocolors";
import type { Colors } from "picocolors/types.js";
import type { DeveloperPrompts } from "../config/prompts.ts";
import type { Settings } from "../config/settings-table.ts";
import { toPlainLine } from "../core/json.ts";
import type { Host, Isolation, LoadedSession, Observer, TrustedFiles } from "../core/ports.ts";
import type { GithubFacts } from "../core/ports-host.ts";
import type { RunResult } from "../core/result.ts";
import type { StandingApproval } from "../core/work-state.ts";
import type { AuditVerdict } from "../publish/audit.ts";
import type { HtmlReportFacts } from "../publish/html-report.ts";
import type { TerminalTrigger } from "../work/terminal.ts";

/** What a replay found: how it ended, and the first result that is not as it was. */
export type ReplayResult = {
  status: RunResult["status"];
  message?: string;
  turns: number;
  compared: number;
  difference?: {
    conversationId: string;
    toolCallId: string;
    toolName: string;
    recorded: string;
    now: string;
  };
};

/** What became of audit logs. `compared`: with what from outside; `unreached`: what could not be had for that. */
export type AuditReading = AuditVerdict & { compared: string[]; unreached: string[] };

// Where progress and questions are shown.

export type TextStream = { write(text: string): unknown; columns?: number };
export type Progress = {
  observe: Observer;
  screen: Screen;
  /** Draws the last picture, which stays, and stops. */
  end(): void;
};

/** The part of the terminal that changes in place; questions and lasting lines go through it. */
export interface Screen {
  /** Takes the changing part away until `resume`; lasting lines wait meanwhile. */
  pause(): void;
  resume(): void;
  /** Prints lines that stay. */
  print(text: string): void;
}

// How wide a terminal is: the one place that knows what to do where it does not say, or is too narrow to draw in.

/** In a narrower terminal nothing is drawn or wrapped: plain lines, broken by the terminal itself, read better. */
export const LEAST_COLUMNS = 20;

const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;

/** Columns of a stream; 80 where it names none, as a pipe, or 0, as a pseudo terminal without a size. */
export function columnsOf(stream: { columns?: number }): number {
  return stream.columns || USUAL_COLUMNS;
}

/**
 * Gives a terminal that says 0 columns or rows the usual size, now and after each resize. The libraries that draw and ask
 * read it from the stream, and show nothing, or never end, in a terminal of no size.
 */
export function settleSize(stream: NodeJS.WriteStream): void {
  const settle = () => {
    if (stream.columns === 0) stream.columns = USUAL_COLUMNS;
    if (stream.rows === 0) stream.rows = USUAL_ROWS;
  };
  settle();
  stream.on("resize", settle);
}

export type Surface = {
  cwd: string;
  environment: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Monotonic milliseconds. */
  elapsed(): number;
  /** Calls back at each SIGINT and SIGTERM until the returned function is called. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
};

/** NO_COLOR wins over FORCE_COLOR, which wins over what the stream is (no-color.org, force-color.org). */
export function colorsFor(surface: Surface, stream: NodeJS.WriteStream): Colors {
  const { NO_COLOR, FORCE_COLOR, TERM } = surface.environment;
  if (NO_COLOR) return picocolors.createColors(false);
  if (FORCE_COLOR) return picocolors.createColors(FORCE_COLOR !== "0" && FORCE_COLOR !== "false");
  return picocolors.createColors(stream.isTTY === true && TERM !== "dumb");
}

/** True where a picture may change in place: a terminal wide enough for one, and no CI log. */
export function isLiveTerminal(surface: Surface): boolean {
  const { stderr, environment } = surface;
  if (stderr.isTTY !== true || environment.TERM === "dumb" || isCi(surface)) return false;
  return columnsOf(stderr) >= LEAST_COLUMNS;
}

/** True where somebody can be asked. */
export function isInteractive(surface: Surface): boolean {
  return isLiveTerminal(surface) && surface.stdin.isTTY === true;
}

function isCi({ environment }: Surface): boolean {
  const value = environment.CI;
  return value !== undefined && value !== "" && value !== "false" && value !== "0";
}

// Every title, success message and next step that the command line shows, in one place.

type PipelineTexts = { title: string; done: ReadonlyMap<string, string> };

const PIPELINES: ReadonlyMap<string, PipelineTexts> = new Map([
  [
    "writing-kit",
    {
      title: "Writing Kit Builder",
      done: new Map([
        ["summary", "Summary complete"],
        ["ideas", "Ideas complete"],
        ["outline", "Outline complete"],
        ["writing-kit", "Writing kit complete"],
      ]),
    },
  ],
  ["tasks", { title: "Task List", done: new Map([["to-do", "Every task is done"]]) }],
  ["social-posts", { title: "Social Posts", done: new Map([["posts", "Posts complete"]]) }],
]);

/** Title of a pipeline's box; an unknown pipeline is named after itself. */
export function titleOf(pipeline: string): string {
  return PIPELINES.get(pipeline)?.title ?? toPlainLine(pipeline);
}

/** What is said when an output is there. */
export function successOf(pipeline: string, output: string): string {
  return PIPELINES.get(pipeline)?.done.get(output) ?? `${toPlainLine(output)} complete`;
}

/** One sentence for a reason code, where the code alone would not help. */
export const REASONS: ReadonlyMap<string, string> = new Map([
  ["up-to-date", "nothing is due: every artifact is there, valid and made from this source"],
  ["open-questions", "is waiting for an answer"],
  ["batch", "a batch of requests is under way; the next run collects the answers"],
  ["interrupted", "stopped on request; everything so far is saved"],
  ["deadline", "reached timeout-minutes; everything so far is saved"],
  ["max-turns", "reached max-turns; everything so far is saved"],
  ["cost-limit", "reached its limit of cost or tokens; everything so far is saved"],
  ["invalid-artifact", "an artifact never became valid"],
  ["model-failed", "the provider failed"],
  ["max-iterations", "reached max-iterations; everything so far is saved"],
  ["blocked-tasks", "only tasks are left that can't be begun"],
  ["busy", "another process works on it"],
]);

// What the command line needs of the rest of the program. `wire.ts` provides it, tests make it up.

/** What starts a run here; globs are matched against the working tree. `source` is relative to the root if below it. */
export type CliTrigger =
  | Exclude<TerminalTrigger, { kind: "items" | "tasks" }>
  | { kind: "content"; globs: string[]; isPlan?: true }
  | { kind: "tasks" };

/** Where and how a command runs. Folders are absolute; `provider` is no longer `auto`. */
export type CliPlace = {
  root: string;
  stateFolder: string;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
};

export type RunSurroundings = CliPlace & {
  host: Host;
  observe: Observer;
  /** Its reason is `"interrupted"`. */
  signal: AbortSignal;
  /** Only in the demo: the offline model asks a question of its own. */
  isDemo: boolean;
  prompts?: DeveloperPrompts;
};

/** A release of the action: `owner/name`, the commit, and the version as people read it (`v1.2.3`). */
export type Release = { repository: string; commit: string; name: string };

/** The standing approvals of one work. */
export type StandingInWork = { workId: string; approvals: readonly StandingApproval[] };

export interface Wiring {
  /** Throws LoopliaError for what concerns the whole run. */
  run(trigger: CliTrigger, around: RunSurroundings): Promise<RunResult>;
  /** Asks in the terminal; unless `isInteractive`, every question is answered `later`. */
  terminalHost(options: {
    screen: Screen;
    isInteractive: boolean;
    colors: Colors;
    actorId: string;
    interrupt(): void;
  }): Promise<Host>;
  /** Answers by itself with the default option, and shows it; `approves` every Confirm, or rejects it. */
  demoHost(screen: Screen, approves: boolean): Promise<Host>;
  /** The stores of a session as they stand: no lock, no change; undefined when there are none. */
  readStores(
    stateFolder: string,
    stateKey: string | undefined,
  ): (sessionId: string) => Promise<LoadedSession | undefined>;
  /** Every stored line of a session and the state of its audit chain, for `report --html`. */
  readLines(
    stateFolder: string,
    sessionId: string,
    stateKey: string | undefined,
  ): Promise<Pick<HtmlReportFacts, "lines" | "audit">>;
  /** Runs a session once more with its recorded turns, in a copy of the folder. */
  /** A session, or the absolute path of a recording; `recordTo`: where it is kept as one. */
  replay(
    place: CliPlace,
    what: { sessionId: string; stored: LoadedSession } | { path: string },
    recordTo: string | undefined,
  ): Promise<ReplayResult>;
  /** Verifies what `source` names (paths against `cwd`), and writes the logs to `exportTo` as one file. */
  readAudit(
    place: CliPlace,
    source: string,
    cwd: string,
    exportTo: string | undefined,
  ): Promise<AuditReading>;
  /**
   * The works whose states are kept on the server longer than `state-retention-days`, and how many others have one.
   * Deletes those states, unless `dry-run` is set. Throws `config-invalid` without a token or that setting.
   */
  expireStates(place: CliPlace): Promise<{ expired: string[]; kept: number }>;
  /** The working tree's files, and the install's own (`pipelines/`, `prompts/`). */
  readFiles(root: string): Promise<{ trusted: TrustedFiles; builtin: TrustedFiles }>;
  /** What `git --version` says, and the folder of the repository that the place is in. Throws where there is no git. */
  probeGit(place: CliPlace): Promise<{ version: string; repository?: string }>;
  /** The root, the default branch and `owner/name` on GitHub of the checkout that a folder is in, as far as git knows. */
  readCheckout(folder: string): Promise<{ root?: string; branch?: string; repository?: string }>;
  /** The newest release of the action, for workflows; undefined where nothing tells. */
  findRelease(): Promise<Release | undefined>;
  /** The npm package of each agent program, with the version that was tried: `@openai/codex@0.169.0`. */
  programPackages(): Promise<Readonly<Record<"claude" | "codex", string>>>;
  /** Asks for one of the options in the terminal; undefined where the person stopped the question. */
  choose<T extends string>(
    question: string,
    options: readonly { value: T; label: string }[],
  ): Promise<T | undefined>;
  /** What stands between commands and this machine. */
  probeIsolation(place: CliPlace): Promise<Isolation>;
  /** Which way requests take, by what they are for; empty where no proxy is named. */
  routes(place: CliPlace): Promise<string[]>;
  /** Bytes of memory that all processes of a command may use together, and whether the kernel itself sees to it. */
  probeLimits(): Promise<{ memory: number; isKept: boolean }>;
  /** One cheap request to the provider: what it said. Throws LoopliaError when it is out of reach or refuses. */
  probeProvider(place: CliPlace, signal: AbortSignal): Promise<string>;
  /** The sessions of to-do files, newest first; `source` is the file. */
  taskSessions(stateFolder: string): Promise<{ sessionId: string; source: string | undefined }[]>;
  /** Approvals that let commands run without another question, by work. */
  standingApprovals(stateFolder: string): Promise<StandingInWork[]>;
  /** Ends one of them. Fails with `busy` while a run has the work. */
  revokeApproval(
    place: CliPlace,
    approval: { workId: string; number: number },
    actorId: string,
  ): Promise<void>;
  /** True when a document is there that a task list can be made from. */
  hasSources(root: string, settings: Pick<Settings, "sourceFiles">): Promise<boolean>;
  /**
   * Pushes and deletes a state ref on the remote, and says so; undefined where there is no token or no remote on the
   * server. Throws LoopliaError with what to set.
   */
  probeStateRef(place: CliPlace): Promise<string | undefined>;
  /**
   * What GitHub lets the token do, asked without changing anything; undefined where there is no token or no remote on
   * the server. Throws LoopliaError with what to set.
   */
  probeGithub(place: CliPlace): Promise<GithubFacts | undefined>;
  /** Folder of the install: it has `examples/`. */
  readonly installFolder: string;
  readonly version: string;
  /** Default model by provider. */
  readonly defaultModels: ReadonlyMap<string, string>;
}

/** Who is at this terminal: `terminal:<user>`. */
export function actorOf({ environment }: Pick<Surface, "environment">): string {
  const { USER, LOGNAME, USERNAME } = environment;
  return `terminal:${USER || LOGNAME || USERNAME || "someone"}`;
}
