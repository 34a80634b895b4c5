// What a comment does: nothing, something, or it is refused with a reason. The one place where a person's word becomes
// an effect. Pure but for the questions to GitHub about its author.
import type { Discussion, PullComment } from "../ports/discussion.ts";
import { UNKNOWN } from "../session/actor.ts";
import { readFields } from "../session/fields.ts";
import { findOption } from "../session/find-option.ts";
import { type InteractionAnswer, type InteractionRequest, letsCallsRun } from "../session/interaction.ts";
import { type Command, parseCommand } from "./command.ts";
import { type Deciding, findQuestions, type Moment, type Question } from "./questions.ts";
import { type Refusal, refuse } from "./refusal.ts";
import {
  accountOf,
  findSenderStanding,
  findStanding,
  type PeopleSettings,
  type Standing,
} from "./who-may.ts";

/** What an accepted command does. An answer is still to be held against its request (`checkAnswer`). */
export type Effect =
  | { type: "answer"; interactionId: string; answer: InteractionAnswer }
  | { type: "message"; text: string }
  | { type: "run" | "status" }
  | { type: "cancel"; session?: string }
  | { type: "retry"; session?: string; target: string };

export type Verdict =
  /** Silence and a log line. */
  | { verdict: "ignored"; reason: "no-command" | "not-permitted"; command?: Command }
  | { verdict: "refused"; command: Command; actorId: string; permission: string; refusal: Refusal }
  | { verdict: "accepted"; command: Command; actorId: string; permission: string; effects: Effect[] };

export type Circumstances = {
  settings: PeopleSettings;
  /** Every request of the work, closed ones too. */
  questions: readonly Question[];
  asks: Pick<Discussion, "permissionOf" | "isTeamMember">;
};

type Said = Moment & { isEdited: boolean; isDispatched: boolean };

/**
 * Judges a comment of the pull request; `ownId` is the program's account there: a bot's never has a word of its own, a
 * person's has (what the program itself says there is no command). Its author's permission is asked only
 * where there is a command. Several comments are judged in the order in which they were written, each after the effects
 * of those before it are in `questions`. Fails as `Discussion` does.
 */
export async function judgeComment(
  comment: PullComment,
  ownId: number | undefined,
  around: Circumstances,
): Promise<Verdict> {
  if (comment.author?.isBot && comment.author.id === ownId)
    return { verdict: "ignored", reason: "no-command" };
  const command = await parseCommand(comment.body);
  if (!command || isOfOthers(command, around)) return { verdict: "ignored", reason: "no-command" };
  const standing = await findStanding(comment, around.settings, around.asks, isDeciding(command));
  const isEdited = comment.updatedAt !== comment.createdAt;
  const said = { createdAt: comment.createdAt, commentId: comment.id, isEdited, isDispatched: false };
  return judge(command, said, standing, around);
}

/**
 * Judges the command that an allowed bot dispatched for `sender` (a login); whether the bot is allowed was looked at
 * before. It must name its question. `createdAt`: when it came, ISO 8601.
 */
export async function judgeDispatch(
  dispatched: { command: string; sender: string; createdAt: string },
  around: Circumstances,
): Promise<Verdict> {
  const command = await parseCommand(dispatched.command);
  if (!command || isOfOthers(command, around)) return { verdict: "ignored", reason: "no-command" };
  const { settings, asks } = around;
  const standing = await findSenderStanding(dispatched.sender, settings, asks, isDeciding(command));
  const said = { createdAt: dispatched.createdAt, isEdited: false, isDispatched: true };
  return judge(command, said, standing, around);
}

/** A word that is not ours and names no question that is open here: other programs have slash commands, too. */
function isOfOthers(command: Command, { questions }: Circumstances): boolean {
  if (command.name !== "unclear" || !command.about) return false;
  const { about } = command;
  return !questions.some(({ request, published, closed }) => {
    return published && !closed && about.includes(request.shortId);
  });
}

function judge(command: Command, said: Said, standing: Standing | undefined, around: Circumstances): Verdict {
  if (!standing || (isDeciding(command) && !standing.mayDecide)) {
    return { verdict: "ignored", reason: "not-permitted", command };
  }
  const { actorId, permission } = standing;
  const outcome = consider(command, said, standing, around);
  return Array.isArray(outcome)
    ? { verdict: "accepted", command, actorId, permission, effects: outcome }
    : { verdict: "refused", command, actorId, permission, refusal: outcome };
}

