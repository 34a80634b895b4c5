// Tables of items, tasks and questions for comments and summaries. Pure.

import { groupBy, showUnseen, valueAt } from "../core/json.ts";
import type { MonthFigures } from "../core/money/ledger.ts";
import type { ContentPlan, Result, TaskResult } from "../core/result.ts";
import {
  alert,
  codeSpan,
  cutMarkdown,
  escapeInline,
  formatCost,
  formatCount,
  formatMoment,
  formatTokens,
  isFree,
  link,
} from "./markdown.ts";
import {
  countTasks,
  type OpenQuestion,
  problemOf,
  type RunReport,
  STATE_IS_PUBLIC,
  sayFailures,
  tasksOf,
  totalCost,
  totalUsage,
} from "./report.ts";

const ITEM_MARKS = new Map([
  ["completed", "✓"],
  ["failed", "✗"],
  ["in_progress", "…"],
  ["pending", "○"],
]);

/** A Markdown table of at most `limit` bytes, of a list's tasks or of the items; rows that do not fit are counted. */
export function renderTable(items: readonly Result[], limit: number): string {
  const [only] = items;
  if (only && tasksOf(items)) return renderTasks(only, limit);
  const rows = withinLimit(items.map(renderItemRow), limit, (left) => `| … ${left} more | |`);
  return rows.length > 0 ? ["| Item | State |", "|:--|:--|", ...rows, ""].join("\n") : "";
}

/** Enough of the newest steps that a run at work has ended. */
const MOST_ENDED = 30;

/** The steps and tasks that a run at work has ended so far, the newest last; empty without one. */
export function renderUnderWay({ underWay = [] }: RunReport): string {
  if (underWay.length === 0) return "";
  const rows = underWay.slice(-MOST_ENDED).map(({ title, outputs, status, todo }) => {
    const mark = (todo ? TASK_MARKS.get(todo.label) : ITEM_MARKS.get(status)) ?? "○";
    return `- ${mark} ${escapeInline(title, 200)}: ${outputs.map((one) => escapeInline(one)).join(", ")}`;
  });
  const done = underWay.filter(({ status, todo }) => (todo ? todo.label === "done" : status === "completed"));
  const before = underWay.length - rows.length;
  const count = `**Done so far: ${done.length === 1 ? "1 step" : `${done.length} steps`}**`;
  return [count, "", ...(before > 0 ? [`- … ${before} before`] : []), ...rows].join("\n");
}

/** One line with the number of items, the pipeline, tokens and cost if there are any, and links. */
export function renderTotals(report: RunReport): string {
  const tasks = tasksOf(report.items);
  const count = report.items.length === 1 ? "1 item" : `${report.items.length} items`;
  const parts = [
    ...(tasks ? [`**${countTasks(tasks)}**`] : [`**${count}**`, `pipeline ${escapeInline(report.pipeline)}`]),
    ...(isFree(totalUsage(report)) ? [] : [formatTokens(totalUsage(report)), formatCost(totalCost(report))]),
  ];
  if (report.pullRequest) {
    parts.push(link(`pull request ${report.pullRequest.number}`, report.pullRequest.url));
  }
  if (report.artifactUrl) parts.push(link("audit log", report.artifactUrl));
  if (report.month) parts.push(monthText(report.month));
  return parts.join(" · ");
}

/** What all runs of a calendar month spent of its limit. */
export function monthText({ month, spentUsd, limitUsd }: MonthFigures): string {
  return `${month}: $${spentUsd.toFixed(2)} of $${limitUsd.toFixed(2)}`;
}

/** Why a run or an item ended so, in the words of docs/troubleshooting.md. Programs read the code in the outputs. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["config-invalid", "a setting, pipeline, agent or item is wrong"],
  ["no-items", "the globs match nothing"],
  ["no-command", "the comment is not a looplia command"],
  ["not-permitted", "the person may not decide"],
  ["busy", "another run has this work"],
  ["lost-race", "another run was faster and continues"],
  ["closed", "the pull request or branch is gone"],
  ["fork-or-untrusted-event", "the event comes from a fork or may not start runs"],
  ["open-questions", "your answer"],
  ["batch", "a batch of requests"],
  ["expired", "nobody answered in time"],
  ["rejected", "a person declined"],
  ["cost-limit", "the limit of its cost was reached"],
  ["max-turns", "the limit of its turns was reached"],
  ["max-iterations", "the limit of its tasks was reached"],
  ["deadline", "the limit of its time was reached"],
  ["interrupted", "it was interrupted"],
  ["blocked-tasks", "only tasks remain that cannot start"],
  ["invalid-artifact", "no valid artifact"],
  ["model-failed", "the provider refused or did not answer"],
  ["host-failed", "git or GitHub refused"],
  ["store-corrupt", "stored state is damaged, or a newer version wrote it"],
  ["bug", "a fault in looplia"],
]);
/** Reasons that add nothing to the status. */
const PLAIN: ReadonlySet<string> = new Set(["done", "up-to-date", ""]);

