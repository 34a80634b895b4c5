// One row an item: what it is, its steps, its state, its cost. For the step summary and the status comment. Pure.
import { formatCost, formatTokens, isFree } from "./figures.ts";
import { escapeInline, keepTogether, link } from "./markdown.ts";
import { countTasks, type Report, type ReportItem, tasksOf, totalCost, totalUsage } from "./report.ts";

const MARKS = new Map([
  ["completed", "✓"],
  ["failed", "✗"],
  ["in_progress", "…"],
  ["pending", "○"],
]);

/** A Markdown table of at most `limit` bytes; rows that no longer fit are counted instead. Empty without items. */
export function renderTable(items: readonly ReportItem[], limit: number): string {
  const rows = withinLimit(items.map(renderRow), limit, (left) => `| … ${left} more | | | |`);
  return rows.length > 0
    ? ["| Item | Steps | State | Cost |", "|:--|:--|:--|--:|", ...rows, ""].join("\n")
    : "";
}

/** How many items, the pipeline, tokens and cost where there were any, and links, on one line. */
export function renderTotals(report: Report): string {
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
  return parts.join(" · ");
}

/** `completed`, or `failed (model-failed)`. */
export function stateOf(status: string, reasonCode: string): string {
  const isPlain = reasonCode === "done" || reasonCode === "" || reasonCode === status;
  return escapeInline(isPlain ? status : `${status} (${reasonCode})`);
}

/** The first parts that fit into `limit` bytes, then `more(left)` if some do not. */
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

/** In UTF-8: limits of GitHub are in bytes. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

const MOST_EDITS = 20;

/** What became of the artifacts that people edited: a paragraph each, after an empty line. */
export function renderEdits({ edits = [] }: Pick<ReportItem, "edits">): string[] {
  return edits.slice(0, MOST_EDITS).flatMap((edit) => ["", `${escapeInline(edit, 300)}.`]);
}

function renderRow(item: ReportItem): string {
  const steps = item.steps
    .map((step) => keepTogether(`${MARKS.get(step.status) ?? "?"} ${escapeInline(step.output)}`))
    .join(" · ");
  const why = item.message && item.status !== "completed" ? `: ${escapeInline(item.message, 300)}` : "";
  const state = `${stateOf(item.status, item.reasonCode)}${why}`;
  const edits = renderEdits(item).filter((line) => line !== "");
  const told = [state, ...edits].join("<br>");
  return `| ${nameOf(item)} | ${steps || "–"} | ${told} | ${formatCost(item.costUsd)} |`;
}

function nameOf(item: ReportItem): string {
  const source = escapeInline(item.source, 200);
  return item.title === "" || item.title === item.source
    ? source
    : `${escapeInline(item.title, 200)}<br>${source}`;
}
