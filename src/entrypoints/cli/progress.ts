// Shows a run on standard error while it goes on: a live picture in a terminal, plain lines elsewhere.
import type { Colors } from "picocolors/types.js";
import type { Observer, RunEvent } from "../../ports.ts";
import { noticeLine, progressLines } from "./progress-lines.ts";
import { applyProgress, beginProgress } from "./progress-state.ts";
import { drawProgress } from "./progress-view.ts";
import type { Screen } from "./wiring.ts";

export type TextStream = { write(text: string): unknown; columns?: number };
export type Progress = {
  observe: Observer;
  screen: Screen;
  /** Draws the last picture, which stays, and stops. */
  end(): void;
};

const FRAME_MS = 80;

/** `elapsed` gives monotonic milliseconds. */
export async function startProgress(options: {
  stream: NodeJS.WritableStream & TextStream;
  isLive: boolean;
  colors: Colors;
  elapsed(): number;
}): Promise<Progress> {
  if (!options.isLive) return plainProgress(options.stream, options.elapsed);
  const { createLogUpdate } = await import("log-update");
  return new LiveProgress(options, createLogUpdate(options.stream));
}

function plainProgress(stream: TextStream, elapsed: () => number): Progress {
  const state = beginProgress(elapsed());
  const print = (text: string) => void stream.write(`${text}\n`);
  return {
    observe(event) {
      applyProgress(state, event, elapsed());
      for (const line of progressLines(state, event)) print(line);
    },
    screen: { pause() {}, resume() {}, print },
    end() {},
  };
}

type Picture = ((text: string) => void) & { clear(): void; done(): void };
type LiveOptions = { stream: TextStream; colors: Colors; elapsed(): number };

class LiveProgress implements Progress {
  readonly screen: Screen;
  readonly #options: LiveOptions;
  readonly #picture: Picture;
  readonly #timer: NodeJS.Timeout;
  readonly #state;
  #frame = 0;
  #isPaused = false;
  #waiting: string[] = [];

  constructor(options: LiveOptions, picture: Picture) {
    this.#options = options;
    this.#picture = picture;
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
    this.#resume();
    this.#picture.done();
  }

  #draw(): void {
    if (this.#isPaused || this.#state.sessions.size === 0) return;
    const { stream, colors, elapsed } = this.#options;
    const look = { width: stream.columns ?? 80, colors, frame: this.#frame, now: elapsed() };
    this.#picture(drawProgress(this.#state, look).join("\n"));
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
    this.#options.stream.write(`${text}\n`);
    this.#draw();
  }

  #paintNotice(event: Extract<RunEvent, { type: "notice" }>): string {
    const { red, yellow, dim } = this.#options.colors;
    const paint = event.level === "error" ? red : event.level === "warning" ? yellow : dim;
    return paint(noticeLine(event));
  }
}
