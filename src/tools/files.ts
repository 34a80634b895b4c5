// readFile, listFiles and grep.

import type MiniSearch from "minisearch";
import { z } from "zod";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { lazily } from "../core/json.ts";
import type { ToolFiles } from "../core/ports.ts";
import { cutLine, type Tool, type ToolContext } from "./tool.ts";

// Reads many files for a search: several ahead, returned in order.

/** In measurements more parallel reads were no faster. */
const AHEAD = 8;

/** Each path with its text; undefined for binary and refused files, which a search skips. */
async function* readTexts(
  files: ToolFiles,
  paths: AsyncIterable<string>,
): AsyncGenerator<{ path: string; text: string | undefined }> {
  const waiting: ReturnType<typeof readText>[] = [];
  for await (const path of paths) {
    const reading = readText(files, path);
    // A search that ends early abandons open reads: their failures are ignored.
    reading.catch(() => {});
    waiting.push(reading);
    const first = waiting.length > AHEAD ? waiting.shift() : undefined;
    if (first) yield await first;
  }
  for (const reading of waiting) yield await reading;
}

async function readText(files: ToolFiles, path: string): Promise<{ path: string; text: string | undefined }> {
  try {
    return { path, text: await files.readText(path) };
  } catch (error) {
    if (error instanceof LoopliaError) return { path, text: undefined };
    throw error;
  }
}

const MAX_MATCHES = 200;
const MAX_ROW = 300;
const MAX_MS = 8_000;
/** Worst-case time is instructions × characters: this many steps per line take about half a second. */
const MAX_STEPS = 5_000_000;
const MAX_INSTRUCTIONS = 1_500;

const grepInput = lazily(() =>
  z.strictObject({
    pattern: z.string().min(1).max(1_000).describe("RE2 syntax: no lookaround, no back-references"),
    path: z.string().default(".").describe("Folder or file"),
    glob: z.string().min(1).max(500).optional().describe("Only these files, e.g. *.ts"),
  }),
);

type Matcher = { test(line: string): boolean; maxLine: number };
type Found = { rows: string[]; count: number; cutLines: number; skipped: number; isLate: boolean };

export const grepTool: Tool<z.infer<ReturnType<typeof grepInput>>> = {
  name: "grep",
  description: "Find lines by a regular expression. Rows are path:line: text. Put (?i) first to ignore case.",
  input: grepInput,
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
    else searchFile({ file, text }, matcher, found, deadline);
    if (found.isLate) break;
  }
  return found;
}

function searchFile(
  { file, text }: { file: string; text: string },
  matcher: Matcher,
  found: Found,
  deadline: number,
): void {
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
    if (found.rows.length < MAX_MATCHES) found.rows.push(`${file}:${index + 1}: ${cutLine(line, MAX_ROW)}`);
  }
}

function notesOn(found: Found, matcher: Matcher): string[] {
  const { count, cutLines, skipped, isLate } = found;
  return [
    count > MAX_MATCHES ? `[the first ${MAX_MATCHES} of ${count} lines; narrow pattern, path or glob]` : "",
    cutLines > 0
      ? `[${cutLines} long lines were searched only in their first ${matcher.maxLine} characters]`
      : "",
    skipped > 0 ? `[${skipped} files that are binary, not UTF-8 or over 10 MiB were left out]` : "",
    isLate ? `[stopped after ${MAX_MS / 1000} s, before all files were searched; narrow path or glob]` : "",
  ].filter((note) => note !== "");
}

// listFiles: the paths of files below a folder.

const MAX_ROWS = 500;

const listFilesInput = lazily(() =>
  z.strictObject({
    path: z.string().default(".").describe("Folder; . is the root"),
    glob: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("Relative to path, e.g. **/*.md; without / it matches names"),
  }),
);

export const listFilesTool: Tool<z.infer<ReturnType<typeof listFilesInput>>> = {
  name: "listFiles",
  description: "List the files below a folder, sorted, without .git and node_modules.",
  input: listFilesInput,
  effect: "read",
  risk: "safe",
  summarize: ({ path, glob }) => (glob ? `${path} ${glob}` : path),
  async run({ path, glob }, { workspace, signal }) {
    const rows: string[] = [];
    let count = 0;
    for await (const file of workspace.forTools.walk(path, glob)) {
      signal.throwIfAborted();
      count += 1;
      if (count <= MAX_ROWS) rows.push(file);
    }
    if (count === 0) return { text: `No files${glob ? ` match ${glob}` : ""} below ${path}.` };
    const note = count > MAX_ROWS ? `\n[the first ${MAX_ROWS} of ${count} files; narrow path or glob]` : "";
    return { text: rows.join("\n") + note };
  },
};

// readFile: the text of a file, or some of its lines.

/** A part of a file that a model can read at once; the loop cuts results at 30,000 characters. */
const MAX_CHARACTERS = 28_000;
/** A longer line counts as several, so that its end is reachable: a transcript may be a single line. */
const LINES = /[^\n]{1,8000}\n?|\n/gu;

const readFileInput = lazily(() =>
  z.strictObject({
    path: z.string().min(1).describe("Relative to the repository's root"),
    offset: z.int().min(1).optional().describe("First line, from 1"),
    limit: z.int().min(1).optional().describe("Number of lines"),
  }),
);

