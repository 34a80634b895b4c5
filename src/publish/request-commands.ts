// The exact commands that answer a request, each in a code block of its own: a phone copies it with one touch. Pure.
import type { InteractionOption, InteractionRequest } from "../session/interaction.ts";
import { codeSpan, cut, fenceShown } from "./markdown.ts";
import { renderOption } from "./request-parts.ts";

/** More options than these share one command. */
const BLOCKS = 10;
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** Markdown: what to write for each answer; `isShort`: without what grows with the options and fields. */
export function renderCommands(request: InteractionRequest, isShort: boolean): string {
  const decline = ["To decline, with or without a reason behind it:", renderRejectCommand(request)];
  return [...answerCommands(request, isShort), ...decline].join("\n\n");
}

/** The one that is always left: to decline. */
export function renderRejectCommand({ shortId }: InteractionRequest): string {
  return block(`/reject ${shortId}`);
}

function answerCommands(request: InteractionRequest, isShort: boolean): string[] {
  const { shortId, kind } = request;
  if (kind === "Confirm") {
    const again = "To have it tried again in another way, your instructions behind it:";
    return ["To approve:", block(`/approve ${shortId}`), again, block(`/revise ${shortId}`)];
  }
  if (kind === "Select") return selectCommands(request, isShort);
  if (kind === "Input") {
    return [`To answer, your text behind it${textRules(request.validation)}:`, block(`/answer ${shortId}`)];
  }
  if (isShort) {
    return [
      "To answer, below it a line for each field, its id, a colon and the value:",
      block(`/answer ${shortId}`),
    ];
  }
  const fields = (request.fields ?? []).map(({ id }) => `${id}: `);
  return ["To answer, a value behind each colon:", block([`/answer ${shortId}`, ...fields].join("\n"))];
}

function selectCommands(request: InteractionRequest, isShort: boolean): string[] {
  const { shortId, options = [] } = request;
  const commandOf = (at: number): string => `/choose ${shortId} ${optionWord(options, at)}`;
  if (isShort || !carriesChoices(request)) {
    const lead = "To choose, with the option's id or number behind it, for example the first:";
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

/** Its id; its number where the id can't be typed. An exact id beats a number. */
function optionWord(options: readonly InteractionOption[], at: number): string {
  const option = options[at];
  const number = String(at + 1);
  if (!option) return number;
  return PLAIN_ID.test(option.id) || options.some(({ id }) => id === number) ? option.id : number;
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
