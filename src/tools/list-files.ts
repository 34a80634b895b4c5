// listFiles: the paths of files below a folder.
import { z } from "zod";
import type { Tool } from "./tool.ts";

const MAX_ROWS = 500;

const input = z.strictObject({
  path: z.string().default(".").describe("Folder; . is the root"),
  glob: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe("Relative to path, e.g. **/*.md; without / it matches names"),
});

export const listFilesTool: Tool<z.infer<typeof input>> = {
  name: "listFiles",
  description: "List the files below a folder, sorted, without .git and node_modules.",
  input,
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
