// The step summary: what the run did, one row an item, then what came of each. Pure.
import { formatCost, formatTokens } from "./figures.ts";
import { viewArtifacts } from "./kit-view.ts";
import { escapeInline, fence } from "./markdown.ts";
import { REHEARSAL, type Report, type ReportItem, totalCost, totalUsage } from "./report.ts";

// GitHub takes 1 MiB a step; other lines of the job may follow ours.
const LIMIT_BYTES = 1_000_000;
const MARKS = new Map([
  ["completed", "✓"],
  ["failed", "✗"],
  ["in_progress", "…"],
  ["pending", "·"],
]);

/** Markdown under a megabyte; items that no longer fit are counted instead. */
export function renderStepSummary(report: Report): string {
  const head = [
    `## looplia: ${stateOf(report.status, report.reasonCode)}`,
    "",
    ...(report.isRehearsal ? [`> This is an ${REHEARSAL}: every text is taken from the source.`, ""] : []),
    ...(report.message ? [fence(report.message), ""] : []),
    ...(report.items.length > 0 ? [renderTotals(report), ""] : []),
  ].join("\n");
  const rows = withinLimit(report.items.map(renderRow), LIMIT_BYTES / 2 - bytesOf(head), "rows");
  const table =
    rows.length > 0 ? ["| Item | Steps | State | Cost |", "|:--|:--|:--|--:|", ...rows, ""].join("\n") : "";
  const views = report.items.map(renderItem).filter((view) => view !== "");
  const rest = LIMIT_BYTES - bytesOf(head) - bytesOf(table);
  return `${head}\n${table}\n${withinLimit(views, rest, "items").join("\n")}\n`.replace(/\n{3,}/g, "\n\n");
}

/** `completed`, or `failed (model-failed)`. */
export function stateOf(status: string, reasonCode: string): string {
  const isPlain = reasonCode === "done" || reasonCode === "" || reasonCode === status;
  return escapeInline(isPlain ? status : `${status} (${reasonCode})`);
}

function renderTotals(report: Report): string {
  const count = report.items.length === 1 ? "1 item" : `${report.items.length} items`;
  const parts = [
    `**${count}**`,
    `pipeline ${escapeInline(report.pipeline)}`,
    formatTokens(totalUsage(report)),
  ];
  parts.push(formatCost(totalCost(report)));
  if (report.pullRequest)
    parts.push(`[pull request ${report.pullRequest.number}](<${safeUrl(report.pullRequest.url)}>)`);
  if (report.artifactUrl) parts.push(`[audit log](<${safeUrl(report.artifactUrl)}>)`);
  return parts.join(" · ");
}

function renderRow(item: ReportItem): string {
  const steps = item.steps
    .map((step) => `${MARKS.get(step.status) ?? "?"} ${escapeInline(step.output)}`)
    .join(" · ");
  const why = item.message && item.status !== "completed" ? `: ${escapeInline(item.message, 300)}` : "";
  const state = `${stateOf(item.status, item.reasonCode)}${why}`;
  return `| ${nameOf(item)} | ${steps || "–"} | ${state} | ${formatCost(item.costUsd)} |`;
}

function nameOf(item: ReportItem): string {
  const source = escapeInline(item.source, 200);
  return item.title === "" || item.title === item.source
    ? source
    : `${escapeInline(item.title, 200)}<br>${source}`;
}

function renderItem(item: ReportItem): string {
  const view = viewArtifacts(item.artifacts);
  const failed = item.steps.filter((step) => step.message && step.status === "failed");
  if (view.length === 0 && failed.length === 0) return "";
  const errors = failed.flatMap((step) => [
    `${escapeInline(step.output)} failed:`,
    "",
    fence(step.message ?? ""),
    "",
  ]);
  return [`### ${escapeInline(item.title || item.source)}`, "", ...errors, ...view].join("\n");
}

function withinLimit(parts: readonly string[], limit: number, what: string): string[] {
  const kept: string[] = [];
  let size = 100;
  for (const part of parts) {
    size += bytesOf(part) + 1;
    if (size > limit) {
      const left = parts.length - kept.length;
      return [...kept, what === "rows" ? `| … ${left} more | | | |` : `… ${left} more ${what}`];
    }
    kept.push(part);
  }
  return kept;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function safeUrl(url: string): string {
  return encodeURI(url).replace(/[<>]/g, "");
}
