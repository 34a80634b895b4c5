// Shows a run on standard error while it goes on: a live picture in a terminal, plain lines elsewhere.
import type { Colors } from "picocolors/types.js";
import { progressLines } from "./progress-lines.ts";
import { applyProgress, beginProgress } from "./progress-state.ts";
import type { Progress, TextStream } from "./screen.ts";

/** The live picture is loaded only where it is shown. `elapsed` gives monotonic milliseconds. */
export async function startProgress(options: {
  stream: NodeJS.WritableStream & TextStream;
  isLive: boolean;
  colors: Colors;
  elapsed(): number;
}): Promise<Progress> {
  if (!options.isLive) return plainProgress(options.stream, options.elapsed);
  const { LiveProgress } = await import("./progress-live.ts");
  return new LiveProgress(options);
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
