// The picture of a run that changes in place.
import { createLogUpdate } from "log-update";
import type { Colors } from "picocolors/types.js";
import type { RunEvent } from "../../ports.ts";
import { wrapLines } from "./fit-line.ts";
import { noticeLine } from "./progress-lines.ts";
import { applyProgress, beginProgress, endProgress } from "./progress-state.ts";
import { drawProgress } from "./progress-view.ts";
import type { Progress, Screen, TextStream } from "./screen.ts";
import { columnsOf } from "./terminal-size.ts";

const FRAME_MS = 80;

type LiveOptions = { stream: NodeJS.WritableStream & TextStream; colors: Colors; elapsed(): number };

/** Redrawn at each event and while nothing happens; lasting lines are printed above the picture. */
export class LiveProgress implements Progress {
  readonly screen: Screen;
  readonly #options: LiveOptions;
  readonly #picture;
  readonly #timer: NodeJS.Timeout;
  readonly #state;
  #frame = 0;
  #lineCount = 0;
  #isPaused = false;
  #waiting: string[] = [];

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#picture = createLogUpdate(options.stream);
    this.#state = beginProgress(options.elapsed());
    this.screen = {
      pause: () => this.#pause(),
      resume: () => this.#resume(),
      print: (text) => this.#print(text),
    };
    this.#timer = setInterval(() => {
      this.#frame += 1;
      this.#draw();
    }, FRAME_MS);
    this.#timer.unref();
  }

  readonly observe = (event: RunEvent): void => {
    applyProgress(this.#state, event, this.#options.elapsed());
    if (event.type === "notice") this.#print(this.#paintNotice(event));
    else if (event.type !== "text") this.#draw();
  };

  end(): void {
    clearInterval(this.#timer);
    endProgress(this.#state, this.#options.elapsed());
    this.#resume();
    this.#picture.done();
  }

  #draw(): void {
    if (this.#isPaused || this.#state.sessions.size === 0) return;
    const { stream, colors, elapsed } = this.#options;
    const look = { width: columnsOf(stream), colors, frame: this.#frame, now: elapsed() };
    const lines = drawProgress(this.#state, look);
    // log-update 7.2 leaves stale lines behind when the number of lines changes above lines that stay.
    if (lines.length !== this.#lineCount) this.#picture.clear();
    this.#lineCount = lines.length;
    this.#picture(lines.join("\n"));
  }

  #pause(): void {
    this.#picture.clear();
    this.#isPaused = true;
  }

  #resume(): void {
    this.#isPaused = false;
    for (const text of this.#waiting.splice(0)) this.#print(text);
    this.#draw();
  }

  #print(text: string): void {
    if (this.#isPaused) {
      this.#waiting.push(text);
      return;
    }
    this.#picture.clear();
    this.#options.stream.write(`${wrapLines(text, columnsOf(this.#options.stream))}\n`);
    this.#draw();
  }

  #paintNotice(event: Extract<RunEvent, { type: "notice" }>): string {
    const { red, yellow, dim } = this.#options.colors;
    const paint = event.level === "error" ? red : event.level === "warning" ? yellow : dim;
    return paint(noticeLine(event));
  }
}
