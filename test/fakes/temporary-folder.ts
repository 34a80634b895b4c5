// All that tests leave goes into one folder, which is removed when they have ended.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const NEEDED_BYTES = 2 ** 30;

/** Where temporary files go from now on, in this process and in those that it starts; the answer removes them. */
export default function moveTemporaryFiles(): () => void {
  const folder = inMemory() ?? mkdtempSync(join(tmpdir(), "looplia-tests-"));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Memory, where the stores' many syncs cost nothing. Undefined where it is small or may hold no programs, as in a container. */
function inMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
    const folder = mkdtempSync(join(MEMORY, "looplia-tests-"));
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (spawnSync(program).status === 0) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // There is no such folder, or it is not ours to write to.
  }
  return undefined;
}
