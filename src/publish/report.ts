// A run's report, in the form that comments, summary and outputs need. Pure.
import type { Usage } from "../core/events.ts";
import type { MonthFigures } from "../core/money/ledger.ts";
import type { EndedTask } from "../core/ports.ts";
import type { ContentPlan, End, Result, TaskResult } from "../core/result.ts";
import type { StandingApproval } from "../core/work-state.ts";

// Names of workflow artifacts. Pure.

/** A valid artifact name that is unique within the run; characters that the service refuses are replaced. */
export function artifactName(parts: { workId: string; runId: string; attempt: string; job: string }): string {
  return `looplia-${parts.workId}-${parts.runId}.${parts.attempt}-${parts.job}`
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 200);
}

// Hidden first lines by which the program finds its own comments. They only locate: the author is checked,
// and the comment's meaning is in the store (SECURITY, "forged bot comment or marker"). Pure.

type Marker =
  | { role: "status"; workId: string }
  | { role: "request"; workId: string; interactionId: string }
  /** A reply to a person's comment. */
  | { role: "reply"; workId: string; commentId: number };

const ID = "[A-Za-z0-9][A-Za-z0-9._-]*";
const FORM = new RegExp(`^<!-- looplia:(status|request|reply) (${ID})(?: (${ID}))? -->(?:\\r?\\n|$)`);

/** The comment's first line. */
export function writeMarker(marker: Marker): string {
  const about =
    marker.role === "request"
      ? ` ${marker.interactionId}`
      : marker.role === "reply"
        ? ` ${marker.commentId}`
        : "";
  return `<!-- looplia:${marker.role} ${marker.workId}${about} -->`;
}

/** Parses a comment's first line; undefined for everything else. */
export function readMarker(body: string): Marker | undefined {
  const [, role, workId, about] = FORM.exec(body) ?? [];
  if (role === undefined || workId === undefined) return undefined;
  if (role === "status") return about === undefined ? { role, workId } : undefined;
  if (about === undefined) return undefined;
  if (role === "request") return { role, workId, interactionId: about };
  return /^[1-9]\d{0,15}$/.test(about) ? { role: "reply", workId, commentId: Number(about) } : undefined;
}

export type OpenQuestion = {
  interactionId: string;
  shortId: string;
  sessionId: string;
  title: string;
  /** The request's comment. */
  commentUrl?: string;
  /** ISO 8601 */
  expiresAt?: string;
  /** Present when several people must approve and some have. */
  approvals?: { given: number; needed: number };
};

export type RunReport = End & {
  pipeline: string;
  /** No item was made by a language model: everything is extracted. */
  isRehearsal: boolean;
  /** Nothing ran: `status` is the status of the work and fails no job. */
  isIdle?: true;
  items: readonly Result[];
  /** Steps and tasks that a run at work has ended so far; their items have no result yet. */
  underWay?: readonly EndedTask[];
  /** Only for a run that lists the work to do. */
  plan?: ContentPlan;
  /** Questions that wait for people, oldest first. */
  questions?: readonly OpenQuestion[];
  /** Commands that people approved for the rest of the work. */
  standing?: readonly StandingApproval[];
  /** Template of the title, see the setting `title`. */
  titleTemplate?: string;
  pullRequest?: { number: number; url: string; isDraft?: boolean };
  /** Web address of the branch's files below the working directory. */
  filesUrl?: string;
  artifactUrl?: string;
  /** One sentence each, for example about missing isolation or data that was set aside. */
  warnings?: readonly string[];
  /** Paths that people let agents change although they decide what runs or who has permission. */
  changedRules?: readonly string[];
  /** Only for a plan: the jobs that share its items. */
  matrix?: { include: { shard: string; base: string; plan: string }[] };
  /** The cost of the calendar month so far, if the month has a limit. */
  month?: MonthFigures;
  /** The repository is public, and `state-key` is not set. */
  isStatePublic?: true;
};

export const STATE_IS_PUBLIC =
  "This repository is public and `state-key` is not set: everybody can read what models and tools said in the stored state.";

export const REHEARSAL = "extractive rehearsal, no language model";

/** True when no item with a session was made by a language model. */
export function areRehearsals(items: readonly Pick<Result, "notice" | "sessionId">[]): boolean {
  const begun = items.filter(({ sessionId }) => sessionId !== "");
  return begun.length > 0 && begun.every(({ notice }) => notice !== undefined);
}

/** The tasks of the to-do file, if the report is about exactly one item and it is one. */
export function tasksOf(items: readonly Result[]): readonly TaskResult[] | undefined {
  const [only, ...others] = items;
  return others.length === 0 ? only?.tasks : undefined;
}

/** `it is empty`: an item's message where its path is already named. */
export function problemOf({ source, message }: Pick<Result, "source" | "message">): string | undefined {
  return message?.replace(`${source}: is `, "it is ").replace(`${source}: `, "");
}

/** `content/c.md is empty`: an item's problem, as one sentence. */
export function sayItem({ source, message, reasonCode }: Result): string {
  const said = message ?? reasonCode;
  if (!said.startsWith(source)) return `${source}: ${said}`;
  return said.startsWith(`${source}: is `) ? `${source}${said.slice(source.length + 1)}` : said;
}

/** `2 of 3 kits made; content/c.md is empty`, when some of several items failed; otherwise undefined. */
export function sayFailures({ pipeline, items }: Pick<RunReport, "pipeline" | "items">): string | undefined {
  const [first, ...more] = items.filter(({ status }) => status === "failed");
  if (!first || items.length < 2) return undefined;
  const made = items.filter(({ status }) => status === "completed").length;
  const what = pipeline === "writing-kit" ? "kits" : "items";
  // The advice in brackets stands in the item's row.
  const sentence =
    sayItem(first)
      .split("\n")[0]
      ?.replace(/ \([^()]*\)$/, "") ?? "";
  const others = more.length === 0 ? "" : `; ${more.length} more failed`;
  return `${made} of ${items.length} ${what} made; ${sentence}${others}`;
}

/**
 * Why the run ended this way, and what to do; for a single to-do file also its remaining tasks, or who ended
 * it.
 */
export function failureText({ message, items }: Pick<RunReport, "message" | "items">): string | undefined {
  const [only, ...others] = items;
  const isEnd =
    only?.tasks && others.length === 0 && only.status !== "completed" && only.status !== "waiting";
  return message ?? (isEnd ? only.message : undefined);
}

/** `2 of 3 tasks done` */
export function countTasks(tasks: readonly TaskResult[]): string {
  const done = tasks.filter(({ status }) => status === "done").length;
  return `${done} of ${tasks.length === 1 ? "1 task" : `${tasks.length} tasks`} done`;
}

/** Sum of the items' tokens. */
export function totalUsage(report: RunReport): Usage {
  const total: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  for (const { usage } of report.items) {
    total.inputTokens += usage.inputTokens;
    total.outputTokens += usage.outputTokens;
    total.cacheReadTokens += usage.cacheReadTokens;
    total.cacheWriteTokens += usage.cacheWriteTokens;
  }
  return total;
}

/** Sum of the items' dollars; null when one used a model without a known price. */
export function totalCost(report: RunReport): number | null {
  let total = 0;
  for (const { costUsd } of report.items) {
    if (costUsd === null) return null;
    total += costUsd;
  }
  return total;
}
