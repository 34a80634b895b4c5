// The content of a Table: rows of named cells, or rows of cells, as a grid and as lines of text. Pure.
import { isObject } from "./json.ts";
import { showUnseen } from "./plain-text.ts";

/** `header` is empty where the rows have no names for their cells. */
export type Table = { header: string[]; rows: string[][] };

/** An array of objects (their keys are the header) or of arrays; undefined for anything else. */
export function readTable(content: unknown): Table | undefined {
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const rows: unknown[] = content;
  if (rows.every((row): row is unknown[] => Array.isArray(row))) {
    return { header: [], rows: rows.map((row) => row.map(cellText)) };
  }
  if (!rows.every(isObject)) {
    return undefined;
  }
  const named = rows.map((row) => new Map<string, unknown>(Object.entries(row)));
  const header = [...new Set(named.flatMap((row) => [...row.keys()]))];
  return { header, rows: named.map((row) => header.map((name) => cellText(row.get(name)))) };
}

/** Columns side by side; undefined for what is no table. */
export function tableLines(content: unknown): string[] | undefined {
  const table = readTable(content);
  if (!table) return undefined;
  const rows = [...(table.header.length > 0 ? [table.header] : []), ...table.rows].map((row) =>
    row.map((cell) => showUnseen(cell).replace(/\s+/g, " ").trim()),
  );
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    widths
      .map((width, column) => (row[column] ?? "").padEnd(width))
      .join("  ")
      .trimEnd(),
  );
  if (table.header.length > 0) lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
  return lines;
}

function cellText(cell: unknown): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}
