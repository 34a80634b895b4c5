// Draws the live view of a run in a terminal.
import { createLogUpdate } from "log-update";
import type { Colors } from "picocolors/types.js";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import type { RunEvent } from "../../core/ports.ts";
import { formatCost, formatDuration, formatTokens, isFree, totalInput } from "../../publish/markdown.ts";
import { titleOf } from "../result.ts";
import { columnsOf, LEAST_COLUMNS, type Progress, type Screen, type TextStream } from "../surface.ts";
import { noticeLine } from "./progress.ts";
import {
  type Activity,
  applyProgress,
  beginProgress,
  endProgress,
  hasMany,
  type ProgressState,
  type SessionProgress,
  type StepProgress,
  type StepView,
} from "./state.ts";

/** A piece of a line; `style` must not change its width. */
export type StyledText = { text: string; style?: (text: string) => string };

const GRAPHEMES = new Intl.Segmenter();

/** The width of a plain text in columns. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** The text, cut to `width` with a final `…`. Never splits a character. */
export function cutText(text: string, width: number): string {
  if (width <= 0) return "";
  if (widthOf(text) <= width) return text;
  let fitting = "";
  let left = width - 1;
  for (const { segment } of GRAPHEMES.segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    fitting += segment;
  }
  return `${fitting}…`;
}

/** The segments as one styled line of at most `width` columns; with `isPadded`, exactly that many. */
export function fitLine(segments: readonly StyledText[], width: number, isPadded = false): string {
  let left = width;
  let line = "";
  for (const { text, style } of segments) {
    const piece = cutText(text, left);
    left -= widthOf(piece);
    line += style && piece ? style(piece) : piece;
    if (piece !== text) break;
  }
  return isPadded ? line + " ".repeat(Math.max(0, left)) : line;
}

/** The text padded with spaces to at least `width` columns. */
export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The text wrapped to `width` columns, at spaces if possible. */
export function wrapText(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(width, 2), { hard: true }).split("\n");
}

/**
 * Wraps each line to `width` columns with indented continuation lines. If the width is too small, the text
 * stays unchanged.
 */
export function wrapLines(text: string, width: number): string {
  if (width < LEAST_COLUMNS) return text;
  const wrapped = text.split("\n").flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const indent = " ".repeat(Math.min(line.search(/\S|$/), width >> 1));
    const pieces = wrapText(line.trimStart(), width - indent.length - 2);
    return pieces.map((piece, index) => `${indent}${index === 0 ? "" : "  "}${piece}`);
  });
  return wrapped.join("\n");
}

// Draws the live list of steps. Pure: the same state, time and look give the same lines.

export type Look = { width: number; colors: Colors; frame: number; now: number };

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const MOST_COLUMNS = 100;
const LEAST_BOX = 30;
const SHOWN_CALLS = 6;
const MOST_TITLE = 40;

/** The whole picture: one box per session (only active ones if there are several), then a line of totals. */
export function drawProgress(state: ProgressState, look: Look): string[] {
  if (hasMany(state)) return drawMany(state, look);
  const sessions = [...state.sessions.values()];
  const isBoxed = (session: SessionProgress) => sessions.length === 1 || overallState(session) === "started";
  const boxes = [
    ...sessions.filter((session) => !isBoxed(session)).map((session) => drawLine(session, look)),
    ...sessions.filter(isBoxed).flatMap((session) => drawSession(session, look)),
  ];
  return [...boxes, fitLine(drawTotals(state, look), Math.min(look.width, MOST_COLUMNS))];
}

/** Of many items: counts, rate, time left and cost, the first that are at work, and the last failures. */
function drawMany(state: ProgressState, look: Look): string[] {
  const { items, startedAt, sessions } = state;
  const { dim, red } = look.colors;
  const width = Math.min(look.width, MOST_COLUMNS);
  const line = (...parts: StyledText[]) => fitLine(parts, width);
  const atWork = [...sessions.values()].filter((session) => overallState(session) === "started");
  const counts = [...items.byStatus].map(([status, count]) => `${count.toLocaleString("en")} ${status}`);
  const perMs = items.ended / Math.max(1, look.now - startedAt);
  const left = formatDuration((items.count - items.ended) / perMs);
  const pace =
    items.ended === 0 ? "" : `${(perMs * 60_000).toFixed(1)} items per minute · about ${left} left`;
  const filled = Math.floor((BAR * items.ended) / items.count);
  const head = `${items.ended.toLocaleString("en")} of ${items.count.toLocaleString("en")} items`;
  const hidden = atWork.length - SHOWN_AT_WORK;
  return [
    line({ text: `${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${head}` }),
    line({ text: [...counts, `${atWork.length} at work`].join(" · ") }),
    line({ text: pace, style: dim }),
    ...atWork.slice(0, SHOWN_AT_WORK).map((session) => drawLine(session, look)),
    ...(hidden > 0 ? [line({ text: `  … ${hidden} more`, style: dim })] : []),
    ...items.troubles.map((text) => line({ text: `✗ ${text}`, style: red })),
    fitLine(drawTotals(state, look), width),
  ];
}

