// Draws the full-screen view of a run. Pure: the same state, place and look give the same lines.
import { formatCost, formatDuration } from "../../publish/markdown.ts";
import { titleOf } from "../result.ts";
import { LEAST_COLUMNS } from "../surface.ts";
import {
  hasMany,
  type ProgressState,
  type SessionProgress,
  type StepProgress,
  type StepView,
} from "./state.ts";
import {
  activityLines,
  cutText,
  drawTotals,
  fitLine,
  type Look,
  overallState,
  type StyledText,
  stateMark,
  widthOf,
  wrapText,
} from "./view.ts";

/** A question as far as it is answered. `choices`: of a selection; otherwise `text` is typed. */
export type AskedQuestion = {
  lines: readonly string[];
  message: string;
  choices?: readonly { id: string; label: string }[];
  /** The marked choice, or the place of the cursor in `text`. */
  at: number;
  /** Grapheme by grapheme. */
  text: string[];
  /** What happens without a key. */
  hint: string;
  /** What is wrong with the text. */
  problem: string;
  /** The first line that is shown. */
  top: number;
};

/** Where the person is. */
export type Place = {
  /** The selected row; undefined follows what is at work. */
  row?: number;
  pane: "list" | "detail" | "question" | "help";
  /** Lines between the shown part of the detail and its end; 0 follows new lines. */
  above: number;
  question?: AskedQuestion;
  /** The last permanent line. */
  notice: string;
  /** How the run ended. */
  ended: string;
};

type Line = readonly StyledText[];
type Size = { width: number; height: number };
type Row = { session: SessionProgress; step?: StepView | undefined };

/** From this width on, list and detail stand side by side. */
const WIDE = 100;
const LIST_SHARE = 0.38;
const MOST_LIST = 64;
/** Title, totals and keys. */
const FRAME_LINES = 3;

/** Exactly `rows` lines of at most `columns` columns. */
export function drawScreen(state: ProgressState, place: Place, look: Look & { rows: number }): string[] {
  const { width, rows } = look;
  const height = Math.max(1, rows - FRAME_LINES);
  const body = drawBody(state, place, look, { width, height });
  const { bold, dim, yellow, cyan } = look.colors;
  const status = place.ended || (place.question ? "waiting for your answer" : "at work");
  const name = state.sessions.values().next().value;
  const work = name ? titleOf(name.pipeline) : "starting";
  const title = firstFitting([`looplia · ${work}`, work, "looplia"], width - widthOf(status) - 2);
  const gap = " ".repeat(Math.max(2, width - widthOf(title) - widthOf(status)));
  const head = fitLine(
    [{ text: title, style: bold }, { text: gap }, { text: status, style: place.question ? yellow : cyan }],
    width,
  );
  const notice: Line = place.notice === "" ? [] : [{ text: `  ${place.notice}`, style: yellow }];
  const foot = fitLine([...drawTotals(state, look), ...notice], width);
  const lines = [
    head,
    ...body,
    foot,
    fitLine([{ text: firstFitting(keyLines(place), width), style: dim }], width),
  ];
  return lines.slice(0, Math.max(1, rows));
}

function drawBody(state: ProgressState, place: Place, look: Look, size: Size): string[] {
  const { width, height } = size;
  if (width < LEAST_COLUMNS) return fill([[{ text: "too narrow" }]], size);
  if (place.pane === "help") return fill(helpLines(width), size);
  const isWide = width >= WIDE;
  const listWidth = isWide ? Math.min(MOST_LIST, Math.floor(width * LIST_SHARE)) : width;
  if (!isWide && place.pane !== "list") return drawRight(state, place, look, size);
  const list = drawList(state, place, look, { width: listWidth, height });
  if (!isWide) return list;
  const right = drawRight(state, place, look, { width: width - listWidth - 3, height });
  const bar = look.colors.dim("│");
  return list.map((line, index) => `${line} ${bar} ${right[index] ?? ""}`);
}

