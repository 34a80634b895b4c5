// A question to a person as plain text, nothing of it hidden. Pure.
import type { InteractionOption, InteractionRequest } from "./interaction.ts";
import { showUnseen } from "./plain-text.ts";

/** Title, description, content, and the options by number and id. Unseen characters are shown, see `showUnseen`. */
export function questionLines(request: InteractionRequest): string[] {
  return [
    showOneLine(request.display.title),
    ...detailLines(request),
    ...(request.options ?? []).map((option, index) => `  ${index + 1}  ${optionText(option)}`),
  ];
}

/** Description and content of a question, one entry a line. */
export function detailLines(request: InteractionRequest): string[] {
  const { description, content, contentKind } = request.display;
  const lines = description === undefined ? [] : showUnseen(description).split("\n");
  if (content === undefined) return lines;
  const text =
    typeof content === "string" && contentKind !== "Json" ? content : JSON.stringify(content, null, 2);
  return [...lines, ...showUnseen(text).replace(/\n$/, "").split("\n")];
}

/** `id  label`, or the label alone where it says the same. */
export function optionText(option: InteractionOption): string {
  const label = showOneLine(option.label);
  const id = showOneLine(option.id);
  if (label === "") return id;
  return label.toLowerCase() === id.toLowerCase() ? label : `${id}  ${label}`;
}

/** The option that is taken when nobody says otherwise: the one marked, else the first. */
export function defaultOption(request: InteractionRequest): InteractionOption | undefined {
  return request.options?.find((option) => option.isDefault) ?? request.options?.[0];
}

/** One line, every unseen character shown. */
export function showOneLine(text: string): string {
  return showUnseen(text).replace(/\s+/g, " ").trim();
}
