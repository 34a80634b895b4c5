// Makes docs/demo.svg, an animation: runs `npm start -- content` in a pseudo terminal (util-linux `script`) and draws what
// its screen shows, moment by moment. docs/demo.txt has the words, which a test compares with those of today.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import xterm, { type IBufferCell, type Terminal } from "@xterm/headless";
import { demoWords } from "./pictures/demo.ts";

const root = resolve(import.meta.dirname, "..");
const COLUMNS = 96;
const ROWS = 22;
const CELL = { width: 8.4, height: 18, font: 14 };
const PADDING = 20;
const TITLE_BAR = 34;
/** Output that comes within this time belongs to one moment: a spinner turns more often. */
const MOMENT_SECONDS = 0.2;
const GAP_SECONDS = 0.02;
const FRAME_SECONDS = 1.1;
const LAST_FRAME_SECONDS = 5;

const COLORS = {
  background: "#0d1117",
  border: "#30363d",
  text: "#e6edf3",
  dim: "#8b949e",
  // The terminal's eight: black red green yellow blue magenta cyan white.
  palette: ["#848d97", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#e6edf3"],
};

/** Moves the cursor up, or clears: part of a picture that redraws itself. */
const REDRAW = new RegExp(`${String.fromCharCode(27)}\\[\\d*[AJ]`, "g");

type Run = { column: number; columns: number; text: string; fill: string; isBold: boolean };

const moments = record();
const frames = await drawFrames(moments);
writeFileSync(join(root, "docs/demo.svg"), toSvg(frames));
writeFileSync(join(root, "docs/demo.txt"), demoWords(execDemo()));
process.stdout.write(`docs/demo.svg: ${frames.length} frames\n`);

/** What a real run writes to its terminal, in the pieces in which it came. */
function record(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "looplia-record-"));
  const [output, timing] = [join(folder, "output"), join(folder, "timing")];
  const line = `stty cols ${COLUMNS} rows ${ROWS}; exec npm start --silent -- content`;
  execFileSync("script", ["-q", "-e", "-c", line, "--log-out", output, "--log-timing", timing], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      TERM: "xterm-256color",
      SHELL: "/bin/sh",
      FORCE_COLOR: "1",
    },
  });
  // The first line and the last are those of `script` itself.
  const bytes = readFileSync(output);
  let at = bytes.indexOf("\n") + 1;
  const pieces = ["$ npm start -- content\r\n\r\n"];
  const decoder = new TextDecoder();
  let passed = 0;
  for (const entry of readFileSync(timing, "utf8").trim().split("\n")) {
    const [seconds = 0, length = 0] = entry.split(" ").map(Number);
    const text = decoder.decode(bytes.subarray(at, at + length), { stream: true });
    at += length;
    passed += seconds;
    // What comes without a gap was written at once.
    if (passed <= MOMENT_SECONDS || seconds < GAP_SECONDS) pieces.push((pieces.pop() ?? "") + text);
    else {
      pieces.push(text);
      passed = 0;
    }
  }
  return pieces;
}

/** The words of the same command where no terminal is. */
function execDemo(): string {
  const script = join(root, "dist/cli/index.js");
  return execFileSync(process.execPath, [script, "demo", "content"], {
    cwd: root,
    encoding: "utf8",
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** The screen after each moment, without those that look the same. */
async function drawFrames(moments: readonly string[]): Promise<Run[][][]> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const frames: Run[][][] = [];
  for (const moment of moments) {
    for (const part of byScreens(moment)) {
      await new Promise<void>((done) => terminal.write(part, done));
      const rows = Array.from({ length: ROWS }, (_, y) =>
        readRow(terminal, terminal.buffer.active.viewportY + y),
      );
      if (JSON.stringify(rows) !== JSON.stringify(frames.at(-1))) frames.push(rows);
    }
  }
  return frames;
}

/** Long output comes half a screen at a time, so that it can be read; what is redrawn within it is not shown. */
function byScreens(text: string): string[] {
  const redrawn = [...text.matchAll(REDRAW)].at(-1);
  if (redrawn) {
    const end = redrawn.index + redrawn[0].length;
    const [first = "", ...others] = byScreens(text.slice(end));
    return [text.slice(0, end) + first, ...others];
  }
  const lines = text.split(/(?<=\n)/);
  const half = ROWS >> 1;
  return Array.from({ length: Math.ceil(lines.length / half) }, (_, at) =>
    lines.slice(at * half, (at + 1) * half).join(""),
  );
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

/**
 * No font and no script from outside; `textLength` keeps the columns whatever font there is. Each frame is visible for its
 * part of the whole; whoever wants less motion sees the last one.
 */
function toSvg(frames: readonly Run[][][]): string {
  const width = Math.ceil(COLUMNS * CELL.width + 2 * PADDING);
  const height = TITLE_BAR + ROWS * CELL.height + 2 * PADDING;
  const seconds = (frames.length - 1) * FRAME_SECONDS + LAST_FRAME_SECONDS;
  const part = (frame: number) => round((100 * frame * FRAME_SECONDS) / seconds);
  const last = frames.length - 1;
  const rules = frames.map((_, at) =>
    at === last
      ? `@keyframes f${at}{0%{opacity:0}${part(at)}%,100%{opacity:1}}`
      : `@keyframes f${at}{${at === 0 ? "" : "0%{opacity:0}"}${part(at)}%{opacity:1}${part(at + 1)}%,100%{opacity:0}}`,
  );
  const style = [
    ...rules,
    ...frames.map((_, at) => `#f${at}{animation:f${at} ${round(seconds)}s step-end infinite}`),
    `@media (prefers-reduced-motion:reduce){${frames.map((_, at) => `#f${at}`).join()}{animation:none;opacity:0}#f${last}{opacity:1}}`,
  ].join("");
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, index) => `<circle cx="${PADDING + index * 20}" cy="${TITLE_BAR / 2 + 4}" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    "<title>npm start: the demo turns an article into a writing kit, step by step, and answers one question</title>",
    `<style>${style}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${COLORS.background}" stroke="${COLORS.border}"/>`,
    ...dots,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${CELL.font}" xml:space="preserve">`,
    ...frames.flatMap((rows, at) => [
      `<g id="f${at}">`,
      ...rows.flatMap((runs, y) => runs.map((run) => drawRun(run, y))),
      "</g>",
    ]),
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
