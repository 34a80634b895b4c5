// A child process heard to its end.
import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";

export type Said = { stdout: string; stderr: string };
export type Ended = Said & { code: number | null; signal: NodeJS.Signals | null };

/** Call it right after the start. `said` grows while the process runs; `ended` rejects where it could not be started. */
export function hear(child: ChildProcessByStdio<null, Readable, Readable>): {
  said: Readonly<Said>;
  ended: Promise<Ended>;
} {
  const said: Said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ ...said, code, signal }));
  });
  return { said, ended };
}
