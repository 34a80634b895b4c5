// Shows the progress of a run on standard error.

import { LoopliaError } from "../../core/errors.ts";
import { toPlainLine } from "../../core/json.ts";
import type { RunEvent } from "../../core/ports.ts";
import type { EndedItem } from "../../core/result.ts";
import { formatDuration } from "../../publish/markdown.ts";
import {
  colorsFor,
  isInteractive,
  isLiveTerminal,
  type Progress,
  type Surface,
  type TextStream,
} from "../surface.ts";
import {
  aboutOf,
  answerText,
  applyProgress,
  beginProgress,
  callLabel,
  endingLines,
  hasMany,
  type ProgressState,
} from "./state.ts";

// Progress without a terminal: one plain line per event. Pure.

/**
 * The lines for one event; `state` already includes it. With several sessions each line names its own; with many items
 * there is one line for each item that ran, beside what needs a person's eye.
 */
export function progressLines(state: ProgressState, event: RunEvent): string[] {
  if (hasMany(state) && !TOLD_OF_MANY.has(event.type)) return [];
  const lines = linesOf(state, event);
  const isAlone = state.sessions.size < 2 && !hasMany(state);
  const sessionId = "sessionId" in event ? event.sessionId : undefined;
  return isAlone || sessionId === undefined ? lines : lines.map((line) => `[${sessionId}] ${line}`);
}

const TOLD_OF_MANY: ReadonlySet<RunEvent["type"]> = new Set([
  ...(["item", "validation-failed", "question", "answered", "notice"] as const),
]);

function linesOf(state: ProgressState, event: RunEvent): string[] {
  switch (event.type) {
    case "item":
      return hasMany(state) && event.ended ? itemLines(state, event.ended) : [];
    case "session":
      return sessionLines(event);
    case "step":
      return [stepLine(state, event)].filter((line) => line !== "");
    case "iteration":
      return event.status === "started" ? [iterationLine(event)] : [];
    case "tool-ended": {
      const call = callLabel(state.sessions.get(event.sessionId), event);
      if (event.refused !== undefined) return [`  ${call} refused: ${toPlainLine(event.refused)}`];
      const spent = `(${formatDuration(event.durationMs)})`;
      return [
        `  ${call}${event.isError ? " failed" : ""} ${spent}`,
        ...endingLines(event).map((line) => `    ${line}`),
      ];
    }
    case "validation-failed":
      return [
        `  ${toPlainLine(event.artifact)} failed validation${event.recoverable ? ", trying again" : ""}`,
        ...event.errors.map((error) => `    • ${toPlainLine(error)}`),
      ];
    case "question":
      return [
        `question ${event.request.shortId} (${aboutOf(state.sessions.get(event.sessionId), event.request.taskId)}): ${toPlainLine(event.request.display.title)}`,
      ];
    case "answered":
      return [`answered ${event.request.shortId}: ${answerText(event)}`];
    case "notice":
      return [noticeLine(event)];
    default:
      return [];
  }
}

function itemLines({ items }: ProgressState, ended: EndedItem): string[] {
  const { source, status, reasonCode, message } = ended;
  if (reasonCode === "up-to-date") return [];
  const more = message === undefined ? "" : `: ${toPlainLine(message)}`;
  return [`${items.ended} of ${items.count}: ${toPlainLine(source)} ${status}${more}`];
}

/** The printed form of a notice: `warning: …`. */
export function noticeLine(event: Extract<RunEvent, { type: "notice" }>): string {
  const text = toPlainLine(event.message);
  return event.level === "info" ? text : `${event.level}: ${text}`;
}

function iterationLine(event: Extract<RunEvent, { type: "iteration" }>): string {
  const { iteration, taskId, title, agent, model, schedule, message } = event;
  const task = toPlainLine(message === undefined ? `${taskId}: ${title}` : `${taskId}: ${title}, ${message}`);
  return `iteration ${iteration}: ${task} (agent ${toPlainLine(agent)}, model ${toPlainLine(model)}, schedule ${schedule})`;
}

