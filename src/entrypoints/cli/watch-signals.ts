// Ctrl-C and SIGTERM: the first saves and stops, the second ends the process at once.
import type { Surface } from "./surface.ts";

export type Interruption = {
  /** Its reason is `"interrupted"`. */
  signal: AbortSignal;
  /** As if a signal had come. */
  interrupt(): void;
  /** Signals have their usual effect again. */
  release(): void;
};

const EXIT_STOPPED = 4;

/** `say` is told once, when the run begins to stop. */
export function watchSignals(surface: Surface, say: (text: string) => void): Interruption {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) return;
    say("Stopping and saving; Ctrl-C again exits at once.");
    controller.abort("interrupted");
  };
  const release = surface.onSignal(() => {
    if (controller.signal.aborted) surface.exit(EXIT_STOPPED);
    interrupt();
  });
  return { signal: controller.signal, interrupt, release };
}
