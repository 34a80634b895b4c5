// The comment of a request after its decision. Pure.
import type { VoidApproval } from "../core/answer-fate.ts";
import {
  type Approval,
  type InteractionRequest,
  type InteractionResponse,
  letsCallsRun,
  TRY_AGAIN,
} from "../core/interaction.ts";
import {
  codeSpan,
  cutMarkdown,
  escapeShown,
  fenceShown,
  formatMoment,
  link,
  listWords,
  nameOf,
  quoteShown,
  sentence,
} from "./markdown.ts";
import { writeMarker } from "./report.ts";
import { join, questionParts } from "./request.ts";
import { renderAction, renderOption, renderTitle } from "./request-parts.ts";

/** Longer answers and comments are not repeated; they are in the comment that gave them. */
const SAID = 1_000;

type SettledAround = { workId: string; pullRequestUrl: string };
/** An earlier approval, when several people must approve; the response's author is left out. */
type EarlierApproval = Pick<Approval, "actorId" | "permission" | "answeredAt" | "commentId">;

/** Some or all approved calls did not run. `commentId`: the comment of the request that replaced this one. */
type VainApproval = Omit<VoidApproval, "again"> & { commentId?: number };

/** `isPassedOn`: the task was changed meanwhile, and the agent of the next attempt has the answer. */
type AfterAnswer = {
  earlier?: readonly EarlierApproval[];
  inVain?: VainApproval;
  isPassedOn?: true;
};

const PASSED_ON = "The task was changed in the meantime. The answer was passed to the new attempt.";

/** The decision, its author with permission, time and comment, and any approved calls that did not run. */
export function renderAnswered(
  request: InteractionRequest,
  around: SettledAround,
  response: InteractionResponse,
  { earlier = [], inVain, isPassedOn }: AfterAnswer = {},
): string {
  const people = [
    ...earlier.filter(({ actorId }) => actorId !== response.authorActorId),
    { ...response, actorId: response.authorActorId },
  ];
  const others = people.map((person) => describePerson(person, around));
  const said = response.comment?.trim() ?? "";
  return settled(
    request,
    around,
    inVain ? `${answerWord(request, response)}, but not run` : answerWord(request, response),
    [
      `By ${listWords(others)}.`,
      inVain ? describeVain(inVain, around) : "",
      isPassedOn ? PASSED_ON : "",
      describeAnswer(request, response),
      said === "" ? "" : quoteShown(cutMarkdown(said, SAID)),
    ],
  );
}

function describeVain(inVain: VainApproval, { pullRequestUrl }: SettledAround): string {
  const { reason, calls, of, commentId, isOver } = inVain;
  const what =
    calls === of ? "No call was run" : `${calls} of the ${of} calls ${calls === 1 ? "was" : "were"} not run`;
  const where =
    commentId === undefined ? "" : link("asked again", `${pullRequestUrl}#issuecomment-${commentId}`);
  const told = isOver ? "This work has ended." : "The agent was told; if it still needs this, it asks again.";
  const next = where === "" ? told : `It was ${where}.`;
  return `**${what}**: ${escapeShown(cutMarkdown(reason.replace(/\.$/, ""), SAID))}. ${next}`;
}

type Closing =
  | { how: "expired"; at: string }
  /** The task or session was ended; `reason` in words. */
  | { how: "canceled"; reason: string }
  /** Another request replaced this one, for example because the data that it was bound to has changed. */
  | { how: "superseded"; reason: string; byShortId?: string };

/** The request ended without an answer. */
export function renderClosed(request: InteractionRequest, around: SettledAround, closing: Closing): string {
  const again = "Nothing was done. To try the work again, comment `/looplia run`.";
  switch (closing.how) {
    case "expired":
      return settled(request, around, "Expired", [
        `Nobody answered until ${formatMoment(request.expiresAt ?? closing.at)}.`,
        again,
      ]);
    case "canceled":
      return settled(request, around, "Canceled", [sentence(closing.reason, SAID)]);
    case "superseded": {
      const by = closing.byShortId === undefined ? "" : `Asked again as ${codeSpan(closing.byShortId)}.`;
      return settled(request, around, "Superseded", [sentence(closing.reason, SAID), by]);
    }
  }
}

