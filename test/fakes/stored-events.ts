// What a world's one session has stored.
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Payloads of the events of a type, in their order. */
export async function readStored({ root }: { root: string }, type: string): Promise<unknown[]> {
  const state = join(root, ".looplia/state");
  const paths = globSync("*/sessions/*/events/*.jsonl", { cwd: state }).sort();
  const texts = await Promise.all(paths.map((path) => readFile(join(state, path), "utf8")));
  const lines = texts.flatMap((text) => text.split("\n").filter(Boolean)).map((line) => JSON.parse(line));
  return lines.filter((line) => line.type === type).map(({ payload }) => payload);
}
