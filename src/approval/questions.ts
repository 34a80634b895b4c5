// Finds the questions that a command refers to, as of the moment when the comment was written, and checks whether an
// answer fits its question. Pure.
import {
  findOption,
  type InteractionAnswer,
  type InteractionField,
  type InteractionOption,
  type InteractionRequest,
  isMistakable,
  optionWord,
  readFields,
} from "../core/interaction.ts";
import { isObject, loginOf, parseJson } from "../core/json.ts";
import type { SlashCommand } from "./comment.ts";

// Why a permitted person's command is refused: the problem, the reason, and what to do instead. Pure.

type RefusalCode =
  | "edited"
  | "unclear"
  | "older"
  | "expired"
  | "decided"
  | "canceled"
  | "changed"
  | "unknown"
  | "nothing-open"
  | "several-open"
  | "another-just-closed"
  | "dangerous"
  | "cut"
  | "no-standing"
  | "wrong-kind"
  | "no-fields"
  | "self"
  | "unknown-starter"
  | "approved-before"
  | "bot-among-several"
  | "strange-app"
  | "needs-id";

/** Plain text, to be escaped when shown. `copy`: commands that would work, for copying. */
export type Refusal = { code: RefusalCode; reason: string; whatToDo: string; copy: string[] };

type Asked = InteractionRequest;
type Decides = Extract<SlashCommand, { ids: string[] }>;

export const refuse = {
  edited: () =>
    make("edited", "the comment was edited after it was written", "Write the command as a new comment."),
  /** With one open question, the line names it and can be copied. */
  unclear: ({ problem, usage }: Extract<SlashCommand, { name: "unclear" }>, open: readonly Asked[]) => {
    const [only, ...others] = open;
    const isOne = only !== undefined && others.length === 0;
    const line = isOne ? usage.replace(/<q>(?: \[[^\]]*\])*/, only.shortId) : usage;
    return make("unclear", problem, "The right form is:", [line]);
  },
  older: (request: Asked) =>
    make(
      "older",
      `it was written before ${request.shortId} was asked`,
      "Look at the question, then:",
      fitting(request),
    ),
  expired: (request: Asked) =>
    make("expired", `the time to answer ${request.shortId} has expired`, "To try the work again:", [
      "/looplia run",
    ]),
  decided: (request: Asked, actorId: string | undefined) =>
    make("decided", `${request.shortId} was decided already${by(actorId)}`, "There is nothing left to do."),
  canceled: (request: Asked, open: readonly Asked[]) =>
    make("canceled", `${request.shortId} is no longer asked: its task has ended`, ...whatIsOpen(open)),
  changed: (command: Decides, id: string, now: Asked) =>
    make(
      "changed",
      `${id} is not the current question there: that is ${now.shortId}`,
      `Look at ${now.shortId}, then:`,
      [accepted(command, now)],
    ),
  unknown: (_: Decides, id: string, open: readonly Asked[]) =>
    make("unknown", `there is no question ${id} here`, ...whatIsOpen(open)),
  nothingOpen: (_: Decides, open: readonly Asked[]) =>
    make("nothing-open", "no question was open when it was written", ...whatIsOpen(open)),
  severalOpen: (command: Decides, open: readonly Asked[]) =>
    make("several-open", "several questions were open when it was written", "Say which one:", [
      ...open.map((request) => accepted(command, request)),
      ...(open.length > 1 && isForAll(command, open) ? [withId(command, open)] : []),
    ]),
  anotherJustClosed: (command: Decides, request: Asked) =>
    make(
      "another-just-closed",
      "another question was closed less than two minutes earlier, so this may have been meant for that one",
      `For ${request.shortId}:`,
      [accepted(command, request)],
    ),
  dangerous: (command: Decides, request: Asked) =>
    make(
      "dangerous",
      `${request.shortId} is dangerous (${(request.dangers ?? []).join("; ")}), so it must be named`,
      "After a second look:",
      [accepted(command, request)],
    ),
  noStanding: (request: Asked) =>
    make(
      "no-standing",
      `${request.shortId} can't be approved with \`always\`: that only works for isolated commands without network, and never for dangerous ones`,
      "Approve it once:",
      [`/approve ${request.shortId}`],
    ),
  cut: (request: Asked) =>
    make(
      "cut",
      `${request.shortId} is too long to show and could not be attached, so nobody can see what they would decide`,
      "Reject it, and ask for smaller steps:",
      [`/revise ${request.shortId} in smaller steps`],
    ),
  wrongKind: (command: Decides, request: Asked) =>
    make(
      "wrong-kind",
      `/${command.name} does not answer ${request.shortId}`,
      `${EXPECTS[request.kind]}:`,
      fitting(request),
    ),
  noFields: (request: Asked, line: number) =>
    make(
      "no-fields",
      `line ${line} of the answer is not \`field: value\` with a field of ${request.shortId}`,
      "Write a value after each colon; further lines of a value begin with a space.",
      fitting(request),
    ),
  self: (request: Asked) =>
    make(
      "self",
      `people may not answer questions that they caused (self-approval: false), whether they started the work or the run that asked, re-ran it, gave it a command, or left the agent a message; you caused ${request.shortId}`,
      "Somebody else with permission must decide.",
    ),
  unknownStarter: (request: Asked) =>
    make(
      "unknown-starter",
      `GitHub did not say who caused ${request.shortId}, so with self-approval: false nobody may answer it`,
      "Cancel it and start the work again from an event that names its actor:",
      ["/cancel"],
    ),
  approvedBefore: (request: Asked, given: number, needed: number) =>
    make(
      "approved-before",
      `you approved ${request.shortId} before; ${given} of ${needed} people have`,
      "Somebody else must approve it too.",
    ),
  botAmongSeveral: (request: Asked, needed: number) =>
    make(
      "bot-among-several",
      `${request.shortId} needs the approval of ${needed} people, and a bot does not count`,
      "People must approve it.",
    ),
  strangeApp: (slug: string) =>
    make(
      "strange-app",
      `the comment was made by the app ${slug}, which is not in allowed-bots`,
      "Write the command yourself, or add the app to allowed-bots in looplia.yml.",
    ),
  needsId: (open: readonly Asked[]) =>
    make("needs-id", "a dispatched answer must name its question", ...whatIsOpen(open)),
};

