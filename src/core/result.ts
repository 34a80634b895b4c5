// What a run reports: the one shape behind `--json`, outputs, comments, summary and report. Pure.
import type { Usage } from "./events.ts";
import type { InteractionRequest } from "./interaction.ts";

type RunStatus = "completed" | "ignored" | "stopped" | "waiting" | "failed";

/** How a run, a work or a session ended. */
export type End = {
  status: RunStatus;
  reasonCode: string;
  /** What failed or is left to do, for a person. */
  message?: string;
};

/** The result of one session: a content item's pipeline, or a task list. */
export type Result = End & {
  source: string;
  /** Set when each item has its own pull request. */
  pullRequestNumber?: number;
  /** Empty when no session could begin. */
  sessionId: string;
  title: string;
  pipeline: string;
  /** Relative to the workspace root. */
  folder: string;
  /** The requested output, and the last one of the pipeline. */
  output: string;
  finalOutput: string;
  /** Relative path and value of the artifact of `output`, when it is valid. */
  artifactPath?: string;
  artifact?: unknown;
  /** Every valid artifact by output; their shapes come from a model. */
  artifacts: ReadonlyMap<string, unknown>;
  steps: readonly StepResult[];
  /** The tasks of a task list. */
  tasks?: readonly TaskResult[];
  /** How artifacts were made, if not by a language model; taken from the manifest. */
  notice?: string;
  /** A sentence for each artifact that a person edited: the edit was kept, or copied. */
  edits?: readonly string[];
  /** Set for an item whose writing kit is complete. */
  kit?: KitView;
  /** Names of the files for people in `folder`: pages, then artifacts. */
  files?: readonly string[];
  /** Open questions. */
  interactions: readonly InteractionRequest[];
  usage: Usage;
  /** Of a dry run: about what the due steps take. */
  estimate?: { tokens: number; costUsd: number | null };
  /** US dollars of the session so far; null when a model without a known price was used. */
  costUsd: number | null;
};

/** What is told of an item while others still run. */
export type EndedItem = Pick<Result, "source" | "sessionId" | "status" | "reasonCode" | "message">;

/** `isDue`: the run had to make it, for this `reason`. */
type StepResult = { output: string; status: string; isDue?: true; reason: string; message?: string };

/**
 * `message`: the summary of the task, or why it is blocked. `costUsd` covers all attempts; null: a price is
 * unknown.
 */
export type TaskResult = {
  id: string;
  title: string;
  status: string;
  message?: string;
  costUsd: number | null;
};

export type RunResult = End & {
  items: readonly Result[];
  /** Only for a run that plans. */
  plan?: ContentPlan;
};

/**
 * `stale`: the inputs or schemas have changed since. `edited`: a person edited an artifact or renamed the
 * item.
 */
export type ItemState =
  | "new"
  | "changed"
  | "failed"
  | "unfinished"
  | "stale"
  | "edited"
  | "up-to-date"
  | "unreadable";

export type PlannedItem = {
  source: string;
  /** Empty when no session exists yet. */
  sessionId: string;
  state: ItemState;
  /** Which of `pipeline`, `agent`, `profile` and `schema` changed, as far as the manifest shows. */
  stale?: string[];
  /** Parts of sentences for a person. */
  reasons: string[];
  /** The outputs that would be made. */
  outputs: string[];
  /** An estimate. */
  tokens: number;
  /** An estimate in US dollars; null when the model has no known price. */
  costUsd: number | null;
};

export type ContentPlan = {
  items: PlannedItem[];
  /** Sessions whose item was deleted; their folders are kept. */
  deleted: { sessionId: string; source: string }[];
  tokens: number;
  costUsd: number | null;
};

/** The most serious first. Canceled items do not lower the status of the others. */
const ORDER = ["failed", "waiting", "stopped", "completed", "canceled", "ignored"];

function rankOf({ status, reasonCode }: End): number {
  return ORDER.indexOf(status === "stopped" && reasonCode === "closed" ? "canceled" : status);
}

/** The most serious end; the first one on a tie. */
export function mostSerious<T extends End>(ends: readonly T[]): T | undefined {
  return ends.toSorted((one, other) => rankOf(one) - rankOf(other))[0];
}

/**
 * The most serious status; the reason is `done` if any item with that status has it, else the first one's
 * reason.
 */
export function summarizeResults(items: readonly Result[]): RunResult {
  const worst = mostSerious(items);
  if (!worst) return { status: "ignored", reasonCode: "no-items", items: [] };
  const isDone = items.some((item) => rankOf(item) === rankOf(worst) && item.reasonCode === "done");
  return { status: worst.status, reasonCode: isDone ? "done" : worst.reasonCode, items };
}

// A writing kit as people see it: the choices, the plan of the text, and further material.

type KitAngle = { title: string; description: string };
type KitHook = { text: string; type: string };
/** `place`: the quote's line or time in the item, and its speaker. */
type KitQuote = { text: string; place: string };
export type KitSection = {
  heading: string;
  notes: string;
  keyPoints: string[];
  words?: number;
  quotes: KitQuote[];
};

export type KitView = {
  title: string;
  angle?: KitAngle;
  hook?: KitHook;
  otherAngles: KitAngle[];
  otherHooks: KitHook[];
  sections: KitSection[];
  /** Quotes that fit into no section. */
  quotes: KitQuote[];
  questions: { question: string }[];
  /** Reading time of the item. */
  minutes: number;
};
