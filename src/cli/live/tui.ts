// The full-screen view of a run (`--ui tui`). Ink reads the keys and writes the screen; `screens.ts` draws it.
import { type Instance, type Key, render, Text, useInput, usePaste, useWindowSize } from "ink";
import type { Colors } from "picocolors/types.js";
import { createElement, useEffect, useReducer } from "react";
import type { TerminalPrompts } from "../../core/interaction.ts";
import { toPlainLine } from "../../core/json.ts";
import type { RunEvent } from "../../core/ports.ts";
import type { Progress, Screen, TextStream } from "../surface.ts";
import { columnsOf } from "../surface.ts";
import { noticeLine } from "./progress.ts";
import {
  type AskedQuestion,
  drawScreen,
  listRows,
  mostAbove,
  type Place,
  pageOf,
  selectedIndex,
} from "./screens.ts";
import { applyProgress, beginProgress, endProgress } from "./state.ts";
import { drawProgress, wrapLines } from "./view.ts";

type TuiOptions = {
  input: NodeJS.ReadStream;
  stream: NodeJS.WriteStream & TextStream;
  colors: Colors;
  elapsed(): number;
  /** Called at each Ctrl-C, which is no signal while the keys are read. */
  interrupt(): void;
  /** A question that nobody touches answers itself after a while. */
  isDemo: boolean;
};

const FRAME_MS = 100;
const DEMO_MS = 8_000;
const GRAPHEMES = new Intl.Segmenter();

/** Fills the terminal until `end`; then the screen of before returns, with the last picture and all notices. */
export class TuiProgress implements Progress {
  readonly screen: Screen;
  readonly prompts: TerminalPrompts;
  readonly #options: TuiOptions;
  readonly #state;
  readonly #ink: Instance;
  readonly #timer: NodeJS.Timeout;
  readonly #restore = () => this.#ink.unmount();
  readonly #printed: string[] = [];
  #place: Place = { pane: "list", above: 0, notice: "", ended: "" };
  #frame = 0;
  #redraw = () => {};
  #answer: ((value: string | undefined) => void) | undefined;
  #check: (value: string) => Promise<string | undefined> = async () => undefined;
  #questionLines: readonly string[] = [];
  #close = () => {};
  #later: NodeJS.Timeout | undefined;
  /** A person who looks around is not interrupted by the end of the run. */
  #isTouched = false;