/** `completed`, `waiting for your answer`, `failed (the provider refused …)`; `canceled` when a person ended it. */
export function stateOf(status: string, reasonCode: string): string {
  if (status === "stopped" && reasonCode === "closed") return "canceled";
  if (PLAIN.has(reasonCode) || reasonCode === status) return escapeInline(status);
  const why = REASONS.get(reasonCode) ?? reasonCode;
  return escapeInline(status === "waiting" ? `waiting for ${why}` : `${status} (${why})`);
}

/** How a run ended: which items failed, where some of several did. */
export function endOf(report: RunReport): string {
  const failures =
    report.status === "failed" && report.message === undefined ? sayFailures(report) : undefined;
  return failures === undefined ? stateOf(report.status, report.reasonCode) : escapeInline(failures, 200);
}

/** The first parts that fit into `limit` bytes, then `more(left)` if parts are left. */
export function withinLimit(
  parts: readonly string[],
  limit: number,
  more: (left: number) => string,
): string[] {
  const kept: string[] = [];
  let size = 100;
  for (const part of parts) {
    size += bytesOf(part) + 1;
    if (size > limit) return [...kept, more(parts.length - kept.length)];
    kept.push(part);
  }
  return kept;
}

/** Length in UTF-8, because GitHub's limits are in bytes. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

const MOST_EDITS = 20;

/** The fate of artifacts that people edited: one paragraph each, after an empty line. */
export function renderEdits({ edits = [] }: Pick<Result, "edits">): string[] {
  return edits.slice(0, MOST_EDITS).flatMap((edit) => ["", `${escapeInline(edit, 300)}.`]);
}

function renderItemRow(item: Result): string {
  const steps = item.steps
    .map((step) => keepTogether(`${ITEM_MARKS.get(step.status) ?? "?"} ${escapeInline(step.output)}`))
    .join(" · ");
  const state = stateOfItem(item, 300);
  const edits = renderEdits(item).filter((line) => line !== "");
  const told = [withCost(state, item.costUsd), steps, ...edits].filter((line) => line !== "").join("<br>");
  return `| ${nameOf(item)} | ${told} |`;
}

/** `failed: it is empty (give it a text, or leave it out)`; at most `limit` characters of the reason are shown. */
export function stateOfItem(item: Result, limit?: number): string {
  // The message says more than the reason.
  const isTold = item.message !== undefined && ["failed", "stopped"].includes(item.status);
  const said = problemOf(item);
  const why = said && item.status !== "completed" ? `: ${escapeInline(said, limit)}` : "";
  return `${stateOf(item.status, isTold ? "" : item.reasonCode)}${why}`;
}

/** A column of its own would not fit on a phone. */
function withCost(state: string, costUsd: number | null): string {
  return costUsd === 0 ? state : `${state} · ${keepTogether(formatCost(costUsd))}`;
}

function nameOf(item: Result): string {
  const source = breakable(escapeInline(item.source, 200));
  return item.title === "" || item.title === item.source
    ? source
    : `${escapeInline(item.title, 200)}<br>${source}`;
}

/** A long path may break after each folder, so that its row fits on a phone. */
function breakable(path: string): string {
  return path.includes("`") || path.length <= 24 ? path : path.replaceAll("/", "/<wbr>");
}

// The short view of an item's artifacts: headline, ideas, outline. Unknown shapes are left out, never
// guessed. Pure.

const MANY = 12;

/** Markdown lines; empty when no artifact has a known shape. */
export function viewArtifacts(artifacts: ReadonlyMap<string, unknown>): string[] {
  const sections = [
    viewSummary(artifacts.get("summary")),
    viewIdeas(artifacts.get("ideas")),
    viewOutline(artifacts.get("outline")),
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines) => [...lines, ""]);
}

function viewSummary(summary: unknown): string[] {
  const headline = textAt(summary, "headline");
  const tldr = textAt(summary, "tldr");
  return [
    ...(headline ? [`**${headline}**`] : []),
    ...(headline && tldr ? [""] : []),
    ...(tldr ? [tldr] : []),
  ];
}

