// Title and text of the pull request, and commit messages. People's own edits are kept. Pure.
import { groupBy, sha256Of } from "../core/json.ts";
import type { TodoEnd } from "../core/ports.ts";
import { RUN_TRAILER, STEP_TRAILER } from "../core/ports-host.ts";
import type { KitSection, KitView, Result } from "../core/result.ts";
import { codeSpan, escapeInline, formatCount, link, listWords, plainTitle } from "./markdown.ts";
import { countTasks, REHEARSAL, type RunReport, sayFailures, tasksOf } from "./report.ts";
import {
  renderChangedRules,
  renderEdits,
  renderQuestions,
  renderTable,
  stateOfItem,
  viewArtifacts,
} from "./tables.ts";

// The conventional message of a task's commit, with trailers. Others' text can't mention people, close issues
// or skip CI, and never reaches the last paragraph, which has the trailers. Pure.

type CommittedTask = {
  sessionId: string;
  outputs: readonly string[];
  status: "completed" | "failed";
  isRehearsal: boolean;
  /** `<run id>.<attempt>` of the Action. */
  run: string;
};

/** `content(<slug>): add <outputs>`, with a trailer for the session, each step and the run. */
export function writeCommitMessage(task: CommittedTask): string {
  const slug = task.sessionId.replace(/-\d{4}-\d{2}-\d{2}-[0-9a-f]{6}$/, "").slice(0, 50);
  const outputs = listWords(task.outputs);
  const change = task.status === "completed" ? `add ${outputs}` : `note that ${outputs} failed`;
  const note = task.isRehearsal ? [`This is an ${REHEARSAL}.`, ""] : [];
  return [
    `content(${slug}): ${change}`,
    "",
    ...note,
    `Looplia-Session: ${task.sessionId}`,
    ...task.outputs.map((output) => `${STEP_TRAILER}: ${output}`),
    `${RUN_TRAILER}: ${task.run}`,
    "",
  ].join("\n");
}

type CommittedTodo = TodoEnd & {
  sessionId: string;
  id: string;
  title: string;
  /** `<run id>.<attempt>` of the Action. */
  run: string;
};

/** Kinds of change (conventional commits), by the words that task lists use for them. */
const KINDS = new Map(
  Object.entries({
    feat: ["feat", "feature", "enhancement"],
    fix: ["fix", "bug", "bugfix"],
    docs: ["docs", "doc", "documentation"],
    test: ["test", "tests", "testing"],
    refactor: ["refactor", "refactoring", "cleanup"],
    perf: ["perf", "performance"],
    build: ["build", "deps", "dependencies"],
    ci: ["ci"],
    style: ["style"],
  }).flatMap(([kind, words]) => words.map((word) => [word, kind] as const)),
);
const SUBJECT = 72;
const LINE = 200;
const LINES = 60;

/** `<kind>: <title>` with the summary, then a trailer for the session, the task and the run. */
export function writeTodoMessage(task: CommittedTodo): string {
  const { sessionId, id, said, run } = task;
  const lines = said.trim().split("\n");
  const shown = lines.slice(0, LINES).map((line) => plainTitle(line, LINE));
  const body = lines.length > LINES ? [...shown, "…"] : shown;
  return [
    plainTitle(subjectOf(task), SUBJECT),
    "",
    ...(body.join("").trim() === "" ? [] : [body.join("\n").trim(), ""]),
    `Looplia-Session: ${sessionId}`,
    `Looplia-Task: ${plainTitle(id, LINE)}`,
    `${RUN_TRAILER}: ${run}`,
    "",
  ].join("\n");
}

function subjectOf({ label, tags, id, title }: CommittedTodo): string {
  if (label === "blocked") return `chore: note that ${id} is blocked`;
  if (label === "skipped") return `chore: leave ${id} for later`;
  if (label === "removed") return `chore: end ${id}, which left the list`;
  if (label === "todo") return `chore: put ${id} back`;
  const kind = tags.flatMap((tag) => KINDS.get(tag.toLowerCase()) ?? [])[0] ?? "chore";
  return `${kind}: ${/[\p{L}\p{N}\p{P}\p{S}]/u.test(title) ? title : `do ${id}`}`;
}