const BAR = 20;
const SHOWN_AT_WORK = 6;

function drawSession(session: SessionProgress, look: Look): string[] {
  const width = Math.min(look.width, MOST_COLUMNS);
  const inner = width >= LEAST_BOX ? width - 4 : width;
  const lines = drawSteps(session, look, inner);
  if (width < LEAST_BOX) return lines.map((line) => fitLine(line, width));
  const { dim } = look.colors;
  const title = fitLine([{ text: titleOf(session.pipeline) }], width - 6);
  const rule = "─".repeat(Math.max(0, width - 5 - widthOf(title)));
  return [
    `${dim("┌─")} ${look.colors.bold(title)} ${dim(`${rule}┐`)}`,
    ...lines.map((line) => `${dim("│")} ${fitLine(line, inner, true)} ${dim("│")}`),
    dim(`└${"─".repeat(width - 2)}┘`),
  ];
}

/** An inactive session, on one line. */
function drawLine(session: SessionProgress, look: Look): string {
  const done = session.steps.filter((step) => step.state === "completed" || step.state === "skipped").length;
  const segments = [
    stateMark(overallState(session), look),
    { text: ` ${session.source}` },
    { text: `  ${done} of ${session.steps.length}`, style: look.colors.dim },
  ];
  return fitLine(segments, Math.min(look.width, MOST_COLUMNS));
}

/** The state of the step that matters most. */
export function overallState(session: SessionProgress): StepProgress {
  const states = new Set(session.steps.map((step) => step.state));
  const order = ["started", "failed", "waiting", "stopped", "pending"] as const;
  return order.find((state) => states.has(state)) ?? "completed";
}

function drawSteps(session: SessionProgress, look: Look, width: number): StyledText[][] {
  const { dim, yellow } = look.colors;
  const nameWidth = Math.max(0, ...session.steps.map((step) => widthOf(step.output)));
  const longest = Math.max(0, ...session.steps.map((step) => widthOf(step.title)));
  const titleWidth = Math.min(longest, MOST_TITLE, Math.max(0, width >> 1));
  const lines: StyledText[][] = [
    [{ text: session.source }],
    [{ text: session.sessionId, style: dim }],
    [],
    ...looseActivities(session)
      .slice(-SHOWN_CALLS)
      .flatMap((call) => callLines(call, look, width)),
  ];
  for (const step of session.steps) {
    const line = drawStep(step, { nameWidth, titleWidth }, look);
    const again = step.startedAt === undefined ? "" : step.again;
    const isFitting = widthOf(`${line.map(({ text }) => text).join("")}  ${again}`) <= width;
    if (again && isFitting) line.push({ text: `  ${again}`, style: dim });
    lines.push(line, ...(again && !isFitting ? hanging("    ", again, width) : []));
    if (step.state === "failed" && step.reason) {
      lines.push(
        ...wrapText(step.reason, width - 4).map((text) => [{ text: `    ${text}`, style: look.colors.red }]),
      );
    }
    lines.push(...stepCalls(session, step, look, width));
  }
  for (const question of session.questions) {
    lines.push([
      { text: "? ", style: yellow },
      { text: `${question.title} (${question.shortId}, ${question.about})` },
    ]);
  }
  const saying = session.saying.replace(/\s+/g, " ").trim();
  if (saying) lines.push([{ text: "  " }, { text: lastColumns(saying, width - 2), style: dim }]);
  return lines;
}

