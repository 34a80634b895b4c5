// What a terminal shows, as SVG: one screen, or several as an animation.
import xterm, { type IBufferCell, type Terminal } from "@xterm/headless";
import { COLORS, type Theme } from "./page.ts";

const CELL = { width: 8.4, height: 18, font: 14 };
const PADDING = 20;
const TITLE_BAR = 34;
const FRAME_SECONDS = 1.1;
const LAST_FRAME_SECONDS = 5;

export type Size = { columns: number; rows: number };
type Color = keyof (typeof COLORS)["light"];
/** Neighbouring cells of one look. */
type Run = { column: number; columns: number; text: string; fill: Color; isBold: boolean };
export type Screen = Run[][];

/** The terminal's eight: black red green yellow blue magenta cyan white. */
const PALETTE: readonly Color[] = ["muted", "danger", "added", "attention", "link", "hunk", "link", "text"];

/** The screen after each of these outputs, without those that look the same. */
export async function readScreens(outputs: readonly string[], { columns, rows }: Size): Promise<Screen[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const screens: Screen[] = [];
  for (const output of outputs) {
    await new Promise<void>((done) => terminal.write(output, done));
    const screen = Array.from({ length: rows }, (_, y) =>
      readRow(terminal, terminal.buffer.active.viewportY + y),
    );
    if (JSON.stringify(screen) !== JSON.stringify(screens.at(-1))) screens.push(screen);
  }
  return screens;
}

/** Its words, line by line. */
export function wordsOf(screen: Screen): string {
  const lines = screen.map((runs) =>
    runs.reduce((line, { column, text }) => `${line.padEnd(column)}${text}`, ""),
  );
  return `${lines.join("\n").trimEnd()}\n`;
}

function readRow(terminal: Terminal, y: number): Run[] {
  const line = terminal.buffer.active.getLine(y);
  const runs: Run[] = [];
  for (let x = 0; line && x < terminal.cols; x += 1) {
    const cell = line.getCell(x);
    const text = cell?.getChars() ?? "";
    if (!cell || text.trim() === "") continue;
    const [fill, isBold] = [fillOf(cell), cell.isBold() !== 0];
    const last = runs.at(-1);
    const gap = last ? x - last.column - last.columns : 0;
    if (last && gap <= 1 && last.fill === fill && last.isBold === isBold) {
      last.text += " ".repeat(gap) + text;
      last.columns += gap + cell.getWidth();
    } else {
      runs.push({ column: x, columns: cell.getWidth(), text, fill, isBold });
    }
  }
  return runs;
}

function fillOf(cell: IBufferCell): Color {
  if (cell.isDim()) return "muted";
  return (cell.isFgPalette() ? PALETTE[cell.getFgColor() % 8] : undefined) ?? "text";
}

/**
 * No font and no script from outside; `textLength` keeps the columns whatever font there is. Of several screens each is visible
 * for its part of the whole; people who want less motion see the last one.
 */
export function drawScreens(
  screens: readonly Screen[],
  { columns, rows }: Size,
  title: string,
  theme: Theme,
): string {
  const colors = COLORS[theme];
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = TITLE_BAR + rows * CELL.height + 2 * PADDING;
  const dots = [0, 1, 2].map(
    (at) =>
      `<circle cx="${PADDING + at * 20}" cy="${TITLE_BAR / 2 + 4}" r="6" fill="${["#ff5f57", "#febc2e", "#28c840"][at]}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    ...(screens.length > 1 ? [`<style>${animate(screens.length)}</style>`] : []),
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${colors.page}" stroke="${colors.border}"/>`,
    ...dots,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${CELL.font}" xml:space="preserve">`,
    ...screens.flatMap((screen, at) => [
      `<g id="f${at}">`,
      ...screen.flatMap((runs, y) => runs.map((run) => drawRun(run, y, colors))),
      "</g>",
    ]),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function animate(count: number): string {
  const seconds = (count - 1) * FRAME_SECONDS + LAST_FRAME_SECONDS;
  const part = (frame: number) => round((100 * frame * FRAME_SECONDS) / seconds);
  const last = count - 1;
  const all = Array.from({ length: count }, (_, at) => at);
  const rules = all.map((at) =>
    at === last
      ? `@keyframes f${at}{0%{opacity:0}${part(at)}%,100%{opacity:1}}`
      : `@keyframes f${at}{${at === 0 ? "" : "0%{opacity:0}"}${part(at)}%{opacity:1}${part(at + 1)}%,100%{opacity:0}}`,
  );
  return [
    ...rules,
    ...all.map((at) => `#f${at}{animation:f${at} ${round(seconds)}s step-end infinite}`),
    `@media (prefers-reduced-motion:reduce){${all.map((at) => `#f${at}`).join()}{animation:none;opacity:0}#f${last}{opacity:1}}`,
  ].join("");
}

function drawRun(run: Run, y: number, colors: Record<Color, string>): string {
  const x = round(PADDING + run.column * CELL.width);
  const baseline = TITLE_BAR + PADDING + y * CELL.height + CELL.font;
  const weight = run.isBold ? ' font-weight="700"' : "";
  const text = run.text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<text x="${x}" y="${baseline}" fill="${colors[run.fill]}" textLength="${round(run.columns * CELL.width)}" lengthAdjust="spacingAndGlyphs"${weight}>${text}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