/**
 * The comment of a question whose work started over with another state: the question's text is no longer
 * known.
 */
export function renderOutdated({ workId }: SettledAround, interactionId: string): string {
  return join([
    writeMarker({ role: "request", workId, interactionId }),
    "### Closed: the work was restarted",
    "This question no longer needs an answer, and earlier answers do not count again. Anything still needed is asked in a new comment.",
  ]);
}

function settled(
  request: InteractionRequest,
  { workId }: SettledAround,
  word: string,
  lines: readonly string[],
): string {
  const { interactionId, shortId, fingerprint } = request;
  return join([
    writeMarker({ role: "request", workId, interactionId }),
    `### ${word}: ${whatWas(request)}`,
    letsCallsRun(request) && request.kind === "Confirm" ? listActions(request) : "",
    ...lines,
    `<details>\n<summary>${shortId}: what was asked</summary>`,
    ...questionParts(request),
    `SHA-256 ${codeSpan(fingerprint)}`,
    "</details>",
  ]);
}

/** The request's subject, so that the heading alone says what happened. */
function whatWas(request: InteractionRequest): string {
  const { content } = request.display;
  if (!letsCallsRun(request) || request.kind !== "Confirm" || typeof content !== "string") {
    return renderTitle(request).markdown;
  }
  const { length } = request.toolCallIds;
  return length > 1 ? `${length} actions` : renderAction(request.display.title, content);
}

/** The actions of a request for several, told apart by their words, in the order of their numbers. */
function listActions({ display: { content }, toolCallIds }: InteractionRequest): string {
  if (toolCallIds.length < 2 || typeof content !== "string") return "";
  const actions = numberedActions(content);
  return actions.map(([title, below], at) => `${at + 1}. ${renderAction(title, below)}`).join("\n");
}

/** The titles of several calls, each with the lines below it, as `createConfirm` numbers them. */
function numberedActions(content: string): [title: string, below: string][] {
  const actions: [string, string][] = [];
  for (const line of content.split("\n")) {
    const lead = `${actions.length + 1}. `;
    const last = actions.at(-1);
    if (line.startsWith(lead)) actions.push([line.slice(lead.length), ""]);
    else if (last) last[1] += `${line}\n`;
  }
  return actions;
}

function answerWord(
  { kind }: InteractionRequest,
  { selectedOptionId, comment }: InteractionResponse,
): string {
  if (selectedOptionId === "reject" && comment?.startsWith(TRY_AGAIN)) return "Sent back";
  if (selectedOptionId === "reject") return kind === "Confirm" ? "Rejected" : "Declined";
  if (kind === "Confirm") return "Approved";
  return kind === "Select" ? "Chosen" : "Answered";
}

function describePerson(person: EarlierApproval, { pullRequestUrl }: SettledAround): string {
  const { actorId, permission, answeredAt, commentId } = person;
  const when = answeredAt === undefined ? "" : ` on ${formatMoment(answeredAt)}`;
  const where =
    commentId === undefined ? "" : ` (${link("comment", `${pullRequestUrl}#issuecomment-${commentId}`)})`;
  const may = permission === undefined ? "" : `, who has ${escapeShown(permission)} access,`;
  return `${nameOf(actorId)}${may}${when}${where}`;
}

function describeAnswer(request: InteractionRequest, response: InteractionResponse): string {
  const { selectedOptionId, inputValue } = response;
  const option = request.options?.find(({ id }) => id === selectedOptionId);
  if (request.kind === "Select" && option) {
    return renderOption({ id: option.id, label: cutMarkdown(option.label, SAID) });
  }
  return inputValue === undefined ? "" : fenceShown(cutMarkdown(inputValue, SAID));
}