function drawRight(state: ProgressState, place: Place, look: Look, size: Size): string[] {
  if (place.question && place.pane === "question") return drawQuestion(place.question, look, size);
  const row = selectedRow(state, place);
  if (!row) return fill([], size);
  const lines = detailLines(row, look, size.width);
  const from = Math.max(0, lines.length - size.height - clampAbove(lines.length, size.height, place.above));
  return fill(lines.slice(from, from + size.height), size);
}

/** `above` within what there is to scroll. */
function clampAbove(count: number, height: number, above: number): number {
  return Math.min(above, Math.max(0, count - height));
}

/** How far the detail can be scrolled up. */
export function mostAbove(state: ProgressState, place: Place, look: Look & { rows: number }): number {
  const row = selectedRow(state, place);
  const isWide = look.width >= WIDE;
  const listWidth = Math.min(MOST_LIST, Math.floor(look.width * LIST_SHARE));
  const width = isWide ? look.width - listWidth - 3 : look.width;
  const height = Math.max(1, look.rows - FRAME_LINES);
  return row ? Math.max(0, detailLines(row, look, width).length - height) : 0;
}

/** The rows of the list: each item with its steps, or the items alone if there are many. */
export function listRows(state: ProgressState): Row[] {
  const sessions = [...state.sessions.values()];
  if (hasMany(state)) return sessions.map((session) => ({ session }));
  return sessions.flatMap((session) => [{ session }, ...session.steps.map((step) => ({ session, step }))]);
}

/** The index of the selected row, or of the one that matters most. */
export function selectedIndex(state: ProgressState, { row }: Place): number {
  const rows = listRows(state);
  if (row !== undefined) return Math.min(row, Math.max(0, rows.length - 1));
  for (const wanted of ["waiting", "started"]) {
    const found = rows.findLastIndex((one) => stateOfRow(one) === wanted);
    if (found >= 0) return found;
  }
  return Math.max(
    0,
    rows.findLastIndex(({ step }) => step?.endedAt !== undefined),
  );
}

function selectedRow(state: ProgressState, place: Place): Row | undefined {
  return listRows(state)[selectedIndex(state, place)];
}

function drawList(state: ProgressState, place: Place, look: Look, size: Size): string[] {
  const rows = listRows(state);
  const selected = selectedIndex(state, place);
  const from = Math.max(0, Math.min(selected - (size.height >> 1), rows.length - size.height));
  const shown = rows.slice(from, from + size.height);
  return fill(
    shown.map((row, index) => rowLine(row, from + index === selected, look, size.width)),
    size,
  );
}

/** A step with an open question waits, although its agent is at work. */
function stateOfRow({ session, step }: Row): StepProgress {
  const isAsked = session.questions.some(({ outputs }) => !step || outputs.includes(step.output));
  return isAsked ? "waiting" : step ? step.state : overallState(session);
}

/** Marker and state at the left, time and cost at the right edge. */
function rowLine({ session, step }: Row, isSelected: boolean, look: Look, width: number): Line {
  const { bold, dim } = look.colors;
  const costUsd = step ? step.costUsd : session.costUsd;
  const from = step?.startedAt;
  const spent = from === undefined ? "" : formatDuration((step?.endedAt ?? look.now) - from);
  const end = [spent, costUsd > 0 ? formatCost(costUsd) : ""].filter(Boolean).join("  ");
  const name = step ? `${step.output}${step.title ? `  ${step.title}` : ""}` : session.source;
  const lead: StyledText[] = [
    { text: isSelected ? "› " : "  ", style: bold },
    ...(step ? [{ text: "  " }] : []),
    stateMark(stateOfRow({ session, step }), look),
  ];
  const room = width - lead.reduce((sum, { text }) => sum + widthOf(text), 0) - 1;
  const isShown = room - widthOf(end) >= 12;
  const shown = cutText(name, isShown && end !== "" ? room - widthOf(end) - 2 : room);
  const gap = isShown ? " ".repeat(Math.max(1, room - widthOf(shown) - widthOf(end))) : "";
  return [
    ...lead,
    { text: ` ${shown}`, ...(isSelected || !step ? { style: bold } : {}) },
    ...(isShown ? [{ text: `${gap}${end}`, style: dim }] : []),
  ];
}