function viewIdeas(ideas: unknown): string[] {
  const hooks = listAt(ideas, "hooks").map(
    (hook) => [textAt(hook, "text"), textAt(hook, "type", 30)] as const,
  );
  const hookRows = hooks.filter(([text]) => text).map(([text, type]) => `- ${text}${type && ` (${type})`}`);
  const angles = listAt(ideas, "angles").map((angle) => textAt(angle, "title"));
  const angleRows = angles.filter((title) => title).map((title) => `- ${title}`);
  return [
    ...(hookRows.length > 0 ? ["*Hooks*", "", ...hookRows] : []),
    ...(hookRows.length > 0 && angleRows.length > 0 ? [""] : []),
    ...(angleRows.length > 0 ? ["*Angles*", "", ...angleRows] : []),
  ];
}

function viewOutline(outline: unknown): string[] {
  const headings = (Array.isArray(outline) ? outline : [])
    .slice(0, MANY)
    .map((section) => textAt(section, "heading"));
  const rows = headings.filter((heading) => heading).map((heading, index) => `${index + 1}. ${heading}`);
  return rows.length > 0 ? ["*Outline*", "", ...rows] : [];
}

function textAt(value: unknown, name: string, limit?: number): string {
  const found = valueAt(value, name);
  return typeof found === "string" ? escapeInline(found, limit) : "";
}

function listAt(value: unknown, name: string): unknown[] {
  const found = valueAt(value, name);
  return Array.isArray(found) ? found.slice(0, MANY) : [];
}

// The open questions of a work, with links to their comments. Pure.

/** Enough for all questions: a work has at most ten. */
const MOST_QUESTIONS = 20;

/** Markdown lines, in the order of the questions' numbers; none without one. `isCounted`: a heading above says how many. */
export function renderQuestions(
  questions: readonly OpenQuestion[],
  { isCounted = false }: { isCounted?: boolean } = {},
): string[] {
  if (questions.length === 0) return [];
  const numberOf = ({ shortId }: OpenQuestion) => Number(/\d+/.exec(shortId)?.[0] ?? 0);
  const ordered = questions.toSorted((one, other) => numberOf(one) - numberOf(other));
  const rows = ordered.slice(0, MOST_QUESTIONS).map(renderQuestion);
  const more = questions.length - rows.length;
  return [
    ...(isCounted ? [] : [`**${countQuestions(questions.length).replace(/^w/, "W")}:**`, ""]),
    ...rows,
    ...(more > 0 ? [`- … ${more} more`] : []),
    "",
  ];
}

/** `waiting for 1 answer` */
export function countQuestions(count: number): string {
  return count === 1 ? "waiting for 1 answer" : `waiting for ${count} answers`;
}

function renderQuestion({ shortId, title, commentUrl, expiresAt, approvals }: OpenQuestion): string {
  const given = approvals === undefined ? "" : ` · **${approvals.given} of ${approvals.needed}** approved`;
  const id = commentUrl === undefined ? codeSpan(shortId) : link(escapeInline(shortId), commentUrl);
  const until = expiresAt === undefined ? "" : ` · until ${formatMoment(expiresAt)}`;
  return `- ${id} ${escapeInline(title, 200)}${given}${until}`;
}

// One row per task of a to-do file: title, status, summary, cost. Pure.

const TASK_MARKS = new Map([
  ["done", "✓"],
  ["doing", "…"],
  ["blocked", "✗"],
  ["todo", "○"],
]);
/** Characters shown of a summary; the task's commit has all of it. */
const SAID = 300;
/** Folded lines may take more. */
const MOST_SAID = 1_000;

/** In a long list, unfinished tasks come first. */
function renderTasks({ tasks = [], ...list }: Result, limit: number): string {
  const waiting = list.status === "waiting" ? stateOf(list.status, list.reasonCode) : undefined;
  const open = tasks.filter(({ status }) => status !== "done");
  const all = tasks.length > WHOLE ? [...open, ...tasks.filter(({ status }) => status === "done")] : tasks;
  const rows = withinLimit(
    all.map((task) => renderTaskRow(task, waiting)),
    limit,
    (left) => `| … ${left} more | |`,
  );
  return rows.length > 0 ? ["| Task | State |", "|:--|:--|", ...rows, ""].join("\n") : "";
}

/** Shorter lists keep their own order. */
const WHOLE = 50;

