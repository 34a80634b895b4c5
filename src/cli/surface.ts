// The surroundings of a command: streams, colours, terminal size, texts and wiring.
import picocolors from "picocolors";
import type { Colors } from "picocolors/types.js";
import type { DeveloperPrompts } from "../config/prompts.ts";
import type { Settings } from "../config/settings-table.ts";
import type { TerminalPrompts } from "../core/interaction.ts";
import type { Host, Isolation, LoadedSession, Observer, TrustedFiles } from "../core/ports.ts";
import type { GithubFacts } from "../core/ports-host.ts";
import type { RunResult } from "../core/result.ts";
import type { StandingApproval } from "../core/work-state.ts";
import type { verifyAudit } from "../publish/audit.ts";
import type { htmlReport } from "../publish/html-report.ts";
import type { TerminalTrigger } from "../work/terminal.ts";

/** The outcome of a replay: its status and the first result that differs from the recording. */
type ReplayResult = {
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

/** The verdict on audit logs. `compared`: outside sources that were compared; `unreached`: those that were unavailable. */
type AuditReading = ReturnType<typeof verifyAudit> & { compared: string[]; unreached: string[] };

// Where progress and questions are shown.

export type TextStream = { write(text: string): unknown; columns?: number };
export type Progress = {
  observe: Observer;
  screen: Screen;
  /** Asks within the view, where it has its own way. */
  prompts?: TerminalPrompts;
  /** Draws the last frame, which stays on the screen, and stops. `ended`: how a run without failure ended. */
  end(ended?: string): void | Promise<void>;
};

/** The part of the terminal that is redrawn in place; questions and permanent lines go through it. */
export interface Screen {
  /** Hides the redrawn part until `resume`; permanent lines wait until then. */
  pause(): void;
  resume(): void;
  /** The task or step with a question; empty if unknown. */
  aboutOf?(shortId: string): string;
  /** Prints permanent lines. */
  print(text: string): void;
}

// The terminal's size, with defaults for terminals that report none.

/** A narrower terminal gets plain lines without drawing or wrapping, because lines that it breaks itself read better. */
export const LEAST_COLUMNS = 20;

const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;

/** Columns of a stream; 80 if it reports none (a pipe) or 0 (a pseudo terminal without a size). */
export function columnsOf(stream: { columns?: number }): number {
  return stream.columns || USUAL_COLUMNS;
}

/**
 * Gives a terminal that reports 0 columns or rows the usual size, now and after each resize. The drawing and prompting
 * libraries read the size from the stream, and show nothing or hang if it is 0.
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
  /** `24.1.0` */
  nodeVersion: string;
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

/** NO_COLOR overrides FORCE_COLOR, which overrides the type of the stream (no-color.org, force-color.org). */
export function colorsFor(surface: Surface, stream: NodeJS.WriteStream): Colors {
  const { NO_COLOR, FORCE_COLOR, TERM } = surface.environment;
  if (NO_COLOR) return picocolors.createColors(false);
  if (FORCE_COLOR) return picocolors.createColors(FORCE_COLOR !== "0" && FORCE_COLOR !== "false");
  return picocolors.createColors(stream.isTTY === true && TERM !== "dumb");
}

/** True if output may be redrawn in place: in a wide enough terminal outside CI, without a screen reader. */
export function isLiveTerminal(surface: Surface): boolean {
  return isRedrawable(surface) && !readsScreen(surface);
}

function isRedrawable(surface: Surface): boolean {
  const { stderr, environment } = surface;
  if (stderr.isTTY !== true || environment.TERM === "dumb" || isCi(surface)) return false;
  return columnsOf(stderr) >= LEAST_COLUMNS;
}

/** True if a screen reader reads the terminal, which Ink's variable says: then no line is ever redrawn. */
export function readsScreen({ environment }: Surface): boolean {
  return environment.INK_SCREEN_READER === "true";
}

/** True if a person at the terminal can be asked. */
export function isInteractive(surface: Surface): boolean {
  return isRedrawable(surface) && surface.stdin.isTTY === true;
}

function isCi({ environment }: Surface): boolean {
  const value = environment.CI;
  return value !== undefined && value !== "" && value !== "false" && value !== "0";
}

// Every title, success message and next step that the command line shows, in one place.

// The command line's interface to the rest of the program. `wire.ts` implements it; tests use fakes.

/** Starts a run; globs match files of the working tree. `source` is relative to the root if it is below the root. */
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

/** The action for workflows: `owner/name`, the commit, and what it is for people (`v1.2.3`, `a commit of your clone`). */
export type Release = { repository: string; commit: string; name: string };

/** The standing approvals of one work. */
export type StandingInWork = { workId: string; approvals: readonly StandingApproval[] };

export interface Wiring {
  /** Throws LoopliaError for failures of the whole run. */
  run(trigger: CliTrigger, around: RunSurroundings): Promise<RunResult>;
  /** Asks in the terminal; unless `isInteractive`, every question is answered `later`. */
  terminalHost(options: {
    screen: Screen;
    isInteractive: boolean;
    prompts?: TerminalPrompts;
    isPlain: boolean;
    colors: Colors;
    actorId: string;
    interrupt(): void;
  }): Promise<Host>;
  /** Answers with the default option and shows the answer; approves every Confirm if `approves`, else rejects it. */
  demoHost(screen: Screen, approves: boolean): Promise<Host>;
  /** Reads the stores of a session without a lock and without changes; undefined if there are none. */
  readStores(
    stateFolder: string,
    stateKey: string | undefined,
  ): (sessionId: string) => Promise<LoadedSession | undefined>;
  /** Every stored line of a session and the state of its audit chain, for `report --html`. */
  readLines(
    stateFolder: string,
    sessionId: string,
    stateKey: string | undefined,
  ): Promise<Pick<Parameters<typeof htmlReport>[0], "lines" | "audit">>;
  /**
   * Replays a session's recorded turns in a copy of the folder. `what`: a session, or the absolute path of a recording;
   * `recordTo`: the path for a new recording.
   */
  replay(
    place: CliPlace,
    what: { sessionId: string; stored: LoadedSession } | { path: string },
    recordTo: string | undefined,
  ): Promise<ReplayResult>;
  /** Verifies the logs that `source` names (paths relative to `cwd`), and writes them to `exportTo` as one file. */
  readAudit(
    place: CliPlace,
    source: string,
    cwd: string,
    exportTo: string | undefined,
  ): Promise<AuditReading>;
  /**
   * Deletes states that the server has kept longer than `state-retention-days`, unless `dry-run` is set. Returns their
   * works and the number of states that remain. Throws `config-invalid` without a token or that setting.
   */
  expireStates(place: CliPlace): Promise<{ expired: string[]; kept: number }>;
  /** The files of the working tree and of the installation (`pipelines/`, `prompts/`). */
  readFiles(root: string): Promise<{ trusted: TrustedFiles; builtin: TrustedFiles }>;
  /** The output of `git --version`, and the folder of the place's repository. Throws if git is not installed. */
  probeGit(place: CliPlace): Promise<{ version: string; repository?: string }>;
  /** The root, default branch and GitHub `owner/name` of the checkout that contains a folder, as far as git knows. */
  readCheckout(folder: string): Promise<{ root?: string; branch?: string; page?: string }>;
  /**
   * What workflows use: what `ref` names (`owner/name@commit`, or a tag there), else the newest release, else the commit of
   * this installation. Undefined if that is not known.
   */
  findRelease(ref?: string): Promise<Release | undefined>;
  /** The npm package of each agent program with its tested version: `@openai/codex@0.169.0`. */
  programPackages(): Promise<Readonly<Record<"claude" | "codex", string>>>;
  /** Asks for one of the options in the terminal; undefined if the person cancels the question. */
  choose<T extends string>(
    question: string,
    options: readonly { value: T; label: string }[],
  ): Promise<T | undefined>;
  /** The isolation of commands on this machine. */
  probeIsolation(place: CliPlace): Promise<Isolation>;
  /** The route of requests by purpose; empty if no proxy is set. */
  routes(place: CliPlace): Promise<string[]>;
  /** Bytes of memory that all processes of a command may use together, and whether the kernel enforces the limit. */
  probeLimits(): Promise<{ memory: number; isKept: boolean }>;
  /** The oldest row of each price list, and how many days ago it was compared with its page. */
  priceLists(): Promise<{ of: string; asOf: string; source: string; days: number }[]>;
  /** Sends one cheap request to the provider and returns its reply. Throws LoopliaError if the request fails. */
  probeProvider(place: CliPlace, signal: AbortSignal): Promise<string>;
  /** The sessions of to-do files, newest first; `source` is the file. */
  taskSessions(stateFolder: string): Promise<{ sessionId: string; source: string | undefined }[]>;
  /** Approvals that let commands run without another question, grouped by work. */
  standingApprovals(stateFolder: string): Promise<StandingInWork[]>;
  /** Revokes a standing approval. Throws `busy` while a run uses the work. */
  revokeApproval(
    place: CliPlace,
    approval: { workId: string; number: number },
    actorId: string,
  ): Promise<void>;
  /** True if a document for a first task list exists. */
  hasSources(root: string, settings: Pick<Settings, "sourceFiles">): Promise<boolean>;
  /**
   * Pushes and deletes a test ref on the remote and reports the result; undefined without a token or a remote on the
   * server. Throws LoopliaError with the setting to change.
   */
  probeStateRef(place: CliPlace): Promise<string | undefined>;
  /**
   * The token's permissions on GitHub, found without changing anything; undefined without a token or a remote on the
   * server. Throws LoopliaError with the setting to change.
   */
  probeGithub(place: CliPlace): Promise<GithubFacts | undefined>;
  /** The installation folder, which contains `examples/`. */
  readonly installFolder: string;
  readonly version: string;
  /** Default model by provider. */
  readonly defaultModels: ReadonlyMap<string, string>;
}

/** The id of the person at this terminal: `terminal:<user>`. */
export function actorOf({ environment }: Pick<Surface, "environment">): string {
  const { USER, LOGNAME, USERNAME } = environment;
  return `terminal:${USER || LOGNAME || USERNAME || "someone"}`;
}
