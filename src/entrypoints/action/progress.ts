// Lines of the job's log, one an event. They are made safe for the runner where they are printed. Pure.
import type { RunEvent } from "../../ports.ts";

/** A line, or undefined for what the log leaves out. Notices are annotations and told elsewhere. */
export function progressLine(event: RunEvent): string | undefined {
  switch (event.type) {
    case "session":
      return `${event.source}: session ${event.sessionId}, ${dueOf(event.steps)}`;
    case "iteration":
      return event.status === "started" ? `${event.sessionId}: ${iterationOf(event)}` : undefined;
    case "question":
      return `${event.sessionId}: ${event.request.shortId} waits for an answer: ${event.request.display.title}`;
    case "step":
      return `${event.sessionId}: ${event.output} ${event.status}${event.message ? `: ${event.message}` : ""}`;
    case "tool-ended": {
      const call = `${event.sessionId}: ${event.toolName} ${event.summary}`;
      if (event.refused !== undefined) return `${call} refused: ${event.refused}`;
      return `${call}${event.isError ? " failed" : ""} (${Math.round(event.durationMs)} ms)`;
    }
    case "validation-failed": {
      const left = event.recoverable ? "the model tries again" : "no try is left";
      return `${event.sessionId}: ${event.artifact} refused, ${left}: ${event.errors.join("; ")}`;
    }
    default:
      return undefined;
  }
}

function iterationOf(event: Extract<RunEvent, { type: "iteration" }>): string {
  const { iteration, taskId, title, agent, model, schedule } = event;
  return `iteration ${iteration}: ${taskId}: ${title} (agent ${agent}, model ${model}, schedule ${schedule})`;
}

function dueOf(steps: readonly { output: string; due: boolean; reason: string }[]): string {
  const due = steps.filter((step) => step.due).map((step) => `${step.output} (${step.reason})`);
  return due.length === 0 ? "nothing is due" : `due: ${due.join(", ")}`;
}
