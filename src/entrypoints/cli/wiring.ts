// What the command line needs of the rest of the program. `wire.ts` provides it, tests make it up.
import type { Settings } from "../../config/settings-table.ts";
import type { Host, Observer, TrustedFiles } from "../../ports.ts";
import type { InteractionAnswer, InteractionRequest } from "../../session/interaction.ts";
import type { Usage } from "../../session/message.ts";

export type RunRequest =
  | { kind: "file"; path: string }
  | { kind: "session"; sessionId: string }
  | { kind: "content"; globs: string[] }
  | { kind: "answer"; interactionId: string; answer: InteractionAnswer };

export type RunStatus = "completed" | "ignored" | "stopped" | "waiting" | "failed";
export type StepStatus = "pending" | "in_progress" | "completed" | "failed";
export type StepReport = { output: string; status: StepStatus; message?: string };

export type RunItem = {
  source: string;
  /** Empty when the item never became a session. */
  sessionId: string;
  pipeline: string;
  status: RunStatus;
  reasonCode: string;
  /** Folder of the session, relative to the root; empty like `sessionId`. */
  folder: string;
  /** The output that was asked for, and the pipeline's last one. */
  output: string;
  finalOutput: string;
  /** File of `output`, relative to the root, and its value; absent until it is there. */
  artifactPath?: string;
  artifact?: unknown;
  steps: StepReport[];
  /** Open questions, oldest first. */
  interactions: InteractionRequest[];
  usage: Usage;
  /** US dollars, or null when a model without a known price answered. */
  costUsd: number | null;
  message?: string;
};

export type RunResult = { status: RunStatus; reasonCode: string; message?: string; items: RunItem[] };

export type SessionReport = Omit<RunItem, "artifactPath" | "artifact" | "finalOutput" | "reasonCode"> & {
  createdAt: string;
  updatedAt: string;
};

/** Where and how a command runs. Folders are absolute. */
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
};

/** The part of the terminal that changes in place; questions and lasting lines go through it. */
export interface Screen {
  /** Takes the changing part away until `resume`; lasting lines wait meanwhile. */
  pause(): void;
  resume(): void;
  /** Prints lines that stay. */
  print(text: string): void;
}

export interface Wiring {
  /** Throws LoopliaError `config-invalid` or `no-items` for bad input; all else is in the result. */
  runContent(request: RunRequest, around: RunSurroundings): Promise<RunResult>;
  /** Read-only: takes no lock, changes nothing. Newest first. */
  readSessions(place: Place): Promise<SessionReport[]>;
  /** Asks in the terminal; without `isInteractive` every question is answered `later`. */
  terminalHost(options: { screen: Screen; isInteractive: boolean; interrupt(): void }): Host;
  /** Answers by itself with the default option, and shows it. */
  demoHost(options: { screen: Screen }): Host;
  /** The working tree's files, and the install's own `pipelines/` and `prompts/`. */
  trustedFiles(root: string): { trusted: TrustedFiles; builtin: TrustedFiles };
  /** One cheap request to the provider. Throws LoopliaError when it cannot be reached or refuses the key. */
  probeProvider(settings: Settings, signal: AbortSignal): Promise<string>;
  /** Folder of the install that has `examples/`. */
  installFolder: string;
  version: string;
  /** Default model by provider. */
  defaultModels: Readonly<Record<string, string>>;
}
