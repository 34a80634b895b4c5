// A file line by line, in little memory however long it is.
import { closeSync, fstatSync, openSync, read } from "node:fs";
import { promisify } from "node:util";
import { diskError } from "./disk-errors.ts";

const CHUNK = 128 * 1024;
const readBytes = promisify(read);

/** Without its line feed; `bytes` are good until `use` returns. Only the last line of a file may lack a line feed. */
export type Line = { bytes: Buffer; offset: number; isLast: boolean };

/** Hands each line to `use` in order, of as many bytes as the file had when it was opened. Fails as `diskError` says. */
export async function readLines(path: string, use: (line: Line) => void): Promise<void> {
  const descriptor = openForReading(path);
  try {
    await eachLine(descriptor, use);
  } catch (error) {
    throw diskError(error, path);
  } finally {
    closeSync(descriptor);
  }
}

async function eachLine(descriptor: number, use: (line: Line) => void): Promise<void> {
  const { size } = fstatSync(descriptor);
  let buffer = Buffer.allocUnsafe(Math.min(size, CHUNK));
  // Of the file: where the buffer begins. Of the buffer: how much is filled.
  let offset = 0;
  let filled = 0;
  while (offset + filled < size) {
    if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const wanted = Math.min(buffer.length - filled, size - offset - filled);
    const { bytesRead } = await readBytes(descriptor, buffer, filled, wanted, null);
    if (bytesRead === 0) break;
    filled += bytesRead;
    let start = 0;
    for (let feed = buffer.indexOf(10); feed >= 0 && feed < filled; feed = buffer.indexOf(10, start)) {
      use({ bytes: buffer.subarray(start, feed), offset: offset + start, isLast: offset + feed + 1 >= size });
      start = feed + 1;
    }
    buffer.copyWithin(0, start, filled);
    offset += start;
    filled -= start;
  }
  if (filled > 0) use({ bytes: buffer.subarray(0, filled), offset, isLast: true });
}

function openForReading(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw diskError(error, path);
  }
}
