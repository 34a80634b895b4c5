// The content of a request in its right rendering, whole or cut at a line. Pure.
import type { InteractionRequest } from "../session/interaction.ts";
import { showUnseen } from "../session/plain-text.ts";
import { escapeShown, fenceShown, longestRun } from "./markdown.ts";

export type Rendered = { markdown: string; isWhole: boolean };

type Row = readonly unknown[];
type Table = { columns: string[]; rows: Row[] };

/** Markdown of at most `room` characters. */
export function renderContent({ display, toolCallIds }: InteractionRequest, room: number): Rendered {
  const { content, contentKind } = display;
  if (content === undefined || content === "") return { markdown: "", isWhole: true };
  const table = contentKind === "Table" ? readTable(content) : undefined;
  if (table) return renderTable(table, room);
  const isText = typeof content === "string" && contentKind !== "Json";
  const text = isText ? content : (JSON.stringify(content, null, 2) ?? "");
  // Of several calls the commands are indented, so that only edits get colours.
  const isDiff = contentKind === "Diff" || toolCallIds.length > 1;
  const language = isText ? (isDiff ? "diff" : "text") : "json";
  return renderFence(text, language, room);
}

function renderFence(text: string, language: string, room: number): Rendered {
  const whole = fenceShown(text.replace(/\n$/, ""), language);
  if (whole.length <= room) return { markdown: whole, isWhole: true };
  const lines = text.replace(/\n$/, "").split("\n");
  const kept: string[] = [];
  // Both fences can't be longer than the longest line, and that one is counted.
  let left = room - 100 - 2 * longestRun(text);
  for (const line of lines) {
    left -= showUnseen(line).length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const note = `**Cut**: ${kept.length} of ${lines.length} lines are shown.`;
  return { markdown: `${fenceShown(kept.join("\n"), language)}\n\n${note}`, isWhole: false };
}

function renderTable({ columns, rows }: Table, room: number): Rendered {
  const write = (cells: readonly unknown[]): string =>
    `| ${columns.map((_, at) => renderCell(cells[at])).join(" | ")} |`;
  const head = [write(columns), `|${columns.map(() => ":--").join("|")}|`];
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

/** Lines stay lines; a cell never ends its row. */
function renderCell(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text
    .split("\n")
    .map((line) => escapeShown(line))
    .join("<br>");
}

/** `{columns, rows}`, a list of lists (the first has the names) or a list of objects; undefined for all else. */
function readTable(content: unknown): Table | undefined {
  if (isRecord(content)) {
    const { columns, rows } = content;
    if (!Array.isArray(columns) || !Array.isArray(rows) || columns.length === 0) return undefined;
    if (!rows.every((row) => Array.isArray(row) && row.length <= columns.length)) return undefined;
    return { columns: columns.map(String), rows };
  }
  if (!Array.isArray(content) || content.length === 0) return undefined;
  if (content.every((row) => Array.isArray(row))) {
    const [first = [], ...rows] = content;
    const width = Math.max(...content.map((row) => row.length));
    if (width === 0) return undefined;
    return { columns: Array.from({ length: width }, (_, at) => String(first[at] ?? "")), rows };
  }
  if (!content.every(isRecord)) return undefined;
  const columns = [...new Set(content.flatMap((row) => Object.keys(row)))];
  return columns.length === 0 ? undefined : { columns, rows: content.map((row) => cellsOf(row, columns)) };
}

function cellsOf(row: Record<string, unknown>, columns: readonly string[]): Row {
  return columns.map((name) => (Object.hasOwn(row, name) ? row[name] : ""));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
