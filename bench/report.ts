// Figures beside what is demanded of them, as a table.

/** `value` in `unit`; without `demand` it is listed and nothing more. A demand is an upper limit in the same unit. */
export type Figure = { name: string; value: number; unit: string; demand?: number };

export function isMissed({ value, demand }: Figure): boolean {
  return demand !== undefined && !(value <= demand);
}

/** The figures as lines of text, columns aligned. */
export function formatTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    showNumber(figure.value),
    figure.unit,
    figure.demand === undefined ? "" : `<= ${showNumber(figure.demand)}`,
    figure.demand === undefined ? "" : isMissed(figure) ? "MISSED" : "ok",
  ]);
  const all = [["figure", "value", "", "demand", ""], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function showNumber(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 2 : 0 });
}
