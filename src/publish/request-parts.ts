// The parts of a request's comment, each within its own limit whatever a model wrote. Pure.
import type { InteractionField, InteractionOption, InteractionRequest } from "../session/interaction.ts";
import { optionText } from "../session/question-text.ts";
import { formatMoment, listWords } from "./figures.ts";
import { findLookAlikes } from "./look-alikes.ts";
import { alert, codeSpan, cut, escapeShown, quoteShown } from "./markdown.ts";
import type { Rendered } from "./request-content.ts";

const LIMITS = { title: 2_000, description: 12_000, choices: 12_000, dangers: 20, suspects: 10 };
/** One character is never shown in more than this many. */
const GROWTH = 12;

/** One line. */
export function renderTitle(request: InteractionRequest): Rendered {
  return within(request.display.title, LIMITS.title, (text) => escapeShown(text));
}

export function renderDescription(request: InteractionRequest): Rendered {
  const { description } = request.display;
  return description === undefined || description.trim() === ""
    ? { markdown: "", isWhole: true }
    : within(description, LIMITS.description, quoteShown);
}

/** Options, numbered; or the fields of a Composite. */
export function renderChoices(request: InteractionRequest): Rendered {
  if (request.kind === "Confirm") return { markdown: "", isWhole: true };
  const lines =
    request.kind === "Composite" ? (request.fields ?? []).flatMap(fieldLines) : optionLines(request);
  const kept: string[] = [];
  let left = LIMITS.choices;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 100) return { markdown: [...kept, "", "**Cut**: there are more."].join("\n"), isWhole: false };
    kept.push(line);
  }
  return { markdown: kept.join("\n"), isWhole: true };
}

function optionLines({ options = [] }: Pick<InteractionRequest, "options">, indent = ""): string[] {
  return options.map((option, at) => `${indent}${at + 1}. ${renderOption(option)}`);
}

/** Its id, its label, and whether it is the default. */
export function renderOption(option: InteractionOption): string {
  const id = codeSpan(option.id);
  const isLabelled = optionText(option) !== optionText({ ...option, label: "" });
  const marks = [...(option.isDefault ? ["default"] : []), ...(option.style === "danger" ? ["careful"] : [])];
  const note = marks.length > 0 ? ` *(${marks.join(", ")})*` : "";
  return `${id}${isLabelled ? ` ${escapeShown(option.label)}` : ""}${note}`;
}

function fieldLines(field: InteractionField): string[] {
  const { id, label, kind, validation } = field;
  const rules = [
    ...(kind === "Confirm" ? [`${codeSpan("approve")} or ${codeSpan("reject")}`] : []),
    ...(validation?.required ? ["required"] : []),
    ...(validation?.regex === undefined ? [] : [`matching ${codeSpan(validation.regex)}`]),
  ];
  const note = rules.length > 0 ? ` (${rules.join(", ")})` : "";
  return [`- ${codeSpan(id)} ${escapeShown(label)}${note}`, ...optionLines(field, "  ")];
}

/** What makes it dangerous, and which of its characters are not what they seem. */
export function renderWarnings(request: InteractionRequest): string {
  const named = (request.dangers ?? []).filter((danger) => danger.trim() !== "");
  const dangers = named.slice(0, LIMITS.dangers).map((danger) => escapeShown(danger, 80));
  const more = named.length - dangers.length;
  const boxes = [];
  if (dangers.length > 0) {
    const words = listWords(more > 0 ? [...dangers, `${more} more`] : dangers);
    boxes.push(
      alert(
        "CAUTION",
        `**Dangerous**: ${words}. Only a command with its id approves it: copy the one below.`,
      ),
    );
  }
  const suspects = findLookAlikes(textOf(request)).slice(0, LIMITS.suspects).map(describeSuspect);
  if (suspects.length > 0) {
    boxes.push(
      alert("WARNING", ["**Characters that are not what they look like:**", ...suspects].join("\n")),
    );
  }
  return boxes.join("\n\n");
}

function describeSuspect({
  codePoint,
  character,
  why,
  word,
}: ReturnType<typeof findLookAlikes>[number]): string {
  const where = word === character ? "" : `, in ${codeSpan(cut(word, 40))}`;
  return `- ${codePoint} ${codeSpan(character)} ${why}${where}`;
}

/** Everything of a request that somebody else wrote. */
function textOf({ display, options = [], fields = [] }: InteractionRequest): string {
  const { title, description = "", content } = display;
  const shown = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  const choices = [...options, ...fields, ...fields.flatMap((field) => field.options ?? [])];
  return [title, description, shown, ...choices.flatMap(({ id, label }) => [id, label])].join("\n");
}

/** How its commands would run; empty where it has none. */
export function renderIsolation({ isolation }: InteractionRequest): string {
  if (!isolation) return "";
  const network = isolation.network ? "**with network**" : "without network";
  return isolation.kind === "none"
    ? `Commands run **without isolation**: as this job's user, on the runner itself, ${network}.`
    : `Commands run isolated (${isolation.kind}), ${network}.`;
}

/** Until when it may be answered; empty where it never expires. */
export function renderUntil({ expiresAt }: InteractionRequest): string {
  return expiresAt === undefined ? "" : `Until **${formatMoment(expiresAt)}**.`;
}

/** The whole, or so much of the text's beginning that it fits for certain. */
function within(text: string, limit: number, write: (text: string) => string): Rendered {
  const whole = text.length <= limit ? write(text) : undefined;
  if (whole !== undefined && whole.length <= limit) return { markdown: whole, isWhole: true };
  return { markdown: write(cut(text, Math.floor(limit / GROWTH))), isWhole: false };
}
