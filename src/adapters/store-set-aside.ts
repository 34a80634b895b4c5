// Sets aside what does not count: a copy is kept beside the stores, then the segment is cut.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../ports.ts";
import { createFile, removeFile, removeLeftovers, replaceFile } from "./durable-file.ts";
import type { Cut } from "./store-segments.ts";

const FOLDER = "set-aside";

/**
 * Cuts the segments below `folder` and says so, one sentence each. Done again after a crash, it ends the same. A segment
 * of which nothing is left is removed, and told to `whenRemoved`.
 */
export async function setAsideCuts(
  folder: string,
  cuts: readonly Cut[],
  clock: Clock,
  whenRemoved: (cut: Cut) => void,
): Promise<string[]> {
  removeLeftovers(join(folder, FOLDER));
  const told: string[] = [];
  for (const cut of cuts) {
    const bytes = await readFile(join(folder, cut.store, cut.name));
    const kept = await keepCopy(folder, cut, bytes.subarray(cut.offset), clock);
    if (cut.offset > 0) await replaceFile(join(folder, cut.store, cut.name), bytes.subarray(0, cut.offset));
    else {
      await removeFile(join(folder, cut.store, cut.name));
      whenRemoved(cut);
    }
    const lines = cut.lines === 1 ? "1 line" : `${cut.lines} lines`;
    const place = `${cut.store}/${cut.name}`;
    told.push(`${lines} at the end of ${place}, torn or behind a gap, set aside in ${FOLDER}/${kept}.`);
  }
  return told;
}

async function keepCopy(folder: string, cut: Cut, bytes: Uint8Array, clock: Clock): Promise<string> {
  const time = clock.now().toISOString().replaceAll(/[:.]/g, "-");
  const stem = `${cut.store}-${cut.name.replace(".jsonl", "")}-${time}`;
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? `${stem}.jsonl` : `${stem}-${copy}.jsonl`;
    if (await createFile(join(folder, FOLDER, name), bytes)) return name;
  }
}
