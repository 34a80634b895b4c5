// What a command sees of the process that runs it; tests make one up.
import picocolors from "picocolors";
import type { Colors } from "picocolors/types.js";
import { columnsOf, LEAST_COLUMNS } from "./terminal-size.ts";

export type Surface = {
  cwd: string;
  environment: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Monotonic milliseconds. */
  elapsed(): number;
  /** Calls back at each SIGINT and SIGTERM until the returned function is called. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
};

/** NO_COLOR wins over FORCE_COLOR, which wins over what the stream is (no-color.org, force-color.org). */
export function colorsFor(surface: Surface, stream: NodeJS.WriteStream): Colors {
  const { NO_COLOR, FORCE_COLOR, TERM } = surface.environment;
  if (NO_COLOR) return picocolors.createColors(false);
  if (FORCE_COLOR) return picocolors.createColors(FORCE_COLOR !== "0" && FORCE_COLOR !== "false");
  return picocolors.createColors(stream.isTTY === true && TERM !== "dumb");
}

/** True where a picture may change in place: a terminal wide enough for one, and no CI log. */
export function isLive(surface: Surface): boolean {
  const { stderr, environment } = surface;
  if (stderr.isTTY !== true || environment.TERM === "dumb" || isCi(surface)) return false;
  return columnsOf(stderr) >= LEAST_COLUMNS;
}

/** True where somebody can be asked. */
export function isInteractive(surface: Surface): boolean {
  return isLive(surface) && surface.stdin.isTTY === true;
}

function isCi({ environment }: Surface): boolean {
  const value = environment.CI;
  return value !== undefined && value !== "" && value !== "false" && value !== "0";
}
