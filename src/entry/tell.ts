// The output of an Action run: job log, outputs, step summary and annotations.
import type * as Core from "@actions/core";
import { toPlainText } from "../core/json.ts";
import type { RunEvent } from "../core/ports.ts";
import { type RunReport, STATE_IS_PUBLIC, sayFailures, sayItem } from "../publish/report.ts";
import { renderStepSummary, writeOutputs } from "../publish/summary.ts";
import { countQuestions, stateOf } from "../publish/tables.ts";

/** A log line; undefined for events that the log omits. Notices become annotations elsewhere. */
export function progressLine(event: RunEvent): string | undefined {
  switch (event.type) {
    case "session":
      return `${event.source}: session ${event.sessionId}, ${dueOf(event.steps)}`;
    case "iteration":
      return event.status === "started" ? `${event.sessionId}: ${iterationOf(event)}` : undefined;
    case "question":
      return `${event.sessionId}: ${event.request.shortId} is waiting for an answer: ${event.request.display.title}`;
    case "step":
      return `${event.sessionId}: ${event.output} ${event.status}${event.message ? `: ${event.message}` : ""}`;
    case "tool-ended": {
      const call = `${event.sessionId}: ${event.toolName} ${event.summary}`;
      if (event.refused !== undefined) return `${call} refused: ${event.refused}`;
      const [how] = event.ending?.split("\n") ?? [];
      const end = how === undefined ? (event.isError ? " failed" : "") : `: ${how}`;
      return `${call}${end} (${Math.round(event.durationMs)} ms)`;
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

// Reports the outcome to the runner: outputs, step summary, annotations, and the color of the step.

/**
 * Green: completed, waiting, ignored, failures of an earlier run, and stopped with a warning. Red: this run
 * failed.
 */
export async function tellRunner(
  core: typeof Core,
  ended: { report: RunReport; workId: string; branch: string },
): Promise<void> {
  const { report } = ended;
  for (const [name, value] of writeOutputs(report, ended)) core.setOutput(name, value);
  for (const item of report.items) {
    if (item.status === "failed" && !report.isIdle)
      core.error(toPlainText(sayItem(item)), { title: "looplia", file: item.source });
  }
  if (report.isStatePublic && report.status !== "ignored")
    core.warning(STATE_IS_PUBLIC, { title: "looplia" });
  const said = toPlainText(
    report.message === undefined ? sayItems(report) : `${report.reasonCode}: ${report.message}`,
  );
  if (report.status === "failed" && !report.isIdle) core.setFailed(said);
  else if (report.status === "failed") core.warning(said, { title: "looplia failed before" });
  else if (report.status === "stopped") core.warning(said, { title: "looplia stopped" });
  else if (report.status === "ignored") core.notice(said, { title: "looplia left this alone" });
  else core.info(sayEnd(report));
  if (process.env.GITHUB_STEP_SUMMARY) await core.summary.addRaw(renderStepSummary(report)).write();
}

/** Only the program's own words, because this line is not escaped. */
function sayEnd({ status, reasonCode, questions = [], pullRequest }: RunReport): string {
  const open = questions.length > 0 ? countQuestions(questions.length) : undefined;
  const state = status === "waiting" ? undefined : stateOf(status, reasonCode);
  const said = [state, open].filter((part) => part !== undefined).join(": ") || stateOf(status, reasonCode);
  const where = pullRequest ? ` (${pullRequest.url})` : "";
  return `looplia: ${said}${where}`;
}

/** The e-mail about a failed run shows the first line. */
function sayItems(report: RunReport): string {
  const failures = sayFailures(report);
  const rest = report.items.filter((item) => item.status !== "completed").map(sayItem);
  return failures === undefined ? `${report.reasonCode}: ${rest.join("\n")}` : [failures, ...rest].join("\n");
}
