// searchCode: passages of files, ranked by relevance. The index lives for one call.
import type MiniSearch from "minisearch";
import { z } from "zod";
import { readTexts } from "./files.ts";
import { cutLine, type Tool, type ToolContext } from "./tool.ts";

const LINES_A_PIECE = 40;
const LINES_SHOWN = 6;
const MAX_LINE = 160;
/** Characters indexed in one call (about 150 ms per million), and of one file. */
const MAX_TOTAL = 8_000_000;
const MAX_FILE = 400_000;

const input = z.strictObject({
  query: z.string().min(1).max(500),
  limit: z.int().min(1).max(50).default(10).describe("Number of results"),
});

type Piece = { id: number; path: string; line: number; text: string };

export const searchCodeTool: Tool<z.infer<typeof input>> = {
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
  const starts = Array.from(
    { length: Math.ceil(lines.length / LINES_A_PIECE) },
    (_, at) => at * LINES_A_PIECE,
  );
  return starts.map((start) => ({
    path,
    line: start + 1,
    text: lines.slice(start, start + LINES_A_PIECE).join("\n"),
  }));
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
