// Judges a comment: permission first, then the effects or the reason for the refusal. Pure.
import {
  findOption,
  type InteractionAnswer,
  type InteractionRequest,
  letsCallsRun,
  readFields,
  readOption,
  TRY_AGAIN,
} from "../core/interaction.ts";
import { githubAccountOf, UNKNOWN } from "../core/json.ts";
import type { CommentAuthor, Discussion, PullComment, Role } from "../core/ports-host.ts";
import { parseSlashCommand, type SlashCommand } from "./comment.ts";
import {
  type Deciding,
  findQuestions,
  type Moment,
  type OpenRequest,
  type Refusal,
  refuse,
} from "./questions.ts";

// Who may decide: the author's permission is read from GitHub at the moment of decision. Otherwise pure.

export type ApproverSettings = {
  /** Logins and `@org/team`; empty: everyone with write access. */
  approvers: readonly string[];
  minApprovals: number;
  selfApproval: boolean;
  /** `slug:numeric-id` */
  allowedBots: readonly string[];
};

/** A person who may give commands here. */
type PersonStanding = {
  /** `github:<numeric id>:<login>` */
  actorId: string;
  permission: "write" | "maintain" | "admin" | "allowed-bot";
  isBot: boolean;
  /** An app that wrote the comment in the person's name and is not allowed. */
  strangeApp?: string;
  /** Whether the person may decide questions, not only give other commands. */
  mayDecide: boolean;
};

type Asks = Pick<Discussion, "permissionOf" | "isTeamMember">;
type Author = { author: CommentAuthor; app?: PullComment["app"] };

/**
 * The standing of a comment's author. Undefined without write access, for a deleted account, for a login that
 * now belongs to another account, and for a bot that is not allowed by slug and id. Teams are read only if
 * `decides` and no login matches; fails with `config-invalid` when the token can't read teams.
 */
async function findStanding(
  { author, app }: Author,
  settings: ApproverSettings,
  asks: Asks,
  decides: boolean,
): Promise<PersonStanding | undefined> {
  if (author === null) return undefined;
  const actorId = `github:${author.id}:${author.login}`;
  const isAllowed = isAllowedBot({ author, ...(app ? { app } : {}) }, settings.allowedBots);
  if (author.isBot) {
    return isAllowed ? { actorId, permission: "allowed-bot", isBot: true, mayDecide: true } : undefined;
  }
  const { role, userId } = await asks.permissionOf(author.login);
  if (userId !== author.id || !hasWrite(role)) return undefined;
  const mayDecide = decides && (await isApprover(author.login, settings.approvers, asks));
  const strangeApp = app && !isAllowed ? { strangeApp: app.slug } : {};
  return { actorId, permission: role, isBot: false, mayDecide, ...strangeApp };
}

/** The standing of the person for whom an allowed bot dispatched a command. */
async function findSenderStanding(
  login: string,
  settings: ApproverSettings,
  asks: Asks,
  decides: boolean,
): Promise<PersonStanding | undefined> {
  const { role, userId } = await asks.permissionOf(login);
  if (userId === undefined || !hasWrite(role)) return undefined;
  const mayDecide = decides && (await isApprover(login, settings.approvers, asks));
  return { actorId: `github:${userId}:${login}`, permission: role, isBot: false, mayDecide };
}

/** Whether the person behind an earlier decision may still decide; checked just before it takes effect. */
export async function mayStillDecide(
  actorId: string,
  settings: ApproverSettings,
  asks: Asks,
): Promise<boolean> {
  const account = githubAccountOf(actorId);
  if (!account) return false;
  const slug = /^(.+)\[bot\]$/.exec(account.login)?.[1];
  if (slug !== undefined) return settings.allowedBots.some((entry) => entry.startsWith(`${slug}:`));
  const author = { id: Number(account.id), login: account.login, isBot: false };
  return (await findStanding({ author }, settings, asks, true))?.mayDecide === true;
}

/**
 * Whether `allowed-bots` names this bot by its slug together with the app's id or its account's id. A login
 * ending in `[bot]` proves nothing by itself.
 */
