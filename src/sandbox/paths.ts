// Path tests on real paths.
import { realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** True for the folder itself and what lies below it. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The real path of a file that may not exist yet: that of its nearest existing folder, plus the rest. */
export function realOrExpected(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOrExpected(parent), path.slice(parent.length));
  }
}
