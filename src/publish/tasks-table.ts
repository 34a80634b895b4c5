// One row a task of a to-do file: what it is, where it stands, what was said of it, its cost. Pure.
import { formatCost } from "./figures.ts";
import { withinLimit } from "./items-table.ts";
import { cut, escapeInline } from "./markdown.ts";
import type { ReportTask } from "./report.ts";

const MARKS = new Map([
  ["done", "✓"],
  ["doing", "…"],
  ["blocked", "✗"],
  ["todo", "○"],
]);
/** A summary's beginning: the whole of it is in the task's commit. */
const SAID = 300;

/** A Markdown table of at most `limit` bytes; rows that no longer fit are counted. What is not done comes first. */
export function renderTasks(tasks: readonly ReportTask[], limit: number): string {
  const open = tasks.filter(({ status }) => status !== "done");
  const all = tasks.length > WHOLE ? [...open, ...tasks.filter(({ status }) => status === "done")] : tasks;
  const rows = withinLimit(all.map(renderRow), limit, (left) => `| … ${left} more | | | |`);
  return rows.length > 0
    ? ["| Task | State | Summary | Cost |", "|:--|:--|:--|--:|", ...rows, ""].join("\n")
    : "";
}

/** Shorter lists stay in their own order. */
const WHOLE = 50;

function renderRow({ id, title, status, message, costUsd }: ReportTask): string {
  const said = message === undefined ? "" : escapeLines(message);
  const state = `${MARKS.get(status) ?? "?"} ${escapeInline(status)}`;
  const cost = costUsd === 0 ? "" : formatCost(costUsd);
  return `| **${escapeInline(id)}** ${escapeInline(title, 200)} | ${state} | ${said} | ${cost} |`;
}

/** Lines stay lines: those of a runbook are its commands. */
function escapeLines(text: string): string {
  const lines = cut(text, SAID)
    .split("\n")
    .map((line) => escapeInline(line, SAID));
  return lines.filter((line) => line !== "").join("<br>");
}