function drawStep(
  step: StepView,
  { nameWidth, titleWidth }: { nameWidth: number; titleWidth: number },
  look: Look,
): StyledText[] {
  const { dim } = look.colors;
  const segments: StyledText[] = [
    stateMark(step.state, look),
    { text: ` ${padText(step.output, nameWidth)}` },
  ];
  if (titleWidth > 0) segments.push({ text: `  ${padText(cutText(step.title, titleWidth), titleWidth)}` });
  if (step.startedAt !== undefined) {
    const spent = (step.endedAt ?? look.now) - step.startedAt;
    segments.push({ text: `  ${formatDuration(spent).padStart(6)}`, style: dim });
    segments.push({ text: `  ${step.agent}`, style: dim });
  }
  const isReasonShown = step.state === "skipped" || step.state === "pending" || step.state === "waiting";
  if (isReasonShown && step.reason) segments.push({ text: `  ${step.reason}`, style: dim });
  return segments;
}

/** A running or failed step shows its calls; a completed one only commands and refusals. */
function stepCalls(session: SessionProgress, step: StepView, look: Look, width: number): StyledText[][] {
  const calls = activitiesBelow(session, step);
  if (step.state === "completed") {
    const kept = calls.filter((call) => call.state === "refused" || call.ending.length > 0);
    return kept.slice(-SHOWN_CALLS).flatMap((call) => callLines(call, look, width));
  }
  const shown = calls.slice(-SHOWN_CALLS);
  const hidden = calls.length - shown.length;
  const more: StyledText[][] = hidden ? [[{ text: `    … ${hidden} earlier`, style: look.colors.dim }]] : [];
  return [...more, ...shown.flatMap((call) => callLines(call, look, width))];
}

/** The calls to show below a step: its task's calls appear below the task's last step. */
function activitiesBelow(session: SessionProgress, step: StepView): Activity[] {
  return session.activities.filter((activity) => activity.outputs.at(-1) === step.output);
}

/** Calls without a known step, such as those of a main agent. */
function looseActivities(session: SessionProgress): Activity[] {
  const outputs = new Set(session.steps.map((step) => step.output));
  return session.activities.filter((activity) => !outputs.has(activity.outputs.at(-1) ?? ""));
}

function callLines(call: Activity, look: Look, width: number): StyledText[][] {
  return activityLines(call, look, width - INDENT.length).map((line) => [{ text: INDENT }, ...line]);
}

const INDENT = "    ";

/** A call, how its command ended, and what was wrong with it. */
export function activityLines(call: Activity, look: Look, width: number): StyledText[][] {
  const { dim, yellow } = look.colors;
  const spent = call.durationMs === undefined ? "" : ` (${formatDuration(call.durationMs)})`;
  const style = call.state === "refused" ? yellow : dim;
  const lines: StyledText[][] = [
    [stateMark(call.state, look), { text: ` ${call.label}`, style }, { text: spent, style: dim }],
  ];
  for (const line of call.ending) lines.push([{ text: `  ${line}`, style: dim }]);
  if (call.state !== "refused") return lines;
  for (const problem of call.problems) lines.push(...hanging("  • ", problem, width));
  return lines;
}

/** A long text with a hanging indent, at most three lines. */
function hanging(lead: string, text: string, width: number): StyledText[][] {
  const lines = wrapText(text, Math.max(8, width - widthOf(lead)));
  const shown = lines.slice(0, 3);
  if (lines.length > 3) shown[2] = `${shown[2]}…`;
  return shown.map((line, index) => [{ text: (index === 0 ? lead : " ".repeat(widthOf(lead))) + line }]);
}

/** The sign of a state. */
export function stateMark(state: StepProgress | Activity["state"], look: Look): StyledText {
  const { green, red, yellow, cyan, dim } = look.colors;
  switch (state) {
    case "completed":
    case "done":
      return { text: "✓", style: green };
    case "failed":
      return { text: "✗", style: red };
    case "refused":
      return { text: "⚠", style: yellow };
    case "waiting":
      return { text: "?", style: yellow };
    case "stopped":
      return { text: "■", style: yellow };
    case "skipped":
      return { text: "–", style: dim };
    case "pending":
      return { text: "○", style: dim };
    default:
      return { text: SPINNER[look.frame % SPINNER.length] ?? "·", style: cyan };
  }
}

