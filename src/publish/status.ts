// The status comment, the check and the replies to refused commands. Pure.
import { loginOf, toPlainLine } from "../core/json.ts";
import type { CheckRun } from "../core/ports-host.ts";
import type { StandingApproval } from "../core/work-state.ts";
import {
  codeSpan,
  cutMarkdown,
  escapeInline,
  fence,
  fenceShown,
  formatMoment,
  link,
  mention,
  mentionAll,
  sentence,
} from "./markdown.ts";
import { failureText, REHEARSAL, type RunReport, writeMarker } from "./report.ts";
import { COMMENT_LIMIT, join } from "./request.ts";
import {
  bytesOf,
  countQuestions,
  endOf,
  renderQuestions,
  renderTable,
  renderTotals,
  renderUnderWay,
  renderWarnings,
} from "./tables.ts";

// A work's only comment that is edited in place: the current status and the run that reported it. Pure.

const DRAFT = "This pull request is a draft: press **Ready for review** before you merge.";

export type WorkReport = {
  workId: string;
  report: RunReport;
  /** The run that reports the status. */
  run: { number: string; url: string };
  /** ISO 8601: when it was reported. */
  at: string;
  /** The run is active since then; otherwise `report.status` says how it ended. */
  runningSince?: string;
};

/** A comment under 60,000 characters, however many items there are. */
export function renderStatus(status: WorkReport): string {
  const { report, runningSince } = status;
  const questions = report.questions ?? [];
  const message = runningSince === undefined ? failureText(report) : report.message;
  const before = [
    writeMarker({ role: "status", workId: status.workId }),
    `## looplia: ${headlineOf(status)}`,
    report.isRehearsal ? `This is an ${REHEARSAL}: every text is taken from the source.` : "",
    message ? fence(message, 2_000) : "",
    report.pullRequest?.isDraft ? DRAFT : "",
    renderQuestions(questions, { isCounted: true }).join("\n").trim(),
    renderStanding(report.standing ?? []),
    report.items.length > 0 ? renderTotals(report) : renderUnderWay(report),
  ];
  const after = [renderWarnings(report), asOf(status)];
  const room = COMMENT_LIMIT - bytesOf(join([...before, ...after])) - 500;
  const table = renderTable(report.items, room);
  return join([...before, table.trim(), ...after]);
}

/** Limits on the number of approvals and on the length of a command. */
const MOST_STANDING = 20;
const COMMAND_ROOM = 200;

