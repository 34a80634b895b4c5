// grep: lines that match a regular expression, in time linear in the text whatever the pattern.
import { z } from "zod";
import { messageOf } from "../errors.ts";
import { cutLine } from "./cut.ts";
import { readTexts } from "./read-texts.ts";
import type { Tool, ToolContext } from "./tool.ts";

const MAX_ROWS = 200;
const MAX_ROW = 300;
const MAX_MS = 8_000;
/** Time is at worst instructions × characters: this many steps a line take about half a second. */
const MAX_STEPS = 5_000_000;
const MAX_INSTRUCTIONS = 1_500;

const input = z.strictObject({
  pattern: z.string().min(1).max(1_000).describe("RE2 syntax: no lookaround, no back-references"),
  path: z.string().default(".").describe("Folder or file"),
  glob: z.string().min(1).max(500).optional().describe("Only these files, e.g. *.ts"),
});

type Matcher = { test(line: string): boolean; maxLine: number };
type Found = { rows: string[]; count: number; cutLines: number; skipped: number; isLate: boolean };

export const grepTool: Tool<z.infer<typeof input>> = {
  name: "grep",
  description: "Find lines by a regular expression. Rows are path:line: text. Put (?i) first to ignore case.",
  input,
  effect: "read",
  risk: "safe",
  summarize: ({ pattern, path }) => `${pattern} in ${path}`,
  async run({ pattern, path, glob }, context) {
    const matcher = await compile(pattern);
    if (typeof matcher === "string") return { text: matcher, isError: true };
    const found = await search(matcher, path, glob, context);
    const text = found.rows.join("\n") || `No line matches ${pattern}.`;
    return { text: [text, ...notesOn(found, matcher)].join("\n") };
  },
};

async function compile(pattern: string): Promise<Matcher | string> {
  const { RE2JS } = await import("re2js");
  try {
    const compiled = RE2JS.compile(pattern);
    const size = compiled.programSize();
    if (size <= MAX_INSTRUCTIONS) {
      return { test: (line) => compiled.test(line), maxLine: Math.floor(MAX_STEPS / size) };
    }
    return `The pattern was refused: it is too large (${size} instructions of ${MAX_INSTRUCTIONS}). Use smaller repetitions.`;
  } catch (error) {
    return `The pattern was refused: ${messageOf(error)}. Write it in RE2 syntax.`;
  }
}

async function search(
  matcher: Matcher,
  path: string,
  glob: string | undefined,
  { workspace, signal }: ToolContext,
): Promise<Found> {
  const found: Found = { rows: [], count: 0, cutLines: 0, skipped: 0, isLate: false };
  const deadline = performance.now() + MAX_MS;
  const files = workspace.forTools;
  for await (const { path: file, text } of readTexts(files, files.walk(path, glob))) {
    signal.throwIfAborted();
    if (text === undefined) found.skipped += 1;
    else searchFile(file, text, matcher, found, deadline);
    if (found.isLate) break;
  }
  return found;
}

function searchFile(file: string, text: string, matcher: Matcher, found: Found, deadline: number): void {
  const lines = text.split("\n");
  for (const [index, whole] of lines.entries()) {
    if (performance.now() > deadline) {
      found.isLate = true;
      return;
    }
    const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    if (line.length > matcher.maxLine) found.cutLines += 1;
    if (!matcher.test(line.slice(0, matcher.maxLine))) continue;
    found.count += 1;
    if (found.rows.length < MAX_ROWS) found.rows.push(`${file}:${index + 1}: ${cutLine(line, MAX_ROW)}`);
  }
}

function notesOn(found: Found, matcher: Matcher): string[] {
  const { count, cutLines, skipped, isLate } = found;
  return [
    count > MAX_ROWS ? `[the first ${MAX_ROWS} of ${count} lines; narrow pattern, path or glob]` : "",
    cutLines > 0
      ? `[${cutLines} long lines were searched only in their first ${matcher.maxLine} characters]`
      : "",
    skipped > 0 ? `[${skipped} files that are binary, not UTF-8 or over 10 MiB were left out]` : "",
    isLate ? `[stopped after ${MAX_MS / 1000} s, before all files were searched; narrow path or glob]` : "",
  ].filter((note) => note !== "");
}
