// Content items on the command line: files that the person named, in the repository or anywhere else.
import { open } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { errnoOf, LoopliaError, messageOf } from "../errors.ts";

/** One byte more than an item may have, so that the reader can tell that it is too large. */
const MAX_BYTES = 10 * 1024 * 1024 + 1;

/** How a file is called: relative to the root with `/` where it is inside, else its absolute path. */
export function sourceName(root: string, path: string): string {
  const inside = relative(root, resolve(root, path));
  return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)
    ? resolve(root, path)
    : inside;
}

/** At most 10 MiB and a byte of a file, or undefined when it is not there. Throws `config-invalid` for a folder. */
export async function readSourceFile(root: string, source: string): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(resolve(root, source));
    const info = await file.stat();
    if (!info.isFile()) throw notAFile(source);
    const bytes = new Uint8Array(Math.min(info.size, MAX_BYTES));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return undefined;
    if (error instanceof LoopliaError) throw error;
    throw new LoopliaError("config-invalid", `${source} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function notAFile(source: string): LoopliaError {
  return new LoopliaError("config-invalid", `${source} is not a file.`, { hint: "Name one content item." });
}
