// The report of the demo's task list, as the program writes it, and its words for a comparison.
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** `script`: the command line's bundle. Runs the demo; nothing of it is left. */
export function demoReport(script: string): string {
  const run = (args: readonly string[], cwd?: string) =>
    execFileSync(process.execPath, [script, ...args], {
      ...{ encoding: "utf8", cwd, stdio: ["ignore", "pipe", "ignore"] },
    });
  const [folder] = /\/\S*\/looplia-demo-\w+/.exec(run(["demo", "tasks"])) ?? [];
  if (folder === undefined) throw new Error("The demo names no folder.");
  try {
    const state = join(folder, ".looplia/state");
    const [session = ""] = readdirSync(state).flatMap((work) => readdirSync(join(state, work, "sessions")));
    return run(["report", session, "--html"], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a person reads, a line each, without what differs from run to run: ids, times, the machine's isolation. */
export function reportWords(html: string): string {
  const words = html
    .replaceAll(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+Z)?)?)?/g, "<time>")
    .replaceAll(/<time>-[0-9a-f]{6}\b|\b(?=\w*\d)[0-9a-f]{6,16}\b/g, "<id>")
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|min|s|h)\b/g, "<duration>")
    .replaceAll(/\/\S*\/looplia-demo-\w+/g, "<folder>")
    .replaceAll(/isolation: \w+/g, "isolation: <machine>");
  const lines = words.split("\n").map((line) => line.trim());
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}