function renderStanding(standing: readonly StandingApproval[]): string {
  if (standing.length === 0) return "";
  const lines = standing.slice(0, MOST_STANDING).map(({ number, commands, actorIds, at }) => {
    const shown = commands.map((command) => codeSpan(cutMarkdown(command, COMMAND_ROOM))).join(", ");
    const people = actorIds.map((actor) => escapeInline(loginOf(actor))).join(", ");
    return `- **${number}** ${shown}: by ${people}, ${formatMoment(at)}; to end it: \`/revoke ${number}\``;
  });
  const more = standing.length - lines.length;
  return [
    "**Approved for the rest of this work:**",
    "",
    ...lines,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join("\n");
}

/** `waiting for 2 answers`, `running since …`, `completed`, `2 of 3 kits made; content/c.md is empty`. */
function headlineOf({ report, runningSince }: Pick<WorkReport, "report" | "runningSince">): string {
  const open = report.questions?.length ?? 0;
  if (runningSince !== undefined) {
    return `running since ${formatMoment(runningSince)}${open > 0 ? `; ${countQuestions(open)}` : ""}`;
  }
  return open > 0 && report.status === "waiting"
    ? `waiting for ${open === 1 ? "1 answer" : `${open} answers`}`
    : `${endOf(report)}${open > 0 ? `; ${countQuestions(open)}` : ""}`;
}

/** A killed run reports nothing more, so the comment always names the run that reported the status. */
function asOf(status: WorkReport): string {
  const { runningSince, report } = status;
  const words = `As of ${runOf(status)}.`;
  const stale = runningSince === undefined ? "" : " If that run has ended, comment `/status` to update this.";
  const what = report.pipeline === "tasks" ? "task" : "output";
  return `${words}${stale} Commands: \`/status\`, \`/cancel\`, \`/retry <${what}>\`, \`/looplia <text>\`.`;
}

function runOf({ run, at }: WorkReport): string {
  return `${link(`run ${escapeInline(run.number)}`, run.url)}, ${formatMoment(at)}`;
}

/** A check run without the values that only the caller knows: the commit, and the check to update. */
export function renderCheck(status: WorkReport): Omit<CheckRun, "headSha" | "id"> {
  const [question] = status.report.questions ?? [];
  return {
    name: `looplia (${status.workId})`,
    conclusion: conclusionOf(status),
    title: cutMarkdown(toPlainLine(headlineOf(status)), 200),
    summary: renderStatus(status),
    detailsUrl: question?.commentUrl ?? status.run.url,
  };
}

function conclusionOf({ report, runningSince }: WorkReport): CheckRun["conclusion"] {
  if (runningSince !== undefined || (report.questions?.length ?? 0) > 0) return "neutral";
  if (report.reasonCode === "closed") return "cancelled";
  switch (report.status) {
    case "completed":
      return "success";
    case "failed":
      return "failure";
    default:
      return "neutral";
  }
}

/** The same when the work's state is unreadable; `addressed`: logins and `@org/team` to notify. */
export function renderDamage(status: WorkReport, addressed: readonly string[]): string {
  const { report } = status;
  const told = addressed.length > 0 ? `${mentionAll(addressed)}: the` : "The";
  return join([
    writeMarker({ role: "status", workId: status.workId }),
    `## looplia: ${headlineOf(status)}`,
    `${told} state of this work can't be read. The work is stopped, and no answer counts, until the state is restored or the work is restarted:`,
    fence(report.message ?? "", 2_000),
    "To start a new state from what is on the branch (needs write access; the damaged state is kept):",
    fenceShown("/looplia restart"),
    `As of ${runOf(status)}.`,
  ]);
}

// One comment for a command that was refused, or that needs an answer in words. Pure.

type Reply = {
  workId: string;
  /** The comment to reply to, and its author's login; null for a deleted account. */
  commentId: number;
  author: string | null;
};

/** Says that a work started over, and where the earlier state is kept. */
export function renderRestarted(
  { workId, commentId, author }: Reply,
  { ref, commit }: { ref?: string; commit?: string },
): string {
  const kept =
    ref === undefined
      ? "The earlier state was gone."
      : `The earlier state is kept at ${codeSpan(ref)} (commit ${codeSpan(commit ?? "")}).`;
  const said = `${kept} A new one was started from what is on the branch. Earlier answers do not count again; anything still needed is asked again.`;
  const to = author === null ? "" : `${mention(author)}: `;
  return join([writeMarker({ role: "reply", workId, commentId }), `${to}${said}`]);
}

/**
 * What was refused, or was accepted without effect (`isVain`), why, and what to do instead. `command` is the
 * line as written; `copy` are commands to copy.
 */
export function renderRefusal(
  { workId, commentId, author }: Reply,
  refused: {
    command: string;
    reason: string;
    whatToDo: string;
    copy?: readonly string[];
    isVain?: boolean;
  },
): string {
  const { command, reason, whatToDo, copy = [], isVain = false } = refused;
  const line = codeSpan(cutMarkdown(command.split("\n")[0] ?? "", 200));
  const said = `${line} ${isVain ? "let nothing run" : "was refused"}: ${sentence(reason)} ${sentence(whatToDo)}`;
  const markdown = [said, ...copy.map((each) => fenceShown(each))].join("\n\n");
  const to = author === null ? "" : `${mention(author)}: `;
  return join([writeMarker({ role: "reply", workId, commentId }), `${to}${markdown}`]);
}