const STATES = new Map([
  ["pending", "to do"],
  ["skipped", "nothing to do"],
  ["started", "at work"],
  ["stopped", "stopped"],
  ["completed", "done"],
  ["failed", "failed"],
  ["waiting", "waiting for an answer"],
]);

/** What there is to know about a row: its facts, then its log. */
function detailLines({ session, step }: Row, look: Look, width: number): Line[] {
  const { bold, dim, red } = look.colors;
  const state = stateOfRow({ session, step });
  const costUsd = step ? step.costUsd : session.costUsd;
  const facts = [
    STATES.get(state) ?? state,
    step?.agent ?? session.sessionId,
    ...(costUsd > 0 ? [formatCost(costUsd)] : []),
  ].filter(Boolean);
  const why = step?.reason || step?.again || "";
  const entries = step ? session.log.filter(({ outputs }) => outputs.includes(step.output)) : session.log;
  const saying = state === "started" ? session.saying.trim() : "";
  return [
    ...wrapped(step ? `${step.output}${step.title ? `  ${step.title}` : ""}` : session.source, width, bold),
    ...wrapped(facts.join(" · "), width, dim),
    ...(why ? wrapped(why, width, state === "failed" ? red : dim) : []),
    [],
    ...entries.flatMap((entry) => entryLines(entry, look, width)),
    ...(saying ? wrapped(saying, width, dim) : []),
    ...(entries.length === 0 && saying === "" ? wrapped("Nothing has happened here yet.", width, dim) : []),
  ];
}

function entryLines(entry: SessionProgress["log"][number], look: Look, width: number): Line[] {
  const { yellow, green, dim } = look.colors;
  switch (entry.kind) {
    case "said":
      return [...wrapped(entry.text, width), []];
    case "asked":
      return wrapped(`? ${entry.text}`, width, yellow);
    case "answered":
      return wrapped(`→ ${entry.text}`, width, green);
    case "noted":
      return wrapped(entry.text, width, dim);
    case "called":
      return [
        ...activityLines(entry.activity, look, width),
        ...changeLines(entry.activity.change, look, width),
      ];
  }
}

/** A change by line: removed in red, added in green, the sign first. */
function changeLines(change: readonly string[], { colors }: Look, width: number): Line[] {
  return change.flatMap((line) => {
    const style = line.startsWith("-") ? colors.red : line.startsWith("+") ? colors.green : colors.dim;
    return wrapped(line, width, style, "    ");
  });
}

function wrapped(text: string, width: number, style?: StyledText["style"], indent = ""): Line[] {
  return wrapText(text, width - indent.length).map((line) => [
    { text: `${indent}${line}`, ...(style ? { style } : {}) },
  ]);
}

/** The question above, its choices or the typed text below; the text above is scrolled if it is longer. */
function drawQuestion(question: AskedQuestion, look: Look, size: Size): string[] {
  const { width, height } = size;
  const answer = answerLines(question, look, width).slice(0, Math.max(1, height - 2));
  const lines = question.lines.flatMap((line) => wrapped(line, width));
  const room = Math.max(0, height - answer.length - 1);
  const top = Math.min(question.top, Math.max(0, lines.length - room));
  const left = lines.length - room - top;
  const more = left > 0 ? `─ ${left} more ${left === 1 ? "line" : "lines"}: PgDn ` : "";
  const rule: Line = [{ text: more + "─".repeat(Math.max(0, width - more.length)), style: look.colors.dim }];
  const shown = lines.slice(top, top + room);
  return fill([...shown, rule, ...answer], size);
}

/** How far a question's text can be scrolled down is found by drawing; this many lines are one page. */
export function pageOf(rows: number): number {
  return Math.max(1, rows - FRAME_LINES - 8);
}

