// The parts of a request's comment, each within its own limit whatever a model wrote. Pure.
import {
  type InteractionField,
  type InteractionOption,
  type InteractionRequest,
  letsCallsRun,
} from "../session/interaction.ts";
import { showUnseen } from "../session/plain-text.ts";
import { optionText } from "../session/question-text.ts";
import { formatMoment } from "./figures.ts";
import { findLookAlikes, type LookAlike } from "./look-alikes.ts";
import { alert, codeSpan, cut, escapeShown, quoteShown } from "./markdown.ts";
import type { Rendered } from "./request-content.ts";

const LIMITS = { title: 2_000, description: 8_000, choices: 10_000, warnings: 3_000 };
/** One character is never shown in more than this many. */
const GROWTH = 12;

/** One line. */
export function renderTitle(request: InteractionRequest): Rendered {
  return within(request.display.title, LIMITS.title, (text) => escapeShown(text));
}

/** A quote; empty where there is none. */
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
  const { kept, left } = fitLines(lines, LIMITS.choices);
  const note = left > 0 ? ["", `**Cut**: there are ${left} more.`] : [];
  return { markdown: [...kept, ...note].join("\n"), isWhole: left === 0 };
}

/** The first lines that fit into `limit` characters, and how many do not. */
function fitLines(lines: readonly string[], limit: number): { kept: string[]; left: number } {
  const kept: string[] = [];
  let room = limit - 100;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return { kept, left: lines.length - kept.length };
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
  const dangers = (request.dangers ?? []).filter((danger) => danger.trim() !== "");
  const suspects = findLookAlikes(textOf(request)).map(describeSuspect);
  return [
    warn(
      "CAUTION",
      "**Dangerous.** Only a command with its id approves it: copy the one below.",
      dangers.map((danger) => `- ${escapeShown(danger, 100)}`),
    ),
    warn("WARNING", "**Characters that are not what they look like:**", suspects),
  ]
    .filter((box) => box !== "")
    .join("\n\n");
}

/** Empty without lines; those beyond the limit are counted. */
function warn(kind: "WARNING" | "CAUTION", lead: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const { kept, left } = fitLines(lines, LIMITS.warnings);
  return alert(kind, [lead, ...kept, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n"));
}

function describeSuspect({ codePoint, character, why, word }: LookAlike): string {
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
export function renderIsolation({ isolation, display }: InteractionRequest): string {
  if (!isolation || display.contentKind === "Diff") return "";
  const network = isolation.network ? "**with network**" : "without network";
  return isolation.kind === "none"
    ? `Commands run **without isolation**: as this job's user, on the runner itself, ${network}.`
    : `Commands run isolated (${isolation.kind}), ${network}.`;
}

/** Wider than a comment on any screen. */
const WIDE = 100;

/** Code blocks do not wrap, and what is approved must be seen: which lines go on beyond the edge. */
export function renderLongLines(request: InteractionRequest): string {
  const { display } = request;
  if (!letsCallsRun(request) || typeof display.content !== "string") return "";
  const count = showUnseen(display.content)
    .split("\n")
    .filter((line) => line.length > WIDE).length;
  if (count === 0) return "";
  const what = count === 1 ? "1 line is" : `${count} lines are`;
  return `**Scroll the box sideways**: ${what} longer than ${WIDE} characters.`;
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
