// The Action's outputs, the JSON of a result and the step summary. Pure.
import type { ContentPlan, Result } from "../core/result.ts";
import { escapeInline, fence, totalInput } from "./markdown.ts";
import { failureText, REHEARSAL, type RunReport, totalCost, totalUsage } from "./report.ts";
import {
  bytesOf,
  endOf,
  planRows,
  planSentence,
  renderChangedRules,
  renderQuestions,
  renderTable,
  renderTotals,
  renderWarnings,
  viewArtifacts,
  withinLimit,
} from "./tables.ts";

/**
 * Limit on the characters of all artifact values in `result-json`; values beyond it are only in the branch.
 */
const LIMIT = 500_000;

type ResultJson = {
  status: string;
  reasonCode: string;
  sessionId: string;
  source: string;
  output: string;
  path: string | null;
  artifact: unknown;
  usage: Result["usage"] & { costUsd: number | null; note?: string };
  message?: string;
};

/** One item as `run --json` prints it; the path is relative. */
export function toResultJson(item: Result): ResultJson {
  const { status, reasonCode, sessionId, source, output, usage, costUsd, message } = item;
  return {
    status,
    reasonCode,
    sessionId,
    source,
    output,
    path: item.artifactPath ?? null,
    artifact: item.artifact ?? null,
    usage: { ...usage, costUsd, ...(item.notice === undefined ? {} : { note: REHEARSAL }) },
    ...(message === undefined ? {} : { message }),
  };
}

/** The same fields for a run that failed before any item. */
export function failureJson(failed: { status: string; reasonCode: string; message?: string }): unknown {
  const { status, reasonCode, message } = failed;
  const nothing = { sessionId: "", output: "", path: null, artifact: null, usage: null };
  return { status, reasonCode, ...nothing, ...(message === undefined ? {} : { message }) };
}

/** Every output by its name; outputs that do not apply are empty. */
export function writeOutputs(
  report: RunReport,
  work: { workId: string; branch: string },
): Map<string, string> {
  const [only, ...others] = report.items;
  const cost = totalCost(report);
  const usage = totalUsage(report);
  const number = report.pullRequest?.number;
  return new Map([
    ["status", report.status],
    ["reason-code", report.reasonCode],
    ["work-id", work.workId],
    ["session-id", only && others.length === 0 ? only.sessionId : ""],
    ["interaction-id", report.questions?.[0]?.interactionId ?? ""],
    ["pull-request-number", number === undefined ? "" : String(number)],
    ["pull-request-url", report.pullRequest?.url ?? ""],
    ["branch", work.branch],
    ["artifact-url", report.artifactUrl ?? ""],
    ["cost-usd", cost === null ? "" : String(roundMoney(cost))],
    ["input-tokens", String(totalInput(usage))],
    ["output-tokens", String(usage.outputTokens)],
    ["items", JSON.stringify(report.items.map((item) => outputItem(item, report)))],
    ["matrix", report.matrix ? JSON.stringify(report.matrix) : ""],
    ["result-json", resultText(report)],
  ]);
}

function outputItem(item: Result, { pullRequest, questions = [] }: RunReport) {
  const number = item.pullRequestNumber ?? pullRequest?.number;
  return {
    source: item.source,
    sessionId: item.sessionId,
    status: item.status,
    reasonCode: item.reasonCode,
    ...(number === undefined ? {} : { pullRequestNumber: number }),
    interactionIds: questions
      .filter(({ sessionId }) => sessionId === item.sessionId)
      .map(({ interactionId }) => interactionId),
    costUsd: item.costUsd === null ? null : roundMoney(item.costUsd),
  };
}

function resultText(report: RunReport): string {
  if (report.plan) return JSON.stringify(report.plan);
  const results = report.items.map((item) => toResultJson(item));
  const write = (list: readonly ResultJson[]) =>
    JSON.stringify(list.length > 1 ? list : (list[0] ?? failureJson(report)));
  const whole = write(results);
  return whole.length <= LIMIT ? whole : write(results.map((result) => ({ ...result, artifact: null })));
}

function roundMoney(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}

// The step summary: what the run did, one row per item, the open questions, then the result of each item.
// Pure.

// GitHub accepts 1 MiB per step; other lines of the job may follow ours.
const LIMIT_BYTES = 1_000_000;

/** Markdown under a megabyte; items that do not fit are counted. */
export function renderStepSummary(report: RunReport): string {
  const message = failureText(report);
  const head = [
    `## looplia: ${endOf(report)}`,
    "",
    ...(report.isRehearsal ? [`> This is an ${REHEARSAL}: every text is taken from the source.`, ""] : []),
    renderChangedRules(report),
    "",
    renderWarnings(report),
    "",
    ...(message ? [fence(message), ""] : []),
    ...(report.items.length > 0 ? [renderTotals(report), ""] : []),
    ...renderQuestions(report.questions ?? []),
  ].join("\n");
  const room = LIMIT_BYTES / 2 - bytesOf(head);
  if (report.plan) return `${head}\n${renderPlan(report.plan, room)}`.replace(/\n{3,}/g, "\n\n");
  const table = renderTable(report.items, room);
  const views = report.items.map((item) => renderItem(item, report)).filter((view) => view !== "");
  const rest = LIMIT_BYTES - bytesOf(head) - bytesOf(table);
  const shown = withinLimit(views, rest, (left) => `… ${left} more items`);
  return `${head}\n${table}\n${shown.join("\n")}\n`.replace(/\n{3,}/g, "\n\n");
}

function renderItem(item: Result, { isRehearsal }: RunReport): string {
  // The table of tasks already shows everything.
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

/** The plan as Markdown. */
function renderPlan(plan: ContentPlan, limit: number): string {
  const { rows, left } = planRows(plan);
  const lines = rows.map((row) => `| ${row.map((cell) => escapeInline(cell, 200)).join(" | ")} |`);
  const more = left > 0 ? [`| … | ${left} more | | |`] : [];
  const table = withinLimit([...lines, ...more], limit, (cut) => `| … | ${cut} more | | |`);
  const head = ["| State | Item | Why | Estimate |", "|:--|:--|:--|--:|"];
  return [planSentence(plan), "", ...(table.length > 0 ? [...head, ...table, ""] : [])].join("\n");
}
