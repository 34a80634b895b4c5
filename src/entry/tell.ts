// The output of an Action run: job log, outputs, step summary and annotations.
import type * as Core from "@actions/core";
import { toPlainText } from "../core/json.ts";
import type { RunEvent } from "../core/ports.ts";
import type { EndedItem } from "../core/result.ts";
import { neutralizeLine } from "../publish/markdown.ts";
import { problemOf, type RunReport, STATE_IS_PUBLIC, sayFailures, sayItem } from "../publish/report.ts";
import { renderStepSummary, writeOutputs } from "../publish/summary.ts";
import { countQuestions, stateOf } from "../publish/tables.ts";

/**
 * Becomes the only writer to the job's log: GitHub's packages print every step, which only helps when the runner debugs.
 * Workflow commands still pass.
 */
export function takeJobLog(environment: NodeJS.ProcessEnv): (line: string) => void {
  const write = process.stdout.write.bind(process.stdout);
  if (environment.RUNNER_DEBUG !== "1") {
    process.stdout.write = (text) => (/^::(?!debug::)/.test(String(text)) ? write(text) : true);
  }
  return (line) => void write(`${line}\n`);
}

const SAID_LINES = 20;

/** `after` is shown below the group, because GitHub folds the group. */
type Group = { lines: string[]; after: string[]; isOver: boolean };

/**
 * The job's log: one group per item or task, with the model's texts and each call. GitHub cannot nest groups, so only the
 * first of several concurrent items has an open group, and the other items' lines wait until it ends. No text from outside
 * becomes a workflow command.
 */
export class JobLog {
  readonly #write: (line: string) => void;
  /** Only the first group is open. */
  readonly #queue: Group[] = [];
  readonly #current = new Map<string, Group>();

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  observe(event: RunEvent): void {
    if (event.type === "session") {
      const { source, sessionId, steps } = event;
      this.#begin(sessionId, `${source}: session ${sessionId}, ${dueOf(steps)}`);
    } else if (event.type === "iteration") {
      if (event.status === "started") this.#begin(event.sessionId, iterationOf(event));
      else this.#sayAfter(event.sessionId, `${event.taskId}: ${event.title}: ${event.status}`);
    } else if (event.type === "item") {
      if (event.ended) this.#endItem(event.ended);
    } else if ("sessionId" in event && event.sessionId !== undefined) {
      this.#add(event.sessionId, event);
    }
  }

  /** Ends every group. */
  end(): void {
    for (const sessionId of [...this.#current.keys()]) this.#end(sessionId);
  }

  #begin(sessionId: string, title: string): void {
    this.#end(sessionId);
    const group = { lines: [], after: [], isOver: false };
    this.#queue.push(group);
    this.#current.set(sessionId, group);
    this.#put(group, `::group::${neutralizeLine(title)}`);
  }

  #put(group: Group, line: string): void {
    if (this.#queue[0] === group) this.#write(line);
    else group.lines.push(line);
  }

  #add(sessionId: string, event: RunEvent): void {
    const lines = progressLines(event).map(neutralizeLine);
    const named = lines.map((line) => `${neutralizeLine(sessionId)}: ${line}`);
    const group = this.#current.get(sessionId);
    if (!group) for (const line of named) this.#write(line);
    else for (const line of lines) this.#put(group, line);
    if (group && event.type === "question") group.after.push(...named);
  }

  #endItem(ended: EndedItem): void {
    const { sessionId = "", reasonCode } = ended;
    // Of many items, those that are up to date have no group.
    if (reasonCode === "up-to-date" && !this.#current.has(sessionId)) return;
    this.#sayAfter(sessionId, sayEnded(ended));
    this.#end(sessionId);
  }

  /** Writes below the group once it ends, or at once if none is open. */
  #sayAfter(sessionId: string, said: string): void {
    const group = this.#current.get(sessionId);
    if (group) group.after.push(neutralizeLine(said));
    else this.#write(neutralizeLine(said));
  }

  #end(sessionId: string): void {
    const group = this.#current.get(sessionId);
    if (!group) return;
    this.#current.delete(sessionId);
    group.isOver = true;
    while (this.#queue[0]?.isOver) {
      const over = this.#queue.shift();
      const next = this.#queue[0]?.lines.splice(0) ?? [];
      for (const line of ["::endgroup::", ...(over?.after ?? []), ...next]) this.#write(line);
    }
  }
}

/** The lines of an event in a session's group; none for events that the log omits. */
function progressLines(event: RunEvent): string[] {
  switch (event.type) {
    case "message":
      return event.text.split("\n", SAID_LINES).map((line) => `${event.agent}: ${line}`);
    case "question":
      return [`${event.request.shortId} is waiting for an answer: ${event.request.display.title}`];
    case "step":
      return [`${event.output} ${event.status}${event.message ? `: ${event.message}` : ""}`];
    case "tool-ended":
      return [callLine(event)];
    case "validation-failed": {
      const left = event.recoverable ? "the model tries again" : "no try is left";
      return [`${event.artifact} refused, ${left}: ${event.errors.join("; ")}`];
    }
    default:
      return [];
  }
}

function callLine(event: Extract<RunEvent, { type: "tool-ended" }>): string {
  const call = `${event.toolName} ${event.summary}`;
  if (event.refused !== undefined) return `${call} refused: ${event.refused}`;
  const [how] = event.ending?.split("\n") ?? [];
  const end = how === undefined ? (event.isError ? " failed" : "") : `: ${how}`;
  return `${call}${end} (${Math.round(event.durationMs)} ms)`;
}

function sayEnded(ended: EndedItem): string {
  return [ended.source, ended.status, problemOf(ended)].filter((part) => part !== undefined).join(": ");
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
  write: (line: string) => void,
): Promise<void> {
  const { report } = ended;
  for (const [name, value] of writeOutputs(report, ended)) core.setOutput(name, value);
  if (report.isStatePublic && report.status !== "ignored")
    core.warning(STATE_IS_PUBLIC, { title: "looplia" });
  const said = toPlainText(
    report.message === undefined ? sayItems(report) : `${report.reasonCode}: ${report.message}`,
  );
  // First: the e-mail about a failed run begins with the first annotation.
  if (report.status === "failed" && !report.isIdle) core.setFailed(said);
  else if (report.status === "failed") core.warning(said, { title: "looplia failed before" });
  else if (report.status === "stopped") core.warning(said, { title: "looplia stopped" });
  else if (report.status === "ignored") core.notice(said, { title: "looplia left this alone" });
  else write(sayEnd(report));
  for (const item of report.items) {
    if (item.status === "failed" && !report.isIdle)
      core.error(toPlainText(sayItem(item)), { title: "looplia", file: item.source });
  }
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
