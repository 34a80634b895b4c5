// Where logs go when they do not stay with the state.

import { basename, join, resolve } from "node:path";
import { sha256Of } from "../session/hash.ts";

/** `<log-dir>/<project>-<hash>`, the same for the same folder; undefined where logs stay with the state. */
export function findLogFolder(root: string, logDir: string | undefined): string | undefined {
  if (logDir === undefined) return undefined;
  const hash = sha256Of(root).slice(0, 8);
  return join(resolve(root, logDir), `${basename(root)}-${hash}`);
}
