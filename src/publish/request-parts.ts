// The parts of a request's comment, each within its own limit. Pure.
import {
  describeNetwork,
  type InteractionField,
  type InteractionOption,
  type InteractionRequest,
  letsCallsRun,
  optionText,
  readTable,
} from "../core/interaction.ts";
import { showUnseen } from "../core/json.ts";
import { findLookAlikes } from "./look-alikes.ts";
import { alert, codeSpan, cutMarkdown, escapeShown, fenceShown, longestRun, quoteShown } from "./markdown.ts";

// The content of a request in its own format, complete or cut at a line. Pure.

type RenderedContent = { markdown: string; isWhole: boolean };

/** Markdown of at most `room` characters. */
export function renderContent({ display, toolCallIds }: InteractionRequest, room: number): RenderedContent {
  const { content, contentKind } = display;
  if (content === undefined || content === "") return { markdown: "", isWhole: true };
  const table = contentKind === "Table" ? readTable(content) : undefined;
  if (table?.rows.some((row) => row.length > 0)) return renderTable(table, room);
  const isText = typeof content === "string" && contentKind !== "Json";
  const text = isText ? content : (JSON.stringify(content, null, 2) ?? "");
  // With several calls the commands are indented, so only edits are coloured.
  const isDiff = contentKind === "Diff" || toolCallIds.length > 1;
  const language = isText ? (isDiff ? "diff" : "text") : "json";
  return renderFence(text, language, room);
}

