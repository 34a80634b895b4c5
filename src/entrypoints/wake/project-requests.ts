// One comment a question: posted once, and edited when the question has ended.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PullRequest } from "../../ports/repository.ts";
import { artifactName } from "../../publish/artifact-name.ts";
import {
  type Attachment,
  attachmentOf,
  type RequestAround,
  renderRequest,
} from "../../publish/request-comment.ts";
import { renderAnswered, renderClosed } from "../../publish/settled-comment.ts";
import { outcomeOf } from "../action/outcome.ts";
import { wordOf } from "./owed.ts";
import { runUrlOf, type WakeRun } from "./wake-run.ts";
import type { WorkInHand, WorkQuestion } from "./work-in-hand.ts";

const CHANGED = "Somebody changed this comment, so it is asked again in another one.";
const UPLOAD_MS = 60_000;

/** Posts the question's comment; what a comment can't hold is uploaded first. */
export async function askPeople(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  { request, sessionId, auditHead }: WorkQuestion,
): Promise<void> {
  const { approvers, minApprovals, selfApproval } = run.found.settings;
  const { source, tasks } = run.told.items.find((item) => item.sessionId === sessionId) ?? {};
  const task = tasks?.find(({ id }) => id === request.taskId);
  const attachment = attachmentOf(request);
  const attachmentUrl = attachment && (await upload(run, attachment));
  const around: RequestAround = {
    workId: work.workId,
    approvers,
    minApprovals,
    selfApproval,
    run: {
      number: run.facts.runNumber,
      url: runUrlOf(run),
      ...(run.facts.actorId === undefined ? {} : { actor: run.facts.actorId }),
    },
    auditHead,
    ...(source === undefined ? {} : { source }),
    ...(task ? { task } : {}),
    ...(attachmentUrl === undefined ? {} : { attachmentUrl }),
  };
  const { body, isComplete } = renderRequest(request, around);
  const { interactionId } = request;
  const changed = work.state.changedComments.get(interactionId);
  if (changed !== undefined) {
    const closing = { how: "superseded", reason: CHANGED } as const;
    const place = { workId: work.workId, pullRequestUrl: pullRequest.url };
    await run.discussion.editComment(changed, renderClosed(request, place, closing));
  }
  const posted = await run.discussion.postComment(pullRequest.number, body);
  const { id: commentId, createdAt, author } = posted;
  await work.note({
    type: "CommentPosted",
    payload: {
      role: "request",
      interactionId,
      commentId,
      createdAt,
      authorId: author?.id ?? 0,
      ...(isComplete ? {} : { isCut: true }),
    },
  });
}

/** The artifact's address, or undefined where it could not be uploaded: then the comment says so. */
async function upload(run: WakeRun, { name, text }: Attachment): Promise<string | undefined> {
  const folder = join(run.temporary, "attachments", name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
  const { workId } = run.work;
  const artifact = `${artifactName({ workId, ...run.facts })}-${name.replace(/\.txt$/, "")}`;
  const retentionDays = run.found.settings.retentionDays;
  try {
    const id = await run.wiring.uploadFolder({ name: artifact, folder, retentionDays, timeoutMs: UPLOAD_MS });
    return id === undefined ? undefined : `${runUrlOf(run)}/artifacts/${id}`;
  } catch (thrown) {
    const { message = "" } = outcomeOf(thrown);
    run.observe({ type: "notice", level: "warning", message });
    return undefined;
  }
}

/** Edits the comment of a question that ended; one that somebody deleted is left so. */
export async function settleRequest(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  question: WorkQuestion,
): Promise<void> {
  const { interactionId } = question.request;
  const comment = work.state.requestComments.get(interactionId);
  if (!comment) return;
  const body = renderEnd(work, pullRequest.url, question);
  await run.discussion.editComment(comment.commentId, body);
  const inVain = question.inVain && wordOf(question.inVain);
  await work.note({
    type: "RequestSettled",
    payload: { interactionId, ...(inVain === undefined ? {} : { inVain }) },
  });
}

function renderEnd(work: WorkInHand, pullRequestUrl: string, question: WorkQuestion): string {
  const { request, response, closed, approvals, inVain } = question;
  const around = { workId: work.workId, pullRequestUrl };
  if (response) {
    const earlier = approvals.filter(({ actorId }) => actorId !== response.authorActorId);
    const again = inVain?.again && work.state.requestComments.get(inVain.again)?.commentId;
    const more = inVain && { ...inVain, ...(again ? { commentId: again } : {}) };
    return renderAnswered(request, around, response, { earlier, ...(more ? { inVain: more } : {}) });
  }
  switch (closed?.why) {
    case "expired":
      return renderClosed(request, around, { how: "expired", at: closed.at ?? request.expiresAt ?? "" });
    case "canceled":
      return renderClosed(request, around, { how: "canceled", reason: "Its task was canceled." });
    default:
      return renderClosed(request, around, { how: "superseded", reason: "Its task has ended." });
  }
}