export const readFileTool: Tool<z.infer<ReturnType<typeof readFileInput>>> = {
  name: "readFile",
  description:
    "Read a UTF-8 text file. A long file is returned in parts: continue at the offset that the note names.",
  input: readFileInput,
  effect: "read",
  risk: "safe",
  summarize: ({ path }) => path,
  async run({ path, offset = 1, limit }, { workspace }) {
    const text = await workspace.forTools.readText(path);
    if (text === "") return { text: "(the file is empty)" };
    const lines = text.match(LINES) ?? [];
    if (offset > lines.length) {
      return { text: `${path} has ${lines.length} lines; there is no line ${offset}.`, isError: true };
    }
    const wanted = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
    const shown = takeWhole(wanted);
    const next = offset - 1 + shown.count;
    if (next >= lines.length) return { text: shown.text };
    const isSplit = lines.slice(0, -1).some((line) => !line.endsWith("\n"));
    const counted = isSplit ? ", each 8,000 characters of a long one counted" : "";
    const note = `[lines ${offset}–${next} of ${lines.length}${counted}; go on with offset ${next + 1}]`;
    return { text: `${shown.text}\n${note}` };
  },
};

/** As many whole lines as fit. */
function takeWhole(lines: readonly string[]): { text: string; count: number } {
  let text = "";
  let count = 0;
  for (const line of lines) {
    if (text.length + line.length > MAX_CHARACTERS) break;
    text += line;
    count += 1;
  }
  return { text, count };
}

// searchCode: passages of files, ranked by relevance. The index lives for one call.

const LINES_A_PIECE = 40;
const LINES_SHOWN = 6;
const MAX_LINE = 160;
/** Characters indexed in one call (about 150 ms per million), and of one file. */
const MAX_TOTAL = 8_000_000;
const MAX_FILE = 400_000;

const input = lazily(() =>
  z.strictObject({
    query: z.string().min(1).max(500),
    limit: z.int().min(1).max(50).default(10).describe("Number of results"),
  }),
);

type Piece = { id: number; path: string; line: number; text: string };

export const searchCodeTool: Tool<z.infer<ReturnType<typeof input>>> = {
  name: "searchCode",
  description: "Search all files by words or parts of names, best first. For exact text use grep.",
  input,
  effect: "read",
  risk: "safe",
  summarize: ({ query }) => query,
  async run({ query, limit }, { workspace, signal }) {
    const { pieces, index, notes } = await indexFiles(workspace, signal);
    const words = new Set(splitWords(query));
    const rows = index
      .search(query)
      .slice(0, limit)
      .flatMap(({ id }) => {
        const piece = pieces[Number(id)];
        return piece ? [showPiece(piece, words)] : [];
      });
    const shown = notes.length > 5 ? [...notes.slice(0, 5), `[${notes.length - 5} more such notes]`] : notes;
    return { text: [rows.join("\n\n") || `Nothing found for ${query}.`, ...shown].join("\n") };
  },
};

async function indexFiles(
  workspace: ToolContext["workspace"],
  signal: AbortSignal,
): Promise<{ pieces: Piece[]; index: MiniSearch<Piece>; notes: string[] }> {
  const { default: Index } = await import("minisearch");
  const index = new Index<Piece>({
    fields: ["path", "text"],
    tokenize: splitWords,
    processTerm: (word) => word,
    searchOptions: { boost: { path: 2 }, prefix: (word) => word.length > 3, fuzzy: false },
  });
  const pieces: Piece[] = [];
  let total = 0;
  const notes: string[] = [];
  const files = workspace.forTools;
  for await (const { path, text } of readTexts(files, files.walk("."))) {
    signal.throwIfAborted();
    if (text === undefined) continue;
    if (text.length > MAX_FILE) {
      notes.push(`[${path} was not searched: it is too large]`);
      continue;
    }
    if (total + text.length > MAX_TOTAL) {
      notes.push(`[${path} and what comes after it were not searched: there is too much text; use grep]`);
      break;
    }
    total += text.length;
    for (const piece of cutPieces(path, text)) {
      const numbered = { ...piece, id: pieces.length };
      pieces.push(numbered);
      index.add(numbered);
    }
  }
  return { pieces, index, notes };
}

function cutPieces(path: string, text: string): Omit<Piece, "id">[] {
  const lines = text.split("\n");
  return Array.from({ length: Math.ceil(lines.length / LINES_A_PIECE) }, (_, at) => {
    const start = at * LINES_A_PIECE;
    return { path, line: start + 1, text: lines.slice(start, start + LINES_A_PIECE).join("\n") };
  });
}

/** Words in lower case: whole names and their parts (`readFile` gives readfile, read, file). */
export function splitWords(text: string): string[] {
  return (text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).flatMap((name) => {
    const parts = name
      .split(/_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
      .filter((part) => part !== "");
    const words = parts.length > 1 ? [name.replaceAll("_", ""), ...parts] : parts;
    return words.map((word) => word.toLowerCase());
  });
}

/** The lines around the line with the most search words. */
function showPiece({ path, line, text }: Piece, words: ReadonlySet<string>): string {
  const lines = text.split("\n");
  const scores = lines.map((each) => new Set(splitWords(each).filter((word) => words.has(word))).size);
  const best = Math.max(scores.indexOf(Math.max(...scores)) - 1, 0);
  const shown = lines.slice(best, best + LINES_SHOWN);
  const head = `${path}:${line + best}-${line + best + shown.length - 1}`;
  return [head, ...shown.map((each) => `  ${cutLine(each, MAX_LINE)}`)].join("\n");
}
