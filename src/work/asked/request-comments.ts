// One comment per question: posted once, updated with approvals, and edited when the question ends.
import { mkdir, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import picomatch from "picomatch";
import type { PullRequest } from "../../core/ports-host.ts";
import type { InteractionState } from "../../core/state.ts";
import { personOf } from "../../publish/markdown.ts";
import { artifactName } from "../../publish/report.ts";
import {
  attachmentOf,
  type RequestAround,
  renderExpired,
  renderReminder,
  renderRequest,
} from "../../publish/request.ts";
import { renderAnswered, renderClosed } from "../../publish/settled.ts";
import { outcomeOf, runUrlOf, settle, type WakeRun, type WorkInHand, type WorkQuestion } from "../run.ts";

const CHANGED = "Somebody changed this comment, so the question was asked again in another one.";
const UPLOAD_MS = 60_000;

/** Posts the question's comment; parts too large for a comment are uploaded first. */
export async function askPeople(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  question: WorkQuestion,
): Promise<void> {
  const { request } = question;
  const attachment = attachmentOf(request);
  const attachmentUrl = attachment && (await upload(run, attachment));
  const around = await aroundOf(run, work, question);
  const { body, isComplete } = renderRequest(request, {
    ...around,
    ...(attachmentUrl === undefined ? {} : { attachmentUrl }),
  });
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

async function aroundOf(run: WakeRun, work: WorkInHand, question: WorkQuestion): Promise<RequestAround> {
  const { request, sessionId, auditHead, approvals } = question;
  const { approvers, minApprovals, selfApproval } = run.found.settings;
  const { source, title, tasks } = run.told.items.find((item) => item.sessionId === sessionId) ?? {};
  const docsUrl = docsUrlOf(run);
  const task = tasks?.find(({ id }) => id === request.taskId);
  const changes = await work.stateRef.changesOf(sessionId);
  const bound = Object.values(request.bindings ?? {}).flatMap(({ path }) => path ?? []);
  const own = [...bound, ...(source === undefined ? [] : [source])];
  const paths = [
    ...own.map((path) => posix.join(run.found.folder, path)),
    ...(request.conflict ?? changes?.files ?? []).map(({ path }) => path),
  ];
  const near = await findNear(run, work, question, paths);
  return {
    workId: work.workId,
    approvers,
    minApprovals,
    selfApproval,
    approvedBy: approvals.map(({ actorId }) => actorId),
    run: {
      number: run.facts.runNumber,
      url: runUrlOf(run),
      ...(run.facts.actorId === undefined ? {} : { actor: run.facts.actorId }),
    },
    auditHead,
    ...(source === undefined ? {} : { source }),
    ...(title === undefined ? {} : { title }),
    ...(task ? { task } : {}),
    ...(docsUrl === undefined ? {} : { docsUrl }),
    ...(changes ? { changes } : {}),
    ...(near.length > 0 ? { near } : {}),
    ...(work.state.reminded.has(request.interactionId) ? { isReminder: true } : {}),
  };
}

/** The page in the action's repository at the running version; undefined if the runner does not report it. */
function docsUrlOf({ environment, facts }: WakeRun): string | undefined {
  const { GITHUB_ACTION_REPOSITORY: repository, GITHUB_ACTION_REF: ref } = environment;
  const isPlain = /^[\w.-]+\/[\w.-]+$/.test(repository ?? "") && /^[\w./-]+$/.test(ref ?? "");
  return isPlain ? `${facts.serverUrl}/${repository}/blob/${ref}/docs/answering.md` : undefined;
}

/** Shows the approvals so far in the comment of an open question. */
export async function updateRequest(run: WakeRun, work: WorkInHand, question: WorkQuestion): Promise<void> {
  const { interactionId } = question.request;
  const comment = work.state.requestComments.get(interactionId);
  if (!comment) return;
  const { body } = renderRequest(question.request, await aroundOf(run, work, question));
  const edited = await run.discussion.editComment(comment.commentId, body);
  const editedAt = edited?.updatedAt ?? comment.createdAt;
  await work.note({ type: "RequestEdited", payload: { interactionId, editedAt, shows: showsOf(question) } });
}

/** Reminds after half of the time: edits the comment, and posts a new one so that GitHub notifies people. */
export async function remindPeople(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  question: WorkQuestion,
): Promise<void> {
  const { request } = question;
  const comment = work.state.requestComments.get(request.interactionId);
  if (!comment) return;
  await work.note({ type: "PeopleReminded", payload: { interactionId: request.interactionId } });
  if (!attachmentOf(request)) await updateRequest(run, work, question);
  // A run may have posted the reminder and died before it recorded it.
  if (work.state.refusals.has(comment.commentId)) return;
  const url = `${pullRequest.url}#issuecomment-${comment.commentId}`;
  const around = await aroundOf(run, work, question);
  const reminder = { workId: work.workId, commentId: comment.commentId, url };
  const posted = await run.discussion.postComment(
    pullRequest.number,
    renderReminder(request, around, reminder),
  );
  const { id: commentId, createdAt, author } = posted;
  const payload = { role: "refusal", answers: comment.commentId, commentId, createdAt } as const;
  await work.note({ type: "CommentPosted", payload: { ...payload, authorId: author?.id ?? 0 } });
}

/** An edit notifies nobody, so a question that expired gets a new comment, once: a reply to the last one about it. */
async function tellExpired(
  run: WakeRun,
  work: WorkInHand,
  pullRequest: PullRequest,
  question: WorkQuestion,
): Promise<void> {
  const { request } = question;
  const { requestComments, refusals, reminded } = work.state;
  const asked = requestComments.get(request.interactionId)?.commentId;
  if (asked === undefined) return;
  const reminder = reminded.has(request.interactionId) ? refusals.get(asked) : undefined;
  const commentId = reminder ?? asked;
  if (refusals.has(commentId)) return;
  const url = `${pullRequest.url}#issuecomment-${asked}`;
  const around = await aroundOf(run, work, question);
  const body = renderExpired(request, around, { workId: work.workId, commentId, url });
  const posted = await run.discussion.postComment(pullRequest.number, body);
  const payload = { role: "refusal", answers: commentId, commentId: posted.id } as const;
  const { createdAt, author } = posted;
  await work.note({ type: "CommentPosted", payload: { ...payload, createdAt, authorId: author?.id ?? 0 } });
}

/** The artifact's URL; undefined if the upload failed: then the comment says so. */
async function upload(
  run: WakeRun,
  { name, text }: Record<"name" | "text", string>,
): Promise<string | undefined> {
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

/** Edits the comment of an ended question; a deleted comment is not posted again. */
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
  if (question.closed?.why === "expired") await tellExpired(run, work, pullRequest, question);
  const inVain = afterAnswer(question);
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
    const passedOn = isPassedOn(question) ? { isPassedOn: true as const } : {};
    return renderAnswered(request, around, response, {
      earlier,
      ...passedOn,
      ...(more ? { inVain: more } : {}),
    });
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

/** The part of an open question's state that its comment shows. */
export function showsOf({ approvals }: Pick<InteractionState, "approvals">): string {
  return approvals.map(({ actorId }) => actorId).join(" ");
}

type Answered = Pick<WorkQuestion, "fateOf" | "inVain">;

/**
 * What a comment adds to an answer: why an approval had no effect, or that a newer attempt takes the answer.
 */
export function afterAnswer(question: Answered): string | undefined {
  const { inVain } = question;
  // The new question may appear only later.
  if (inVain) return `${inVain.reason} ${inVain.again ?? ""}`;
  return isPassedOn(question) ? "passed on" : undefined;
}

function isPassedOn({ fateOf }: Answered): boolean {
  const fate = fateOf();
  return fate.kind === "done" && fate.isPassedOn === true;
}

// Whom to mention in a question that no person caused: the owners of its paths, else their last editors.

/** In GitHub's order of precedence. */
const PLACES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];
const MOST = 5;

/**
 * Logins and `@org/team`; empty if `approvers` are set or a person caused the question. An unreadable file
 * names nobody.
 */
async function findNear(
  run: WakeRun,
  work: WorkInHand,
  { request }: Pick<WorkQuestion, "request">,
  paths: readonly string[],
): Promise<string[]> {
  const isLed = (request.startedBy ?? []).some((actor) => personOf(actor) !== undefined);
  if (run.found.settings.approvers.length > 0 || isLed || paths.length === 0) return [];
  const find = async (): Promise<string[]> => {
    const owners = ownersOf(await readOwners(run), paths);
    return owners.length > 0 ? owners.slice(0, MOST) : lastEditors(work, paths);
  };
  return settle(find, () => []);
}

async function readOwners({ repository, found }: WakeRun): Promise<string> {
  const files = repository.trustedFiles(found.baseCommit, "", `${found.base}:`);
  for (const place of PLACES) {
    const text = await files.read(place);
    if (text !== undefined) return text;
  }
  return "";
}

/** The last matching rule names the owners of a path; e-mail addresses are ignored. */
function ownersOf(text: string, paths: readonly string[]): string[] {
  const rules = text.split("\n").flatMap((line) => {
    const [pattern, ...owners] = line
      .replace(/(?:^|\s)#.*$/, "")
      .trim()
      .split(/\s+/);
    return pattern ? [{ isMatch: picomatch(globsOf(pattern), { dot: true }), owners }] : [];
  });
  const found = paths.flatMap((path) => rules.findLast(({ isMatch }) => isMatch(path))?.owners ?? []);
  return [...new Set(found.filter((owner) => owner.startsWith("@")))];
}

function globsOf(pattern: string): string[] {
  const isAnchored = pattern.slice(0, -1).includes("/");
  const bare = pattern.replace(/^\//, "").replace(/\/$/, "/**");
  const glob = isAnchored ? bare : `**/${bare}`;
  return /\*$/.test(glob) && isAnchored ? [glob] : [glob, `${glob}/**`];
}

async function lastEditors({ stateRef }: WorkInHand, paths: readonly string[]): Promise<string[]> {
  const worktree = await stateRef.openWorktree();
  for (const path of paths.slice(0, MOST)) {
    const editor = await worktree.editorOf(path);
    if (editor?.startsWith("@")) return [editor];
  }
  return [];
}
