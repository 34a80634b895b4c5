// The inbox of a work: comments of its pull request that nobody has handled. Each is judged once, in the order in which
// they were written, and what it does is stored before anything runs.
import type { Discussion, PullComment } from "../../ports/discussion.ts";
import type { HandledComment } from "../../session/work-events.ts";
import { wordOf } from "../../trigger/command.ts";
import { judgeComment, type Verdict } from "../../trigger/judge.ts";
import { carryOut } from "./carry-out.ts";
import { circumstances, type Judging } from "./judging.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** What a look at the inbox brought. */
export type Inbox = {
  /** Commands that were accepted or refused; they are stored. */
  handled: HandledComment[];
  /** Silently passed over: stored with the next checkpoint, if there is one. */
  ignored: HandledComment[];
};

/** Judges the comments and stores what they do. Fails as `Discussion` does; then nothing of that comment is stored. */
export async function handleComments(
  work: WorkInHand,
  comments: readonly PullComment[],
  judging: Judging,
): Promise<Inbox> {
  const inbox: Inbox = { handled: [], ignored: [] };
  const asks = rememberRoles(judging.discussion);
  for (const comment of comments) {
    const verdict = await judgeComment(comment, work.state.authorId, {
      ...(await circumstances(work, judging)),
      asks,
    });
    const handled = await handleComment(work, comment, verdict, judging);
    if (handled.verdict === "ignored") {
      inbox.ignored.push(handled);
      const who = comment.author?.login ?? "an account that is gone";
      if (handled.reason === "not-permitted")
        judging.log(`not-permitted: a command of ${who} was passed over`);
      continue;
    }
    await work.note({ type: "CommentHandled", payload: handled });
    inbox.handled.push(handled);
  }
  return inbox;
}

/** A comment that has no effect. */
export function passOver({ id: commentId, createdAt }: PullComment): HandledComment {
  return { commentId, createdAt, verdict: "ignored", reason: "no-command" };
}

const ANEW = "Nothing of it goes on; the next run begins anew, with a pull request of its own.";

async function handleComment(
  work: WorkInHand,
  comment: PullComment,
  verdict: Verdict,
  judging: Judging,
): Promise<HandledComment> {
  const { id: commentId, createdAt } = comment;
  if (verdict.verdict === "ignored") {
    return { commentId, createdAt, verdict: "ignored", reason: verdict.reason };
  }
  const { actorId, permission } = verdict;
  const command = comment.body.trim().split("\n")[0] ?? wordOf(verdict.command);
  const said = { commentId, createdAt, actorId, permission, command };
  if (judging.over !== undefined)
    return { ...said, verdict: "refused", reason: judging.over, whatToDo: ANEW };
  if (verdict.verdict === "refused") {
    const { reason, whatToDo, copy } = verdict.refusal;
    return { ...said, verdict: "refused", reason, whatToDo, copy };
  }
  const done = await carryOut(work, verdict.effects, said, judging);
  if ("reason" in done) return { ...said, verdict: "refused", ...done };
  return { ...said, verdict: "accepted", reason: "", ...done };
}

/** The role of an account is asked once in a look at the inbox. */
function rememberRoles(discussion: Discussion): Pick<Discussion, "permissionOf" | "isTeamMember"> {
  const known = new Map<string, ReturnType<Discussion["permissionOf"]>>();
  return {
    permissionOf(login) {
      const asked = known.get(login) ?? discussion.permissionOf(login);
      known.set(login, asked);
      return asked;
    },
    isTeamMember: (team, login) => discussion.isTeamMember(team, login),
  };
}
