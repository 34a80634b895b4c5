// Many small segments become one: where each checkpoint ends a segment, a thousand of them would be a thousand files, and
// every checkpoint's tree would name them all.
import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { createPassingFile, readWhole } from "./durable-file.ts";
import { FOLD, segmentName } from "./store-segments.ts";

/**
 * Puts the newest `FOLD` segments of a store into one that has the next number, if so many are unfolded; `numbers` are
 * those of all segments, and are brought up to date. Nobody may write meanwhile; who reads in this process finds either
 * those or the one, never both. Only where the folder dies with the process: killed halfway, lines stand there twice.
 */
export async function foldSegments(folder: string, numbers: number[]): Promise<void> {
  const newest = numbers.slice(-FOLD);
  const isUnfolded = newest.every((number, index) => {
    return number - (numbers[numbers.length - FOLD + index - 1] ?? 0) === 1;
  });
  if (newest.length < FOLD || !isUnfolded) return;
  const paths = newest.map((number) => join(folder, segmentName(number)));
  const next = (newest.at(-1) ?? 0) + 1;
  const bytes = Buffer.concat(await Promise.all(paths.map(readWhole)));
  if (!createPassingFile(join(folder, segmentName(next)), bytes)) return;
  for (const path of paths) unlinkSync(path);
  numbers.splice(-FOLD, FOLD, next);
}
