// Title and text of the one pull request. What a person writes around our part, and a title of theirs, stay. Pure.
import { sha256Of } from "../session/hash.ts";
import { renderEdits, stateOf } from "./items-table.ts";
import { viewArtifacts } from "./kit-view.ts";
import { codeSpan, escapeInline, plainTitle } from "./markdown.ts";
import { renderQuestions } from "./questions-list.ts";
import { countTasks, REHEARSAL, type Report, type ReportItem, tasksOf } from "./report.ts";
import { renderTasks } from "./tasks-table.ts";

/** Below what the API takes (65,536), so that a person can add to it. */
const LIMIT = 60_000;
/** Ours is never shorter; where the API's limit leaves less, the text stays as it is. */
const LEAST = 1_000;
const MOST = 65_000;
const END = "<!-- looplia:end -->";
/** How a title begins while a question is open. */
const MARK = "[question] ";
/** What GitHub takes. */
const LONGEST_TITLE = 256;

export type PullRequestText = { title: string; body: string };

/** A fresh title and text, or those of an existing pull request brought up to date. */
export function writePullRequest(
  workId: string,
  report: Report,
  existing?: PullRequestText,
): PullRequestText {
  const title = titleOf(report);
  const ours = findOurs(existing?.body ?? "", workId);
  const theirs = existing && existing.body.trim() !== "" ? `${existing.body.trim()}\n\n` : "";
  const { before, after } = ours ?? { before: theirs, after: "" };
  const taken = before.length + after.length;
  const standing = existing && withoutMark(existing.title);
  const isTheirs = standing !== undefined && digest(standing) !== ours?.titleDigest;
  const marked = markTitle(isTheirs ? standing : title, report);
  if (existing && taken + LEAST > MOST)
    return { title: markTitle(standing ?? title, report), body: existing.body };
  const body = before + writeOurs(workId, report, title, Math.max(LEAST, LIMIT - taken)) + after;
  return { title: marked, body };
}

/** The title as it is when no question is open. */
export function withoutMark(title: string): string {
  return title.startsWith(MARK) ? title.slice(MARK.length) : title;
}

/** A title that has no room for the mark stays as its author wrote it. */
function markTitle(title: string, { questions = [] }: Report): string {
  const marked = questions.length > 0 ? MARK + title : title;
  return marked.length > LONGEST_TITLE ? title : marked;
}

function titleOf(report: Report): string {
  if (report.pipeline === "tasks") return tasksTitle(report);
  const [only, ...others] = report.items;
  const what = only && others.length === 0 ? only.title || only.source : `${report.items.length} items`;
  const suffix = report.isRehearsal ? ` (${REHEARSAL})` : "";
  return plainTitle(`content(${report.pipeline}): ${what}`, 200 - suffix.length) + suffix;
}

function tasksTitle({ items: [list] }: Report): string {
  const name = list?.title ?? "";
  const what =
    name === "" || name === list?.source ? `work through ${list?.source ?? "the task list"}` : name;
  return plainTitle(`chore: ${what}`, 200);
}

function introOf({ pipeline, items, isRehearsal }: Report): string {
  const tasks = tasksOf(items);
  if (tasks) return `${countTasks(tasks)}: ${codeSpan(items[0]?.source ?? "")}, one commit a task.`;
  if (pipeline === "tasks") return "The tasks of a list, one commit a task.";
  return isRehearsal
    ? `An ${REHEARSAL}: every text below is taken from its source.`
    : `Artifacts of the pipeline ${escapeInline(pipeline)}, each checked against its schema.`;
}

function writeOurs(workId: string, report: Report, title: string, room: number): string {
  const begin = `<!-- looplia:work ${workId} ${digest(title)} -->`;
  const intro = introOf(report);
  const questions = renderQuestions(report.questions ?? [])
    .join("\n")
    .trim();
  const head = questions === "" ? [begin, intro] : [begin, intro, questions];
  const parts: string[] = [];
  let left = room - head.join("\n\n").length - END.length - 200;
  const tasks = tasksOf(report.items);
  if (tasks) return [...head, renderTasks(tasks, left).trim(), END].join("\n\n");
  for (const item of report.items) {
    const part = writeItem(item, report);
    left -= part.length + 2;
    if (left < 0) {
      parts.push(`… and ${report.items.length - parts.length} more: see the summary of the run.`);
      break;
    }
    parts.push(part);
  }
  return [...head, ...parts, END].join("\n\n");
}

function writeItem(item: ReportItem, { isRehearsal }: Report): string {
  const steps = item.steps
    .map((step) => `${escapeInline(step.output)} ${step.status.replace("_", " ")}`)
    .join(", ");
  const lines = [
    `### ${escapeInline(item.title || item.source)}`,
    "",
    `${escapeInline(item.source)}: ${stateOf(item.status, item.reasonCode)}${steps ? `; ${steps}` : ""}`,
    ...(item.message && item.status !== "completed" ? ["", escapeInline(item.message)] : []),
    ...(item.notice && !isRehearsal ? ["", escapeInline(item.notice)] : []),
    ...renderEdits(item),
    ...(item.folder ? ["", `Folder: ${escapeInline(item.folder)}`] : []),
    "",
    ...viewArtifacts(item.artifacts),
  ];
  return lines.join("\n").trimEnd();
}

/** True where a pull request's text has the part that a work wrote there. */
export function isOurDescription(body: string, workId: string): boolean {
  return findOurs(body, workId) !== undefined;
}

function findOurs(body: string, workId: string) {
  const begin = new RegExp(`<!-- looplia:work ${workId} ([0-9a-f]{12}) -->`).exec(body);
  const end = begin ? body.indexOf(END, begin.index) : -1;
  if (!begin || end < 0) return undefined;
  return { before: body.slice(0, begin.index), after: body.slice(end + END.length), titleDigest: begin[1] };
}

function digest(title: string): string {
  return sha256Of(title).slice(0, 12);
}
