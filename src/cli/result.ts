// Prints results and the commands that continue a session.
import type { Colors } from "picocolors/types.js";
import { askedLines, type InteractionRequest, showOneLine } from "../core/interaction.ts";
import { groupBy, toPlainLine } from "../core/json.ts";
import type { Result, RunResult } from "../core/result.ts";
import { formatCost, formatTokens, isFree } from "../publish/markdown.ts";
import { failureJson, toResultJson } from "../publish/summary.ts";
import type { CommandLine } from "./arguments.ts";

/** Flags that the next command needs too; never keys or tokens. */
const KEPT = [
  ...["config", "working-directory", "provider", "model", "fallback-model", "orchestration"],
  ...["task", "schedule", "log-dir"],
];

/** The end of a follow-up command: given flags that still matter, and the folder. */
export function keptArguments(line: CommandLine): string {
  const flags = KEPT.flatMap((name) => {
    const value = line.overrides[name];
    return typeof value === "string" ? [`--${name}`, quoteArgument(value)] : [];
  });
  const folder = line.folder === undefined ? [] : [quoteArgument(line.folder)];
  return [...flags, ...folder].map((part) => ` ${part}`).join("");
}

/** `looplia run --session-id …` */
export function resumeCommand(sessionId: string, kept: string): string {
  return `looplia run --session-id ${sessionId}${kept}`;
}

/** One command per possible answer; for a text answer, one with placeholders. */
export function answerCommands(request: InteractionRequest, kept: string): string[] {
  const begin = `looplia answer ${request.shortId}`;
  if (request.kind === "Confirm") {
    const always = request.standing ? [`${begin} approve always${kept}`] : [];
    return [`${begin} approve${kept}`, ...always, `${begin} reject${kept}`];
  }
  if (request.kind === "Select") {
    return (request.options ?? []).map(({ id }, index) => {
      const isPlain = showOneLine(id) === id && !id.startsWith("-");
      return `${begin} choose ${isPlain ? quoteArgument(id) : index + 1}${kept}`;
    });
  }
  if (request.kind !== "Composite") return [`${begin} input '<text>'${kept}`];
  const fields = (request.fields ?? []).map(({ id, options }) => [
    id,
    `<${options?.map((option) => option.id).join("|") ?? "text"}>`,
  ]);
  return [`${begin} input ${quoteArgument(JSON.stringify(Object.fromEntries(fields)))}${kept}`];
}

/** A question in JSON form. */
export function questionJson(request: InteractionRequest, kept: string): Record<string, unknown> {
  return {
    interactionId: request.interactionId,
    shortId: request.shortId,
    kind: request.kind,
    title: request.display.title,
    options: request.options ?? [],
    commands: answerCommands(request, kept),
  };
}

/** Quotes the text as one word of a POSIX shell. */
export function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

// The final report of a run, as text, as JSON and as exit code. Pure.

/** Explanations for reason codes that are not clear by themselves. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["up-to-date", "nothing is due: every artifact exists, is valid and was made from this source"],
  ["open-questions", "is waiting for an answer"],
  ["batch", "a batch of requests is in progress; the next run collects the answers"],
  ["interrupted", "stopped on request; everything so far is saved"],
  ["deadline", "reached timeout-minutes; everything so far is saved"],
  ["max-turns", "reached max-turns; everything so far is saved"],
  ["cost-limit", "reached its limit of cost or tokens; everything so far is saved"],
  ["invalid-artifact", "an artifact never became valid"],
  ["model-failed", "the provider failed"],
  ["max-iterations", "reached max-iterations; everything so far is saved"],
  ["blocked-tasks", "the remaining tasks can't be started"],
  ["busy", "another process is working on it"],
]);

type PipelineTexts = { title: string; done: ReadonlyMap<string, string> };

const PIPELINES: ReadonlyMap<string, PipelineTexts> = new Map([
  [
    "writing-kit",
    {
      title: "Writing Kit Builder",
      done: new Map([
        ["summary", "Summary complete"],
        ["ideas", "Ideas complete"],
        ["outline", "Outline complete"],
        ["writing-kit", "Writing kit complete"],
      ]),
    },
  ],
  ["tasks", { title: "Task List", done: new Map([["to-do", "Every task is done"]]) }],
  ["social-posts", { title: "Social Posts", done: new Map([["posts", "Posts complete"]]) }],
]);

/** Title of a pipeline's box; an unknown pipeline is named after itself. */
export function titleOf(pipeline: string): string {
  return PIPELINES.get(pipeline)?.title ?? toPlainLine(pipeline);
}

