// What stands of a session: tasks, questions, calls. Folded from its events (`fold-state.ts`), never stored.
import type { CallOutcome, FileImage, TaskSummary } from "./events.ts";
import type { Approval, ConflictFile, InteractionRequest, InteractionResponse } from "./interaction.ts";

export type TaskStatus = "created" | "started" | "completed" | "failed" | "canceled";

/** The newest attempt at a task. */
export type TaskState = {
  taskId: string;
  agent: string;
  outputs: string[];
  inputs: { source: string; agent: string; profile: string };
  conversationId: string;
  status: TaskStatus;
  /** Counts the `TaskCreated` of this task, from 1. */
  attempt: number;
  /** Hash of each output that was accepted in this attempt. */
  accepted: Map<string, string>;
  /** Outputs that a person edited after this attempt began. */
  editedSince?: Set<string>;
  /** How often each output was refused in this attempt, and the last errors. */
  refusals: Map<string, { count: number; errors: string[]; callId?: string }>;
  /** To-do tasks: the status before this attempt, and how the agent says that it ended. */
  from?: string;
  summary?: TaskSummary;
  /** The worktree before the first act of this attempt, and the list before the last. */
  before?: { tree: string; list: string };
  /** Reasons of the failed attempts since the task was last completed, oldest first. */
  failures: string[];
  /** To-do tasks: the blocker that the program wrote last, in whichever attempt. */
  blocker?: string | undefined;
  /** Why this attempt failed or was canceled, and why the one before it was. */
  why?: string;
  whyBefore?: string | undefined;
};

export type InteractionState = {
  request: InteractionRequest;
  response?: InteractionResponse;
  /** Of those who approved so far, where one person is not enough. */
  approvals: Approval[];
  /** It ended without an answer; `at` in ISO 8601 where it is known. */
  closed?: { why: "task-ended" | "expired" | "canceled"; at?: string };
};

/**
 * `starts`: how often it was started; `image`: of the file that the last start would change; `notRun`: why, though it was
 * approved.
 */
export type CallState = { starts: number; image?: FileImage; outcome?: CallOutcome; notRun?: string };

export type State = {
  tasks: Map<string, TaskState>;
  interactions: Map<string, InteractionState>;
  /** By `callKey`; a call without `outcome` was started and has no result. */
  calls: Map<string, CallState>;
  /** What a person changed as well is to be done again; gone when a task begins. */
  redo?: ConflictFile[];
  /** Pushes over the to-do file after which the ends of tasks were written again. */
  reapplied?: Set<string>;
  /** Hashes of all artifacts that tasks wrote. */
  written?: Set<string>;
  /** Copies of artifacts that a person had edited, by their names; the artifact's file name. */
  copies?: Map<string, string>;
  /** A person ended the session: nothing of it goes on. */
  canceled?: { reason: string; actorId?: string; at?: string };
};

/** A model may repeat its call ids in another conversation: the pair is unique. */
export function callKey(conversationId: string, toolCallId: string): string {
  return `${conversationId}\n${toolCallId}`;
}

/** True while an answer would still count. */
export function isPending(interaction: Pick<InteractionState, "response" | "closed">): boolean {
  return !interaction.response && !interaction.closed;
}

/** Requests that still wait for an answer, oldest first. */
export function openInteractions(state: State): InteractionRequest[] {
  return [...state.interactions.values()].filter(isPending).map((interaction) => interaction.request);
}

export type OpenTask = TaskState & { status: "created" | "started" };

/** True while a task's conversation may still go on. */
export function isOpen(task: TaskState | undefined): task is OpenTask {
  return task?.status === "created" || task?.status === "started";
}

/** True while something of a session may still go on; one that is through may wait for a word about what was pushed over it. */
export function isUnderWay(state: State): boolean {
  return [...state.tasks.values()].some(isOpen) || openInteractions(state).length > 0;
}

/** How a task stands, as people are told: one that its agent skipped was canceled for that reason. */
export function endOf({ status, summary }: TaskState): TaskStatus | "skipped" {
  return status === "canceled" && summary?.status === "skipped" ? "skipped" : status;
}