/** Below the API's limit (65,536), so that a person can add text. */
const LIMIT = 60_000;
/** Minimum length of our part; when the API's limit leaves less, the text stays unchanged. */
const LEAST = 1_000;
const MOST = 65_000;
/** Items in full; of more, the text has the counts. */
const SHOWN = 20;
const END = "<!-- looplia:end -->";
/** Prefix of a title while a question is open. */
const MARK = "[question] ";
/** GitHub's limit. */
const LONGEST_TITLE = 256;

type PullRequestText = { title: string; body: string };

/** A new title and text, or an existing pull request's with our part updated. */
export function writePullRequest(
  workId: string,
  report: RunReport,
  existing?: PullRequestText,
): PullRequestText {
  const title = titleFor(workId, report);
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

/** The title without the prefix for an open question. */
export function withoutMark(title: string): string {
  return title.startsWith(MARK) ? title.slice(MARK.length) : title;
}

/** A title without room for the prefix stays unchanged. */
function markTitle(title: string, { questions = [] }: RunReport): string {
  const marked = questions.length > 0 ? MARK + title : title;
  return marked.length > LONGEST_TITLE ? title : marked;
}

function titleFor(workId: string, report: RunReport): string {
  const { titleTemplate, items } = report;
  if (titleTemplate === undefined) return titleOf(report);
  const names = namesOf(report);
  const values = new Map([
    ["work", workId],
    ["items", String(tasksOf(items)?.length ?? names.length)],
    ["first", names[0] || workId],
  ]);
  const written = titleTemplate.replace(/\{\{ ?(\w+) ?\}\}/g, (whole, name) => values.get(name) ?? whole);
  return plainTitle(written, 200);
}

function titleOf(report: RunReport): string {
  if (report.pipeline === "tasks") return tasksTitle(report);
  const [only, ...others] = namesOf(report);
  const failures = report.status === "failed" ? sayFailures(report) : undefined;
  const several = failures ?? `${others.length + (only === undefined ? 0 : 1)} items`;
  const what = only !== undefined && others.length === 0 ? only : several;
  const suffix = report.isRehearsal ? ` (${REHEARSAL})` : "";
  return plainTitle(`content(${report.pipeline}): ${what}`, 200 - suffix.length) + suffix;
}

function tasksTitle({ items: [list] }: RunReport): string {
  const name = list?.title ?? "";
  const what =
    name === "" || name === list?.source ? `work through ${list?.source ?? "the task list"}` : name;
  return plainTitle(`chore: ${what}`, 200);
}

function introOf({ pipeline, items, isRehearsal }: RunReport): string {
  const tasks = tasksOf(items);
  if (tasks) return `${countTasks(tasks)}: ${codeSpan(items[0]?.source ?? "")}, one commit per task.`;
  if (pipeline === "tasks") return "The tasks of a list, one commit per task.";
  return isRehearsal
    ? `An ${REHEARSAL}: every text below is taken from its source.`
    : `Artifacts of the pipeline ${escapeInline(pipeline)}, each checked against its schema.`;
}

function writeOurs(workId: string, report: RunReport, title: string, room: number): string {
  const begin = `<!-- looplia:work ${workId} ${digest(title)} -->`;
  const intro = introOf(report);
  const questions = renderQuestions(report.questions ?? [])
    .join("\n")
    .trim();
  const atWork = report.underWay ? "A run is at work on this; the status comment shows its progress." : "";
  const head = [begin, renderChangedRules(report), intro, atWork, questions].filter((part) => part !== "");
  const parts: string[] = [];
  let left = room - head.join("\n\n").length - END.length - 200;
  const tasks = tasksOf(report.items);
  if (tasks) return [...head, renderTable(report.items, left).trim(), END].join("\n\n");
  if (report.items.length > SHOWN) head.push(countItems(report.items));
  for (const item of report.items) {
    const part = writeItem(item, report);
    left -= part.length + 2;
    if (left < 0 || parts.length === SHOWN) {
      parts.push(`… and ${report.items.length - parts.length} more: see the summary of the run.`);
      break;
    }
    parts.push(part);
  }
  return [...head, ...parts, END].join("\n\n");
}

function countItems(items: readonly Result[]): string {
  const counts = [...groupBy(items, ({ status }) => status)].map(([status, of]) => `${of.length} ${status}`);
  return `${items.length} items: ${counts.join(", ")}.`;
}

function writeItem(item: Result, { isRehearsal, filesUrl }: RunReport): string {
  const steps = item.steps
    .map((step) => `${escapeInline(step.output)} ${step.status.replace("_", " ")}`)
    .join(", ");
  const lines = [
    `### ${escapeInline(item.title || item.source)}`,
    "",
    [`${escapeInline(item.source)}: ${stateOfItem(item)}`, steps].filter((part) => part !== "").join("; "),
    ...(item.notice && !isRehearsal ? ["", escapeInline(item.notice)] : []),
    ...renderEdits(item),
    ...(item.folder ? ["", renderFiles(item.folder, item.files, filesUrl)] : []),
    "",
    ...(item.kit ? renderKit(item.kit) : viewArtifacts(item.artifacts)),
  ];
  return lines.join("\n").trimEnd();
}

/** True when a pull request's text has the part that this work wrote. */
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

// A writing kit as people see it: the choices, the plan of the text, and further material. Pure.

/** Maximum number of a kit's sections that a pull request shows. */
const MANY = 12;

/** The kit as a collapsed block: Markdown lines. */
function renderKit(kit: KitView): string[] {
  const { angle, hook, otherAngles, otherHooks, questions } = kit;
  const sections = kit.sections.slice(0, MANY);
  return [
    // Only the program's own words: a line of HTML is not Markdown, so text could not be escaped there.
    `<details><summary>The kit: ${sizeOf(kit)}</summary>`,
    "",
    ...(angle ? [`**Angle: ${escapeInline(angle.title)}** – ${escapeInline(angle.description)}`, ""] : []),
    ...(hook ? [`**Hook (${escapeInline(hook.type)}):** ${escapeInline(hook.text)}`, ""] : []),
    ...sections.flatMap(renderSection),
    ...listOf(
      "Other angles",
      otherAngles.map(({ title }) => title),
    ),
    ...listOf(
      "Other hooks",
      otherHooks.map(({ text }) => text),
    ),
    ...listOf(
      "Questions",
      questions.map(({ question }) => question),
    ),
    "</details>",
  ];
}

/** `5 sections, about 1,000 words` */
function sizeOf({ sections }: KitView): string {
  const words = sections.reduce((sum, section) => sum + (section.words ?? 0), 0);
  const length = words > 0 ? `, about ${formatCount(Math.round(words))} words` : "";
  return `${sections.length} ${sections.length === 1 ? "section" : "sections"}${length}`;
}

function renderSection({ heading, notes, keyPoints, words, quotes }: KitSection, at: number): string[] {
  const length = words === undefined ? "" : ` (about ${words} words)`;
  return [
    `**${at + 1}. ${escapeInline(heading, 200)}**${length}`,
    "",
    escapeInline(notes),
    "",
    ...keyPoints.slice(0, MANY).map((point) => `- ${escapeInline(point, 300)}`),
    ...quotes.map(({ text, place }) => `- “${escapeInline(text, 300)}” (${escapeInline(place, 100)})`),
    "",
  ];
}

function listOf(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return [`*${title}*`, "", ...texts.slice(0, MANY).map((text) => `- ${escapeInline(text, 300)}`), ""];
}

/** The folder of a session; its files are links if `filesUrl` is known. */
function renderFiles(folder: string, files: readonly string[] = [], filesUrl?: string): string {
  const urlOf = (name: string) => `${filesUrl}/${folder}/${name}`;
  const names = files.map((name) =>
    filesUrl === undefined ? escapeInline(name) : link(escapeInline(name), urlOf(name)),
  );
  return [`Folder: ${escapeInline(folder)}`, ...(names.length > 0 ? [names.join(" · ")] : [])].join("\n\n");
}

/** Titles of the items, or of those whose steps a run at work has ended. */
function namesOf({ items, underWay = [] }: RunReport): string[] {
  if (items.length > 0) return items.map(({ title, source }) => title || source);
  return [
    ...new Map(underWay.map(({ sessionId, title, todo }) => [todo ? title : sessionId, title])).values(),
  ];
}
