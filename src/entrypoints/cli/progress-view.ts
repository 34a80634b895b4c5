// Draws the live list of steps. Pure: the same state, time and look give the same lines.
import type { Colors } from "picocolors/types.js";
import { formatCost, formatDuration, formatTokens, isFree } from "../../publish/figures.ts";
import { fitLine, padText, type Segment, widthOf, wrapText } from "./fit-line.ts";
import {
  type Activity,
  activitiesBelow,
  looseActivities,
  type ProgressState,
  type SessionView,
  type StepState,
  type StepView,
} from "./progress-state.ts";
import { titleOf } from "./texts.ts";

export type Look = { width: number; colors: Colors; frame: number; now: number };

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const MOST_COLUMNS = 100;
const LEAST_BOX = 30;
const SHOWN_CALLS = 6;

/** The whole picture: a box for each session, of several only for those at work, then one line of totals. */
export function drawProgress(state: ProgressState, look: Look): string[] {
  const sessions = [...state.sessions.values()];
  const isBoxed = (session: SessionView) => sessions.length === 1 || stateOf(session) === "started";
  const boxes = [
    ...sessions.filter((session) => !isBoxed(session)).map((session) => drawLine(session, look)),
    ...sessions.filter(isBoxed).flatMap((session) => drawSession(session, look)),
  ];
  return [...boxes, fitLine(totals(state, look), Math.min(look.width, MOST_COLUMNS))];
}

function drawSession(session: SessionView, look: Look): string[] {
  const width = Math.min(look.width, MOST_COLUMNS);
  const inner = width >= LEAST_BOX ? width - 4 : width;
  const lines = sessionLines(session, look, inner);
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

/** A session that is not at work, on one line. */
function drawLine(session: SessionView, look: Look): string {
  const done = session.steps.filter((step) => step.state === "completed" || step.state === "skipped").length;
  const segments = [
    mark(stateOf(session), look),
    { text: ` ${session.source}` },
    { text: `  ${done} of ${session.steps.length}`, style: look.colors.dim },
  ];
  return fitLine(segments, Math.min(look.width, MOST_COLUMNS));
}

/** The state of the step that matters most. */
function stateOf(session: SessionView): StepState {
  const states = new Set(session.steps.map((step) => step.state));
  const order = ["started", "failed", "waiting", "stopped", "pending"] as const;
  return order.find((state) => states.has(state)) ?? "completed";
}

function sessionLines(session: SessionView, look: Look, width: number): Segment[][] {
  const { dim, yellow } = look.colors;
  const nameWidth = Math.max(0, ...session.steps.map((step) => widthOf(step.output)));
  const lines: Segment[][] = [
    [{ text: session.source }],
    [{ text: session.sessionId, style: dim }],
    [],
    ...looseActivities(session)
      .slice(-SHOWN_CALLS)
      .flatMap((call) => callLines(call, look, width)),
  ];
  for (const step of session.steps) {
    lines.push(stepLine(step, nameWidth, look));
    if (step.state === "failed" && step.reason) {
      lines.push(
        ...wrapText(step.reason, width - 4).map((text) => [{ text: `    ${text}`, style: look.colors.red }]),
      );
    }
    lines.push(...stepCalls(session, step, look, width));
  }
  for (const question of session.questions) {
    lines.push([{ text: "? ", style: yellow }, { text: `${question.title} (${question.shortId})` }]);
  }
  const saying = session.saying.replace(/\s+/g, " ").trim();
  if (saying) lines.push([{ text: "  " }, { text: lastColumns(saying, width - 2), style: dim }]);
  return lines;
}

function stepLine(step: StepView, nameWidth: number, look: Look): Segment[] {
  const { dim } = look.colors;
  const segments: Segment[] = [mark(step.state, look), { text: ` ${padText(step.output, nameWidth)}` }];
  if (step.startedAt !== undefined) {
    const spent = (step.endedAt ?? look.now) - step.startedAt;
    segments.push({ text: `  ${formatDuration(spent).padStart(6)}`, style: dim });
    segments.push({ text: `  ${step.agent}`, style: dim });
  }
  const isReasonShown = step.state === "skipped" || step.state === "pending" || step.state === "waiting";
  if (isReasonShown && step.reason) segments.push({ text: `  ${step.reason}`, style: dim });
  return segments;
}

/** A running or failed step shows its calls, a completed one only what was refused on the way. */
function stepCalls(session: SessionView, step: StepView, look: Look, width: number): Segment[][] {
  const calls = activitiesBelow(session, step);
  if (step.state === "completed") {
    return calls.filter((call) => call.state === "refused").flatMap((call) => callLines(call, look, width));
  }
  const shown = calls.slice(-SHOWN_CALLS);
  const hidden = calls.length - shown.length;
  const more: Segment[][] = hidden ? [[{ text: `    … ${hidden} earlier`, style: look.colors.dim }]] : [];
  return [...more, ...shown.flatMap((call) => callLines(call, look, width))];
}

function callLines(call: Activity, look: Look, width: number): Segment[][] {
  const { dim, yellow } = look.colors;
  const spent = call.durationMs === undefined ? "" : ` (${formatDuration(call.durationMs)})`;
  const style = call.state === "refused" ? yellow : dim;
  const lines: Segment[][] = [
    [
      { text: "    " },
      mark(call.state, look),
      { text: ` ${call.label}`, style },
      { text: spent, style: dim },
    ],
  ];
  if (call.state !== "refused") return lines;
  for (const problem of call.problems) lines.push(...hanging("      • ", problem, width));
  if (call.hint) lines.push(...hanging("      Hint: ", call.hint, width));
  return lines;
}

/** A long text below its own beginning, at most three lines of it. */
function hanging(lead: string, text: string, width: number): Segment[][] {
  const lines = wrapText(text, Math.max(8, width - widthOf(lead)));
  const shown = lines.slice(0, 3);
  if (lines.length > 3) shown[2] = `${shown[2]}…`;
  return shown.map((line, index) => [{ text: (index === 0 ? lead : " ".repeat(widthOf(lead))) + line }]);
}

function mark(state: StepState | Activity["state"], look: Look): Segment {
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

function totals(state: ProgressState, look: Look): Segment[] {
  const parts = [formatDuration(look.now - state.startedAt)];
  if (!isFree(state.usage)) {
    parts.push(formatTokens(state.usage), formatCost(state.isUnpriced ? null : state.costUsd));
  }
  return [{ text: parts.join(" · "), style: look.colors.dim }];
}

/** The end of the text, as much as fits; a narrow terminal may have no room at all. */
function lastColumns(text: string, width: number): string {
  let shown = width > 0 ? text : "";
  while (widthOf(shown) > width && shown !== "")
    shown = shown.slice(Math.max(1, Math.floor((widthOf(shown) - width) / 2)));
  return shown;
}
