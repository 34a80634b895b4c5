// A question to a person as plain text, nothing of it hidden. Pure.
import {
  type InteractionField,
  type InteractionOption,
  type InteractionRequest,
  letsCallsRun,
  SHORT_ID,
} from "./interaction.ts";
import { showUnseen } from "./plain-text.ts";
import { tableLines } from "./table-text.ts";

/**
 * Title, description, content, and what can be answered: options by number and id, fields by id. Unseen characters are
 * shown, see `showUnseen`.
 */
export function questionLines(request: InteractionRequest): string[] {
  return [
    showOneLine(request.display.title),
    ...detailLines(request),
    ...optionLines(request.options),
    ...(request.fields ?? []).flatMap(fieldLines),
  ];
}

/** As `questionLines`, with what whoever answers in a terminal must know of it. */
export function askedLines(request: InteractionRequest): string[] {
  const [title = "", ...rest] = questionLines(request);
  const details = detailLines(request).length;
  return [title, ...rest.slice(0, details), ...cautionLines(request), ...rest.slice(details)];
}

/** Why it is dangerous, how its commands would run, and what an approval is bound to. */
export function cautionLines(request: InteractionRequest): string[] {
  const { dangers = [], isolation, display } = request;
  const isEdit = display.contentKind === "Diff";
  return [
    ...dangers.map((danger) => `! Dangerous: ${briefly(showOneLine(danger))}`),
    ...(isolation && !isEdit ? [`${howIsolated(isolation)}.`] : []),
    ...(letsCallsRun(request) ? [isEdit ? EDIT_BINDING : COMMAND_BINDING] : []),
  ];
}

/** The command itself stands above. */
function briefly(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99).toWellFormed()}…`;
}

function howIsolated({ kind, network }: NonNullable<InteractionRequest["isolation"]>): string {
  if (kind === "none") return "! Commands run without isolation, as you can on this machine";
  return `Commands run isolated (${kind}), ${network ? "with" : "without"} network`;
}

const EDIT_BINDING = "Not made if the file changes before.";
const COMMAND_BINDING = "Not run if a file changes before; those that git ignores do not count.";

/** Description and content of a question, one entry a line. */
export function detailLines(request: InteractionRequest): string[] {
  const { description, content, contentKind } = request.display;
  const lines = description === undefined ? [] : showUnseen(description).split("\n");
  if (content === undefined) return lines;
  const table = contentKind === "Table" ? tableLines(content) : undefined;
  return [...lines, ...(table ?? textLines(content, contentKind === "Json"))];
}

function textLines(content: unknown, isJson: boolean): string[] {
  const text = typeof content === "string" && !isJson ? content : JSON.stringify(content, null, 2);
  return showUnseen(text).replace(/\n$/, "").split("\n");
}

function fieldLines({ id, label, options }: InteractionField): string[] {
  const name = showOneLine(label);
  return [`  ${name === id ? id : `${id}  ${name}`}`, ...optionLines(options).map((line) => `  ${line}`)];
}

function optionLines(options: readonly InteractionOption[] = []): string[] {
  return options.map((option, index) => `  ${index + 1}  ${optionText(option)}`);
}

/** `id  label`, or the label alone where it says the same. */
export function optionText(option: InteractionOption): string {
  const label = showOneLine(option.label);
  const id = showOneLine(option.id);
  if (label === "") return id;
  return label.toLowerCase() === id.toLowerCase() ? label : `${id}  ${label}`;
}

const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** What to write behind `/choose`: its id; its number where the id can't be typed. An exact id beats a number. */
export function optionWord(options: readonly InteractionOption[], at: number): string {
  const option = options[at];
  const number = String(at + 1);
  if (!option) return number;
  const isPlain = PLAIN_ID.test(option.id) && !SHORT_ID.test(option.id);
  return isPlain || options.some(({ id }) => id === number) ? option.id : number;
}

/** The option that is taken when nobody says otherwise: the one marked, else the first. */
export function defaultOption(question: {
  options?: readonly InteractionOption[];
}): InteractionOption | undefined {
  return question.options?.find((option) => option.isDefault) ?? question.options?.[0];
}

/** One line, every unseen character shown. */
export function showOneLine(text: string): string {
  return showUnseen(text).replace(/\s+/g, " ").trim();
}