const EXPECTS: Record<Asked["kind"], string> = {
  Confirm: "It is a call to approve or reject",
  Select: "It is a choice: give the id or number of an option",
  Input: "It asks for a text",
  Composite: "It asks for several values, each after its field",
};

/** The commands that answer a request of this kind. */
function fitting(request: Asked): string[] {
  const { shortId, kind } = request;
  if (kind === "Confirm") return [`/approve ${shortId}`, `/reject ${shortId}`];
  if (kind === "Select") {
    const { options = [] } = request;
    return options.slice(0, 10).map((_, at) => `/choose ${shortId} ${optionWord(options, at)}`);
  }
  if (kind === "Input") return [`/answer ${shortId} <text>`];
  return [[`/answer ${shortId}`, ...(request.fields ?? []).map(({ id }) => `${id}: <value>`)].join("\n")];
}

/** The intended command, with the ids of these questions. */
function withId(command: Decides, requests: readonly Asked[]): string {
  const ids = requests.map(({ shortId }) => shortId).join(" ");
  const said =
    command.name === "choose" ? command.option : "text" in command ? command.text : command.comment;
  const always = command.name === "approve" && command.always ? "always " : "";
  return `/${command.name} ${ids} ${always}${said}`.trimEnd();
}

/** The intended command if this question takes it, else one that it takes. */
function accepted(command: Decides, request: Asked): string {
  const [first = ""] = fitting(request);
  return takes(request, command) ? withId(command, [request]) : first;
}

function isForAll(command: Decides, requests: readonly Asked[]): boolean {
  if (command.name !== "approve" && command.name !== "reject") return false;
  return requests.every((request) => takes(request, command));
}

function takes({ kind }: Asked, { name }: Decides): boolean {
  if (name === "approve") return kind === "Confirm";
  if (name === "choose") return kind === "Select";
  return name === "answer" ? kind === "Input" || kind === "Composite" : true;
}

function whatIsOpen(open: readonly Asked[]): [string, string[]] {
  if (open.length === 0) return ["No question is open now.", []];
  return ["Open now:", open.flatMap((request) => fitting(request).slice(0, 1))];
}

function by(actorId: string | undefined): string {
  return actorId === undefined ? "" : ` by ${loginOf(actorId)}`;
}

function make(code: RefusalCode, reason: string, whatToDo: string, copy: string[] = []): Refusal {
  return { code, reason, whatToDo, copy };
}

/** A request of the work, and when people could see which parts of it. Times are ISO 8601. */
export type OpenRequest = {
  request: InteractionRequest;
  /** Its comment; undefined: not published yet. `isCut`: the comment does not show the whole request. */
  published?: { commentId: number; createdAt: string; isCut?: true };
  /** Without `at` the time is unknown, possibly a moment ago. */
  closed?: { why: "answered" | "expired" | "canceled" | "task-ended"; at?: string; actorId?: string };
  /** Who has approved it so far, when several people must. */
  approvals: readonly string[];
};

