// All that tests leave goes into one folder, which is removed when they have ended.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where temporary files go from now on, in this process and in those that it starts; the answer removes them. */
export default function moveTemporaryFiles(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "looplia-tests-"));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
