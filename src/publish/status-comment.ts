// The one comment of a work that is edited in place: where it stands, as of which run. Pure.
import { formatMoment } from "./figures.ts";
import { bytesOf, renderTable, renderTotals, stateOf } from "./items-table.ts";
import { escapeInline, fence, link } from "./markdown.ts";
import { writeMarker } from "./markers.ts";
import { countQuestions, renderQuestions } from "./questions-list.ts";
import { messageOf, REHEARSAL, type Report, tasksOf } from "./report.ts";
import { COMMENT_LIMIT, join } from "./request-comment.ts";
import { renderTasks } from "./tasks-table.ts";
import { renderWarnings } from "./warnings.ts";

const DRAFT = "This pull request is a draft: press **Ready for review** before you merge.";

export type WorkReport = {
  workId: string;
  report: Report;
  /** The run that says so. */
  run: { number: string; url: string };
  /** ISO 8601: when it says so. */
  at: string;
  /** Still at work, since then; else `report.status` is how it ended. */
  runningSince?: string;
};

/** A comment under 60,000 characters, whatever the items hold. */
export function renderStatus(status: WorkReport): string {
  const { report, runningSince } = status;
  const questions = report.questions ?? [];
  const message = runningSince === undefined ? messageOf(report) : report.message;
  const before = [
    writeMarker({ role: "status", workId: status.workId }),
    `## looplia: ${headlineOf(status)}`,
    report.isRehearsal ? `This is an ${REHEARSAL}: every text is taken from the source.` : "",
    message ? fence(message, 2_000) : "",
    report.pullRequest?.isDraft ? DRAFT : "",
    renderQuestions(questions).join("\n").trim(),
    report.items.length > 0 ? renderTotals(report) : "",
  ];
  const after = [renderWarnings(report), asOf(status)];
  const room = COMMENT_LIMIT - bytesOf(join([...before, ...after])) - 500;
  const tasks = tasksOf(report.items);
  const table = tasks ? renderTasks(tasks, room) : renderTable(report.items, room);
  return join([...before, table.trim(), ...after]);
}

/** `waiting for 2 answers`, `running since …`, `completed`, `failed (model-failed)`. */
export function headlineOf({ report, runningSince }: Pick<WorkReport, "report" | "runningSince">): string {
  const open = report.questions?.length ?? 0;
  if (runningSince !== undefined) {
    return `running since ${formatMoment(runningSince)}${open > 0 ? `; ${countQuestions(open)}` : ""}`;
  }
  return open > 0 && report.status === "waiting"
    ? `waiting for ${open === 1 ? "1 answer" : `${open} answers`}`
    : `${stateOf(report.status, report.reasonCode)}${open > 0 ? `; ${countQuestions(open)}` : ""}`;
}

/** A run that was killed says nothing more: so the comment always says whose word it is. */
function asOf({ run, at, runningSince, report }: WorkReport): string {
  const words = `As of ${link(`run ${escapeInline(run.number)}`, run.url)}, ${formatMoment(at)}.`;
  const stale =
    runningSince === undefined ? "" : " If that run is over, comment `/status` to bring this up to date.";
  const what = report.pipeline === "tasks" ? "task" : "output";
  return `${words}${stale} Commands: \`/status\`, \`/cancel\`, \`/retry <${what}>\`, \`/looplia <text>\`.`;
}
