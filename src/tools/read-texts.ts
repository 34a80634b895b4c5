// Reads many files for a search: some ahead, given in order.
import { LoopliaError } from "../errors.ts";
import type { ToolFiles } from "../ports.ts";

/** More at once gained nothing when measured. */
const AHEAD = 8;

/** Each path with its text; undefined for what is no text or is refused: a search passes over it. */
export async function* readTexts(
  files: ToolFiles,
  paths: AsyncIterable<string>,
): AsyncGenerator<{ path: string; text: string | undefined }> {
  const waiting: ReturnType<typeof readText>[] = [];
  for await (const path of paths) {
    const reading = readText(files, path);
    // A search that ends early leaves readings behind: their failure is nobody's.
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