function answerLines(
  { message, hint, choices, at, text, problem }: AskedQuestion,
  look: Look,
  width: number,
): Line[] {
  const { bold, cyan, inverse, red } = look.colors;
  const head = [
    ...wrapped(message, width, bold),
    ...(hint === "" ? [] : wrapped(hint, width, look.colors.dim)),
  ];
  if (choices) {
    const rows = choices.flatMap(({ label }, index) => {
      const [first = "", ...more] = wrapText(`${index + 1} ${label}`, width - 4);
      const style = index === at ? { style: cyan } : {};
      return [
        [{ text: `${index === at ? "› " : "  "}${first}`, ...style }],
        ...more.map((line) => [{ text: `    ${line}`, ...style }]),
      ];
    });
    return [...head, ...rows];
  }
  // The end of a long text is shown, with the cursor.
  const before = text.slice(0, at).join("");
  const typed: Line = [
    { text: "> ", style: cyan },
    { text: widthOf(before) > width - 5 ? `…${before.slice(-(width - 8))}` : before },
    { text: text[at] ?? " ", style: inverse === look.colors.reset ? bold : inverse },
    { text: text.slice(at + 1).join("") },
  ];
  return [...head, typed, ...(problem === "" ? [] : wrapped(problem, width, red))];
}

const KEYS: readonly (readonly [keys: string, effect: string])[] = [
  ["↑ ↓  j k", "select an item, step or task; in the detail, scroll"],
  ["Enter  → ", "open the detail"],
  ["Esc  ←", "back to the list; from a question, look around"],
  ["Tab", "to the open question, or between list and detail"],
  ["PgUp PgDn Space", "scroll by a page"],
  ["Home End  g G", "to the beginning, to the newest line"],
  ["1 … 9", "in a question: mark a choice"],
  ["a  r", "in a question: mark approve or reject"],
  ["Enter", "in a question: answer"],
  ["f", "follow what is at work"],
  ["?", "these keys"],
  ["q", "close the view once the run has ended"],
  ["Ctrl-C", "save and stop; a second time: exit at once"],
];

function helpLines(width: number): Line[] {
  return KEYS.flatMap(([keys, effect]) => {
    const [first = "", ...more] = wrapText(effect, Math.max(8, width - 18));
    return [
      [{ text: keys.padEnd(17) }, { text: first }],
      ...more.map((line) => [{ text: `${" ".repeat(17)}${line}` }]),
    ];
  });
}

/** The keys of a pane, from all that help to the few that one must know. */
function keyLines({ pane, question, ended }: Place): string[] {
  if (pane === "help") return ["any key closes this help"];
  if (pane === "question" && question) {
    const choose = question.choices ? "↑↓ choose" : "type";
    return [
      `${choose} · Enter answer · PgUp/PgDn read · Esc look around · Ctrl-C save and stop`,
      `${choose} · Enter answer · PgUp/PgDn read · Esc look around · Ctrl-C stop`,
      `${choose} · Enter answer · Esc look · Ctrl-C stop`,
      `${question.choices ? "↑↓ " : ""}Enter answer · Esc look · Ctrl-C stop`,
      "Enter answer · Ctrl-C stop",
      "Enter · Esc · Ctrl-C",
    ];
  }
  const end = ended ? "q close" : "Ctrl-C stop";
  const open = question ? "Tab answer · " : "";
  const act = pane === "list" ? "select · Enter open" : "scroll · Esc back";
  return [
    `${open}↑↓ ${act} · PgUp/PgDn page · ? keys · ${end}`,
    `${open}↑↓ ${act} · ? keys · ${end}`,
    `${open}↑↓ · Enter · Esc · ? keys · ${end}`,
    `${open}↑↓ · ? keys · ${end}`,
    `? keys · ${end}`,
  ];
}

/** The first text that fits whole; of the last one, what fits. */
function firstFitting(texts: readonly string[], width: number): string {
  return texts.find((text) => widthOf(text) <= width) ?? cutText(texts.at(-1) ?? "", width);
}

function fill(lines: readonly Line[], { width, height }: Size): string[] {
  return Array.from({ length: height }, (_, index) => fitLine(lines[index] ?? [], width, true));
}