function consider(
  command: Command,
  said: Said,
  standing: Standing,
  { settings, questions }: Circumstances,
): Effect[] | Refusal {
  if (standing.strangeApp !== undefined) return refuse.strangeApp(standing.strangeApp);
  if (said.isEdited) return refuse.edited();
  if (command.name === "unclear") return refuse.unclear(command);
  if (!isDeciding(command)) return [otherEffect(command)];
  if (said.isDispatched && command.ids.length === 0) {
    return refuse.needsId(questions.filter(({ closed }) => !closed).map(({ request }) => request));
  }
  const found = findQuestions(command, said, questions);
  if (!Array.isArray(found)) return found;
  const effects: Effect[] = [];
  // All or nothing: who names three questions and errs in one looks again at all of them.
  for (const question of found) {
    const refusal = refuseDecider(command, question, standing, settings);
    if (refusal) return refusal;
    const answer = answerOf(command, question.request);
    if ("code" in answer) return answer;
    effects.push({ type: "answer", interactionId: question.request.interactionId, answer });
  }
  return effects;
}

/** Why this person may not decide this question so, though they may decide others. */
function refuseDecider(
  command: Deciding,
  { request, published, approvals }: Question,
  standing: Standing,
  { selfApproval, minApprovals }: PeopleSettings,
): Refusal | undefined {
  const account = accountOf(standing.actorId);
  const { startedBy } = request;
  if (!selfApproval && (!startedBy || startedBy.includes(UNKNOWN))) return refuse.unknownStarter(request);
  if (!selfApproval && startedBy?.map(accountOf).includes(account)) return refuse.self(request);
  const isDeclined = command.name === "reject" || command.name === "revise";
  if (published?.isCut && !isDeclined) return refuse.cut(request);
  if (minApprovals < 2 || !letsRun(command, request)) return undefined;
  if (standing.isBot) return refuse.botAmongSeveral(request, minApprovals);
  const people = new Set(approvals.map(accountOf));
  return people.has(account) ? refuse.approvedBefore(request, people.size, minApprovals) : undefined;
}

/** What needs several people: the approval of a Confirm, or of running again what is in doubt (`recordable`). */
function letsRun(command: Deciding, request: InteractionRequest): boolean {
  const { kind, options = [] } = request;
  if (command.name === "approve") return kind === "Confirm";
  if (command.name !== "choose" || !letsCallsRun(request)) return false;
  return findOption(options, command.option)?.id === "run";
}

function answerOf(command: Deciding, request: InteractionRequest): InteractionAnswer | Refusal {
  if (command.name === "reject") return declined(command.comment);
  if (command.name === "revise") return declined(`Try again: ${command.text}`);
  if (command.name === "approve" && request.kind === "Confirm") {
    return { selectedOptionId: "approve", ...commented(command.comment) };
  }
  if (command.name === "choose" && request.kind === "Select") {
    return { selectedOptionId: command.option, ...commented(command.comment) };
  }
  if (command.name === "answer" && request.kind === "Input") return { inputValue: command.text };
  if (command.name === "answer" && request.kind === "Composite") {
    const fields = readFields(command.text, request.fields ?? []);
    return "value" in fields ? { inputValue: fields.value } : refuse.noFields(request, fields.wrongLine);
  }
  return refuse.wrongKind(command, request);
}

function otherEffect(command: Exclude<Command, Deciding | { name: "unclear" }>): Effect {
  switch (command.name) {
    case "message":
      return { type: "message", text: command.text };
    case "cancel":
      return { type: "cancel", ...(command.session === undefined ? {} : { session: command.session }) };
    case "retry": {
      const { session, target } = command;
      return { type: "retry", target, ...(session === undefined ? {} : { session }) };
    }
    default:
      return { type: command.name };
  }
}

function isDeciding(command: Command): command is Deciding {
  return "ids" in command;
}

function declined(comment: string): InteractionAnswer {
  return { selectedOptionId: "reject", ...commented(comment) };
}

function commented(comment: string): { comment?: string } {
  return comment === "" ? {} : { comment };
}
