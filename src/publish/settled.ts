// The same comment once its request is settled: how it ended in one line, what was asked folded away, no command left to
// copy. Names ring no phone here. Pure.
import type { Approval, InteractionRequest, InteractionResponse } from "../core/interaction.ts";
import type { VoidApproval } from "../core/state.ts";
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
import { renderOption, renderTitle } from "./request-parts.ts";

/** Answers and comments longer than this are in the comment that gave them. */
const SAID = 1_000;

type SettledAround = { workId: string; pullRequestUrl: string };
/** Who else approved, where one person was not enough; the response's author is left out. */
type EarlierApproval = Pick<Approval, "actorId" | "permission" | "answeredAt" | "commentId">;

/** What was approved was not run, or not all of it; `commentId`: of the request that took its place. */
type VainApproval = Omit<VoidApproval, "again"> & { commentId?: number };

/** Who decided what, with which permission, when, and where they said so; and what was not done all the same. */
export function renderAnswered(
  request: InteractionRequest,
  around: SettledAround,
  response: InteractionResponse,
  { earlier = [], inVain }: { earlier?: readonly EarlierApproval[]; inVain?: VainApproval } = {},
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
      describeAnswer(request, response),
      said === "" ? "" : quoteShown(cutMarkdown(said, SAID)),
    ],
  );
}

function describeVain(inVain: VainApproval, { pullRequestUrl }: SettledAround): string {
  const { reason, calls, of, commentId, isOver } = inVain;
  const what =
    calls === of
      ? "Nothing of it was run"
      : `${calls} of the ${of} calls ${calls === 1 ? "was" : "were"} not run`;
  const where =
    commentId === undefined ? "" : link("asked anew", `${pullRequestUrl}#issuecomment-${commentId}`);
  const told = isOver
    ? "Nothing of it goes on."
    : "The agent was told so; where it still wants it, it asks anew.";
  const next = where === "" ? told : `It was ${where}.`;
  return `**${what}**: ${escapeShown(cutMarkdown(reason.replace(/\.$/, ""), SAID))}. ${next}`;
}

type Closing =
  | { how: "expired"; at: string }
  /** Its task or session was ended; `reason` in words. */
  | { how: "canceled"; reason: string }
  /** Another request took its place, for example because what it was bound to has changed. */
  | { how: "superseded"; reason: string; byShortId?: string };

/** It ended without an answer. */
export function renderClosed(request: InteractionRequest, around: SettledAround, closing: Closing): string {
  const again = "Nothing of it was done. To have the work tried again, comment `/looplia run`.";
  switch (closing.how) {
    case "expired":
      return settled(request, around, "Expired", [
        `Nobody answered until ${formatMoment(closing.at)}.`,
        again,
      ]);
    case "canceled":
      return settled(request, around, "Canceled", [sentence(closing.reason, SAID)]);
    case "superseded": {
      const by = closing.byShortId === undefined ? "" : `Asked anew as ${codeSpan(closing.byShortId)}.`;
      return settled(request, around, "Superseded", [sentence(closing.reason, SAID), by]);
    }
  }
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
    `### ${word}: ${renderTitle(request).markdown}`,
    ...lines,
    `<details>\n<summary>${shortId}: what was asked</summary>`,
    ...questionParts(request),
    `SHA-256 ${codeSpan(fingerprint)}`,
    "</details>",
  ]);
}

function answerWord({ kind }: InteractionRequest, { selectedOptionId }: InteractionResponse): string {
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
