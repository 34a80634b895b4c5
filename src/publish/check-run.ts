// The check of a work: neutral while a question is open, so that it blocks nothing and claims nothing. Pure.
import type { CheckRun } from "../ports/discussion.ts";
import { toPlainLine } from "../session/plain-text.ts";
import { cut } from "./markdown.ts";
import { headlineOf, renderStatus, type WorkReport } from "./status-comment.ts";

/** A check run without what only the caller knows: the commit, and the check that is continued. */
export function renderCheck(status: WorkReport): Omit<CheckRun, "headSha" | "id"> {
  const [question] = status.report.questions ?? [];
  return {
    name: `looplia (${status.workId})`,
    conclusion: conclusionOf(status),
    title: cut(toPlainLine(headlineOf(status)), 200),
    summary: renderStatus(status),
    detailsUrl: question?.commentUrl ?? status.run.url,
  };
}

function conclusionOf({ report, runningSince }: WorkReport): CheckRun["conclusion"] {
  if (runningSince !== undefined || (report.questions?.length ?? 0) > 0) return "neutral";
  switch (report.status) {
    case "completed":
      return "success";
    case "failed":
      return "failure";
    case "ignored":
      return report.reasonCode === "closed" ? "cancelled" : "neutral";
    default:
      return "neutral";
  }
}