/** Time, tokens, cost, and the rate at which cost or tokens grow; what is too wide is left out. */
export function drawTotals(state: ProgressState, look: Look): StyledText[] {
  const time = formatDuration(look.now - state.startedAt);
  const line = (...parts: string[]) => [{ text: [time, ...parts].join(" · "), style: look.colors.dim }];
  if (isFree(state.usage)) return line();
  const tokens = formatTokens(state.usage);
  const cost = formatCost(state.isUnpriced ? null : state.costUsd);
  const minutes = (look.now - state.startedAt) / 60_000;
  const rate = minutes >= LEAST_MINUTES ? [rateOf(state, minutes)] : [];
  const sum = `${(totalInput(state.usage) + state.usage.outputTokens).toLocaleString("en")} tokens`;
  const lines = [line(tokens, cost, ...rate), line(tokens, cost)];
  lines.push(rate.length > 0 ? line(cost, ...rate) : line(sum, cost));
  return lines.find(([only]) => widthOf(only?.text ?? "") <= look.width) ?? line(cost);
}

/** A rate over less time says nothing. */
const LEAST_MINUTES = 1 / 12;

function rateOf({ usage, costUsd, isUnpriced }: ProgressState, minutes: number): string {
  if (!isUnpriced && costUsd > 0) return `${formatCost(costUsd / minutes)} a minute`;
  const tokens = totalInput(usage) + usage.outputTokens;
  return `${Math.round(tokens / minutes).toLocaleString("en")} tokens a minute`;
}

/** The end of the text that fits; a narrow terminal may have no room at all. */
function lastColumns(text: string, width: number): string {
  let shown = width > 0 ? text : "";
  while (widthOf(shown) > width && shown !== "")
    shown = shown.slice(Math.max(1, Math.floor((widthOf(shown) - width) / 2)));
  return shown;
}

// The picture of a run, updated in place.

const FRAME_MS = 80;

type LiveOptions = { stream: NodeJS.WritableStream & TextStream; colors: Colors; elapsed(): number };

/** Redrawn on each event and periodically; permanent lines are printed above the picture. */
export class LiveProgress implements Progress {
  readonly screen: Screen;
  readonly #options: LiveOptions;
  readonly #picture;
  readonly #timer: NodeJS.Timeout;
  readonly #state;
  #frame = 0;
  #lineCount = 0;
  #isPaused = false;
  #waiting: string[] = [];

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#picture = createLogUpdate(options.stream);
    this.#state = beginProgress(options.elapsed());
    this.screen = {
      pause: () => this.#pause(),
      resume: () => this.#resume(),
      aboutOf: (shortId) =>
        [...this.#state.sessions.values()]
          .flatMap(({ questions }) => questions)
          .find((question) => question.shortId === shortId)?.about ?? "",
      print: (text) => this.#print(text),
    };
    this.#timer = setInterval(() => {
      this.#frame += 1;
      this.#draw();
    }, FRAME_MS);
    this.#timer.unref();
  }

  readonly observe = (event: RunEvent): void => {
    applyProgress(this.#state, event, this.#options.elapsed());
    if (event.type === "notice") this.#print(this.#paintNotice(event));
    else if (event.type !== "text") this.#draw();
  };

  end(): void {
    clearInterval(this.#timer);
    endProgress(this.#state, this.#options.elapsed());
    this.#resume();
    this.#picture.done();
  }

  #draw(): void {
    if (this.#isPaused || (this.#state.sessions.size === 0 && !hasMany(this.#state))) return;
    const { stream, colors, elapsed } = this.#options;
    const look = { width: columnsOf(stream), colors, frame: this.#frame, now: elapsed() };
    const lines = drawProgress(this.#state, look);
    // log-update 7.2 leaves stale lines behind when the number of lines changes above lines that stay.
    if (lines.length !== this.#lineCount) this.#picture.clear();
    this.#lineCount = lines.length;
    this.#picture(lines.join("\n"));
  }

  #pause(): void {
    this.#picture.clear();
    this.#isPaused = true;
  }

  #resume(): void {
    this.#isPaused = false;
    for (const text of this.#waiting.splice(0)) this.#print(text);
    this.#draw();
  }

  #print(text: string): void {
    if (this.#isPaused) {
      this.#waiting.push(text);
      return;
    }
    this.#picture.clear();
    this.#options.stream.write(`${wrapLines(text, columnsOf(this.#options.stream))}\n`);
    this.#draw();
  }

  #paintNotice(event: Extract<RunEvent, { type: "notice" }>): string {
    const { red, yellow, dim } = this.#options.colors;
    const paint = event.level === "error" ? red : event.level === "warning" ? yellow : dim;
    return paint(noticeLine(event));
  }
}
