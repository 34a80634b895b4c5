// What a run says at its end: for people, for programs, and as an exit code. Pure.
import type { Colors } from "picocolors/types.js";
import type { ItemResult, RunResult } from "../../content/item-result.ts";
import type { LoopliaError } from "../../errors.ts";
import { formatCost, formatTokens, isFree } from "../../publish/figures.ts";
import { failureJson, toResultJson } from "../../publish/outputs.ts";
import { toPlainLine } from "../../session/plain-text.ts";
import { askedLines } from "../../session/question-text.ts";
import { answerCommands, questionJson, quoteArgument, resumeCommand } from "./next-command.ts";
import { REASONS, successOf } from "./texts.ts";

export type Shown = {
  result: RunResult;
  /** Of this run; `notice` of an item speaks of what is on the disk. */
  isRehearsal: boolean;
  isDryRun: boolean;
  /** Makes a path that a person can open. */
  locate(path: string): string;
  /** What follows a printed command, see `keptArguments`. */
  kept: string;
};

const USAGE_CODES = new Set(["config-invalid", "no-items"]);

/** INTERFACE §4: 0 completed or ignored, 1 failed, 2 bad usage or configuration, 3 waiting, 4 stopped. */
export function exitCodeOf(result: Pick<RunResult, "status" | "reasonCode">): number {
  switch (result.status) {
    case "completed":
    case "ignored":
      return 0;
    case "waiting":
      return 3;
    case "stopped":
      return 4;
    case "failed":
      return USAGE_CODES.has(result.reasonCode) ? 2 : 1;
  }
}

/** The exit code of an expected failure that ended the whole run. */
export function exitCodeOfError(error: LoopliaError): number {
  if (error.code === "interrupted" || error.code === "deadline" || error.code === "cost-limit") return 4;
  if (error.code === "busy" || error.code === "lost-race") return 0;
  return exitCodeOf({ status: "failed", reasonCode: error.code });
}

/** `good` is the result and goes where data goes; `bad` is what went wrong. */
export function resultLines(shown: Shown, colors: Colors): { good: string[]; bad: string[] } {
  const good: string[] = [];
  const bad: string[] = [];
  for (const item of shown.result.items) {
    const isBad = item.status === "failed" || item.status === "stopped";
    (isBad ? bad : good).push(...itemLines(item, shown, colors));
  }
  return { good, bad };
}

function itemLines(item: ItemResult, shown: Shown, colors: Colors): string[] {
  switch (item.status) {
    case "completed":
      return completedLines(item, shown, colors);
    case "waiting":
      return waitingLines(item, shown, colors);
    case "ignored":
      return [`${nameOf(item)}: ${REASONS.get(item.reasonCode) ?? item.reasonCode}`];
    default:
      return troubleLines(item, shown, colors);
  }
}

function completedLines(item: ItemResult, shown: Shown, colors: Colors): string[] {
  if (shown.isDryRun) return dryLines(item);
  const isFresh = item.reasonCode !== "up-to-date";
  const said = isFresh ? doneText(item) : "Up to date";
  const cost = isFree(item.usage)
    ? ""
    : colors.dim(` · ${formatTokens(item.usage)} · ${formatCost(item.costUsd)}`);
  const note = item.notice ? colors.yellow(` (${toPlainLine(item.notice)})`) : "";
  const lines = [`${colors.green("✓")} ${said}${note}${cost}`];
  if (item.artifactPath !== undefined) lines.push(`  ${shown.locate(item.artifactPath)}`);
  const [first] = item.steps;
  if (item.notice && first && !shown.isRehearsal) {
    const again = `${resumeCommand(item.sessionId, shown.kept)} --force ${quoteArgument(first.output)}`;
    lines.push(`  All of it anew, with a language model: ${again}`);
  }
  if (item.output !== item.finalOutput && item.sessionId !== "") {
    lines.push(`Next: ${resumeCommand(item.sessionId, shown.kept)}`);
  }
  return lines;
}

/** Of a task list a message says what is done of it. */
function doneText({ pipeline, output, message }: ItemResult): string {
  return pipeline === "tasks" && message ? toPlainLine(message) : successOf(pipeline, output);
}

function dryLines(item: ItemResult): string[] {
  const steps = item.steps.map((step) => `  ${step.output}: ${toPlainLine(step.reason)}`);
  const said = item.pipeline === "tasks" && item.message ? item.message.split("\n") : [];
  const next = said.map((line) => `  ${toPlainLine(line)}`);
  return [`${toPlainLine(item.source)}: a dry run called no model and changed nothing`, ...steps, ...next];
}

function waitingLines(item: ItemResult, shown: Shown, colors: Colors): string[] {
  const lines = [`${colors.yellow("?")} ${nameOf(item)} waits for ${countOf(item.interactions.length)}`];
  for (const request of item.interactions) {
    const [title = "", ...details] = askedLines(request);
    lines.push("", `  ${colors.bold(title)} (${request.shortId})`, ...details.map((line) => `  ${line}`));
    lines.push("  Answer with", ...answerCommands(request, shown.kept).map((command) => `    ${command}`));
  }
  return lines;
}

function troubleLines(item: ItemResult, shown: Shown, colors: Colors): string[] {
  const isStopped = item.status === "stopped";
  const mark = isStopped ? colors.yellow("■") : colors.red("✗");
  const why = item.message ? toPlainLine(item.message) : (REASONS.get(item.reasonCode) ?? "");
  const lines = [`${mark} ${nameOf(item)} ${item.status} (${item.reasonCode})${why ? `: ${why}` : ""}`];
  for (const step of item.steps) {
    const message = toPlainLine(step.message ?? "");
    if (message && message !== why) lines.push(`  ${step.output}: ${message}`);
  }
  for (const request of item.interactions) {
    lines.push(`  open: ${toPlainLine(request.display.title)} (${request.interactionId})`);
  }
  if (item.sessionId !== "") lines.push(`  Go on: ${resumeCommand(item.sessionId, shown.kept)}`);
  return lines;
}

/** The value of `--json`: one object for one item, a list for several. */
export function resultJson(shown: Shown): unknown {
  const [first, ...more] = shown.result.items.map((item) => itemJson(item, shown));
  if (more.length > 0) return [first, ...more];
  return first ?? failureJson(shown.result);
}

function itemJson(item: ItemResult, shown: Shown): Record<string, unknown> {
  const { path, ...rest } = toResultJson(item);
  return {
    ...rest,
    path: path === null ? null : shown.locate(path),
    ...(item.interactions.length === 0
      ? {}
      : { interactions: item.interactions.map((request) => questionJson(request, shown.kept)) }),
  };
}

function nameOf(item: ItemResult): string {
  return toPlainLine(item.sessionId || item.source);
}

function countOf(questions: number): string {
  return questions === 1 ? "an answer" : `${questions} answers`;
}