function renderFence(text: string, language: string, room: number): RenderedContent {
  const whole = fenceShown(text.replace(/\n$/, ""), language);
  if (whole.length <= room) return { markdown: whole, isWhole: true };
  const lines = text.replace(/\n$/, "").split("\n");
  const kept: string[] = [];
  // Reserves room for both fences: neither can be longer than the longest run of backticks.
  let left = room - 100 - 2 * longestRun(text);
  for (const line of lines) {
    left -= showUnseen(line).length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const note = `**Cut**: ${kept.length} of ${lines.length} lines are shown.`;
  return { markdown: `${fenceShown(kept.join("\n"), language)}\n\n${note}`, isWhole: false };
}

function renderTable(
  { header, rows }: { header: string[]; rows: string[][] },
  room: number,
): RenderedContent {
  const width = Math.max(header.length, ...rows.map((row) => row.length));
  const write = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, at) => renderCell(cells[at] ?? "")).join(" | ")} |`;
  const head = [write(header), `|${":--|".repeat(width)}`];
  const kept: string[] = [];
  let left = room - 100 - head.join("\n").length;
  const isHeadShown = left > 0;
  for (const row of rows) {
    const line = write(row);
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const isWhole = isHeadShown && kept.length === rows.length;
  const note = isWhole ? [] : ["", `**Cut**: ${kept.length} of ${rows.length} rows are shown.`];
  return { markdown: [...(isHeadShown ? head : []), ...kept, ...note].join("\n"), isWhole };
}

/** Keeps line breaks; a cell never ends its row. */
function renderCell(cell: string): string {
  return cell
    .split("\n")
    .map((line) => escapeShown(line))
    .join("<br>");
}

const LIMITS = { title: 2_000, description: 8_000, choices: 10_000, warnings: 3_000 };
/** Escaping never turns one character into more than this many. */
const GROWTH = 12;

/** The title on one line. */
export function renderTitle(request: InteractionRequest): RenderedContent {
  return within(request.display.title, LIMITS.title, (text) => escapeShown(text));
}

/** Whether the title of a call is that of a command. */
export function isCommand(title: string): boolean {
  return /^Run (?:a command )?\(at most \d+ s\)/.test(title);
}

/** Lines that the program adds below a command. */
const ADDED = /^# (?:with \w+=|not covered by this approval: )/;

/** ``run `rm -r tables/2025` `` with a command's first line, or the title of any other call with a lower-case first letter. */
export function renderAction(title: string, content: string): string {
  if (!isCommand(title)) return escapeShown(cutMarkdown(title.charAt(0).toLowerCase() + title.slice(1), 200));
  return `run ${codeSpan(cutMarkdown(firstLine(content), 200))}`;
}

function firstLine(content: string): string {
  const lines = content.split("\n").map((line) => line.trim());
  const own = lines.filter((line) => line !== "" && !ADDED.test(line));
  // A comment says what somebody wants people to think.
  const first = own.find((line) => !line.startsWith("#")) ?? own[0] ?? "";
  return own.length <= 1 ? first : `${first} …`;
}

/** What a question is about, as plain text on one line: a command by its words, several calls by the first one's. */
export function subjectOf({ kind, display: { title, content }, toolCallIds }: InteractionRequest): string {
  if (kind !== "Confirm" || typeof content !== "string") return title;
  const [first = ""] = content.split("\n");
  const [, numbered = title] = toolCallIds.length > 1 ? (/^1\. (.*)$/.exec(first) ?? []) : [];
  const below = toolCallIds.length > 1 ? (content.slice(first.length + 1).split(/^2\. /m)[0] ?? "") : content;
  const what = isCommand(numbered) ? `run ${firstLine(below)}` : numbered;
  const more = toolCallIds.length - 1;
  return more > 0 ? `${what}, and ${more} more` : what;
}

/** The description as a quotation; empty without one. */
export function renderDescription(request: InteractionRequest): RenderedContent {
  const { description } = request.display;
  return description === undefined || description.trim() === ""
    ? { markdown: "", isWhole: true }
    : within(description, LIMITS.description, quoteShown);
}

/** Numbered options, or the fields of a Composite. */
export function renderChoices(request: InteractionRequest): RenderedContent {
  if (request.kind === "Confirm") return { markdown: "", isWhole: true };
  const lines =
    request.kind === "Composite" ? (request.fields ?? []).flatMap(fieldLines) : optionLines(request);
  const { kept, left } = fitLines(lines, LIMITS.choices);
  const note = left > 0 ? ["", `**Cut**: there are ${left} more.`] : [];
  return { markdown: [...kept, ...note].join("\n"), isWhole: left === 0 };
}

/** The first lines that fit into `limit` characters, and the number of the others. */
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

/** The option's id, its label, and whether it is the default. */
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

const LOOK_ALIKES = "**Characters that are not what they look like:**";

/** The dangers, and the characters that look like others. */
export function renderCallWarnings(request: InteractionRequest): string {
  const dangers = (request.dangers ?? []).filter((danger) => danger.trim() !== "");
  const suspects = findLookAlikes(textOf(request)).map(describeSuspect);
  return [
    warn(
      "CAUTION",
      dangers.map(renderDanger),
      "A bare `/approve` does not count here: copy the line with the id.",
    ),
    suspects.length === 0 ? "" : warn("WARNING", [LOOK_ALIKES, ...suspects]),
  ]
    .filter((box) => box !== "")
    .join("\n\n");
}

/** `deletes: rm -r x`, with the danger in bold. */
function renderDanger(danger: string): string {
  const [, what = "", rest = danger] = /^([a-z ]{1,40})(:.*)$/s.exec(danger) ?? [];
  return `- ${what === "" ? "" : `**${what}**`}${escapeShown(rest, 100)}`;
}

/** Empty without lines; lines beyond the limit are counted. `then` follows them. */
function warn(kind: "WARNING" | "CAUTION", lines: readonly string[], then?: string): string {
  if (lines.length === 0) return "";
  const { kept, left } = fitLines(lines, LIMITS.warnings);
  const after = then === undefined ? [] : ["", then];
  return alert(kind, [...kept, ...(left > 0 ? [`- and ${left} more`] : []), ...after].join("\n"));
}

function describeSuspect({
  codePoint,
  character,
  why,
  word,
}: ReturnType<typeof findLookAlikes>[number]): string {
  const where = word === character ? "" : `, in ${codeSpan(cutMarkdown(word, 40))}`;
  return `- ${codePoint} ${codeSpan(character)} ${why}${where}`;
}

/** All parts of a request that others wrote. */
function textOf({ display, options = [], fields = [] }: InteractionRequest): string {
  const { title, description = "", content } = display;
  const shown = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  const choices = [...options, ...fields, ...fields.flatMap((field) => field.options ?? [])];
  return [title, description, shown, ...choices.flatMap(({ id, label }) => [id, label])].join("\n");
}

/** How the request's commands would run; empty without commands. */
export function renderIsolation({ isolation, display }: InteractionRequest): string {
  if (!isolation || display.contentKind === "Diff") return "";
  if (isolation.kind === "none") {
    return `Commands run **without isolation**: as this job's user, on the runner itself, ${isolation.network ? "**with network**" : "without network"}.`;
  }
  const network = describeNetwork(isolation.network, codeSpan).replace(
    /^with(?: network only)?(?= )/,
    "**$&**",
  );
  return `Commands run isolated (${isolation.kind}), ${network}.`;
}

/** Longer lines do not fit a comment on any screen. */
const WIDE = 100;

/**
 * Code blocks do not wrap, but people must see what they approve: names the lines that continue beyond the
 * edge.
 */
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

/** The whole text, or as long a prefix as certainly fits. */
function within(text: string, limit: number, write: (text: string) => string): RenderedContent {
  const whole = text.length <= limit ? write(text) : undefined;
  if (whole !== undefined && whole.length <= limit) return { markdown: whole, isWhole: true };
  return { markdown: write(cutMarkdown(text, Math.floor(limit / GROWTH))), isWhole: false };
}
