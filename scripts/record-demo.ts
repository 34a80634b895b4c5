// Makes docs/demo.svg: runs `npm start -- content` in a pseudo terminal (util-linux `script`) and draws what it leaves there.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import xterm, { type IBufferCell, type Terminal } from "@xterm/headless";

const root = resolve(import.meta.dirname, "..");
const COLUMNS = 96;
/** Higher than the output, so that nothing scrolls away. */
const ROWS = 200;
const CELL = { width: 8.4, height: 18, font: 14 };
const PADDING = 20;
const TITLE_BAR = 34;

const COLORS = {
  background: "#0d1117",
  border: "#30363d",
  text: "#e6edf3",
  dim: "#8b949e",
  // The terminal's sixteen: black red green yellow blue magenta cyan white, then the bright ones.
  palette: ["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#e6edf3"],
};

type Run = { column: number; columns: number; text: string; fill: string; isBold: boolean };

const screen = await drawScreen(record());
const rows = readRows(screen);
mkdirSync(join(root, "docs"), { recursive: true });
writeFileSync(join(root, "docs/demo.svg"), toSvg(rows));
process.stdout.write(`docs/demo.svg: ${rows.length} lines\n`);

/** Everything that a real run writes to its terminal. */
function record(): string {
  const log = join(mkdtempSync(join(tmpdir(), "looplia-record-")), "log");
  const line = `stty cols ${COLUMNS} rows ${ROWS}; exec npm start -- content`;
  const output = execFileSync("script", ["-q", "-e", "-c", line, log], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      TERM: "xterm-256color",
      SHELL: "/bin/sh",
      FORCE_COLOR: "1",
    },
  });
  return `$ npm start -- content\r\n${output}`;
}

async function drawScreen(output: string): Promise<Terminal> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(output, done));
  return terminal;
}

function readRows(terminal: Terminal): Run[][] {
  const rows: Run[][] = [];
  for (let y = 0; y < ROWS; y += 1) rows.push(readRow(terminal, y));
  const last = rows.findLastIndex((runs) => runs.length > 0);
  return rows.slice(0, last + 1);
}

/** Neighbouring cells of one look are one run; blank ones are left out. */
function readRow(terminal: Terminal, y: number): Run[] {
  const line = terminal.buffer.active.getLine(y);
  const runs: Run[] = [];
  for (let x = 0; line && x < COLUMNS; x += 1) {
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

function fillOf(cell: IBufferCell): string {
  if (cell.isDim()) return COLORS.dim;
  if (!cell.isFgPalette()) return COLORS.text;
  return COLORS.palette[cell.getFgColor() % 8] ?? COLORS.text;
}

/** No font and no style from outside; `textLength` keeps the columns whatever font there is. */
function toSvg(rows: Run[][]): string {
  const width = Math.ceil(COLUMNS * CELL.width + 2 * PADDING);
  const height = TITLE_BAR + rows.length * CELL.height + 2 * PADDING;
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, index) => `<circle cx="${PADDING + index * 20}" cy="${TITLE_BAR / 2 + 4}" r="6" fill="${fill}"/>`,
  );
  const texts = rows.flatMap((runs, y) => runs.map((run) => drawRun(run, y)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    "<title>npm start: the demo turns an article into a writing kit, step by step</title>",
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${COLORS.background}" stroke="${COLORS.border}"/>`,
    ...dots,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${CELL.font}" xml:space="preserve">`,
    ...texts,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function drawRun(run: Run, y: number): string {
  const x = round(PADDING + run.column * CELL.width);
  const baseline = TITLE_BAR + PADDING + y * CELL.height + CELL.font;
  const weight = run.isBold ? ' font-weight="700"' : "";
  const text = run.text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<text x="${x}" y="${baseline}" fill="${run.fill}" textLength="${round(run.columns * CELL.width)}" lengthAdjust="spacingAndGlyphs"${weight}>${text}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