/** The message for a finished output. */
function successOf(pipeline: string, output: string): string {
  return PIPELINES.get(pipeline)?.done.get(output) ?? `${toPlainLine(output)} complete`;
}

type ResultDisplay = {
  result: RunResult;
  /** Of this run; an item's `notice` describes the files on disk. */
  isRehearsal: boolean;
  isDryRun: boolean;
  /** Returns a path that a person can open. */
  locate(path: string): string;
  /** The end of printed commands, see `keptArguments`. */
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

/** More up-to-date items than this are only counted. */
const MOST_UP_TO_DATE = 20;

/** `good`: results for standard output; `bad`: failures for standard error. */
export function resultLines(shown: ResultDisplay, colors: Colors): { good: string[]; bad: string[] } {
  const good: string[] = [];
  const bad: string[] = [];
  const { items } = shown.result;
  const isQuiet = (item: Result) => item.reasonCode === "up-to-date" && item.status === "completed";
  const quiet = items.filter(isQuiet);
  const isCounted = quiet.length > MOST_UP_TO_DATE && !shown.isDryRun;
  if (isCounted) {
    good.push(`${colors.green("✓")} ${quiet.length.toLocaleString("en")} items are up to date`);
  }
  const told = isCounted ? items.filter((item) => !isQuiet(item)) : items;
  if (told.length > MOST_TOLD && !shown.isDryRun) return tableOf(items, shown, colors);
  for (const item of told) {
    const isBad = item.status === "failed" || item.status === "stopped";
    (isBad ? bad : good).push(...itemLines(item, shown, colors));
  }
  return { good, bad };
}

/** More items than this are a table, with the first that need somebody. */
const MOST_TOLD = 20;

/** Counts and cost by how items ended; below, the first that failed, stopped or wait for an answer. */
function tableOf(
  items: readonly Result[],
  shown: ResultDisplay,
  colors: Colors,
): { good: string[]; bad: string[] } {
  const groups = groupBy(items, ({ status, reasonCode }) => `${status} (${reasonCode})`);
  const widest = Math.max(...[...groups.keys()].map((name) => name.length));
  const lines = [...groups].map(([name, group]) => {
    const isPriced = group.every(({ costUsd }) => costUsd !== null);
    const sum = group.reduce((all, { costUsd }) => all + (costUsd ?? 0), 0);
    const cost = isPriced && sum === 0 ? "" : formatCost(isPriced ? sum : null);
    const count = group.length.toLocaleString("en").padStart(7);
    return `  ${name.padEnd(widest)}${count}  ${cost}`.trimEnd();
  });
  const needy = items.filter(({ status, reasonCode }) => status !== "completed" && reasonCode !== "batch");
  const bad = needy.slice(0, MOST_TOLD).flatMap((item) => itemLines(item, shown, colors));
  const more = needy.length - MOST_TOLD;
  if (more > 0) bad.push(`and ${more.toLocaleString("en")} more: \`looplia status\` lists them`);
  return { good: [colors.bold(`${items.length.toLocaleString("en")} items`), ...lines], bad };
}

function itemLines(item: Result, shown: ResultDisplay, colors: Colors): string[] {
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

function completedLines(item: Result, shown: ResultDisplay, colors: Colors): string[] {
  if (shown.isDryRun) return dryLines(item);
  const isFresh = item.reasonCode !== "up-to-date";
  const said = isFresh ? doneText(item) : "Up to date";
  const cost = isFree(item.usage)
    ? ""
    : colors.dim(` · ${formatTokens(item.usage)} · ${formatCost(item.costUsd)}`);
  const note = item.notice ? colors.yellow(` (${toPlainLine(item.notice)})`) : "";
  const lines = [`${colors.green("✓")} ${said}${note}${cost}`];
  const page = `${item.output}.md`;
  if (item.files?.includes(page) && item.folder) lines.push(`  ${shown.locate(`${item.folder}/${page}`)}`);
  if (item.artifactPath !== undefined) lines.push(`  ${shown.locate(item.artifactPath)}`);
  const [first] = item.steps;
  if (item.notice && first && !shown.isRehearsal) {
    const again = `${resumeCommand(item.sessionId, shown.kept)} --force ${quoteArgument(first.output)}`;
    lines.push(`  Make all of it again with a language model: ${again}`);
  }
  if (item.output !== item.finalOutput && item.sessionId !== "") {
    lines.push(`Next: ${resumeCommand(item.sessionId, shown.kept)}`);
  }
  return lines;
}

/** A task list's message reports its progress. */
function doneText({ pipeline, output, message }: Result): string {
  return pipeline === "tasks" && message ? toPlainLine(message) : successOf(pipeline, output);
}

function dryLines(item: Result): string[] {
  const steps = item.steps.map((step) => `  ${step.output}: ${toPlainLine(step.reason)}`);
  const said = item.pipeline === "tasks" && item.message ? item.message.split("\n") : [];
  const next = said.map((line) => `  ${toPlainLine(line)}`);
  const { tokens, costUsd } = item.estimate ?? { tokens: 0, costUsd: 0 };
  const price = costUsd === null ? "price unknown" : formatCost(costUsd);
  const estimate = tokens > 0 ? [`  about ${tokens.toLocaleString("en")} tokens, ${price}`] : [];
  const head = `${toPlainLine(item.source)}: a dry run called no model and changed nothing`;
  return [head, ...steps, ...estimate, ...next];
}

function waitingLines(item: Result, shown: ResultDisplay, colors: Colors): string[] {
  if (item.reasonCode === "batch") {
    const again = resumeCommand(item.sessionId, shown.kept);
    return [`${colors.yellow("…")} ${nameOf(item)}: ${REASONS.get("batch")}`, `  ${again}`];
  }
  if (item.interactions.length === 0) {
    const why = item.message ?? "its question comes once an open one is answered; then run again";
    return [`${colors.yellow("?")} ${nameOf(item)} waits: ${why}`];
  }
  const lines = [`${colors.yellow("?")} ${nameOf(item)} waits for ${countOf(item.interactions.length)}`];
  for (const request of item.interactions) {
    const [title = "", ...details] = askedLines(request);
    lines.push(
      "",
      `  ${colors.bold(title)} (${request.shortId}, ${aboutOf(item, request)})`,
      ...details.map((line) => `  ${line}`),
    );
    lines.push("  Answer with", ...answerCommands(request, shown.kept).map((command) => `    ${command}`));
  }
  return lines;
}

/** The asking task by id and title, or the step. */
function aboutOf({ tasks = [] }: Result, { taskId }: InteractionRequest): string {
  const { title = "" } = tasks.find(({ id }) => id === taskId) ?? {};
  return toPlainLine(`${taskId} ${title}`).trimEnd();
}

function troubleLines(item: Result, shown: ResultDisplay, colors: Colors): string[] {
  const isStopped = item.status === "stopped";
  const mark = isStopped ? colors.yellow("■") : colors.red("✗");
  const why = item.message ? toPlainLine(item.message) : (REASONS.get(item.reasonCode) ?? "");
  const lines = [`${mark} ${nameOf(item)} ${item.status} (${item.reasonCode})${why ? `: ${why}` : ""}`];
  for (const step of item.steps) {
    const message = toPlainLine(step.message ?? "");
    if (message && message !== why) lines.push(`  ${step.output}: ${message}`);
  }
  for (const request of item.interactions) {
    lines.push(
      `  open: ${toPlainLine(request.display.title)} (${request.shortId}, ${aboutOf(item, request)})`,
    );
  }
  // What cannot be rehearsed fails the same way each time.
  const needsModel = shown.isRehearsal && item.steps.some(({ status }) => status === "failed");
  const label = needsModel ? "Resume with a language model, once its key is set" : "Resume";
  if (item.sessionId !== "") lines.push(`  ${label}: ${resumeCommand(item.sessionId, shown.kept)}`);
  return lines;
}

/** The value of `--json`: an object for one item, a list for several. */
export function resultJson(shown: ResultDisplay): unknown {
  const [first, ...more] = shown.result.items.map((item) => itemJson(item, shown));
  if (more.length > 0) return [first, ...more];
  return first ?? failureJson(shown.result);
}

function itemJson(item: Result, shown: ResultDisplay): Record<string, unknown> {
  const { path, ...rest } = toResultJson(item);
  return {
    ...rest,
    path: path === null ? null : shown.locate(path),
    ...(shown.isDryRun
      ? {
          steps: item.steps.map(({ output, isDue: due = false, reason }) => ({ output, due, reason })),
          ...(item.estimate ? { estimate: item.estimate } : {}),
        }
      : {}),
    ...(item.interactions.length === 0
      ? {}
      : { interactions: item.interactions.map((request) => questionJson(request, shown.kept)) }),
  };
}

function nameOf(item: Result): string {
  return toPlainLine(item.sessionId || item.source);
}

function countOf(questions: number): string {
  return questions === 1 ? "an answer" : `${questions} answers`;
}