function sessionLines(event: Extract<RunEvent, { type: "session" }>): string[] {
  const skipped = event.steps.filter((step) => !step.due);
  return [
    `session ${event.sessionId}: ${toPlainLine(event.source)} through ${event.pipeline}`,
    ...skipped.map((step) => `step ${toPlainLine(step.output)} skipped: ${toPlainLine(step.reason)}`),
  ];
}

function stepLine(state: ProgressState, event: Extract<RunEvent, { type: "step" }>): string {
  const step = state.sessions.get(event.sessionId)?.steps.find((one) => one.output === event.output);
  const output = aboutOf(state.sessions.get(event.sessionId), event.output);
  const why = event.message ?? (event.status === "started" ? step?.again : "");
  const more = why ? `: ${toPlainLine(why)}` : "";
  const isTask = state.sessions.get(event.sessionId)?.pipeline === "tasks";
  if (event.status === "started")
    return isTask ? "" : `step ${output} started (${toPlainLine(event.agent)})${more}`;
  const spent =
    step?.startedAt === undefined || step.endedAt === undefined
      ? ""
      : ` in ${formatDuration(step.endedAt - step.startedAt)}`;
  const verb =
    event.status === "waiting"
      ? `is waiting${event.message ? "" : " for an answer"}`
      : `${event.status}${spent}`;
  return `step ${output} ${verb}${more}`;
}

/** How a run is shown; by default in place, without a terminal line by line. */
type ShownAs = { ui?: "none" | "tui"; isDemo: boolean };

/** Loads a view only if it is used. `interrupt`: called at Ctrl-C where that is a key. */
export async function startProgress(
  surface: Surface,
  { ui, isDemo }: ShownAs,
  interrupt: () => void,
): Promise<Progress> {
  if (ui === "tui") requireTui(surface);
  const { stderr: stream, elapsed } = surface;
  if (!isLiveTerminal(surface)) return plainProgress(stream, elapsed);
  const colors = colorsFor(surface, stream);
  if (ui === "tui") {
    const { TuiProgress } = await import("./tui.ts");
    return new TuiProgress({ input: surface.stdin, stream, colors, elapsed, interrupt, isDemo });
  }
  const { LiveProgress } = await import("./view.ts");
  return new LiveProgress({ stream, colors, elapsed });
}

function plainProgress(stream: TextStream, elapsed: () => number): Progress {
  const state = beginProgress(elapsed());
  const print = (text: string) => void stream.write(`${text}\n`);
  return {
    observe(event) {
      applyProgress(state, event, elapsed());
      for (const line of progressLines(state, event)) print(line);
    },
    screen: { pause() {}, resume() {}, print },
    end() {},
  };
}

// Ctrl-C and SIGTERM: the first signal saves and stops, the second ends the process at once.

const EXIT_STOPPED = 4;

/** Calls `say` once, when the run begins to stop; `signal` is then aborted with `"interrupted"`. */
export function watchSignals(surface: Surface, say: (text: string) => void) {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) return;
    say("Stopping and saving; Ctrl-C again exits at once.");
    controller.abort("interrupted");
  };
  const press = () => {
    if (controller.signal.aborted) surface.exit(EXIT_STOPPED);
    interrupt();
  };
  return {
    signal: controller.signal,
    /** Begins to stop; without effect when that has begun. */
    interrupt,
    /** Acts as if a signal had arrived. */
    press,
    /** Restores the default effect of signals. */
    release: surface.onSignal(press),
  };
}

/** Throws LoopliaError `config-invalid` where `--ui tui` cannot be shown. */
function requireTui(surface: Surface): void {
  if (Number.parseInt(surface.nodeVersion, 10) < LEAST_NODE) {
    throw new LoopliaError(
      "config-invalid",
      `--ui tui needs Node ${LEAST_NODE} or newer; this is Node ${surface.nodeVersion}.`,
      { hint: "leave --ui out for the ordinary live view, or use a newer Node" },
    );
  }
  if (isInteractive(surface)) return;
  throw new LoopliaError("config-invalid", "--ui tui needs a terminal with a keyboard, outside CI.", {
    hint: "standard input and standard error must be a terminal and TERM must not be dumb; leave --ui out to run without one",
  });
}

const LEAST_NODE = 22;