export function isAllowedBot({ author, app }: Author, allowedBots: readonly string[]): boolean {
  return allowedBots.some((entry) => {
    const [, slug, id] = /^([A-Za-z0-9][A-Za-z0-9-]*):([1-9]\d*)$/.exec(entry) ?? [];
    if (slug === undefined) return false;
    if (app?.slug === slug && String(app.id) === id) return true;
    return author?.isBot === true && author.login === `${slug}[bot]` && String(author.id) === id;
  });
}

/** The numeric id of a GitHub actor, which stays when the login changes; undefined for other actors. */
function accountOf(actorId: string): string | undefined {
  return githubAccountOf(actorId)?.id;
}

function hasWrite(role: Role): role is "write" | "maintain" | "admin" {
  return role === "write" || role === "maintain" || role === "admin";
}

async function isApprover(login: string, approvers: readonly string[], asks: Asks): Promise<boolean> {
  if (approvers.length === 0) return true;
  const wanted = approvers.map((approver) => approver.replace(/^@/, ""));
  if (wanted.some((name) => name.toLowerCase() === login.toLowerCase())) return true;
  for (const name of wanted) {
    const [org, slug] = name.split("/");
    if (org && slug && (await asks.isTeamMember({ org, slug }, login))) return true;
  }
  return false;
}

/** The effect of an accepted command. Answers must still be checked against their request (`checkAnswer`). */
export type Effect =
  | { type: "answer"; interactionId: string; answer: InteractionAnswer }
  | { type: "message"; text: string }
  | { type: "run" | "restart" | "status" }
  | { type: "revoke"; number: number }
  | { type: "cancel"; session?: string }
  | { type: "retry"; session?: string; target: string };

export type CommentVerdict =
  /** No reply, only a log line. */
  | { verdict: "ignored"; reason: "no-command" | "not-permitted"; command?: SlashCommand }
  | { verdict: "refused"; command: SlashCommand; actorId: string; permission: string; refusal: Refusal }
  | { verdict: "accepted"; command: SlashCommand; actorId: string; permission: string; effects: Effect[] };

export type Circumstances = {
  settings: ApproverSettings;
  /** Every request of the work, including closed ones. */
  questions: readonly OpenRequest[];
  asks: Pick<Discussion, "permissionOf" | "isTeamMember">;
};

type Said = Moment & { isEdited: boolean; isDispatched: boolean };

/**
 * Judges a comment of the pull request. `ownId` is the program's account there: if it is a bot's, all its
 * comments are ignored; a person's may contain commands, since the program itself never posts any. The
 * author's permission is read only for a command. Several comments are judged in the order of writing, each
 * with the earlier effects in `questions`. Fails as `Discussion` does.
 */
export async function judgeComment(
  comment: PullComment,
  ownId: number | undefined,
  around: Circumstances,
): Promise<CommentVerdict> {
  if (comment.author?.isBot && comment.author.id === ownId)
    return { verdict: "ignored", reason: "no-command" };
  const command = await parseSlashCommand(comment.body);
  if (!command || isOfOthers(command, around)) return { verdict: "ignored", reason: "no-command" };
  const standing = await findStanding(comment, around.settings, around.asks, isDeciding(command));
  const isEdited = comment.updatedAt !== comment.createdAt;
  const said = { createdAt: comment.createdAt, commentId: comment.id, isEdited, isDispatched: false };
  return judge(command, said, standing, around);
}

/**
 * Judges a command that an allowed bot dispatched for `sender` (a login); the caller has checked the bot. The
 * command must name its question. `createdAt`: time of arrival, ISO 8601.
 */
export async function judgeDispatch(
  dispatched: { command: string; sender: string; createdAt: string },
  around: Circumstances,
): Promise<CommentVerdict> {
  const command = await parseSlashCommand(dispatched.command);
  if (!command || isOfOthers(command, around)) return { verdict: "ignored", reason: "no-command" };
  const { settings, asks } = around;
  const standing = await findSenderStanding(dispatched.sender, settings, asks, isDeciding(command));
  const said = { createdAt: dispatched.createdAt, isEdited: false, isDispatched: true };
  return judge(command, said, standing, around);
}