/** When a command was written; `commentId` orders comments within one second. */
export type Moment = { createdAt: string; commentId?: number };

export type Deciding = Extract<SlashCommand, { ids: string[] }>;

/** The author of a bare command may have meant a question that closed this recently. */
const DOUBT_MS = 2 * 60 * 1000;

/** The questions that a command decides, in the order in which it names them, or why it decides none. */
export function findQuestions(
  command: Deciding,
  moment: Moment,
  questions: readonly OpenRequest[],
): OpenRequest[] | Refusal {
  if (command.ids.length === 0) return findBare(command, moment, questions);
  const found: OpenRequest[] = [];
  for (const id of command.ids) {
    const question = questions.find(({ request }) => request.shortId === id);
    const refusal = question
      ? problemOf(question, moment, questions)
      : unknownId(command, id, moment, questions);
    if (refusal) return refusal;
    if (question) found.push(question);
  }
  return found;
}

function findBare(
  command: Deciding,
  moment: Moment,
  questions: readonly OpenRequest[],
): OpenRequest[] | Refusal {
  const seen = questions.filter((question) => isBefore(question.published, moment));
  const open = seen.filter((question) => !wasClosed(question, moment));
  const [only, ...others] = open;
  if (!only) {
    const recent = seen.findLast((question) => closedShortlyBefore(question, moment));
    const problem = recent && problemOf(recent, moment, questions);
    return problem ?? refuse.nothingOpen(command, openNow(questions));
  }
  if (others.length > 0) return refuse.severalOpen(command, openNow(open));
  const problem = problemOf(only, moment, questions);
  if (problem) return problem;
  if (seen.some((question) => question !== only && closedShortlyBefore(question, moment))) {
    return refuse.anotherJustClosed(command, only.request);
  }
  const { dangers = [] } = only.request;
  return dangers.length > 0 ? refuse.dangerous(command, only.request) : [only];
}

/** Why a named question can't be decided by a command of that moment. */
function problemOf(
  question: OpenRequest,
  moment: Moment,
  questions: readonly OpenRequest[],
): Refusal | undefined {
  const { request, closed } = question;
  if (!isBefore(question.published, moment)) return refuse.older(request);
  if (closed?.why === "answered") return refuse.decided(request, closed.actorId);
  if (closed?.why === "expired" || isExpired(request, moment)) return refuse.expired(request);
  return closed ? refuse.canceled(request, openNow(questions)) : undefined;
}

function unknownId(
  command: Deciding,
  id: string,
  moment: Moment,
  questions: readonly OpenRequest[],
): Refusal {
  const ordinal = id.split("-")[0];
  const same = questions.find(({ request }) => request.shortId.split("-")[0] === ordinal);
  const isOpen = same && !same.closed && !isExpired(same.request, moment);
  return isOpen ? refuse.changed(command, id, same.request) : refuse.unknown(command, id, openNow(questions));
}

function openNow(questions: readonly OpenRequest[]): InteractionRequest[] {
  return questions.filter(({ closed, published }) => !closed && published).map(({ request }) => request);
}

function isBefore(published: OpenRequest["published"], { createdAt, commentId }: Moment): boolean {
  if (!published) return false;
  const apart = Date.parse(createdAt) - Date.parse(published.createdAt);
  return apart > 0 || (apart === 0 && (commentId ?? Number.POSITIVE_INFINITY) > published.commentId);
}

function isExpired({ expiresAt }: InteractionRequest, { createdAt }: Moment): boolean {
  return expiresAt !== undefined && Date.parse(createdAt) > Date.parse(expiresAt);
}

function wasClosed(question: OpenRequest, moment: Moment): boolean {
  const { closed, request } = question;
  return isExpired(request, moment) || (closed !== undefined && sinceClosed(closed, moment) > 0);
}

function closedShortlyBefore({ closed, request }: OpenRequest, moment: Moment): boolean {
  const closings = [...(closed ? [closed] : []), ...(request.expiresAt ? [{ at: request.expiresAt }] : [])];
  return closings.map((one) => sinceClosed(one, moment)).some((apart) => apart >= 0 && apart <= DOUBT_MS);
}

/** Milliseconds; 0 if the time is unknown. */
function sinceClosed({ at }: { at?: string }, { createdAt }: Moment): number {
  return Date.parse(createdAt) - Date.parse(at ?? createdAt);
}

// Whether an answer fits its request, before it is recorded.

