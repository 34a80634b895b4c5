// The one pull request of a work: opened when there is something to see or to decide, its text kept up to date.
import { LoopliaError } from "../../errors.ts";
import { withoutMark, writePullRequest } from "../../publish/pull-request.ts";
import type { Report } from "../../publish/report.ts";
import { listQuestions } from "./list-questions.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** Opens it where there is none, with the open questions in its title and text. Fails where people could not see them. */
export async function openPullRequest(run: WakeRun, work: WorkInHand, report: Report): Promise<void> {
  if (run.work.pullRequest) return;
  const { branch, workId } = run.work;
  const questions = await listQuestions(run, work);
  const text = writePullRequest(workId, { ...report, questions });
  const opened = await run.host.openPullRequest({ branch, base: run.found.base, ...text });
  if (!opened && questions.length > 0) {
    throw new LoopliaError("host-failed", `GitHub sees no commits on ${branch}, so nobody can be asked`, {
      hint: "run again: the branch and the questions are saved",
    });
  }
  if (!opened) return;
  run.work.pullRequest = opened;
  run.told.pullRequest = opened;
  await work.note({ type: "PullRequestOpened", payload: { number: opened.number, url: opened.url } });
}

/** Brings title and text up to date; what people wrote around them stays. Fails with `closed` where it was closed. */
export async function writeDescription(run: WakeRun, report: Report): Promise<void> {
  const existing = run.work.pullRequest;
  if (!existing) return;
  // What was closed before keeps its text, because the status comment tells; only the mark of a question ends with it.
  const text =
    existing.state === "closed"
      ? { title: withoutMark(existing.title), body: existing.body }
      : writePullRequest(run.work.workId, report, existing);
  if (text.title === existing.title && text.body === existing.body) return;
  const fresh = await run.host.updatePullRequest(existing.number, text);
  run.work.pullRequest = fresh;
  run.told.pullRequest = fresh;
  if (fresh.state !== "closed" || existing.state === "closed") return;
  throw new LoopliaError("closed", `pull request ${fresh.number} was closed while the run was at work`, {
    hint: `the results are on ${run.work.branch}; the next run begins a new work from ${run.found.base}`,
  });
}
