// The live view and the full-screen view of one moment of a run, as the program draws them, as SVG in light and dark.
import picocolors from "picocolors";
import stringWidth from "string-width";
import { type AskedQuestion, drawScreen, type Place } from "../../src/cli/live/screens.ts";
import { applyProgress, beginProgress } from "../../src/cli/live/state.ts";
import { drawProgress } from "../../src/cli/live/view.ts";
import type { RunEvent } from "../../src/core/ports.ts";
import { COLORS, type Theme } from "./page.ts";

const CELL = { width: 8.4, height: 18, font: 14 };
const PADDING = 16;
const NOW = 74_000;

const at = { sessionId: "to-do-2026-11-22-2415da", taskId: "T2", agent: "anthropic" };
const call = (toolCallId: string, toolName: string, summary: string, more: object = {}): RunEvent[] => [
  { type: "tool-started", ...at, toolCallId, toolName, summary },
  { type: "tool-ended", ...at, toolCallId, toolName, summary, isError: false, durationMs: 1_240, ...more },
];
const step = (output: string, status: "started" | "completed"): RunEvent => ({
  ...{ type: "step", sessionId: at.sessionId, output, agent: at.agent, status },
});
const usage = { inputTokens: 2_100, outputTokens: 940, cacheReadTokens: 18_400, cacheWriteTokens: 1_200 };

const EVENTS: readonly (readonly [number, RunEvent])[] = [
  [
    0,
    {
      ...{ type: "session", sessionId: at.sessionId, source: "to-do.json", pipeline: "tasks", folder: "" },
      steps: [
        { output: "T1", title: "Find the failing test", due: true, reason: "todo" },
        { output: "T2", title: "Fix the parser", due: true, reason: "todo" },
        { output: "T3", title: "Write the release notes", due: true, reason: "todo" },
      ],
    },
  ],
  [1_000, step("T1", "started")],
  [9_000, { type: "usage", ...at, taskId: "T1", model: "m", usage, costUsd: 0.021 }],
  [21_000, step("T1", "completed")],
  [22_000, step("T2", "started")],
  [40_000, { type: "usage", ...at, model: "m", usage, costUsd: 0.034 }],
  [
    41_000,
    { type: "message", ...at, text: "The tokenizer drops the last line when the file has no final newline." },
  ],
  ...call("c1", "editFile", "src/parse.ts", {
    change: '- return text.split("\\n").slice(0, -1);\n+ return text.replace(/\\n$/, "").split("\\n");',
  }).map((event): [number, RunEvent] => [52_000, event]),
  ...call("c2", "runCommand", "npm test", { ending: "Exit code 0.\n  24 passed" }).map(
    (event): [number, RunEvent] => [60_000, event],
  ),
];

const QUESTION: AskedQuestion = {
  lines: [
    "! Dangerous: publishes: npm publish",
    "Commands run isolated (bubblewrap), with network.",
    "npm publish --tag next",
  ],
  message: "Run (at most 600 s): npm publish --tag next",
  choices: [
    { id: "approve", label: "Approve" },
    { id: "always", label: "Approve always: the same command needs no further question in this work" },
    { id: "reject", label: "Reject" },
  ],
  ...{ at: 0, text: [], problem: "", hint: "", top: 0 },
};

/** Pictures by name; a test compares them with docs/terminal. */
export function terminalPictures(): Map<string, (theme: Theme) => string> {
  const state = beginProgress(0, true);
  for (const [now, event] of EVENTS) applyProgress(state, event, now);
  const colors = picocolors.createColors(true);
  const look = { colors, frame: 3, now: NOW };
  const place: Place = { pane: "list", above: 0, notice: "", ended: "" };
  const screen = (here: Place, width: number, rows: number) =>
    drawScreen(state, here, { ...look, width, rows });
  const pictures: [string, string, string[], number][] = [
    ["live", "The live view of a task list", drawProgress(state, { ...look, width: 84 }), 84],
    ["tui", "--ui tui: the list of tasks and the log of one", screen(place, 110, 18), 110],
    [
      "tui-question",
      "--ui tui in a narrow terminal: the open question",
      screen({ ...place, pane: "question", question: QUESTION }, 60, 14),
      60,
    ],
  ];
  return new Map(
    pictures.map(([name, title, lines, columns]) => [name, (theme) => toSvg(lines, columns, title, theme)]),
  );
}

type Style = { color: keyof (typeof COLORS)["light"]; isBold: boolean };
const FRONTS = new Map<string, Style["color"]>([
  ...[["31", "danger"] as const, ["32", "added"] as const, ["33", "attention"] as const],
  ...[["36", "link"] as const, ["2", "muted"] as const, ["39", "text"] as const, ["22", "text"] as const],
]);
const CODES = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`);

/** No font and no script from outside; `textLength` keeps the columns whatever font there is. */
function toSvg(lines: readonly string[], columns: number, title: string, theme: Theme): string {
  const palette = COLORS[theme];
  const [width, height] = [
    Math.ceil(columns * CELL.width + 2 * PADDING),
    lines.length * CELL.height + 2 * PADDING,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${title}</title>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${palette.page}" stroke="${palette.border}"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${CELL.font}" xml:space="preserve">`,
    ...lines.flatMap((line, y) => drawLine(line, y, palette)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function drawLine(line: string, y: number, palette: Record<Style["color"], string>): string[] {
  const style: Style = { color: "text", isBold: false };
  const drawn: string[] = [];
  let column = 0;
  for (const [index, piece] of line.split(CODES).entries()) {
    if (index % 2 === 1) {
      if (piece === "1") style.isBold = true;
      if (piece === "22") style.isBold = false;
      style.color = FRONTS.get(piece) ?? style.color;
      continue;
    }
    // White space is not drawn: a viewer collapses it and stretches the rest.
    for (const { 0: words, index: from } of piece.matchAll(/\S+(?: \S+)*/g)) {
      const x = round(PADDING + (column + stringWidth(piece.slice(0, from))) * CELL.width);
      const length = round(stringWidth(words) * CELL.width);
      const text = words.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
      drawn.push(
        `<text x="${x}" y="${PADDING + y * CELL.height + CELL.font}" fill="${palette[style.color]}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${style.isBold ? ' font-weight="700"' : ""}>${text}</text>`,
      );
    }
    column += stringWidth(piece);
  }
  return drawn;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
