// readFile: the text of a file, or some of its lines.
import { z } from "zod";
import type { Tool } from "./tool.ts";

/** A part of a file that a model can take in at once; the loop cuts results at 30,000. */
const MAX_CHARACTERS = 28_000;
/** A longer line counts as several, so that its end can be reached: a transcript may be one single line. */
const LINES = /[^\n]{1,8000}\n?|\n/gu;

const input = z.strictObject({
  path: z.string().min(1).describe("Relative to the repository's root"),
  offset: z.int().min(1).optional().describe("First line, from 1"),
  limit: z.int().min(1).optional().describe("Number of lines"),
});

export const readFileTool: Tool<z.infer<typeof input>> = {
  name: "readFile",
  description: "Read a UTF-8 text file. A long file comes in parts: go on at the offset that the note names.",
  input,
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
