// Checks an answer against its request before it is recorded. Pure.
import type { DomainEvent } from "../core/events.ts";
import {
  findOption,
  type InputValidation,
  type InteractionAnswer,
  type InteractionField,
  type InteractionOption,
  type InteractionRequest,
  type InteractionResponse,
  isMistakable,
  letsCallsRun,
  readFields,
} from "../core/interaction.ts";
import { githubAccountOf, isObject, parseJson } from "../core/json.ts";
import { type InteractionState, isPending } from "../core/state.ts";

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
  validation: InputValidation | undefined,
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

// The events that a checked answer adds. Pure.

/** An answer that fits its request (`checkAnswer`), by a person who may decide. */
export type GivenAnswer = Pick<InteractionResponse, "commentId" | "permission" | "answeredAt"> & {
  answer: InteractionAnswer;
  actorId: string;
};

/**
 * The events to append, in order. A Confirm is approved by `minApprovals` different people and rejected by
 * one; any other question is answered by one. Empty: the request is closed, or this person has already
 * approved it.
 */
export function recordable(
  interaction: InteractionState,
  given: GivenAnswer,
  minApprovals: number,
): DomainEvent[] {
  if (!isPending(interaction)) return [];
  const { kind, interactionId, taskId } = interaction.request;
  const { answer, actorId, ...circumstances } = given;
  const response: DomainEvent = {
    store: "events",
    type: "UserInteractionResponded",
    payload: { ...answer, interactionId, taskId, authorActorId: actorId, ...circumstances },
  };
  // Approvals that let a call run: a Confirm's, or the permission to repeat a call in doubt.
  const option = answer.selectedOptionId;
  const isApproval =
    (kind === "Confirm" && option === "approve") || (letsCallsRun(interaction.request) && option === "run");
  const needsSeveral = minApprovals > 1 && isApproval;
  if (!needsSeveral) return [response];
  const people = new Set(interaction.approvals.map((approval) => personOf(approval.actorId)));
  if (people.has(personOf(actorId))) return [];
  const approval: DomainEvent = {
    store: "events",
    type: "ApprovalGiven",
    payload: {
      ...{ interactionId, taskId, actorId },
      ...(answer.always ? { always: true as const } : {}),
      ...circumstances,
    },
  };
  return people.size + 1 < minApprovals ? [approval] : [approval, response];
}

/** An account may change its login, never its id: `github:<id>:<login>`. */
function personOf(actorId: string): string {
  return githubAccountOf(actorId)?.id ?? actorId;
}

/** The event that closes a question after its time, or undefined before it. */
export function expiryOf(
  { interactionId, taskId, expiresAt }: Pick<InteractionRequest, "interactionId" | "taskId" | "expiresAt">,
  now: Date,
): DomainEvent | undefined {
  if (expiresAt === undefined || now.getTime() < Date.parse(expiresAt)) return undefined;
  const payload = { interactionId, taskId, at: now.toISOString() };
  return { store: "events", type: "InteractionExpired", payload };
}
