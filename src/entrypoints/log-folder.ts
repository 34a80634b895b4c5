// Where logs go when they do not stay with the state.
import { createHash } from "node:crypto";
import { basename, join, resolve } from "node:path";

/** `<log-dir>/<project>-<hash>`, the same for the same folder; undefined where logs stay with the state. */
export function findLogFolder(root: string, logDir: string | undefined): string | undefined {
  if (logDir === undefined) return undefined;
  const hash = createHash("sha256").update(root).digest("hex").slice(0, 8);
  return join(resolve(root, logDir), `${basename(root)}-${hash}`);
}