  constructor(options: TuiOptions) {
    this.#options = options;
    this.#state = beginProgress(options.elapsed(), true);
    this.screen = { pause() {}, resume() {}, print: (text) => this.#print(text) };
    this.prompts = {
      open: (lines, cautions) => {
        // A long text is cut at its end, where nobody would see a danger.
        this.#questionLines = [...cautions, ...lines];
      },
      select: (message, choices, signal) => {
        const at = Math.max(
          0,
          choices.findIndex(({ isDefault }) => isDefault),
        );
        return this.#ask({ message, choices, at }, signal);
      },
      text: (message, check, signal) => {
        this.#check = check;
        return this.#ask({ message, at: 0 }, signal);
      },
      close: () => this.#leaveQuestion(),
    };
    const view = createElement(View, {
      draw: (columns, rows) => this.#draw(columns, rows),
      press: (input, key) => this.#press(input, key),
      paste: (text) => this.#paste(text),
      listen: (redraw) => {
        this.#redraw = redraw;
      },
    });
    const { input: stdin, stream } = options;
    this.#ink = render(view, {
      ...{ stdin, stdout: stream, stderr: stream, exitOnCtrlC: false, patchConsole: false },
      ...{ interactive: true, alternateScreen: true, isScreenReaderEnabled: false },
    });
    // Node prints an uncaught error before Ink notices the exit, and what is printed here disappears with the view.
    process.once("uncaughtExceptionMonitor", this.#restore);
    this.#timer = setInterval(() => {
      this.#frame += 1;
      this.#redraw();
    }, FRAME_MS);
  }

  readonly observe = (event: RunEvent): void => {
    applyProgress(this.#state, event, this.#options.elapsed());
    if (event.type === "notice") this.#print(noticeLine(event));
    else if (event.type !== "text") this.#redraw();
  };

  /** `ended`: how the run ended, if it was neither stopped nor failed; a person who looks around then closes the view. */
  async end(ended?: string): Promise<void> {
    endProgress(this.#state, this.#options.elapsed());
    if (ended !== undefined && this.#isTouched) {
      await new Promise<void>((resolve) => {
        this.#close = resolve;
        this.#change({ ended, notice: "" });
      });
    }
    clearInterval(this.#timer);
    process.off("uncaughtExceptionMonitor", this.#restore);
    const gone = this.#ink.waitUntilExit();
    this.#ink.unmount();
    await gone;
    const { stream, colors } = this.#options;
    const look = { width: columnsOf(stream), colors, frame: 0, now: this.#options.elapsed() };
    for (const text of this.#printed) stream.write(`${wrapLines(text, look.width)}\n`);
    if (this.#state.sessions.size > 0) stream.write(`${drawProgress(this.#state, look).join("\n")}\n`);
  }

  #draw(columns: number, rows: number): string {
    return drawScreen(this.#state, this.#place, this.#look(columns, rows)).join("\n");
  }

  #look(width: number, rows: number) {
    const { colors, elapsed } = this.#options;
    return { width, rows, colors, frame: this.#frame, now: elapsed() };
  }

  #print(text: string): void {
    this.#printed.push(text);
    const line = text.split("\n").findLast((one) => one.trim() !== "") ?? "";
    this.#change({ notice: toPlainLine(line) });
  }

  #change(change: Partial<Place>): void {
    this.#place = { ...this.#place, ...change };
    this.#redraw();
  }

  #ask(
    asked: Pick<AskedQuestion, "message" | "at"> & Pick<Partial<AskedQuestion>, "choices">,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const question: AskedQuestion = {
      lines: this.#questionLines,
      text: [],
      problem: "",
      hint: "",
      top: 0,
      ...asked,
    };
    if (this.#options.isDemo) this.#answerLater(question);
    return new Promise((resolve) => {
      const leave = () => this.#answer?.(undefined);
      this.#answer = (value) => {
        clearTimeout(this.#later);
        signal.removeEventListener("abort", leave);
        this.#answer = undefined;
        resolve(value);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#change({ question, pane: "question" });
      if (signal.aborted) leave();
    });
  }

  /** Approves a Confirm of the demo's own commands; otherwise takes the default. */
  #answerLater(question: AskedQuestion): void {
    const { choices, at } = question;
    const approve = choices?.findIndex(({ id }) => id === "approve") ?? -1;
    if (approve >= 0) question.at = approve;
    question.hint = `Without a key, the demo answers in ${DEMO_MS / 1000} s.`;
    const answer = choices ? choices[approve >= 0 ? approve : at]?.id : "No preference.";
    this.#later = setTimeout(() => this.#answer?.(answer), DEMO_MS);
  }

  #leaveQuestion(): void {
    const { question: _, ...place } = this.#place;
    this.#place = { ...place, pane: place.pane === "question" ? "list" : place.pane };
    this.#redraw();
  }

  /** Keys that arrive together are read one by one. */
  #press(input: string, key: Key): void {
    const pieces = input.length > 1 && !key.ctrl && !key.meta ? (input.match(/[\r\n]|[^\r\n]+/g) ?? []) : [];
    const isText = this.#place.question?.choices === undefined && this.#place.pane === "question";
    const keys = isText ? pieces : pieces.flatMap((piece) => [...piece]);
    if (keys.length < 2) this.#pressOne(input, key);
    else
      for (const one of keys) this.#pressOne(one, { ...key, return: /[\r\n]/.test(one), tab: one === "\t" });
  }

  #pressOne(input: string, key: Key): void {
    if (key.ctrl && input === "c") {
      if (this.#place.ended) this.#close();
      else this.#options.interrupt();
      return;
    }
    clearTimeout(this.#later);
    if (this.#place.question?.hint) this.#place.question.hint = "";
    const { pane, question } = this.#place;
    if (pane === "question" && question) {
      this.#pressInQuestion(question, input, key);
      return;
    }
    this.#isTouched = true;
    if (pane === "help") this.#change({ pane: "list" });
    else if (input === "?") this.#change({ pane: "help" });
    else if (input === "q" && this.#place.ended) this.#close();
    else if (input === "q") this.#change({ notice: "The run is still at work; Ctrl-C saves and stops it." });
    else if (key.tab && question) this.#change({ pane: "question" });
    else if (key.tab) this.#change({ pane: pane === "list" ? "detail" : "list" });
    else this.#move(input, key);
  }

  #move(input: string, key: Key): void {
    const { pane, above } = this.#place;
    const page = pageOf(this.#rows());
    const way = key.upArrow || input === "k" ? -1 : key.downArrow || input === "j" ? 1 : 0;
    if (key.pageUp) this.#scroll(above + page);
    else if (key.pageDown || input === " ") this.#scroll(above - page);
    else if (key.home || input === "g") this.#scroll(Number.MAX_SAFE_INTEGER);
    else if (key.end || input === "G") this.#scroll(0);
    else if (input === "f") this.#follow();
    else if (key.return || key.rightArrow)
      this.#change({ pane: "detail", row: selectedIndex(this.#state, this.#place) });
    else if (key.escape || key.leftArrow) this.#change({ pane: "list" });
    else if (way !== 0 && pane === "detail") this.#scroll(above - way);
    else if (way !== 0) this.#select(selectedIndex(this.#state, this.#place) + way);
  }

  #follow(): void {
    const { row: _, ...place } = this.#place;
    this.#place = { ...place, above: 0 };
    this.#redraw();
  }

  #select(row: number): void {
    const last = listRows(this.#state).length - 1;
    this.#change({ row: Math.max(0, Math.min(last, row)), above: 0 });
  }

  #scroll(above: number): void {
    const most = mostAbove(
      this.#state,
      this.#place,
      this.#look(columnsOf(this.#options.stream), this.#rows()),
    );
    this.#change({ above: Math.max(0, Math.min(most, above)) });
  }

  #rows(): number {
    return this.#options.stream.rows || 24;
  }

  #pressInQuestion(question: AskedQuestion, input: string, key: Key): void {
    const page = pageOf(this.#rows());
    const change = (changed: Partial<AskedQuestion>) =>
      this.#change({ question: { ...question, ...changed } });
    if (key.pageDown) change({ top: question.top + page });
    else if (key.pageUp) change({ top: Math.max(0, question.top - page) });
    else if (key.escape) this.#change({ pane: "list" });
    else if (question.choices) this.#choose(question, question.choices, input, key);
    else if (key.return) void this.#submit(question);
    else change({ problem: "", ...typed(question, input, key) });
  }

  #choose(
    question: AskedQuestion,
    choices: NonNullable<AskedQuestion["choices"]>,
    input: string,
    key: Key,
  ): void {
    const marked = (at: number) => this.#change({ question: { ...question, at } });
    const { at } = question;
    if (key.return) this.#answer?.(choices[at]?.id);
    else if (key.upArrow || input === "k") marked((at + choices.length - 1) % choices.length);
    else if (key.downArrow || input === "j") marked((at + 1) % choices.length);
    else if (/^[1-9]$/.test(input) && Number(input) <= choices.length) marked(Number(input) - 1);
    else {
      const named = choices.findIndex(({ id }) => input !== "" && SHORTCUTS.get(input) === id);
      if (named >= 0) marked(named);
    }
  }

  /** Pasted text never answers by itself. */
  #paste(text: string): void {
    const { pane, question } = this.#place;
    if (pane !== "question" || !question || question.choices) return;
    this.#change({ question: { ...question, problem: "", ...inserted(question, text) } });
  }

  async #submit({ text }: AskedQuestion): Promise<void> {
    const value = text.join("");
    const problem = await this.#check(value);
    const { question } = this.#place;
    if (problem === undefined) this.#answer?.(value);
    else if (question) this.#change({ question: { ...question, problem } });
  }
}