/** `waiting`: what the task under way waits for, if the list waits. */
function renderTaskRow({ id, title, status, message, costUsd }: TaskResult, waiting?: string): string {
  const said = message === undefined ? "" : foldLines(message);
  const isWaiting = waiting !== undefined && status === "doing";
  const state = isWaiting ? `? ${waiting}` : `${TASK_MARKS.get(status) ?? "?"} ${escapeInline(status)}`;
  const told = [withCost(state, costUsd), said].filter((line) => line !== "").join("<br>");
  return `| **${escapeInline(id)}** ${escapeInline(title, 200)} | ${told} |`;
}

/** The first line; others, like a runbook's commands with their output, are folded. */
function foldLines(text: string): string {
  const shown = text.split("\n").filter((line) => line.trim() !== "");
  const [first = "", ...others] = cutMarkdown(shown.join("\n"), MOST_SAID)
    .split("\n")
    .map((line) => escapeInline(line, SAID))
    .filter((line) => line !== "");
  if (others.length === 0) return first;
  const count = others.length === 1 ? "1 more line" : `${others.length} more lines`;
  return `${first}<details><summary>${count}</summary>${others.join("<br>")}</details>`;
}

// Warnings for readers of a run's report, besides the result. Pure.

const MOST_WARNINGS = 10;

const MOST_RULES = 20;

/** A box with changed paths that decide what runs or who has permission; empty if there are none. */
export function renderChangedRules({ changedRules = [] }: RunReport): string {
  if (changedRules.length === 0) return "";
  const shown = changedRules.slice(0, MOST_RULES).map((path) => `- ${codeSpan(path)}`);
  const more = changedRules.length - shown.length;
  const first = "This work changes what decides what runs or who has permission. Review before merging:";
  return alert("CAUTION", [first, "", ...shown, ...(more > 0 ? [`- … ${more} more`] : [])].join("\n"));
}

/** A separate box; empty without warnings. */
export function renderWarnings({ warnings = [], isStatePublic }: RunReport): string {
  const shown = warnings
    .slice(0, MOST_WARNINGS)
    .map((warning) => escapeInline(warning, 300))
    .filter((line) => line !== "");
  const lines = [...(isStatePublic ? [STATE_IS_PUBLIC] : []), ...shown];
  const more = warnings.length - MOST_WARNINGS;
  if (more > 0) lines.push(`… ${more} more: see the run.`);
  return lines.length > 0 ? alert("WARNING", lines.map((line) => `- ${line}`).join("\n")) : "";
}

// A preview of a run's work. Pure.

/** Longer plans are complete only as JSON. */
const MOST_PLANNED = 200;

/** How many items are due and why, with an estimate: one sentence. */
export function planSentence({ items, deleted, tokens, costUsd }: ContentPlan): string {
  const due = items.filter(({ state }) => state !== "up-to-date");
  const counts = [...groupBy(due, ({ state }) => state)].map(([state, of]) => `${of.length} ${state}`);
  const gone =
    deleted.length > 0
      ? ` Of items that are gone, ${formatCount(deleted.length)} ${deleted.length === 1 ? "session is" : "sessions are"} kept.`
      : "";
  const only = items.length === 1;
  if (due.length === 0)
    return `${only ? "The item is" : `All ${formatCount(items.length)} items are`} up to date.${gone}`;
  const cost = costUsd === null ? "price unknown" : `$${costUsd.toFixed(2)}`;
  return `${formatCount(due.length)} of ${formatCount(items.length)} ${only ? "item is" : "items are"} due (${counts.join(", ")}): about ${formatCount(tokens)} tokens, ${cost}.${gone}`;
}

/**
 * A row for each due item: state, item, outputs and reasons, estimate. `left` counts the items without a row.
 */
export function planRows({ items }: ContentPlan): { rows: string[][]; left: number } {
  const due = items.filter(({ state }) => state !== "up-to-date");
  const rows = due.slice(0, MOST_PLANNED).map((item) => {
    const state = item.stale ? `${item.state} (${item.stale.join(", ")})` : item.state;
    const cost = item.costUsd ? `$${item.costUsd.toFixed(4)}` : "";
    return [state, showUnseen(item.source), item.reasons.join("; ") || item.outputs.join(", "), cost];
  });
  return { rows, left: due.length - rows.length };
}

/** Joins words with no-break spaces, so that they stay on one line. */
function keepTogether(markdown: string): string {
  return markdown.replaceAll(" ", "\u00a0");
}
