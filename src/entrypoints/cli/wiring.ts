// What the command line needs of the rest of the program. `wire.ts` provides it, tests make it up.
import type { Colors } from "picocolors/types.js";
import type { Settings } from "../../config/settings-table.ts";
import type { RunResult } from "../../content/item-result.ts";
import type { Trigger } from "../../handle.ts";
import type { GithubFacts } from "../../ports/repository.ts";
import type { Host, Isolation, LoadedSession, Observer, TrustedFiles } from "../../ports.ts";
import type { DeveloperPrompts } from "../prompts.ts";
import type { Screen } from "./screen.ts";

/** What starts a run here; globs are matched against the working tree. `source` is relative to the root if below it. */
export type CliTrigger =
  | Exclude<Trigger, { kind: "items" | "tasks" }>
  | { kind: "content"; globs: string[] }
  | { kind: "tasks" };

/** Where and how a command runs. Folders are absolute; `provider` is no longer `auto`. */
export type Place = {
  root: string;
  stateFolder: string;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
};

export type RunSurroundings = Place & {
  host: Host;
  observe: Observer;
  /** Its reason is `"interrupted"`. */
  signal: AbortSignal;
  /** Only in the demo: the offline model asks a question of its own. */
  isDemo: boolean;
  prompts?: DeveloperPrompts;
};

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
  /** The working tree's files, and the install's own (`pipelines/`, `prompts/`). */
  readFiles(root: string): Promise<{ trusted: TrustedFiles; builtin: TrustedFiles }>;
  /** What `git --version` says, and the folder of the repository that the place is in. Throws where there is no git. */
  probeGit(place: Place): Promise<{ version: string; repository?: string }>;
  /** What stands between commands and this machine. */
  probeIsolation(place: Place): Promise<Isolation>;
  /** One cheap request to the provider: what it said. Throws LoopliaError when it is out of reach or refuses. */
  probeProvider(place: Place, signal: AbortSignal): Promise<string>;
  /** The sessions of to-do files, newest first; `source` is the file. */
  taskSessions(stateFolder: string): Promise<{ sessionId: string; source: string | undefined }[]>;
  /** True when a document is there that a task list can be made from. */
  hasSources(root: string, settings: Pick<Settings, "sourceFiles">): Promise<boolean>;
  /**
   * Pushes and deletes a state ref on the remote, and says so; undefined where there is no token or no remote on the
   * server. Throws LoopliaError with what to set.
   */
  probeStateRef(place: Place): Promise<string | undefined>;
  /**
   * What GitHub lets the token do, asked without changing anything; undefined where there is no token or no remote on
   * the server. Throws LoopliaError with what to set.
   */
  probeGithub(place: Place): Promise<GithubFacts | undefined>;
  /** Folder of the install: it has `examples/`. */
  readonly installFolder: string;
  readonly version: string;
  /** Default model by provider. */
  readonly defaultModels: ReadonlyMap<string, string>;
}
