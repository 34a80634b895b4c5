// readFile: the text of a file, or some of its lines.
import { cutLine } from "./cut.ts";
import type { InputOf, Tool, Zod } from "./tool.ts";

/** A part of a file that a model can take in at once; the loop cuts results at 30,000. */
const MAX_CHARACTERS = 28_000;

const input = (z: Zod) =>
  z.strictObject({
    path: z.string().min(1).describe("Relative to the repository's root"),
    offset: z.int().min(1).optional().describe("First line, from 1"),
    limit: z.int().min(1).optional().describe("Number of lines"),
  });

export const readFileTool: Tool<InputOf<typeof input>> = {
  name: "readFile",
  description: "Read a UTF-8 text file. A long file comes in parts: go on at the offset that the note names.",
  input,
  effect: "read",
  risk: "safe",
  summarize: ({ path }) => path,
  async run({ path, offset = 1, limit }, { workspace }) {
    const text = await workspace.forTools.readText(path);
    if (text === "") return { text: "(the file is empty)" };
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    if (offset > lines.length) {
      return { text: `${path} has ${lines.length} lines; there is no line ${offset}.`, isError: true };
    }
    const wanted = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
    const shown = takeWhole(wanted);
    const next = offset - 1 + shown.count;
    if (next >= lines.length) return { text: shown.text };
    return {
      text: `${shown.text}\n[lines ${offset}–${next} of ${lines.length}; go on with offset ${next + 1}]`,
    };
  },
};

/** As many whole lines as fit; a single line that does not fit is cut. */
function takeWhole(lines: readonly string[]): { text: string; count: number } {
  let text = "";
  let count = 0;
  for (const line of lines) {
    if (count > 0 && text.length + line.length > MAX_CHARACTERS) break;
    text += cutLine(line, MAX_CHARACTERS);
    count += 1;
  }
  return { text, count };
}
