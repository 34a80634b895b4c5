// A question to a person as plain text, nothing of it hidden. Pure.
import type { InteractionField, InteractionOption, InteractionRequest } from "./interaction.ts";
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
