// The exact commands that answer a request, each in a code block of its own: a phone copies it with one touch. Pure.
import { type InteractionRequest, letsCallsRun } from "../session/interaction.ts";
import { optionWord } from "../session/question-text.ts";
import { codeSpan, cut, fenceShown } from "./markdown.ts";
import { renderOption } from "./request-parts.ts";

/** More options than these share one command. */
const BLOCKS = 10;

/** Markdown: what to write for each answer; `isShort`: without what grows with the options and fields. */
export function renderCommands(request: InteractionRequest, isShort: boolean): string {
  const decline = ["To decline, add a reason if you like:", renderRejectCommand(request)];
  return [...answerCommands(request, isShort), ...decline, HOW].join("\n\n");
}

const HOW =
  "Copy one of them into a new comment: work then goes on by itself. Eyes mean that it was accepted, a rocket that it is done.";

/** The one that is always left: to decline. */
export function renderRejectCommand({ shortId }: InteractionRequest): string {
  return block(`/reject ${shortId}`);
}

function answerCommands(request: InteractionRequest, isShort: boolean): string[] {
  const { shortId, kind } = request;
  if (kind === "Confirm") {
    return [
      letsCallsRun(request) ? "To approve exactly what is shown, once:" : "To say yes:",
      block(`/approve ${shortId}`),
      "To have it tried another way, add your instructions:",
      block(`/revise ${shortId}`),
    ];
  }
  if (kind === "Select") return selectCommands(request, isShort);
  if (kind === "Input") {
    return [`To answer, add your text${textRules(request.validation)}:`, block(`/answer ${shortId}`)];
  }
  if (isShort) {
    return [
      "To answer, add a line for each field below it, its id, a colon and the value:",
      block(`/answer ${shortId}`),
    ];
  }
  const fields = (request.fields ?? []).map(({ id }) => `${id}: `);
  return ["To answer, add a value after each colon:", block([`/answer ${shortId}`, ...fields].join("\n"))];
}

function selectCommands(request: InteractionRequest, isShort: boolean): string[] {
  const { shortId, options = [] } = request;
  const commandOf = (at: number): string => `/choose ${shortId} ${optionWord(options, at)}`;
  if (isShort || !carriesChoices(request)) {
    const lead = "To choose, give the option's id or number, for example the first:";
    return [lead, block(commandOf(0))];
  }
  return options.flatMap((option, at) => [
    `**To choose ${at + 1}:** ${renderOption(option)}`,
    block(commandOf(at)),
  ]);
}

/** True where the commands name every option, so that no list of them is needed. */
export function carriesChoices({ kind, options = [] }: InteractionRequest): boolean {
  return kind === "Select" && options.length > 0 && options.length <= BLOCKS;
}

function textRules(validation: InteractionRequest["validation"]): string {
  const rules = [
    ...(validation?.required ? ["not empty"] : []),
    ...(validation?.regex === undefined ? [] : [`matching ${codeSpan(cut(validation.regex, 500))}`]),
  ];
  return rules.length > 0 ? ` (${rules.join(", ")})` : "";
}

function block(command: string): string {
  return fenceShown(command);
}