const SHORTCUTS = new Map([
  ["a", "approve"],
  ["r", "reject"],
]);

/** The text after a key. */
function typed({ text, at }: AskedQuestion, input: string, key: Key): Partial<AskedQuestion> {
  if (key.leftArrow) return { at: Math.max(0, at - 1) };
  if (key.rightArrow) return { at: Math.min(text.length, at + 1) };
  if (key.home || (key.ctrl && input === "a")) return { at: 0 };
  if (key.end || (key.ctrl && input === "e")) return { at: text.length };
  if (key.ctrl && input === "u") return { text: text.slice(at), at: 0 };
  if (key.backspace || key.delete) {
    return at === 0 ? {} : { text: [...text.slice(0, at - 1), ...text.slice(at)], at: at - 1 };
  }
  if (key.ctrl || key.meta || key.tab) return {};
  return inserted({ text, at }, input);
}

function inserted({ text, at }: Pick<AskedQuestion, "text" | "at">, input: string): Partial<AskedQuestion> {
  const added = Array.from(GRAPHEMES.segment(input.replace(/[\p{Cc}\s]+/gu, " ")), ({ segment }) => segment);
  return { text: [...text.slice(0, at), ...added, ...text.slice(at)], at: at + added.length };
}

type ViewProps = {
  draw(columns: number, rows: number): string;
  press(input: string, key: Key): void;
  paste(text: string): void;
  listen(redraw: () => void): void;
};

function View({ draw, press, paste, listen }: ViewProps) {
  const { columns, rows } = useWindowSize();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => listen(redraw), [listen]);
  useInput(press);
  usePaste(paste);
  return createElement(Text, { wrap: "truncate" }, draw(columns, rows));
}
