// The status comment and the check of a work: edited in place, at most eight times a run.
import type { PullRequest } from "../../ports/repository.ts";
import { renderCheck } from "../../publish/check-run.ts";
import { renderStatus, type WorkReport } from "../../publish/status-comment.ts";
import { isObject } from "../../session/json.ts";
import { runUrlOf, type Telling, type WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** Of eight that are allowed; requests of GitHub's are counted. */
const EDITS_WHILE_RUNNING = 3;

const edits = new WeakMap<object, number>();

/** Posts or edits the status comment; one that somebody deleted is posted anew. */
export async function projectStatus(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  telling: Telling,
): Promise<void> {
  const used = edits.get(run.told) ?? 0;
  if (telling.runningSince !== undefined && used >= EDITS_WHILE_RUNNING) return;
  edits.set(run.told, used + 1);
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
async function projectCheck(run: WakeRun, work: WorkInHand, status: WorkReport): Promise<void> {
  const headSha = work.stateRef.branchTip;
  if (headSha === undefined) return;
  const known = work.state.check;
  const id = known?.headSha === headSha ? { id: known.checkId } : {};
  const checkId = await run.discussion.saveCheck({ ...renderCheck(status), headSha, ...id });
  if (checkId === undefined || (known?.checkId === checkId && known.headSha === headSha)) return;
  await work.note({ type: "CheckSaved", payload: { checkId, headSha } });
}

function workReport(run: WakeRun, work: WorkInHand, telling: Telling): WorkReport {
  return {
    workId: work.workId,
    report: telling.report,
    run: { number: run.facts.runNumber, url: runUrlOf(run) },
    at: run.clock.now().toISOString(),
    ...(telling.runningSince === undefined ? {} : { runningSince: telling.runningSince }),
    warnings: run.warnings,
    isStatePublic: isPublic(run.event.payload) && run.found.settings.stateKey === undefined,
  };
}

/** As the event says; where it does not, nothing is claimed. */
function isPublic(payload: unknown): boolean {
  const repository = isObject(payload) ? payload.repository : undefined;
  return isObject(repository) && repository.private === false;
}