/** True for an unknown command word without an open question's id: other programs have slash commands too. */
function isOfOthers(command: SlashCommand, { questions }: Circumstances): boolean {
  if (command.name !== "unclear" || !command.about) return false;
  const { about } = command;
  return !questions.some(({ request, published, closed }) => {
    return published && !closed && about.includes(request.shortId);
  });
}

function judge(
  command: SlashCommand,
  said: Said,
  standing: PersonStanding | undefined,
  around: Circumstances,
): CommentVerdict {
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
  command: SlashCommand,
  said: Said,
  standing: PersonStanding,
  { settings, questions }: Circumstances,
): Effect[] | Refusal {
  if (standing.strangeApp !== undefined) return refuse.strangeApp(standing.strangeApp);
  if (said.isEdited) return refuse.edited();
  if (command.name === "unclear") {
    const open = questions.filter(({ published, closed }) => published && !closed);
    return refuse.unclear(
      command,
      open.map(({ request }) => request),
    );
  }
  if (!isDeciding(command)) return [otherEffect(command)];
  if (said.isDispatched && command.ids.length === 0) {
    return refuse.needsId(questions.filter(({ closed }) => !closed).map(({ request }) => request));
  }
  const found = findQuestions(command, said, questions);
  if (!Array.isArray(found)) return found;
  const effects: Effect[] = [];
  // All or nothing: an error in one question refuses the whole command, so its author reviews all of them.
  for (const question of found) {
    const given = withComment(command, question.request);
    const refusal = refuseDecider(given, question, standing, settings);
    if (refusal) return refusal;
    const answer = answerOf(given, question.request);
    if ("code" in answer) return answer;
    effects.push({ type: "answer", interactionId: question.request.interactionId, answer });
  }
  return effects;
}

/** A choice with words after its option: they are its comment. */
function withComment(command: Deciding, { kind, options = [] }: InteractionRequest): Deciding {
  if (command.name !== "choose" || kind !== "Select") return command;
  const { option, comment } = readOption(options, command.option);
  return { ...command, option, comment: `${comment}\n${command.comment}`.trim() };
}

/** Why this person may not give this answer to this question, though they may decide others. */
function refuseDecider(
  command: Deciding,
  { request, published, approvals }: OpenRequest,
  standing: PersonStanding,
  { selfApproval, minApprovals }: ApproverSettings,
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

/** Decisions that need several people: approving a Confirm, or repeating a call in doubt (`recordable`). */
function letsRun(command: Deciding, request: InteractionRequest): boolean {
  const { kind, options = [] } = request;
  if (command.name === "approve") return kind === "Confirm";
  if (command.name !== "choose" || !letsCallsRun(request)) return false;
  return findOption(options, command.option)?.id === "run";
}

function answerOf(command: Deciding, request: InteractionRequest): InteractionAnswer | Refusal {
  if (command.name === "reject") return declined(command.comment);
  if (command.name === "revise") return declined(`${TRY_AGAIN}${command.text}`);
  if (command.name === "approve" && request.kind === "Confirm") {
    if (command.always && !request.standing) return refuse.noStanding(request);
    const always = command.always ? { always: true as const } : {};
    return { selectedOptionId: "approve", ...always, ...commented(command.comment) };
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

function otherEffect(command: Exclude<SlashCommand, Deciding | { name: "unclear" }>): Effect {
  switch (command.name) {
    case "message":
      return { type: "message", text: command.text };
    case "revoke":
      return { type: "revoke", number: command.number };
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

function isDeciding(command: SlashCommand): command is Deciding {
  return "ids" in command;
}

function declined(comment: string): InteractionAnswer {
  return { selectedOptionId: "reject", ...commented(comment) };
}

function commented(comment: string): { comment?: string } {
  return comment === "" ? {} : { comment };
}
