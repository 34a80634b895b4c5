// What a run reports: the one shape behind `--json`, outputs, comments, summary and report. Pure.
import type { Usage } from "./events.ts";
import type { InteractionRequest } from "./interaction.ts";

type RunStatus = "completed" | "ignored" | "stopped" | "waiting" | "failed";

/** How a run, a work or a session ended. */
export type End = {
  status: RunStatus;
  reasonCode: string;
  /** What went wrong or is left, for a person. */
  message?: string;
};

/** The result of one session: a content item through its pipeline, or a task list. */
export type Result = End & {
  source: string;
  /** Where each item has a pull request of its own. */
  pullRequestNumber?: number;
  /** Empty when no session could begin. */
  sessionId: string;
  title: string;
  pipeline: string;
  /** Relative to the workspace root. */
  folder: string;
  /** The output that was requested, and the last one of the pipeline. */
  output: string;
  finalOutput: string;
  /** Relative path and value of the artifact of `output`, when it is valid. */
  artifactPath?: string;
  artifact?: unknown;
  /** Every valid artifact by output; the shapes are a model's. */
  artifacts: ReadonlyMap<string, unknown>;
  steps: readonly StepResult[];
  /** The tasks of a task list. */
  tasks?: readonly TaskResult[];
  /** How artifacts were made, when not by a language model: the manifest says so. */
  notice?: string;
  /** A sentence for each artifact that a person edited: the edit was kept, or copied. */
  edits?: readonly string[];
  /** Of an item whose writing kit is complete. */
  kit?: KitView;
  /** Names of the files for people in `folder`: pages, then artifacts. */
  files?: readonly string[];
  /** Open questions. */
  interactions: readonly InteractionRequest[];
  usage: Usage;
  /** US dollars of the session so far; null when a model without a known price was used. */
  costUsd: number | null;
};

type StepResult = { output: string; status: string; reason: string; message?: string };

/** `message`: the summary of the task, or why it is blocked. `costUsd` covers all attempts; null: a price is not known. */
export type TaskResult = {
  id: string;
  title: string;
  status: string;
  message?: string;
  costUsd: number | null;
};

export type RunResult = End & {
  items: readonly Result[];
  /** Of a run that only plans. */
  plan?: ContentPlan;
};

/** `stale`: made from inputs or schemas that have changed since. `edited`: a person changed an artifact, or renamed the item. */
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
  /** Empty where no session exists yet. */
  sessionId: string;
  state: ItemState;
  /** Which of `pipeline`, `agent`, `profile` and `schema` changed, as far as the manifest tells. */
  stale?: string[];
  /** Pieces of sentences for a person. */
  reasons: string[];
  /** The outputs that would be made. */
  outputs: string[];
  /** An estimate. */
  tokens: number;
  /** An estimate in US dollars; null where the model has no known price. */
  costUsd: number | null;
};

export type ContentPlan = {
  items: PlannedItem[];
  /** Sessions whose item was deleted; their folders are kept. */
  deleted: { sessionId: string; source: string }[];
  tokens: number;
  costUsd: number | null;
};

/** The most serious first. What a person canceled does not count against the rest. */
const ORDER = ["failed", "waiting", "stopped", "completed", "canceled", "ignored"];

function rankOf({ status, reasonCode }: End): number {
  return ORDER.indexOf(status === "stopped" && reasonCode === "closed" ? "canceled" : status);
}

/** The most serious end, the first of equals. */
export function mostSerious<T extends End>(ends: readonly T[]): T | undefined {
  return ends.toSorted((one, other) => rankOf(one) - rankOf(other))[0];
}

/** The status of several is that of the most serious; the reason is `done` where one of those has it, else the first one's. */
export function summarizeResults(items: readonly Result[]): RunResult {
  const worst = mostSerious(items);
  if (!worst) return { status: "ignored", reasonCode: "no-items", items: [] };
  const isDone = items.some((item) => rankOf(item) === rankOf(worst) && item.reasonCode === "done");
  return { status: worst.status, reasonCode: isDone ? "done" : worst.reasonCode, items };
}

// A writing kit as people see it: what was chosen, the plan of the text, and what else there is.

type KitAngle = { title: string; description: string };
type KitHook = { text: string; type: string };
/** `place`: its line or time in the item, and who says it. */
export type KitQuote = { text: string; place: string };
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
  /** Those that fit into no section. */
  quotes: KitQuote[];
  questions: { question: string }[];
  /** To read the item. */
  minutes: number;
};
