// Where progress and questions are shown.
import type { Observer } from "../../ports.ts";

export type TextStream = { write(text: string): unknown; columns?: number };
export type Progress = {
  observe: Observer;
  screen: Screen;
  /** Draws the last picture, which stays, and stops. */
  end(): void;
};

/** The part of the terminal that changes in place; questions and lasting lines go through it. */
export interface Screen {
  /** Takes the changing part away until `resume`; lasting lines wait meanwhile. */
  pause(): void;
  resume(): void;
  /** Prints lines that stay. */
  print(text: string): void;
}
