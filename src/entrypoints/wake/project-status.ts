// The status comment and the check of a work: edited in place.
import type { PullRequest } from "../../ports/repository.ts";
import { renderCheck } from "../../publish/check-run.ts";
import { renderStatus, type WorkReport } from "../../publish/status-comment.ts";
import { runUrlOf, type Telling, type WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

type StatusRun = Pick<WakeRun, "discussion" | "facts" | "clock" | "statusEdits">;
type StatusWork = Pick<WorkInHand, "workId" | "state" | "note" | "stateRef">;

/** Posts or edits the status comment, as often as a run may; one that somebody deleted is posted anew. */
export async function projectStatus(
  run: StatusRun,
  work: StatusWork,
  pullRequest: PullRequest,
  telling: Telling,
): Promise<void> {
  if (!run.statusEdits.take({ isRunning: telling.runningSince !== undefined })) return;
  const status = workReport(run, work, telling);
  const body = renderStatus(status);
  const known = work.state.statusComment;
  const edited = known === undefined ? undefined : await run.discussion.editComment(known, body);
  if (!edited) {
    const { id: commentId, createdAt, author } = await run.discussion.postComment(pullRequest.number, body);
    const authorId = author?.id ?? 0;
    await work.note({ type: "CommentPosted", payload: { role: "status", commentId, createdAt, authorId } });
  }
  if (telling.runningSince === undefined) await projectCheck(run, work, status);
}

/** A check belongs to a commit: on another one it is another check. */
async function projectCheck(run: StatusRun, work: StatusWork, status: WorkReport): Promise<void> {
  const headSha = work.stateRef.branchTip;
  if (headSha === undefined) return;
  const known = work.state.check;
  const id = known?.headSha === headSha ? { id: known.checkId } : {};
  const checkId = await run.discussion.saveCheck({ ...renderCheck(status), headSha, ...id });
  if (checkId === undefined || (known?.checkId === checkId && known.headSha === headSha)) return;
  await work.note({ type: "CheckSaved", payload: { checkId, headSha } });
}

function workReport(run: StatusRun, work: StatusWork, telling: Telling): WorkReport {
  return {
    workId: work.workId,
    report: telling.report,
    run: { number: run.facts.runNumber, url: runUrlOf(run) },
    at: run.clock.now().toISOString(),
    ...(telling.runningSince === undefined ? {} : { runningSince: telling.runningSince }),
  };
}