type CheckedAnswer = { ok: true; answer: InteractionAnswer } | { ok: false; expected: string };

/** `reject` declines a question of any kind (INTERFACE §5). */
const DECLINE = "reject";

/**
 * Checks that the option exists (`findOption`), that all required values are given and that the pattern
 * matches (linear time); for a Composite's JSON or lines, field by field. `expected` lists all acceptable
 * answers, as part of a sentence.
 */
export async function checkAnswer(
  request: InteractionRequest,
  answer: InteractionAnswer,
): Promise<CheckedAnswer> {
  if (answer.inputValue === undefined && answer.selectedOptionId === DECLINE) return { ok: true, answer };
  if (request.kind === "Composite") return checkFields(request.fields ?? [], answer);
  if (request.kind === "Input") {
    const { inputValue } = answer;
    if (inputValue === undefined) return { ok: false, expected: "a text" };
    const expected = await textProblem(inputValue, request.validation);
    return expected === undefined ? { ok: true, answer } : { ok: false, expected };
  }
  if (answer.always && !request.standing) {
    return {
      ok: false,
      expected:
        "a single approval, without `always`, which only works for isolated commands without network, and never for dangerous ones",
    };
  }
  const options = request.options ?? [];
  const given = answer.selectedOptionId ?? "";
  const chosen = findOption(options, given);
  if (!chosen) return { ok: false, expected: expectedOption(options, given) };
  return { ok: true, answer: { ...answer, selectedOptionId: chosen.id } };
}

async function checkFields(
  fields: readonly InteractionField[],
  answer: InteractionAnswer,
): Promise<CheckedAnswer> {
  const read = answer.inputValue === undefined ? undefined : readFields(answer.inputValue, fields);
  const given = read && "value" in read ? readObject(read.value) : undefined;
  const ids = fields.map(({ id }) => id);
  if (!given) {
    return {
      ok: false,
      expected: `a line \`field: value\` for each, or a JSON object, with ${ids.join(", ")}`,
    };
  }
  const problems: string[] = [];
  const values: [string, string][] = [];
  for (const field of fields) {
    const checked = await checkField(field, given.get(field.id));
    if ("expected" in checked) problems.push(`for ${field.id} ${checked.expected}`);
    else if (checked.value !== undefined) values.push([field.id, checked.value]);
  }
  const unknown = [...given.keys()].filter((id) => !ids.includes(id)).map((id) => JSON.stringify(id));
  if (unknown.length > 0) problems.push(`no field ${unknown.join(", ")} (there are ${ids.join(", ")})`);
  if (problems.length > 0) return { ok: false, expected: problems.join("; ") };
  return { ok: true, answer: { ...answer, inputValue: JSON.stringify(Object.fromEntries(values)) } };
}

async function checkField(
  field: InteractionField,
  given: unknown,
): Promise<{ value: string | undefined } | { expected: string }> {
  const options = field.kind === "Input" ? undefined : (field.options ?? []);
  // A number may mean an option's number, or be a text of digits.
  const value = typeof given === "number" ? String(given) : (given ?? undefined);
  const isMissing = value === undefined || value === "";
  if (isMissing && !(field.validation?.required ?? options !== undefined)) return { value: undefined };
  if (options) {
    const chosen = typeof value === "string" ? findOption(options, value) : undefined;
    return chosen ? { value: chosen.id } : { expected: expectedOption(options, String(value ?? "")) };
  }
  if (typeof value !== "string") return { expected: "a text" };
  const expected = await textProblem(value, field.validation);
  return expected === undefined ? { value } : { expected };
}

function expectedOption(options: readonly InteractionOption[], given: string): string {
  const why = isMistakable(options, given) ? "the id (a number would be ambiguous) of " : "";
  return `${why}one of these options: ${options.map(({ id }, index) => `${index + 1} ${id}`).join(", ")}`;
}

async function textProblem(
  value: string,
  validation: InteractionRequest["validation"],
): Promise<string | undefined> {
  const { required, regex } = validation ?? {};
  if (required && value.trim() === "") return "a non-empty text";
  if (regex === undefined) return undefined;
  const { RE2JS } = await import("re2js");
  return RE2JS.compile(regex).matcher(value).find() ? undefined : `a text that matches ${regex}`;
}

/**
 * Returns a `Map`, because people and models choose the names. Text that is not JSON counts as any other
 * wrong answer.
 */
function readObject(text: string): Map<string, unknown> | undefined {
  const value = parseJson(text);
  return isObject(value) ? new Map(Object.entries(value)) : undefined;
}
