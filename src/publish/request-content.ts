// The content of a request in its right rendering, whole or cut at a line. Pure.
import type { InteractionRequest } from "../session/interaction.ts";
import { showUnseen } from "../session/plain-text.ts";
import { readTable, type Table } from "../session/table-text.ts";
import { escapeShown, fenceShown, longestRun } from "./markdown.ts";

export type Rendered = { markdown: string; isWhole: boolean };

/** Markdown of at most `room` characters. */
export function renderContent({ display, toolCallIds }: InteractionRequest, room: number): Rendered {
  const { content, contentKind } = display;
  if (content === undefined || content === "") return { markdown: "", isWhole: true };
  const table = contentKind === "Table" ? readTable(content) : undefined;
  if (table?.rows.some((row) => row.length > 0)) return renderTable(table, room);
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

function renderTable({ header, rows }: Table, room: number): Rendered {
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

/** Lines stay lines; a cell never ends its row. */
function renderCell(cell: string): string {
  return cell
    .split("\n")
    .map((line) => escapeShown(line))
    .join("<br>");
}
