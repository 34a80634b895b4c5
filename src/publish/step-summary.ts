// The step summary: what the run did, one row an item, the open questions, then what came of each. Pure.
import { bytesOf, renderTable, renderTotals, stateOf, withinLimit } from "./items-table.ts";
import { viewArtifacts } from "./kit-view.ts";
import { escapeInline, fence } from "./markdown.ts";
import { renderQuestions } from "./questions-list.ts";
import { messageOf, REHEARSAL, type Report, type ReportItem, tasksOf } from "./report.ts";
import { renderTasks } from "./tasks-table.ts";
import { renderWarnings } from "./warnings.ts";

// GitHub takes 1 MiB a step; other lines of the job may follow ours.
const LIMIT_BYTES = 1_000_000;

/** Markdown under a megabyte; items that no longer fit are counted instead. */
export function renderStepSummary(report: Report): string {
  const message = messageOf(report);
  const head = [
    `## looplia: ${stateOf(report.status, report.reasonCode)}`,
    "",
    ...(report.isRehearsal ? [`> This is an ${REHEARSAL}: every text is taken from the source.`, ""] : []),
    renderWarnings(report),
    "",
    ...(message ? [fence(message), ""] : []),
    ...(report.items.length > 0 ? [renderTotals(report), ""] : []),
    ...renderQuestions(report.questions ?? []),
  ].join("\n");
  const tasks = tasksOf(report.items);
  const room = LIMIT_BYTES / 2 - bytesOf(head);
  const table = tasks ? renderTasks(tasks, room) : renderTable(report.items, room);
  const views = report.items.map((item) => renderItem(item, report)).filter((view) => view !== "");
  const rest = LIMIT_BYTES - bytesOf(head) - bytesOf(table);
  const shown = withinLimit(views, rest, (left) => `… ${left} more items`);
  return `${head}\n${table}\n${shown.join("\n")}\n`.replace(/\n{3,}/g, "\n\n");
}

function renderItem(item: ReportItem, { isRehearsal }: Report): string {
  // The table of tasks says it all.
  if (item.tasks) return "";
  const view = viewArtifacts(item.artifacts);
  const failed = item.steps.filter((step) => step.message && step.status === "failed");
  if (view.length === 0 && failed.length === 0) return "";
  const errors = failed.flatMap((step) => [
    `${escapeInline(step.output)} failed:`,
    "",
    fence(step.message ?? ""),
    "",
  ]);
  const note = item.notice && !isRehearsal ? [escapeInline(item.notice), ""] : [];
  return [`### ${escapeInline(item.title || item.source)}`, "", ...note, ...errors, ...view].join("\n");
}
